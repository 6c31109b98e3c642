r"""Documents as LaTeX: ``align*`` blocks that stay on the page, alone or in a whole document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from symcost.documents.blocks import (
    Block,
    Code,
    Curves,
    Document,
    Equation,
    Inline,
    Link,
    Listing,
    Math,
    Picture,
    Prose,
    Quantity,
    Rule,
    Strong,
    Sum,
    Table,
    Told,
    Value,
    Words,
    inlines,
)
from symcost.documents.wording import statement_words
from symcost.printing.layout import arrange
from symcost.printing.linebreak import PAGE, NamedParts, align, equation_rows, named_parts
from symcost.printing.names import latex_escape
from symcost.printing.numbers import Shown
from symcost.printing.widths import RELATION, node_width, shown_width, text_width
from symcost.render.formats.text import words_text
from symcost.render.formulas import math_latex, value_latex
from symcost.render.registry import renderer
from symcost.render.values import quantity_parts

_HEAD = r"""\documentclass[12pt,fleqn]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=1in]{geometry}
\usepackage{amsmath}
\usepackage{amssymb}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\raggedright
\allowdisplaybreaks
\setlength{\mathindent}{1.5em}
\begin{document}
\setlength{\abovedisplayskip}{4pt}
\setlength{\belowdisplayskip}{4pt}
"""
_LISTING = 72  # columns of a program line
_ITEM = PAGE - 5.0  # em of a line in an itemize
_BREAKABLE = re.compile(r"(\*\*|[*/+(),=])(?=[^\s*])")  # a long formula may be broken after these
_NO_LABEL = r"\text{} "
Row: TypeAlias = tuple[str, object]  # an operator, and an expression or a number to print
_LONG = 16  # characters of a word that may have to be broken


@renderer("latex")
def latex(document: Document, *, whole: bool = False) -> str:
    """A document as LaTeX; the fragment needs ``amsmath``."""
    parts = [rf"\section*{{{latex_escape(document.title)}}}"] if whole and document.title else []
    parts += [block_latex(block) for block in document.opening]
    heading = "subsection*" if whole else "paragraph"
    for section in document.sections:
        if section.title:
            parts.append(rf"\{heading}{{{words_latex(section.title)}}}")
        parts += [block_latex(block) for block in section.blocks]
    body = "\n".join(parts)
    return f"{_HEAD}{body}\n\\end{{document}}" if whole else body


def block_latex(block: Block) -> str:
    """One block."""
    match block:
        case Prose(words):
            return f"{words_latex(words)}\n"
        case Listing(text):
            return _listing(text)
        case Sum():
            return align(_sum_rows(block))
        case Equation():
            return _equation(block)
        case Rule():
            return _rule(block)
        case Table():
            return _table(block)
        case Curves(title):
            return f"{latex_escape(title)}\n"
        case Picture():
            return f"{latex_escape(block.words)}\n"


def words_latex(words: Words) -> str:
    """A sentence; formulas that are wider than a line are displayed."""
    pieces = inlines(words)
    values = [v for p in pieces if isinstance(p, Math) for v in (p.left, *(v for _, v in p.links))]
    nodes = [arrange(value) for value in values if not isinstance(value, str | Quantity | Told)]
    parts = named_parts(nodes)
    said = [_piece(piece, parts) for piece in pieces]
    return "".join(_after_display(said)).rstrip()


def _piece(piece: Inline, parts: NamedParts) -> str:
    match piece:
        case Math():
            return _inline(piece, parts)
        case Strong(text):
            return rf"\textbf{{{latex_escape(text)}}}"
        case Code(text):
            return rf"\texttt{{{latex_escape(text)}}}"
    return _text(piece)


def _after_display(said: list[str]) -> list[str]:
    """Commas and blanks beside a displayed formula are left out."""
    for index in range(1, len(said)):
        if said[index - 1].endswith("\\end{align*}\n"):
            said[index] = said[index].removeprefix(",").lstrip(" ")
        if said[index].startswith("\n"):
            said[index - 1] = said[index - 1].rstrip(" ")
    return said


def _inline(math: Math, parts: NamedParts) -> str:
    """Mathematics in the line, or on rows of its own where it is too wide."""
    values = [math.left, *(value for _, value in math.links)]
    width = sum(_width(value) for value in values) + RELATION * len(math.links)
    if width <= _ITEM:
        return f"${math_latex(math)}$"
    links = [part for op, value in math.links for part in _shown(op, value)]
    return f"\n{align(_chain_rows(math.left, links, width=_ITEM, parts=parts))}\n"


def _width(value: Value) -> float:
    if isinstance(value, str):
        return text_width(value)
    if isinstance(value, Told):
        return text_width(words_text(value.words))
    if not isinstance(value, Quantity):
        return node_width(arrange(value), 1)
    exact, rounded = quantity_parts(value)
    return (0 if exact is None else node_width(arrange(exact), 1)) + (
        0 if rounded is None else shown_width(rounded)
    )


def _rule(block: Rule) -> str:
    cases = [words_latex(statement_words(case)) for case in block.cases]
    what = words_latex(block.what)
    because = rf"because {words_latex(block.reason)}" if block.reason else ""
    if not what and len(cases) == 1:
        return "\n".join(each for each in (cases[0], because) if each)
    items = "\n".join(rf"\item {_started(case)}" for case in cases)
    head = (f"{what}:" if what else "") + (rf"\\ {because}" if because else "")
    return f"{head}\n\\begin{{itemize}}\n{items}\n\\end{{itemize}}"


def _started(case: str) -> str:
    """An item does not begin with a displayed formula."""
    return f"for{case}" if case.startswith("\n") else case


def _table(block: Table) -> str:
    width = max(map(len, [block.head, *block.lines]))
    rows = [" & ".join(map(words_latex, row)) + r" \\" for row in block.lines]
    head = [" & ".join(map(words_latex, block.head)) + r" \\ \hline"] if block.head else []
    return "\n".join([rf"\begin{{tabular}}{{{'l' * width}}}", *head, *rows, r"\end{tabular}"])


def _sum_rows(block: Sum) -> list[str]:
    rows: list[str] = []
    for index, term in enumerate(block.terms):
        label, op = (block.name, "=") if not index else ("", "+")
        width = text_width(block.name) + node_width(arrange(term.value))
        rows += _noted(_chain_rows(label, [(op, term.value)]), width, term.what)
    if len(block.terms) > 1:
        rows += _chain_rows("", [("=", block.total)])
    return rows


def _equation(block: Equation) -> str:
    """An equation, its reason beside it or, where both are too wide, in a paragraph below."""
    links = [part for link in block.links for part in _shown(*link)]
    rows = _chain_rows(block.name, links)
    if not block.reason:
        return align(rows)
    last = links[-1][1]
    width = _width(block.name) + (
        shown_width(last) if isinstance(last, Shown) else node_width(arrange(last))
    )
    width += 8 if len(links) > 1 and isinstance(last, Shown) else 0  # what it rounds is before it
    if len(rows) == 1 and _fits(width, block.reason, 2):
        return align([rf"{rows[0]} \qquad \text{{({words_latex(block.reason)})}}"])
    return f"{align(rows)}\n({words_latex(block.reason)})\n"


def _chain_rows(
    left: Value, links: Sequence[Row], *, width: float = PAGE, parts: NamedParts | None = None
) -> list[str]:
    """A chain as rows, aligned behind its left side where that is a name or a symbol."""
    is_name = isinstance(left, str) or getattr(left, "is_Symbol", False)
    label, before = (str(left), []) if is_name else ("", _shown("", left))
    rows = equation_rows(label, [*before, *links], width=width, parts=parts)
    return [row.removeprefix(_NO_LABEL) for row in rows]


def _noted(rows: list[str], width: float, note: Words) -> list[str]:
    """The note beside the last row, or in a box below it where both together are too wide."""
    said = words_latex(note)
    if len(rows) == 1 and _fits(width, note):
        return [rf"{rows[0]} \qquad \text{{{said}}}"]
    box = rf"\parbox[t]{{0.5\linewidth}}{{\raggedright {said}}}"
    return [*rows, rf"&\qquad {box}"]


def _fits(width: float, note: Words, more: float = 0) -> bool:
    return width + text_width(words_text(note)) + more < PAGE - 6


def _shown(op: str, value: Value) -> list[Row]:
    """A link as the row breaker takes it: an expression, or a number that is ready to print."""
    if isinstance(value, str | Told):
        return [(op, Shown(value_latex(value)))]
    if not isinstance(value, Quantity):
        return [(op, value)]
    exact, rounded = quantity_parts(value)
    if rounded is None:
        return [(op, exact)]
    return [(op, rounded)] if exact is None else [(op, exact), ("≈", rounded)]


def _text(text: str) -> str:
    """Words; one that is long, as formulas are, may be broken after an operator."""
    return " ".join(_word(word) for word in text.split(" "))


def _word(word: str) -> str:
    if len(word) < _LONG:
        return latex_escape(word)
    pieces = _BREAKABLE.sub("\\1 ", word).split(" ")
    return r"\hspace{0pt}".join(latex_escape(piece) for piece in pieces)


def _listing(text: str) -> str:
    lines = [part for line in text.splitlines() for part in _folded(line)]
    return "\n".join([r"\begin{verbatim}", *(_ascii(line) for line in lines), r"\end{verbatim}"])


def _folded(line: str) -> list[str]:
    """A program line in pieces that fit the page, broken at blanks."""
    if len(line) <= _LISTING:
        return [line]
    cut = line.rfind(" ", 0, _LISTING)
    cut = cut if cut > 0 else _LISTING
    return [line[:cut], *_folded("    " + line[cut:].lstrip())]


def _ascii(line: str) -> str:
    """Verbatim text that every font has."""
    return line.replace("•", "@").replace("→", "->")


__all__ = ["Link", "block_latex", "latex", "words_latex"]
