"""The formulas of a page in the order in which they count, each with what stands around it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice

from symcost.pages.macros import Macro, expanded, macros
from symcost.pages.python_code import assignments
from symcost.pages.rows import RELATION, rows
from symcost.pages.scan import Region
from symcost.pages.sources import Source
from symcost.pages.table_values import table_values

MAX_PASSAGES = 20_000
MAX_SENTENCE = 2_000  # characters
_BESIDE = 200  # characters beside a display, which may stand in a line of text
_AFTER = 48  # characters behind a formula in the text, where its unit may stand
_ATTACHED = re.compile(r"[\s.,;]*(?:where|here|Where|Here|given|assuming|in which)\b")
_GOES_ON = re.compile(r"[\s.,;]*[a-z]")
_ENDED = re.compile(r"\.\s*(?:\n|$)|\.\s+[A-Z]")
_NEW_SENTENCE = re.compile(r"[.!?]\s+[A-Z]")
_LISTED = re.compile(r"\s*(?:[-*+|]|\d+\.|\\item)")
_QUOTED = re.compile(r"(?!-[A-Za-z-]{2})[^\n`${}\\;'\"\[\]#!?|&]{3,200}")
_DEFINES = re.compile(r"\\(?:def|(?:re)?newcommand|DeclareMathOperator)(?![A-Za-z])")
_STATES = re.compile(r"\S\s*(?:(?<![=<>!:+*/-])[=≈](?!=)|≈|~=)")


@dataclass(frozen=True, slots=True)
class Passage:
    r"""One formula of a page as it stands there.

    Args:
        text: the formula, with the abbreviations of the page put in.
        line: the line of the file that it starts on.
        kind: ``display``, ``inline`` (in a sentence), ``quote`` (in code quotes) or ``python``.
        start: its offset in the text of the page; ``end`` is that of its end.
        after: what follows it in the text.
        before: what the page says since the display before it.
        condition: whether it stands under another formula, as in ``T = 3 \quad n = 8``.
        case: the number of the section or item it stands in; ``section``: of the section.
        lines: the rows of a long formula: where each starts in ``text``, and its line.
        hints: what the rest of its sentence says, which may or may not be meant for it.
    """

    text: str
    line: int
    kind: str = "display"
    start: int = 0
    end: int = 0
    after: str = ""
    before: str = ""
    condition: bool = False
    case: int = 0
    section: int = 0
    lines: tuple[tuple[int, int], ...] = ()
    hints: tuple[Passage, ...] = ()

    @property
    def is_link(self) -> bool:
        """Whether it is to be followed; what a sentence or a condition says only defines."""
        return self.kind in ("display", "quote", "python") and not self.condition


def passages(source: Source) -> tuple[Passage, ...]:
    r"""The formulas of a page.

    What a sentence says right behind a display ("where B = 4") counts before the display.

    >>> from symcost.pages.sources import read_source
    >>> [p.text for p in passages(read_source("$$ T = 2 B $$ where $B = 4$."))]
    ['B = 4', 'T = 2 B']
    """
    return _Page(source).passages()


class _Page:
    """A page, where its sections and items begin, and where its displays stand."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.known: Mapping[str, Macro] = macros(source.plain)
        self.cases = [r.start for r in source.of_kind("heading", "item")]
        self.sections = [r.start for r in source.of_kind("heading")]
        spans = [(r.start, r.end) for r in source.of_kind("display", "fence")]
        self.starts, self.ends = [a for a, _ in spans], [b for _, b in spans]

    def passages(self) -> tuple[Passage, ...]:
        ordered: list[tuple[int, int, int, Passage]] = []
        hints: dict[int, list[Passage]] = {}
        found = chain(islice(self._found(), MAX_PASSAGES), table_values(self.source, self._at))
        for number, each in enumerate(found):
            at, perhaps = each.start, None
            if each.kind == "inline":
                at, perhaps = self._place(each.start)
            ordered.append((at, each.kind != "inline", number, each))
            if perhaps is not None:
                hints.setdefault(perhaps, []).append(each)
        ordered.sort(key=lambda row: row[:3])
        return tuple(
            replace(each, hints=tuple(hints.get(each.start, ()))) if each.start in hints else each
            for _, _, _, each in ordered
        )

    def _found(self) -> Iterator[Passage]:
        for region in self.source.regions:
            if region.kind in ("display", "fence"):
                yield from self._display(region)
            elif region.kind == "inline":
                text = expanded(region.body.strip(" `"), self.known)
                after = self.source.plain[region.end : region.end + _AFTER]
                yield replace(self._at("inline", text, region), after=after)
            elif region.kind == "quote" and _is_formula(region.body):
                yield self._at("quote", region.body, region)
            elif region.kind == "python":
                for text, offset in assignments(region.body):
                    at = Region("python", region.at + offset, region.at + offset)
                    yield self._at("python", text, at)

    def _at(self, kind: str, text: str, region: Region) -> Passage:
        start = region.start
        return Passage(
            text,
            self.source.line(start),
            kind,
            start,
            region.end,
            before=self._before(start) if kind != "inline" else "",
            case=bisect_right(self.cases, start),
            section=bisect_right(self.sections, start),
        )

    def _display(self, region: Region) -> Iterator[Passage]:
        whole = self._at("display", "", region)
        after = self.source.plain[region.end : region.end + _AFTER]
        states = RELATION.search(region.body) or not self._is_in_text(region)
        if _DEFINES.search(region.body) or not states:
            return
        for row in rows(region.body, lines=region.kind == "fence"):
            lines = tuple((at, self.source.line(region.at + offset)) for at, offset in row.parts)
            text, line = expanded(row.text, self.known), self.source.line(region.at + row.offset)
            yield replace(
                whole, text=text, line=line, condition=row.condition, lines=lines, after=after
            )

    def _is_in_text(self, region: Region) -> bool:
        """Whether a display stands in a line of text, as some authors set what is inline."""
        text = self.source.plain
        before = text[max(0, region.start - _BESIDE) : region.start].rsplit("\n", 1)[-1]
        behind = text[region.end : region.end + _BESIDE].split("\n", 1)[0]
        return bool(re.search(r"\w", before + behind))

    def _before(self, start: int) -> str:
        """The text between a display and the one before it."""
        at = bisect_left(self.starts, start)
        first = self.ends[at - 1] if at else 0
        return self.source.plain[max(first, start - MAX_SENTENCE) : start]

    def _place(self, start: int) -> tuple[int, int | None]:
        """Where a formula in the text counts, and the display its sentence perhaps goes on from.

        Behind "where" it counts before the display. In any other end of the sentence that the
        display stands in it may, or may not, be meant for the display.
        """
        at = bisect_right(self.ends, start) - 1
        sections = self.sections
        if at < 0 or bisect_right(sections, start) > bisect_right(sections, self.ends[at]):
            return start, None
        if start - self.ends[at] > MAX_SENTENCE:
            return start, None
        text = self.source.plain
        behind = text[self.ends[at] : start]
        if _breaks(behind):
            return start, None
        if _ATTACHED.match(behind):
            return self.starts[at], None
        following = self.starts[at + 1] if at + 1 < len(self.starts) else len(text)
        rest = text[start : min(following, start + MAX_SENTENCE)].rstrip()
        return start, self.starts[at] if _GOES_ON.match(behind) and _ENDED.search(rest) else None


def _breaks(text: str) -> bool:
    """Whether another sentence, or another paragraph that is no list, has begun."""
    return bool(_NEW_SENTENCE.search(text)) or any(
        not _LISTED.match(part) for part in text.split("\n\n")[2:]
    )


def _is_formula(code: str) -> bool:
    """Whether code quotes may hold a formula: ``2 * 70e9 = 140 GB``, not ``foo(x) == 1``."""
    return bool(_QUOTED.fullmatch(code) and _STATES.search(code))
