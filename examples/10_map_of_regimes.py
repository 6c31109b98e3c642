"""Where the attention of a transformer layer costs more than its matrices."""

import sys
from pathlib import Path

import symcost as sc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
B, D, S = sc.dims("B D S")
flops = 24 * B * S * D**2 + 4 * B * S**2 * D
print(sc.regimes(flops))

regions = sc.regime_map(flops, D, S, at={B: 1})
figure = sc.plot_regimes(regions, (256, 2**15), (256, 2**18))
figure.savefig(folder / "regimes.png")
print("wrote regimes.png")
