"""The cases of a quadratic inequality, proved from the signs of its coefficients.

Each end of a case's set is put into the polynomial and must give zero identically. Which of the
two roots it is follows from the slope there; how many there are, from the discriminant.
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.factors import signs_by_factors
from symcost.algebra.posynomial import Number, to_rational
from symcost.algebra.signs import Facts, ratio_signs
from symcost.analysis.thresholds.intervals import Interval
from symcost.analysis.thresholds.sets import Case
from symcost.errors import SymcostError
from symcost.symbols import rate

ROOT = as_ratio(rate("_square_root"))


def quadratic_is_right(
    case: Case,
    parts: Mapping[Number, Posynomial],
    signs: Mapping[Number, int],
    facts: Facts,
    strict: bool,
) -> bool:
    """Whether a case is right for ``a*y**2 + b*y + c`` with ``y`` a power of the unknown.

    Args:
        case: the case, whose conditions are among the facts.
        parts: the three coefficients by falling, evenly spaced powers of the unknown.
        signs: theirs; the outer two are not zero.
        facts: what is known of the symbols.
        strict: whether the polynomial must be positive, not just nowhere negative.
    """
    (high, a), (middle, b), (low, c) = parts.items()
    by_signs = _two_roots_or_none if signs[high] == signs[low] else _one_positive_root
    return by_signs(case, (a, b, c), signs[high], high - middle, facts, strict)


Coefficients = tuple[Posynomial, Posynomial, Posynomial]


def _one_positive_root(
    case: Case, abc: Coefficients, lead: int, step: Number, facts: Facts, strict: bool
) -> bool:
    """The roots have opposite signs: the larger one is the positive one."""
    if len(case.intervals) != 1 or not is_half_line(case.intervals[0], lead, strict):
        return False
    (interval,) = case.intervals
    end = interval.low if lead > 0 else interval.high
    return _turn(end, abc, step, lead, facts) == 1


def _two_roots_or_none(
    case: Case, abc: Coefficients, lead: int, step: Number, facts: Facts, strict: bool
) -> bool:
    """Two roots of one sign where the discriminant is positive, none where it is negative."""
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
    return ends is not None and [_turn(end, abc, step, lead, facts) for end in ends] == [-1, 1]


def _ends(case: Case, lead: int, strict: bool) -> tuple[Expr, Expr] | None:
    """The smaller and the larger end: around the set, or around what the set leaves out."""
    if lead < 0 and len(case.intervals) == 1:
        (inside,) = case.intervals
        if inside.low is None or inside.high is None:
            return None
        fits = inside.low_closed == inside.high_closed != strict
        return (inside.low, inside.high) if fits else None
    if lead > 0 and len(case.intervals) == 2:
        below, above = sorted(case.intervals, key=lambda each: each.low is not None)
        if is_half_line(below, -1, strict) and is_half_line(above, 1, strict):
            return below.high, above.low
    return None


def is_half_line(interval: Interval, lead: int, strict: bool) -> bool:
    """Above a root when the leading coefficient is positive, below it when it is negative."""
    if lead > 0:
        return interval.low is not None and interval.high is None and interval.low_closed != strict
    return interval.low is None and interval.high is not None and interval.high_closed != strict


def _turn(end: Expr, abc: Coefficients, step: Number, lead: int, facts: Facts) -> int | None:
    """Which root an end is (1 the larger, -1 the smaller), or None if it is not seen to be one."""
    if step != 1:
        if not (end.is_Pow and end.exp == 1 / to_rational(step)):
            return None
        end = end.base
    try:
        y = as_ratio(end)
    except SymcostError:
        return None
    a, b, c = map(Ratio.of, abc)
    value, slope = (as_ratio(each.to_sympy()) for each in ((a * y + b) * y + c, (a + a) * y + b))
    roots = {atom: ROOT for atom in slope.atoms if atom.is_Pow}  # plus or minus one of them
    signs = ratio_signs(slope.substitute(roots), facts)
    if value or len(roots) > 1 or len(signs) > 1:
        return None
    return next(iter(signs)) * lead
