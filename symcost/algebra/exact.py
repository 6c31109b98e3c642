"""What is taken for a number or expression: exact, finite and real, or refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real

from sympy import (
    Derivative,
    Expr,
    Float,
    I,
    Max,
    Min,
    Piecewise,
    Pow,
    Rational,
    Subs,
    nan,
    oo,
    sympify,
    zoo,
)
from sympy.concrete.expr_with_limits import ExprWithLimits

from symcost.algebra.extrema import Maximum, Minimum
from symcost.errors import InvalidValueError


def exact(value: object) -> Expr:
    """Any number or expression as sympy, floats read as the decimal they print as.

    >>> exact(0.1), exact(3)
    (1/10, 3)
    """
    expr = sympify(_plain(value), strict=True)  # never a text: strings are refused above
    if expr.has(zoo, nan):
        raise InvalidValueError("this divides by zero", repair="give other values")
    if expr.has(Piecewise, ExprWithLimits, Derivative, Subs):
        raise InvalidValueError(
            f"{shown(value)} has cases or bounds, which no cost has",
            repair="write max, min, ceil or floor, or one case at a time",
        )
    if not _is_real(expr):
        raise InvalidValueError(f"{expr} is no finite real number")
    if expr.has(Float):
        expr = expr.xreplace({each: Rational(str(each)) for each in expr.atoms(Float)})
    if expr.has(Max, Min):  # sympy's own are read as ours, which decide nothing by themselves
        expr = expr.replace(Max, Maximum).replace(Min, Minimum)
    return expr


def shown(value: object) -> str:
    """A value in one line of a message: as Python writes it, or by its type."""
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else type(value).__name__


def _plain(value: object) -> Expr | int | Fraction:
    """A number of Python or numpy as an exact one; what is made by us as an expression."""
    if isinstance(value, Expr | Fraction):
        return value
    if type(value) is bool:
        raise InvalidValueError(f"{value} is no number or expression")
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real | Decimal):
        if value - value != 0:
            raise InvalidValueError(f"{value} is no finite real number")
        return Rational(str(value))
    converter = getattr(value, "_sympy_", None)
    if converter is None:
        raise InvalidValueError(f"{shown(value)} is no number or expression")
    made: Expr = converter()
    return made


def _is_real(expr: Expr) -> bool:
    """Whether nothing infinite or imaginary occurs; ``expr.is_real`` is slow on sums."""
    if expr.has(nan, oo, -oo, zoo, I):
        return False
    roots = (power for power in expr.atoms(Pow) if not power.exp.is_Integer)
    return not any(root.base.is_number and root.base.is_negative for root in roots)
