"""FLOP/s of a matmul against its batch size, and where each curve meets the roof."""

import sys
from pathlib import Path

import symcost as sc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
h100 = sc.chip("h100-sxm")
sizes = [{"D": size, "F": size} for size in (1024, 2048, 16384)]

rule = sc.threshold(matmul.cost().intensity() > h100.critical_intensity("bf16"), "B")
for size in sizes:
    meets = rule.at(size).bound
    where = f"at B = {meets} ({float(meets):.1f})" if meets <= 512 else "beyond B = 512"
    print(f"D = F = {size['D']} meets the roof {where}")

figure = sc.plot_throughput(matmul, h100, "B", (1, 512), sizes)
figure.savefig(folder / "throughput.png")
print("wrote throughput.png")
