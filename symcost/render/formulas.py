r"""Chains of values as LaTeX mathematics, for every format that sets its formulas so."""

from __future__ import annotations

from itertools import groupby

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
from symcost.printing.fold import before_unit
from symcost.printing.latex import LATEX, OPERATORS, to_latex
from symcost.printing.layout import arrange
from symcost.printing.names import label_latex, latex_escape
from symcost.render.values import formula_unit, printable, quantity_parts


def math_latex(math: Math) -> str:
    r"""A value or a chain: ``B > \frac{19780}{67} \approx 295.2``."""
    parts = [value_latex(math.left)]
    for op, value in math.links:
        parts += [OPERATORS.get(op, op), value_latex(value)]
    return " ".join(part for part in parts if part).replace(" , ", ", ")


def value_latex(value: Value) -> str:
    """A name, an expression, words, or a number with its unit."""
    if isinstance(value, str):
        return label_latex(printable(value)) if value else ""
    if isinstance(value, Told):
        return words_in_math(value.words)
    if not isinstance(value, Quantity):
        return to_latex(value)
    exact, rounded = quantity_parts(value)
    if rounded is None:
        if not value.unit:
            return to_latex(exact)
        unit = latex_escape(formula_unit(value.unit))
        return rf"{before_unit(arrange(exact), LATEX)}\text{{ {unit}}}"
    return rounded.latex() if exact is None else rf"{to_latex(exact)} \approx {rounded.latex()}"


def words_in_math(words: Words) -> str:
    r"""Words inside a formula: ``\text{...}`` around what is no mathematics."""
    groups = groupby(inlines(words), key=lambda part: isinstance(part, Math))
    return " ".join(piece for _, group in groups for piece in _pieces(list(group)))


def _pieces(group: list[Inline]) -> list[str]:
    """Formulas one by one, or words that follow each other as one text."""
    if isinstance(group[0], Math):
        return [math_latex(part) for part in group if isinstance(part, Math)]
    texts = (part.text if isinstance(part, Strong | Code) else part for part in group)
    return [rf"\text{{{latex_escape(''.join(map(str, texts)))}}}"]
