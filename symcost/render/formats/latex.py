r"""Documents as LaTeX: ``align*`` blocks that stay on the page, alone or in a whole document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, chain, groupby
from math import ceil

from symcost.documents.blocks import (
    Block,
    Document,
    Drawing,
    Equation,
    Listing,
    Math,
    Prose,
    Rule,
    Statement,
    Sum,
    Table,
    Term,
    Words,
)
from symcost.documents.wording import large_lines, statement_parts, statement_words
from symcost.printing.latex import to_latex
from symcost.printing.layout import arrange
from symcost.printing.linebreak import PAGE, align
from symcost.printing.names import is_wide, label_latex, latex_escape
from symcost.printing.numbers import Shown
from symcost.printing.widths import PLUS, node_width, shown_width, text_width
from symcost.render.formats.text import words_text
from symcost.render.formulas import math_latex, words_in_math
from symcost.render.latex_head import preamble
from symcost.render.latex_words import (
    chain_rows,
    heading_latex,
    is_tall,
    piece_width,
    shown_rows,
    value_width,
    words_latex,
    words_width,
)
from symcost.render.registry import renderer

_LARGE = {"strong": r"\textbf{{{}}}", "large": r"{{\Large $\displaystyle {}$}}", "": "{}"}
DISPLAYED = r"\displaystyle "
_LISTING, _WORD = 72, 80  # columns of a program line, and where a long word is cut
_LINES, _SMALL = 44, 0.8  # of a table: lines that stay on one page, and the size of small type


@renderer("latex")
def latex(document: Document, *, whole: bool = False) -> str:
    """A document as LaTeX; the fragment needs ``amsmath``."""
    parts = [rf"\section*{{{latex_escape(document.title)}}}"] if whole and document.title else []
    parts += [_large(block) for block in document.opening]
    parts += [""] if document.opening and any(s.blocks for s in document.sections) else []
    heading = "subsection*" if whole else "paragraph"
    for section in document.sections:
        if section.title:
            parts.append(rf"\{heading}{{{heading_latex(section.title)}}}")
        elif section.blocks and parts and parts[-1]:
            parts.append("")  # begins a paragraph
        parts += _blocks(section.blocks)
    body = "\n".join(parts)
    return f"{preamble(body)}{body}\n\\end{{document}}" if whole else body


def _blocks(blocks: Sequence[Block]) -> list[str]:
    """The blocks of a section; equations that follow each other are aligned together."""
    parts: list[str] = []
    for together, group in groupby(blocks, key=lambda each: bool(_rows(each))):
        listed = list(group)
        equations = [block for block in listed if isinstance(block, Equation)]
        parts += [_aligned(equations)] if together else map(block_latex, listed)
    displayed = "\\begin{align*}"  # belongs to the paragraph before it
    return [*parts[:1], *(p if p.startswith(displayed) else f"\n{p}" for p in parts[1:])]


def _aligned(equations: Sequence[Equation]) -> str:
    """Equations in one display: in one row where they fit, else in rows of their own."""
    chains = [Math(each.name, each.links) for each in equations]
    narrow = sum(piece_width(chain, 0) for chain in chains) + 3 * len(chains) <= PAGE
    if narrow and not any(each.reason for each in equations):
        return align([r", \qquad ".join(map(math_latex, chains))])
    return align([row for each in equations for row in _rows(each)])


def block_latex(block: Block) -> str:
    """One block."""
    match block:
        case Prose(words):
            in_line = words_width(words) <= 1.2 * PAGE and is_tall(words)  # a line, or little more
            return words_latex(words, DISPLAYED if in_line else "")
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
            items = [
                label if label.startswith("$") else latex_escape(label) for label in block.labels
            ]
            return "\n".join([latex_escape(block.title), *_itemized(items)])


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
    return 1.5 * words_width(head) <= PAGE and words_width(when) <= PAGE


def _rule(block: Rule) -> str:
    cases = [words_latex(statement_words(case), DISPLAYED) for case in block.cases]
    what = words_latex(block.what)
    because = rf"because {words_latex(block.reason)}" if block.reason else ""
    if not what and len(cases) == 1:
        return "\n".join(each for each in (cases[0], because) if each)
    head = (f"{what}:" if what else "") + (rf"\\ {because}" if because else "")
    return "\n".join([head, *_itemized(map(_started, cases))])


def _itemized(items: Iterable[str]) -> list[str]:
    """The lines of a list."""
    begin, end = ("\\begin{itemize}", "\\itemsep0pt"), "\\end{itemize}"
    return [*begin, *(rf"\item {item}" for item in items), end]


def _started(case: str) -> str:
    """An item does not begin with a displayed formula."""
    return f"for{case}" if case.startswith("\n") else case


def _table(block: Table) -> str:
    """A table, in pieces that fit a page; one that is too wide is set small, its widest column
    in paragraphs."""
    lines = [*([block.head] if block.head else []), *block.lines]
    widths = [max(map(words_width, column)) + 1.2 for column in zip(*lines, strict=True)]
    wide, widest = sum(widths) > PAGE, widths.index(max(widths))
    room = max(PAGE / _SMALL - sum(widths) + widths[widest], 10.0) if wide else widths[widest]
    folds = room < widths[widest]
    pages: list[list[str]] = [[]]
    height = 0
    for line in lines:
        height += ceil(words_width(line[widest]) / room)
        if height > _LINES:
            pages.append([])
            height = 0
        cells = list(map(words_latex, line))
        if folds:
            cells[widest] = rf"\parbox[t]{{{room:.1f}em}}{{\raggedright {cells[widest]}\strut}}"
        pages[-1].append(" & ".join(cells) + r" \\")
    if block.head:
        pages[0][0] += r" \hline \noalign{\vskip 3pt}"
    looks = ["l" if len(pages) == 1 else f"p{{{width - 1.4:.1f}em}}" for width in widths]
    looks[widest] = "l" if folds else looks[widest]
    spread = r"\renewcommand{\arraystretch}{1.4}" if any(map(is_tall, chain(*lines))) else ""
    look = (r"\footnotesize" if wide else "") + spread
    begin = ("{" if look else "") + rf"{look}\begin{{tabular}}{{{''.join(looks)}}}"
    end = r"\end{tabular}" + ("}" if look else "")
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
        rows += _noted(chain_rows(label, [(op, term.value)]), width, term.what)
    if len(block.terms) > 1:
        rows += chain_rows("", [("=", block.total)])
    return rows


def _labelled_width(term: Term) -> float:
    return max(node_width(arrange(term.value)), 0.75 * text_width(words_text(term.what)))


def _braced(term: Term) -> str:
    return rf"\underbrace{{{to_latex(term.value)}}}_{{\text{{{words_latex(term.what)}}}}}"


def _equation(block: Equation) -> str:
    """An equation, its reason beside it or, where both are too wide, in a paragraph below."""
    rows = _rows(block)
    if rows:
        return align(rows)
    return f"{align(_rows(replace(block, reason='')))}\n({words_latex(block.reason)})\n"


def _rows(block: Block) -> list[str]:
    """The rows of an equation with its reason; none of one that has no room for it beside."""
    if not isinstance(block, Equation):
        return []
    links = [part for link in block.links for part in shown_rows(*link)]
    rows = chain_rows(block.name, links)
    if not block.reason:
        return rows
    last = links[-1][1]
    width = value_width(block.name) + (
        shown_width(last) if isinstance(last, Shown) else node_width(arrange(last))
    )
    width += 8 if len(links) > 1 and isinstance(last, Shown) else 0  # what it rounds is before it
    if len(rows) > 1 or not _fits(width, block.reason, 2):
        return []
    return [rf"{rows[0]} \qquad \text{{({words_latex(block.reason)})}}"]


def _noted(rows: list[str], width: float, note: Words) -> list[str]:
    """The note beside the last row, or in a box below it where both together are too wide."""
    said = words_latex(note)
    if len(rows) == 1 and _fits(width, note):
        return [rf"{rows[0]} \qquad \text{{{said}}}"]
    box = rf"\parbox[t]{{0.5\linewidth}}{{\raggedright {said}}}"
    return [*rows, rf"&\qquad {box}"]


def _fits(width: float, note: Words, more: float = 0) -> bool:
    return width + text_width(words_text(note)) + more < PAGE - 6


def _listing(text: str) -> str:
    lines = [part for line in text.splitlines() for part in _folded(line)]
    return "\n".join([r"\begin{verbatim}", *(_ascii(line) for line in lines), r"\end{verbatim}"])


def _folded(line: str) -> list[str]:
    """A program line in pieces that fit the page, broken at blanks."""
    pieces = []
    while (fits := _columns(line, _LISTING)) < len(line):
        indent = len(line) - len(line.lstrip())
        cut = line.rfind(" ", indent + 1, fits)
        if cut < 0:
            most = _columns(line, _WORD)
            blank = line.find(" ", indent + 1, most)
            cut = blank if blank > 0 else most
        pieces.append(line[:cut])
        line = f"    {line[cut:].lstrip()}".rstrip()
    return [*pieces, *([line] if line else [])]


def _columns(line: str, columns: int) -> int:
    """How many characters fit; one without a font is written by its number, as U+6279."""
    ends = accumulate(6 if is_wide(character) else 1 for character in line)
    return sum(end <= columns for end in ends)


def _ascii(line: str) -> str:
    """Verbatim text that every font has."""
    return line.replace("•", "@").replace("→", "->")
