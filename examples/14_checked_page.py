"""A checked page: what is derived is written as Markdown, and a slip in it is found."""

import sys
from pathlib import Path

import symcost as sc

page = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "page.md"
matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
found = sc.derive(matmul, "h100-sxm", assume="B << D, F", solve_for="B")

text = found.to_markdown()
page.write_text(text, encoding="utf-8")
print("as it was derived:", "follows" if sc.check_document(page).exit_code == 0 else "does not")

# Somebody loses a term on the way from one form of the intensity to the next.
wrong = text.replace("{B D + B F + D F}", "{B D + D F}")
page.write_text(wrong, encoding="utf-8")
report = sc.check_document(page)
print("with a term left out:", "follows" if report.exit_code == 0 else "does not follow")
print("because it", report.first_gap.diagnosis[0].text)
