"""Printed digits: whether a printed number can stand for a value, and rounded constants."""

from __future__ import annotations

from fractions import Fraction

from symcost.algebra import Posynomial, Ratio
from symcost.notation.units import Printed

VAGUE = Fraction(2, 100)  # how far a single digit before zeros ("300") may be from the value


def agrees(printed: Printed, value: Fraction) -> bool:
    """Whether the value prints as these digits, rounded or (two digits and more) cut.

    >>> from symcost.notation.units import read_printed
    >>> [agrees(read_printed("8755"), Fraction(v)) for v in ("8755.56", "8754.4", "8754.6")]
    [True, False, True]

    A whole number in front of zeros may mean its zeros or not, so it may be rounded in either
    place; but who cuts digits writes no zeros for them.
    """
    gap = abs(value) - abs(printed.value)
    if not gap:
        return True
    if printed.value * value <= 0:
        return False
    if printed.digits == 1 and printed.value >= 10 and abs(gap) > VAGUE * abs(value):
        return False
    return abs(gap) * 2 <= printed.step or (printed.digits >= 2 and 0 < gap < printed.place)


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


def significant(value: Fraction) -> int | None:
    """How many significant decimal digits a number has; ``None`` when they never end."""
    denominator = value.denominator
    for factor in (2, 5):
        while denominator % factor == 0:
            denominator //= factor
    if denominator != 1 or not value:
        return None
    while value.denominator != 1:
        value *= 10
    return len(str(abs(value.numerator)).rstrip("0")) or 1


def rounded_constants(
    claimed: Ratio, expected: Ratio, literals: tuple[Printed, ...]
) -> Fraction | None:
    """The largest relative error of a coefficient, when the claim differs only by rounding.

    Both must have the same monomials. The coefficients may differ by as much as the numbers
    typed in the claim can differ from a value that they are rounded from.
    """
    slack = [abs(n.step / n.value) for n in literals if n.digits >= 2 and n.value]
    if not slack:
        return None
    parts = [
        (claimed.num, expected.num),
        (claimed.den, expected.den),
    ]
    if any(set(a.terms) != set(b.terms) for a, b in parts):
        return None
    scale = [_lead(claimed), _lead(expected)]
    gaps = [
        abs(Fraction(a.terms[m]) / scale[0] / (Fraction(b.terms[m]) / scale[1]) - 1)
        for a, b in parts
        for m in b.terms
    ]
    if all(significant(c) is not None for c in _scaled(expected, scale[1])) and all(
        (significant(c) or 99) <= max(n.digits for n in literals)
        for c in _scaled(expected, scale[1])
    ):
        return None  # the digits at hand could say it exactly
    return max(gaps) if 0 < max(gaps) <= max(slack) else None


def _lead(ratio: Ratio) -> Fraction:
    """The coefficient by which both parts are divided before they are compared."""
    part: Posynomial = ratio.den
    return Fraction(part.terms[max(part.terms, key=lambda m: (sum(e for _, e in m), str(m)))])


def _scaled(ratio: Ratio, scale: Fraction) -> list[Fraction]:
    return [Fraction(c) / scale for part in (ratio.num, ratio.den) for c in part.terms.values()]
