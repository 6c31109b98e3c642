"""Expressions as plain text that people and sympy can read."""

from __future__ import annotations

from symcost.printing.fold import Style, before_unit, fold
from symcost.printing.layout import Shownable, arrange
from symcost.printing.nodes import Comparison, Node

_CONSTANTS = {"E": "exp(1)"}
_FUNCTIONS = {"Maximum": "Max", "Minimum": "Min", "ComplexRootOf": "CRootOf"}
_SIGNS = {"-": "-", "+-": " + ", "--": " - ", ",": ", "}

TEXT: Style[str] = Style(
    name=str,
    whole=str,
    constant=lambda name: _CONSTANTS.get(name, name),
    function=lambda name: _FUNCTIONS.get(name, name),
    operator=lambda op: _SIGNS.get(op, f" {op} "),
    gap=lambda gap: "*",
    join="".join,
    fraction="{}/{}".format,
    power="{}**{}".format,
    fence=lambda inner, left, right, grows: f"{left}{inner}{right}",
)


def to_text(value: Shownable) -> str:
    """An expression as text, with only ``+ - * / **``, brackets and function calls.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> to_text(19780 * D * F / (67 * D * F - 19780 * D - 19780 * F))
    '19780*D*F/(67*D*F - 19780*(D + F))'
    >>> to_text(2 * D * F + 2 * B * F + 2 * B * D), to_text(B / D + B / F)
    ('2*B*D + 2*B*F + 2*D*F', 'B/D + B/F')

    Args:
        value: a sympy expression or relation, a posynomial, a ratio, an int or a Fraction.

    Returns:
        Text whose value is the expression's; equal expressions give equal text.
    """
    return node_text(arrange(value))


def relation_text(lhs: Shownable, op: str, rhs: Shownable) -> str:
    """A comparison as text.

    >>> from fractions import Fraction
    >>> from symcost.symbols import dim
    >>> relation_text(dim("B"), ">", Fraction(19780, 67))
    'B > 19780/67'
    """
    return node_text(Comparison(arrange(lhs), op, arrange(rhs)))


def amount_text(value: Shownable, unit: str) -> str:
    """An expression with its unit, a sum in brackets: ``(B + D) bytes``.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> amount_text(2 * B * D, "bytes"), amount_text(B + D, "bytes")
    ('2*B*D bytes', '(B + D) bytes')
    """
    return f"{before_unit(arrange(value), TEXT)} {unit}" if unit else to_text(value)


def node_text(node: Node) -> str:
    """An arranged expression as text."""
    return fold(node, TEXT)
