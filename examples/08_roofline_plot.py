"""Two algorithms under the roofs of two memories of one chip."""

import sys
from pathlib import Path

import symcost as sc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
h100 = sc.chip("h100-sxm")
programs = {
    "matmul, B = 256": sc.parse("X: bf16[256, D] @ W: bf16[D, F] -> Z: bf16[256, F]"),
    "weights per example": sc.parse("X: bf16[256, D] *_D W: bf16[256, D, F] -> Z: bf16[256, F]"),
}
sizes = {"D": 8192, "F": 8192}
for label, program in programs.items():
    print(label, "has intensity", sc.roofline(program, h100).at(sizes).intensity("hbm"))

memories = {"hbm": h100.bandwidth("hbm"), "L2": 55 * 10**11}
for label, bandwidth in memories.items():
    print("critical intensity over", label, "is", h100.peak("bf16") / bandwidth)

figure = sc.plot_roofline(programs, h100, bandwidths={"L2": memories["L2"]}, at=sizes)
figure.savefig(folder / "roofline.png")
print("wrote roofline.png")
