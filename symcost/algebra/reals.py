"""Exact real numbers: their signs, which of two is larger, and fractions close to them.

The one comparison of exact numbers in the house. A number that is not zero is enclosed more
and more finely until its sign is seen. That one is zero follows from an identity, or, for roots
of rational numbers, from a bound below which no such number lies but zero: C. Burnikel,
S. Funke, K. Mehlhorn, S. Schirra, S. Schmitt, A separation bound for real algebraic
expressions, Algorithmica 55 (2009).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, log10, prod

from sympy import ComplexRootOf, Expr, Integer, Symbol, log

from symcost.algebra.enclosures import Enclosing, Enclosure, not_real
from symcost.algebra.logarithms import LogBase
from symcost.algebra.monomials import Number, from_number, to_rational
from symcost.algebra.ratio import as_ratio
from symcost.errors import SymcostError, UndecidedError

FIRST_DIGITS = 20
MOST_DIGITS = 3_000  # of a number of roots, which decide whenever its bound is not below that
ENOUGH_DIGITS = 320  # of any other: logarithms and exponentials have no such bound


def sign_of(value: Expr, most: int = MOST_DIGITS) -> int | None:
    """1, 0 or -1 as an exact number is positive, zero or negative; ``None``: cannot decide.

    >>> from sympy import exp, sqrt
    >>> sign_of(sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6))), sign_of(log(8) - 3 * log(2))
    (0, 0)
    >>> sign_of(exp(100) - 2), sign_of(exp(1) ** log(2) - 2)
    (1, 0)

    Args:
        value: an expression without symbols.
        most: about as many digits as may be tried.

    Raises:
        UndecidedError: it is no real number.
    """
    if value.is_Rational:
        return int(value.p > 0) - int(value.p < 0)
    if value.free_symbols:
        raise not_real(value)
    limit, enough = _separation(value)
    for digits, enclosure in _finer(value, min(enough, most)):
        if enclosure.sign is not None:
            return enclosure.sign
        if limit is not None and enclosure.high - enclosure.low < Fraction(1, 10**limit):
            return 0
        if digits == FIRST_DIGITS and _is_identically_zero(value):
            return 0
    return None


def sign_at(value: Expr, unknown: Symbol, number: Fraction) -> int | None:
    """The sign of a function of one unknown at a fraction; ``None``: cannot decide.

    The fraction is put in exactly only where enclosures leave the sign open, as at a root: an
    exact power of a long fraction has digits without end.

    >>> from symcost.symbols import dims
    >>> x = dims("x")
    >>> sign_at(x**x - 27, x, Fraction(3)), sign_at(x ** (x**2) - 5, x, Fraction(1721, 1001))
    (0, -1)

    Args:
        value: an expression without symbols other than the unknown.
        unknown: the symbol that stands for the number.
        number: where the sign is asked for.

    Raises:
        UndecidedError: it is no real number there.
    """
    for _, enclosure in _finer(value, FIRST_DIGITS * 4, {unknown: number}):
        if enclosure.sign:
            return enclosure.sign
    return sign_of(value.xreplace({unknown: to_rational(number)}))


def compare(left: Expr, right: Expr | Number) -> int:
    """1, 0 or -1 as one exact number is larger than, equal to or smaller than another.

    >>> from sympy import Integer, sqrt
    >>> compare(sqrt(2), Integer(1)), compare(sqrt(8), 2 * sqrt(2))
    (1, 0)

    Raises:
        UndecidedError: one of them is no real number, or they cannot be told apart.
    """
    sign = sign_of(left - right)
    if sign is None:
        raise UndecidedError(f"cannot tell {left} from {right}")
    return sign


def approximate(value: Expr, digits: int) -> Fraction:
    """A fraction that has more than so many significant digits in common with a number.

    >>> from sympy import sqrt
    >>> float(approximate(sqrt(2), 16))
    1.4142135623730951

    Raises:
        UndecidedError: it is no real number, or cannot be told from zero.
    """
    if value.is_Rational:
        return Fraction(from_number(value))
    if value.free_symbols:
        raise not_real(value)
    for _, enclosure in _finer(value, 2 * digits + ENOUGH_DIGITS):
        low, high = Fraction(enclosure.low), Fraction(enclosure.high)
        if (high - low) * 10 ** (digits + 2) < min(abs(low), abs(high)):
            return (low + high) / 2
    if sign_of(value) == 0:
        return Fraction(0)
    raise UndecidedError(f"cannot tell {value} from 0")


def floor_of(value: Expr) -> int:
    """The largest integer that is not above an exact number.

    >>> from sympy import sqrt
    >>> floor_of(sqrt(2) * 10**20), floor_of(sqrt(Integer(9)) - 3)
    (141421356237309504880, 0)

    Raises:
        UndecidedError: it is no real number, or cannot be told from an integer.
    """
    if value.is_Rational:
        return int(value.p // value.q)
    near = approximate(value, FIRST_DIGITS)
    size = ceil(abs(near).numerator.bit_length() * log10(2))
    if size > MOST_DIGITS:
        raise UndecidedError(f"an integer of more than {MOST_DIGITS:,} digits")
    near = near if size < FIRST_DIGITS else approximate(value, size + FIRST_DIGITS)
    guess = round(near)
    return guess if compare(value, guess) >= 0 else guess - 1


def rational_between(low: Expr, high: Expr | None) -> Fraction:
    """A rational number strictly between two different numbers; ``None`` is infinity.

    >>> from sympy import sqrt
    >>> sqrt(2) < rational_between(sqrt(2), sqrt(3)) < sqrt(3)
    True
    """
    if high is None:
        return Fraction(floor_of(low) + 1)
    digits = 2
    while True:  # the first fraction short enough to read that is between them
        middle = approximate((low + high) / 2, digits).limit_denominator(10**digits)
        if compare(low, to_rational(middle)) < 0 < compare(high, to_rational(middle)):
            return middle
        digits *= 2


def _finer(
    value: Expr, most: int, at: Mapping[Expr, Fraction] | None = None
) -> Iterator[tuple[int, Enclosure]]:
    """Enclosures to ever more digits, without those that need more."""
    digits = FIRST_DIGITS
    while digits <= 2 * most:
        plain = Enclosing(digits)
        places = {symbol: plain.between(n, n) for symbol, n in (at or {}).items()}
        try:
            yield digits, Enclosing(digits, places).enclose(value)
        except UndecidedError:
            raise
        except ArithmeticError:  # a step needs more digits
            pass
        digits *= 2


def _is_identically_zero(value: Expr) -> bool:
    """Whether nothing is left when logarithms are those of coprime integers and terms cancel."""
    logs = [each for each in value.atoms(log) if each.args[0].is_Rational and each.args[0] > 0]
    numbers = {each: Fraction(from_number(each.args[0])) for each in logs}
    base = LogBase.of(numbers.values())
    spread = {
        each: sum(v * log(Integer(b)) for v, b in zip(base.vector(n), base.integers, strict=True))
        for each, n in numbers.items()
    }
    try:
        return not as_ratio(value.xreplace(spread))
    except SymcostError:
        return False


def _separation(value: Expr) -> tuple[int | None, int]:
    """The place after which a number of roots that may still be zero is, and digits to get there.

    The place is ``None``, and the digits are those of a fair try, for any other number.
    """
    degrees: dict[Expr, int] = {}
    sizes = _sizes(value, degrees)
    if sizes is None:
        return None, ENOUGH_DIGITS
    upper, lower = sizes
    place = ceil(((prod(degrees.values()) - 1) * upper + lower) * log10(2)) + 1
    if place > MOST_DIGITS:  # roots of high degree: no number of digits tells that it is zero
        return None, ENOUGH_DIGITS
    return place, min(place + ceil(upper * log10(2)) + FIRST_DIGITS, MOST_DIGITS)


def _sizes(value: Expr, degrees: dict[Expr, int]) -> tuple[int, int] | None:
    """Bits of the conjugates of a numerator and a denominator; collects the degrees of roots."""
    if value.is_Number and value.is_finite:
        number = Fraction(from_number(value))
        return abs(number.numerator).bit_length(), number.denominator.bit_length()
    if isinstance(value, ComplexRootOf):
        polynomial = value.poly.clear_denoms(convert=True)[1]
        degrees[value] = int(polynomial.degree())
        sizes = [int(abs(c)).bit_length() for c in polynomial.all_coeffs()]
        return max(sizes) + 1, sizes[0]
    if value.is_Pow and value.exp.is_Rational:
        inside = _sizes(value.base, degrees)
        return None if inside is None else _power_sizes(value, *inside, degrees)
    if not (value.is_Add or value.is_Mul):
        return None
    parts = [_sizes(arg, degrees) for arg in value.args]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    below = sum(lower for _, lower in known)
    if value.is_Mul:
        return sum(upper for upper, _ in known), below
    return max(upper - lower for upper, lower in known) + below + len(known), below


def _power_sizes(value: Expr, upper: int, lower: int, degrees: dict[Expr, int]) -> tuple[int, int]:
    power, root = abs(int(value.exp.p)), int(value.exp.q)
    if root > 1:
        degrees[value.base ** (to_rational(Fraction(1, root)))] = root
        if upper >= lower:
            upper = -(-(upper + (root - 1) * lower) // root)
        else:
            lower = -(-((root - 1) * upper + lower) // root)
    sizes = upper * power, lower * power
    return sizes if value.exp > 0 else sizes[::-1]
