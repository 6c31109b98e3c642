r"""HTML as text with LaTeX formulas: ``<math>``, KaTeX and MathJax, code, headings, items.

Sources: MathML Core (the elements), the HTML standard (which elements start a line).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser

_SKIPPED = ("script", "style", "head", "template", "svg")
_VOID = ("br", "hr", "img", "input", "meta", "link", "col", "source", "wbr", "mspace")
_LINES = {
    **dict.fromkeys(("p", "div", "br", "ul", "ol", "table", "section", "blockquote", "dd"), "\n"),
    **{f"h{n}": "\n\n# " for n in range(1, 7)},
    **{"li": "\n- ", "tr": "\n| ", "pre": "\n```\n", "dt": "\n- "},
}
_ENDS = {"p": "\n", "td": " | ", "th": " | ", "pre": "\n```\n", "code": "`"}
_ENDS |= dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "div", "li", "ul", "table"), "\n")
_TEX = {  # what the reader takes in LaTeX only
    **{"\u2062": " ", "\u2061": "", "\u2063": "", "\u00a0": " ", "∑": r"\sum "},
    **{"⌈": r"\lceil ", "⌉": r"\rceil ", "⌊": r"\lfloor ", "⌋": r"\rfloor "},
    **{"{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&"},
}
_TRANSLATED = str.maketrans(_TEX)
_TEX_SCRIPT = re.compile(r"math/tex(?P<display>;\s*mode=display)?")


@dataclass(slots=True)
class Element:
    """One element of a formula with what stands in it."""

    name: str
    display: bool = False
    text: str = ""
    children: list[Element] = field(default_factory=list)


class _Reader(HTMLParser):
    """Collects the text of a page, and the line of the file that each of its lines comes from."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.lines = [1]
        self.skipped: list[str] = []
        self.formula: list[Element] = []
        self.script: re.Match[str] | None = None

    def put(self, text: str) -> None:
        """Add text; its further lines come from the further lines of the file."""
        line = self.getpos()[0]
        self.parts.append(text)
        self.lines += [line + n for n in range(text.count("\n"))]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Start a line, a formula, code, or what is left out."""
        given = dict(attrs)
        hidden = tag in _SKIPPED or "katex-html" in (given.get("class") or "")
        if tag == "script":
            self.script = _TEX_SCRIPT.match(given.get("type") or "")
        if self.skipped or hidden:
            if tag not in _VOID:
                self.skipped.append(tag)
        elif tag == "math" or self.formula:
            self._open(tag, given)
        elif tag == "code":
            self.put("" if self.parts and self.parts[-1].endswith("```\n") else "`")
        elif tag in ("sup", "sub"):
            self.put("^{" if tag == "sup" else "_{")
        elif tag in _LINES:
            self.put(_LINES[tag])

    def _open(self, tag: str, given: dict[str, str | None]) -> None:
        if tag in _VOID:
            return
        element = Element(
            tag, given.get("display") == "block" or "tex" in (given.get("encoding") or "")
        )
        if self.formula:
            self.formula[-1].children.append(element)
        self.formula.append(element)

    def handle_endtag(self, tag: str) -> None:
        """End what the tag started."""
        if self.skipped:
            if tag in self.skipped:
                while self.skipped.pop() != tag:
                    pass
        elif self.formula:
            if any(each.name == tag for each in self.formula):
                self._close(tag)
        elif tag in ("sup", "sub"):
            self.put("}")
        elif tag == "code":
            self.put("" if "\n```\n" in self.parts[-3:] else "`")
        elif tag in _ENDS:
            self.put(_ENDS[tag])

    def _close(self, tag: str) -> None:
        while (element := self.formula.pop()).name != tag:
            pass
        if not self.formula:
            mark = "$$" if element.display else "$"
            self.put(f"{mark}{_annotated(element) or latex(element)}{mark}")

    def handle_data(self, data: str) -> None:
        """Text, of a formula or of the page."""
        if self.script is not None and self.skipped:
            mark = "$$" if self.script["display"] else "$"
            self.put(f"{mark}{data.strip()}{mark}")
        elif not self.skipped and self.formula:
            self.formula[-1].text += data
        elif not self.skipped:
            self.put(data)


def html_text(page: str) -> tuple[str, tuple[int, ...]]:
    r"""The text of an HTML page with LaTeX formulas, and the line of the file for each line.

    >>> html_text("<p>So <math><mi>B</mi><mo>&gt;</mo><mn>240</mn></math>.</p>")[0].strip()
    'So $B>240$.'

    Args:
        page: HTML; formulas as MathML, as KaTeX or MathJax write them, or as LaTeX.

    Returns:
        Text that reads as Markdown, and one number for each of its lines.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return "".join(reader.parts), tuple(reader.lines)


def _annotated(element: Element) -> str:
    """The LaTeX that KaTeX and MathJax keep beside the MathML."""
    for child in element.children:
        if child.name == "annotation" and child.display:
            return child.text.strip()
        if found := _annotated(child):
            return found
    return ""


def latex(element: Element) -> str:
    r"""A MathML element as LaTeX.

    >>> latex(Element("mfrac", children=[Element("mi", text="F"), Element("mi", text="C")]))
    '\\frac{F}{C}'
    """
    parts = [latex(child) for child in element.children]
    if element.name in ("annotation", "annotation-xml"):
        return ""
    if element.name in ("mi", "mn", "mo", "mtext", "ms"):
        return _token(element)
    known = _FORMS.get(element.name)
    return (
        known(parts) if known and len(parts) > 1 else _ONE.get(element.name, "%s") % "".join(parts)
    )


def _token(element: Element) -> str:
    text = element.text.strip()
    if element.name == "mtext":
        return rf"\text{{{element.text}}}"
    if element.name == "mi" and len(text) > 1 and text.isascii():
        functions = ("max", "min", "log", "exp", "ln")
        return rf"\{text} " if text in functions else rf"\mathrm{{{text}}}"
    return text.translate(_TRANSLATED)


_ONE = {"msqrt": r"\sqrt{%s}", "mtr": r"%s \\", "mtd": "%s &"}
_FORMS: dict[str, Callable[[list[str]], str]] = {
    "mfrac": lambda parts: rf"\frac{{{parts[0]}}}{{{parts[1]}}}",
    "msup": lambda parts: f"{_group(parts[0])}^{{{parts[1]}}}",
    "msub": lambda parts: f"{_group(parts[0])}_{{{parts[1]}}}",
    "munder": lambda parts: f"{parts[0]}_{{{parts[1]}}}",
    "mover": lambda parts: f"{parts[0]}^{{{parts[1]}}}",
    "mroot": lambda parts: rf"\sqrt[{parts[1]}]{{{parts[0]}}}",
    "msubsup": lambda parts: f"{_group(parts[0])}_{{{parts[1]}}}^{{{parts[-1]}}}",
    "munderover": lambda parts: f"{parts[0]}_{{{parts[1]}}}^{{{parts[-1]}}}",
}


def _group(base: str) -> str:
    """A base that is one letter, word or bracket needs no braces."""
    return (
        base
        if re.fullmatch(r"\\?\w+\s?|\\mathrm\{\w+\}|\(.*\)|\\text\{[^{}]*\}", base)
        else f"{{{base}}}"
    )
