"""Solution sets of an inequality in one symbol: intervals of positive numbers, with conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Integer, ceiling, floor

from symcost.algebra import Maximum, Minimum, Posynomial
from symcost.errors import UndecidedError


@dataclass(frozen=True, slots=True)
class Interval:
    """The positive numbers between ``low`` and ``high``; ``None`` stands for 0 and infinity."""

    low: Expr | None = None
    high: Expr | None = None
    low_closed: bool = False
    high_closed: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether every positive number belongs to it."""
        return self.low is None and self.high is None

    @property
    def is_empty(self) -> bool:
        """Whether it certainly holds no number: its ends are equal, or numbers that are crossed."""
        closed = self.low_closed and self.high_closed
        if self.low is not None and self.low == self.high:
            return not closed
        if self.low is None or self.high is None or not _numbers(self.low, self.high):
            return self.high is not None and self.high.is_nonpositive is True
        return bool(self.low > self.high) or (bool(self.low >= self.high) and not closed)

    def contains(self, value: Expr | int | Fraction) -> bool:
        """Whether a number belongs to it; its ends must be numbers."""
        above = self.low is None or bool(value >= self.low if self.low_closed else value > self.low)
        below = self.high is None or bool(
            value <= self.high if self.high_closed else value < self.high
        )
        return above and below

    def smallest_integer(self) -> int | None:
        """The smallest integer from 1 on that belongs to it, or ``None``."""
        start = 1
        if self.low is not None:
            if not self.low.is_number:
                return None
            start = int(ceiling(self.low)) if self.low_closed else int(floor(self.low)) + 1
        if self.high is not None and not self.high.is_number:
            return None
        start = max(1, start)
        return start if self.contains(Integer(start)) else None


Intervals = tuple[Interval, ...]
Join = Callable[[Intervals, Intervals], Intervals]
Order = Callable[[Expr, Expr], int | None]
EVERYTHING: Intervals = (Interval(),)
NOTHING: Intervals = ()


class MixedEndsError(UndecidedError):
    """An open and a closed symbolic end meet; which of the two is larger decides."""

    def __init__(self, opened: Expr, closed: Expr) -> None:
        super().__init__(
            f"it is open whether {opened} or {closed} is larger, and only one of the ends belongs",
            repair=f"assume {opened} > {closed}, or the contrary",
        )
        self.ends = (opened, closed)


def unknown_order(first: Expr, second: Expr) -> int | None:
    """Nothing is known of how two symbolic ends compare."""
    return None


def intersection(left: Intervals, right: Intervals, order: Order = unknown_order) -> Intervals:
    """The numbers in both; symbolic ends are joined by a maximum or a minimum.

    ``order`` says whether the first of two symbolic ends is larger (1), equal (0), smaller (-1).

    Raises:
        MixedEndsError: an open and a closed end that cannot be compared.
    """
    both = (_overlap(a, b, order) for a in left for b in right)
    return tuple(dict.fromkeys(interval for interval in both if not interval.is_empty))


def union(left: Intervals, right: Intervals) -> Intervals:
    """The numbers in either; overlapping intervals with numeric ends are joined."""
    either = tuple(dict.fromkeys((*left, *right)))
    if any(interval.is_everything for interval in either):
        return EVERYTHING
    if len(either) < 2:
        return either
    if all(_numbers(*_ends(interval)) for interval in either):
        return _joined(either)
    return _same_side(either)


def complement(intervals: Intervals) -> Intervals:
    """The positive numbers in none of the intervals."""
    result = EVERYTHING
    for interval in intervals:
        outside: list[Interval] = []
        if interval.low is not None:
            outside.append(Interval(high=interval.low, high_closed=not interval.low_closed))
        if interval.high is not None:
            outside.append(Interval(low=interval.high, low_closed=not interval.high_closed))
        result = intersection(result, tuple(outside))
    return result


def _overlap(a: Interval, b: Interval, order: Order) -> Interval:
    lows, highs = (
        ((a.low, a.low_closed), (b.low, b.low_closed)),
        ((a.high, a.high_closed), (b.high, b.high_closed)),
    )
    low, low_closed = _tighter(*lows, Maximum, order)
    high, high_closed = _tighter(*highs, Minimum, order)
    return Interval(low, high, low_closed, high_closed)


End = tuple[Expr | None, bool]


def _tighter(
    first: End, second: End, extremum: type[Maximum | Minimum], order: Order
) -> tuple[Expr | None, bool]:
    (a, a_closed), (b, b_closed) = first, second
    if a is None or b is None:
        return second if a is None else first
    if a == b or (_numbers(a, b) and _same(a, b)):
        return a, a_closed and b_closed
    if _numbers(a, b):
        return first if bool(a > b) == (extremum is Maximum) else second
    larger = order(a, b)
    if larger == 0:
        return a, a_closed and b_closed
    if larger is not None:
        return first if (larger > 0) == (extremum is Maximum) else second
    if a_closed != b_closed:
        raise MixedEndsError(*((b, a) if a_closed else (a, b)))
    return extremum(a, b), a_closed


def _joined(intervals: Intervals) -> Intervals:
    """Sort numeric intervals and merge those that touch or overlap."""
    ordered = sorted(intervals, key=lambda i: (i.low is not None, i.low or Integer(0)))
    merged = [ordered[0]]
    for interval in ordered[1:]:
        if _touch(merged[-1], interval):
            merged[-1] = _hull(merged[-1], interval)
        else:
            merged.append(interval)
    return tuple(merged)


def _touch(first: Interval, second: Interval) -> bool:
    """Whether no number lies between two intervals, of which the first starts no later."""
    if first.high is None or second.low is None or bool(second.low < first.high):
        return True
    return _same(second.low, first.high) and (second.low_closed or first.high_closed)


def _hull(first: Interval, second: Interval) -> Interval:
    """Two intervals that touch as one; an end that both share is closed if either is."""
    low_closed = first.low_closed or (second.low_closed and _same(first.low, second.low))
    if first.high is None or second.high is None:
        return Interval(first.low, None, low_closed)
    if _same(first.high, second.high):
        high, high_closed = first.high, first.high_closed or second.high_closed
    else:
        last = first if bool(first.high > second.high) else second
        high, high_closed = last.high, last.high_closed
    return Interval(first.low, high, low_closed, high_closed)


def _same(a: Expr | None, b: Expr | None) -> bool:
    """Whether two numeric ends are one number, however they are written."""
    if a is None or b is None or a == b:
        return a is b or a == b
    return not bool(a < b) and not bool(a > b)


def _same_side(intervals: Intervals) -> Intervals:
    """Join symbolic half-lines that point the same way: ``x > a or x > b`` is ``x > Min(a, b)``."""
    result = [i for i in intervals if i.low is not None and i.high is not None]
    for closed in (False, True):
        up = [i.low for i in intervals if i.high is None and i.low_closed == closed]
        down = [i.high for i in intervals if i.low is None and i.high_closed == closed]
        if up:
            result.append(Interval(low=Minimum(*up), low_closed=closed))
        if down:
            result.append(Interval(high=Maximum(*down), high_closed=closed))
    return tuple(result)


def _ends(interval: Interval) -> tuple[Expr, ...]:
    return tuple(end for end in (interval.low, interval.high) if end is not None)


def _numbers(*ends: Expr) -> bool:
    return all(end.is_number for end in ends)


@dataclass(frozen=True, slots=True)
class Condition:
    """A posynomial whose sign is one of ``signs`` (a subset of -1, 0, 1)."""

    value: Posynomial
    signs: frozenset[int]

    @property
    def op(self) -> str:
        """How the value compares with zero."""
        return _OPERATORS[self.signs]

    def sides(self) -> tuple[Posynomial, Posynomial]:
        """The positive terms and the negated negative terms: ``sides[0] op sides[1]``."""
        positive = {m: c for m, c in self.value.terms.items() if c > 0}
        negative = {m: -c for m, c in self.value.terms.items() if c < 0}
        return Posynomial(positive), Posynomial(negative)

    def holds(self, value: Fraction) -> bool:
        """Whether it holds where its posynomial takes this value."""
        return ((value > 0) - (value < 0)) in self.signs


_OPERATORS = {
    frozenset({1}): ">",
    frozenset({1, 0}): ">=",
    frozenset({0}): "=",
    frozenset({-1}): "<",
    frozenset({-1, 0}): "<=",
    frozenset({-1, 1}): "!=",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A solution set and the conditions, all of which must hold, under which it is the answer.

    ``otherwise`` marks the case that holds whenever no other does; it lists no conditions.
    """

    intervals: Intervals
    when: tuple[Condition, ...] = ()
    otherwise: bool = False

    @property
    def is_always(self) -> bool:
        """Whether every positive value solves the inequality."""
        return self.intervals == EVERYTHING

    @property
    def is_never(self) -> bool:
        """Whether no value does."""
        return not self.intervals


def combined(left: Iterable[Case], right: Iterable[Case], join: Join) -> tuple[Case, ...]:
    """Join two answers: every pair of cases whose conditions do not exclude each other."""
    pairs = ((a, b, _both(a.when, b.when)) for a in left for b in tuple(right))
    return tuple(
        Case(join(a.intervals, b.intervals), when) for a, b, when in pairs if when is not None
    )


def _both(
    left: tuple[Condition, ...], right: tuple[Condition, ...]
) -> tuple[Condition, ...] | None:
    """Both lists of conditions, joined where they speak of one value; None if they clash."""
    joined = {condition.value: condition.signs for condition in left}
    for condition in right:
        value, signs = condition.value, condition.signs
        if -value in joined:
            value, signs = -value, frozenset(-s for s in signs)
        joined[value] = joined.get(value, signs) & signs
    if not all(joined.values()):
        return None
    return tuple(Condition(value, signs) for value, signs in joined.items())


def with_otherwise(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Say the commonest plain answer (never, always) under "otherwise", else the last one."""
    answers = [case.intervals for case in cases]
    if len(set(answers)) == 1:
        return (Case(answers[0]),)
    plain = [answer for answer in (NOTHING, EVERYTHING) if answer in answers]
    rest = max(plain, key=answers.count) if plain else answers[-1]
    others = tuple(case for case in cases if case.intervals != rest)
    return (*others, Case(rest, otherwise=True))


def spelled_out(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The same cases with "otherwise" as conditions, one case for each way to get there."""
    named = [case for case in cases if not case.otherwise]
    rest = next((case for case in cases if case.otherwise), None)
    if rest is None:
        return cases
    ways = conditions_outside(named)
    return (*named, *(Case(rest.intervals, when) for when in ways))


def conditions_outside(cases: Iterable[Case]) -> list[tuple[Condition, ...]]:
    """The lists of conditions under which none of the cases applies; they exclude each other."""
    ways: list[tuple[Condition, ...]] = [()]
    for case in cases:
        pairs = ((known, part) for known in ways for part in _failing(case))
        ways = [joined for known, part in pairs if (joined := _both(known, part)) is not None]
    return ways


def _failing(case: Case) -> list[tuple[Condition, ...]]:
    """The ways in which a list of conditions fails: the first does, or the second does, …"""
    ways = []
    for index, condition in enumerate(case.when):
        contrary = Condition(condition.value, frozenset({-1, 0, 1}) - condition.signs)
        ways.append((*case.when[:index], contrary))
    return ways


def exclude_each_other(left: Case, right: Case) -> bool:
    """Whether two lists of conditions plainly contradict each other."""
    return _both(left.when, right.when) is None
