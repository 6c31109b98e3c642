"""Where two expressions differ: their values at a point, and a point that tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import chain

from sympy import Expr, Rational, Symbol, false, true

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import to_rational
from symcost.algebra.relation import Relation
from symcost.analysis.assume import Assumed
from symcost.checker.report import Counterexample
from symcost.checker.samples import small_points, wide_points
from symcost.checker.values import Values, evaluate, sum_at
from symcost.errors import SymcostError

SAME = Fraction(1, 10**30)  # relative difference of irrational values that counts as none


def counterexample(
    left: Expr, right: Expr, fixed: Values | None = None, given: Assumed | None = None
) -> Counterexample | None:
    """The first of some small integer points at which claim (left) and expectation differ.

    Points that break what is assumed are passed over.
    """
    known = dict(fixed or {})
    equal_ = () if given is None else given.equal
    swap = {each.symbol: each.expr for each in equal_}
    sides = [side.xreplace(swap) for side in (left, right)]
    free = sides[0].free_symbols | sides[1].free_symbols
    symbols = sorted(free - set(known), key=lambda s: s.name)
    small = ({**known, **point} for point in small_points(symbols))
    points = chain(small, wide_points(sides[0], sides[1], known))
    whole = ({**point, **_following(swap, point)} for point in points)
    kept = (point for point in whole if given is None or _keeps(point, given))
    for point, a, b in differences(sides[0], sides[1], kept):
        occurring = left.free_symbols | right.free_symbols
        shown = {s.name: to_rational(v) for s, v in point.items() if s in occurring}
        return Counterexample(shown, _shown(a), _shown(b))
    return None


def _following(swap: Mapping[Symbol, Expr], point: Values) -> dict[Symbol, Fraction]:
    """The values of symbols that an assumption sets equal to something."""
    found = {}
    for symbol, value in swap.items():
        if value.free_symbols <= set(point):
            found[symbol] = evaluate(value, point)
    return found


def _keeps(point: Values, given: Assumed) -> bool:
    """Whether the bounds hold at a point, and what is to grow is more than 1 there."""
    facts = given.facts
    above = all(point[a] >= low for a, low in facts.lower.items() if a in point)
    below = all(point[a] <= high for a, high in facts.upper.items() if a in point)
    known = [f for f in facts.known if f.value.symbols <= set(point)]
    signs = all(fact.holds(sum_at(fact.value, point)) for fact in known)
    grown = [Posynomial({ratio: 1}) for ratio, _ in given.growth.strict]
    large = [sum_at(p, point) > 1 for p in grown if p.symbols <= set(point)]
    return above and below and signs and all(large)


def relation_counterexample(
    claimed: Relation, expected: Relation, fixed: Values, conditions: tuple[Relation, ...] = ()
) -> Counterexample | None:
    """A point of integers at which one of two inequalities holds and the other does not.

    The claimed one is made under conditions: where they fail it says that nothing holds.

    The other symbols are tried large first, since rules are mostly meant for large sizes.
    """
    unknown = claimed.lhs
    names = (claimed.free_symbols | expected.free_symbols) - set(fixed)
    symbols = sorted(names, key=lambda s: s.name)
    for size in (1000, 10, 1):
        for row in small_points(symbols):
            scaled = {s: n if s == unknown else n * size for s, n in row.items()}
            for factor in (1, size, size * size):
                point = {s: n * factor if s == unknown else n for s, n in scaled.items()}
                whole = {**fixed, **point}
                parts = [holds(each, whole) for each in (claimed, *conditions)]
                a = None if None in parts else all(parts)
                b = holds(expected, whole)
                if a is not None and b is not None and a != b:
                    shown = {s.name: to_rational(n) for s, n in point.items()}
                    return Counterexample(shown, true if a else false, true if b else false)
    return None


def holds(relation: Relation, point: Values) -> bool | None:
    """Whether an inequality holds at a point; ``None`` when it has no value there."""
    try:
        gap = evaluate(relation.lhs, point) - evaluate(relation.rhs, point)
    except (SymcostError, ZeroDivisionError):
        return None
    return (gap > 0 if ">" in relation.op else gap < 0) or ("=" in relation.op and gap == 0)


def differences(
    left: Expr, right: Expr, points: Iterable[Values]
) -> Iterator[tuple[Values, Fraction, Fraction]]:
    """The points at which both are defined and differ, with both values."""
    for point in points:
        with suppress(SymcostError, ZeroDivisionError):
            a, b = evaluate(left, point), evaluate(right, point)
            if abs(a - b) > SAME * max(abs(a), abs(b)):
                yield point, a, b


def _shown(value: Fraction) -> Expr:
    """An exact value; a long one, which may stand for an irrational, as a decimal."""
    if value.denominator > 10**20 or abs(value) > 10**40:
        return Rational(value.numerator, value.denominator).evalf(8)
    return to_rational(value)
