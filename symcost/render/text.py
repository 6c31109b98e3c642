"""Documents as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr

from symcost.analysis.thresholds.phrases import case_text, phrases
from symcost.analysis.thresholds.threshold import Threshold
from symcost.documents.blocks import (
    Block,
    Document,
    Equation,
    Listing,
    Prose,
    Quantity,
    Rule,
    Sum,
    Term,
)
from symcost.printing.text import to_text
from symcost.render.values import quantity_parts

WIDTH = 88  # columns after which a formula goes on its own line


def document_text(document: Document) -> str:
    """A document as text: a line per title, two blanks before what belongs to it."""
    parts = []
    for section in document.sections:
        lines = [line for block in section.blocks for line in block_lines(block)]
        parts.append("\n".join([section.title, *(f"  {line}" for line in lines)]))
    return "\n\n".join(parts)


def block_lines(block: Block) -> Iterator[str]:
    """The lines of one block."""
    match block:
        case Prose(text):
            yield text
        case Listing(text):
            yield from text.splitlines()
        case Sum(name, terms, total):
            yield from _sum(name, terms, total)
        case Equation(name, links, reason):
            yield from _equation(name, links, reason)
        case Rule(threshold, what, reason):
            yield from _rule(threshold, what, reason)


def _sum(name: str, terms: tuple[Term, ...], total: Expr) -> Iterator[str]:
    amounts = [to_text(term.value) for term in terms]
    if len(terms) == 1:
        yield f"{name} = {amounts[0]}    ({terms[0].what})"
        return
    yield f"{name}:"
    width = max(map(len, amounts))
    for amount, term in zip(amounts, terms, strict=True):
        yield f"  {amount:<{width}}    {term.what}"
    yield f"  = {to_text(total)}"


def _equation(
    name: str, links: tuple[tuple[str, Expr | Quantity], ...], reason: str
) -> Iterator[str]:
    parts = [f"{op} {value_text(value)}" for op, value in links]
    line = " ".join([name, *parts])
    tail = f"    ({reason})" if reason else ""
    if len(line) + len(tail) <= WIDTH:
        yield line + tail
        return
    if len(line) <= WIDTH:
        yield line
    else:
        yield name
        yield from (f"  {part}" for part in parts)
    if reason:
        yield f"  ({reason})"


def value_text(value: Expr | Quantity) -> str:
    """An expression, or a number with its unit and, where that is wanted, its exact form."""
    if not isinstance(value, Quantity):
        return to_text(value)
    exact, rounded = quantity_parts(value)
    return rounded.text() if exact is None else f"{to_text(exact)} ≈ {rounded.text()}"


def percent(value: Expr) -> str:
    """A relative error in per cent."""
    return quantity_parts(Quantity(value))[1].text()


def _rule(found: Threshold, what: str, reason: str) -> Iterator[str]:
    yield f"{what}:"
    for phrase in phrases(found):
        yield f"  {case_text(phrase)}"
    if reason:
        yield f"  because {reason}"
