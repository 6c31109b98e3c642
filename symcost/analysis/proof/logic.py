"""Formulas of relations joined by and, or, not; and whether one holds at exact numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sympy import Expr, Integer, Symbol

from symcost.algebra.relation import Relation
from symcost.analysis.thresholds.intervals import Interval, Intervals
from symcost.analysis.thresholds.sets import Case, Condition
from symcost.errors import UndecidedError

DIGITS = 60  # for telling two irrational numbers apart, before they are tried for equality
CLOSE = Integer(10) ** -45

OPPOSITE = {">": "<=", "<=": ">", "<": ">=", ">=": "<", "=": "!=", "!=": "="}


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
        return Relation(formula.lhs, OPPOSITE[formula.op], formula.rhs)
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


def condition(value: Condition) -> Relation:
    """A condition of a case as a relation, its positive terms on the left."""
    left, right = value.sides()
    return Relation(left.to_sympy(), value.op, right.to_sympy())


def when(case: Case, cases: Iterable[Case]) -> Formula:
    """The conditions of a case; for "otherwise", that no other case applies."""
    if not case.otherwise:
        return All(tuple(condition(each) for each in case.when))
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
    sign = compare(formula.lhs.xreplace(dict(point)), formula.rhs.xreplace(dict(point)))
    wanted = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {0, -1}, "=": {0}, "!=": {1, -1}}
    return sign in wanted[formula.op]


def compare(left: Expr, right: Expr) -> int:
    """1, 0 or -1 as one exact number is larger than, equal to or smaller than another."""
    difference = left - right
    if difference.is_Rational:
        return int(difference.p > 0) - int(difference.p < 0)
    value = difference.evalf(DIGITS) if difference.is_real else None
    if value is None or not value.is_Float:
        raise UndecidedError(f"{left} or {right} is no real number")
    if abs(value) > CLOSE:
        return 1 if value > 0 else -1
    if difference.equals(0):
        return 0
    raise UndecidedError(f"cannot tell {left} from {right}")
