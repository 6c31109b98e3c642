"""What authors leave to the reader: small parts behind ≈, rounded inputs, KB for KiB, units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from sympy import Expr

from symcost.algebra.posynomial import to_rational
from symcost.checker.claims import Side
from symcost.checker.rounding import BINARY, agrees, is_binary
from symcost.errors import SymcostError
from symcost.notation.units import Measure, Printed, read_measure

NEARLY = Fraction(3, 100)  # what ≈ may leave out beside its digits
LONG_NUMBER = 10**6  # whole numbers from which trailing zeros are no digits
LONG = 3600  # seconds of a unit of time in which people count without saying so
_IN_FULL = re.compile(r"10\s*\^|\d[eE][+-]?\d|\d{7}|\\(?:text|mathrm)|[\d)}]\s*[A-Za-zµ]")
_AMOUNT = re.compile(
    r"(?<![\w.^])(?<!\^\{)(?:\d{1,3}(?:(?:,|\{,\}|\\,)\d{3})+|\d+\.?\d*)(?:[eE][+-]?\d{1,2})?"
    r"(?:\s*(?:\\times|\\cdot|×|·|\*)\s*10\s*\^\s*(?:\{[+-]?\d{1,2}\}|\d))?"
    r"(?:(?:\s|\\[,;: ]|~)*\\(?:text|mathrm)\s*\{[^{}]{1,20}\})?"
)

_UNIT = re.compile(r"(?:\s|\\[,;: ]|~)*\\(?:text|mathrm).*")


def loosely_equal(left: Side, right: Side, sign: str, value: Expr, claimed: Expr) -> str:
    """Why a number may stand for a value that it does not print as; "" if it may not.

    Args:
        left: the side that is computed; ``value`` is what it gives.
        right: the side that is claimed; ``claimed`` is what it gives.
        sign: ``=`` or ``≈``.
    """
    gap = _gap(value, claimed)
    if gap is None:
        return ""
    if sign == "≈" and gap <= NEARLY:
        return "what ≈ leaves out is below 3 %"
    if gap <= _slack(left) + _slack(right):
        return "it holds within the rounding of the numbers put in"
    if not value.is_Rational:
        return ""
    exact = _fraction(value)
    if is_binary(right.measure, exact):
        return BINARY
    if _power(left, right.measure, exact) is not None:
        return "the numbers are counted in the unit at the end, or a prefix of it"
    return ""


def _gap(value: Expr, claimed: Expr) -> Fraction | None:
    """How far two sides are apart, when one is a number times the other."""
    ratio = claimed / value if value else value
    number = ratio.evalf(20) if ratio.is_number and ratio.is_real else ratio
    if (not number.is_Float and not number.is_Rational) or not number:
        return None
    return abs(Fraction(str(number)) - 1)


def _slack(side: Side) -> Fraction:
    """How much a result may be off when its decimals are roundings of what was computed with."""
    if side.measure is not None:
        return _half(side.measure.printed)
    found = [n for n in amounts(side.text) if n.digits >= (2 if n.place < 1 else 3)]
    rounded = (n for n in found if n.place != 1 or (n.step != 1 and n.value >= LONG_NUMBER))
    return sum(map(_half, rounded), Fraction(0))


def _half(printed: Printed) -> Fraction:
    place = printed.step if printed.value >= LONG_NUMBER else printed.place
    return abs(place / printed.value) / 2 if printed.value else Fraction(0)


def in_one_unit(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The sides with the unit of the last one put to those that plainly are in it as well.

    >>> from symcost.checker.claims import read_claim
    >>> [str(side.expr) for side in in_one_unit(read_claim("3.2 + 1.1 = 4.3 ms").sides)]
    ['43/10000', '43/10000']
    """
    last = sides[-1].measure
    if last is None or last.size == 1:
        return sides
    return tuple(
        replace(
            side,
            expr=side.expr * to_rational(last.size),
            measure=side.measure
            and replace(side.measure, printed=side.measure.printed.scaled(last.size)),
        )
        if side.expr.is_Rational and _power(side, last, _fraction(side.expr)) == 0
        else side
        for side in sides
    )


def _power(side: Side, last: Measure | None, value: Fraction) -> int | None:
    """By how many thousands a value without a unit is another prefix of the unit at the end.

    ``140/3.35 = 41.8 ms`` is in gigabytes and milliseconds, ``256 * 16 = 4 TB`` in gigabytes,
    ``5.6e15/5e12 = 1120 days`` in no unit that matters. Otherwise numbers in full, with powers of
    ten, are in base units, and ``ms`` behind their ``0.00389`` is a mistake.
    """
    if last is None or not last.unit or (side.measure is not None and side.measure.unit):
        return None
    own = last.printed.scaled(1 / last.size)
    long = dict(last.dimension) == {"second": 1} and last.size >= LONG
    powers = range(1 if long or not last.dimension else 0 if _IN_FULL.search(side.text) else 5)
    return next((n for n in powers if agrees(own, value / 1000**n)), None)


def _fraction(value: Expr) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def amounts(text: str) -> Iterator[Printed]:
    """The numbers in a text with powers of ten and units."""
    for match in _AMOUNT.finditer(text):
        for form in (match[0], _UNIT.sub("", match[0])):
            try:
                yield read_measure(form).printed
                break
            except SymcostError:
                continue
