"""Intervals of positive numbers, with symbolic ends: in both, in either, in none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key

from sympy import Expr, Integer, exp

from symcost.algebra import Maximum, Minimum
from symcost.algebra.reals import compare, floor_of
from symcost.algebra.relation import Relation
from symcost.algebra.signs import decided
from symcost.errors import UndecidedError


@dataclass(frozen=True, slots=True)
class Interval:
    """The positive numbers between ``low`` and ``high``; ``None`` stands for 0 and infinity."""

    low: Expr | None = None
    high: Expr | None = None
    low_closed: bool = False
    high_closed: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it certainly holds no number: its ends are equal, or numbers that are crossed."""
        closed = self.low_closed and self.high_closed
        if self.low is not None and self.low == self.high:
            return not closed
        if self.low is None or self.high is None or not _numbers(self.low, self.high):
            return self.high is not None and self.high.is_nonpositive is True
        return compare(self.low, self.high) >= (1 if closed else 0)

    def contains(self, value: Expr | int | Fraction) -> bool:
        """Whether a number belongs to it; its ends must be numbers."""
        above = self.low is None or compare(value, self.low) >= (0 if self.low_closed else 1)
        return above and (
            self.high is None or compare(self.high, value) >= (0 if self.high_closed else 1)
        )

    def largest_integer(self) -> int | None:
        """The largest integer inside, if the upper end is a number."""
        if self.high is None or not self.high.is_number:
            return None
        last = floor_of(self.high) if self.high_closed else -floor_of(-self.high) - 1
        return last if last > 0 and self.contains(Integer(last)) else None

    def smallest_integer(self) -> int | None:
        """The smallest integer from 1 on that belongs to it, or ``None``."""
        start = 1
        if self.low is not None:
            if not self.low.is_number:
                return None
            start = -floor_of(-self.low) if self.low_closed else floor_of(self.low) + 1
        if self.high is not None and not self.high.is_number:
            return None
        start = max(1, start)
        return start if self.contains(Integer(start)) else None

    @property
    def holds_integer(self) -> bool:
        """Whether an integer from 1 on belongs to it, as far as its ends tell."""
        if self.high is None:
            return True
        ends = [e for e in getattr(self.high, "args", ()) if isinstance(self.high, Minimum)]
        uppers = [each for each in (self.high, *ends) if each.is_number]
        if any(compare(end, 1) < (0 if self.high_closed else 1) for end in uppers):
            return False
        if isinstance(self.high, exp) and not self.high.is_number:  # at most 1: nothing is inside
            below = Relation(self.high.args[0], "<" if self.high_closed else "<=", Integer(0))
            return decided(below) is not True
        numbers = self.high.is_number and (self.low is None or self.low.is_number)
        return not numbers or self.smallest_integer() is not None


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
    if EVERYTHING[0] in either:
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
        return first if (compare(a, b) > 0) == (extremum is Maximum) else second
    larger = order(a, b)
    if larger == 0:  # the open one, as where it is the tighter one, so that the two cases are one
        return second if a_closed else first
    if larger is not None:
        return first if (larger > 0) == (extremum is Maximum) else second
    if a_closed != b_closed:
        raise MixedEndsError(*((b, a) if a_closed else (a, b)))
    return extremum(a, b), a_closed


def _joined(intervals: Intervals) -> Intervals:
    """Sort numeric intervals and merge those that touch or overlap."""
    ordered = sorted(intervals, key=cmp_to_key(_from_below))
    merged = [ordered[0]]
    for interval in ordered[1:]:
        if _touch(merged[-1], interval):
            merged[-1] = _hull(merged[-1], interval)
        else:
            merged.append(interval)
    return tuple(merged)


def _from_below(first: Interval, second: Interval) -> int:
    return compare(first.low or Integer(0), second.low or Integer(0))


def _touch(first: Interval, second: Interval) -> bool:
    """Whether no number lies between two intervals, of which the first starts no later."""
    if first.high is None or second.low is None or compare(second.low, first.high) < 0:
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
        last = first if compare(first.high, second.high) > 0 else second
        high, high_closed = last.high, last.high_closed
    return Interval(first.low, high, low_closed, high_closed)


def _same(a: Expr | None, b: Expr | None) -> bool:
    """Whether two numeric ends are one number, however they are written."""
    if a is None or b is None or a == b:
        return a is b or a == b
    return compare(a, b) == 0


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
