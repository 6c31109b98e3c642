r"""Expressions as LaTeX math that plain ``amsmath`` sets."""

from __future__ import annotations

from dataclasses import replace

from symcost.printing.fold import IN_AN_EXPONENT, SET, Gap, Style, fold
from symcost.printing.fold import bracketed as bracketed_in
from symcost.printing.layout import Shownable, arrange
from symcost.printing.names import latex_escape, name_latex
from symcost.printing.nodes import Comparison, Node
from symcost.printing.numbers import leading_digits, scientific

OPERATORS = {
    ">=": r"\geq", "<=": r"\leq", "!=": r"\neq", "==": "=", "≈": r"\approx", "→": r"\to",
    "->": r"\to", "<<": r"\ll", ">>": r"\gg", "≪": r"\ll", "≫": r"\gg", "≥": r"\geq",
    "≤": r"\leq", "≠": r"\neq",
}  # fmt: skip
_SIGNS = {"-": "-", "+-": " + ", "--": " - ", ",": ", "}
_GAPS = {Gap.CLOSE: " ", Gap.LOOSE: r"\, ", Gap.DOT: r" \cdot "}
_CONSTANTS = {"oo": r"\infty", "pi": r"\pi", "E": r"\exp(1)", "nan": r"\text{undefined}"}
_FUNCTIONS = {
    "Maximum": r"\max", "Minimum": r"\min", "Max": r"\max", "Min": r"\min", "log": r"\log",
    "exp": r"\exp", "log2": r"\log_2", "log10": r"\log_{10}",
}  # fmt: skip
_FENCES = {"⌈": r"\lceil ", "⌉": r"\rceil", "⌊": r"\lfloor ", "⌋": r"\rfloor"}
_LINE = 40  # digits of an integer that is shown whole


def to_latex(value: Shownable) -> str:
    r"""An expression as LaTeX, without ``$`` around it.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> print(to_latex(19780 * D * F / (67 * D * F - 19780 * D - 19780 * F)))
    \frac{19780 D F}{67 D F - 19780 (D + F)}
    >>> print(to_latex(989 * 10**12))
    9.89\times10^{14}

    Args:
        value: a sympy expression or relation, a posynomial, a ratio, an int or a Fraction.

    Returns:
        LaTeX; the arrangement is that of ``to_text``.
    """
    return node_latex(arrange(value))


def relation_latex(lhs: Shownable, op: str, rhs: Shownable) -> str:
    r"""A comparison as LaTeX.

    >>> from symcost.symbols import dims
    >>> print(relation_latex(dims("B"), ">=", dims("d_model")))
    B \geq d_{\text{model}}
    """
    return node_latex(Comparison(arrange(lhs), op, arrange(rhs)))


def node_latex(node: Node) -> str:
    """An arranged expression as LaTeX."""
    return fold(node, LATEX)


def bracketed(node: Node) -> str:
    """An arranged expression in round brackets."""
    return bracketed_in(node, LATEX)


def function_latex(name: str) -> str:
    """A function's name, set upright."""
    return _FUNCTIONS.get(name) or rf"\operatorname{{{latex_escape(name)}}}"


def _whole(value: int) -> str:
    """An integer; of one that fills a line, only the first digits."""
    short = scientific(value)
    if short:
        return short.latex()
    if value < 10**_LINE:
        return str(value)
    lead, power = leading_digits(value, 10)
    return rf"{lead}\ldots\times10^{{{power}}}"


def _fence(inner: str, left: str, right: str, grows: bool) -> str:
    inner += " " if left in _FENCES else ""
    left, right = _FENCES.get(left, left), _FENCES.get(right, right)
    return rf"\left{left}{inner}\right{right}" if grows else f"{left}{inner}{right}"


_IN_AN_EXPONENT: Style[str] = Style(
    name=name_latex,
    whole=_whole,
    constant=lambda name: _CONSTANTS.get(name, rf"\mathrm{{{latex_escape(name)}}}"),
    function=function_latex,
    operator=lambda op: _SIGNS.get(op, f" {OPERATORS.get(op, op)} "),
    gap=_GAPS.__getitem__,
    join="".join,
    fraction="{}/{}".format,
    power="{}^{{{}}}".format,
    fence=_fence,
    root=r"\sqrt{{{}}}".format,
    root_of=r"\operatorname{{root}}_{{{}}}{}".format,
    binds=IN_AN_EXPONENT,
)
LATEX = replace(
    _IN_AN_EXPONENT, fraction=r"\frac{{{}}}{{{}}}".format, binds=SET, exponent=_IN_AN_EXPONENT
)
