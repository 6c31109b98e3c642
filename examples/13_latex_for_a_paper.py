r"""LaTeX for a paper: a formula, a rule and a whole derivation, written where you say."""

import sys
from pathlib import Path

import symcost as sc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
found = sc.derive(matmul, "h100-sxm", assume="B << D, F", solve_for="B")

# Bare mathematics, ready to stand in an equation of your own.
print(r"\[ I =", sc.to_latex(matmul.cost().intensity()), r"\]")
print(r"\[", sc.to_latex(sc.threshold("B*D/(B + D) > 300", "B")), r"\]")

# A part of a document (it needs amsmath), and a document of its own.
(folder / "part.tex").write_text(found.to_latex(), encoding="utf-8")
(folder / "matmul.tex").write_text(found.to_latex(standalone=True), encoding="utf-8")
print("wrote part.tex and matmul.tex")
