r"""Finding the formulas of a Markdown or LaTeX page, with the lines they stand on.

Displayed formulas are ``$$ ... $$``, ``\[ ... \]``, the usual LaTeX environments and fences
marked ``math``. Rows of an ``align`` are split; a row that starts with a relation sign goes on
with the row above. Code fences of other kinds and comments are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from symcost.notation.limits import check_size
from symcost.pages.rows import ENVIRONMENTS, rows

PAGE_LIMIT = 1_000_000  # characters of a page
MAX_EQUATIONS = 2_000
MAX_INLINE = 5_000

_DISPLAYED = re.compile(
    r"\$\$(?P<dollars>.+?)\$\$"
    r"|\\\[(?P<bracket>.+?)\\\]"
    rf"|\\begin\{{(?P<name>{ENVIRONMENTS})\*?\}}(?P<env>.+?)\\end\{{(?P=name)\*?\}}"
    r"|^[ \t]*```+\s*\{?math\}?[^\n]*\n(?P<fence>.+?)^[ \t]*```+\s*$",
    re.DOTALL | re.MULTILINE,
)
_INLINE = re.compile(r"(?<![\\$])\$(?!\$)([^$\n]{1,300}?)(?<!\\)\$(?!\$)|\\\((.{1,300}?)\\\)")
_CODE = re.compile(
    r"^([ \t]*```+|[ \t]*~~~+)(?!\s*\{?math)[^\n]*\n.*?^\1\s*$"
    r"|\\begin\{(verbatim|lstlisting)\*?\}.*?\\end\{\2\*?\}|<(pre|code)\b[^>]*>.*?</\3>",
    re.DOTALL | re.MULTILINE,
)
_QUOTED = re.compile(
    r"(?P<math>\$`[^`\n]*`\$)|(?<!`)(`+)(?!`)[^`\n]*(?:\$|\\[\[(]|\\begin)[^`\n]*\2(?!`)"
)
_HTML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_COMMENT_LINE = re.compile(r"^[ \t]*%[^\n]*|(?<=\\\\)[ \t]*%[^\n]*", re.MULTILINE)
_IS_LATEX = re.compile(r"\\(?:documentclass|usepackage|begin\{document\}|(?:sub)*section\*?\{)")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s|\\(?:sub)*section\*?\{|\\chapter\*?\{", re.MULTILINE)
_AFTER = 48  # characters behind a formula in the text, where its unit may stand


@dataclass(frozen=True, slots=True)
class Equation:
    """One formula of a page as it stands there, and the number of its line.

    ``start`` is its offset in the page, ``after`` is what follows it in the text, and
    ``condition`` marks what is said under another formula, as in ``T = 3 \\quad n = 8``;
    ``lines`` are the rows of a long formula: where each starts in ``text``, and its line.
    """

    text: str
    line: int
    displayed: bool = True
    start: int = 0
    after: str = ""
    condition: bool = False
    lines: tuple[tuple[int, int], ...] = ()


def displayed_equations(page: str) -> tuple[Equation, ...]:
    """The displayed formulas of a page, row by row.

    >>> [e.text for e in displayed_equations("Time:\\n$$T = F/C$$\\nand\\n$$B > 240$$")]
    ['T = F/C', 'B > 240']

    Args:
        page: Markdown or LaTeX.

    Returns:
        The formulas in the order of the page; at most 2000.

    Raises:
        NotationError: the page is too long.
    """
    check_size(page, PAGE_LIMIT, "a page")
    plain = _blanked(page)
    line_of = line_finder(plain)
    found: list[Equation] = []
    for match in _DISPLAYED.finditer(plain):
        name = next(n for n in ("dollars", "bracket", "env", "fence") if match[n] is not None)
        start = match.start(name)
        for row in rows(match[name], lines=name == "fence"):
            line = line_of(start + row.offset)
            lines = tuple((at, line_of(start + offset)) for at, offset in row.parts)
            place = (row.text, line, True, match.start(), "", row.condition, lines)
            found.append(Equation(*place))
        if len(found) >= MAX_EQUATIONS:
            break
    return tuple(found[:MAX_EQUATIONS])


def inline_equations(page: str) -> tuple[Equation, ...]:
    """The formulas within the text, ``$B \\ll D$``; at most 5000."""
    check_size(page, PAGE_LIMIT, "a page")
    plain = _DISPLAYED.sub(_blank_match, _blanked(page))
    line_of = line_finder(plain)
    found = (
        Equation(
            (match[1] or match[2] or "").strip(" `"),
            line_of(match.start()),
            False,
            match.start(),
            plain[match.end() : match.end() + _AFTER],
        )
        for match in islice(_INLINE.finditer(plain), MAX_INLINE)
    )
    return tuple(equation for equation in found if equation.text)


def headings(page: str) -> tuple[int, ...]:
    """The offsets at which a new section begins."""
    return tuple(match.start() for match in _HEADING.finditer(_blanked(page)))


def spans(page: str) -> tuple[tuple[int, int], ...]:
    """From where to where each display runs, with its delimiters."""
    return tuple(match.span() for match in _DISPLAYED.finditer(_blanked(page)))


def prose(page: str) -> str:
    """The page without code and comments; lines keep their numbers."""
    return _blanked(page)


def line_finder(page: str) -> Callable[[int], int]:
    """A function that gives the number of the line at an offset, from 1."""
    ends = [match.start() for match in re.finditer("\n", page)]
    return lambda offset: bisect_left(ends, offset) + 1


def _blanked(page: str) -> str:
    """The page with code and comments replaced by blanks, so that offsets stay."""
    page = page.replace("\r\n", "\n")
    comment = _COMMENT if _IS_LATEX.search(page) else _COMMENT_LINE
    page = _QUOTED.sub(lambda m: m[0] if m["math"] else _blank(m[0]), _CODE.sub(_blank_match, page))
    for pattern in (_HTML_COMMENT, comment):
        page = pattern.sub(_blank_match, page)
    return page


def _blank_match(match: re.Match[str]) -> str:
    return _blank(match[0])


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
