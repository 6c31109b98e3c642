"""Chains of equalities, checked link by link: each side against the one before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Symbol

from symcost.analysis.check.claims import Claim, Side
from symcost.analysis.check.expected import Expected
from symcost.analysis.check.judge import judge
from symcost.analysis.check.question import Question
from symcost.analysis.check.report import Report

_ORDER = ("wrong", "undecided", "convention", "limit", "rounded", "exact")


def check_chain(
    claim: Claim,
    values: Mapping[Symbol, Fraction],
    assume: Any = None,
    names: tuple[str, ...] = (),
) -> Report:
    """Check every link; a name that stands alone at the start is a definition, not a claim."""
    links = []
    sides, signs = list(claim.sides), list(claim.signs)
    if sides[0].expr.is_Symbol and sides[0].expr not in values and len(sides) > 1:
        sides, signs = sides[1:], signs[1:]
    for left, sign, right in zip(sides, signs, sides[1:], strict=False):
        links.append(_link(left, sign, right, values, assume, names))
    return combined(claim.text, tuple(links))


def _link(
    left: Side, sign: str, right: Side, values: Mapping[Symbol, Fraction], assume: Any, names: Any
) -> Report:
    """A printed number is judged against the formula, on whichever side it stands."""
    text = f"{left.text} {sign} {right.text}"
    if left.printed is not None and right.printed is None:
        left, right = right, left
    expected = Expected(left.expr, values=dict(values))
    question = Question(right, expected, assume, text, names, tolerant=sign == "≈")
    return judge(question)


def combined(text: str, links: tuple[Report, ...]) -> Report:
    """The report of a chain: the worst verdict, and what is wrong with the first bad link."""
    if not links:
        return Report("exact", text, note="a definition")
    worst = min(links, key=lambda link: _ORDER.index(link.verdict))
    first = next((link for link in links if not link.holds), worst)
    return replace(
        Report(first.verdict if not first.holds else worst.verdict, text, links=links),
        diagnosis=first.diagnosis,
        counterexample=first.counterexample,
        ratio=first.ratio,
        assume="; ".join(dict.fromkeys(link.assume for link in links if link.assume)),
        note="" if first.holds else f"the link that does not follow: {first.claim}",
    )
