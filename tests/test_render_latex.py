"""Documents as LaTeX: pdflatex sets them without an error and nothing runs off the page."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import symcost as sc
from symcost.cli import main
from symcost.documents.blocks import Equation, Quantity
from symcost.notation.border import formula
from symcost.render.formats.latex import block_latex
from symcost.render.registry import render
from symcost.render.shown import Rendered

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
LONG = "number_of_tokens_in_one_batch_of_the_whole_data_parallel_group_abcde"
CASES = {
    "short note": [MATMUL, "--on", "h100-sxm", *RULE, "--given", "D, F >= 8192", "--prove"],
    "long note": [MATMUL, "--on", "tpu-v5e", *RULE],
    "longest note": [MATMUL, "--on", "rtx5090", *RULE, "--at", "B=16,D=8192,F=8192"],
    "long names": [MLP, "--on", "h100-sxm", "--assume", "n_batch << d_model, d_ff",
                   "--solve", "n_batch"],
    "two devices": [TWO_DEVICES, "--on", "h100-sxm"],
    "twelve symbols": [CHAIN, "--on", "h100-sxm", *WIDE],
    "69 letters": [f"X: bf16[{'b' * 69}, {LONG}] @ {'v' * 69}: bf16[{LONG}, {'h' * 69}]",
                   "--on", "h100-sxm", "--assume", f"{'b' * 69} << {LONG}, {'h' * 69}",
                   "--solve", "b" * 69, "--at", f"{'b' * 69}=8, {LONG}=4096, {'h' * 69}=4096"],
    "letters of China": ["输入: bf16[批, 维度] @ 权重: bf16[维度, 前馈]", "--on", "h100-sxm",
                         "--assume", "批 << 维度, 前馈", "--solve", "批"],
    "letters of Japan and Korea": ["入力: bf16[バッチ, D] @ 가중치: bf16[D, F]"],
}  # fmt: skip


def typeset(arguments: list[str], folder: Path, verb: str = "derive") -> tuple[str, str]:
    """The LaTeX of an answer, and what pdflatex logs about it."""
    page = folder / "page.tex"
    assert main([verb, *arguments, "--format", "latex", "--standalone", "-o", str(page)]) == 0
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


def test_letters_of_east_asia_are_set_in_a_font_that_has_them(tmp_path: Path) -> None:
    """By CJKutf8 where the font is installed; everywhere else the page compiles and names them."""
    page, log = typeset(CASES["letters of China"], tmp_path)
    assert r"\text{批} > \frac{19780}{67}" in page
    assert ("c70gbsn.fd" in log) == bool(
        subprocess.run(["kpsewhich", "c70gbsn.fd"], capture_output=True, check=False).stdout
    )
    without = page.replace("c70gbsn.fd", "c70none.fd")
    (tmp_path / "without.tex").write_text(without, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "without.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    assert "CJK" not in typeset(CASES["short note"], tmp_path)[0]


@pytest.mark.parametrize("arguments", [[], ["h100"], ["tpu-v5p"]], ids=str)
def test_a_table_stays_on_the_page(arguments: list[str], tmp_path: Path) -> None:
    """One that is too wide is set small and its widest column in paragraphs; a long one is cut."""
    _, log = typeset(arguments, tmp_path, "chips")
    assert "Overfull" not in log


def test_a_long_reason_is_a_paragraph_below_its_equation() -> None:
    value = Quantity(989 * 10**12, "FLOP/s")
    beside = Equation("C", (("=", value),), "peak")
    assert r"TFLOP/s} \qquad \text{(peak)}" in block_latex(beside)
    below = Equation("C", (("=", value),), "peak, " + "and what to know about it, " * 4)
    assert "TFLOP/s}\n\\end{align*}\n(peak, and" in block_latex(below)


def test_a_wide_case_is_displayed_and_its_parts_are_named_once(tmp_path: Path) -> None:
    page, _ = typeset(CASES["twelve symbols"], tmp_path)
    rule = page[page.index("Exactly:") :]
    assert "\\item for\n\\begin{align*}\n  B &> \\frac{p_{1}}{p_{2}}" in rule
    assert "\nif\n\\begin{align*}" in rule
    labels = [line.split("&=")[0] for line in rule.splitlines() if "&=" in line]
    assert len(labels) == len(set(labels)) >= 3
    assert "\\item otherwise never" in rule


# -- what a page says ------------------------------------------------------------------------


def derivation() -> sc.Derivation:
    return sc.derive(MATMUL, "h100-sxm", assume="B << D, F", solve_for="B")


def test_one_matmul_fills_one_page(tmp_path: Path) -> None:
    _, log = typeset([MATMUL, "--on", "h100-sxm", *RULE], tmp_path)
    assert "(1 page," in log


@pytest.mark.parametrize("form", ["latex", "markdown", "html"])
def test_a_page_opens_with_its_answer(form: str) -> None:
    shown = render(derivation().document(), form)
    answer, program = shown.index("19780"), shown.index("Z: bf16")
    assert answer < program


@pytest.mark.parametrize(
    ("form", "whole"),
    [("latex", True), ("latex", False), ("markdown", True), ("html", True)],
)
def test_our_own_pages_are_checked_and_found_right(form: str, whole: bool, tmp_path: Path) -> None:
    page = tmp_path / f"page.{'tex' if form == 'latex' else form}"
    page.write_text(render(derivation().document(), form, whole=whole), encoding="utf-8")
    report = sc.check_document(page)
    assert report.exit_code == 0, report
    assert len(report.links) >= 6


@pytest.mark.parametrize("form", ["latex", "markdown", "html"])
def test_symbols_are_set_as_mathematics(form: str) -> None:
    shown = render(derivation().document(), form)
    for plain in ("B*D", "B << D", "2*D*F", "T_math =", "D**"):
        assert plain not in shown


RESULTS = {
    "expression": lambda: sc.dim("B") ** 2,
    "ledger": lambda: sc.parse(MATMUL).cost(),
    "roofline": lambda: sc.roofline(sc.parse(MATMUL), "h100-sxm"),
    "limit": lambda: sc.limit("B*D/(B + D)", "B << D"),
    "threshold": lambda: sc.threshold("B*D/(B + D) > 100", "B"),
    "root": lambda: sc.threshold("B**3 + D*B > F", "B"),
    "numeric root": lambda: sc.threshold("B**3 + B > 7", "B"),
    "feasible": lambda: sc.feasible("B*D/(B + D) > 100; B*D < 10**6", "B"),
    "guarantee": lambda: sc.guarantee("B*D/(B + D) > 100", "B", "D >= 200"),
    "integers": lambda: sc.integer_set("8*ceil(B/8) <= 2*B", "B", 20),
    "leading": lambda: sc.threshold("B**3 + D*B > F", "B").leading("D**3 << F**2"),
    "proof": lambda: sc.prove(sc.threshold("B*D/(B + D) > 100", "B")),
    "regimes": lambda: sc.regimes(formula("24*B*S*D**2 + 4*B*S**2*D")),
    "breakpoints": lambda: sc.breakpoints(formula("S**2 + 12*S"), "S", 1, 100),
    "regime map": lambda: sc.regime_map(formula("B**2 + B*D"), "B", "D"),
    "optimum": lambda: sc.minimize(formula("a*x + b/x"), sc.rate("x")),
    "derivation": derivation,
    "chip": lambda: sc.chip("h100-sxm"),
    "direction": lambda: sc.monotone("B*D/(B + D)", "B"),
    "numeric function": lambda: sc.function("B*D/(B + D)", "B D"),
    "entry": lambda: sc.parse("relu(X: bf16[B])").cost().entries[0],
}


@pytest.fixture(scope="module")
def results() -> dict[str, object]:
    return {name: make() for name, make in RESULTS.items()}


def test_the_mathematics_of_everything_compiles(results: dict[str, object], tmp_path: Path) -> None:
    parts = [rf"\[ {sc.to_latex(result)} \]" for result in results.values()]
    parts += [r.to_latex() for r in results.values() if isinstance(r, Rendered)]
    assert_compiles("\n\n".join(parts), tmp_path)


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "expression"])
def test_the_symbols_of_every_result_are_mathematics(results: dict[str, object], name: str) -> None:
    result = results[name]
    assert isinstance(result, Rendered)
    shown = [result.to_latex(), result.to_markdown(), result.to_html()]
    for plain in ("B*D", "B << D", "D >= ", "D**", r"D \textgreater{}=", "D &gt;="):
        assert not any(plain in each for each in shown), plain


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "expression"])
def test_every_result_has_every_format(results: dict[str, object], name: str) -> None:
    result = results[name]
    assert isinstance(result, Rendered)
    for shown in (result.to_text(), result.to_latex(), result.to_markdown(), result.to_html()):
        assert shown.strip()
    assert json.loads(result.to_json())["schema"] == 1
    assert result._repr_html_()
    assert result._repr_latex_()


def assert_compiles(body: str, folder: Path) -> None:
    head = "\\documentclass{article}\\usepackage{amsmath,amssymb}\\begin{document}\n"
    (folder / "all.tex").write_text(f"{head}{body}\n\\end{{document}}", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = (folder / "all.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]


@pytest.mark.parametrize("wrong", [None, [], object()])
def test_what_has_no_mathematics_is_said(wrong: object) -> None:
    with pytest.raises(sc.SymcostError, match="has no mathematics to show"):
        sc.to_latex(wrong)
