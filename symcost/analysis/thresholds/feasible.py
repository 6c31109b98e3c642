"""Several inequalities at once: the values of one symbol that satisfy all, and what binds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sympy import Expr, Symbol

from symcost.algebra import Maximum, Minimum, Posynomial, as_ratio
from symcost.algebra.budget import Kind, budget
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import Condition, Relation
from symcost.algebra.signs import Facts, possible_signs
from symcost.analysis.assume import Assumed, assumed
from symcost.analysis.thresholds.asking import question
from symcost.analysis.thresholds.inequality import all_or_any, cleared, possible
from symcost.analysis.thresholds.intervals import NOTHING, Interval
from symcost.analysis.thresholds.phrases import SMOOTH, statement
from symcost.analysis.thresholds.sets import (
    Case,
    Solution,
    conditions_of,
    merged,
    spelled_out,
)
from symcost.analysis.thresholds.threshold import WORK, Threshold, solved
from symcost.analysis.values import numbers_for
from symcost.documents.blocks import Block, Rule, Words, joined, words
from symcost.documents.wording import relation_words
from symcost.errors import InvalidValueError, SymcostError
from symcost.notation.border import ARelation, Assumptions, ASymbol, Values
from symcost.registry import ReadOnly
from symcost.render.formats.text import words_text

Named = tuple[tuple[str, Threshold], ...]


@dataclass(frozen=True, slots=True)
class Range:
    """One interval of feasible values; the names of the constraints that bind at each end."""

    interval: Interval
    low_binds: tuple[str, ...] = ()
    high_binds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Feasible(Solution, ReadOnly):
    """The values of ``symbol`` that satisfy all constraints, case by case.

    ``constraints`` holds the threshold of each by name; ``ranges`` are those of the main case.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> sc.feasible([B > 100, B * D < 8192], B).at(D=64).smallest_integer
    101
    """

    symbol: Symbol
    constraints: Mapping[str, Threshold]
    cases: tuple[Case, ...]
    facts: Facts
    unit: str = ""  # of the symbol, where the units of the question decide it
    written: Mapping[str, Relation] = field(default_factory=dict)  # where they have no names

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The intervals of the main case with what binds at their ends."""
        return self.ranges_of(self.main)

    def ranges_of(self, case: Case) -> tuple[Range, ...]:
        """The intervals of a case with what binds at their ends."""
        return tuple(
            Range(each, self._binding(each.low, Maximum), self._binding(each.high, Minimum))
            for each in case.told(self.symbol)
        )

    def _binding(self, end: Expr | None, extremum: type[Maximum | Minimum]) -> tuple[str, ...]:
        """The constraints that have this end, or one of those it is the extremum of."""
        ends = _with_parts(end, extremum)
        return tuple(
            name for name, rule in self.constraints.items() if ends & _ends(rule, extremum)
        )

    def at(self, values: Values | None = None, **named: object) -> Feasible:
        """The same question with numbers for other symbols, answered anew."""
        symbols = {s for rule in self.constraints.values() for s in rule.parameters}
        given = numbers_for(values, symbols, named)
        rules = tuple((name, _with(rule, given)) for name, rule in self.constraints.items())
        answer = _together(self.symbol, rules, self.facts)
        return replace(answer, unit=self.unit, written=self.written)

    _label = "Feasible"

    def blocks(self) -> tuple[Block, ...]:
        """The cases, the main one with what binds at its ends."""
        said = [
            replace(statement(c, self.symbol, self.unit), note=self._binds(c)) for c in self.cases
        ]
        if self.is_smooth:
            return (Rule(tuple(replace(each, remark="") for each in said), SMOOTH),)
        return (Rule(tuple(said)),)

    @property
    def is_smooth(self) -> bool:
        """Whether ``x`` stands for a ceiling or floor of ``x`` in an inequality."""
        return any(rule.form == "smooth" for rule in self.constraints.values())

    def data(self) -> dict[str, object]:
        """The cases, and what binds at the ends of the main one."""
        binds = [{"from": [*r.low_binds], "up_to": [*r.high_binds]} for r in self.ranges]
        cases = [statement(case, self.symbol, self.unit) for case in self.cases]
        return {"symbol": self.symbol.name, "cases": cases, "binds": binds}

    def _binds(self, case: Case) -> Words:
        """What binds at the ends of the main case."""
        compared = {(rule.lhs, rule.rhs) for rule in self.constraints.values()}
        if case is not self.main or case.is_never or len(compared) < 2:  # of an equation
            return ""
        ends = [
            words(f"{end} ", *joined(map(self._named, names), " and "))
            for each in self.ranges
            for end, names in (("from", each.low_binds), ("up to", each.high_binds))
            if names
        ]
        return joined(ends)

    def _named(self, name: str) -> Words:
        """A constraint by its name, or as it was written."""
        relation = self.written.get(name)
        return name if relation is None else relation_words(relation)


def feasible(
    relations: ARelation | Iterable[ARelation] | Mapping[str, ARelation],
    symbol: ASymbol,
    assume: Assumptions | None = None,
) -> Feasible:
    """The values of one symbol that satisfy several inequalities, and which one binds where.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> feasible({"compute": B * D / (B + D) > 100, "memory": 2 * B * D < 10**6}, B).at(D=200)
    Feasible: B > 200 and B < 2500, smallest integer 201 (from compute, up to memory)

    Args:
        relations: inequalities, as a text or list, or by name as a mapping.
        symbol: the unknown or its name, a positive number.
        assume: assumptions, as for ``threshold``.

    Returns:
        Intervals with conditions, and the constraint that binds at each end.

    Raises:
        InvalidValueError: there is no inequality, or none has the symbol.
        UndecidedError: one of them has too many possible thresholds.
    """
    named = dict(relations) if isinstance(relations, Mapping) else None
    asked = question(relations if named is None else list(named.values()), symbol, assume)
    if not asked.relations:
        raise InvalidValueError("no inequality was given", repair="give at least one")
    if not any(asked.unknown in each.free_symbols for each in asked.relations):
        raise InvalidValueError(f"{asked.unknown} occurs in no inequality")
    given = assumed(asked.read.assumptions, asked.sides, [asked.unknown])
    texts = [words_text(relation_words(each)) for each in asked.relations]
    names = texts if named is None else [*map(str, named)]
    pairs = [*zip(names, asked.relations, strict=named is not None)]
    rules = tuple((name, _rule(name, each, asked.unknown, given)) for name, each in pairs)
    answer = _together(asked.unknown, rules, given.facts)
    return replace(answer, written=dict(pairs) if named is None else {})


def _rule(name: str, relation: Relation, symbol: Symbol, given: Assumed) -> Threshold:
    try:
        return solved(relation, symbol, given)
    except SymcostError as error:
        error.problem = f"{name}: {error.problem}"
        raise


def _with(rule: Threshold, given: Mapping[Symbol, Expr]) -> Threshold:
    known = {symbol: value for symbol, value in given.items() if symbol in rule.parameters}
    return rule.at(known) if known else rule


def _together(symbol: Symbol, rules: Named, facts: Facts) -> Feasible:
    answers = [spelled_out(rule.cases) for _, rule in rules]
    with budget(WORK, Kind.SIGNS):
        cases = possible(all_or_any(answers, False, facts, by_roots=True), facts)
        separate = tuple(part for case in cases for part in _non_empty(case, facts))
    return Feasible(symbol, dict(rules), _ordered(merged(separate)), facts)


def _non_empty(case: Case, facts: Facts) -> list[Case]:
    """Split by whether an interval holds a number, where its two ends decide that."""
    for interval in case.intervals:
        gap = _gap(interval, case, facts)
        if gap is None:
            continue
        rest = tuple(each for each in case.intervals if each != interval)
        kept = Case(case.intervals, (*case.when, gap))
        lost = Case(rest, (*case.when, gap.negated()))
        ways = possible((kept, lost), facts)
        return [part for each in ways for part in _non_empty(each, facts)]
    when = conditions_of((), case.when)
    return [] if when is None else [Case(tuple(map(_one_point, case.intervals)), when)]


def _one_point(interval: Interval) -> Interval:
    """``Max(100, D) <= B <= Min(100, D)`` as ``B = 100``, where it holds a number at all."""
    lows, highs = _parts(interval.low, Maximum), _parts(interval.high, Minimum)
    shared = [end for end in lows if end is not None and end in highs]
    if not shared or not (interval.low_closed and interval.high_closed):
        return interval
    point = min(shared, key=lambda end: (not end.is_number, str(end)))
    return replace(interval, low=point, high=point)


def _gap(interval: Interval, case: Case, facts: Facts) -> Condition | None:
    """That an upper end is above a lower one: the first such pair the case leaves open."""
    if interval.low is None or interval.high is None or interval.low == interval.high:
        return None
    known = facts.adding(case.when)
    signs = frozenset({0, 1} if interval.low_closed and interval.high_closed else {1})
    for low in _parts(interval.low, Maximum):
        for high in _parts(interval.high, Minimum):
            value = _difference(high, low, known)
            if value is not None and not possible_signs(value, known) <= signs:
                return Condition(value, signs)
    return None


def _parts(end: Expr | None, extremum: type[Maximum | Minimum]) -> tuple[Expr | None, ...]:
    return end.args if isinstance(end, extremum) else (end,)


def _difference(high: Expr, low: Expr, known: Facts) -> Posynomial | None:
    """A posynomial with the sign of ``high - low``, or None where roots are in the way."""
    try:
        difference = as_ratio(high) - as_ratio(low)
    except SymcostError:
        return None
    if not difference or any(not atom.is_Symbol for atom in difference.atoms):
        return None
    return normalized(cleared(difference, known))


def _ordered(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Feasible cases first; all infeasible ones are one "otherwise"."""
    some = tuple(case for case in cases if not case.is_never)
    if len(some) == len(cases):
        return some
    return (*some, Case(NOTHING, otherwise=True)) if some else (Case(NOTHING),)


def _ends(rule: Threshold, extremum: type[Maximum | Minimum]) -> set[Expr]:
    """The lower (for a maximum) or upper ends of a threshold, and what they are extrema of."""
    intervals = (interval for case in rule.cases for interval in case.intervals)
    ends = (each.low if extremum is Maximum else each.high for each in intervals)
    return {part for end in ends for part in _with_parts(end, extremum)}


def _with_parts(end: Expr | None, extremum: type[Maximum | Minimum]) -> set[Expr]:
    return set() if end is None else {end, *_parts(end, extremum)}
