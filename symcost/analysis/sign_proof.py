"""Thresholds that the signs of coefficients prove, without a solver.

The inequality is cleared to a polynomial in the unknown. Coefficients of one sign mean always
or never. One change of sign means exactly one positive root (Descartes), which the bound is
checked to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

from sympy import Expr, Pow

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.factors import signs_by_factors
from symcost.algebra.posynomial import Number, to_rational
from symcost.algebra.roots import PositiveRoot
from symcost.algebra.signs import Facts, normalized, sign
from symcost.analysis.inequality import possible, with_conditions
from symcost.analysis.quadratic_proof import is_half_line, quadratic_is_right
from symcost.analysis.sets import (
    NOTHING,
    Case,
    Interval,
    conditions_outside,
    exclude_each_other,
    spelled_out,
)

if TYPE_CHECKING:
    from symcost.analysis.threshold import Threshold

MAX_COEFFICIENTS = 9  # of a polynomial whose patterns of signs are listed

Coefficients = Mapping[Number, Posynomial]


def decided_by_signs(rule: Threshold) -> bool:
    """Whether the signs of the coefficients alone prove every case of a threshold.

    >>> from symcost.analysis.threshold import threshold
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> decided_by_signs(threshold(B * D / (B + D) > 100, B))
    True
    """
    larger, smaller = (rule.lhs, rule.rhs) if rule.op[0] == ">" else (rule.rhs, rule.lhs)
    difference = as_ratio(larger) - as_ratio(smaller)
    facts = rule.facts
    unknown_from_zero = Facts(
        {rule.symbol: 0, **facts.lower}, facts.positive, facts.nonnegative, facts.upper
    )
    if sign(difference.den, unknown_from_zero) != 1 or not difference:
        return False
    if any(rule.symbol in atom.free_symbols and atom != rule.symbol for atom in difference.atoms):
        return False
    parts = difference.num.coefficients(rule.symbol)
    strict = len(rule.op) == 1
    return _cover_everything(rule.cases, unknown_from_zero) and all(
        _case_is_right(case, parts, with_conditions(unknown_from_zero, list(case.when)), strict)
        for case in possible(spelled_out(rule.cases), unknown_from_zero)
    )


def _cover_everything(cases: tuple[Case, ...], facts: Facts) -> bool:
    """Whether some case always applies, and no two with different answers together."""
    named = [case for case in cases if not case.otherwise]
    apart = all(
        a.intervals == b.intervals or exclude_each_other(a, b) for a, b in combinations(named, 2)
    )
    left = (Case(NOTHING, when) for when in conditions_outside(named))
    return apart and (len(named) < len(cases) or not possible(tuple(left), facts))


def _case_is_right(case: Case, parts: Coefficients, facts: Facts, strict: bool) -> bool:
    signs = {power: signs_by_factors(part, facts) for power, part in parts.items()}
    powers = [power for power in sorted(parts, reverse=True) if signs[power] != {0}]
    listed = [signs[power] for power in powers]
    if case.is_always and all(s <= {0, 1} for s in listed):
        return not strict or any(s == {1} for s in listed)
    if case.is_never and all(s <= {0, -1} for s in listed):
        return strict or any(s == {-1} for s in listed)
    shown = {power: parts[power] for power in powers}
    if len(powers) == 3 and powers[0] - powers[1] == powers[1] - powers[2]:
        return quadratic_is_right(case, shown, facts, strict)
    lead = next(iter(listed[0])) if len(listed[0]) == 1 else 0
    if not lead or len(case.intervals) != 1 or not _change_once(listed):
        return False
    (interval,) = case.intervals
    return is_half_line(interval, lead, strict) and _is_root(interval, shown)


def _change_once(signs: list[frozenset[int]]) -> bool:
    """Whether the coefficients change sign exactly once, whichever signs they have."""
    if len(signs) > MAX_COEFFICIENTS:
        return False
    choices = ([s for s in choice if s] for choice in product(*signs))
    return all(sum(a != b for a, b in pairwise(choice)) == 1 for choice in choices)


def _is_root(interval: Interval, parts: Coefficients) -> bool:
    """Whether the finite end is the root: a quotient's power, or a root of this polynomial."""
    end = interval.low if interval.low is not None else interval.high
    if len(parts) == 2:
        (high, a), (low, c) = parts.items()
        quotient = Ratio.of(-c, a).to_sympy()
        degree = high - low
        return bool(end == quotient if degree == 1 else end == _root(quotient, degree))
    if isinstance(end, PositiveRoot):
        polynomial, unknown = end.equation
        ours = Posynomial.sum(part * _power(unknown, p) for p, part in parts.items())
        theirs = as_ratio(polynomial).num
        return normalized(ours) in (normalized(theirs), -normalized(theirs))
    return False


def _root(quotient: Expr, degree: Number) -> Expr:
    return Pow(quotient, 1 / to_rational(degree))


def _power(unknown: Expr, power: Number) -> Posynomial:
    return Posynomial({((unknown, power),) if power else (): 1})
