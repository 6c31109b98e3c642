"""What is odd on a page as a whole, although no single formula need be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symcost.checker.report import Report
from symcost.checker.rounding import agrees
from symcost.errors import SymcostError
from symcost.notation.units import Printed
from symcost.pages.looseness import amounts
from symcost.pages.meanings import meanings
from symcost.pages.passages import Passage
from symcost.pages.reading import definitions, read_page_claim
from symcost.pages.sources import Source

NEAR = Fraction(1, 20)  # two constants this near are probably meant to be one
LARGE = 10**6  # below it, numbers are often near each other by chance
MAX_CONSTANTS = 400

_ASSUMPTIONS = re.compile(
    r"much (?:smaller|less|fewer|lower|larger|greater|bigger|longer) than"
    r"|(?:small|large|long|big|tiny|huge)(?: enough)? (?:batch|model|matri|sequence|context|size"
    r"|dimension|\$|[A-Z]\b)|sufficiently (?:small|large)"
    r"|\$ (?:is|are) (?:very |sufficiently )?(?:small|large)"
    r"|in the limit|asymptotic|negligible|neglect|ignor(?:e|ing)|dominat|tends? to infinity",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Lint:
    """One odd thing: its kind, a sentence, and the lines it is about."""

    kind: str
    text: str
    lines: tuple[int, ...]


def lint(
    source: Source, written: Sequence[Passage], letters: frozenset[str], links: tuple[Report, ...]
) -> tuple[Lint, ...]:
    """All that is odd: constants with two values, letters with two meanings.

    Args:
        source: the page.
        written: its formulas.
        letters: the letters that are symbols on it.
        links: what became of the formulas; those that hold in a limit are odd where the page
            speaks of none.
    """
    passages = tuple(sorted(written, key=lambda each: (each.line, each.start)))
    passages = tuple(each for each in passages if each.kind in ("display", "inline"))
    lints = [
        *two_values(passages, letters),
        *two_meanings(source),
        *near_constants(passages, letters),
    ]
    if not _ASSUMPTIONS.search(source.plain):
        lints += bare_rules(links)
    return tuple(sorted(lints, key=lambda each: each.lines))


def two_values(passages: tuple[Passage, ...], letters: frozenset[str]) -> Iterator[Lint]:
    """A name that is set to two numbers that are not roundings of each other."""
    first: dict[str, tuple[Printed, int]] = {}
    derived = {
        each.name.name
        for passage in passages
        for each in definitions(passage, (), letters)
        if each.formula is not None and each.formula.free_symbols
    }
    for passage in passages:
        for name, printed in settings(passage, letters):
            if name in derived:
                continue  # its value changes with those that it follows from
            known, line = first.setdefault(name, (printed, passage.line))
            if not _agree(known, printed):
                text = f"{name} is {_shown(known)} on line {line}, here {_shown(printed)}"
                yield Lint("two-values", text, (line, passage.line))


def near_constants(passages: tuple[Passage, ...], letters: frozenset[str]) -> Iterator[Lint]:
    """Two large numbers within five percent of each other: 8.1e11 here, W = 8.2e11 there.

    Two names may well have such values, and a result may be near a number that is put in.
    """
    seen: list[tuple[Printed, str, int]] = []
    said: set[tuple[Fraction, Fraction]] = set()
    for passage in passages:
        for name, number in _inputs(passage, letters):
            for other, its_name, line in seen:
                pair = (other.value, number.value)
                if not (name and its_name) and _is_near(number, other) and pair not in said:
                    said.add(pair)
                    text = f"{_shown(other)} on line {line}, {_shown(number)} here: one constant?"
                    yield Lint("two-values", text, (line, passage.line))
                    break
            if len(seen) < MAX_CONSTANTS:
                seen.append((number, name, passage.line))


def _inputs(passage: Passage, letters: frozenset[str]) -> Iterator[tuple[str, Printed]]:
    """The large numbers of a formula, each with the name that is set to it, if one is."""
    named = list(settings(passage, letters))
    plain = [] if named else [("", number) for number in inputs(passage, letters)]
    yield from ((n, p) for n, p in (*named, *plain) if p.value >= LARGE and p.digits >= 2)


def settings(passage: Passage, letters: frozenset[str]) -> Iterator[tuple[str, Printed]]:
    """The names that a formula sets to a plain number, with units.

    >>> [(n, p.value) for n, p in settings(Passage("W = 8", 1, after=" GB/s"), ())]
    [('W', Fraction(8000000000, 1))]
    """
    for found in definitions(passage, (), letters):
        if found.formula is None and found.printed is not None and not found.rough:
            yield found.name.name, found.printed


def inputs(passage: Passage, letters: frozenset[str]) -> Iterator[Printed]:
    """The numbers that a formula works with; the results of a chain are left out.

    >>> [p.value for p in inputs(Passage(r"\\frac{3 \\cdot 10^9}{7} = 5", 1), ())]
    [Fraction(3000000000, 1), Fraction(7, 1)]
    """
    try:
        sides = read_page_claim(passage.text, (), letters).sides
    except (SymcostError, RecursionError):
        return
    for side in sides:
        if side.printed is None:
            yield from amounts(side.text)


def _agree(one: Printed, other: Printed) -> bool:
    return one.value == other.value or agrees(one, other.value) or agrees(other, one.value)


def _is_near(one: Printed, other: Printed) -> bool:
    return not _agree(one, other) and abs(one.value / other.value - 1) <= NEAR


def two_meanings(source: Source) -> Iterator[Lint]:
    """One letter that stands for two things: ``N`` heads here, ``N`` parameters there."""
    first: dict[str, tuple[str, frozenset[str], int]] = {}
    for offset, name, noun, meaning in meanings(source.plain):
        line = source.line(offset)
        known, known_meaning, known_line = first.setdefault(name, (noun, meaning, line))
        if not known_meaning & meaning:
            said = f"{name} stands for {known} on line {known_line}, for {noun} here"
            yield Lint("two-meanings", said, (known_line, line))


def bare_rules(links: Iterable[Report]) -> Iterator[Lint]:
    """Formulas that hold in a limit only that the page does not state."""
    for link in links:
        if not link.links and link.note == f"nobody stated {link.assume}":
            text = f"{link.claim} holds for {link.assume}, which is not said"
            yield Lint("no-assumption", text, (link.line or 0,))
        yield from bare_rules(replace(each, line=each.line or link.line) for each in link.links)


def _shown(number: Printed) -> str:
    return f"{float(number.value):.6g}"
