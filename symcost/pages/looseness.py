"""What authors leave to the reader: small parts behind ≈, rounded inputs, KB for KiB, units."""

from __future__ import annotations

import re
from fractions import Fraction

from sympy import Expr

from symcost.checker.claims import Side
from symcost.checker.rounding import agrees
from symcost.notation.units import Printed
from symcost.pages.constants import amounts

NEARLY = Fraction(3, 100)  # what ≈ may leave out beside its digits
LONG_NUMBER = 10**6  # whole numbers from which trailing zeros are no digits
LONG = 3600  # seconds of a unit of time in which people count without saying so
_IN_FULL = re.compile(r"10\s*\^|\d[eE][+-]?\d|\d{7}|\\(?:text|mathrm)|\d\s*[A-Za-zµ]")


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
    exact = Fraction(int(value.p), int(value.q))
    if _is_binary(right, exact):
        return "powers of 1024 in place of 1000: KiB, MiB or GiB are meant"
    if _is_in_its_unit(left, right, exact):
        return "the numbers are counted in the unit at the end, or a prefix of it"
    return ""


def _gap(value: Expr, claimed: Expr) -> Fraction | None:
    """How far two sides are apart, when one is a number times the other."""
    ratio = claimed / value if value else value
    number = ratio.evalf(20) if ratio.is_number and ratio.is_real else ratio
    if (not number.is_Float and not number.is_Rational) or not number:
        return None
    return abs(Fraction(str(number)) - 1)


def _is_binary(side: Side, exact: Fraction) -> bool:
    """Whether KB stands for 1024 bytes: the printed number is smaller by powers of 1000/1024."""
    unit = side.measure.unit if side.measure is not None else ""
    prefix = "kKMGTP".find(unit[:1]) if unit else -1
    if side.measure is None or prefix < 0 or unit[1:2] != "B":
        return False
    powers = range(1, max(prefix, 1) + 1)
    return any(agrees(side.measure.printed, exact * Fraction(1000, 1024) ** n) for n in powers)


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


def _is_in_its_unit(left: Side, right: Side, exact: Fraction) -> bool:
    """``256 * 16 = 4 TB`` of gigabytes, ``5.6e15/5e12 = 1120 days``: the left has no unit."""
    measure = right.measure
    if measure is None or not measure.unit or (left.measure is not None and left.measure.unit):
        return False
    own = measure.printed.scaled(1 / measure.size)
    if not measure.dimension or (dict(measure.dimension) == {"second": 1} and measure.size >= LONG):
        return agrees(own, exact)
    if _IN_FULL.search(left.text):
        return False
    return any(agrees(own, exact / 1000**n) for n in range(5))
