"""A dot product is never compute-bound, however long it is."""

import symcost as sc

N = sc.dim("N")
dot = sc.parse("x • y: bf16[N], bf16[N] → bf16[1]")
cost = dot.cost(count="exact")
print("FLOPs     =", cost.flops())
print("bytes     =", cost.bytes())
print("intensity =", cost.intensity())

limit = sc.limit(cost.intensity(), "N -> oo")
print("intensity →", limit)
print("at N = 1000 the limit is off by", limit.error_at({"N": 1000}))

ridge = sc.chip("h100-sxm").critical_intensity("bf16")
rule = sc.threshold(sc.Relation(cost.intensity(), ">", ridge), N)
print()
print(rule)
print("the intensity stays below", rule.supremum(), "and the ridge is at", ridge)
