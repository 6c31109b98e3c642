r"""Finding what a page consists of, in one pass: displays, formulas in lines, code, headings.

The scanner goes from opener to opener (``$$``, ``\[``, a fence, ``<!--``) and looks for what
closes it; where something closes nothing, that is remembered, so that the pass is linear in the
page. Sources of the rules: CommonMark 0.31 (fences, code spans, comments), the guide of the
amsmath package (environments), the manuals of KaTeX and Zola (shortcodes).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

BRACED = "[^{}]*"  # what stands in braces, five deep
for _ in range(4):
    BRACED = rf"(?:[^{{}}]|\{{{BRACED}\}})*"
MAX_BODY = 20_000  # characters of a display; a longer one is no formula that can be read
MAX_INLINE = 400

ENVIRONMENTS = (
    "equation|aligned|alignedat|alignat|align|gathered|gather|multline|displaymath|eqnarray"
    "|split|flalign|math"
)
_SHORTCODES = (
    r"\{%-?\s*katex\(block=true\)\s*-?%\}"
    r"|\{\{[<%]\s*(?:katex|math|mathjax|latex|eq)\b[^<>%\n]*[>%]\}\}"
)
_OPENER = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?P<fence>`{3,}|~{3,})(?P<info>[^\n`]*)$"
    rf"|(?P<display>\$\$+|\\\\\[|\\\[|\\begin\{{(?P<env>{ENVIRONMENTS})\*?\}}|{_SHORTCODES})"
    r"|\\begin\{(?P<verbatim>verbatim|lstlisting|minted|comment)\*?\}"
    r"|^ {0,3}(?P<heading>\#{1,6}[ \t]|\*\*)"
    r"|(?P<section>\\(?:chapter|(?:sub)*section|paragraph)\*?\{)"
    r"|^[ \t>]*(?P<item>[-*+][ \t]|\d{1,3}[.)][ \t]|\\item(?![A-Za-z]))"
    r"|(?P<inline>\$|\\\\\(|\\\(|\{\{\s*katex\(body=\")|(?P<escape>\\.)"
    r"|(?P<ticks>`+)|(?P<comment><!--)|<(?P<element>pre|code|script|style)\b[^<>]{0,500}>"
    r"|(?P<percent>%)",
    re.MULTILINE,
)
_INLINE = re.compile(rf"\$((?:[^$\n\\]|\\.|\n(?!\s*\n)){{1,{MAX_INLINE}}})\$(?![\d$])")
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_RELATED = re.compile(r"[=<>≈≤≥]|\\(?:approx|leq?|geq?|sim|propto|to)(?![A-Za-z])")
_WORDS = re.compile(r"(?<![\\{A-Za-z])[A-Za-z]{2,}(?:[ \n]+[a-z]{2,}){1,}")
_SET_TEXT = re.compile(r"\\text\w*\s*\{[^{}]*\}")
_QUOTE_MARK = re.compile(r"(?<=\n)>")  # of a block quote
_LINE_START = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)])?[ \t]*")


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a page that is no plain text.

    ``kind`` is ``display``, ``inline``, ``fence`` (math, a formula a line), ``quote`` (code in a
    line), ``python``, ``code``, ``heading`` or ``item``; ``body`` stands between the delimiters,
    from the offset ``at`` on.
    """

    kind: str
    start: int
    end: int
    body: str = ""
    at: int = 0


class Scanner:
    """One page and what has been looked for in it."""

    def __init__(self, text: str, latex: bool) -> None:
        self.text, self.latex = text, latex
        self._next: dict[str, int] = {}
        self._fences = [(m.start(), m.end(), m[1]) for m in _FENCE.finditer(text)]
        self._fence = 0
        self._blank = [m.start() for m in _BLANK_LINE.finditer(text)]
        self._runs: dict[int, list[int]] = {}
        for match in _TICKS.finditer(text):
            self._runs.setdefault(len(match[0]), []).append(match.start())

    def regions(self) -> Iterator[Region]:
        """The regions in their order; what is not closed is plain text."""
        at = 0
        while match := _OPENER.search(self.text, at):
            found = self._region(match)
            if found is not None:
                yield found
            at = found.end if found is not None else match.end()

    def _region(self, match: re.Match[str]) -> Region | None:
        kind = match.lastgroup or ""
        if kind == "info":
            return self._fenced(match)
        if kind in ("display", "env"):
            return self._display(match)
        if kind in ("heading", "section", "item"):
            name = "item" if kind == "item" else "heading"
            return Region(name, match.start(), match.end())
        if kind == "verbatim":
            return self._closed("code", match, rf"\end{{{match['verbatim']}")
        if kind == "inline":
            return self._inline(match)
        if kind == "ticks":
            return self._quote(match)
        if kind == "comment":
            return self._closed("code", match, "-->")
        if kind == "element":
            return self._closed("code", match, f"</{match['element']}>")
        if kind == "percent" and (self.latex or self._starts_line(match.start())):
            end = self._find("\n", match.end())
            return Region("code", match.start(), end if end >= 0 else len(self.text))
        return None

    def _find(self, needle: str, at: int) -> int:
        """The next place of a text, or -1; no part of the page is searched twice for it."""
        known = self._next.get(needle)
        if known is None or -1 < known < at:
            known = self._next[needle] = self.text.find(needle, at)
        return known

    def _closed(self, kind: str, match: re.Match[str], closer: str) -> Region | None:
        end = self._find(closer, match.end())
        if end < 0:
            return None
        body = self.text[match.end() : end]
        return Region(kind, match.start(), end + len(closer), body, match.end())

    def _fenced(self, match: re.Match[str]) -> Region:
        """A fence that nothing closes runs to the end of the page."""
        mark, info = match["fence"], match["info"].strip(" {}.\t").lower()
        while self._fence < len(self._fences):
            start, end, closer = self._fences[self._fence]
            if start > match.start() and closer.startswith(mark):
                break
            self._fence += 1
        else:
            start = end = len(self.text)
        kind = "fence" if info.split(" ")[0] in ("math", "latex-math", "katex") else "code"
        kind = "python" if info.split(" ")[0] in ("python", "py", "python3") else kind
        at = min(match.end() + 1, start)
        return Region(kind, match.start(), end, self.text[at:start], at)

    def _display(self, match: re.Match[str]) -> Region | None:
        opener, name = match["display"], match["env"]
        if opener == r"\\[" and (self.latex or not self._starts_line(match.start())):
            return None
        if opener.startswith("$$$"):
            return None
        star = "*" if name and opener.endswith("*}") else ""
        closer = rf"\end{{{name}{star}}}" if name else {"$$": "$$", r"\[": r"\]"}.get(opener, "")
        if opener == r"\\[":
            closer = r"\\]"
        elif not closer:
            named = re.search(r"[a-z]+", opener)
            closer = "{% end %}" if opener.startswith("{%") else f"/{named[0] if named else ''}"
        found = self._closed("display", match, closer)
        if found is None or not found.body.strip() or len(found.body) > MAX_BODY:
            return None
        if opener.startswith("{{"):  # {{< eq >}} ... {{< /eq >}}
            end = self.text.find("}}", found.end)
            body = found.body.rsplit("{{", 1)[0]
            found = Region("display", found.start, max(end + 2, found.end), body, found.at)
        if re.search(
            r"^[ \t]*>", self.text[self.text.rfind("\n", 0, found.start) + 1 : found.start]
        ):
            found = replace(found, body=_QUOTE_MARK.sub(" ", found.body))
        return found if self.latex or self._is_display(opener, found) else None

    def _is_display(self, opener: str, found: Region) -> bool:
        r"""Whether it is mathematics: ``\[B, D\]`` in a line and ``$$`` prices are not."""
        body, starts = found.body, self._starts_line(found.start)
        if opener == "$$":
            blank = self._breaks(found.at, found.at + len(body)) and "\\begin" not in body
            words = body[:1].isspace() and _WORDS.search(_SET_TEXT.sub("", body))
            return not (blank or (not starts and words))
        if opener != r"\[" or starts:
            return True
        beside = self.text[found.start - 1 : found.start] + self.text[found.end : found.end + 1]
        return bool(_RELATED.search(body)) and not re.search(r"[\w(>]", beside)

    def _inline(self, match: re.Match[str]) -> Region | None:
        if match[0] == "$":
            found = _INLINE.match(self.text, match.start())
            body = found[1].strip(" `") if found else ""
            if found is None or not body:
                return None
            return Region("inline", match.start(), found.end(), body, match.end())
        closer = '")' if match[0].startswith("{") else match[0].replace("(", ")")
        closed = self._closed("inline", match, closer)
        return closed if closed and len(closed.body) <= MAX_INLINE else None

    def _quote(self, match: re.Match[str]) -> Region | None:
        """Code between two equal runs of backticks within one paragraph."""
        runs = self._runs[len(match[0])]
        after = bisect_right(runs, match.start())
        if after == len(runs) or self._breaks(match.end(), runs[after]):
            return None
        end = runs[after]
        body = self.text[match.end() : end]
        return Region("quote", match.start(), end + len(match[0]), body, match.end())

    def _breaks(self, start: int, end: int) -> bool:
        """Whether a blank line stands between two places."""
        at = bisect_right(self._blank, start - 1)
        return at < len(self._blank) and self._blank[at] < end

    def _starts_line(self, at: int) -> bool:
        return bool(_LINE_START.fullmatch(self._line_before(at)))

    def _line_before(self, at: int) -> str:
        """What stands before a place in its line, without blanks in front."""
        return self.text[max(0, at - 80) : at].rsplit("\n", 1)[-1].lstrip()


def scan(text: str, latex: bool = False) -> tuple[Region, ...]:
    r"""The displays, formulas, code and headings of a page.

    >>> [(r.kind, r.body) for r in scan("Here `x` is $B = 4$:\\n$$T = 2B$$")]
    [('quote', 'x'), ('inline', 'B = 4'), ('display', 'T = 2B')]

    Args:
        text: Markdown or LaTeX.
        latex: whether ``%`` starts a comment and every ``\[`` a display.

    Returns:
        The regions in the order of the page.
    """
    return tuple(Scanner(text, latex).regions())
