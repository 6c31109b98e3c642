"""From bf16[B, D] @ bf16[D, F] to "B > 295", and to the exact rule behind it."""

import symcost as sc

B = sc.dim("B")
matmul = sc.parse("X • Y: bf16[B, D], bf16[D, F] → Z: bf16[B, F]")
cost = matmul.cost()
print(cost)
print("intensity =", cost.intensity())

limit = sc.limit(cost.intensity(), "B << D, F")
print("intensity →", limit)

ridge = sc.chip("h100-sxm").critical_intensity("bf16")
simple = sc.threshold(limit.value > ridge, B)
exact = sc.threshold(cost.intensity() > ridge, B)
print()
print("in the limit", simple)
print("exact       ", exact)
for size in (16384, 8192, 1024, 512):
    print(f"D = F = {size:<5}", exact.at(D=size, F=size))
error = limit.error_at({"B": 300, "D": 8192, "F": 8192})
print(f"at B = 300, D = F = 8192 the limit is {error} = {float(error):.1%} too high")
