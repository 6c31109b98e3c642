"""For which B is the intensity above 300 when D = F = 200? The usual algebra says B > -150."""

import sympy

import symcost as sc

B = sc.dim("B")
intensity = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]").cost().intensity()

b = sympy.Symbol("b")
at_200 = intensity.subs({B: b, **dict.fromkeys(sc.dims("D F"), 200)})
print("intensity at D = F = 200:", at_200)
print("sympy, solve(intensity - 300):", sympy.solve(at_200 - 300, b))
print("read as B > -150, every batch size is compute-bound")

rule = sc.threshold(intensity > 300, B)
print()
print(rule)
small = rule.at(D=200, F=200)
print("at D = F = 200 ", small)
print("because the intensity stays below", small.supremum())
print("at D = F = 8192", rule.at(D=8192, F=8192))
