r"""Documents as LaTeX: ``align*`` blocks that stay on the page, alone or in a whole document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from math import ceil
from typing import TypeAlias

from symcost.documents.blocks import (
    Block,
    Code,
    Document,
    Drawing,
    Equation,
    Inline,
    Listing,
    Math,
    Prose,
    Quantity,
    Rule,
    Statement,
    Strong,
    Sum,
    Table,
    Term,
    Told,
    Value,
    Words,
    inlines,
)
from symcost.documents.wording import large_lines, statement_parts, statement_words
from symcost.printing.latex import OPERATORS, to_latex
from symcost.printing.layout import arrange
from symcost.printing.linebreak import PAGE, NamedParts, align, equation_rows, named_parts
from symcost.printing.names import label_latex, latex_escape
from symcost.printing.numbers import Shown
from symcost.printing.widths import PLUS, RELATION, node_width, shown_width, text_width
from symcost.render.formats.text import words_text
from symcost.render.formulas import math_latex, value_latex, words_in_math
from symcost.render.registry import renderer
from symcost.render.values import quantity_parts

_HEAD = r"""\documentclass[11pt,fleqn]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=1in,top=0.7in,bottom=0.8in]{geometry}
\usepackage{amsmath}
\usepackage{amssymb}
\makeatletter
\renewcommand{\section}{\@startsection{section}{1}{0pt}{0pt}{4pt}{\Large\bfseries}}
\renewcommand{\subsection}{\@startsection{subsection}{2}{0pt}{8pt}{2pt}{\large\bfseries}}
\makeatother
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\raggedright
\allowdisplaybreaks
\setlength{\mathindent}{1.5em}
\renewcommand{\labelitemi}{$\bullet$}
\begin{document}
\setlength{\abovedisplayskip}{4pt}
\setlength{\belowdisplayskip}{4pt}
\setlength{\topsep}{0pt}
"""
_LARGE = {"strong": r"\textbf{{{}}}", "large": r"{{\Large $\displaystyle {}$}}", "": "{}"}
_LISTING = 72  # columns of a program line
_LINES, _SMALL = 44, 0.8  # of a table: lines that stay on one page, and the size of small type
_ITEM = PAGE - 5.0  # em of a line in an itemize
_BREAKABLE = re.compile(r"(\*\*|[*/+(),=])(?=[^\s*])")  # a long formula may be broken after these
_NO_LABEL = r"\text{} "
Row: TypeAlias = tuple[str, object]  # an operator, and an expression or a number to print
_LONG = 16  # characters of a word that may have to be broken


@renderer("latex")
def latex(document: Document, *, whole: bool = False) -> str:
    """A document as LaTeX; the fragment needs ``amsmath``."""
    parts = [rf"\section*{{{latex_escape(document.title)}}}"] if whole and document.title else []
    parts += [_large(block) for block in document.opening]
    parts += [""] if document.opening and any(s.blocks for s in document.sections) else []
    heading = "subsection*" if whole else "paragraph"
    for section in document.sections:
        if section.title:
            parts.append(rf"\{heading}{{{words_latex(section.title)}}}")
        elif section.blocks and parts and parts[-1]:
            parts.append("")  # begins a paragraph
        parts += _blocks(section.blocks)
    body = "\n".join(parts)
    return f"{_HEAD}{body}\n\\end{{document}}" if whole else body


def _blocks(blocks: Sequence[Block]) -> list[str]:
    """The blocks of a section; equations that follow each other are aligned together."""
    parts: list[str] = []
    for together, group in groupby(blocks, key=_is_bare):
        listed = list(group)
        equations = [block for block in listed if isinstance(block, Equation)]
        parts += [_aligned(equations)] if together else map(block_latex, listed)
    displayed = "\\begin{align*}"  # belongs to the paragraph before it
    return [*parts[:1], *(p if p.startswith(displayed) else f"\n{p}" for p in parts[1:])]


def _is_bare(block: Block) -> bool:
    return isinstance(block, Equation) and not block.reason


def _aligned(equations: Sequence[Equation]) -> str:
    """Equations in one display: in one row where they fit, else in rows of their own."""
    chains = [Math(each.name, each.links) for each in equations]
    if sum(_piece_width(chain, 0) for chain in chains) + 3 * len(chains) <= PAGE:
        return align([r", \qquad ".join(map(math_latex, chains))])
    shown = ([part for link in each.links for part in _shown(*link)] for each in equations)
    rows = (_chain_rows(e.name, links) for e, links in zip(equations, shown, strict=True))
    return align([row for each in rows for row in each])


def block_latex(block: Block) -> str:
    """One block."""
    match block:
        case Prose(words):
            return words_latex(words)
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
        case Drawing():
            return f"{latex_escape(block.title)}\n"


def _large(block: Block) -> str:
    """A block of the opening: each case set large, its condition below it."""
    if not isinstance(block, Rule) or not all(map(_fits_large, block.cases)):
        return block_latex(block)
    rows = [
        _LARGE[look].format(words_in_math(said) if look == "large" else words_latex(said))
        for look, said in large_lines(block)
    ]
    return "\\begin{center}\n" + " \\\\[6pt]\n".join(rows) + "\n\\end{center}"


def _fits_large(case: Statement) -> bool:
    head, _, when = statement_parts(case)
    return 1.5 * _words_width(head) <= PAGE and _words_width(when) <= PAGE


def _words_width(words: Words, size: int = 1) -> float:
    return sum(_piece_width(piece, size) for piece in inlines(words))


def _piece_width(piece: Inline, size: int) -> float:
    if not isinstance(piece, Math):
        return text_width(piece if isinstance(piece, str) else piece.text)
    values = (piece.left, *(value for _, value in piece.links))
    return sum(_width(value, size) for value in values) + RELATION * len(piece.links)


def words_latex(words: Words, style: str = "") -> str:
    """A sentence; formulas that are wider than a line are displayed."""
    pieces = inlines(words)
    values = [v for p in pieces if isinstance(p, Math) for v in (p.left, *(v for _, v in p.links))]
    nodes = [arrange(value) for value in values if not isinstance(value, str | Quantity | Told)]
    parts = named_parts(nodes)
    said = [_piece(piece, parts, style) for piece in pieces]
    return "".join(_after_display(said)).rstrip()


def _piece(piece: Inline, parts: NamedParts, style: str) -> str:
    match piece:
        case Math():
            return _inline(piece, parts, style)
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


def _inline(math: Math, parts: NamedParts, style: str) -> str:
    """Mathematics in the line, or on rows of its own where it is too wide."""
    if _words_width((math,), 0 if style else 1) <= _ITEM:
        return f"${style}{math_latex(math)}$"
    links = [part for op, value in math.links for part in _shown(op, value)]
    return f"\n{align(_chain_rows(math.left, links, width=_ITEM, parts=parts))}\n"


def _width(value: Value, size: int = 1) -> float:
    if isinstance(value, str):
        return text_width(value)
    if isinstance(value, Told):
        return text_width(words_text(value.words))
    if not isinstance(value, Quantity):
        return node_width(arrange(value), size)
    exact, rounded = quantity_parts(value)
    return (0 if exact is None else node_width(arrange(exact), size)) + (
        0 if rounded is None else shown_width(rounded)
    )


def _rule(block: Rule) -> str:
    cases = [words_latex(statement_words(case), r"\displaystyle ") for case in block.cases]
    what = words_latex(block.what)
    because = rf"because {words_latex(block.reason)}" if block.reason else ""
    if not what and len(cases) == 1:
        return "\n".join(each for each in (cases[0], because) if each)
    items = "\n".join(rf"\item {_started(case)}" for case in cases)
    head = (f"{what}:" if what else "") + (rf"\\ {because}" if because else "")
    return f"{head}\n\\begin{{itemize}}\n\\itemsep0pt\n{items}\n\\end{{itemize}}"


def _started(case: str) -> str:
    """An item does not begin with a displayed formula."""
    return f"for{case}" if case.startswith("\n") else case


def _table(block: Table) -> str:
    """A table, in pieces that fit a page; one that is too wide is set small, its widest column
    in paragraphs."""
    lines = [*([block.head] if block.head else []), *block.lines]
    widths = [max(map(_words_width, column)) + 1.2 for column in zip(*lines, strict=True)]
    wide, widest = sum(widths) > PAGE, widths.index(max(widths))
    room = max(PAGE / _SMALL - sum(widths) + widths[widest], 10.0) if wide else widths[widest]
    looks = ["l"] * len(widths)
    if room < widths[widest]:
        looks[widest] = f"p{{{room:.1f}em}}"
    pages: list[list[str]] = [[]]
    height = 0
    for line in lines:
        height += ceil(_words_width(line[widest]) / room)
        if height > _LINES:
            pages.append([])
            height = 0
        pages[-1].append(" & ".join(map(words_latex, line)) + r" \\")
    if block.head:
        pages[0][0] += r" \hline"
    begin = (r"{\footnotesize" if wide else "") + rf"\begin{{tabular}}{{{''.join(looks)}}}"
    end = r"\end{tabular}" + ("}" if wide else "")
    return "\n\n".join("\n".join([begin, *page, end]) for page in pages)


def _sum_rows(block: Sum) -> list[str]:
    """The terms in one row, with braces that say what each is for, or a row for each."""
    widths = [_labelled_width(term) for term in block.terms]
    whole = text_width(block.name) + sum(widths) + PLUS * len(widths)
    if len(widths) > 1 and whole <= PAGE - 2:
        braced = " + ".join(map(_braced, block.terms))
        return [f"{label_latex(block.name)} &= {braced}"]
    rows: list[str] = []
    for index, term in enumerate(block.terms):
        label, op = (block.name, "=") if not index else ("", "+")
        width = text_width(block.name) + node_width(arrange(term.value))
        rows += _noted(_chain_rows(label, [(op, term.value)]), width, term.what)
    if len(block.terms) > 1:
        rows += _chain_rows("", [("=", block.total)])
    return rows


def _labelled_width(term: Term) -> float:
    return max(node_width(arrange(term.value)), 0.75 * text_width(words_text(term.what)))


def _braced(term: Term) -> str:
    return rf"\underbrace{{{to_latex(term.value)}}}_{{\text{{{words_latex(term.what)}}}}}"


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
    whole = [*before, *links]
    if _row_width(label, whole) <= width - 2:
        named = equation_rows(label, whole[:1], width=width)[0]
        rest = (f"{OPERATORS.get(op, op)} {_row_latex(value)}" for op, value in whole[1:])
        return [" ".join([named, *rest]).removeprefix(_NO_LABEL)]
    rows = equation_rows(label, whole, width=width, parts=parts)
    return [row.removeprefix(_NO_LABEL) for row in rows]


def _row_width(label: str, links: Sequence[Row]) -> float:
    widths = (shown_width(v) if isinstance(v, Shown) else node_width(arrange(v)) for _, v in links)
    return text_width(label) + sum(widths) + RELATION * len(links)


def _row_latex(value: object) -> str:
    return value.latex() if isinstance(value, Shown) else to_latex(value)


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
        return [(op, Shown(value_latex(value)) if value.unit else exact)]
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
