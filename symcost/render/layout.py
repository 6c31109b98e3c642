"""How an expression is arranged for reading, before any printer writes it.

``arrange`` turns a sympy expression into a small tree of these nodes. The three printers (text,
LaTeX, MathML) walk the same tree, so they always show the same form: positive terms first,
highest degree first, then by name; a sum of both signs has the common factor of its negative
terms taken out, ``67*D*F - 19780*(D + F)``; a product has one fraction bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import Any, TypeAlias

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, sympify
from sympy.core.relational import Relational

from symcost.algebra.relation import Relation


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol, or a word that stands for an expression."""

    name: str


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer, not negative."""

    value: int


@dataclass(frozen=True, slots=True)
class Constant:
    """``oo``, ``pi`` and the like, by sympy's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms, each with its sign; a single negative term is a negation."""

    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Two or more factors."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Quotient:
    """A fraction."""

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Power:
    """``base ** exponent``."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments; the name is sympy's (``Max``, ``ceiling``, ``sqrt``)."""

    name: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``lhs op rhs``."""

    lhs: Node
    op: str
    rhs: Node


Node: TypeAlias = Name | Whole | Constant | Sum | Product | Quotient | Power | Call | Comparison


def arrange(value: Any) -> Node:
    """The display form of an expression.

    >>> from symcost.symbols import dims
    >>> D, F = dims("D F")
    >>> arrange(D / F)
    Quotient(top=Name(name='D'), bottom=Name(name='F'))

    Args:
        value: a sympy expression or relation, a posynomial, a ratio, an int or a Fraction.

    Returns:
        A tree of nodes; the same for equal expressions.
    """
    if isinstance(value, Relation):
        return Comparison(arrange(value.lhs), value.op, arrange(value.rhs))
    if isinstance(value, Fraction):
        value = Rational(value.numerator, value.denominator)
    expr = sympify(value, strict=True)
    if isinstance(expr, Relational):
        return Comparison(arrange(expr.lhs), expr.rel_op, arrange(expr.rhs))
    return _arranged(expr)


def _arranged(expr: Expr) -> Node:
    if expr.is_Symbol:
        return Name(expr.name)
    if expr.is_Add:
        return _sum(expr)
    if expr.is_Mul or expr.is_Pow or expr.is_Rational:
        split = _split(expr)
        node = _fraction(split)
        return node if split.sign > 0 else Sum(((-1, node),))
    if not expr.args or expr.is_Number:
        return Constant(str(expr))
    return Call(type(expr).__name__, tuple(_argument(arg) for arg in expr.args))


def _argument(arg: Any) -> Node:
    if type(arg).__name__ in ("Lambda", "PurePoly", "Poly"):  # inside PositiveRoot and CRootOf
        body = arg.expr if hasattr(arg, "expr") else arg.as_expr()
        if type(arg).__name__ != "Lambda":
            body = arg.as_expr()
            return Call("Lambda", (_arranged(arg.gens[0]), _arranged(body)))
        return Call("Lambda", (_arranged(arg.variables[0]), _arranged(body)))
    return _arranged(arg)


# -- products ---------------------------------------------------------------------------

Factor: TypeAlias = tuple[Expr, Expr]  # base and positive exponent


@dataclass(slots=True)
class _Split:
    """A product taken apart: sign, and the factors above and below the bar."""

    sign: int = 1
    top: list[Factor] = field(default_factory=list)
    bottom: list[Factor] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)  # integer factors above the bar
    parts: list[int] = field(default_factory=list)  # and below


def _split(expr: Expr) -> _Split:
    split = _Split()
    for factor in _factors(expr):
        _file(factor, split)
    split.top.sort(key=_factor_key)
    split.bottom.sort(key=_factor_key)
    return split


def _factors(expr: Expr) -> Iterator[Expr]:
    if not expr.is_Mul:
        yield expr
        return
    for arg in expr.args:  # an unevaluated product may hold products
        yield from _factors(arg)


def _file(factor: Expr, split: _Split) -> None:
    if factor.is_Rational:
        p, q = int(factor.p), int(factor.q)
        split.sign *= -1 if p < 0 else 1
        if abs(p) != 1:
            split.whole.append(abs(p))
        if q != 1:
            split.parts.append(q)
        return
    base, exponent = (factor.base, factor.exp) if factor.is_Pow else (factor, Integer(1))
    if not exponent.could_extract_minus_sign():
        split.top.append((base, exponent))
    elif base.is_Integer and exponent == -1 and base > 0:
        split.parts.append(int(base))
    else:
        split.bottom.append((base, -exponent))


def _factor_key(factor: Factor) -> tuple[int, str]:
    base = factor[0]
    if base.is_Symbol:
        return 1, base.name
    if not base.free_symbols:
        return 0, str(base)
    return (3 if base.is_Add else 2), str(base)


def _fraction(split: _Split) -> Node:
    """The product, without its sign, over one fraction bar."""
    top = [*(Whole(n) for n in split.whole), *(_power(*f) for f in split.top)]
    bottom = [*(Whole(n) for n in split.parts), *(_power(*f) for f in split.bottom)]
    above = _product(top)
    return Quotient(above, _product(bottom)) if bottom else above


def _product(factors: list[Node]) -> Node:
    if not factors:
        return Whole(1)
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def _power(base: Expr, exponent: Expr) -> Node:
    node = _arranged(base)
    if exponent == 1:
        return node
    if exponent == Rational(1, 2):
        return Call("sqrt", (node,))
    return Power(node, _arranged(exponent))


# -- sums -------------------------------------------------------------------------------


def _sum(expr: Add) -> Node:
    terms = sorted((_split(term) for term in _terms(expr)), key=_term_key)
    groups = [(sign, [t for t in terms if t.sign == sign]) for sign in (1, -1)]
    if not all(group for _, group in groups):
        return Sum(tuple((term.sign, _fraction(term)) for term in terms))
    return Sum(tuple((sign, node) for sign, group in groups for node in _grouped(group)))


def _terms(expr: Expr) -> Iterator[Expr]:
    for arg in expr.args:
        yield from _terms(arg) if arg.is_Add else (arg,)


def _term_key(term: _Split) -> tuple[Any, ...]:
    """Highest degree first, then by the names above the bar, then by those below."""
    above = [(_factor_key(f), _number(f[1])) for f in term.top]
    below = [(_factor_key(f), _number(f[1])) for f in term.bottom]
    degree = sum(p for _, p in above) - sum(p for _, p in below)
    end = ((9, ""), 0)  # after every factor, so that B*D comes before B
    return -degree, [*((k, -p) for k, p in above), end], below, term.whole, term.parts


def _number(exponent: Expr) -> Fraction:
    return Fraction(int(exponent.p), int(exponent.q)) if exponent.is_Rational else Fraction(1)


def _grouped(terms: list[_Split]) -> list[Node]:
    """Terms of one sign; what all of them share is taken out."""
    common = _common(terms) if len(terms) > 1 else _Split()
    if not (common.whole or common.top):
        return [_fraction(term) for term in terms]
    rest = [_without(term, common) for term in terms]
    inner = Sum(tuple((1, _fraction(term)) for term in rest))
    factors = [*(Whole(n) for n in common.whole), *(_power(*f) for f in common.top), inner]
    return [Product(tuple(factors))]


def _common(terms: list[_Split]) -> _Split:
    number = reduce(gcd, (_product_of(term.whole) for term in terms))
    powers = [dict(term.top) for term in terms]
    shared = [b for b in powers[0] if b.is_Symbol and all(b in p for p in powers)]
    top = [(b, min((p[b] for p in powers), key=_number)) for b in shared]
    return _Split(top=top, whole=[number] if number != 1 else [])


def _without(term: _Split, common: _Split) -> _Split:
    number = _product_of(term.whole) // _product_of(common.whole)
    taken: dict[Expr, Expr] = dict(common.top)
    left = [(base, exponent - taken.get(base, Integer(0))) for base, exponent in term.top]
    return _Split(
        top=[(base, exponent) for base, exponent in left if exponent != 0],
        bottom=term.bottom,
        whole=[number] if number != 1 else [],
        parts=term.parts,
    )


def _product_of(numbers: list[int]) -> int:
    return reduce(lambda a, b: a * b, numbers, 1)


def map_children(node: Node, change: Callable[[Node], Node]) -> Node:
    """The same node with each child changed."""
    match node:
        case Sum(terms):
            return Sum(tuple((sign, change(term)) for sign, term in terms))
        case Product(factors):
            return Product(tuple(change(factor) for factor in factors))
        case Quotient(top, bottom):
            return Quotient(change(top), change(bottom))
        case Power(base, exponent):
            return Power(change(base), change(exponent))
        case Call(name, args):
            return Call(name, tuple(change(arg) for arg in args))
        case Comparison(lhs, op, rhs):
            return Comparison(change(lhs), op, change(rhs))
    return node


__all__ = [
    "Call",
    "Comparison",
    "Constant",
    "Name",
    "Node",
    "Power",
    "Product",
    "Quotient",
    "Sum",
    "Symbol",
    "Whole",
    "arrange",
    "map_children",
]
