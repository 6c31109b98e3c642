"""The cases of a quadratic inequality, proved from the signs of its coefficients.

Each end of a case's set is put into the polynomial, with its square root as a symbol whose
square is known, and must give zero identically. Which of the two roots it is follows from the
sign before the square root; how many roots are positive, from Descartes' rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Expr, Pow, Rational

from symcost.algebra import Posynomial, as_posynomial, as_ratio
from symcost.algebra.factors import signs_by_factors
from symcost.algebra.posynomial import Number, to_rational
from symcost.algebra.signs import Facts
from symcost.analysis.thresholds.intervals import Interval
from symcost.analysis.thresholds.sets import Case
from symcost.errors import SymcostError
from symcost.symbols import rate

ROOT = rate("_square_root")
HALF = Rational(1, 2)


@dataclass(frozen=True, slots=True)
class _Surd:
    """``(plain + factor * sqrt(inner)) / den``."""

    plain: Posynomial
    factor: Posynomial
    inner: Posynomial
    den: Posynomial

    def solves(self, a: Posynomial, b: Posynomial, c: Posynomial) -> bool:
        """Whether it is a root of ``a*y**2 + b*y + c``, identically."""
        n, m, d = self.plain, self.factor, self.den
        rational = a * (n * n + m * m * self.inner) + b * n * d + c * d * d
        irrational = a * n * m * 2 + b * m * d
        return not rational and not irrational

    def turn(self, facts: Facts) -> int | None:
        """1 for the larger of the two roots, -1 for the smaller."""
        signs = _sign(self.factor, facts), _sign(self.den, facts)
        return None if None in signs else (signs[0] or 0) * (signs[1] or 0)


def quadratic_is_right(
    case: Case, parts: Mapping[Number, Posynomial], facts: Facts, strict: bool
) -> bool:
    """Whether a case is right for ``a*y**2 + b*y + c`` with ``y`` a power of the unknown.

    Args:
        case: the case, whose conditions are among the facts.
        parts: the three coefficients by falling, evenly spaced powers of the unknown.
        facts: what is known of the symbols.
        strict: whether the polynomial must be positive, not just nowhere negative.
    """
    (high, a), (middle, b), (_, c) = parts.items()
    first, last = _sign(a, facts), _sign(c, facts)
    if not first or not last:
        return False
    step = high - middle
    if first != last:
        return _one_positive_root(case, (a, b, c), first, step, facts, strict)
    if _sign(b, facts) != -first:
        return False
    return _two_sign_changes(case, (a, b, c), first, step, facts, strict)


Coefficients = tuple[Posynomial, Posynomial, Posynomial]


def _one_positive_root(
    case: Case, abc: Coefficients, lead: int, step: Number, facts: Facts, strict: bool
) -> bool:
    """The roots have opposite signs: the larger one is the positive one."""
    if len(case.intervals) != 1 or not is_half_line(case.intervals[0], lead, strict):
        return False
    (interval,) = case.intervals
    end = interval.low if lead > 0 else interval.high
    return _turn(end, abc, step, facts) == 1


def _two_sign_changes(
    case: Case, abc: Coefficients, lead: int, step: Number, facts: Facts, strict: bool
) -> bool:
    """Two positive roots where the discriminant is positive, none where it is negative."""
    a, b, c = abc
    signs = signs_by_factors(b * b - a * c * 4, facts)
    if case.is_always:
        return lead > 0 and signs <= ({-1} if strict else {-1, 0})
    if case.is_never:
        return lead < 0 and signs <= ({-1, 0} if strict else {-1})
    at_least = {0, 1} if strict == (lead > 0) else {1}  # equal roots leave a hole, or a point
    if not signs <= at_least:
        return False
    ends = _ends(case, lead, strict)
    return ends is not None and [_turn(end, abc, step, facts) for end in ends] == [-1, 1]


def _sign(value: Posynomial, facts: Facts) -> int | None:
    signs = signs_by_factors(value, facts)
    return next(iter(signs)) if len(signs) == 1 else None


def _ends(case: Case, lead: int, strict: bool) -> tuple[Expr, Expr] | None:
    """The smaller and the larger end: around the set, or around what the set leaves out."""
    if lead < 0 and len(case.intervals) == 1:
        (inside,) = case.intervals
        if inside.low is None or inside.high is None:
            return None
        closed = inside.low_closed and inside.high_closed
        return (inside.low, inside.high) if _fits(inside, closed, strict) else None
    if lead > 0 and len(case.intervals) == 2:
        below, above = sorted(case.intervals, key=lambda each: each.low is not None)
        if is_half_line(below, -1, strict) and is_half_line(above, 1, strict):
            return below.high, above.low
    return None


def _fits(inside: Interval, closed: bool, strict: bool) -> bool:
    return closed != strict and inside.low_closed == inside.high_closed


def is_half_line(interval: Interval, lead: int, strict: bool) -> bool:
    """Above a root when the leading coefficient is positive, below it when it is negative."""
    if lead > 0:
        return interval.low is not None and interval.high is None and interval.low_closed != strict
    return interval.low is None and interval.high is not None and interval.high_closed != strict


def _turn(end: Expr, abc: Coefficients, step: Number, facts: Facts) -> int | None:
    """Which root an end is (1 the larger, -1 the smaller), or None if it is not seen to be one."""
    surd = _read(end, step)
    return surd.turn(facts) if surd is not None and surd.solves(*abc) else None


def _read(end: Expr, step: Number) -> _Surd | None:
    """An end's power ``step`` as a surd."""
    if step != 1:
        if not (end.is_Pow and end.exp == 1 / to_rational(step)):
            return None
        end = end.base
    roots = [p for p in end.atoms(Pow) if p.exp == HALF and not p.base.is_Symbol]
    if len(roots) != 1:
        return None
    try:
        ratio = as_ratio(end.xreplace({roots[0]: ROOT}))
        inner = as_posynomial(roots[0].base.expand())
    except SymcostError:
        return None
    parts = ratio.num.coefficients(ROOT)
    if set(parts) - {0, 1} or 1 not in parts or ROOT in ratio.den.atoms:
        return None
    return _Surd(parts.get(0, Posynomial({})), parts[1], inner, ratio.den)
