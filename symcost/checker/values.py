"""Exact values of expressions and of their normal forms at a point."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sympy import Expr, Rational, Symbol, ceiling, floor

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio
from symcost.algebra.budget import spend
from symcost.algebra.posynomial import from_number, to_rational
from symcost.algebra.roots import ROOTS
from symcost.errors import UndecidedError

DIGITS = 50  # of values that are irrational
MAX_POWER = 4096
MAX_ROOT = 64  # exponents up to which a power that is not whole is looked at exactly

Values = Mapping[Symbol, Fraction]


def evaluate(value: Expr, point: Values) -> Fraction:
    """The exact value at a point; roots and logarithms to fifty digits.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> evaluate(B / (B + D), {B: Fraction(1), D: Fraction(2)})
    Fraction(1, 3)

    Raises:
        UndecidedError: a symbol has no value, or the value is too large or not real.
        ZeroDivisionError: the expression is not defined there.
    """
    spend()
    if value.is_Symbol:
        if value not in point:
            raise UndecidedError(f"{value} has no value")
        return point[value]
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    if value.is_Number:
        return Fraction(from_number(value))
    if value.is_Add:
        return sum((evaluate(arg, point) for arg in value.args), Fraction(0))
    if value.is_Mul:
        result = Fraction(1)
        for arg in value.args:
            result *= evaluate(arg, point)
        return result
    if value.is_Pow:
        return _power(evaluate(value.base, point), evaluate(value.exp, point))
    if isinstance(value, ROOTS):
        return _root(value, point)
    return _function(value, point)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if abs(exponent) * max(abs(base.numerator).bit_length(), base.denominator.bit_length()) > (
        MAX_POWER * 8
    ):
        raise UndecidedError("the power is too large to evaluate")
    if exponent.denominator == 1:
        return base ** int(exponent)
    if base < 0:
        raise UndecidedError("a root of a negative number")
    root, power = to_rational(base), to_rational(exponent)
    if exponent.denominator > MAX_ROOT or abs(exponent) > MAX_ROOT:  # it would be factored first
        root = root.evalf(2 * DIGITS)
    return _decimal(root**power)


def _root(value: Expr, point: Values) -> Fraction:
    """A root of an equation, in whose coefficients the values are put."""
    missing = sorted(map(str, value.free_symbols - point.keys()))
    if missing:
        raise UndecidedError(f"{missing[0]} has no value")
    return _decimal(value.xreplace({s: to_rational(point[s]) for s in value.free_symbols}))


def _function(value: Expr, point: Values) -> Fraction:
    args = [evaluate(arg, point) for arg in value.args]
    if isinstance(value, Maximum):
        return max(args)
    if isinstance(value, Minimum):
        return min(args)
    if isinstance(value, ceiling):
        return Fraction(-((-args[0]) // 1))
    if isinstance(value, floor):
        return Fraction(args[0] // 1)
    return _decimal(value.func(*(to_rational(arg) for arg in args)))


def _decimal(value: Expr) -> Fraction:
    """A real number as a fraction, exact if it is rational."""
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    number = value.evalf(DIGITS)
    if not number.is_Float:
        raise UndecidedError(f"{value} is no finite real number")
    return Fraction(int(Rational(number).p), int(Rational(number).q))


def value_at(ratio: Ratio, point: Values) -> Fraction:
    """The exact value of a ratio at a point, term by term, without sympy objects for symbols.

    >>> from symcost.algebra import as_ratio
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> value_at(as_ratio(B / (B + D)), {B: Fraction(1), D: Fraction(2)})
    Fraction(1, 3)

    Raises:
        UndecidedError: a root or another function has no value there.
    """
    return sum_at(ratio.num, point) / sum_at(ratio.den, point)


def sum_at(part: Posynomial, point: Values) -> Fraction:
    """The exact value of a posynomial at a point."""
    total = Fraction(0)
    for monomial, coefficient in part.terms.items():
        term = Fraction(coefficient)
        for atom, power in monomial:
            term *= _power(evaluate(atom, point), Fraction(power))
        total += term
    return total
