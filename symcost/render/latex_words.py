r"""Sentences with formulas as LaTeX, and how wide they are on a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from symcost.documents.blocks import (
    Code,
    Inline,
    Math,
    Quantity,
    Strong,
    Told,
    Value,
    Words,
    inlines,
)
from symcost.printing.fold import is_tall as node_is_tall
from symcost.printing.latex import OPERATORS, to_latex
from symcost.printing.layout import arrange
from symcost.printing.linebreak import PAGE, NamedParts, align, equation_rows, named_parts
from symcost.printing.names import latex_escape
from symcost.printing.nodes import Node
from symcost.printing.numbers import Shown
from symcost.printing.widths import RELATION, node_width, shown_width, text_width
from symcost.render.formats.text import words_text
from symcost.render.formulas import math_latex, value_latex
from symcost.render.values import quantity_parts

ITEM = PAGE - 5.0  # em of a line in an itemize
Row: TypeAlias = tuple[str, object]  # an operator, and an expression or a number to print

_BREAKABLE = re.compile(r"(\*\*|[*/+(),=])(?=[^\s*])")  # a long formula may be broken after these
_NO_LABEL = r"\text{} "
_LONG, _LONGEST = 16, 24  # characters of a word that is broken after signs, and anywhere


def words_latex(words: Words, style: str = "") -> str:
    """A sentence; formulas that are wider than a line are displayed."""
    parts = named_parts(_nodes(words))
    said = [_piece(piece, parts, style) for piece in inlines(words)]
    return "".join(_after_display(said)).rstrip()


def heading_latex(words: Words) -> str:
    """A heading; one that is wider than a line is plain text, which may be broken anywhere."""
    wide = any(words_width((each,)) > ITEM for each in inlines(words))
    return _text(words_text(words)) if wide else words_latex(words)


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
    if words_width((math,), 0 if style else 1) <= ITEM:
        return f"${style}{math_latex(math)}$"
    links = [part for op, value in math.links for part in shown_rows(op, value)]
    return f"\n{align(chain_rows(math.left, links, width=ITEM, parts=parts))}\n"


def value_width(value: Value, size: int = 1) -> float:
    """The width of a name, an expression or a number."""
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


def is_tall(words: Words) -> bool:
    """Whether something stands in the words, such as a fraction, that needs more room."""
    return any(map(node_is_tall, _nodes(words)))


def _nodes(words: Words) -> list[Node]:
    """The expressions and exact numbers of some words."""
    maths = [piece for piece in inlines(words) if isinstance(piece, Math)]
    values = [value for math in maths for value in (math.left, *(v for _, v in math.links))]
    exact = [quantity_parts(v)[0] if isinstance(v, Quantity) else v for v in values]
    return [arrange(v) for v in exact if v is not None and not isinstance(v, str | Told)]


def words_width(words: Words, size: int = 1) -> float:
    """The width of a sentence in em, of its formulas in a size of type."""
    return sum(piece_width(piece, size) for piece in inlines(words))


def piece_width(piece: Inline, size: int) -> float:
    """The width of words or of a formula."""
    if not isinstance(piece, Math):
        return text_width(piece if isinstance(piece, str) else piece.text)
    values = (piece.left, *(value for _, value in piece.links))
    return sum(value_width(value, size) for value in values) + RELATION * len(piece.links)


def chain_rows(
    left: Value, links: Sequence[Row], *, width: float = PAGE, parts: NamedParts | None = None
) -> list[str]:
    """A chain as rows, aligned behind its left side where that is a name or a symbol."""
    is_name = isinstance(left, str) or getattr(left, "is_Symbol", False)
    label, before = (str(left), []) if is_name else ("", shown_rows("", left))
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


def shown_rows(op: str, value: Value) -> list[Row]:
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
    cut = [each[i : i + _LONGEST] for each in pieces for i in range(0, len(each), _LONGEST)]
    return r"\hspace{0pt}".join(map(latex_escape, cut))
