"""Numbers of a document, in the parts that all renderers show: the exact value, the rounded one."""

from __future__ import annotations

from sympy import Expr

from symcost.documents.blocks import Quantity
from symcost.printing.numbers import Shown, shown, shown_quantity


def quantity_parts(value: Quantity) -> tuple[Expr | None, Shown]:
    """The exact number, where it belongs beside the rounded one, and the rounded one.

    A plain number without a unit is a relative error and is shown in per cent; an intensity
    keeps its exact fraction; a time or a rate is shown with an SI prefix alone.
    """
    if not value.unit:
        percent = shown(value.value * 100)
        return None, Shown(percent.digits, percent.power, "%")
    rounded = shown_quantity(value.value, value.unit)
    exact = value.value if value.unit == "FLOP/byte" and not value.value.is_Integer else None
    return exact, rounded
