r"""The rows of a displayed formula: split at ``\\``, joined where a row goes on, cut at ``\quad``.

A piece behind ``\quad`` or ``\text{for}`` that is an equation by itself is one more formula, or
a condition of the one before it. Source of the environments: the guide of the amsmath package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symcost.pages.brackets import outside
from symcost.pages.scan import BRACED, ENVIRONMENTS, MAX_BODY

RELATION = re.compile(
    r"[=<>≈≤≥⇒∝∈≠≡≪≫]|\\(?:approx|simeq|sim|leq?|geq?|lt|gt|ll|gg|to|Rightarrow|implies|iff|propto"
    r"|equiv|in|neq?)(?![A-Za-z])"
)
_DECORATION = re.compile(
    r"\\(?:label|tag)\*?\{[^{}]*\}|\\(?:nonumber|notag|displaystyle|hfill|medskip)(?![A-Za-z])"
    rf"|\\(?:begin|end)\{{(?:{ENVIRONMENTS})\*?\}}(?:\[[^\]]*\])?|\\\\\[[^\]]*\]"
)
_BRACE = re.compile(
    rf"\\(?:under|over)brace\s*(\{{{BRACED}\}})"
    rf"(?:\s*[_^]\s*(?:\{{{BRACED}\}}|\\text\{{[^{{}}]*\}}))?|\\boxed\s*\{{({BRACED})\}}"
)
_NESTED = re.compile(
    r"\\begin\s*\{(cases|array|tabular|substack|[a-zA-Z]*matrix)\}.*?\\end\s*\{\1\}", re.DOTALL
)
_COLUMN = re.compile(  # a list of formulas, perhaps set at their signs
    r"^\s*\\begin\s*\{array\}\s*\{(?:l|rl|rcl|lcl)\}(.*)\\end\s*\{array\}[\s.,]*$", re.DOTALL
)
_BOX = re.compile(r"\\[hm]box\s*\{([^{}$]*)\$([^{}$]*)\$([^{}$]*)\}")
_CONTINUES = re.compile(
    r"(?:\s|&|\{\}|\\q?quad(?![A-Za-z])|\\[,;!>])*"
    r"([=≈<>≤≥⇒+/·×]|-|\\(?:approx|simeq|leq?|geq?|to"
    r"|(?:Left|Long)?[Rr]ightarrow|Longleftrightarrow|implies|iff|cdot|times)(?![A-Za-z]))"
)
_OPEN = re.compile(r"([=≈<>+\-*/(·×]|\\(?:cdot|times|approx|left\())\s*$")
_GAP = re.compile(
    r"[,;]?\s*\\q?quad(?![A-Za-z])|[,;]?\s*\\text\{\s*(?:and|or)\s*\}"
    r"|(?=[,;]?\s*\\text\{\s*(?:for|if|when|where|with|assuming|as|since|by)\b)"
)
_LIST = re.compile(r"[,;](?:\s|~|\\[,;:! ])*(?=[\\A-Za-z])")
_NOTE = re.compile(r"&\s*(?:\\q?quad\s*)*[(\[]?\\text\{[^{}]*\}[)\]]?\s*$")
_SETTING = re.compile(  # a name and a number with its unit
    r"[A-Za-z]\w*(?:_\{[^{}]*\})?\s*=(?:[\d.,^\s+{}-]|\\(?:times|cdot)(?![A-Za-z])|[eE](?=[\d+-])"
    r"|\\(?:text|mathrm)\s*\{[^{}]*\}|\\[,;: ])+$"
)
_WORDS = re.compile(r"^(?:\s|[,;&]|\\[,;!: ]|\\text\{[^{}]*\})+")
_CONDITION = re.compile(r"^[\s,;&]*\\text\{")


@dataclass(frozen=True, slots=True)
class Row:
    """One formula of a display, where it starts, and whether it is a condition of another.

    ``parts`` are the rows that it is joined from: where each starts in ``text``, and its offset.
    """

    text: str
    offset: int
    condition: bool = False
    parts: tuple[tuple[int, int], ...] = ()


def rows(body: str, lines: bool = False) -> Iterator[Row]:
    r"""The formulas of a display.

    >>> [row.text for row in rows(r"T &= a \\ &= b + \\ & c, \quad F = G")]
    ['T = a = b + c', 'F = G']

    Args:
        body: what stands between the delimiters.
        lines: whether a line end starts a new formula, as in a fence.

    Yields:
        The formulas with their offsets; a condition stands before what it is a condition of.
    """
    if len(body) > MAX_BODY:
        yield Row(body, 0)
        return
    body = _COLUMN.sub(lambda m: m[1].rjust(len(m[0])), _DECORATION.sub(_blanked, body))
    body = _BOX.sub(lambda m: rf"\text{{{m[1]}}} {m[2]} ".ljust(len(m[0])), body)
    for _ in range(3):  # they may stand in each other
        body = _BRACE.sub(lambda m: (m[1] or m[2]).ljust(len(m[0])), body)
    nested = [match.span() for match in _NESTED.finditer(body)]
    joined: list[tuple[str, list[tuple[int, int]]]] = []
    for raw, start in _cut(body, r"\\\\|\n(?=.*\S)" if lines else r"\\\\", nested):
        plain = _NOTE.sub("", raw).replace("&&", r" \quad ").replace("&", " ")
        text = " ".join(plain.split()) if raw.strip() else ""
        begin = start + len(raw) - len(raw.lstrip())
        goes_on = joined and (_CONTINUES.match(raw) or _OPEN.search(joined[-1][0]))
        if text and goes_on:
            before, parts = joined[-1]
            joined[-1] = (f"{before} {text}", [*parts, (len(before) + 1, begin)])
        elif text:
            joined.append((text, [(0, begin)]))
    for text, parts in joined:
        found = pieces(text)
        at = tuple(parts) if len(found) == 1 else ()
        yield from (Row(piece, parts[0][1], condition, at) for piece, condition in found)


def _blanked(match: re.Match[str]) -> str:
    """As many blanks; a line end with a distance stays a line end."""
    return r"\\".ljust(len(match[0])) if match[0].startswith("\\\\[") else " " * len(match[0])


def _cut(body: str, at: str, nested: list[tuple[int, int]]) -> Iterator[tuple[str, int]]:
    start = 0
    for match in re.finditer(at, body):
        if not any(a < match.start() < b for a, b in nested):
            yield body[start : match.start()], start
            start = match.end()
    yield body[start:], start


def pieces(text: str) -> list[tuple[str, bool]]:
    r"""The formulas that stand side by side, conditions and values first.

    >>> pieces(r"T = F/C \quad \text{for } n = 8")
    [('n = 8', True), ('T = F/C', False)]
    """
    if len(text) > MAX_BODY:
        return [(text, False)]
    found: list[tuple[str, bool]] = []
    for piece in _merged(_split(text, _GAP)):
        condition = bool(_CONDITION.match(piece)) and bool(found)
        plain = _WORDS.sub("", piece) if condition else piece
        for part in _listed(plain):
            part = part.strip().rstrip(".,;: ")
            if part and (RELATION.search(part) or not found):
                found.append((part, condition))
    return sorted(found, key=lambda each: (not each[1], not _SETTING.match(each[0])))


def _split(text: str, gap: re.Pattern[str]) -> list[str]:
    """The parts between gaps that are in no bracket."""
    parts, start = [], 0
    for match in outside(text, gap):
        parts.append(text[start : match.start()])
        start = match.end()
    return [*parts, text[start:]]


def _merged(parts: list[str]) -> list[str]:
    """A part that goes on with the one before is joined to it; one that says nothing is left."""
    merged: list[str] = []
    for part in parts:
        if merged and _CONTINUES.match(part):
            merged[-1] += f" {part}"
        elif part.strip(" ,;."):
            merged.append(part)
    return merged


def _listed(text: str) -> list[str]:
    """Equations with commas between them; each has its own relation sign."""
    parts = _split(text, _LIST)
    alone = all(RELATION.search(part) and not _CONTINUES.match(part) for part in parts)
    return parts if alone else [text]
