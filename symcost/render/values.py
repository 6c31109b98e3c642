"""Numbers of a document, in the parts that all renderers show: the exact value, the rounded one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from symcost.documents.blocks import Quantity
from symcost.printing.numbers import Shown, shown, shown_quantity

if TYPE_CHECKING:
    from sympy import Expr

_EXACT_BESIDE = ("", "FLOP/byte")  # units that take no prefix and hide nothing


def quantity_parts(value: Quantity) -> tuple[Expr | Fraction | int | None, Shown | None]:
    """The exact number, where it belongs beside the rounded one, and the rounded one.

    A whole number without a unit is exact alone; what is no number yet has no rounded form.
    """
    number = value.value
    if getattr(number, "free_symbols", None):
        return number, None
    whole = getattr(number, "denominator", 0) == 1  # of ints, Fractions and sympy's integers
    if value.unit == "%":
        return None, replace(shown(number * 100), unit="%")
    beside = value.unit in _EXACT_BESIDE if value.beside is None else value.beside
    if not value.unit and whole:
        return number, None
    return (number if beside and not whole else None), shown_quantity(number, value.unit)


def formula_unit(unit: str) -> str:
    """A unit as it stands behind a formula."""
    return "bytes" if unit == "byte" else unit


def printable(text: str) -> str:
    """A text without the letters that command a terminal; its lines stay.

    >>> printable("B\\x1b[31m")
    'B·[31m'
    """
    return "".join(c if c.isprintable() or c == "\n" else "·" for c in text)
