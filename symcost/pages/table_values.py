"""Values that stand beside a name, ``$W$ = 3.35 TB/s``, and in tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from symcost.notation.units import is_measure
from symcost.pages.scan import Region
from symcost.pages.sources import Source

if TYPE_CHECKING:
    from symcost.pages.passages import Passage

_NAME = r"\$(?P<name>[A-Za-z](?:_(?:[A-Za-z0-9]|\{[^{}$\n]{1,20}\}))?)\$"
_NUMBER = r"(?P<number>\d[\d,]*\.?\d*(?:[eE][+-]?\d{1,2}|\s?×\s?10\^\d{1,2})?)(?![\w.,]*\d)"
_SET = re.compile(rf"{_NAME}[ \t]*(?P<sign>=|≈)[ \t]*{_NUMBER}")
_ROW = re.compile(r"^[ \t]*\|(?P<cells>[^\n]{1,500})\|[ \t]*$", re.MULTILINE)
_CELL = re.compile(rf"\s*{_NAME}\s*$")
MAX_VALUES = 1_000
_AFTER = 48  # characters behind a number, where its unit may stand


def table_values(source: Source, made: Callable[[str, str, Region], Passage]) -> Iterator[Passage]:
    """The values that a page gives outside of its formulas, as formulas.

    Args:
        source: the page.
        made: makes a passage of a kind, a text and a region.

    Yields:
        One passage for each value; a row of a table counts when it has one number only.
    """

    every = chain(_set(source.plain), _rows(source.plain))
    for text, start, after in islice(every, MAX_VALUES):
        yield replace(made("inline", text, Region("inline", start, start)), after=after)


def _set(text: str) -> Iterator[tuple[str, int, str]]:
    for match in _SET.finditer(text):
        after = text[match.end() : match.end() + _AFTER]
        yield f"{match['name']} {match['sign']} {match['number']}", match.start(), after


def _rows(text: str) -> Iterator[tuple[str, int, str]]:
    for match in _ROW.finditer(text):
        cells = [cell.strip().strip("$`") for cell in match["cells"].split("|")]
        names = [found for cell in match["cells"].split("|") if (found := _CELL.match(cell))]
        numbers = [cell for cell in cells if cell[:1].isdigit() and is_measure(cell)]
        if len(names) == len(numbers) == 1:
            split = re.match(_NUMBER, numbers[0])
            if split:
                shown = f"{names[0]['name']} = {split['number']}"
                yield shown, match.start(), numbers[0][split.end() :]
