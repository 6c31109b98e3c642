"""A decimal number as it is typed: its exact value, and which of its digits count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symcost.errors import InvalidValueError

MAX_DIGITS = 1_000  # of a number, and the largest power of ten


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as printed: its value and the unit of its last printed digit.

    >>> decimal("1.01").step, decimal("57,500").digits
    (Fraction(1, 100), 3)

    ``digits`` counts significant digits without the trailing zeros of a whole number, of which
    nobody knows whether they were meant; ``step`` is the unit of the last digit that counts,
    ``place`` that of the last digit that is written.
    """

    value: Fraction
    step: Fraction
    digits: int
    place: Fraction

    def scaled(self, factor: Fraction) -> Printed:
        """The same digits in another unit."""
        return Printed(self.value * factor, self.step * factor, self.digits, self.place * factor)


def decimal(text: str) -> Printed:
    """The number of one token, with its digits.

    >>> decimal("1.50e3")
    Printed(value=Fraction(1500, 1), step=Fraction(10, 1), digits=3, place=Fraction(10, 1))

    Args:
        text: digits with a point and a power of ten; commas or underscores set off thousands.

    Raises:
        InvalidValueError: more than 1,000 digits, or a larger power of ten.
    """
    plain = text.replace("{,}", "").replace("\\,", "").replace(",", "").replace("_", "")
    body, _, power = plain.lower().partition("e")
    long = len(body) > MAX_DIGITS or len(power.lstrip("+-0")) > 4
    if long or abs(int(power or 0)) > MAX_DIGITS:
        problem = f"a number of more than {MAX_DIGITS:,} digits"
        raise InvalidValueError(problem, repair="check the exponents")
    exponent = int(power or 0)
    whole, _, decimals = body.partition(".")
    digits = (whole + decimals).lstrip("0")
    zeros = 0 if "." in body else len(digits) - len(digits.rstrip("0"))
    last = Fraction(10) ** (exponent - len(decimals))
    value = int(whole + decimals or "0") * last
    place = last if "." in body else min(last, Fraction(1))  # 160e3 is 160,000
    return Printed(value, last * 10**zeros, max(1, len(digits) - zeros), place)
