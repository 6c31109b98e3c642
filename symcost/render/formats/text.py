"""Documents as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symcost.documents.blocks import (
    Block,
    Code,
    Document,
    Drawing,
    Equation,
    Listing,
    Math,
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
from symcost.render.registry import renderer
from symcost.render.values import formula_unit, printable, quantity_parts

WIDTH = 88  # columns after which a formula goes on its own line


@renderer("text")
def text(document: Document, *, whole: bool = False) -> str:
    """A document as text: a line per title, two blanks before what belongs to it."""
    parts = []
    for section in document.lines:
        lines = [line for block in section.blocks for line in block_lines(block)]
        title = words_text(section.title)
        shown = [title, *(f"  {line}" for line in lines)] if title else lines
        parts += ["\n".join(shown)] if shown else []
    return "\n\n".join(parts)


def block_lines(block: Block) -> Iterator[str]:
    """The lines of one block."""
    match block:
        case Prose(words):
            yield words_text(words)
        case Listing(typed):
            yield from map(printable, typed.splitlines())
        case Sum():
            yield from _sum(block)
        case Equation():
            yield from _equation(block)
        case Rule():
            yield from _rule(block)
        case Table():
            yield from _table(block)
        case Drawing():
            yield from (block.title, *(f"  {label}" for label in block.labels))


def words_text(words: Words) -> str:
    """Words as plain text."""
    return "".join(
        math_text(part) if isinstance(part, Math)
        else printable(part.text if isinstance(part, Strong | Code) else part)
        for part in inlines(words)
    )  # fmt: skip


def math_text(math: Math) -> str:
    """A value or a chain of comparisons: ``B > 19780/67 (295.2)``."""
    links = (f"{', ' if op == ',' else f' {op} '}{value_text(v)}" for op, v in math.links)
    return "".join([value_text(math.left), *links])


def exact_text(math: Math) -> str:
    """A chain with exact values only, as sympy reads it."""
    links = tuple((op, _bare(value)) for op, value in math.links)
    return math_text(Math(_bare(math.left), links))


def _bare(value: Value) -> Value:
    if isinstance(value, Told):
        return value if value.value is None else value.value
    return _exact(value.value) if isinstance(value, Quantity) else value


def value_text(value: Value) -> str:
    """An expression, or a number with its unit and, where that is wanted, its exact form."""
    if isinstance(value, str):
        return value
    if isinstance(value, Told):
        return words_text(value.words)
    if not isinstance(value, Quantity):
        return _exact(value)
    exact, rounded = quantity_parts(value)
    if exact is None or rounded is None:
        return rounded.text() if rounded is not None else _exact(exact, formula_unit(value.unit))
    between = ("≈ ", "") if value.unit else ("(", ")")
    return f"{_exact(exact)} {between[0]}{rounded.text()}{between[1]}"


def _exact(value: object, unit: str = "") -> str:
    from symcost.printing.text import amount_text

    return amount_text(value, unit)


def _sum(block: Sum) -> Iterator[str]:
    amounts = [_exact(term.value) for term in block.terms]
    if len(block.terms) == 1:
        yield f"{block.name} = {amounts[0]}    ({words_text(block.terms[0].what)})"
        return
    yield f"{block.name}:"
    width = max(map(len, amounts))
    for amount, term in zip(amounts, block.terms, strict=True):
        yield f"  {amount:<{width}}    {words_text(term.what)}"
    yield f"  = {_exact(block.total)}"


def _equation(block: Equation) -> Iterator[str]:
    parts = [f"{op} {value_text(value)}" for op, value in block.links]
    name = value_text(block.name)
    line = " ".join([name, *parts])
    reason = words_text(block.reason)
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


def _rule(block: Rule) -> Iterator[str]:
    what, reason = words_text(block.what), words_text(block.reason)
    before = "  " if what else ""
    if what:
        yield f"{what}:"
    yield from (before + words_text(statement_words(case)) for case in block.cases)
    if reason:
        yield f"{before}because {reason}"


def _table(block: Table) -> Iterator[str]:
    head = [block.head] if block.head else []
    lines = columns([[*map(words_text, row)] for row in (*head, *block.lines)])
    if block.foot:
        rule = "-" * max(map(len, lines))
        below = len(lines) - len(block.foot)
        lines = [*lines[: len(head)], rule, *lines[len(head) : below], rule, *lines[below:]]
    yield from lines


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell."""
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    padded = ([f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)] for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]
