"""Where two expressions differ: their values at a point, and a point that tells them apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import chain

from sympy import Expr, Rational, Symbol, false, true

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import to_rational
from symcost.algebra.relation import Relation
from symcost.analysis.assume import Assumed
from symcost.checker.claims import Branch
from symcost.checker.report import Counterexample
from symcost.checker.samples import border_points, small_points, wide_points
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


def set_counterexample(
    claimed: Collection[Branch[Relation]],
    expected: Relation,
    unknown: Symbol,
    fixed: Values,
    derived: Iterable[Relation] = (),
) -> Counterexample | None:
    """A point of integers that one of two sets holds and the other does not.

    The other symbols are tried large first, since rules are mostly meant for large sizes; then
    both sides of every border: of what is claimed, of what is expected and ``derived`` from it.
    """
    listed = [relation for branch in claimed for relation in branch.relations]
    borders = [each.lhs - each.rhs for each in (*listed, expected, *derived)]
    free = {unknown, *expected.free_symbols}.union(*(each.free_symbols for each in listed))
    symbols = sorted(free - set(fixed), key=lambda s: s.name)
    for point in chain(_scaled(symbols, unknown), border_points(borders, symbols, unknown, fixed)):
        whole = {**fixed, **point}
        a, b = contains(claimed, whole), holds(expected, whole)
        if a is not None and b is not None and a != b:
            shown = {s.name: to_rational(n) for s, n in point.items()}
            return Counterexample(shown, true if a else false, true if b else false)
    return None


def _scaled(symbols: list[Symbol], unknown: Symbol) -> Iterator[dict[Symbol, Fraction]]:
    for size in (1000, 10, 1):
        for row in small_points(symbols):
            scaled = {s: n if s == unknown else n * size for s, n in row.items()}
            for factor in (1, size, size * size):
                yield {s: n * factor if s == unknown else n for s, n in scaled.items()}


def contains(branches: Collection[Branch[Relation]], point: Values) -> bool | None:
    """Whether a set holds a point; ``None`` when one of its relations has no value there."""
    applied = False
    for branch in sorted(branches, key=lambda each: each.otherwise):
        stated = _all_hold(branch.conditions, point)
        alternatives = [_all_hold(together, point) for together in branch.alternatives]
        if stated is None or (stated and None in alternatives):
            return None
        if stated and not (branch.otherwise and applied):
            applied = True
            if True in alternatives:
                return True
    return False


def _all_hold(relations: Iterable[Relation], point: Values) -> bool | None:
    found = [holds(each, point) for each in relations]
    return None if None in found else all(found)


def holds(relation: Relation, point: Values) -> bool | None:
    """Whether an inequality holds at a point; ``None`` when it has no value there."""
    try:
        left, right = (evaluate(side, point) for side in (relation.lhs, relation.rhs))
        same = abs(left - right) <= SAME * max(abs(left), abs(right))
        return (0 if same else 1 if left > right else -1) in relation.signs
    except (SymcostError, ZeroDivisionError):
        return None


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
