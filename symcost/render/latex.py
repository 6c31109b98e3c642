r"""Documents as LaTeX: ``align*`` blocks that stay on the page, alone or in a whole document."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr

from symcost.analysis.thresholds.phrases import case_latex, phrases
from symcost.document import Block, Document, Equation, Listing, Prose, Quantity, Rule, Sum
from symcost.printing.layout import arrange
from symcost.printing.linebreak import PAGE, align, equation_rows
from symcost.printing.names import latex_escape
from symcost.printing.numbers import Shown
from symcost.printing.widths import node_width, shown_width, text_width
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
            return align(_equation_rows(block))
        case Rule(threshold, what, reason):
            cases = [case_latex(phrase) for phrase in phrases(threshold)]
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


def _equation_rows(block: Equation) -> list[str]:
    links = [part for link in block.links for part in _link(*link)]
    rows = _rows(block.name, links)
    last = links[-1][1]
    width = text_width(block.name) + (
        shown_width(last) if isinstance(last, Shown) else node_width(arrange(last))
    )
    width += 8 if len(links) > 1 and isinstance(last, Shown) else 0  # what it rounds is before it
    return _noted(rows, width, f"({block.reason})") if block.reason else rows


def _rows(label: str, links: Sequence[tuple[str, Expr | Shown]]) -> list[str]:
    return [row.removeprefix(r"\text{} ") for row in equation_rows(label, links)]


def _noted(rows: list[str], width: float, note: str) -> list[str]:
    """The note beside the last row, or below it where both together are too wide."""
    said = rf"\text{{{_words(note)}}}"
    if len(rows) == 1 and width + text_width(note) < PAGE - 6:
        return [rf"{rows[0]} \qquad {said}"]
    return [*rows, rf"&\qquad {said}"]


def _link(op: str, value: Expr | Quantity) -> list[tuple[str, Expr | Shown]]:
    if not isinstance(value, Quantity):
        return [(op, value)]
    exact, rounded = quantity_parts(value)
    return [(op, rounded)] if exact is None else [(op, exact), ("≈", rounded)]


_MATH_WORDS = {"<<": r"$\ll$", ">>": r"$\gg$", "->": r"$\to$", ">": "$>$", "<": "$<$"}


def _words(text: str) -> str:
    """A sentence with its signs of comparison set as mathematics."""
    return " ".join(_MATH_WORDS.get(word) or latex_escape(word) for word in text.split(" "))


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
