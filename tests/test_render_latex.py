"""Documents as LaTeX: pdflatex sets them without an error and nothing runs off the page."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from symcost.cli import main

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
RULE = ["--assume", "B << D, F", "--solve", "B"]
MLP = """H: bf16[n_batch, d_ff] = X: bf16[n_batch, d_model] @ U: bf16[d_model, d_ff]
G = gelu(H)
Y: bf16[n_batch, d_model] = G @ V: bf16[d_ff, d_model]"""
TWO_DEVICES = """P0: bf16[B, F] = X0: bf16[B, D/2] @ W0: bf16[D/2, F] on gpu0
P1: bf16[B, F] = X1: bf16[B, D/2] @ W1: bf16[D/2, F] on gpu1
send P0 to gpu2 over nvlink; send P1 to gpu2 over nvlink
Z = add(P0, P1) on gpu2"""
NAMES = ["D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N"]
CHAIN = "\n".join(
    [f"A0: bf16[B, E] = X: bf16[B, D] @ W0: bf16[D, {NAMES[1]}]"]
    + [
        f"A{i} = A{i - 1} @ W{i}: bf16[{NAMES[i]}, {NAMES[i + 1]}]"
        for i in range(1, len(NAMES) - 1)
    ]
)
WIDE = ["--assume", f"B << {', '.join(NAMES)}", "--solve", "B"]
CASES = {
    "short note": [MATMUL, "--on", "h100-sxm", *RULE, "--given", "D, F >= 8192", "--prove"],
    "long note": [MATMUL, "--on", "tpu-v5e", *RULE],
    "longest note": [MATMUL, "--on", "rtx5090", *RULE, "--at", "B=16,D=8192,F=8192"],
    "long names": [MLP, "--on", "h100-sxm", "--assume", "n_batch << d_model, d_ff",
                   "--solve", "n_batch"],
    "two devices": [TWO_DEVICES, "--on", "h100-sxm"],
    "twelve symbols": [CHAIN, "--on", "h100-sxm", *WIDE],
}  # fmt: skip


def typeset(arguments: list[str], folder: Path) -> tuple[str, str]:
    """The LaTeX of a derivation, and what pdflatex logs about it."""
    page = folder / "page.tex"
    assert main(["derive", *arguments, "--format", "latex", "--standalone", "-o", str(page)]) == 0
    assert shutil.which("pdflatex"), "this test needs pdflatex: install texlive-latex-recommended"
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = (folder / "page.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    return page.read_text(encoding="utf-8"), log


@pytest.mark.parametrize("name", CASES)
def test_nothing_runs_off_the_page(name: str, tmp_path: Path) -> None:
    _, log = typeset(CASES[name], tmp_path)
    assert "Overfull" not in log


def test_a_long_reason_is_a_paragraph_below_its_equation(tmp_path: Path) -> None:
    page, _ = typeset(CASES["longest note"], tmp_path)
    assert "TFLOP/s}\n\\end{align*}\n(peak, bf16;" in page


def test_a_wide_case_is_displayed_and_its_parts_are_named_once(tmp_path: Path) -> None:
    page, _ = typeset(CASES["twelve symbols"], tmp_path)
    rule = page[page.index("exact:") :]
    assert "\\item for\n\\begin{align*}\n  B &> \\frac{p_{1}}{p_{2}}" in rule
    assert "\nif\n\\begin{align*}" in rule
    labels = [line.split("&=")[0] for line in rule.splitlines() if "&=" in line]
    assert len(labels) == len(set(labels)) >= 3
    assert "\\item otherwise never" in rule
