"""Amounts as they are printed: ``1.01 ms``, ``450 GB/s``, ``9.75×10^10``, with their digits.

Everything is exact. Of the digits it is remembered how many were printed, since a printed
number stands for every value that is rounded or cut to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod

from symcost.errors import InvalidValueError, NotationError, SymcostError
from symcost.notation.decimals import Printed, decimal
from symcost.notation.formulas import Parsed, read
from symcost.notation.limits import check_text
from symcost.notation.syntax import Name, Node, Number, Syntax, Unit, leaves
from symcost.notation.unit_table import Dimension, product_of, unit_size

MAX_LENGTH = 200  # characters of a number with its unit
LARGEST = Fraction(10) ** 60


@dataclass(frozen=True, slots=True)
class Measure:
    """A printed number with a unit; ``printed`` is in base units (FLOP, byte, second).

    >>> measure = read_measure("450 GB/s")
    >>> measure.value, measure.unit, measure.dimension
    (Fraction(450000000000, 1), 'GB/s', (('byte', 1), ('second', -1)))
    """

    printed: Printed
    unit: str
    size: Fraction  # of one unit in base units
    dimension: Dimension

    @property
    def value(self) -> Fraction:
        """The number in base units."""
        return self.printed.value


def read_printed(text: str) -> Printed:
    """Read a number with its digits, without a unit.

    >>> read_printed("9.75×10^10").value, read_printed("2^34").value
    (Fraction(97500000000, 1), Fraction(17179869184, 1))

    Args:
        text: a decimal number; thousands may be set off by commas; ``e10``, ``×10^10``.

    Returns:
        The number with the unit of its last digit.

    Raises:
        NotationError: the text is no such number.
    """
    measure = read_measure(text)
    if measure.unit:
        raise NotationError(f"{text[:40]!r} is no number", repair="write for example 1.01e-3")
    return measure.printed


@lru_cache(maxsize=4096)
def read_measure(text: str) -> Measure:
    """Read a number with a unit (or without).

    >>> [read_measure(t).value for t in ("16 GiB", "400 Gb/s", "1.01 ms")]
    [Fraction(17179869184, 1), Fraction(50000000000, 1), Fraction(101, 100000)]

    Args:
        text: a number and a unit: ``295 FLOPs/byte``, ``989 TFLOP/s``, ``3.35 TB/s``,
            ``400 Gb/s`` (bits), ``12 %``, ``240 tokens``.

    Returns:
        The number in base units with its digits and its dimension.

    Raises:
        NotationError: no number, or a unit that is not known.
    """
    what = "a number with a unit"
    check_text(text, what, MAX_LENGTH)
    plain = text.strip().lstrip("~≈ ").rstrip(". ")
    measure = measure_of(read(plain, bare=True))
    if measure is not None:
        return measure
    names = [leaf.name for leaf in leaves(read(plain).syntax) if isinstance(leaf, Name)]
    if names and plain[:1].isdigit():
        raise NotationError(
            f"unknown unit {plain.lstrip('0123456789.,e+ ')[:30]!r}",
            repair="use for example ms, GB/s, GiB, TFLOP/s, FLOP/byte",
        )
    raise NotationError(f"{text[:40]!r} is no number", repair="write for example 1.01 ms")


def is_measure(text: str) -> bool:
    """Whether the text is a number with or without a unit that is known.

    >>> is_measure("1.01 ms"), is_measure("2*B*D")
    (True, False)
    """
    try:
        read_measure(text)
    except SymcostError:
        return False
    return True


def measure_of(formula: Parsed) -> Measure | None:
    """The number with its digits and unit, when that is all the formula says.

    Raises:
        InvalidValueError: a power of ten that is no size which occurs here.
    """
    numbers: list[Printed] = []
    units: list[Unit] = []
    sign = _collect(formula.syntax, numbers, units)
    if not sign or not numbers:
        return None
    if any(abs(each.value) > LARGEST or 0 < abs(each.value) < 1 / LARGEST for each in numbers):
        raise InvalidValueError(f"{formula.text[:40]!r} is no size that occurs here")
    printed, *powers = sorted(numbers, key=lambda each: each.digits < 0)
    if any(each.digits >= 0 for each in powers):
        return None  # 2*3 is arithmetic
    for power in powers:
        printed = printed.scaled(power.value)
    if printed.digits < 0:  # a power by itself
        printed = _whole(printed.value)
    size = prod((unit.size for unit in units), start=Fraction(1))
    dimension = product_of(unit.dimension for unit in units)
    return Measure(printed.scaled(size * sign), _shown(units, formula.text), size, dimension)


def _collect(syntax: Syntax, numbers: list[Printed], units: list[Unit]) -> int:
    """The sign of a product of one number, powers of ten or two and units; 0 if it is none."""
    if isinstance(syntax, Number):
        numbers.append(decimal(syntax.text))
        return 1
    if isinstance(syntax, Unit):
        units.append(syntax)
        return 1
    if isinstance(syntax, Name):
        return 0
    if syntax.op == "minus":
        return -_collect(syntax.parts[0], numbers, units)
    if syntax.op == "power":
        return _power(syntax, numbers)
    if syntax.op != "product":
        return 0
    sign = 1
    for part in syntax.parts:
        sign *= _collect(part, numbers, units)
    return sign


def _power(syntax: Node, numbers: list[Printed]) -> int:
    """A power of ten or two; ``digits`` -1 says that it has no digits of its own."""
    base, exponent = syntax.parts
    minus = isinstance(exponent, Node) and exponent.op == "minus"
    inner = exponent.parts[0] if isinstance(exponent, Node) and minus else exponent
    if not isinstance(base, Number) or base.text not in ("10", "2"):
        return 0
    if not isinstance(inner, Number) or not inner.text.isdecimal() or len(inner.text) > 3:
        return 0
    power = -int(inner.text) if minus else int(inner.text)
    value = Fraction(int(base.text)) ** power
    numbers.append(Printed(value, value, -1, value))
    return 1


def _whole(value: Fraction) -> Printed:
    """A power of two or ten: a whole number is exact to its last digit, zeros may be places."""
    if value < 1:
        return Printed(value, value, 1, value)
    digits = str(value.numerator).rstrip("0")
    zeros = len(str(value.numerator)) - len(digits)
    return Printed(value, Fraction(10) ** zeros, len(digits), Fraction(1))


def _shown(units: Sequence[Unit], text: str) -> str:
    if not units:
        return ""
    if "\\" in text:
        return " ".join(unit.text for unit in units)
    return text[units[0].start : units[-1].end].strip()


__all__ = [
    "Dimension",
    "Measure",
    "Printed",
    "is_measure",
    "measure_of",
    "read_measure",
    "read_printed",
    "unit_size",
]
