"""Formulas of relations joined by and, or, not; and whether one holds at exact numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sympy import Expr, Symbol

from symcost.algebra.relation import Relation
from symcost.analysis.thresholds.intervals import Interval, Intervals
from symcost.analysis.thresholds.sets import Case


@dataclass(frozen=True, slots=True)
class All:
    """Holds when every part does (true when there is none)."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """Holds when some part does (false when there is none)."""

    parts: tuple[Formula, ...]


Formula: TypeAlias = Relation | All | Some


def negation(formula: Formula) -> Formula:
    """The formula that holds exactly where this one does not.

    >>> from symcost.symbols import dims
    >>> negation(Relation(dims("B"), ">", dims("D")))
    B <= D
    """
    if isinstance(formula, Relation):
        return formula.negated()
    parts = tuple(negation(part) for part in formula.parts)
    return Some(parts) if isinstance(formula, All) else All(parts)


def differ(left: Formula, right: Formula) -> Formula:
    """Exactly one of the two holds."""
    return Some((All((left, negation(right))), All((negation(left), right))))


def member(symbol: Symbol, intervals: Intervals) -> Formula:
    """That the symbol lies in one of the intervals."""
    return Some(tuple(All(tuple(_inside(symbol, interval))) for interval in intervals))


def _inside(symbol: Symbol, interval: Interval) -> Iterable[Relation]:
    if interval.low is not None:
        yield Relation(symbol, ">=" if interval.low_closed else ">", interval.low)
    if interval.high is not None:
        yield Relation(symbol, "<=" if interval.high_closed else "<", interval.high)


def when(case: Case, cases: Iterable[Case]) -> Formula:
    """The conditions of a case; for "otherwise", that no other case applies."""
    if not case.otherwise:
        return All(tuple(each.relation() for each in case.when))
    others = (other for other in cases if other is not case)
    return All(tuple(negation(when(other, ())) for other in others))


def relations(formula: Formula) -> Iterable[Relation]:
    """Every relation that occurs in it."""
    if isinstance(formula, Relation):
        yield formula
    else:
        for part in formula.parts:
            yield from relations(part)


def holds(formula: Formula, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a formula holds at exact numbers.

    Raises:
        UndecidedError: a side has no real value there.
    """
    if isinstance(formula, All):
        return all(holds(part, point) for part in formula.parts)
    if isinstance(formula, Some):
        return any(holds(part, point) for part in formula.parts)
    return formula.holds(point)
