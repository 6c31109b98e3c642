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
from typing import Any

from symcost.errors import InvalidValueError

DIGITS = 4
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
        r"""LaTeX, such as ``1.011\text{ ms}`` or ``1.234\times 10^{12}``."""
        unit = self.unit.replace("µ", r"$\mu$").replace("%", r"\%")
        return _power_latex(self.digits, self.power) + (rf"\text{{ {unit}}}" if unit else "")

    def mathml(self) -> str:
        """Presentation MathML."""
        number = _power_mathml(self.digits, self.power)
        return number + (f"<mtext>&#xA0;{self.unit}</mtext>" if self.unit else "")


def shown(value: Any, digits: int = DIGITS) -> Shown:
    """A number without a unit, with a power of ten only where plain digits are hard to read."""
    exact = _as_fraction(value, digits)
    if exact and not _PLAIN[0] <= abs(exact) < _PLAIN[1]:
        mantissa, exponent, short = _rounded(exact, digits)
        power = exponent + digits - 1
        return Shown(_plain(mantissa, exponent - power, short), power)
    whole = len(str(abs(exact.numerator) // exact.denominator))
    return Shown(_plain(*_rounded(exact, max(digits, whole))))


def shown_quantity(
    value: Any, unit: str = "", *, digits: int = DIGITS, beside: Any = None
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


def decimal(value: Any, digits: int = DIGITS) -> str:
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


def decimal_latex(value: Any, digits: int = DIGITS) -> str:
    r"""The same in LaTeX.

    >>> print(decimal_latex(1234567890123))
    1.235\times 10^{12}
    """
    return shown(value, digits).latex()


def quantity(value: Any, unit: str = "", *, digits: int = DIGITS, beside: Any = None) -> str:
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


def quantity_latex(value: Any, unit: str = "", *, digits: int = DIGITS, beside: Any = None) -> str:
    r"""The same in LaTeX.

    >>> from fractions import Fraction
    >>> print(quantity_latex(Fraction(1, 989), "s"))
    1.011\text{ ms}
    """
    return shown_quantity(value, unit, digits=digits, beside=beside).latex()


def exact_and_decimal(value: Any, digits: int = DIGITS) -> str:
    """An exact number, followed by its decimals unless it is an integer.

    >>> from sympy import Integer, Rational, sqrt
    >>> exact_and_decimal(Rational(19780, 67)), exact_and_decimal(Integer(296))
    ('19780/67 (295.2)', '296')
    >>> exact_and_decimal(2 * sqrt(2))
    '2*sqrt(2) (2.828)'
    """
    from symcost.printing.text import to_text

    exact = to_text(value)
    is_integer = isinstance(value, int) or getattr(value, "denominator", 0) == 1
    return exact if is_integer else f"{exact} ({decimal(value, digits)})"


def scientific(number: int, digits: int = DIGITS) -> tuple[str, int] | None:
    """Mantissa and power of ten of a large round integer (989 * 10**12), None for any other."""
    if abs(number) < 10**6:
        return None
    mantissa, exponent, short = _rounded(Fraction(number), digits)
    power = exponent + digits - 1
    return (_plain(mantissa, exponent - power, short), power) if short else None


def leading_digits(number: int, digits: int) -> tuple[str, int]:
    """The first digits of a positive integer, cut off, and the power of ten: (9.87, 14)."""
    power = _magnitude(Fraction(number))
    lead = str(number // 10 ** (power - digits + 1))
    return f"{lead[0]}.{lead[1:]}", power


def scientific_latex(mantissa: str, power: int) -> str:
    r"""``9.89\times10^{14}``, or ``10^{6}`` where the mantissa is 1."""
    return rf"10^{{{power}}}" if mantissa == "1" else rf"{mantissa}\times10^{{{power}}}"


def scientific_mathml(mantissa: str, power: int) -> str:
    """The same as MathML."""
    ten = f"<msup><mn>10</mn><mn>{power}</mn></msup>"
    return ten if mantissa == "1" else f"<mn>{mantissa}</mn><mo>×</mo>{ten}"


def _power_latex(digits: str, power: int | None) -> str:
    return digits if power is None else rf"{digits}\times 10^{{{power}}}"


def _power_mathml(digits: str, power: int | None) -> str:
    minus, number = ("<mo>−</mo>", digits[1:]) if digits[0] == "-" else ("", digits)
    if power is None:
        return f"{minus}<mn>{number}</mn>"
    sign = "−" if power < 0 else ""
    ten = f"<msup><mn>10</mn><mn>{sign}{abs(power)}</mn></msup>"
    return f"{minus}<mn>{number}</mn><mo>×</mo>{ten}"


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


def _as_fraction(value: Any, digits: int) -> Fraction:
    """The value, or for an irrational number a fraction that is far closer than is shown."""
    if isinstance(value, numbers.Rational | int):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real) and not hasattr(value, "evalf"):
        return _from_float(float(value))
    return _from_sympy(value, digits)


def _from_float(value: float) -> Fraction:
    if not math.isfinite(value):
        raise InvalidValueError(f"{value} is no finite number")
    return Fraction(repr(value))


def _from_sympy(value: Any, digits: int) -> Fraction:
    from sympy import Float, Rational, sympify

    number = sympify(value, strict=True)
    if not number.is_Rational:
        number = number.evalf(digits + 20)
    if isinstance(number, Float) and number.is_finite:
        number = Rational(number)
    if not isinstance(number, Rational):
        raise InvalidValueError(f"{value} is no finite real number")
    return Fraction(int(number.p), int(number.q))
