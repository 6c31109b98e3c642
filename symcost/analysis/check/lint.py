"""What is odd on a page as a whole, although no single formula need be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symcost.analysis.check.claims import read_claim
from symcost.analysis.check.report import Report
from symcost.analysis.check.rounding import agrees
from symcost.errors import SymcostError
from symcost.notation.documents import (
    Equation,
    displayed_equations,
    inline_equations,
    line_of,
    prose,
)
from symcost.notation.units import Printed

NEAR = Fraction(1, 20)  # two constants this near are probably meant to be one
LARGE = 10**6  # below it, numbers are often near each other by chance
MAX_CONSTANTS = 400

_NOUNS = (
    "heads|parameters|weights|layers|tokens|chips|devices|gpus|experts|sequences|batch|batches|"
    "bandwidth|vocabulary|nodes|bytes|flops|width|stages"
)
_MEANINGS = (
    re.compile(rf"[$`]([A-Za-z]\w?)[$`]\s+(?:attention |query |model )?({_NOUNS})\b", re.I),
    re.compile(
        rf"[$`]([A-Za-z]\w?)[$`],?\s+(?:is|denotes|stands for|=|for)\s+(?:the\s+)?"
        rf"(?:number of |count of |total )?(?:\w+ )??({_NOUNS})\b",
        re.I,
    ),
    re.compile(rf"number of (?:\w+ )??({_NOUNS}),?\s+\(?[$`]([A-Za-z]\w?)[$`]", re.I),
)


@dataclass(frozen=True, slots=True)
class Lint:
    """One odd thing: its kind, a sentence, and the lines it is about."""

    kind: str
    text: str
    lines: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {"kind": self.kind, "text": self.text, "lines": list(self.lines)}


def lint(page: str, links: tuple[Report, ...], has_assumption: bool) -> tuple[Lint, ...]:
    """All that is odd: constants with two values, letters with two meanings, bare rules."""
    equations = (*displayed_equations(page), *inline_equations(page))
    found = [*two_values(equations), *two_meanings(prose(page)), *near_constants(equations)]
    if not has_assumption:
        found += bare_rules(links)
    return tuple(sorted(found, key=lambda each: each.lines))


def two_values(equations: tuple[Equation, ...]) -> Iterator[Lint]:
    """A name that is set to two numbers that are not roundings of each other."""
    first: dict[str, tuple[Printed, int]] = {}
    for equation in sorted(equations, key=lambda e: e.line):
        for name, printed in _settings(equation):
            known, line = first.setdefault(name, (printed, equation.line))
            if not (agrees(known, printed.value) or agrees(printed, known.value)):
                text = f"{name} is {_shown(known)} on line {line}, here {_shown(printed)}"
                yield Lint("two-values", text, (line, equation.line))


def _settings(equation: Equation) -> Iterator[tuple[str, Printed]]:
    try:
        claim = read_claim(equation.text)
    except (SymcostError, RecursionError):
        return
    if claim.is_chain and claim.sides[0].expr.is_Symbol:
        for side in claim.sides[1:]:
            if side.printed is not None and len(claim.sides) == 2:
                yield claim.sides[0].expr.name, side.printed


def near_constants(equations: tuple[Equation, ...]) -> Iterator[Lint]:
    """Two large numbers within five percent of each other: 8.1e11 here, 8.2e11 there."""
    from symcost.analysis.check.claims import literals

    seen: list[tuple[Printed, int]] = []
    named = {p.value for e in equations for _, p in _settings(e)}
    for equation in sorted(equations, key=lambda e: e.line):
        for number in literals(equation.text):
            if number.value < LARGE or number.digits < 2 or len(seen) > MAX_CONSTANTS:
                continue
            for other, line in seen:
                if _almost(number, other) and not {number.value, other.value} <= named:
                    text = f"{_shown(other)} on line {line}, {_shown(number)} here: one constant?"
                    yield Lint("two-values", text, (line, equation.line))
                    break
            seen.append((number, equation.line))


def _almost(one: Printed, other: Printed) -> bool:
    if one.value == other.value or agrees(one, other.value) or agrees(other, one.value):
        return False
    return abs(one.value / other.value - 1) <= NEAR


def two_meanings(text: str) -> Iterator[Lint]:
    """One letter that stands for two things: ``N`` heads here, ``N`` parameters there."""
    first: dict[str, tuple[str, int]] = {}
    found = []
    for pattern in _MEANINGS:
        for match in pattern.finditer(text):
            name, noun = match.groups() if len(match[1]) <= 2 else match.groups()[::-1]
            found.append((match.start(), name, noun.lower()))
    for offset, name, noun in sorted(found):
        known, line = first.setdefault(name, (noun, line_of(text, offset)))
        if known != noun:
            here = line_of(text, offset)
            said = f"{name} stands for {known} on line {line}, for {noun} here"
            yield Lint("two-meanings", said, (line, here))


def bare_rules(links: tuple[Report, ...]) -> list[Lint]:
    """Formulas that hold in a limit only, on a page that states no order of growth."""
    return [
        Lint("no-assumption", f"{link.claim} holds for {link.assume}, which is not said", (line,))
        for link in links
        if link.verdict == "limit" and (line := link.line or 0)
    ]


def _shown(number: Printed) -> str:
    return f"{float(number.value):.6g}"
