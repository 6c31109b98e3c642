"""Chains of equalities, checked link by link: each side against the one before it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from sympy import Symbol

from symcost.algebra.relation import Relation
from symcost.checker.claim_reading import as_counts, bracketings
from symcost.checker.claims import Claim, Side
from symcost.checker.compare import holds
from symcost.checker.equality import ratio_of
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.question import Asked
from symcost.checker.report import Diagnosis, Report
from symcost.errors import InvalidValueError, SymcostError

MISSED = {
    "wrong": "the link that does not follow",
    "convention": "the link that holds under another convention",
    "undecided": "the link that cannot be decided",
}
_THOUSAND = "a k is 1024 here, not 1000"
_ORDER = ("wrong", "convention", "undecided", "limit", "rounded", "border", "exact")


def check_chain(asked: Asked) -> Report:
    """Check every link; a name that stands alone at the start is a definition, not a claim."""
    claim = asked.claim
    sides, signs = list(claim.sides), list(claim.signs)
    others = {symbol for side in sides[1:] for symbol in side.expr.free_symbols}
    if claim.introduces(others | set(asked.expected.values)):
        sides, signs = sides[1:], signs[1:]
    links = zip(sides, signs, sides[1:], strict=False)
    return combined(claim.text, tuple(_link(*link, asked) for link in links))


def check_alone(asked: Asked) -> Report:
    """A chain; of ``B > C/W = 240`` both chains, and the inequality if it has numbers.

    Raises:
        InvalidValueError: nothing is claimed to be equal, and no number decides.
    """
    claim, values = asked.claim, asked.expected.values
    if claim.is_chain:
        report = check_chain(asked)
        return report if report.holds or values else _counted(asked, report)
    if not claim.signs or claim.is_bound:
        raise InvalidValueError(
            "there is nothing to compare the claim with",
            repair="give a program, a formula, or a chain such as a = b",
        )
    before, rule, after = claim.parts()
    chains = (check_chain(replace(asked, claim=part)) for part in (before, after) if part.signs)
    links = [link for chain in chains for link in chain.links]
    left, right = rule.sides
    found = holds(Relation(left.expr, rule.signs[0], right.expr), values)
    if found is not None:
        links.append(Report("exact" if found else "wrong", rule.text))
    elif not links:
        raise InvalidValueError(
            f"there is nothing to compare {rule.text} with",
            repair="give a program, a rule, or numbers for all symbols",
        )
    report = combined(claim.text, tuple(links))
    open_note = f"nothing was given to compare {rule.text} with"
    return report if found is not None or report.note else replace(report, note=open_note)


def _counted(asked: Asked, report: Report) -> Report:
    """A report that does not hold, or that with the letters behind numbers as counts."""
    for thousand in (1000, 1024):
        with suppress(SymcostError):
            claim = as_counts(asked.claim, thousand)
            counted = check_chain(replace(asked, claim=claim, names=()))
            if counted.holds:
                is_binary = thousand != 1000
                return _in_powers_of_two(asked.claim, report, counted) if is_binary else counted
    return report


def _in_powers_of_two(claim: Claim, report: Report, counted: Report) -> Report:
    """The report of a chain that holds where a k is 1024, which is said of the links that ask it.

    >>> from symcost.checker.claim_reading import read_claim
    >>> check_alone(Asked(read_claim("128K = 131072 = 131072"), Expected())).verdict
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


def _link(left: Side, sign: str, right: Side, asked: Asked) -> Report:
    """A printed number is judged against the formula, on whichever side it stands."""
    text, values = f"{left.text} {sign} {right.text}", asked.expected.values
    if (left.printed is not None and right.printed is None) or (
        right.expr.free_symbols and not left.expr.free_symbols
    ):
        left, right = right, left
    expected = Expected(left.expr, values=dict(values), text=left.text)
    question = replace(asked, expected=expected).question(right, text)
    report = judge(replace(question, tolerant=sign == "≈"))
    if report.holds:
        return report
    for meant in bracketings(left.text, asked.names) if right.dimension else ():
        if meant.dimension == right.dimension:  # 1 / 42 ms = 24/s
            bracketed = replace(question, expected=replace(expected, value=meant.expr))
            if (found := judge(bracketed, explained=False)).holds:
                return found
    if not right.expr.free_symbols and (names := _without_value(left, values)):
        told, verb = ", ".join(names), "has" if len(names) == 1 else "have"
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
