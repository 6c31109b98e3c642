"""Enclosures: two decimals between which an exact real number certainly lies.

Sums, products and quotients are rounded outwards; Python's decimal ``ln`` and ``exp`` are
correctly rounded, so one step further out encloses them. Source: R. Moore, R. Kearfott,
M. Cloud, Introduction to Interval Analysis (2009), chapters 2 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
)
from fractions import Fraction
from functools import reduce

from sympy import ComplexRootOf, Expr, ceiling, exp, floor, log

from symcost.algebra.extrema import Maximum, Minimum
from symcost.algebra.monomials import from_number, to_rational
from symcost.algebra.roots import PositiveRoot
from symcost.errors import UndecidedError


class TooWideError(ArithmeticError):
    """More digits are needed: a quotient by, or a logarithm of, what may still be zero."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A number between ``low`` and ``high``."""

    low: Decimal
    high: Decimal

    @property
    def sign(self) -> int | None:
        """The sign of every number in it, if they have one."""
        if self.low > 0 or self.high < 0:
            return 1 if self.low > 0 else -1
        return 0 if self.low == self.high == 0 else None


class Enclosing:
    """Arithmetic with enclosures, to some significant digits.

    >>> from sympy import sqrt
    >>> found = Enclosing(20).enclose(sqrt(2))
    >>> found.low < Decimal("1.4142135623730950488") < found.high
    True
    """

    def __init__(self, digits: int, at: Mapping[Expr, Enclosure] | None = None) -> None:
        self.digits = digits
        self.at = at or {}  # the ranges of symbols
        stops = [DivisionByZero, InvalidOperation]  # what overflows is enclosed by infinity
        self.down = Context(digits, ROUND_FLOOR, MIN_EMIN, MAX_EMAX, traps=stops)
        self.up = Context(digits, ROUND_CEILING, MIN_EMIN, MAX_EMAX, traps=stops)

    def enclose(self, value: Expr) -> Enclosure:
        """Two decimals around a number.

        Raises:
            ArithmeticError: more digits would be needed.
            UndecidedError: no real number.
        """
        if value.is_Number and value.is_finite:
            return self._fraction(Fraction(from_number(value)))
        if value in self.at:
            return self.at[value]
        if value.is_Add:
            return reduce(self._add, map(self.enclose, value.args))
        if value.is_Mul:
            return reduce(self.multiply, map(self.enclose, value.args))
        if value.is_Pow and value.exp.is_Integer:
            return self._whole_power(self.enclose(value.base), int(value.exp))
        if value.is_Pow:
            return self._power(value, self.enclose(value.base), self.enclose(value.exp))
        if value.is_NumberSymbol:
            number = Decimal(str(value.evalf(self.digits + 2)))
            return self._outward(Context.plus, Enclosure(number, number))
        if isinstance(value, ComplexRootOf) and value.is_real:
            step = Fraction(1, 10**self.digits)
            middle = Fraction(from_number(value.eval_rational(to_rational(step))))
            return self.between(middle - step, middle + step)
        if isinstance(value, PositiveRoot):
            return self._positive_root(value)
        return self._function(value, [self.enclose(arg) for arg in value.args])

    def _function(self, value: Expr, args: list[Enclosure]) -> Enclosure:
        match value:
            case Maximum() | Minimum():
                choose = max if isinstance(value, Maximum) else min
                return Enclosure(choose(a.low for a in args), choose(a.high for a in args))
            case log():
                return self._log(value, args[0])
            case exp():
                return self._outward(Context.exp, args[0])
            case floor() | ceiling():
                rounding = ROUND_FLOOR if isinstance(value, floor) else ROUND_CEILING
                low, high = (end.to_integral_value(rounding) for end in (args[0].low, args[0].high))
                if low == high or value.free_symbols:
                    return Enclosure(low, high)
                raise TooWideError(f"{value} may be two integers")
        raise not_real(value)

    def _fraction(self, value: Fraction) -> Enclosure:
        top, bottom = Decimal(value.numerator), Decimal(value.denominator)
        return Enclosure(self.down.divide(top, bottom), self.up.divide(top, bottom))

    def between(self, low: Fraction, high: Fraction) -> Enclosure:
        """All numbers between two fractions."""
        return Enclosure(self._fraction(low).low, self._fraction(high).high)

    def _add(self, a: Enclosure, b: Enclosure) -> Enclosure:
        return Enclosure(self.down.add(a.low, b.low), self.up.add(a.high, b.high))

    def multiply(self, a: Enclosure, b: Enclosure) -> Enclosure:
        """All products of a number in one and a number in the other."""
        pairs = [(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        low = min(self.down.multiply(x, y) for x, y in pairs)
        return Enclosure(low, max(self.up.multiply(x, y) for x, y in pairs))

    def _whole_power(self, base: Enclosure, power: int) -> Enclosure:
        result, count = Enclosure(Decimal(1), Decimal(1)), abs(power)
        if power % 2 == 0 and base.low < 0 < base.high:
            base = Enclosure(Decimal(0), max(-base.low, base.high))
        while count:
            if count % 2:
                result = self.multiply(result, base)
            base, count = self.multiply(base, base), count // 2
        if power > 0:
            return result
        if not result.sign:
            raise TooWideError("a divisor may be zero")
        return Enclosure(self.down.divide(1, result.high), self.up.divide(1, result.low))

    def _power(self, value: Expr, base: Enclosure, power: Enclosure) -> Enclosure:
        """``exp(power * log(base))``; a base that may be zero has -infinity for a logarithm."""
        if power.sign == 1:
            base = Enclosure(max(base.low, Decimal(0)), base.high)
        return self._outward(Context.exp, self.multiply(power, self._log(value, base)))

    def _log(self, value: Expr, a: Enclosure) -> Enclosure:
        if a.high < 0:
            raise not_real(value)
        return self._outward(Context.ln, a)

    def _outward(self, rising: Callable[[Context, Decimal], Decimal], a: Enclosure) -> Enclosure:
        """A correctly rounded function that rises, one step out."""
        low, high = rising(self.down, a.low), rising(self.up, a.high)
        return Enclosure(self.down.next_minus(low), self.up.next_plus(high))

    def _positive_root(self, value: PositiveRoot) -> Enclosure:
        """The neighbours of a guess, between which the polynomial changes its sign."""
        polynomial, unknown = value.equation
        middle, step = (
            Fraction(from_number(value.evalf(self.digits))),
            Fraction(1, 10 ** (self.digits // 2)),
        )
        low, high = middle - step, middle + step
        ends = [{unknown: self._fraction(end)} for end in (low, high)]
        signs = {Enclosing(self.digits, at).enclose(polynomial).sign for at in ends}
        if signs != {1, -1}:
            raise TooWideError(f"{value} is not found yet")
        return self.between(low, high)


def not_real(value: Expr) -> UndecidedError:
    """That something is no real number."""
    return UndecidedError(f"{value} is no real number")
