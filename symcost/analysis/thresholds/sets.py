"""Answers by cases: sets of intervals, and the conditions under which each is the answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Symbol

from symcost.algebra.relation import ANY, Condition
from symcost.algebra.signs import Facts, possible_signs
from symcost.analysis.thresholds.intervals import EVERYTHING, NOTHING, Intervals, Join
from symcost.analysis.values import fitting
from symcost.errors import UndecidedError
from symcost.notation.border import Number
from symcost.render.shown import Displayed
from symcost.symbols import is_dim


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

    def told(self, symbol: Symbol) -> Intervals:
        """The intervals but those that hold no size where the symbol is one, unless none does."""
        whole = tuple(i for i in self.intervals if not is_dim(symbol) or i.holds_integer)
        return whole or self.intervals


class Solution(Displayed):
    """The values of a symbol that solve something, case by case."""

    __slots__ = ()
    symbol: Symbol
    cases: tuple[Case, ...]

    @property
    def main(self) -> Case:
        """The case that matters: the first that is not "never"."""
        return next((case for case in self.cases if not case.is_never), self.cases[0])

    @property
    def is_always(self) -> bool:
        """Whether every value is a solution, without a condition."""
        return all(case.is_always for case in self.cases)

    @property
    def is_never(self) -> bool:
        """Whether no value is, without a condition."""
        return all(case.is_never for case in self.cases)

    @property
    def smallest_integer(self) -> int | None:
        """The smallest integer of the main case, when its ends are numbers; rates have none."""
        known = [n for i in self.main.told(self.symbol) if (n := i.smallest_integer()) is not None]
        return min(known) if known and is_dim(self.symbol) else None

    @property
    def largest_integer(self) -> int | None:
        """The largest integer of the main case, when its ends are numbers; rates have none."""
        intervals = self.main.told(self.symbol)
        known = [n for i in intervals if (n := i.largest_integer()) is not None]
        ends = all(i.high is not None and i.high.is_number for i in intervals)
        return max(known) if known and ends and is_dim(self.symbol) else None

    def contains(self, value: Number) -> bool:
        """Whether a value is a solution; all other symbols must be numbers."""
        value = fitting(self.symbol, value)
        if any(case.when or case.otherwise for case in self.cases):
            raise UndecidedError(
                "the answer depends on other symbols", repair="give numbers for them"
            )
        return any(interval.contains(value) for interval in self.main.intervals)


def combined(left: Iterable[Case], right: Iterable[Case], join: Join) -> tuple[Case, ...]:
    """Join two answers: every pair of cases whose conditions do not exclude each other."""
    pairs = ((a, b, conditions_of(a.when, b.when)) for a in left for b in tuple(right))
    return tuple(
        Case(join(a.intervals, b.intervals), when) for a, b, when in pairs if when is not None
    )


def conditions_of(
    left: tuple[Condition, ...], right: tuple[Condition, ...]
) -> tuple[Condition, ...] | None:
    """Both lists of conditions, joined where they speak of one value; None if they clash."""
    joined = {condition.value: condition.signs for condition in left}
    for condition in right:
        value, signs = condition.value, condition.signs
        if -value in joined:
            value, signs = -value, condition.turned().signs
        joined[value] = joined.get(value, signs) & signs
    if not all(joined.values()):
        return None
    return tuple(Condition(value, signs) for value, signs in joined.items())


def merged(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Join cases with one answer whose conditions differ in the signs of one value only."""
    rows = list(cases)
    index = 0
    while index < len(rows):
        for other in range(index + 1, len(rows)):
            joined = _joined(rows[index], rows[other])
            if joined is not None:
                rows[index] = joined
                del rows[other]
                index = -1
                break
        index += 1
    return tuple(Case(row.intervals, tuple(c for c in row.when if c.signs != ANY)) for row in rows)


def _joined(one: Case, other: Case) -> Case | None:
    if one.intervals != other.intervals:
        return None
    left, right = ({c.value: c.signs for c in case.when} for case in (one, other))
    differ = [value for value in left if left[value] != right.get(value)]
    if left.keys() != right.keys() or len(differ) > 1:
        return None
    whole = {value: signs | right[value] for value, signs in left.items()}
    when = (Condition(value, signs) for value, signs in whole.items() if signs != ANY)
    return Case(one.intervals, tuple(when))


def simplified(case: Case, facts: Facts) -> Case:
    """The case without conditions that follow from the others and from what is known."""
    kept = list(case.when)
    for each in case.when:
        others = [other for other in kept if other is not each]
        signs = possible_signs(each.value, facts.adding(others))
        if signs <= each.signs:
            kept = others
        elif signs & each.signs == {0}:
            kept = [Condition(each.value, frozenset({0})) if c is each else c for c in kept]
    if tuple(kept) == case.when:
        return case
    return simplified(Case(case.intervals, tuple(kept)), facts)


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
        ways = [
            joined for known, part in pairs if (joined := conditions_of(known, part)) is not None
        ]
    return ways


def _failing(case: Case) -> list[tuple[Condition, ...]]:
    """The ways in which a list of conditions fails: the first does, or the second does, …"""
    return [(*case.when[:i], condition.negated()) for i, condition in enumerate(case.when)]
