"""Weights of their own for each example: no batch size helps."""

import symcost as sc

program = sc.parse("int8[B, D] *_D int8[B, D, F] -> int8[B, F]")
cost = program.cost()
print("FLOPs     =", cost.flops())
print("bytes     =", cost.bytes())
print("intensity =", cost.intensity())
limit = sc.limit(cost.intensity(), "D, F -> oo")
print("intensity →", limit)

h100 = sc.chip("h100-sxm")
found = sc.derive(program, h100, assume="D, F -> oo", solve_for="B")
print()
print("in the limit", found.answer.channels[0].limit_rule)
print("exact       ", found.answer.channels[0].exact_rule)
