"""Documents as Markdown with LaTeX formulas."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr

from symcost.analysis.thresholds.phrases import case_latex, phrases
from symcost.documents.blocks import Block, Document, Equation, Listing, Prose, Quantity, Rule, Sum
from symcost.printing.latex import OPERATORS, to_latex
from symcost.printing.names import label_latex
from symcost.render.values import quantity_parts


def document_markdown(document: Document) -> str:
    """A document as Markdown: a heading per section, display formulas, tables for sums."""
    parts = [f"# {_escaped(document.title)}"]
    for section in document.sections:
        parts.append(f"## {_escaped(section.title)}")
        parts += [block_markdown(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def block_markdown(block: Block) -> str:
    """One block."""
    match block:
        case Prose(text):
            return _escaped(text)
        case Listing(text):
            return f"```\n{text}\n```"
        case Sum(name, terms, total):
            rows = [f"| ${to_latex(term.value)}$ | {_escaped(term.what)} |" for term in terms]
            head = ["| amount | for |", "| --- | --- |"]
            return "\n".join([*head, *rows, "", _display(name, [("=", total)])])
        case Equation(name, links, reason):
            shown = _display(name, links)
            return f"{shown}\n\n{_escaped(reason)}" if reason else shown
        case Rule(threshold, what, reason):
            cases = "\n".join(f"- {case_latex(phrase)}" for phrase in phrases(threshold))
            because = f"\n\nbecause {_escaped(reason)}" if reason else ""
            return f"{_escaped(what)}:\n\n{cases}{because}"


def _display(name: str, links: Sequence[tuple[str, Expr | Quantity]]) -> str:
    parts = [label_latex(name)]
    for op, value in links:
        parts += [OPERATORS.get(op, op), _value(value)]
    return f"$$\n{' '.join(parts)}\n$$"


def _value(value: Expr | Quantity) -> str:
    if not isinstance(value, Quantity):
        return to_latex(value)
    exact, rounded = quantity_parts(value)
    return rounded.latex() if exact is None else rf"{to_latex(exact)} \approx {rounded.latex()}"


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_<>[]|$#" else c for c in text)
