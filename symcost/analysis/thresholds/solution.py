"""Where relations hold, alone and together: the cases that a threshold consists of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sympy import Symbol

from symcost.algebra import as_ratio
from symcost.algebra.relation import Relation
from symcost.algebra.signs import Facts
from symcost.analysis.thresholds.inequality import all_or_any, positive_ratio
from symcost.analysis.thresholds.intervals import EVERYTHING, NOTHING, Interval
from symcost.analysis.thresholds.sets import Case, merged, simplified, with_otherwise


def where(relation: Relation, unknown: Symbol, facts: Facts) -> tuple[Case, ...]:
    """Where one relation holds: cases that leave nothing out."""
    if relation.op == "=":
        ends = (replace(relation, op=op) for op in (">=", "<="))
        return all_or_any([where(each, unknown, facts) for each in ends], False, facts)
    upward = relation.upward()
    difference = as_ratio(upward.lhs) - as_ratio(upward.rhs)
    return positive_ratio(difference, unknown, facts, upward.is_strict)


def settled(cases: Iterable[Case], facts: Facts) -> tuple[Case, ...]:
    """The cases as simple as they get, the commonest answer under "otherwise"."""
    return with_otherwise(merged(simplified(case, facts) for case in cases))


def solution_set(
    branches: Iterable[tuple[Iterable[Iterable[Relation]], Iterable[Relation]]],
    unknown: Symbol,
    solved: bool = False,
) -> tuple[Case, ...]:
    """The set of values of a symbol that branches describe, in the form that a threshold has.

    >>> from symcost.symbols import dims
    >>> x = dims("x")
    >>> between = (Relation(x, ">", 1), Relation(x, "<", 9))
    >>> [(str(i.low), str(i.high)) for i in solution_set([([between], [])], x)[0].intervals]
    [('1', '9')]

    Args:
        branches: of each the alternatives, lists of relations that hold together, and the
            conditions under which one of them has to hold.
        unknown: the symbol.
        solved: whether a relation with the symbol alone on the left is one end of an interval
            as it stands, so that nothing is said of where a bound that is not positive lies.

    Raises:
        UndecidedError: more cases than anybody would read.
    """
    known = Facts({unknown: 0})

    def every(relations: Iterable[Relation]) -> tuple[Case, ...]:
        sets = [
            (Case((_interval(each),)),)
            if solved and each.lhs == unknown
            else where(each, unknown, known)
            for each in relations
        ]
        return all_or_any([(Case(EVERYTHING),), *sets], False, known)

    sets = [
        all_or_any([every((*together, *conditions)) for together in alternatives], True, known)
        for alternatives, conditions in branches
        if alternatives
    ]
    return settled(all_or_any([(Case(NOTHING),), *sets], True, known), known)


def _interval(end: Relation) -> Interval:
    low = end.rhs if end.op in (">", ">=", "=") else None
    high = end.rhs if end.op in ("<", "<=", "=") else None
    return Interval(low, high, end.op in (">=", "="), end.op in ("<=", "="))
