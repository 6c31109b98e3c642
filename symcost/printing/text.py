"""Expressions as plain text that people and sympy can read."""

from __future__ import annotations

from typing import Any

from symcost.printing.layout import arrange
from symcost.printing.nodes import (
    Call,
    Comparison,
    Constant,
    Name,
    Node,
    Power,
    Product,
    Quotient,
    Sum,
    Whole,
)

_SUM, _PRODUCT, _POWER, _ATOM = range(4)  # how tightly a node binds
_CONSTANTS = {"E": "exp(1)"}
_FUNCTIONS = {"Maximum": "Max", "Minimum": "Min", "ComplexRootOf": "CRootOf"}


def to_text(value: Any) -> str:
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


def relation_text(lhs: Any, op: str, rhs: Any) -> str:
    """A comparison as text.

    >>> from fractions import Fraction
    >>> from symcost.symbols import dim
    >>> relation_text(dim("B"), ">", Fraction(19780, 67))
    'B > 19780/67'
    """
    return node_text(Comparison(arrange(lhs), op, arrange(rhs)))


def node_text(node: Node) -> str:
    """An arranged expression as text."""
    match node:
        case Name(name):
            return name
        case Whole(value):
            return str(value)
        case Constant(name):
            return _CONSTANTS.get(name, name)
        case Sum(terms):
            return _sum(terms)
        case Product(factors):
            return "*".join(_tight(factor, _POWER) for factor in factors)
        case Quotient(top, bottom):
            return f"{_tight(top, _PRODUCT)}/{_tight(bottom, _POWER)}"
        case Power(base, exponent):
            return f"{_tight(base, _ATOM)}**{_tight(exponent, _ATOM)}"
        case Call(name, args):
            return f"{_FUNCTIONS.get(name, name)}({', '.join(node_text(arg) for arg in args)})"
        case Comparison(lhs, op, rhs):
            return f"{node_text(lhs)} {op} {node_text(rhs)}"


def _sum(terms: tuple[tuple[int, Node], ...]) -> str:
    (sign, first), *rest = terms
    shown = ("-" if sign < 0 else "") + _tight(first, _PRODUCT)
    return shown + "".join(
        f" {'-' if sign < 0 else '+'} {_tight(term, _PRODUCT)}" for sign, term in rest
    )


def _tight(node: Node, level: int) -> str:
    """The node, in brackets where it binds less tightly than its place asks for."""
    return f"({node_text(node)})" if _binding(node) < level else node_text(node)


def _binding(node: Node) -> int:
    match node:
        case Sum() | Comparison():
            return _SUM
        case Product() | Quotient():
            return _PRODUCT
        case Power():
            return _POWER
    return _ATOM
