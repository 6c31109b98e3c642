"""Thresholds that the signs of coefficients prove, without a solver.

The inequality is cleared to a polynomial in the unknown. Coefficients of one sign mean always
or never. One change of sign means exactly one positive root (Descartes), which the bound is
checked to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from sympy import Expr, Pow

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import Number, to_rational
from symcost.algebra.roots import PositiveRoot
from symcost.algebra.signs import Facts, normalized, possible_signs, sign
from symcost.analysis.inequality import with_conditions
from symcost.analysis.sets import Case, Condition, Interval

if TYPE_CHECKING:
    from symcost.analysis.threshold import Threshold

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
    return all(
        conditions is not None
        and _case_is_right(case, parts, with_conditions(unknown_from_zero, conditions), strict)
        for case, conditions in ((case, _conditions(case, rule.cases)) for case in rule.cases)
    )


def _conditions(case: Case, cases: tuple[Case, ...]) -> list[Condition] | None:
    """The conditions of a case; of "otherwise", only when it is the contrary of one condition."""
    if len(cases) == 1:
        return []
    if not case.otherwise:
        return list(case.when) if any(other.otherwise for other in cases) else None
    named = [other for other in cases if other is not case]
    if len(named) != 1 or len(named[0].when) != 1:
        return None
    (condition,) = named[0].when
    return [Condition(condition.value, frozenset({-1, 0, 1}) - condition.signs)]


def _case_is_right(case: Case, parts: Coefficients, facts: Facts, strict: bool) -> bool:
    powers = sorted(parts, reverse=True)
    signs = [possible_signs(parts[power], facts) for power in powers]
    if case.is_always:
        return all(s <= {0, 1} for s in signs) and (not strict or any(s == {1} for s in signs))
    if case.is_never:
        return all(s <= {0, -1} for s in signs) and (strict or any(s == {-1} for s in signs))
    known = [next(iter(s)) for s in signs if len(s) == 1]
    if len(known) != len(signs) or 0 in known or len(case.intervals) != 1:
        return False
    if sum(a != b for a, b in pairwise(known)) != 1:
        return False
    return _is_half_line(case.intervals[0], known[0], strict) and _is_root(
        case.intervals[0], {power: parts[power] for power in powers}
    )


def _is_half_line(interval: Interval, lead: int, strict: bool) -> bool:
    """Above the root when the leading coefficient is positive, below it when it is negative."""
    if lead > 0:
        return interval.low is not None and interval.high is None and interval.low_closed != strict
    return interval.low is None and interval.high is not None and interval.high_closed != strict


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
