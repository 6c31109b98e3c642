"""Equations that a page wants to hold, and what it says they are solved by."""

from __future__ import annotations

from dataclasses import replace

from symcost.algebra.relation import Relation
from symcost.checker.claims import Claim, Side
from symcost.checker.compare import counterexample
from symcost.checker.equality import equal
from symcost.checker.question import plugged
from symcost.checker.report import Report
from symcost.pages.known import Known
from symcost.pages.wording import leads


def follow_condition(claim: Claim, known: Known) -> tuple[Report, Known] | None:
    """Check ``T = 2D`` against the equation before it, "the two are equal when ...".

    Args:
        claim: a name and a formula for it.
        known: what the page has said; the condition is used up.

    Returns:
        The report; ``None`` when no equation for the name stands before, so that it is defined.
    """
    condition, name, side = known.condition, claim.sides[0].expr, claim.sides[1]
    if condition is None or name not in condition.free_symbols:
        return None
    put = {name: side.expr}
    left, right = (
        plugged(known.put(each).xreplace(put), known.values)
        for each in (condition.lhs, condition.rhs)
    )
    if side.expr.free_symbols - condition.free_symbols or not leads(known.at):
        return None
    known = replace(known, condition=None)
    if equal(left, right):
        return Report(
            "exact", claim.text, expected=left, note="solves the equation before it"
        ), known
    found = _solution(condition, claim, side)
    point = counterexample(left, right)
    if point is None or side.printed is not None:
        return replace(found, verdict="undecided", note="the equation could not be decided"), known
    return replace(found, counterexample=point), known


def _solution(condition: Relation, claim: Claim, side: Side) -> Report:
    note = f"it does not solve {condition.lhs} = {condition.rhs}"
    return Report("wrong", claim.text, claimed=side.expr, note=note)
