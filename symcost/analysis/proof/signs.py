"""Thresholds that the signs of coefficients prove, without a solver.

The inequality is cleared to a polynomial in the unknown. Coefficients of one sign mean always
or never. One change of sign means exactly one positive root (Descartes), which the bound is
checked to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

from sympy import Add, Expr, Pow

from symcost.algebra import Posynomial, as_ratio
from symcost.algebra.factors import signs_by_factors
from symcost.algebra.posynomial import Number, to_rational
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import Condition, Relation
from symcost.algebra.roots import PositiveRoot
from symcost.algebra.signs import Facts, sign
from symcost.analysis.proof.quadratic import is_half_line, quadratic_is_right
from symcost.analysis.thresholds.inequality import possible
from symcost.analysis.thresholds.intervals import NOTHING, Interval
from symcost.analysis.thresholds.sets import (
    Case,
    conditions_of,
    conditions_outside,
    spelled_out,
)
from symcost.errors import SymcostError

if TYPE_CHECKING:
    from symcost.analysis.thresholds.threshold import Threshold

MAX_OPEN_SIGNS = 4  # of coefficients, whose patterns are gone through

Coefficients = Mapping[Number, Posynomial]


def decided_by_signs(rule: Threshold) -> bool:
    """Whether the signs of the coefficients alone prove every case of a threshold.

    >>> from symcost.analysis.thresholds.threshold import threshold
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> decided_by_signs(threshold(B * D / (B + D) > 100, B))
    True
    """
    upward = Relation(rule.lhs, rule.op, rule.rhs).upward()
    try:
        difference = as_ratio(upward.lhs) - as_ratio(upward.rhs)
    except SymcostError:  # a root of a sum
        return False
    if rule.poles:
        return False
    facts = rule.facts
    unknown_from_zero = replace(facts, lower={rule.symbol: 0, **facts.lower}, joint=False)
    if sign(difference.den, unknown_from_zero) != 1 or not difference:
        return False
    if any(rule.symbol in atom.free_symbols and atom != rule.symbol for atom in difference.atoms):
        return False
    parts = difference.num.coefficients(rule.symbol)
    strict = len(rule.op) == 1
    return _cover_everything(rule.cases, unknown_from_zero) and all(
        _case_is_right(case, parts, unknown_from_zero.adding(case.when), strict)
        for case in possible(_without_unequal(spelled_out(rule.cases)), unknown_from_zero)
    )


def _without_unequal(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Each condition ``p != 0`` as two cases, ``p > 0`` and ``p < 0``."""
    kept: list[Case] = []
    for case in cases:
        choices = [
            [Condition(each.value, frozenset({s})) for s in each.signs]
            if each.signs == {-1, 1}
            else [each]
            for each in case.when
        ]
        kept += [Case(case.intervals, when) for when in product(*choices)]
    return tuple(kept)


def _cover_everything(cases: tuple[Case, ...], facts: Facts) -> bool:
    """Whether some case always applies, and no two with different answers together."""
    named = [case for case in cases if not case.otherwise]
    apart = all(
        a.intervals == b.intervals or conditions_of(a.when, b.when) is None
        for a, b in combinations(named, 2)
    )
    left = (Case(NOTHING, when) for when in conditions_outside(named))
    return apart and (len(named) < len(cases) or not possible(tuple(left), facts))


def _case_is_right(case: Case, parts: Coefficients, facts: Facts, strict: bool) -> bool:
    """Whether a case is right for every pattern of signs that its coefficients may have."""
    powers = sorted(parts, reverse=True)
    signs = [signs_by_factors(parts[power], facts) for power in powers]
    if sum(len(each) > 1 for each in signs) > MAX_OPEN_SIGNS:
        return False
    if _plainly_right(case, signs, strict):
        return True
    return all(
        _pattern_is_right(case, parts, dict(zip(powers, choice, strict=True)), facts, strict)
        for choice in product(*signs)
    )


def _plainly_right(case: Case, signs: list[frozenset[int]], strict: bool) -> bool:
    """Always or never, because no coefficient is negative, or none is positive."""
    if case.is_always and all(each <= {0, 1} for each in signs):
        return not strict or {1} in signs
    if case.is_never and all(each <= {0, -1} for each in signs):
        return strict or {-1} in signs
    return False


def _pattern_is_right(
    case: Case, parts: Coefficients, signs: Mapping[Number, int], facts: Facts, strict: bool
) -> bool:
    chosen = [Condition(parts[power], frozenset({each})) for power, each in signs.items()]
    known = facts.adding(chosen)
    changes = [each for each in signs.values() if each]
    if _plainly_right(case, [frozenset({each}) for each in changes], strict):
        return True
    powers = list(signs)
    if len(powers) == 3 and powers[0] - powers[1] == powers[1] - powers[2]:
        whole = {power: parts[power] for power in powers}
        if signs[powers[0]] and signs[powers[2]]:
            return quadratic_is_right(case, whole, signs, known, strict)
    shown = {power: parts[power] for power, each in signs.items() if each}
    if len(case.intervals) != 1 or sum(a != b for a, b in pairwise(changes)) != 1:
        return False
    (interval,) = case.intervals
    return is_half_line(interval, changes[0], strict) and _is_root(interval, shown)


def _is_root(interval: Interval, parts: Coefficients) -> bool:
    """Whether the finite end is a root, and so the only positive one."""
    end = interval.low if interval.low is not None else interval.high
    if end is None:
        return False
    if isinstance(end, PositiveRoot):
        polynomial, unknown = end.equation
        ours = Posynomial.sum(part * _power(unknown, p) for p, part in parts.items())
        theirs = as_ratio(polynomial).num
        return normalized(ours) in (normalized(theirs), -normalized(theirs))
    lowest = min(parts)
    terms = (c.to_sympy() * Pow(end, to_rational(p - lowest)) for p, c in parts.items())
    try:
        return not as_ratio(Add(*terms))
    except SymcostError:
        return False


def _power(unknown: Expr, power: Number) -> Posynomial:
    return Posynomial({((unknown, power),) if power else (): 1})
