"""FLOP/s of a matmul against its batch size, and where each curve meets the roof."""

import sys
from pathlib import Path

import symcost as sc
from symcost.analysis.curves import throughput_curves
from symcost.render.plot import save

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/images"
matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
h100 = sc.chip("h100-sxm")
sizes = [{"D": size, "F": size} for size in (1024, 2048, 16384)]

for curve in throughput_curves(matmul, h100, "B", sizes):
    meets = curve.meets(1, 512)
    where = f"at B = {meets} ({float(meets):.1f})" if meets else "beyond B = 512"
    print(f"{curve.label} meets the roof {where}")

figure = sc.plot_throughput(matmul, h100, "B", (1, 512), sizes)
save(figure, str(folder / "throughput.png"), "png")
print("wrote throughput.png")
