"""Formulas in a program: the batch that serves most tokens per second within a latency."""

import symcost as sc

B = sc.dim("B")
sizes = {"D": 8192, "F": 28672}
layer = sc.parse("""
    H: bf16[B, F] = X: bf16[B, D] @ W1: fp8[D, F]
    Y: bf16[B, D] = H @ W2: fp8[F, D]
""")
roof = sc.roofline(layer, "h100-sxm").at(sizes)

# The exact time as a fast function of the batch, for one size or an array of them.
seconds = sc.function(roof.lower, [B])
print("at B = 1:", f"{float(seconds(1)) * 1e6:.1f} µs")

# Where the time begins to grow with the batch: the bottleneck changes hands.
turn = sc.threshold(sc.Relation(roof.t_math, ">", roof.t_comms["hbm"]), B)
print("arithmetic takes over:", turn)

# The largest batch that still answers in time, exactly, and the throughput there.
fits = sc.threshold(sc.Relation(roof.lower, "<=", sc.formula("400 us")), B)
batch = fits.largest_integer
print("within 400 µs:", fits)
print("tokens per second:", round(batch / float(seconds(batch))))
