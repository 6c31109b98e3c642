"""Expressions as presentation MathML (MathML Core, which browsers set without a library)."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import Any

from symcost.printing.latex import is_tall, is_word, root_number, starts_with_digit
from symcost.printing.layout import arrange
from symcost.printing.names import name_mathml
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
from symcost.printing.numbers import scientific, scientific_mathml

_OPERATORS = {
    ">=": "≥", "<=": "≤", "!=": "≠", "==": "=", "->": "→", "<<": "≪", ">>": "≫", "-": "−",
}  # fmt: skip
_CONSTANTS = {"oo": "∞", "pi": "π", "E": "e", "nan": "undefined"}
_FUNCTIONS = {"Maximum": "max", "Minimum": "min", "Max": "max", "Min": "min"}
_FENCES = {"ceiling": ("⌈", "⌉"), "floor": ("⌊", "⌋")}
_TIMES = "<mo>&#x2062;</mo>"  # invisible times
_SLASH = '<mo lspace="0" rspace="0">/</mo>'
_APPLY = "<mo>&#x2061;</mo>"  # function application


def to_mathml(value: Any, *, display: bool = True) -> str:
    """An expression as one ``<math>`` element.

    >>> from symcost.symbols import dims
    >>> to_mathml(dims("B") ** 2, display=False)
    '<math><msup><mi>B</mi><mn>2</mn></msup></math>'

    Args:
        value: a sympy expression or relation, a posynomial, a ratio, an int or a Fraction.
        display: set it on a line of its own, in display style.

    Returns:
        A MathML element for HTML; the arrangement is that of ``to_text``.
    """
    return math_element(node_mathml(arrange(value)), display=display)


def relation_mathml(lhs: Any, op: str, rhs: Any, *, display: bool = True) -> str:
    """A comparison as one ``<math>`` element.

    >>> from symcost.symbols import dims
    >>> relation_mathml(dims("B"), "<", dims("D"), display=False)
    '<math><mrow><mi>B</mi><mo>&lt;</mo><mi>D</mi></mrow></math>'
    """
    inner = node_mathml(Comparison(arrange(lhs), op, arrange(rhs)))
    return math_element(inner, display=display)


def math_element(inner: str, *, display: bool = True) -> str:
    """Wrap MathML content in its root element."""
    opening = '<math display="block">' if display else "<math>"
    return f"{opening}{inner}</math>"


def operator_mathml(op: str) -> str:
    """An operator such as ``>=``."""
    return f"<mo>{escape(_OPERATORS.get(op, op))}</mo>"


def node_mathml(node: Node) -> str:
    """An arranged expression as MathML content: one element."""
    match node:
        case Name(name):
            return name_mathml(name)
        case Whole(value):
            short = scientific(value)
            return _row(scientific_mathml(*short)) if short else f"<mn>{value}</mn>"
        case Constant(name):
            return f"<mi>{escape(_CONSTANTS.get(name, name))}</mi>"
        case Sum(terms):
            return _sum(terms)
        case Product(factors):
            return _product(factors)
        case Quotient(top, bottom):
            return f"<mfrac>{node_mathml(top)}{node_mathml(bottom)}</mfrac>"
        case Power(base, exponent):
            return f"<msup>{_base(base)}{_exponent(exponent)}</msup>"
        case Call(name, args):
            return _call(name, args)
        case Comparison(lhs, op, rhs):
            return _row(node_mathml(lhs) + operator_mathml(op) + node_mathml(rhs))


def _row(inner: str) -> str:
    return f"<mrow>{inner}</mrow>"


def _fenced(inner: str, tall: bool, left: str = "(", right: str = ")") -> str:
    """Brackets that grow only around something tall: growing ones are set with wide spaces."""
    mo = "<mo>" if tall else '<mo stretchy="false">'
    return _row(f"{mo}{left}</mo>{inner}{mo}{right}</mo>")


def _sum(terms: tuple[tuple[int, Node], ...]) -> str:
    (sign, first), *rest = terms
    shown = (operator_mathml("-") if sign < 0 else "") + _inside(first)
    for each, term in rest:
        shown += operator_mathml("-" if each < 0 else "+") + _inside(term)
    return _row(shown)


def _inside(node: Node) -> str:
    """The node as a term or a factor."""
    inner = node_mathml(node)
    return _fenced(inner, is_tall(node)) if isinstance(node, Sum | Comparison) else inner


def _product(factors: tuple[Node, ...]) -> str:
    shown = _inside(factors[0])
    for left, right in pairwise(factors):
        shown += _between(left, right) + _inside(right)
    return _row(shown)


def _between(left: Node, right: Node) -> str:
    if starts_with_digit(right) or (isinstance(left, Whole) and isinstance(right, Quotient)):
        return "<mo>⋅</mo>"
    loose = is_word(left) or is_word(right) or isinstance(left, Call)
    return _TIMES + ('<mspace width="0.17em"/>' if loose else "")


def _base(node: Node) -> str:
    if isinstance(node, Name) or (isinstance(node, Whole) and not scientific(node.value)):
        return node_mathml(node)
    return _fenced(node_mathml(node), is_tall(node))


def _exponent(node: Node) -> str:
    if isinstance(node, Quotient):
        return _row(_base(node.top) + _SLASH + _base(node.bottom))
    return node_mathml(node)


def _call(name: str, args: tuple[Node, ...]) -> str:
    inner = "<mo>,</mo>".join(node_mathml(arg) for arg in args)
    tall = any(is_tall(arg) for arg in args)
    if name == "sqrt":
        return f"<msqrt>{inner}</msqrt>"
    if name in _FENCES:
        return _fenced(inner, tall, *_FENCES[name])
    if name == "PositiveRoot" and isinstance(args[0], Call):
        unknown, body = args[0].args
        return _root(node_mathml(unknown) + "<mo>&gt;</mo><mn>0</mn>", body)
    if name == "ComplexRootOf":
        return _root(f"<mn>{root_number(args[1])}</mn>", args[0])
    function = f"<mi>{escape(_FUNCTIONS.get(name, name))}</mi>"
    return _row(function + _APPLY + _fenced(inner, tall))


def _root(which: str, body: Node) -> str:
    function = f"<msub><mi>root</mi>{_row(which)}</msub>"
    equation = f"{node_mathml(body)}<mo>=</mo><mn>0</mn>"
    return _row(function + _APPLY + _fenced(equation, is_tall(body)))
