"""Long equations, set by pdflatex: no line is wider than the page."""

from __future__ import annotations

import random
import re
import shutil
import subprocess

import pytest
from sympy import Add, Expr, Integer, Mul, Pow, Rational, ceiling, log, sqrt

from symcost.algebra import Maximum
from symcost.printing.latex import to_latex
from symcost.printing.layout import arrange
from symcost.printing.linebreak import align, equation_rows
from symcost.printing.numbers import shown, shown_quantity
from symcost.printing.widths import PLUS, RELATION, node_width
from symcost.symbols import dim, dims, rates

B, D, F, N = dims("B D F N")
C, W = rates("C W_hbm")
SYMBOLS = [dim(name) for name in ("B", "D", "F", "S", "H", "K", "L", "M", "d_model", "beta")]
EM = 11.75  # points, at 12 point
HEAD = r"""\documentclass[12pt]{article}
\usepackage[margin=1in]{geometry}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""


def random_sum(draw: random.Random, terms: int) -> Expr:
    """Some monomials with small and huge coefficients of both signs."""
    return Add(
        *(
            draw.choice([-1, 1, 1])
            * draw.randint(1, 10 ** draw.randint(0, 14))
            * Mul(*(s ** draw.randint(0, 3) for s in draw.sample(SYMBOLS, 4)))
            for _ in range(terms)
        )
    )


def random_value(draw: random.Random) -> Expr:
    ratio = random_sum(draw, draw.randint(1, 15)) / random_sum(draw, draw.randint(1, 12))
    more = [
        Integer(0),
        random_sum(draw, 4) / random_sum(draw, 5),
        Maximum(random_sum(draw, 4), random_sum(draw, 2) / random_sum(draw, 6)),
        random_sum(draw, 3) * (random_sum(draw, 2) - 1) * (random_sum(draw, 9) + 1),
        sqrt(random_sum(draw, 9)) * ceiling(random_sum(draw, 9) / 8),
    ]
    return ratio + draw.choice(more)


HARD = [
    ("T_lower", Maximum(*(2 * dim(f"B_{k}") * D / C for k in range(40)))),
    ("p_1", Mul(*(dim(f"name_{k}") ** k for k in range(1, 40)))),
    ("big", Integer(7) ** 300 + B),
    ("sum", Add(*(B * D / dim(f"n{k}") for k in range(30)))),
    ("power", Pow(random_sum(random.Random(1), 10), 3, evaluate=False) * D + B),
    ("words", dim("HBM") * dim("Dtilde") * log(N) / sqrt(D + F) * B ** Rational(3, 2)),
    ("relative error of the limit over the whole of the network", B / D + B / F),
]


def compiled(body: str, folder) -> str:
    """What pdflatex prints; the test command's machine provides pdflatex (see .ci/run)."""
    assert shutil.which("pdflatex"), "these tests need pdflatex: install texlive-latex-recommended"
    (folder / "page.tex").write_text(HEAD + body + "\n\\end{document}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    output = run.stdout.decode(errors="replace")
    assert run.returncode == 0, output[-2000:]
    return output


def test_no_line_leaves_the_page(tmp_path):
    draw = random.Random(0)
    labels = ["intensity", "T_comms", "x", "bytes over nvlink"]
    equations = [*HARD, *((draw.choice(labels), random_value(draw)) for _ in range(60))]
    body = "\n".join(align(equation_rows(label, [("=", value)])) for label, value in equations)
    assert "Overfull" not in compiled(body, tmp_path)


def test_widths_err_on_the_wide_side(tmp_path):
    draw = random.Random(1)
    values = [value for _, value in HARD[2:]]
    values += [2 * B * D * F, B * D * F / (B * D + D * F + B * F), (B / D + 1) ** 2, log(N), C / W]
    values += [random_sum(draw, draw.randint(1, 4)) for _ in range(30)]
    values += [random_sum(draw, 2) / random_sum(draw, 3) for _ in range(30)]
    boxes = (
        rf"\setbox0\hbox{{$\displaystyle {to_latex(v)}$}}\typeout{{width=\the\wd0}}" for v in values
    )
    output = compiled("\n".join(boxes), tmp_path)
    measured = [float(w) / EM for w in re.findall(r"width=([\d.]+)pt", output)]
    for value, width in zip(values, measured, strict=True):
        assert width <= node_width(arrange(value)) <= 1.7 * width + 0.5, value


def test_short_equations_stay_on_one_row():
    rule = Rational(19780, 67)
    assert equation_rows("B", [(">", rule), ("≈", shown(rule))]) == [
        r"B &> \frac{19780}{67} \approx 295.2"
    ]
    assert equation_rows("T_math", [("=", shown_quantity(Rational(1, 989), "s"))]) == [
        r"T_{\text{math}} &= 1.011\text{ ms}"
    ]


def test_a_sum_breaks_before_its_signs():
    rows = equation_rows("x", [("=", B * D * F + B * D - N)], width=13)
    assert rows == ["x &= B D F", r"&\quad {}+ B D - N"]


def test_a_row_leaves_room_for_its_indent():
    """Two terms take 6.9 em of the 7.9 beside the label and its sign, and a row may be indented."""
    value = B * D * F + B * D * N + D * F * N
    assert len(equation_rows("x", [("=", value)], width=14.6)) == 3
    assert len(equation_rows("x", [("=", value)], width=15.6)) == 2


def test_a_product_within_a_sum_leaves_room_for_its_indent():
    """Beside the label and its sign a row of it takes an indent, a plus and the product."""
    first, second = (Mul(*(dim(f"{word}_{k}") for k in range(10))) for word in ("name", "some"))
    page = 5 + RELATION + 1 + PLUS + node_width(arrange(second))
    wide = equation_rows("x", [("=", first + second)], width=page + 0.1)
    narrow = equation_rows("x", [("=", first + second)], width=page - 0.1)
    assert len(wide) == 2 < len(narrow)


def test_a_wide_denominator_gets_a_name():
    rows = equation_rows("x", [("=", B / (B * D * F + B * D * N + D * F * N))], width=12)
    assert rows[:2] == [r"x &= \frac{B}{p_{1}}", r"\text{where } p_{1} &= B D F"]


def test_the_name_of_a_part_is_not_taken():
    rows = equation_rows("x", [("=", dim("p_1") / (B * D * F + B * D * N + D * F * N))], width=12)
    assert rows[0] == r"x &= \frac{p_{1}}{q_{1}}"


@pytest.mark.parametrize("width", [8, 12, 20, 39])
def test_every_term_is_there_once(width):
    value = random_sum(random.Random(3), 12)
    broken = "".join(equation_rows("x", [("=", value)], width=width))
    plain = re.sub(r"\\quad|\{\}|&|\s", "", broken).removeprefix("x=")
    assert plain.replace(r"\cdot", "") == re.sub(r"\s", "", to_latex(value))
