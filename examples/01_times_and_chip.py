"""How long do 1e12 FLOPs and 1e9 bytes take on an H100, and where is its ridge?"""

import symcost as sc

h100 = sc.chip("h100-sxm")
t_math = 10**12 / h100.peak("bf16")
t_comms = 10**9 / h100.bandwidth("hbm")
lower, upper = max(t_math, t_comms), t_math + t_comms

print("T_math  =", f"{float(t_math) * 1e3:.3f} ms")
print("T_comms =", f"{float(t_comms) * 1e6:.1f} µs")
print("T_lower =", f"{float(lower) * 1e3:.3f} ms", "  everything overlaps: the longer of the two")
print("T_upper =", f"{float(upper) * 1e3:.3f} ms", "  nothing overlaps: their sum")
print("T_upper <= 2 * T_lower:", upper <= 2 * lower)
print()
ridge = h100.critical_intensity("bf16")
print("critical intensity, bf16 over hbm:", f"{ridge} ({float(ridge):.1f}) FLOP/byte")
over_nvlink = h100.critical_intensity("bf16", "nvlink")
print("the same over nvlink:", f"{over_nvlink} ({float(over_nvlink):.1f})")
