r"""The orders of growth that a page states: ``B \ll D``, "B is much smaller than D"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from sympy import Symbol

from symcost.algebra.assumptions import MuchLess
from symcost.checker.report import Report
from symcost.errors import SymcostError
from symcost.notation.border import assumptions
from symcost.pages.passages import Passage
from symcost.pages.sources import Source

MAX_LENGTH = 200  # characters of a formula that states an order
_SIGNS = ("\\ll", "\\gg", "<<", ">>", "≪", "≫", "\\infty")
_NAME = r"[$`]?[A-Za-z](?:_\{?\w{1,12}\}?)?\d*[$`]?(?![\w(])"
_LIST = rf"{_NAME}(?:(?:,| and|, and)[ \n]{_NAME})*"
_PLAIN = re.compile(rf"(?<![\w$`]){_LIST}\s*(?:<<|>>|≪|≫)\s*{_LIST}")
_SPOKEN = re.compile(
    rf"(?<![\w$`])(?P<left>{_LIST}) (?:is |are )?much (?P<how>\w+) than (?P<right>{_LIST})"
)
_HOW = {
    **dict.fromkeys(("smaller", "less", "fewer", "lower", "shorter"), "<<"),
    **dict.fromkeys(("larger", "greater", "bigger", "higher", "longer"), ">>"),
}


class Order(NamedTuple):
    """An order of growth as it is stated, its offset, and the number of its section."""

    text: str
    start: int
    section: int


def is_order(text: str) -> bool:
    r"""Whether a formula states an order of growth, ``B \ll D``."""
    return any(sign in text for sign in _SIGNS)


def stated_orders(source: Source, written: Collection[Passage]) -> tuple[Order, ...]:
    r"""The orders that a page states.

    >>> from symcost.pages.sources import read_source
    >>> stated_orders(read_source("# Where B << D, F\n\n$D$ is much larger than $B$"), ())
    (Order(text='B << D, F', start=8, section=1), Order(text='D >> B', start=19, section=1))
    """
    sections = [region.start for region in source.of_kind("heading")]
    spoken = [Order(text, at, bisect_right(sections, at)) for at, text in _in_words(source.plain)]
    formulas = (each for each in written if is_order(each.text))
    return (*(Order(_listed(each.text), each.start, each.section) for each in formulas), *spoken)


def _in_words(text: str) -> Iterator[tuple[int, str]]:
    for match in _PLAIN.finditer(text):
        yield match.start(), _listed(match[0])
    for match in _SPOKEN.finditer(text):
        if sign := _HOW.get(match["how"]):
            yield match.start(), f"{_listed(match['left'])} {sign} {_listed(match['right'])}"


def _listed(names: str) -> str:
    plain = re.sub(r"\\ll(?![a-z])|≪", "<<", re.sub(r"\\gg(?![a-z])|≫", ">>", names))
    return re.sub(r",? and\s", ", ", re.sub(r"[$`]", "", plain))


def under_orders(
    ask: Callable[[tuple[MuchLess, ...] | None], Report],
    orders: Collection[Order],
    at: Passage,
    symbols: Collection[Symbol],
) -> Report:
    """A verdict under the orders of growth that the page states.

    Those that its section has stated before let a claim hold; those of the whole page tell why a
    limit holds.

    Args:
        ask: gives the verdict under some orders, or under none.
        orders: what the page states.
        at: the formula at hand.
        symbols: those that it is about; orders of others are left out.
    """
    report = ask(None)
    if report.holds and report.verdict != "limit":
        return report
    before = [
        each.text for each in orders if (each.section, each.start < at.start) == (at.section, True)
    ]
    anywhere = [each.text for each in orders] if report.holds else []
    for texts in (before, anywhere):
        used = tuple(
            o
            for text in dict.fromkeys(texts)
            for o in _read(text)
            if o.free_symbols <= set(symbols)
        )
        try:
            found = ask(used) if used else report
        except SymcostError:  # they contradict each other
            continue
        if found is not report and found.holds:
            return replace(found, verdict="limit") if report.holds else found
    return report


@lru_cache(maxsize=1_000)
def _read(text: str) -> tuple[MuchLess, ...]:
    try:
        found = assumptions(text) if len(text) <= MAX_LENGTH else ()
    except SymcostError:
        return ()
    return tuple(each for each in found if isinstance(each, MuchLess))
