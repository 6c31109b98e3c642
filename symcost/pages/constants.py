"""The numbers that a page puts in: values of names, and numbers typed in formulas."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from symcost.errors import SymcostError
from symcost.notation.units import Printed, read_measure
from symcost.pages.passages import Passage
from symcost.pages.reading import definitions, read_page_claim

_AMOUNT = re.compile(
    r"(?<![\w.^])(?<!\^\{)(?:\d{1,3}(?:(?:,|\{,\}|\\,)\d{3})+|\d+\.?\d*)(?:[eE][+-]?\d{1,2})?"
    r"(?:\s*(?:\\times|\\cdot|×|·|\*)\s*10\s*\^\s*(?:\{[+-]?\d{1,2}\}|\d))?"
    r"(?:(?:\s|\\[,;: ]|~)*\\(?:text|mathrm)\s*\{[^{}]{1,20}\})?"
)

_UNIT = re.compile(r"(?:\s|\\[,;: ]|~)*\\(?:text|mathrm).*")


def settings(passage: Passage, letters: Collection[str]) -> Iterator[tuple[str, Printed]]:
    """The names that a formula sets to a plain number, with units.

    >>> [(n, p.value) for n, p in settings(Passage("W = 8", 1, after=" GB/s"), ())]
    [('W', Fraction(8000000000, 1))]
    """
    for found in definitions(passage, (), letters):
        if found.formula is None and found.printed is not None and not found.rough:
            yield found.name.name, found.printed


def formulas(passage: Passage, letters: Collection[str]) -> Iterator[str]:
    """The names that a formula sets to a formula."""
    for found in definitions(passage, (), letters):
        if found.formula is not None and found.formula.free_symbols:
            yield found.name.name


def inputs(passage: Passage, letters: Collection[str]) -> Iterator[Printed]:
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


def amounts(text: str) -> Iterator[Printed]:
    """The numbers in a text with powers of ten and units."""
    for match in _AMOUNT.finditer(text):
        for form in (match[0], _UNIT.sub("", match[0])):
            try:
                yield read_measure(form).printed
                break
            except SymcostError:
                continue
