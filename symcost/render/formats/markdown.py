"""Documents as Markdown with LaTeX formulas."""

from __future__ import annotations

from collections.abc import Sequence

from symcost.documents.blocks import (
    Block,
    Code,
    Document,
    Drawing,
    Equation,
    Listing,
    Math,
    Prose,
    Rule,
    Strong,
    Sum,
    Table,
    Words,
    inlines,
)
from symcost.documents.wording import large_lines, statement_words
from symcost.render.formulas import math_latex, words_in_math
from symcost.render.registry import renderer
from symcost.render.values import printable

_LARGE = {"strong": "**{}**", "large": "$$\n{}\n$$", "": "{}"}


@renderer("markdown")
def markdown(document: Document, *, whole: bool = False) -> str:
    """A document as Markdown: a heading per section, display formulas, tables for sums."""
    parts = [f"# {escaped(document.title)}"] if document.title else []
    parts += [_large(block) for block in document.opening]
    for section in document.sections:
        parts += [f"## {words_markdown(section.title)}"] if section.title else []
        parts += [block_markdown(block) for block in section.blocks]
    return "\n\n".join(part for part in parts if part)


def block_markdown(block: Block) -> str:
    """One block."""
    match block:
        case Prose(words):
            return words_markdown(words)
        case Listing(text):
            fence = "`" * max(3, 1 + max(map(len, _runs(text)), default=0))
            return f"{fence}\n{printable(text)}\n{fence}"
        case Sum(name, terms, total):
            if len(terms) == 1:
                return block_markdown(Equation(name, (("=", total),), terms[0].what))
            rows = [(_cell((Math(t.value),)), _cell(t.what)) for t in terms]
            table = _table(("amount", "for"), rows)
            return f"{table}\n\n{_display(Math(name, (('=', total),)))}"
        case Equation(name, links, reason):
            shown = _display(Math(name, links))
            return f"{shown}\n\n({words_markdown(reason)})" if reason else shown
        case Rule():
            return _rule(block)
        case Table():
            cells = [tuple(map(_cell, row)) for row in block.lines]
            return _table(tuple(map(_cell, block.head)), cells)
        case Drawing():
            labels = [e if block.is_formula(e) else escaped(e) for e in block.labels]
            return "\n".join([f"{escaped(block.title)}\n", *(f"- {each}" for each in labels)])


def words_markdown(words: Words) -> str:
    """Words with their mathematics between dollar signs."""
    return "".join(
        f"${math_latex(part)}$" if isinstance(part, Math)
        else f"**{escaped(part.text)}**" if isinstance(part, Strong)
        else _code(part.text) if isinstance(part, Code)
        else escaped(part)
        for part in inlines(words)
    )  # fmt: skip


def escaped(text: str) -> str:
    """Plain text that Markdown does not take for anything else, nor a terminal for commands."""
    shown = "".join(f"\\{c}" if c in "\\`*_<>[]|$#~" else c for c in printable(text))
    return shown.replace("\n", "  \n")


def _code(text: str) -> str:
    fence = "`" * (1 + max(map(len, _runs(text)), default=0))
    return f"{fence}{printable(text)}{fence}"


def _runs(text: str) -> list[str]:
    """The runs of backquotes in a text, which its fence must be longer than."""
    return ["`" * len(run) for run in "".join(c if c == "`" else " " for c in text).split()]


def _display(math: Math) -> str:
    return f"$$\n{math_latex(math)}\n$$"


def _rule(block: Rule) -> str:
    said = [words_markdown(statement_words(case)) for case in block.cases]
    what = block.what
    shown = "\n".join(f"- {each}" for each in said) if what or len(said) > 1 else said[0]
    parts = [f"{words_markdown(what)}:" if what else "", shown]
    parts += [f"because {words_markdown(block.reason)}"] if block.reason else []
    return "\n\n".join(part for part in parts if part)


def _large(block: Block) -> str:
    """A block of the opening: each case is displayed, its condition below it."""
    if not isinstance(block, Rule):
        return block_markdown(block)
    return "\n\n".join(
        _LARGE[look].format(words_in_math(said) if look == "large" else words_markdown(said))
        for look, said in large_lines(block)
    )


def _cell(words: Words) -> str:
    return words_markdown(words).replace("  \n", "<br>")


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    width = max(map(len, [head, *rows]))
    lines = [head or ("",) * width, ("---",) * width, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
