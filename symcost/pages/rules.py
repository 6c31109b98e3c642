"""Inequalities of a page: one starts a derivation, the next must follow from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from sympy import Expr, Symbol

from symcost.algebra.assumptions import MuchLess
from symcost.algebra.relation import Relation
from symcost.checker.claims import Claim
from symcost.checker.compare import holds
from symcost.checker.expected import Expected
from symcost.checker.inequalities import check_inequality
from symcost.checker.question import Asked, plugged
from symcost.checker.report import Report
from symcost.checker.samples import small_points, wide_points
from symcost.pages.known import Known
from symcost.pages.missing import without, without_value
from symcost.pages.orders import under_orders
from symcost.pages.wording import is_other_case, leads

TRIED = 60  # points at which an inequality may hold
_DIRECTION = ("flipped-inequality", "other-symbol")


def follow_rule(claim: Claim, known: Known) -> tuple[Report, Known]:
    """An inequality starts a derivation, or must follow from the one before.

    Args:
        claim: one inequality.
        known: what the page has said.

    Returns:
        The report, undecided when a value is missing to compare the two; and what the page has
        said after it, with the inequality.
    """
    sides = tuple(replace(side, expr=known.put(side.expr)) for side in claim.sides)
    claim = replace(claim, sides=sides)
    relation = Relation(sides[0].expr, claim.signs[0], sides[1].expr)
    before, text = known.rule, known.before + known.at.before
    known = replace(known, rule=relation, before="")
    if before is None or not _related(before, relation, known.values):
        return _alone(claim, relation), known
    shared = before.free_symbols & relation.free_symbols
    values = {s: v for s, v in known.values.items() if s not in shared}
    expected = Expected(relation=before, values=values, quantity="threshold")

    def ask(orders: tuple[MuchLess, ...] | None) -> Report:
        names = tuple(known.names)
        return check_inequality(Asked(claim, expected, None, orders or known.assume, names))

    orders = () if known.assume else known.orders
    report = under_orders(ask, orders, known.at, before.free_symbols | relation.free_symbols)
    new_symbols = bool(claim.sides[1].expr.free_symbols - set(known.values))
    if report.verdict in ("wrong", "convention") and is_other_case(text, new_symbols):
        note = "the text may speak of another case than that of the rule"
        return without_value(report, note), known
    if not report.holds:
        known = replace(known, rule=before)
    note = without(_open(report, values, known))
    if report.verdict in ("wrong", "undecided") and note:
        return without_value(report, note), known
    if report.verdict == "wrong" and not leads(known.at):
        return Report("exact", claim.text, note="another rule"), replace(known, rule=relation)
    return report, known


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


def _open(report: Report, values: Mapping[Symbol, Fraction], known: Known) -> Collection[Symbol]:
    """Symbols of the bound that is derived, when the bound that is claimed is a number."""
    if any(each.kind in _DIRECTION for each in report.diagnosis):
        return ()
    bounds = [each.rhs for each in (report.claimed, report.expected) if isinstance(each, Relation)]
    if len(bounds) != 2 or bounds[0].free_symbols:
        return ()
    bound: Expr = plugged(bounds[1], values)
    large = {name for o in known.orders for name in re.findall(r"[A-Za-z]\w*", o.text)}
    return [symbol for symbol in bound.free_symbols if symbol.name not in large]
