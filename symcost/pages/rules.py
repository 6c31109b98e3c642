"""Inequalities of a page: one starts a derivation, the next must follow from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from sympy import Expr, Symbol

from symcost.algebra.relation import Relation
from symcost.checker.claims import Claim
from symcost.checker.compare import holds
from symcost.checker.expected import Expected
from symcost.checker.inequalities import check_inequality
from symcost.checker.question import plugged
from symcost.checker.report import Report
from symcost.checker.samples import small_points, wide_points
from symcost.pages.missing import without_value
from symcost.pages.page import State

TRIED = 60  # points at which an inequality may hold
_OTHER_CASE = re.compile(
    r"\b(?:instead|otherwise|contrast|contrary|however|alternatively|conversely|whereas|unless"
    r"|(?:u?int|fp|bf|float|bfloat|e[45]m)\d+|(?:un)?quanti[sz]ed|sparse|sparsity|\d+-bit)\b",
    re.IGNORECASE,
)
_CASE = re.compile(r"\b(?:with|for|if|when|under|using|without)\b(?![^.$]*\$)", re.IGNORECASE)
_DIRECTION = ("flipped-inequality", "other-symbol")


def follow_rule(claim: Claim, state: State) -> Report:
    """An inequality starts a derivation, or must follow from the one before.

    Args:
        claim: one inequality.
        state: what the page has said; the inequality is remembered in it.

    Returns:
        The report; undecided when a value is missing to compare the two.
    """
    sides = tuple(replace(side, expr=state.put(side.expr)) for side in claim.sides)
    claim = replace(claim, sides=sides)
    relation = Relation(sides[0].expr, claim.signs[0], sides[1].expr)
    before, state.relation = state.relation, relation
    other_case, state.prose = _other_case(claim, state), ""
    if before is None or not _related(before, relation, state.values):
        return _alone(claim, relation)
    if before == relation:
        return Report("exact", claim.text, note="as before")
    shared = before.free_symbols & relation.free_symbols
    values = {s: v for s, v in state.values.items() if s not in shared}
    expected = Expected(relation=before, values=values, quantity="threshold")
    report = check_inequality(claim, expected, None, state.assume, state.names)
    if not report.holds:
        state.relation = before
    if report.verdict in ("wrong", "convention") and other_case:
        state.relation = relation
        return without_value(report, "the text may speak of another case than that of the rule")
    names = _without_value(report, values, state)
    if report.verdict in ("wrong", "undecided") and names:
        verb = "has no value" if len(names) == 1 else "have no values"
        return without_value(report, f"{', '.join(names)} {verb} on the page before this line")
    return report


def _other_case(claim: Claim, state: State) -> bool:
    """Whether the text before a rule turns to other assumptions than those of the last rule."""
    if _OTHER_CASE.search(state.prose):
        return True
    symbols = claim.sides[1].expr.free_symbols - set(state.values)
    return bool(symbols and _CASE.search(state.prose))


def _alone(claim: Claim, relation: Relation) -> Report:
    """Nothing to compare it with: numbers decide; one that never holds is not believed."""
    if not relation.free_symbols:
        return Report("exact" if holds(relation, {}) else "wrong", claim.text)
    points = [*small_points(sorted(relation.free_symbols, key=lambda s: s.name))]
    points += islice(wide_points(relation.lhs, relation.rhs), TRIED)
    found = [holds(relation, point) for point in points]
    if True not in found and False in found:
        return Report("undecided", claim.text, note="no sizes were found at which it holds")
    return Report("exact", claim.text, note="starts a derivation")


def _related(before: Relation, after: Relation, values: Mapping[Symbol, Fraction]) -> bool:
    """Whether an inequality can be meant to follow: it has no symbol that the other lacks."""
    new = after.free_symbols - before.free_symbols - set(values)
    return not new and bool(after.free_symbols & before.free_symbols)


def _without_value(
    report: Report, values: Mapping[Symbol, Fraction], state: State
) -> tuple[str, ...]:
    """Symbols of the bound that is derived, when the bound that is claimed is a number."""
    if any(each.kind in _DIRECTION for each in report.diagnosis):
        return ()
    bounds = [each.rhs for each in (report.claimed, report.expected) if isinstance(each, Relation)]
    if len(bounds) != 2 or bounds[0].free_symbols:
        return ()
    bound: Expr = plugged(bounds[1], values)
    open_ = {s.name for s in bound.free_symbols} - state.limits
    return tuple(sorted(open_))
