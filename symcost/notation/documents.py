r"""Finding the formulas of a Markdown or LaTeX page, with the lines they stand on.

Displayed formulas are ``$$ ... $$``, ``\[ ... \]``, the usual LaTeX environments and fences
marked ``math``. Rows of an ``align`` are split; a row that starts with a relation sign goes on
with the row above. Code fences of other kinds and comments are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symcost.notation.limits import check_size

PAGE_LIMIT = 1_000_000  # characters of a page
MAX_EQUATIONS = 2_000

_NAMES = "equation|aligned|align|gathered|gather|multline|displaymath|eqnarray|split"
_DISPLAYED = re.compile(
    r"\$\$(?P<dollars>.+?)\$\$"
    r"|\\\[(?P<bracket>.+?)\\\]"
    rf"|\\begin\{{(?P<name>{_NAMES})\*?\}}(?P<env>.+?)\\end\{{(?P=name)\*?\}}"
    r"|^```+\s*\{?math\}?[^\n]*\n(?P<fence>.+?)^```+\s*$",
    re.DOTALL | re.MULTILINE,
)
_INLINE = re.compile(r"(?<![\\$])\$(?!\$)([^$\n]{1,300}?)(?<!\\)\$(?!\$)|\\\((.{1,300}?)\\\)")
_CODE = re.compile(r"^(```+|~~~+)(?!\s*\{?math)[^\n]*\n.*?^\1\s*$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*|<!--.*?-->", re.DOTALL)
_DECORATION = re.compile(
    r"\\(?:label|tag)\*?\{[^{}]*\}|\\(?:nonumber|notag|displaystyle|hfill)(?![A-Za-z])"
    rf"|\\(?:begin|end)\{{(?:{_NAMES})\*?\}}|\\\\\[[^\]]*\]"
)
_CONTINUES = re.compile(
    r"\s*&?\s*(=|≈|<|>|≤|≥|⇒|\\(?:approx|simeq|le|leq|ge|geq|to|Rightarrow|implies)(?![A-Za-z]))"
)


@dataclass(frozen=True, slots=True)
class Equation:
    """One formula of a page as it stands there, and the number of its line."""

    text: str
    line: int
    displayed: bool = True


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
    found: list[Equation] = []
    for match in _DISPLAYED.finditer(plain):
        name = next(n for n in ("dollars", "bracket", "env", "fence") if match[n] is not None)
        found += _rows(match[name], plain, match.start(name), lines=name == "fence")
        if len(found) >= MAX_EQUATIONS:
            break
    return tuple(found[:MAX_EQUATIONS])


def inline_equations(page: str) -> tuple[Equation, ...]:
    """The formulas within the text, ``$B \\ll D$``."""
    check_size(page, PAGE_LIMIT, "a page")
    plain = _DISPLAYED.sub(lambda m: _blank(m[0]), _blanked(page))
    found = (
        Equation((match[1] or match[2] or "").strip(), line_of(plain, match.start()), False)
        for match in _INLINE.finditer(plain)
    )
    return tuple(equation for equation in found if equation.text)


def prose(page: str) -> str:
    """The page without code and comments; lines keep their numbers."""
    return _blanked(page)


def line_of(page: str, offset: int) -> int:
    """The number of the line at an offset, from 1."""
    return page.count("\n", 0, offset) + 1


def _blanked(page: str) -> str:
    """The page with code and comments replaced by blanks, so that offsets stay."""
    page = _CODE.sub(lambda m: _blank(m[0]), page.replace("\r\n", "\n"))
    return _COMMENT.sub(lambda m: _blank(m[0]), page)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _rows(body: str, page: str, offset: int, lines: bool) -> Iterator[Equation]:
    """The rows of a formula; those that start with a sign are joined to the one above."""
    body = _DECORATION.sub(
        lambda m: _blank(m[0]) if m[0][1] != "\\" else r"\\".ljust(len(m[0])), body
    )
    joined: list[tuple[str, int]] = []
    position = 0
    for row in re.split(r"(\\\\|\n(?=.*\S))" if lines else r"(\\\\)", body):
        if row.strip() and row.strip() != r"\\":
            start = offset + position + len(row) - len(row.lstrip())
            text = " ".join(row.replace("&", " ").split()).rstrip(".,; ")
            if joined and _CONTINUES.match(row):
                joined[-1] = (f"{joined[-1][0]} {text}", joined[-1][1])
            elif text:
                joined.append((text, line_of(page, start)))
        position += len(row)
    yield from (Equation(text, line) for text, line in joined)
