"""Printed digits: what a printed number can stand for, and the slack of numbers in a formula."""

from __future__ import annotations

from fractions import Fraction

from symcost.notation.units import Measure, Printed

KIBI = Fraction(1024, 1000)
CUT = Fraction(3, 100)  # how far a number whose last digit is cut may be from the value
PLACES = Fraction(5, 100)  # how far one whose zeros are places ("300") may be

BINARY = "powers of 1024 in place of 1000: KiB, MiB or GiB are meant"
NOTES = {
    "cut": "its last digit is cut, not rounded",
    "half": "the value lies half way between two last digits",
    "places": "its zeros are places: the digits before them are rounded",
}


def rounding(printed: Printed, value: Fraction, bare: bool = True) -> str | None:
    """How a printed number stands for a value: a word of ``NOTES``, ``""``, or not at all.

    The value is rounded to as many significant digits as are printed, a half either way. The
    zeros at the end of a whole number may be places, but only for a bare amount and below 5 %.
    A digit that is cut holds below 3 %.

    >>> from symcost.notation.units import read_printed
    >>> [rounding(read_printed("8755"), Fraction(v)) for v in ("8755.4", "8755.6", "8754.4")]
    ['', 'cut', None]
    >>> rounding(read_printed("4"), Fraction(9, 2)), rounding(read_printed("300"), Fraction(295))
    ('half', 'places')
    """
    gap = abs(value) - abs(printed.value)
    if not gap and printed.value == value:
        return ""
    if printed.value * value <= 0:
        return None
    if abs(gap) * 2 <= printed.place:
        return "half" if abs(gap) * 2 == printed.place else ""
    if bare and abs(gap) * 2 <= printed.step and abs(gap) < PLACES * abs(value):
        return "places"
    return "cut" if 0 < gap < printed.place and gap < CUT * abs(value) else None


def agrees(printed: Printed, value: Fraction, bare: bool = True) -> bool:
    """Whether a printed number can stand for a value, by the rule of ``rounding``.

    >>> from symcost.notation.units import read_printed
    >>> agrees(read_printed("1.3"), Fraction("1.395")), agrees(read_printed("9.6"), Fraction(10))
    (False, False)
    """
    return rounding(printed, value, bare) is not None


def is_binary(measure: Measure | None, value: Fraction) -> bool:
    """Whether KB stands for 1024 bytes: the printed number is smaller by powers of 1000/1024.

    >>> from symcost.notation.units import read_measure
    >>> is_binary(read_measure("64 KB"), Fraction(65536))
    True
    """
    if measure is None:
        return False
    return any(agrees(measure.printed, value / KIBI**n) for n in binary_powers(measure.unit))


def binary_powers(unit: str) -> range:
    """The powers of 1024/1000 by which a unit of bytes may be meant larger.

    >>> list(binary_powers("GB/s")), list(binary_powers("GiB"))
    ([1, 2, 3], [])
    """
    prefix = "kKMGTP".find(unit[:1]) if unit[1:2] == "B" else -1
    return range(1, max(prefix, 1) + 1) if prefix >= 0 else range(0)


def is_representable(printed: Printed, value: Fraction) -> bool:
    """Whether the value could have been printed exactly with the digits at hand."""
    return (value / printed.step).denominator == 1


def rounded(value: Fraction, digits: int, down: bool = False) -> Fraction:
    """The value with so many significant digits, rounded half up or cut.

    >>> rounded(Fraction(67108864), 2), rounded(Fraction("1.4024"), 2)
    (Fraction(67000000, 1), Fraction(7, 5))
    """
    if not value:
        return value
    step = Fraction(1)
    size = abs(value)
    while size / step >= 10:
        step *= 10
    while size / step < 1:
        step /= 10
    step /= Fraction(10) ** (digits - 1)
    whole = size // step if down else (size / step + Fraction(1, 2)) // 1
    return whole * step * (1 if value > 0 else -1)
