"""A set is equal with its condition: ``B > 100*D/(D - 100)`` holds nothing where D < 100."""

from __future__ import annotations

from dataclasses import replace

from symcost.algebra import as_ratio
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import Condition, Relation
from symcost.analysis.thresholds.phrases import condition_math, threshold_text, threshold_words
from symcost.analysis.thresholds.threshold import Threshold
from symcost.checker.claims import Claim, Side
from symcost.checker.compare import relation_counterexample
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.question import Question
from symcost.checker.report import Diagnosis, Report
from symcost.documents.blocks import Inline, joined
from symcost.render.formats.text import words_text

_TURNED = str.maketrans("<>", "><")


def with_conditions(
    report: Report, claim: Claim, rule: Threshold, expected: Expected, names: tuple[str, ...]
) -> Report:
    """The report of a bound that fits, judged by the condition that belongs to it.

    Args:
        report: the report of the bound alone; ``claimed`` is the relation.
        claim: the claim with the conditions that it states.
        rule: the set of values that is derived, with numbers put in.
        expected: what is derived.
        names: names that are one symbol.

    Returns:
        The same report where the conditions agree; otherwise wrong, with a point, or undecided.
    """
    if not report.holds or report.verdict == "limit":
        return report
    wanted = rule.main.when
    report = replace(report, when=wanted)
    if len(claim.conditions) == len(wanted) and _all_stated(claim, wanted, expected, names):
        return report
    relation = expected.relation
    assert relation is not None
    assert isinstance(report.claimed, Relation)
    point = relation_counterexample(report.claimed, relation, expected.values, _relations(claim))
    text = threshold_text(rule)
    if point is None:
        return replace(report, verdict="undecided", note=f"the whole rule is {text}")
    said = _what_differs(claim, wanted)
    found = Diagnosis(
        "dropped-condition",
        f"{words_text(said)}: {text}",
        str(len(wanted)),
        shown=(*said, ": ", *threshold_words(rule)),
    )
    return replace(
        report,
        verdict="wrong",
        ratio=None,  # of the bounds, which are equal: the sets are not
        error=None,
        note="",
        counterexample=point,
        diagnosis=(found,),
    )


def _what_differs(claim: Claim, wanted: tuple[Condition, ...]) -> tuple[Inline, ...]:
    """Which condition is missing, or that one is stated which does not belong to the bound."""
    if not wanted:
        return ("no condition belongs to it",)
    conditions = joined([(condition_math(each),) for each in wanted], " and ")
    if claim.conditions:
        return ("the bound holds under another condition, ", *conditions)
    return ("the bound needs ", *conditions, ", which is not stated")


def _relations(claim: Claim) -> tuple[Relation, ...]:
    found = (each for each in claim.conditions if each.is_inequality)
    return tuple(Relation(c.sides[0].expr, c.signs[0], c.sides[1].expr) for c in found)


def _all_stated(
    claim: Claim, wanted: tuple[Condition, ...], expected: Expected, names: tuple[str, ...]
) -> bool:
    """Whether each condition is one of those that are claimed."""
    return all(
        any(_is_same(each, condition, expected, names) for each in claim.conditions)
        for condition in wanted
    )


def _is_same(claim: Claim, wanted: Condition, expected: Expected, names: tuple[str, ...]) -> bool:
    """Whether a claimed inequality is a condition, its numbers rounded or not."""
    if not claim.is_inequality:
        return False
    (left, right), op = claim.sides, claim.signs[0]
    if op[0] != wanted.op[0]:
        left, right, op = right, left, op.translate(_TURNED)
    if op != wanted.op:
        return False
    gap = as_ratio(left.expr) - as_ratio(right.expr)
    if normalized(gap.num * gap.den) == normalized(wanted.value):
        return True
    large, small = wanted.sides()
    if not large or not small or not right.expr:
        return False
    side = Side(f"({left.text})/({right.text})", left.expr / right.expr)
    value = large.to_sympy() / small.to_sympy()
    right_side = Expected(value, values=expected.values)
    return judge(Question(side, right_side, names=names)).verdict in ("exact", "rounded")
