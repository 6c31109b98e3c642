"""Smaller weights halve the batch that is needed; smaller arithmetic gives it back."""

import symcost as sc

B = sc.dim("B")
LARGE = "B << D, F"


def rule(program: str, chip: str, dtype: str) -> None:
    limit = sc.limit(sc.parse(program).cost().intensity(), LARGE)
    ridge = sc.chip(chip).critical_intensity(dtype)
    print(f"{program}\n  intensity → {limit}\n  {sc.threshold(limit.value > ridge, B)}")


rule("bfloat16[B, D] * int8[D, F] -> bfloat16[B, F]", "h100-sxm", "bf16")
rule("int8[B, D] * int8[D, F] -> int8[B, F]", "C=3.94e14, W=8.1e11", "int8")

# the size of a weight may be a symbol: how many bytes may it have at a batch of 64?
w = sc.rate("w")
cost = sc.parse("X: bf16[B, D] @ W: w[D, F] -> Z: bf16[B, F]").cost()
limit = sc.limit(cost.intensity(), "B << D*w, F*w")
print(f"w bytes per weight\n  intensity → {limit}")
ridge = sc.chip("h100-sxm").critical_intensity("bf16")
print(f"  at B = 64  {sc.threshold(limit.value > ridge, w).at(B=64)}")
