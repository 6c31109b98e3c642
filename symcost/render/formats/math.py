r"""Documents as bare LaTeX mathematics, ready to stand in an equation."""

from __future__ import annotations

from symcost.documents.blocks import (
    Block,
    Document,
    Equation,
    Math,
    Prose,
    Rule,
    Statement,
    Sum,
    Table,
    Words,
    inlines,
)
from symcost.documents.wording import statement_parts, statement_words
from symcost.render.formulas import math_latex, words_in_math
from symcost.render.registry import renderer


@renderer("math")
def math(document: Document, *, whole: bool = False) -> str:
    r"""The formulas of a document: one alone, or several as rows of ``aligned``."""
    rows = [row for block in document.blocks for row in block_rows(block)]
    rows = rows or [words_in_math(b.words) for b in document.blocks if isinstance(b, Prose)]
    if len(rows) == 1:
        return rows[0]
    body = " \\\\\n".join(f"&{row}" for row in rows)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def block_rows(block: Block) -> list[str]:
    """The formulas of one block; words that go with none are left out."""
    match block:
        case Sum(name, _, total):
            return [math_latex(Math(name, (("=", total),)))]
        case Equation(name, links):
            return [math_latex(Math(name, links))]
        case Rule(cases):
            return [_cases(cases)]
        case Table():
            return [r" \quad ".join(map(words_in_math, row)) for row in block.lines]
        case Prose(words):
            return [words_in_math(words)] if _has_math(words) else []
    return []


def _has_math(words: Words) -> bool:
    return any(isinstance(part, Math) for part in inlines(words))


def _cases(cases: tuple[Statement, ...]) -> str:
    """A rule: its one case, or all of them behind a brace."""
    if len(cases) == 1:
        return words_in_math(statement_words(cases[0]))
    rows = []
    for case in cases:
        head, remark, when = statement_parts(case)
        rows.append(" & ".join(map(words_in_math, filter(None, (head, when or remark)))))
    return "\\begin{cases}\n" + " \\\\\n".join(rows) + "\n\\end{cases}"
