"""Chains of equalities, checked link by link: each side against the one before it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Symbol

from symcost.algebra.relation import Relation
from symcost.checker.claim_reading import as_counts
from symcost.checker.claims import Claim, Side
from symcost.checker.compare import holds
from symcost.checker.equality import ratio_of
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.question import Question
from symcost.checker.report import Diagnosis, Report
from symcost.errors import InvalidValueError, SymcostError
from symcost.notation.border import Assumptions

MISSED = {
    "wrong": "the link that does not follow",
    "convention": "the link that holds under another convention",
    "undecided": "the link that cannot be decided",
}
_THOUSAND = "a k is 1024 here, not 1000"
_ORDER = ("wrong", "convention", "undecided", "limit", "rounded", "border", "exact")


def check_chain(
    claim: Claim,
    values: Mapping[Symbol, Fraction],
    assume: Assumptions | None = None,
    names: tuple[str, ...] = (),
) -> Report:
    """Check every link; a name that stands alone at the start is a definition, not a claim."""
    links = []
    sides, signs = list(claim.sides), list(claim.signs)
    others = {symbol for side in sides[1:] for symbol in side.expr.free_symbols}
    if claim.introduces(others | set(values)):
        sides, signs = sides[1:], signs[1:]
    for left, sign, right in zip(sides, signs, sides[1:], strict=False):
        links.append(_link(left, sign, right, values, assume, names))
    return combined(claim.text, tuple(links))


def check_alone(
    claim: Claim,
    values: Mapping[Symbol, Fraction],
    assume: Assumptions | None = None,
    names: tuple[str, ...] = (),
) -> Report:
    """A chain; of ``B > C/W = 240`` both chains, and the inequality if it has numbers.

    Raises:
        InvalidValueError: nothing is claimed to be equal, and no number decides.
    """
    if claim.is_chain:
        report = check_chain(claim, values, assume, names)
        return report if report.holds or values else _counted(claim, report, assume)
    if not claim.signs:
        raise InvalidValueError(
            "there is nothing to compare the claim with",
            repair="give a program, a formula, or a chain such as a = b",
        )
    before, rule, after = claim.parts()
    chains = (check_chain(part, values, assume, names) for part in (before, after) if part.signs)
    links = [link for chain in chains for link in chain.links]
    found = _decided(rule, values)
    if found is not None:
        verdict = "exact" if found else "wrong"
        links.append(Report(verdict, rule.text))
    elif not links:
        raise InvalidValueError(
            f"there is nothing to compare {rule.text} with",
            repair="give a program, a rule, or numbers for all symbols",
        )
    report = combined(claim.text, tuple(links))
    open_note = f"nothing was given to compare {rule.text} with"
    return report if found is not None or report.note else replace(report, note=open_note)


def _counted(claim: Claim, report: Report, assume: Assumptions | None) -> Report:
    """A report that does not hold, or that with the letters behind numbers as counts."""
    for thousand in (1000, 1024):
        with suppress(SymcostError):
            counted = check_chain(as_counts(claim, thousand), {}, assume)
            if counted.holds:
                binary = thousand != 1000
                return _in_powers_of_two(claim, report, counted) if binary else counted
    return report


def _in_powers_of_two(claim: Claim, report: Report, counted: Report) -> Report:
    """The report of a chain that holds where a k is 1024, which is said of the links that ask it.

    >>> from symcost.checker.claim_reading import read_claim
    >>> check_alone(read_claim("128K = 131072 = 131072"), {}).verdict
    'convention'
    """
    kind = Diagnosis("binary-prefix", _THOUSAND, "1024")
    plain = {link.claim for link in report.links if link.holds}
    links = (
        link
        if link.claim in plain
        else replace(link, verdict="convention", note=_THOUSAND, diagnosis=(kind,))
        for link in counted.links
    )
    return combined(claim.text, tuple(links))


def _decided(rule: Claim, values: Mapping[Symbol, Fraction]) -> bool | None:
    left, right = rule.sides
    return holds(Relation(left.expr, rule.signs[0], right.expr), values)


def _link(
    left: Side,
    sign: str,
    right: Side,
    values: Mapping[Symbol, Fraction],
    assume: Assumptions | None,
    names: Any,
) -> Report:
    """A printed number is judged against the formula, on whichever side it stands."""
    text = f"{left.text} {sign} {right.text}"
    if (left.printed is not None and right.printed is None) or (
        right.expr.free_symbols and not left.expr.free_symbols
    ):
        left, right = right, left
    expected = Expected(left.expr, values=dict(values), text=left.text)
    question = Question(right, expected, assume, text, names, tolerant=sign == "≈")
    report = judge(question)
    if report.holds:
        return report
    if not right.expr.free_symbols and (names_ := _without_value(left, values)):
        told, verb = ", ".join(names_), "has" if len(names_) == 1 else "have"
        note = f"no value is known for {told}"
        if right.printed is None:
            note = f"the insertion could not be checked: {told} {verb} no value"
        return replace(Report("undecided", text), note=note)
    if left.dimension and right.dimension and left.dimension != right.dimension:
        said = f"{left.unit} and {right.unit} measure different things"
        return replace(report, diagnosis=(Diagnosis("unit-mismatch", said, right.unit),))
    return report


def _without_value(side: Side, values: Mapping[Symbol, Fraction]) -> list[str]:
    """What has no value in a formula, once it is reduced."""
    reduced = ratio_of(side.expr)
    symbols = side.expr.free_symbols if reduced is None else reduced.to_sympy().free_symbols
    return sorted(symbol.name for symbol in symbols - set(values))


def combined(text: str, links: tuple[Report, ...]) -> Report:
    """The report of a chain: that of the first of its worst links."""
    if not links:
        return Report("exact", text, note="a definition")
    first = min(links, key=lambda link: _ORDER.index(link.verdict))
    return replace(
        Report(first.verdict, text, links=links),
        diagnosis=first.diagnosis,
        counterexample=first.counterexample,
        ratio=first.ratio,
        assume="; ".join(dict.fromkeys(link.assume for link in links if link.assume)),
        note="" if first.holds else f"{MISSED[first.verdict]}: {first.claim}",
    )
