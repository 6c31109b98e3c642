"""Where two expressions differ: their values at a point, and a point that tells them apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain

from sympy import Expr, Rational, Symbol, ceiling, false, floor, true

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio
from symcost.algebra.budget import spend
from symcost.algebra.posynomial import from_number, to_rational
from symcost.algebra.relation import Relation
from symcost.analysis.assume import Assumed
from symcost.checker.equality import equal, ratio_of
from symcost.checker.report import Counterexample
from symcost.checker.samples import small_points, wide_points
from symcost.errors import SymcostError, UndecidedError

__all__ = ["counterexample", "differences", "equal", "evaluate", "holds", "ratio_of"]

DIGITS = 50  # of values that are irrational
MAX_POWER = 4096
MAX_ROOT = 64  # exponents up to which a power that is not whole is looked at exactly
SAME = Fraction(1, 10**30)  # relative difference of irrational values that counts as none

Values = Mapping[Symbol, Fraction]


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
    return next(differences(left, right, kept), None)


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


def differences(left: Expr, right: Expr, points: Iterator[Values]) -> Iterator[Counterexample]:
    """The points at which both are defined and differ, as values of the symbols that occur."""
    occurring = left.free_symbols | right.free_symbols
    for point in points:
        try:
            a, b = evaluate(left, point), evaluate(right, point)
        except (SymcostError, ZeroDivisionError):
            continue
        if abs(a - b) > SAME * max(abs(a), abs(b)):
            values = {s.name: to_rational(v) for s, v in point.items() if s in occurring}
            yield Counterexample(values, _shown(a), _shown(b))


def _shown(value: Fraction) -> Expr:
    """An exact value; a long one, which may stand for an irrational, as a decimal."""
    if value.denominator > 10**20 or abs(value) > 10**40:
        return Rational(value.numerator, value.denominator).evalf(8)
    return to_rational(value)


def evaluate(value: Expr, point: Values) -> Fraction:
    """The exact value at a point; roots and logarithms to fifty digits.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> evaluate(B / (B + D), {B: Fraction(1), D: Fraction(2)})
    Fraction(1, 3)

    Raises:
        UndecidedError: a symbol has no value, or the value is too large or not real.
        ZeroDivisionError: the expression is not defined there.
    """
    spend()
    if value.is_Symbol:
        if value not in point:
            raise UndecidedError(f"{value} has no value")
        return point[value]
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    if value.is_Number:
        return Fraction(from_number(value))
    if value.is_Add:
        return sum((evaluate(arg, point) for arg in value.args), Fraction(0))
    if value.is_Mul:
        result = Fraction(1)
        for arg in value.args:
            result *= evaluate(arg, point)
        return result
    if value.is_Pow:
        return _power(evaluate(value.base, point), evaluate(value.exp, point))
    return _function(value, point)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if abs(exponent) * max(abs(base.numerator).bit_length(), base.denominator.bit_length()) > (
        MAX_POWER * 8
    ):
        raise UndecidedError("the power is too large to evaluate")
    if exponent.denominator == 1:
        return base ** int(exponent)
    if base < 0:
        raise UndecidedError("a root of a negative number")
    root, power = to_rational(base), to_rational(exponent)
    if exponent.denominator > MAX_ROOT or abs(exponent) > MAX_ROOT:  # it would be factored first
        root = root.evalf(2 * DIGITS)
    return _decimal(root**power)


def _function(value: Expr, point: Values) -> Fraction:
    args = [evaluate(arg, point) for arg in value.args]
    if isinstance(value, Maximum):
        return max(args)
    if isinstance(value, Minimum):
        return min(args)
    if isinstance(value, ceiling):
        return Fraction(-((-args[0]) // 1))
    if isinstance(value, floor):
        return Fraction(args[0] // 1)
    return _decimal(value.func(*(to_rational(arg) for arg in args)))


def _decimal(value: Expr) -> Fraction:
    """A real number as a fraction, exact if it is rational."""
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    number = value.evalf(DIGITS)
    if not number.is_Float:
        raise UndecidedError(f"{value} is no finite real number")
    return Fraction(int(Rational(number).p), int(Rational(number).q))


def value_at(ratio: Ratio, point: Values) -> Fraction:
    """The exact value of a ratio at a point, term by term, without sympy objects for symbols.

    >>> from symcost.algebra import as_ratio
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> value_at(as_ratio(B / (B + D)), {B: Fraction(1), D: Fraction(2)})
    Fraction(1, 3)

    Raises:
        UndecidedError: a root or another function has no value there.
    """
    return sum_at(ratio.num, point) / sum_at(ratio.den, point)


def sum_at(part: Posynomial, point: Values) -> Fraction:
    """The exact value of a posynomial at a point."""
    total = Fraction(0)
    for monomial, coefficient in part.terms.items():
        term = Fraction(coefficient)
        for atom, power in monomial:
            term *= _power(evaluate(atom, point), Fraction(power))
        total += term
    return total
