"""Values that stand in the text beside a name: ``$W$ = 3.35 TB/s``, ``| $W$ | 3.35 TB/s |``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from symcost.notation.units import is_measure
from symcost.pages.displays import Equation, line_finder, prose

_NAME = r"\$(?P<name>[A-Za-z](?:_(?:[A-Za-z0-9]|\{[^{}$\n]{1,20}\}))?)\$"
_NUMBER = r"(?P<number>\d[\d,]*\.?\d*(?:[eE][+-]?\d{1,2}|\s?×\s?10\^\d{1,2})?)(?![\w.,]*\d)"
_SET = re.compile(rf"{_NAME}[ \t]*(?P<sign>=|≈)[ \t]*{_NUMBER}")
_ROW = re.compile(r"^[ \t]*\|(?P<cells>[^\n]{1,500})\|[ \t]*$", re.MULTILINE)
_CELL = re.compile(rf"\s*{_NAME}\s*$")
MAX_VALUES = 1_000
_AFTER = 48  # characters behind a number, where its unit may stand


def prose_values(page: str) -> tuple[Equation, ...]:
    """The values that a page gives outside its formulas, as equations.

    >>> [e.text for e in prose_values("with $W$ = 450 GB/s")]
    ['W = 450']
    >>> [e.text for e in prose_values("| $W$ | bandwidth | 3.35 TB/s |")]
    ['W = 3.35']

    Args:
        page: Markdown or LaTeX.

    Returns:
        One equation for each value; a row of a table counts when it has one number only.
    """
    text = prose(page)
    every = chain(_set(text), _rows(text))
    return tuple(islice(every, MAX_VALUES))


def _set(text: str) -> Iterator[Equation]:
    line_of = line_finder(text)
    for match in _SET.finditer(text):
        after = text[match.end() : match.end() + _AFTER]
        shown = f"{match['name']} {match['sign']} {match['number']}"
        yield Equation(shown, line_of(match.start()), False, match.start(), after)


def _rows(text: str) -> Iterator[Equation]:
    line_of = line_finder(text)
    for match in _ROW.finditer(text):
        cells = [cell.strip().strip("$`") for cell in match["cells"].split("|")]
        names = [found for cell in match["cells"].split("|") if (found := _CELL.match(cell))]
        numbers = [cell for cell in cells if cell[:1].isdigit() and is_measure(cell)]
        if len(names) == len(numbers) == 1:
            split = re.match(_NUMBER, numbers[0])
            if split:
                shown = f"{names[0]['name']} = {split['number']}"
                after = numbers[0][split.end() :]
                yield Equation(shown, line_of(match.start()), False, match.start(), after)
