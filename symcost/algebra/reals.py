"""Exact real numbers: which of two is the larger."""

from __future__ import annotations

from sympy import Expr, Integer

from symcost.errors import UndecidedError

DIGITS = 60  # for telling two irrational numbers apart, before they are tried for equality
CLOSE = Integer(10) ** -45


def compare(left: Expr, right: Expr) -> int:
    """1, 0 or -1 as one exact number is larger than, equal to or smaller than another.

    >>> from sympy import Integer, sqrt
    >>> compare(sqrt(2), Integer(1)), compare(sqrt(8), 2 * sqrt(2))
    (1, 0)

    Raises:
        UndecidedError: one of them is no real number, or they cannot be told apart.
    """
    difference = left - right
    if difference.is_Rational:
        return int(difference.p > 0) - int(difference.p < 0)
    value = difference.evalf(DIGITS) if difference.is_real else None
    if value is None or not value.is_Float:
        raise UndecidedError(f"{left} or {right} is no real number")
    if abs(value) > CLOSE:
        return 1 if value > 0 else -1
    if difference.equals(0):
        return 0
    raise UndecidedError(f"cannot tell {left} from {right}")
