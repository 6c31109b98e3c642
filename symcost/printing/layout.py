"""How an expression is arranged for reading, before any printer writes it.

``arrange`` turns a sympy expression into a small tree of nodes. The three printers (text,
LaTeX, MathML) walk the same tree, so they always show the same form: positive terms first,
highest degree first, then by name; a sum of both signs has the common factor of its negative
terms taken out, ``67*D*F - 19780*(D + F)``; a product has one fraction bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from math import gcd
from typing import TypeAlias

from sympy import Add, Expr, Integer, Lambda, Rational, sympify
from sympy.core.relational import Relational

from symcost.algebra.monomials import name_of, written_order
from symcost.algebra.posynomial import Posynomial
from symcost.algebra.ratio import Ratio
from symcost.algebra.relation import Relation
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

Shownable: TypeAlias = "Node | Expr | Relational | Relation | Posynomial | Ratio | int | Fraction"


def arrange(value: Shownable) -> Node:
    """The display form of an expression.

    >>> from symcost.symbols import dims
    >>> D, F = dims("D F")
    >>> arrange(D / F)
    Quotient(top=Name(name='D'), bottom=Name(name='F'))

    Args:
        value: a sympy expression or relation, a posynomial, a ratio, an int or a Fraction;
            what is arranged already stays.

    Returns:
        A tree of nodes; the same for equal expressions.
    """
    if isinstance(value, Node):
        return value
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


def _argument(arg: Expr) -> Node:
    if isinstance(arg, Lambda):  # inside PositiveRoot
        return Call("Lambda", (_arranged(arg.variables[0]), _arranged(arg.expr)))
    return _arranged(arg)


HALF = Rational(1, 2)

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
    if exponent.is_odd and _is_negative_sum(base):
        split.sign, base = -split.sign, Add(*(-term for term in base.args))
    if not exponent.could_extract_minus_sign():
        split.top.append((base, exponent))
    elif base.is_Integer and exponent == -1 and base > 0:
        split.parts.append(int(base))
    else:
        split.bottom.append((base, -exponent))


def _is_negative_sum(base: Expr) -> bool:
    return bool(base.is_Add and all(t.could_extract_minus_sign() for t in base.args))


def _factor_key(factor: Factor) -> tuple[int, tuple[object, ...]]:
    base = factor[0]
    if base.is_Symbol:
        return 1, _natural(base.name)
    if not base.free_symbols:
        return 0, (name_of(base),)
    return (3 if base.is_Add else 2), written_order(base)


@lru_cache(maxsize=4096)
def _natural(name: str) -> tuple[tuple[str, int], ...]:
    """A key that sorts W2 before W10."""
    words = [*re.split(r"([0-9]+)", name), "0"]
    return tuple(zip(words[::2], map(int, words[1::2]), strict=True))


def _fraction(split: _Split) -> Node:
    """The product, without its sign, over one fraction bar; several square roots are one."""
    roots = [[(b, p) for b, p in part if p == HALF] for part in (split.top, split.bottom)]
    if not _are_joined(*roots):
        roots = [[], []]
    top, bottom = (
        [_power(*factor) for factor in part if factor not in gone]
        for part, gone in zip((split.top, split.bottom), roots, strict=True)
    )
    above, below = ([_arranged(base) for base, _ in part] for part in roots)
    parts = split.parts
    if above and isinstance(above[0], Whole) and _product_of(parts) % above[0].value == 0:
        parts = _unless_one(_product_of(parts) // above[0].value)  # sqrt(2)/2 is 1/sqrt(2)
        below.insert(0, above.pop(0))
    if above:
        top.append(Call("sqrt", (_over(above, below),)))
    elif below:
        bottom.append(Call("sqrt", (_product(below),)))
    return _over([*map(Whole, split.whole), *top], [*map(Whole, parts), *bottom])


def _are_joined(above: list[Factor], below: list[Factor]) -> bool:
    """Whether square roots are written as one: at most one is of what may be negative."""
    bases = [base for base, _ in above + below]
    if len(bases) < 2 or not any(base.free_symbols for base in bases):
        return False
    whole = all(base.is_Integer for base in bases if not base.free_symbols)
    return whole and sum(not base.is_positive for base in bases) <= 1


def _over(top: list[Node], bottom: list[Node]) -> Node:
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
    positive = [(1, _fraction(term)) for term in terms if term.sign > 0]
    negative = [term for term in terms if term.sign < 0]
    if positive and len(expr.free_symbols) > 1:  # a polynomial in one symbol stays as it is
        return Sum((*positive, *((-1, node) for node in _grouped(negative))))
    return Sum((*positive, *((-1, _fraction(term)) for term in negative)))


def _terms(expr: Expr) -> Iterator[Expr]:
    for arg in expr.args:
        yield from _terms(arg) if arg.is_Add else (arg,)


def _term_key(term: _Split) -> tuple[object, ...]:
    """Highest degree first, then by the names above the bar, then by those below."""
    above = [(_factor_key(f), _number(f[1])) for f in term.top]
    below = [(_factor_key(f), _number(f[1])) for f in term.bottom]
    degree = sum(p for _, p in above) - sum(p for _, p in below)
    end = ((9, ()), 0)  # after every factor, so that B*D comes before B
    return -degree, [*((k, -p) for k, p in above), end], below, term.whole, term.parts


def _number(exponent: Expr) -> Fraction:
    return Fraction(int(exponent.p), int(exponent.q)) if exponent.is_Rational else Fraction(1)


def _grouped(terms: list[_Split]) -> list[Node]:
    """Terms of one sign; what all of them share is taken out."""
    common = _common(terms) if len(terms) > 1 else _Split()
    if not (common.whole or common.top or common.parts):
        return [_fraction(term) for term in terms]
    inner = Sum(tuple((1, _fraction(_without(term, common))) for term in terms))
    outer = [*(Whole(n) for n in common.whole), *(_power(*f) for f in common.top), inner]
    above = _product(outer)
    return [Quotient(above, Whole(common.parts[0])) if common.parts else above]


def _common(terms: list[_Split]) -> _Split:
    number = reduce(gcd, (_product_of(term.whole) for term in terms))
    part = _product_of(terms[0].parts)
    if any(_product_of(term.parts) != part for term in terms):
        part = 1
    powers = [_plain_powers(term) for term in terms]
    shared = [base for base in powers[0] if all(base in p for p in powers)]
    top = [(base, min((p[base] for p in powers), key=_number)) for base in shared]
    return _Split(top=top, whole=_unless_one(number), parts=_unless_one(part))


def _plain_powers(term: _Split) -> dict[Expr, Expr]:
    """Symbols above the bar with a number as power; of others nobody knows which is less."""
    return {base: power for base, power in term.top if base.is_Symbol and power.is_Rational}


def _without(term: _Split, common: _Split) -> _Split:
    taken: dict[Expr, Expr] = dict(common.top)
    left = []
    for base, exponent in term.top:  # a base may occur twice, as in a * a**k
        less = taken.pop(base) if base in taken and exponent.is_Rational else Integer(0)
        left.append((base, exponent - less))
    return _Split(
        top=[(base, exponent) for base, exponent in left if exponent != 0],
        bottom=term.bottom,
        whole=_unless_one(_product_of(term.whole) // _product_of(common.whole)),
        parts=[] if common.parts else term.parts,
    )


def _unless_one(number: int) -> list[int]:
    return [] if number == 1 else [number]


def _product_of(numbers: list[int]) -> int:
    return reduce(lambda a, b: a * b, numbers, 1)
