"""A page with the verdicts on its formulas in place: its prose, a formula, what became of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from sympy import Expr

from symcost.checker.report import formula_words
from symcost.documents.blocks import (
    Block,
    Code,
    Equation,
    Inline,
    Listing,
    Prose,
    Section,
    Strong,
    Table,
)
from symcost.pages.as_written import as_written
from symcost.pages.outcome import Checked, of_gap, remarks
from symcost.pages.reading import letters_of
from symcost.pages.sources import Source
from symcost.printing.numbers import decimal

_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:#|\\(?:sub)*section|[-*+|] |\d{1,3}[.)] ))")
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(.*)|\\(?:sub)*section\*?\{([^{}]*)\})")
_ROW = re.compile(r"\s*\|(.*)\|\s*")
_ITEM = re.compile(r"\s*[-*+]\s+")
_RULE = re.compile(r"[\s|:-]*")
_MARKED = re.compile(
    r"\$\$?(?P<math>[^$]+)\$\$?|\\[(\[](?P<latex>.+?)\\[)\]]|`+(?P<code>[^`]+)`+"
    r"|\*\*(?P<strong>[^*]+)\*\*"
)
_END_OF_TEXT = re.compile(r"\n[ \t]*\n|\Z")


def page_in_place(name: str, source: Source, formulas: Sequence[Checked]) -> Iterator[Section]:
    """The page in its order, a section for each heading. A verdict stands behind its display, or
    behind the paragraph or the block of code that its formula stands in. Formulas are set as they
    stand there; what cannot be read, and all else of the page, is plain text, whatever it holds.

    Args:
        name: the title of what stands before the first heading.
        source: the page.
        formulas: its formulas with their verdicts.
    """
    title, blocks = name, list[Block]()
    for block in _in_order(source, formulas):
        if isinstance(block, str):
            if blocks or title:
                yield Section(title, tuple(blocks))
            title, blocks = block, []
        else:
            blocks.append(block)
    yield Section(title, tuple(blocks))


def _in_order(source: Source, formulas: Sequence[Checked]) -> Iterator[Block | str]:
    at, code = 0, list(source.of_kind("code", "python"))
    ends = [region.end for region in code]
    letters = letters_of(each.passage for each in formulas)

    def text(start: int, stop: int) -> Iterator[Block | str]:
        for region in code[bisect_right(ends, start) :]:
            if region.start >= stop:
                break
            yield from _paragraphs(source.text[start : max(region.start, start)], letters)
            yield Listing(source.text[max(region.start, start) : min(region.end, stop)].strip("\n"))
            start = region.end
        yield from _paragraphs(source.text[start:stop], letters)

    for each in sorted(formulas, key=lambda each: each.passage.start):
        passage = each.passage
        stop = passage.start
        if passage.kind == "quote":
            end = _END_OF_TEXT.search(source.text, passage.end)
            stop = end.start() if end else passage.end
        elif passage.kind == "python":
            stop = ends[bisect_left(ends, passage.end)]
        yield from text(at, stop)
        at = max(at, stop, passage.end)
        math = as_written(passage.text, letters) if passage.kind == "display" else None
        yield Equation(math.left, math.links) if math else Listing(passage.text)
        yield Prose(tuple(_verdict(each)))
    yield from text(at, len(source.text))


def _paragraphs(text: str, letters: Collection[str]) -> Iterator[Block | str]:
    parts = (part for part in _PARAGRAPH.split(text) if re.search(r"\w", part) or "|" in part)
    for in_table, group in groupby(parts, key=lambda part: bool(_ROW.fullmatch(part))):
        if in_table:
            yield from _table(list(group), letters)
            continue
        for part in group:
            if heading := _HEADING.match(part):
                yield _plain(heading[1] or heading[2] or "")
                part = part[heading.end() :]
            item = _ITEM.match(part)
            if re.search(r"\w", part):
                words = tuple(_words(part[item.end() if item else 0 :].strip(), letters))
                yield Prose(("• ", *words) if item else words)


def _table(lines: list[str], letters: Collection[str]) -> Iterator[Block]:
    rows = [
        tuple(tuple(_words(cell.strip(), letters)) for cell in found[1].split("|"))
        for line in lines
        if not _RULE.fullmatch(line) and (found := _ROW.fullmatch(line))
    ]
    if rows:
        width = max(map(len, rows))
        even = [(*row, *((),) * (width - len(row))) for row in rows]
        yield Table(even[0], tuple(even[1:]))


def _words(text: str, letters: Collection[str]) -> Iterator[Inline]:
    """The words of a paragraph, with its formulas, code and what is stressed."""
    at = 0
    for found in _MARKED.finditer(text):
        yield _plain(text[at : found.start()])
        at = found.end()
        formula = found["math"] or found["latex"]
        if formula:
            yield as_written(formula, letters) or Code(_plain(formula))
        else:
            yield Code(_plain(found["code"])) if found["code"] else Strong(_plain(found["strong"]))
    yield _plain(text[at:])


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _verdict(each: Checked) -> Iterator[Inline]:
    whole = of_gap(each.report)
    yield f"line {each.report.line}: "
    yield Strong(each.verdict) if each.is_wrong else each.verdict
    if each.is_wrong:
        follows = _told(whole.expected, whole.expected_words())
        stands = _told(whole.claimed, formula_words(whole.claimed))
        if follows and stands:
            yield from ("; what follows is ", *follows, ", what stands there is ", *stands)
    if each.is_wrong and whole.diagnosis:
        yield from (f" ({whole.diagnosis[0].kind}: ", *whole.diagnosis[0].words(), ")")
    notes = remarks(each.report) if each.report.holds else [whole.note]
    if not (each.is_wrong and whole.diagnosis):
        yield from (f"; {note}" for note in notes if note)


def _told(value: object, words: tuple[Inline, ...]) -> tuple[Inline, ...]:
    """A formula, or a number by its decimals."""
    number = isinstance(value, Expr) and value.is_number and not value.is_Integer
    return (decimal(value),) if number else words
