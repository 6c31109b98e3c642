"""Numbers as people read them: the only place where anything is rounded.

A value is exact when it comes in (an int, a Fraction, a sympy Rational or algebraic number) and
is turned into decimals by integer arithmetic. It is rounded to ``digits`` significant digits,
half away from zero. A value that has no more digits than that prints short (``3.35 TB/s``);
a rounded one shows all of them (``1.000 ms``).
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from symcost.errors import InvalidValueError, UndecidedError

if TYPE_CHECKING:
    from sympy import Expr

Real: TypeAlias = "int | float | Fraction | Expr"

DIGITS = 4
MORE_DIGITS = 8  # up to which a number that is no integer is shown to be none
_PREFIXES = {
    -15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T",
    15: "P", 18: "E", 21: "Z", 24: "Y", 27: "R", 30: "Q",
}  # fmt: skip
_SMALL = (-15, 0)  # seconds: femto to whole
_LARGE = (0, 30)  # amounts and rates: whole to quetta
# unit: (what follows a prefix, smallest and largest prefix); any other unit takes no prefix
_UNITS: dict[str, tuple[str, tuple[int, int]]] = {
    "s": ("s", _SMALL),
    "byte": ("B", _LARGE),
    "byte/s": ("B/s", _LARGE),
    "FLOP": ("FLOP", _LARGE),
    "FLOP/s": ("FLOP/s", _LARGE),
    "op": ("op", _LARGE),
    "op/s": ("op/s", _LARGE),
}
_PLAIN = (Fraction(1, 10**4), Fraction(10**9))  # outside, a power of ten is split off


@dataclass(frozen=True, slots=True)
class Shown:
    """A number ready to print: its digits, a power of ten or None, and its unit."""

    digits: str
    power: int | None = None
    unit: str = ""

    def text(self) -> str:
        """Plain text, such as ``1.011 ms`` or ``1.234e12``."""
        number = self.digits if self.power is None else f"{self.digits}e{self.power}"
        return f"{number} {self.unit}" if self.unit else number

    def latex(self) -> str:
        r"""LaTeX, such as ``1.011\text{ ms}`` or ``1.234\times10^{12}``."""
        unit = self.unit.replace("µ", r"$\mu$").replace("%", r"\%")
        shown = self.digits if self.power is None else rf"{self._times}10^{{{self.power}}}"
        return shown.replace("×", r"\times") + (rf"\text{{ {unit}}}" if unit else "")

    def mathml(self) -> str:
        """Presentation MathML."""
        minus = "<mo>−</mo>" if self.digits[0] == "-" else ""
        times = self._times.lstrip("-").removesuffix("×")
        shown = minus + (f"<mn>{times}</mn>" if times else "")
        if self.power is not None:
            power = f"<mn>{'−' if self.power < 0 else ''}{abs(self.power)}</mn>"
            shown += ("<mo>×</mo>" if times else "") + f"<msup><mn>10</mn>{power}</msup>"
        return shown + (f"<mtext>&#xA0;{self.unit}</mtext>" if self.unit else "")

    @property
    def _times(self) -> str:
        """The digits before a power of ten, which 1 need not precede."""
        if self.power is None:
            return self.digits
        return {"1": "", "-1": "-"}.get(self.digits, f"{self.digits}×")


def shown(value: Real, digits: int = DIGITS) -> Shown:
    """A number without a unit, with a power of ten only where plain digits are hard to read."""
    exact = _as_fraction(value, digits)
    if exact and not _PLAIN[0] <= abs(exact) < _PLAIN[1]:
        mantissa, exponent, short = _rounded(exact, digits)
        power = exponent + digits - 1
        return Shown(_plain(mantissa, exponent - power, short), power)
    whole = len(str(abs(exact.numerator) // exact.denominator))
    return Shown(_plain(*_rounded(exact, _digits_enough(exact, max(digits, whole)))))


def shown_quantity(
    value: Real, unit: str = "", *, digits: int = DIGITS, beside: Real | None = None
) -> Shown:
    """A number with its unit; ``beside`` lends the prefix of another value, to compare the two."""
    if unit not in _UNITS:
        bare = shown(value, digits)
        return Shown(bare.digits, bare.power, unit)
    exact = _as_fraction(value, digits)
    power = _prefix_power(exact if beside is None else _as_fraction(beside, digits), unit, digits)
    bare = shown(exact / Fraction(10) ** power, digits)
    suffix = _UNITS[unit][0]
    name = _PREFIXES[power] + suffix if power else unit
    plural = "s" if name == "byte" and abs(exact) != 1 else ""
    return Shown(bare.digits, bare.power, name + plural)


def decimal(value: Real, digits: int = DIGITS) -> str:
    """A number to ``digits`` significant digits; no digit before the point is lost below 1e9.

    >>> from fractions import Fraction
    >>> decimal(Fraction(19780, 67)), decimal(19780), decimal(989 * 10**12), decimal(Fraction(1, 2))
    ('295.2', '19780', '9.89e14', '0.5')

    Args:
        value: an exact number, or a float (read as the decimal that it prints as).
        digits: significant digits.

    Returns:
        Plain text.

    Raises:
        InvalidValueError: not a finite real number.
    """
    return shown(value, digits).text()


def quantity(
    value: Real, unit: str = "", *, digits: int = DIGITS, beside: Real | None = None
) -> str:
    """A number with its unit and SI prefix (decimal, also for bytes).

    >>> from fractions import Fraction
    >>> quantity(Fraction(10**12, 989 * 10**12), "s"), quantity(989 * 10**12, "FLOP/s")
    ('1.011 ms', '989 TFLOP/s')
    >>> quantity(Fraction(19780, 67), "FLOP/byte"), quantity(2**21, "byte")
    ('295.2 FLOP/byte', '2.097 MB')
    >>> quantity(Fraction(1, 3350), "s", beside=Fraction(1, 989))
    '0.2985 ms'

    Args:
        value: an exact number, or a float.
        unit: ``"s"``, ``"byte"``, ``"byte/s"``, ``"FLOP"``, ``"FLOP/s"``, ``"op"``, ``"op/s"``
            take prefixes; any other (``"FLOP/byte"``) is written as it is.
        digits: significant digits.
        beside: a value whose prefix to use.

    Returns:
        Plain text.

    Raises:
        InvalidValueError: not a finite real number.
    """
    return shown_quantity(value, unit, digits=digits, beside=beside).text()


def scientific(number: int, digits: int = DIGITS) -> Shown | None:
    """A large round integer (989 * 10**12) with its power of ten, None for any other.

    >>> scientific(989 * 10**12).text(), scientific(123456789)
    ('9.89e14', None)
    """
    if abs(number) < 10**6:
        return None
    mantissa, exponent, short = _rounded(Fraction(number), digits)
    power = exponent + digits - 1
    return Shown(_plain(mantissa, exponent - power, short), power) if short else None


def leading_digits(number: int, digits: int) -> tuple[str, int]:
    """The first digits of a positive integer, cut off, and the power of ten: (9.87, 14)."""
    power = _magnitude(Fraction(number))
    lead = str(number // 10 ** (power - digits + 1))
    return f"{lead[0]}.{lead[1:]}", power


def _prefix_power(value: Fraction, unit: str, digits: int) -> int:
    """The power of ten of the prefix, found after rounding: 999.96 is 1.000 k."""
    if not value:
        return 0
    _, exponent, _ = _rounded(value, digits)
    smallest, largest = _UNITS[unit][1]
    return min(max((exponent + digits - 1) // 3 * 3, smallest), largest)


def _rounded(value: Fraction, digits: int) -> tuple[int, int, bool]:
    """``(m, e, short)``: the value is m * 10**e, m has ``digits`` digits; short when exactly so."""
    if not value:
        return 0, 0, True
    size = abs(value)
    exponent = _magnitude(size) - digits + 1
    scaled = size / Fraction(10) ** exponent
    mantissa = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    short = scaled.denominator == 1
    if mantissa == 10**digits:
        mantissa, exponent = mantissa // 10, exponent + 1
    return (mantissa if value > 0 else -mantissa), exponent, short


def _digits_enough(value: Fraction, digits: int) -> int:
    """As many digits as it takes to see that a number is no integer: 1180.9, not 1181."""
    for more in range(digits, digits + MORE_DIGITS if value.denominator > 1 else digits):
        mantissa, exponent, _ = _rounded(value, more)
        if exponent < 0 and (more == digits or mantissa % 10**-exponent):
            return more
    return digits


def _magnitude(size: Fraction) -> int:
    """The largest k with 10**k <= size."""
    bits = size.numerator.bit_length() - size.denominator.bit_length()
    k = math.floor((bits - 1) * math.log10(2)) - 1
    while Fraction(10) ** (k + 1) <= size:
        k += 1
    return k


def _plain(mantissa: int, exponent: int, short: bool) -> str:
    """m * 10**e in plain digits; zeros at the end are dropped when nothing was rounded."""
    sign, digits = ("-" if mantissa < 0 else ""), str(abs(mantissa))
    if exponent >= 0:
        return sign + (digits + "0" * exponent if mantissa else "0")
    digits = digits.rjust(1 - exponent, "0")
    whole, part = digits[:exponent], digits[exponent:]
    if short:
        part = part.rstrip("0")
    return sign + (f"{whole}.{part}" if part else whole)


def _as_fraction(value: Real, digits: int) -> Fraction:
    """The value, or for an irrational number a fraction that is far closer than is shown."""
    if isinstance(value, numbers.Rational | int):
        return Fraction(int(value.numerator), int(value.denominator))
    if hasattr(value, "evalf"):
        return _from_sympy(value, digits)
    if not math.isfinite(value):
        raise InvalidValueError(f"{value} is no finite number")
    return Fraction(repr(float(value)))


def _from_sympy(value: Expr, digits: int) -> Fraction:
    from symcost.algebra.reals import approximate  # sympy is slow to load, and chips need none

    try:
        return approximate(value, digits + MORE_DIGITS)
    except UndecidedError:
        raise InvalidValueError(f"{value} is no finite real number") from None
