"""Expressions as presentation MathML (MathML Core, which browsers set without a library)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html import escape

from symcost.printing.fold import IN_AN_EXPONENT, SET, Gap, Style, fold
from symcost.printing.names import name_mathml
from symcost.printing.nodes import Node
from symcost.printing.numbers import scientific

_OPERATORS = {
    ">=": "≥", "<=": "≤", "!=": "≠", "==": "=", "->": "→", "<<": "≪", ">>": "≫", "-": "−",
    "+-": "+", "--": "−",
}  # fmt: skip
_CONSTANTS = {"oo": "∞", "pi": "π", "E": "e", "nan": "undefined"}
_FUNCTIONS = {
    **dict.fromkeys(("Maximum", "Max"), "<mi>max</mi>"),
    **dict.fromkeys(("Minimum", "Min"), "<mi>min</mi>"),
    **{f"log{n}": f"<msub><mi>log</mi><mn>{n}</mn></msub>" for n in (2, 10)},
}
_TIMES = "<mo>&#x2062;</mo>"  # invisible times
_GAPS = {Gap.CLOSE: _TIMES, Gap.LOOSE: _TIMES + '<mspace width="0.17em"/>', Gap.DOT: "<mo>⋅</mo>"}
_SLASH = '<mo lspace="0" rspace="0">/</mo>'
_APPLY = "<mo>&#x2061;</mo>"  # function application


def math_element(inner: str, *, display: bool = True) -> str:
    """Wrap MathML content in its root element."""
    opening = '<math display="block">' if display else "<math>"
    return f"{opening}{inner}</math>"


def operator_mathml(op: str) -> str:
    """An operator such as ``>=``."""
    return f"<mo>{escape(_OPERATORS.get(op, op))}</mo>"


def node_mathml(node: Node) -> str:
    """An arranged expression as MathML content: one element.

    >>> from symcost.printing.layout import arrange
    >>> from symcost.symbols import dims
    >>> node_mathml(arrange(dims("B") ** 2))
    '<msup><mi>B</mi><mn>2</mn></msup>'
    """
    return fold(node, MATHML)


def _row(parts: Iterable[str]) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _whole(value: int) -> str:
    short = scientific(value)
    return _row([short.mathml()]) if short else f"<mn>{value}</mn>"


def _fence(inner: str, left: str, right: str, grows: bool) -> str:
    """Brackets that grow only around something tall: growing ones are set with wide spaces."""
    mo = "<mo>" if grows else '<mo stretchy="false">'
    return _row([f"{mo}{left}</mo>", inner, f"{mo}{right}</mo>"])


_IN_AN_EXPONENT: Style[str] = Style(
    name=name_mathml,
    whole=_whole,
    constant=lambda name: f"<mi>{escape(_CONSTANTS.get(name, name))}</mi>",
    function=lambda name: _FUNCTIONS.get(name, f"<mi>{escape(name)}</mi>") + _APPLY,
    operator=operator_mathml,
    gap=_GAPS.__getitem__,
    join=_row,
    fraction=lambda top, bottom: _row([top, _SLASH, bottom]),
    power="<msup>{}{}</msup>".format,
    fence=_fence,
    root="<msqrt>{}</msqrt>".format,
    root_of=lambda which, equation: _row([f"<msub><mi>root</mi>{which}</msub>{_APPLY}", equation]),
    binds=IN_AN_EXPONENT,
)
MATHML = replace(
    _IN_AN_EXPONENT, fraction="<mfrac>{}{}</mfrac>".format, binds=SET, exponent=_IN_AN_EXPONENT
)
