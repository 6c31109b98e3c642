r"""Expressions as LaTeX math that plain ``amsmath`` sets."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from symcost.printing.layout import arrange
from symcost.printing.names import latex_escape, name_latex, parts
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
from symcost.printing.numbers import leading_digits, scientific, scientific_latex

OPERATORS = {
    ">=": r"\geq", "<=": r"\leq", "!=": r"\neq", "==": "=", "≈": r"\approx", "→": r"\to",
    "->": r"\to", "<<": r"\ll", ">>": r"\gg", "≪": r"\ll", "≫": r"\gg", "≥": r"\geq",
    "≤": r"\leq", "≠": r"\neq",
}  # fmt: skip
_CONSTANTS = {"oo": r"\infty", "pi": r"\pi", "E": "e", "nan": r"\text{undefined}"}
_FUNCTIONS = {
    "Maximum": r"\max", "Minimum": r"\min", "Max": r"\max", "Min": r"\min", "log": r"\log",
    "exp": r"\exp",
}  # fmt: skip
_LINE = 40  # digits of an integer that is shown whole
_FENCES = {"ceiling": (r"\lceil", r"\rceil"), "floor": (r"\lfloor", r"\rfloor")}


def to_latex(value: Any) -> str:
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


def relation_latex(lhs: Any, op: str, rhs: Any) -> str:
    r"""A comparison as LaTeX.

    >>> from symcost.symbols import dims
    >>> print(relation_latex(dims("B"), ">=", dims("d_model")))
    B \geq d_{\text{model}}
    """
    return node_latex(Comparison(arrange(lhs), op, arrange(rhs)))


def node_latex(node: Node) -> str:
    """An arranged expression as LaTeX."""
    match node:
        case Name(name):
            return name_latex(name)
        case Whole(value):
            return _whole(value)
        case Constant(name):
            return _CONSTANTS.get(name, rf"\mathrm{{{latex_escape(name)}}}")
        case Sum(terms):
            return _sum(terms)
        case Product(factors):
            return product_latex(factors)
        case Quotient(top, bottom):
            return rf"\frac{{{node_latex(top)}}}{{{node_latex(bottom)}}}"
        case Power(base, exponent):
            return f"{_base(base)}^{{{_exponent(exponent)}}}"
        case Call(name, args):
            return _call(name, args)
        case Comparison(lhs, op, rhs):
            return f"{node_latex(lhs)} {OPERATORS.get(op, op)} {node_latex(rhs)}"


def product_latex(factors: tuple[Node, ...]) -> str:
    """Factors side by side, with a dot or a thin space where that would be misread."""
    shown = term_latex(factors[0])
    for left, right in pairwise(factors):
        shown += _between(left, right) + term_latex(right)
    return shown


def bracketed(node: Node) -> str:
    """The node in round brackets, which grow only around something tall."""
    return _fenced("(", ")", node_latex(node), is_tall(node))


def is_tall(node: Node) -> bool:
    """Whether the node is higher than a line: it holds a fraction or a root."""
    match node:
        case Quotient():
            return True
        case Sum(terms):
            return any(is_tall(term) for _, term in terms)
        case Product(factors):
            return any(is_tall(factor) for factor in factors)
        case Power(base, _):
            return is_tall(base)
        case Call(name, args):
            return name == "sqrt" or any(is_tall(arg) for arg in args)
    return False


def _whole(value: int) -> str:
    """An integer; of one that fills a line, only the first digits."""
    short = scientific(value)
    if short:
        return scientific_latex(*short)
    if value < 10**_LINE:
        return str(value)
    lead, power = leading_digits(value, 10)
    return rf"{lead}\ldots\times10^{{{power}}}"


def _sum(terms: tuple[tuple[int, Node], ...]) -> str:
    (sign, first), *rest = terms
    shown = ("-" if sign < 0 else "") + term_latex(first)
    return shown + "".join(f" {'-' if s < 0 else '+'} {term_latex(t)}" for s, t in rest)


def term_latex(node: Node) -> str:
    """The node as a term of a sum or a factor of a product."""
    return bracketed(node) if isinstance(node, Sum | Comparison) else node_latex(node)


def _between(left: Node, right: Node) -> str:
    if starts_with_digit(right) or (isinstance(left, Whole) and isinstance(right, Quotient)):
        return r" \cdot "
    if is_word(left) or is_word(right) or isinstance(left, Call):
        return r"\, "
    return " "


def starts_with_digit(node: Node) -> bool:
    """Whether a number comes first, which another number before it would run into."""
    return isinstance(node, Whole) or (isinstance(node, Power) and starts_with_digit(node.base))


def is_word(node: Node) -> bool:
    """Whether the node needs a space beside it: a word, a power of ten, a function."""
    match node:
        case Name(name):
            return not parts(name).is_letter
        case Power(base, _):
            return is_word(base)
        case Whole(value):
            return scientific(value) is not None
        case Call(name, _):
            return name not in _FENCES
    return False


def _base(node: Node) -> str:
    if isinstance(node, Name) or (isinstance(node, Whole) and not scientific(node.value)):
        return node_latex(node)
    return bracketed(node)


def _exponent(node: Node) -> str:
    if isinstance(node, Quotient):
        return f"{_base(node.top)}/{_base(node.bottom)}"
    return node_latex(node)


def root_number(index: Node) -> str:
    """Which root of a polynomial, counted from 1 (sympy counts from 0)."""
    return str(index.value + 1) if isinstance(index, Whole) else node_latex(index)


def _call(name: str, args: tuple[Node, ...]) -> str:
    inner = ", ".join(node_latex(arg) for arg in args)
    tall = any(is_tall(arg) for arg in args)
    if name == "sqrt":
        return rf"\sqrt{{{inner}}}"
    if name in _FENCES:
        left, right = _FENCES[name]
        return rf"\left{left} {inner} \right{right}"
    if name == "PositiveRoot" and isinstance(args[0], Call):
        unknown, body = args[0].args
        return _root(rf"{node_latex(unknown)} > 0", body)
    if name == "ComplexRootOf":
        return _root(root_number(args[1]), args[0])
    return function_latex(name) + _fenced("(", ")", inner, tall)


def function_latex(name: str) -> str:
    """A function's name, set upright."""
    return _FUNCTIONS.get(name) or rf"\operatorname{{{latex_escape(name)}}}"


def _root(which: str, body: Node) -> str:
    equation = f"{node_latex(body)} = 0"
    return rf"\operatorname{{root}}_{{{which}}}" + _fenced("(", ")", equation, is_tall(body))


def _fenced(left: str, right: str, inner: str, tall: bool) -> str:
    return rf"\left{left}{inner}\right{right}" if tall else f"{left}{inner}{right}"
