"""A page as text, whatever it is kept in: Markdown, LaTeX, a notebook, HTML."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symcost.errors import NotationError
from symcost.pages.markup import html_text
from symcost.pages.scan import Region, scan

PAGE_LIMIT = 1_000_000  # characters of a page

_IS_LATEX = re.compile(
    r"\\(?:documentclass|usepackage|begin\{document\}|(?:sub)*section\*?\{|input\{)"
)
_IS_HTML = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)
_IS_NOTEBOOK = re.compile(r'\s*\{\s*"(?:cells|metadata|nbformat)')
_HIDDEN = ("code", "python")
_FORMULAS = ("display", "inline", "fence", "quote")
_LOST_MAX = 50  # lines of cells that may be missing in a notebook before their places are given up


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a page, its regions, and the line of its file that each line stands on.

    ``plain`` is the text with code and comments as blanks, at the same offsets.
    """

    text: str
    regions: tuple[Region, ...]
    plain: str
    starts: tuple[int, ...]
    lines: tuple[int, ...] = ()

    def line(self, offset: int) -> int:
        """The number of the line in the file at an offset of the text, from 1."""
        at = bisect_right(self.starts, offset)
        return self.lines[min(at, len(self.lines)) - 1] if self.lines else at

    @property
    def words(self) -> str:
        """The text without code and formulas."""
        return _blanked(self.plain, tuple(self.of_kind(*_FORMULAS)))

    def of_kind(self, *kinds: str) -> Iterator[Region]:
        """The regions of some kinds, in order."""
        return (region for region in self.regions if region.kind in kinds)


def read_source(page: str) -> Source:
    r"""The text of a page in which formulas stand between LaTeX delimiters, with its regions.

    >>> source = read_source("# Time\n\n$$T = F/C$$")
    >>> [(r.kind, source.line(r.start)) for r in source.regions]
    [('heading', 1), ('display', 3)]

    Args:
        page: Markdown, LaTeX, HTML, or a notebook as JSON.

    Raises:
        NotationError: the page is too long, or the notebook is damaged.
    """
    if len(page) > PAGE_LIMIT:
        raise NotationError(
            f"a page of {len(page):,} characters is too long", repair=f"at most {PAGE_LIMIT:,}"
        )
    text = page.replace("\r\n", "\n")
    lines: tuple[int, ...] = ()
    if _IS_HTML.match(text):
        text, lines = html_text(text)
    elif _IS_NOTEBOOK.match(text):
        text, lines = _notebook(text)
    regions = scan(text, bool(_IS_LATEX.search(text)))
    starts = (0, *(match.end() for match in re.finditer("\n", text)))
    hidden = tuple(region for region in regions if region.kind in _HIDDEN)
    return Source(text, regions, _blanked(text, hidden), starts, lines)


def _blanked(text: str, regions: tuple[Region, ...]) -> str:
    """The text with some of its regions as blanks."""
    parts, at = [], 0
    for region in regions:
        blank = re.sub(r"[^\n]", " ", text[region.start : region.end])
        parts += [text[at : region.start], blank]
        at = region.end
    return "".join([*parts, text[at:]])


def _notebook(text: str) -> tuple[str, tuple[int, ...]]:
    """The cells of a notebook one below the other; code stands in a fence.

    Source: the notebook format, version 4 (nbformat).
    """
    try:
        found = json.loads(text)
        cells = [(cell["cell_type"], "".join(map(str, cell["source"]))) for cell in found["cells"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NotationError(
            "the notebook is no JSON with cells", repair="save it in version 4 of the format"
        ) from None
    parts: list[str] = []
    for kind, source in cells:
        shown = source if kind == "markdown" else f"```{_language(found)}\n{source}\n```"
        parts += [*shown.split("\n"), ""]
    return "\n".join(parts), tuple(_places(parts, text))


def _language(notebook: Mapping[str, object]) -> str:
    metadata = notebook.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    name = kernel.get("language", "python") if isinstance(kernel, dict) else "python"
    return "python" if name == "python" else "text"


def _places(parts: list[str], text: str) -> Iterator[int]:
    """The line of the file that each line of the cells stands on; the same as before if unknown."""
    at, line, lost = 0, 1, 0
    for part in parts:
        shown = json.dumps(part, ensure_ascii=False)[1:-1]
        found = text.find(shown, at) if part.strip() and lost < _LOST_MAX else -1
        if found >= 0:
            line += text.count("\n", at, found)
            at = found
        elif part.strip():
            lost += 1
        yield line
