"""A claimed set against the one that is derived: ends and conditions first, then the whole.

``B > 100*D/(D - 100)`` is not the solution of ``B*D/(B + D) > 100``: a set is equal with its
conditions only. What stands for an end or a condition, its numbers rounded or its border left
open, is put in its place; then both sets are brought to one form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from sympy import Expr, Symbol

from symcost.algebra.ratio import normalized
from symcost.algebra.relation import Condition, Relation
from symcost.analysis.thresholds.intervals import NOTHING
from symcost.analysis.thresholds.phrases import condition_math, threshold_words
from symcost.analysis.thresholds.sets import Case, conditions_outside
from symcost.analysis.thresholds.solution import solution_set
from symcost.analysis.thresholds.threshold import Threshold
from symcost.checker.claims import Branch, Claim, Side
from symcost.checker.compare import set_counterexample
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.mistakes import SHOWN
from symcost.checker.question import Asked, Question, plugged
from symcost.checker.report import Diagnosis, Report
from symcost.checker.said import of_words, said
from symcost.documents.blocks import Inline, joined
from symcost.errors import SymcostError

TURNED = str.maketrans("<>", "><")
_WORST = ("exact", "border", "rounded")


@dataclass(frozen=True, slots=True)
class ClaimedSet:
    """A claimed set, the derived one with numbers put in, and what that is derived from."""

    asked: Asked
    rule: Threshold
    bound: Relation | None = None  # what the one claimed end stands for, where that is known

    @property
    def branches(self) -> tuple[Branch[Claim], ...]:
        """The cases of the claim."""
        return branches_of(self.asked.claim)

    def report(self) -> Report:
        """The verdict on a set with several ends."""
        ends = [self._end(pair) for pair in self._bounding()]
        reports = [found for found, _ in ends if found is not None]
        fitting = [found.verdict for found in reports if found.verdict in _WORST]
        verdict = max(fitting, key=_WORST.index, default="exact")
        base = Report(verdict, self.asked.claim.text, quantity="threshold")
        return self.compared(base, [found for found in reports if found.verdict not in _WORST])

    def compared(self, report: Report, wrong: Iterable[Report] = ()) -> Report:
        """A report on the ends, judged by the whole sets: equal, refuted at a point, or open."""
        meant = tuple(branch.map(self._meant) for branch in self.branches)
        if self._is_equal(meant):
            return report
        typed = tuple(branch.map(self._typed) for branch in self.branches)
        relation = self.asked.expected.relation
        assert relation is not None
        fixed = self.asked.expected.values
        conditions = (c.relation() for case in self.rule.cases for c in case.when)
        borders = (*conditions, *_ends(self.rule))
        point = set_counterexample(typed, relation, self.rule.symbol, fixed, borders)
        if point is None:
            whole = of_words(threshold_words(self.rule))
            return replace(report, verdict="undecided", note=said("the whole rule is {}", whole))
        found = {each.kind: each for other in wrong for each in other.diagnosis}
        return replace(
            report,
            verdict="wrong",
            ratio=None,  # of the bounds, which may be equal: the sets are not
            error=None,
            note="",
            counterexample=point,
            diagnosis=tuple(found.values())[:SHOWN] or (self._difference(),),
        )

    def _bounding(self) -> Iterator[Claim]:
        for branch in self.branches:
            for together in branch.alternatives:
                yield from (each for each in together if _bound(each, self.rule.symbol))

    def _typed(self, pair: Claim) -> Relation:
        """A relation as it was typed, with numbers put in."""
        left, right = (plugged(side.expr, self.asked.expected.values) for side in pair.sides)
        return Relation(left, pair.signs[0], right)

    def _meant(self, pair: Claim) -> Relation:
        """The derived end or condition that a relation stands for; otherwise itself."""
        if _bound(pair, self.rule.symbol):
            return self.bound or self._end(pair)[1]
        wanted = (condition for case in self.rule.cases for condition in case.when)
        fitting = (each.relation() for each in wanted if self._is_same(pair, each))
        return next(fitting, self._typed(pair))

    def _end(self, pair: Claim) -> tuple[Report | None, Relation]:
        """The report on a claimed end, and the derived one that it stands for."""
        op, side = _bound(pair, self.rule.symbol) or ("", None)
        missed: Report | None = None
        for end in _ends(self.rule):
            if side is None or end.op[0] != op[0]:
                continue
            found = self._judged(side, end.rhs)
            if found.verdict in _WORST:
                is_border = found.verdict == "exact" and end.op != op
                return replace(found, verdict="border" if is_border else found.verdict), end
            missed = missed or found
        return missed, self._typed(pair)

    def _is_same(self, pair: Claim, wanted: Condition) -> bool:
        """Whether a claimed inequality is a condition, its numbers rounded or not."""
        (left, right), op = pair.sides, pair.signs[0]
        if op[0] != wanted.op[0]:
            left, right, op = right, left, op.translate(TURNED)
        if op != wanted.op:
            return False
        gap = Relation(left.expr, op, right.expr).condition()
        if gap.value == normalized(wanted.value):
            return True
        large, small = wanted.sides()
        if not large or not small or not right.expr:
            return False
        side = Side(f"({left.text})/({right.text})", left.expr / right.expr)
        found = self._judged(side, large.to_sympy() / small.to_sympy())
        return found.verdict in ("exact", "rounded")

    def _judged(self, side: Side, value: Expr) -> Report:
        expected = Expected(value, values=self.asked.expected.values)
        return judge(Question(side, expected, names=self.asked.names))

    def _is_equal(self, branches: tuple[Branch[Relation], ...]) -> bool:
        unknown, wanted = self.rule.symbol, _form(self.rule.cases)
        with suppress(SymcostError):
            return _form(_stated(branches, unknown)) == wanted or (
                _form(solution_set(_spelled_out(branches), unknown)) == wanted
            )
        return False

    def _difference(self) -> Diagnosis:
        text = of_words((*self._what_differs(), ": ", *threshold_words(self.rule)))
        return Diagnosis("dropped-condition", text, str(len(self.rule.main.when)))

    def _what_differs(self) -> tuple[Inline, ...]:
        """Which condition is missing, or that one is stated which does not belong to the bound."""
        wanted = self.rule.main.when
        if len(list(self._bounding())) != 1 or self.rule.bound is None:
            return ("the set is another one",)
        if not wanted:
            return ("no condition belongs to it",)
        conditions = joined([(condition_math(each),) for each in wanted], " and ")
        if any(branch.conditions for branch in self.branches):
            return ("the bound holds under another condition, ", *conditions)
        return ("the bound needs ", *conditions, ", which is not stated")


def branches_of(claim: Claim) -> tuple[Branch[Claim], ...]:
    """The cases of a claim, a chain of inequalities as one for each sign."""
    return tuple(
        replace(branch, alternatives=tuple(map(_pairs, branch.alternatives)))
        for branch in claim.branches or (Branch(((claim,),)),)
    )


def _pairs(together: tuple[Claim, ...]) -> tuple[Claim, ...]:
    return tuple(pair for each in together for pair in each.pairs)


def _bound(pair: Claim, unknown: Symbol) -> tuple[str, Side] | None:
    """The sign and the side of an end of the unknown, if it stands alone on the other side."""
    left, right = pair.sides
    if left.expr == unknown and unknown not in right.expr.free_symbols:
        return pair.signs[0], right
    if right.expr == unknown and unknown not in left.expr.free_symbols:
        return pair.signs[0].translate(TURNED), left
    return None


def _ends(rule: Threshold) -> Iterator[Relation]:
    """Every end of a derived set, as a relation."""
    for case in rule.cases:
        for interval in case.intervals:
            if interval.low is not None:
                yield Relation(rule.symbol, ">=" if interval.low_closed else ">", interval.low)
            if interval.high is not None:
                yield Relation(rule.symbol, "<=" if interval.high_closed else "<", interval.high)


def _form(cases: Iterable[Case]) -> set[object]:
    """Cases without the order and the direction in which things are written."""
    return {
        (
            frozenset(case.intervals),
            frozenset(part for each in case.when for part in each.upward() or (each,)),
            case.otherwise,
        )
        for case in cases
    }


def _stated(branches: tuple[Branch[Relation], ...], unknown: Symbol) -> Iterator[Case]:
    """The cases just as they are stated; where none applies nothing is in the set."""
    for each in branches:
        conditions = tuple(condition.condition() for condition in each.conditions)
        for case in solution_set([(each.alternatives, ())], unknown, solved=True):
            yield Case(case.intervals, (*case.when, *conditions), each.otherwise)
    if any(each.conditions for each in branches) and not any(each.otherwise for each in branches):
        yield Case(NOTHING, otherwise=True)


def _spelled_out(
    branches: tuple[Branch[Relation], ...],
) -> Iterator[tuple[Iterable[Iterable[Relation]], Iterable[Relation]]]:
    """The cases of a set, "otherwise" as the conditions under which it applies."""
    named = [branch for branch in branches if not branch.otherwise]
    yield from ((branch.alternatives, branch.conditions) for branch in named)
    applied = [Case(NOTHING, tuple(c.condition() for c in each.conditions)) for each in named]
    for branch in branches:
        for when in conditions_outside(applied) if branch.otherwise else ():
            yield branch.alternatives, [condition.relation() for condition in when]
