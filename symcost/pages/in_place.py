"""A page with the verdicts on its formulas in place: its prose, a formula, what became of it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from symcost.checker.report import formula_words
from symcost.documents.blocks import Block, Inline, Listing, Prose, Strong
from symcost.pages.outcome import Checked, of_gap, remarks
from symcost.pages.sources import Source

_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:#|[-*+|] |\d{1,3}[.)] ))")
_HEADING = re.compile(r"#{1,6}\s+")
_END_OF_TEXT = re.compile(r"\n[ \t]*\n|\Z")


def page_in_place(source: Source, formulas: Sequence[Checked]) -> Iterator[Block]:
    """The page in its order. A verdict stands behind its display, or behind the paragraph or the
    block of code that its formula stands in; the page's own text is plain text, whatever it holds.

    Args:
        source: the page.
        formulas: its formulas with their verdicts.
    """
    at, blocks = 0, [region.end for region in source.of_kind("python")]
    for each in sorted(formulas, key=lambda each: each.passage.start):
        passage = each.passage
        stop = passage.start
        if passage.kind == "quote":
            end = _END_OF_TEXT.search(source.text, passage.end)
            stop = end.start() if end else passage.end
        elif passage.kind == "python":
            stop = blocks[bisect_left(blocks, passage.end)]
        yield from _text(source, at, stop)
        at = max(at, stop, passage.end)
        yield Listing(passage.text)
        yield Prose(tuple(_verdict(each)))
    yield from _text(source, at, len(source.text))


def _text(source: Source, start: int, stop: int) -> Iterator[Block]:
    """A part of the page: paragraphs, headings, code."""
    for region in source.of_kind("code", "python"):
        first, last = max(region.start, start), min(region.end, stop)
        if first < last:
            yield from _paragraphs(source.text[start:first])
            yield Listing(source.text[first:last].strip("\n"))
            start = last
    yield from _paragraphs(source.text[start:stop])


def _paragraphs(text: str) -> Iterator[Block]:
    for part in _PARAGRAPH.split(text):
        plain = " ".join(part.split())
        if re.search(r"\w", plain):
            heading = _HEADING.match(plain)
            yield Prose((Strong(plain[heading.end() :]),) if heading else plain)


def _verdict(each: Checked) -> Iterator[Inline]:
    whole = of_gap(each.report)
    yield f"line {each.report.line}: "
    yield Strong(each.verdict) if each.is_wrong else each.verdict
    follows, stands = whole.expected_words(), formula_words(whole.claimed)
    if each.is_wrong and follows and stands:
        yield from ("; what follows is ", *follows, ", what stands there is ", *stands)
    if each.is_wrong and whole.diagnosis:
        yield from (f" ({whole.diagnosis[0].kind}: ", *whole.diagnosis[0].words(), ")")
    notes = remarks(each.report) if each.report.holds else [whole.note]
    yield from (f"; {note}" for note in notes if note)
