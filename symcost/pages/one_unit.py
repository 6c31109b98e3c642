"""Numbers whose unit stands at the end of the chain only: ``3.2 + 1.1 = 4.3 ms``."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from symcost.algebra.posynomial import to_rational
from symcost.checker.claims import Side
from symcost.checker.rounding import agrees

_IN_FULL = re.compile(r"10\s*\^|\d[eE][+-]?\d|\d{5}|\\(?:text|mathrm)|[\d)}]\s*[A-Za-zµ]")


def in_one_unit(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    r"""The sides with the unit of the last one put to those that plainly are in it as well.

    Numbers in full, with powers of ten, are in base units, and ``ms`` behind their ``0.00389``
    is a mistake; ``140/3.35 = 41.8 ms`` is in gigabytes and milliseconds.

    >>> from symcost.checker.claims import read_claim
    >>> [str(side.expr) for side in in_one_unit(read_claim("3.2 + 1.1 = 4.3 ms").sides)]
    ['43/10000', '43/10000']
    """
    measure = sides[-1].measure
    if measure is None or measure.size == 1:
        return sides
    printed, size = measure.printed.scaled(1 / measure.size), to_rational(measure.size)

    def scaled(side: Side) -> Side:
        value = side.expr
        if not value.is_Rational or _IN_FULL.search(side.text):
            return side
        if side.measure is not None and side.measure.unit:
            return side
        if not agrees(printed, Fraction(int(value.p), int(value.q))):
            return side
        digits = (
            replace(side.measure, printed=side.measure.printed.scaled(measure.size))
            if side.measure
            else None
        )
        return replace(side, expr=value * size, measure=digits)

    return tuple(scaled(side) for side in sides)
