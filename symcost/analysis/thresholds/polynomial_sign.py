"""Where a polynomial in one positive unknown is positive, with symbolic coefficients.

The number of sign changes of the coefficients bounds the number of positive roots
(Descartes' rule of signs): none means always or never, one means exactly one root.
Coefficients of unknown sign give one case per sign; equal answers are joined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import lcm

from sympy import Dummy, Expr, Integer, Pow, Rational, Symbol, log, sqrt

from symcost.algebra.budget import SAY_MORE
from symcost.algebra.factors import without_signed_factors
from symcost.algebra.posynomial import Posynomial, to_rational
from symcost.algebra.ratio import Ratio, as_ratio, normalized
from symcost.algebra.relation import Condition
from symcost.algebra.roots import PositiveRoot, real_roots
from symcost.algebra.signs import Facts, coefficient_sign, possible_signs
from symcost.analysis.thresholds.intervals import EVERYTHING, NOTHING, Interval, Intervals, union
from symcost.analysis.thresholds.sets import Case, merged
from symcost.errors import UndecidedError

MAX_UNKNOWN_SIGNS = 4

Signs = frozenset[int]


@dataclass(frozen=True, slots=True)
class _Polynomial:
    """Coefficients by falling power of the unknown's ``step``-th root."""

    powers: tuple[int, ...]
    coefficients: tuple[Posynomial, ...]
    step: int

    def discriminant(self) -> Posynomial | None:
        """``b**2 - 4*a*c`` where the polynomial is quadratic in some power, otherwise None."""
        if len(self.powers) != 3 or self.powers[0] != 2 * self.powers[1] or self.powers[2]:
            return None
        a, b, c = self.coefficients
        return b * b - a * c * 4


def positive_where(
    value: Posynomial, unknown: Symbol, facts: Facts, strict: bool
) -> tuple[Case, ...]:
    """Where ``value`` is positive (or zero, unless ``strict``) as a function of the unknown.

    Returns:
        Cases whose conditions exclude each other and leave nothing out.

    Raises:
        UndecidedError: more sign changes than can be resolved with symbols.
    """
    polynomial = _polynomial(value, unknown)
    if all(c.is_constant for c in polynomial.coefficients) and len(polynomial.powers) > 2:
        return (Case(_numeric(polynomial, strict)),)
    return _cases(polynomial, unknown, facts, strict)


def _polynomial(value: Posynomial, unknown: Symbol) -> _Polynomial:
    parts = value.coefficients(unknown)
    lowest = min(parts)
    step = lcm(*(Fraction(power).denominator for power in parts))
    powers = sorted(parts, reverse=True)
    exponents = tuple(int((power - lowest) * step) for power in powers)
    return _Polynomial(exponents, tuple(parts[power] for power in powers), step)


# -- numbers ------------------------------------------------------------------------------


def _numeric(polynomial: _Polynomial, strict: bool) -> Intervals:
    x = Dummy(positive=True)
    pairs = zip(polynomial.powers, polynomial.coefficients, strict=True)
    expr = sum((to_rational(c.as_fraction()) * x**p for p, c in pairs), Integer(0))
    roots = real_roots(expr, x) if polynomial.powers[0] else []
    ends = [(Pow(root, polynomial.step), count) for root, count in roots]
    sign = coefficient_sign(polynomial.coefficients[-1])
    return _between(ends, sign or 0, strict)


def _between(ends: list[tuple[Expr, int]], sign: int, strict: bool) -> Intervals:
    """Walk over the roots from zero upwards, the sign changing at odd multiplicities."""
    intervals: list[Interval] = []
    low: Expr | None = None
    for root, count in ends:
        if sign > 0:
            intervals.append(Interval(low, root, low is not None and not strict, not strict))
        elif not strict and count % 2 == 0:
            intervals.append(Interval(root, root, True, True))
        sign, low = (-sign if count % 2 else sign), root
    if sign > 0 or (sign == 0 and not strict):
        intervals.append(Interval(low, None, low is not None and not strict))
    return union((), tuple(intervals))  # closed ones may meet in a root of even multiplicity


# -- symbols ------------------------------------------------------------------------------


def _cases(
    polynomial: _Polynomial, unknown: Symbol, facts: Facts, strict: bool
) -> tuple[Case, ...]:
    signed = list(polynomial.coefficients)
    discriminant = polynomial.discriminant()
    if discriminant is not None:
        signed.append(discriminant)
    keys, orientation = _distinct(signed, facts)
    open_signs = {key: possible_signs(key, facts) for key in keys}
    if sum(len(signs) > 1 for signs in open_signs.values()) > MAX_UNKNOWN_SIGNS:
        raise UndecidedError(
            f"the signs of {len(keys)} coefficients are unknown",
            repair=SAY_MORE,
        )
    answers = []
    for choice in product(*(sorted(signs) for signs in open_signs.values())):
        if not _consistent(keys, choice):
            continue
        signs = [choice[index] * turn for index, turn in orientation]
        when = (Condition(key, frozenset({s})) for key, s in zip(keys, choice, strict=True))
        answers.append(Case(_answer(polynomial, unknown, signs, strict), tuple(when)))
    rows = sorted(merged(answers), key=_preference)
    if discriminant is not None:
        rows = [_at_double_root(case, polynomial, keys[orientation[-1][0]]) for case in rows]
    return tuple(_told(case, open_signs) for case in rows)


def _distinct(
    signed: list[Posynomial], facts: Facts
) -> tuple[list[Posynomial], list[tuple[int, int]]]:
    """The coefficients up to positive factors and sign, and where each is found among them."""
    keys: list[Posynomial] = []
    orientation = []
    for value in signed:
        key = normalized(value)
        if coefficient_sign(key) is None:
            key = _without_logarithm(normalized(without_signed_factors(key, facts)))
        turn = 1
        if -key in keys:
            key, turn = -key, -1
        if key not in keys:
            keys.append(key)
        orientation.append((keys.index(key), turn))
    return keys, orientation


def _without_logarithm(key: Posynomial) -> Posynomial:
    """A logarithm has the sign of its argument less 1."""
    ((monomial, number), *others) = key.terms.items()
    if others or len(monomial) != 1 or monomial[0][1] != 1 or not isinstance(monomial[0][0], log):
        return key
    return normalized((as_ratio(monomial[0][0].args[0] - 1) * as_ratio(number)).num)


def _consistent(keys: list[Posynomial], choice: tuple[int, ...]) -> bool:
    """Whether no coefficient is at most another one while its chosen sign is larger."""
    return not any(
        sa >= sb and sa >= 0 and sb <= 0 and coefficient_sign(b - a) == 1
        for a, sa in zip(keys, choice, strict=True)
        for b, sb in zip(keys, choice, strict=True)
    )


def _answer(polynomial: _Polynomial, unknown: Symbol, signs: list[int], strict: bool) -> Intervals:
    count = len(polynomial.coefficients)
    kept = [i for i in range(count) if signs[i]]
    if not kept:
        return NOTHING if strict else EVERYTHING
    changes = sum(signs[i] != signs[j] for i, j in pairwise(kept))
    lead = signs[kept[0]]
    if changes == 0:
        return EVERYTHING if lead > 0 else NOTHING
    if changes == 1:
        root = _single_root(polynomial, unknown, kept, lead)
        if lead > 0:
            return (Interval(low=root, low_closed=not strict),)
        return (Interval(high=root, high_closed=not strict),)
    if len(signs) > count:
        return _between_two_roots(polynomial, lead, signs[count], strict)
    others = any(part.symbols for part in polynomial.coefficients)
    raise UndecidedError(
        f"{unknown} may have {changes} thresholds here",
        repair="give numbers for the other symbols"
        if others
        else "round its irrational coefficients to fractions",
    )


def _single_root(polynomial: _Polynomial, unknown: Symbol, kept: list[int], lead: int) -> Expr:
    if polynomial.discriminant() is not None and kept == [0, 2]:
        kept = [0, 1, 2]  # the quadratic formula holds as well where the middle one is zero
    powers = [polynomial.powers[i] for i in kept]
    parts = [polynomial.coefficients[i] for i in kept]
    if len(kept) == 2:
        base = Ratio.of(-parts[1], parts[0]).to_sympy()
        return Pow(base, Rational(polynomial.step, powers[0] - powers[1]))
    if len(kept) == 3 and powers[0] - powers[1] == powers[1] - powers[2]:
        root = _quadratic_roots(parts, lead)[1]
        return Pow(root, Rational(polynomial.step, powers[1] - powers[2]))
    terms = (c.to_sympy() * unknown ** (p - powers[-1]) for p, c in zip(powers, parts, strict=True))
    return Pow(PositiveRoot.of(sum(terms, Integer(0)), unknown), polynomial.step)


def _quadratic_roots(parts: list[Posynomial], lead: int) -> tuple[Expr, Expr]:
    """Both roots of ``a*y**2 + b*y + c``, the smaller first; ``lead`` is the sign of ``a``."""
    a, b, c = (part.scaled(lead) for part in parts)
    root, over = as_ratio(sqrt((b * b - a * c * 4).to_sympy())), Ratio.of(a * 2)
    smaller, larger = ((Ratio.of(-b) + turn) / over for turn in (-root, root))
    return smaller.to_sympy(), larger.to_sympy()


def _between_two_roots(
    polynomial: _Polynomial, lead: int, discriminant: int, strict: bool
) -> Intervals:
    if discriminant < 0:
        return EVERYTHING if lead > 0 else NOTHING
    roots = _quadratic_roots(list(polynomial.coefficients), lead)
    low, high = (Pow(root, Rational(polynomial.step, polynomial.powers[1])) for root in roots)
    closed = not strict
    if discriminant == 0 and closed == (lead > 0):  # the roots are equal, the sign does not change
        return EVERYTHING if closed else NOTHING
    if lead > 0:
        return (Interval(high=low, high_closed=closed), Interval(low=high, low_closed=closed))
    return (Interval(low, high, closed, closed),)


def _at_double_root(case: Case, polynomial: _Polynomial, discriminant: Posynomial) -> Case:
    """The case with one root, told without its square root, where the discriminant is zero."""
    if Condition(discriminant, frozenset({0})) not in case.when:
        return case
    base = Ratio.of(-polynomial.coefficients[1], polynomial.coefficients[0] * 2).to_sympy()
    root = Pow(base, Rational(polynomial.step, polynomial.powers[1]))
    ends = (
        replace(each, low=each.low and root, high=each.high and root) for each in case.intervals
    )
    return replace(case, intervals=tuple(ends))


def _preference(case: Case) -> list[list[int]]:
    return [sorted(-s for s in condition.signs) for condition in case.when]


def _told(case: Case, open_signs: Mapping[Posynomial, Signs]) -> Case:
    """The case without conditions that always hold."""
    return Case(case.intervals, tuple(c for c in case.when if not open_signs[c.value] <= c.signs))
