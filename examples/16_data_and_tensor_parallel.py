"""A layer under data, tensor and mixed parallelism: the times on 64 chips, and what binds."""

import symcost as sc

LAYER = """mesh {mesh}
In: bf16[{x}]
H = In @ W1: bf16[{w1}]
Out: bf16[{x}] = H @ W2: bf16[{w2}]"""

WAYS = {
    "fully sharded data": ("X=64 over ici*3", "B_X, D", "D_X, F", "F, D_X"),
    "tensor": ("Y=64 over ici*3", "B, D_Y", "D, F_Y", "F_Y, D"),
    "both": ("X=16 over ici*2, Y=4 over ici", "B_X, D_Y", "D_X, F_Y", "F_Y, D_X"),
}
SIZES = {"B": 2**17, "D": 8192, "F": 32768}

for name, (mesh, x, w1, w2) in WAYS.items():
    program = LAYER.format(mesh=mesh, x=x, w1=w1, w2=w2)
    times = sc.roofline(program, "64 x tpu-v5p").at(**SIZES)
    worst = float(times.lower) * 1e3
    sent = {c: float(t) * 1e3 for c, t in times.t_comms.items() if c != "hbm"}
    memory = sc.function(sc.parse(program).cost().memory(), list(SIZES))(*SIZES.values()) / 1e9
    links = ", ".join(f"{channel} {time:.2f} ms" for channel, time in sent.items())
    print(f"{name:19} {worst:6.2f} ms, bound by {times.bound_by}; {links}; {float(memory):.2f} GB")
