"""How long do 1e12 FLOPs and 1e9 bytes take on an H100, and where is its ridge?"""

import symcost as sc
from symcost.printing.numbers import quantity

h100 = sc.chip("h100-sxm")
t_math = 10**12 / h100.peak("bf16")
t_comms = 10**9 / h100.bandwidth("hbm")
lower, upper = max(t_math, t_comms), t_math + t_comms

print("T_math  =", quantity(t_math, "s"))
print("T_comms =", quantity(t_comms, "s", digits=4))
print("T_lower =", quantity(lower, "s"), "  everything overlaps: the longer of the two")
print("T_upper =", quantity(upper, "s"), "  nothing overlaps: their sum")
print("T_upper <= 2 * T_lower:", upper <= 2 * lower)
print()
ridge = h100.critical_intensity("bf16")
print("critical intensity, bf16 over hbm:", f"{ridge} ({quantity(ridge)}) FLOP/byte")
over_nvlink = h100.critical_intensity("bf16", "nvlink")
print("the same over nvlink:", f"{over_nvlink} ({quantity(over_nvlink)})")
