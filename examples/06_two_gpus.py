"""A matmul split over two GPUs: the network asks for a large D, whatever the batch."""

import symcost as sc

HALVES = """
P0: bf16[B, F] = X0: bf16[B, D/2] @ W0: bf16[D/2, F] on gpu0
P1: bf16[B, F] = X1: bf16[B, D/2] @ W1: bf16[D/2, F] on gpu1
"""
SUM_ON_A_THIRD = """
send P0 to gpu2 over nvlink; send P1 to gpu2 over nvlink
Z = add(P0, P1) on gpu2
"""
EXCHANGE = """
send P0 to gpu1 over nvlink; send P1 to gpu0 over nvlink
Z0 = add(P0, P1) on gpu0; Z1 = add(P0, P1) on gpu1
"""

D = sc.dim("D")
for title, rest in (("sum on a third GPU", SUM_ON_A_THIRD), ("exchange", EXCHANGE)):
    graph = sc.parse(HALVES + rest)
    symbolic = sc.roofline(graph, sc.chip("C, W_hbm, W_nvlink=W"))
    print(title)
    print("  T_math  =", symbolic.t_math)
    print("  T_comms =", symbolic.t_comms["nvlink"])
    roof = sc.roofline(graph, sc.chip("h100-sxm"))
    rule = sc.threshold(roof.intensity("nvlink") > roof.critical_intensity("nvlink"), D)
    print("  FLOPs per byte sent =", roof.intensity("nvlink"))
    print(f"  {rule}")
