r"""Documents as LaTeX: ``align*`` blocks that stay on the page, alone or in a whole document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sympy import Expr

from symcost.analysis.thresholds.phrases import CasePhrase, Link, case_said, link_latex, phrases
from symcost.documents.blocks import Block, Document, Equation, Listing, Prose, Quantity, Rule, Sum
from symcost.printing.layout import arrange
from symcost.printing.linebreak import PAGE, NamedParts, align, equation_rows, named_parts
from symcost.printing.names import latex_escape
from symcost.printing.numbers import Shown
from symcost.printing.widths import RELATION, node_width, shown_width, text_width
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
_AFTER_DISPLAY = re.compile(r"(\\end\{align\*\}\n),? ")
_NO_LABEL = r"\text{} "
_LONG = 16  # characters of a word that may have to be broken


def document_latex(document: Document, *, standalone: bool = False) -> str:
    """A document as LaTeX; the fragment needs ``amsmath``."""
    parts = [rf"\section*{{{latex_escape(document.title)}}}"] if standalone else []
    for section in document.sections:
        if standalone:
            parts.append(rf"\subsection*{{{_words(section.title)}}}")
        else:
            parts.append(rf"\paragraph{{{_words(section.title)}}}")
        parts += [block_latex(block) for block in section.blocks]
    body = "\n".join(parts) + "\n"
    return f"{_HEAD}{body}\\end{{document}}\n" if standalone else body


def block_latex(block: Block) -> str:
    """One block."""
    match block:
        case Prose(text):
            return f"{_words(text)}\n"
        case Listing(text):
            return _listing(text)
        case Sum():
            return align(_sum_rows(block))
        case Equation():
            return _equation(block)
        case Rule(threshold, what, reason):
            cases = [_case(phrase) for phrase in phrases(threshold)]
            because = rf"\\ because {_words(reason)}" if reason else ""
            items = "\n".join(rf"\item {case}" for case in cases)
            return f"{_words(what)}:{because}\n\\begin{{itemize}}\n{items}\n\\end{{itemize}}"


def _sum_rows(block: Sum) -> list[str]:
    rows: list[str] = []
    for index, term in enumerate(block.terms):
        label, op = (block.name, "=") if not index else ("", "+")
        width = text_width(block.name) + node_width(arrange(term.value))
        rows += _noted(_rows(label, [(op, term.value)]), width, term.what)
    if len(block.terms) > 1:
        rows += _rows("", [("=", block.total)])
    return rows


def _equation(block: Equation) -> str:
    """An equation, its reason beside it or, where both are too wide, in a paragraph below."""
    links = [part for link in block.links for part in _link(*link)]
    rows = _rows(block.name, links)
    if not block.reason:
        return align(rows)
    last = links[-1][1]
    width = text_width(block.name) + (
        shown_width(last) if isinstance(last, Shown) else node_width(arrange(last))
    )
    width += 8 if len(links) > 1 and isinstance(last, Shown) else 0  # what it rounds is before it
    if len(rows) == 1 and _fits(width, f"({block.reason})"):
        return align([_beside(rows[0], f"({block.reason})")])
    return f"{align(rows)}\n({_words(block.reason)})\n"


def _rows(label: str, links: Sequence[tuple[str, Expr | Shown]]) -> list[str]:
    return [row.removeprefix(_NO_LABEL) for row in equation_rows(label, links)]


def _noted(rows: list[str], width: float, note: str) -> list[str]:
    """The note beside the last row, or in a box below it where both together are too wide."""
    if len(rows) == 1 and _fits(width, note):
        return [_beside(rows[0], note)]
    box = rf"\parbox[t]{{0.5\linewidth}}{{\raggedright {_words(note)}}}"
    return [*rows, rf"&\qquad {box}"]


def _fits(width: float, note: str) -> bool:
    return width + text_width(note) < PAGE - 6


def _beside(row: str, note: str) -> str:
    return rf"{row} \qquad \text{{{_words(note)}}}"


def _case(phrase: CasePhrase) -> str:
    """One case in words; formulas wider than a line are displayed."""
    every = [link for links in (*phrase.alternatives, phrase.conditions) for link in links]
    parts = named_parts([arrange(side) for left, _, right in every for side in (left, right)])
    links = [[_comparison(link, parts) for link in each] for each in phrase.alternatives]
    said = case_said(phrase, links, [_comparison(link, parts) for link in phrase.conditions])
    said = _AFTER_DISPLAY.sub(r"\1", said).replace(" \n", "\n").rstrip()
    return f"for{said}" if said.startswith("\n") else said


def _comparison(link: Link, parts: NamedParts) -> str:
    """A comparison in the line, or on rows of its own where it is too wide."""
    left, op, right = link
    widths = [node_width(arrange(side), 1) for side in (left, right)]
    if sum(widths) + RELATION <= _ITEM:
        return f"${link_latex(link)}$"
    if left.is_Symbol:
        rows = equation_rows(str(left), [(op, right)], width=_ITEM, parts=parts)
    else:
        rows = equation_rows("", [("", left), (op, right)], width=_ITEM, parts=parts)
    return f"\n{align([row.removeprefix(_NO_LABEL) for row in rows])}\n"


def _link(op: str, value: Expr | Quantity) -> list[tuple[str, Expr | Shown]]:
    if not isinstance(value, Quantity):
        return [(op, value)]
    exact, rounded = quantity_parts(value)
    return [(op, rounded)] if exact is None else [(op, exact), ("≈", rounded)]


_MATH_WORDS = {
    "<<": r"$\ll$", ">>": r"$\gg$", "->": r"$\to$", ">": "$>$", "<": "$<$", ">=": r"$\geq$",
    "<=": r"$\leq$",
}  # fmt: skip


def _words(text: str) -> str:
    """A sentence with its signs of comparison set as mathematics."""
    return " ".join(_MATH_WORDS.get(word) or _word(word) for word in text.split(" "))


def _word(word: str) -> str:
    """A word; one that is long, as formulas are, may be broken after an operator."""
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
