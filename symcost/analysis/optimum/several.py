"""The minimum over several symbols, with constraints between single terms, case by case."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sympy import Expr, Integer, Symbol

from symcost.algebra import Posynomial, as_posynomial, as_ratio
from symcost.algebra.relation import Relation
from symcost.analysis.optimum.constraints import ALWAYS, at_least
from symcost.analysis.optimum.geometric import Attained, Falling, minimum_on
from symcost.analysis.optimum.single import pruned
from symcost.analysis.optimum.types import OptimumCase, falls_for_ever
from symcost.errors import UndecidedError
from symcost.symbols import is_dim

BALANCED = "the shares of the terms balance"


def minimum_over_several(
    parts: Sequence[Posynomial], symbols: Sequence[Symbol], constraints: Sequence[Relation]
) -> tuple[OptimumCase, ...]:
    """Minimize over several symbols, under constraints between single terms.

    For each set of constraints that may hold with equality there is one case. Its conditions
    say that the other constraints hold, and that each of the set is violated without it.

    Raises:
        UndecidedError: no closed form, or a constraint between sums.
    """
    limits = [_limit(each) for each in constraints]
    limits += [as_posynomial(symbol) for symbol in symbols if is_dim(symbol)]
    limits = list(dict.fromkeys(limits))
    free = minimum_on(parts, symbols, ())
    how = free.within(limits) if isinstance(free, Falling) else None
    if how is not None:
        return (falls_for_ever(how),)
    cases: list[OptimumCase] = []
    for size in range(len(symbols) + 1):
        for active in combinations(limits, size):
            cases += _case(parts, symbols, limits, active)
    return pruned(cases)


def _case(
    parts: Sequence[Posynomial],
    symbols: Sequence[Symbol],
    limits: Sequence[Posynomial],
    active: tuple[Posynomial, ...],
) -> list[OptimumCase]:
    """The case in which exactly these limits hold with equality, if that can be."""
    solution = minimum_on(parts, symbols, active)
    if not isinstance(solution, Attained):
        return []
    when = [
        at_least(_at(limit, solution.point), Integer(1)) for limit in limits if limit not in active
    ]
    for limit in active:
        violated = _violated(parts, symbols, tuple(a for a in active if a is not limit), limit)
        if violated is None:
            return []
        when.append(violated)
    if not active:
        return [OptimumCase(solution.point, solution.value, "interior", BALANCED, tuple(when))]
    held = " and ".join(f"{limit} = 1" for limit in active)
    reason = f"on the border of the constraints, {held}"
    return [OptimumCase(solution.point, solution.value, "border", reason, tuple(when))]


def _violated(
    parts: Sequence[Posynomial],
    symbols: Sequence[Symbol],
    others: tuple[Posynomial, ...],
    limit: Posynomial,
) -> Relation | None:
    """When a limit would be violated if it were not required beside some others."""
    without = minimum_on(parts, symbols, others)
    if isinstance(without, Attained):
        return at_least(Integer(1), _at(limit, without.point))
    if without is None or not without.leads_below(limit):
        return None
    return ALWAYS


def _limit(constraint: Relation) -> Posynomial:
    """A constraint as a single term that is at least 1."""
    ratio = as_ratio(constraint.lhs) / as_ratio(constraint.rhs)
    if not ratio.is_posynomial or len(ratio.num) != 1:
        raise UndecidedError(
            f"{constraint} relates sums, which has no closed form for several symbols",
            repair="give numbers for all symbols but one",
        )
    return ratio.num


def _at(limit: Posynomial, point: dict[Symbol, Expr]) -> Expr:
    return limit.to_sympy().xreplace(point)
