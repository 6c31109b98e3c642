"""Inequalities in one unknown and numbers only, whatever functions stand in them.

The range of the unknown is halved until the difference has one sign on a piece, or moves one
way on it, so that it has one root at most; both are seen by interval arithmetic, so no root is
missed. Source: R. Moore, R. Kearfott, M. Cloud, Introduction to Interval Analysis (2009),
chapters 5 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from sympy import Expr, Function, Integer, Symbol, diff

from symcost.algebra import Maximum, Minimum
from symcost.algebra.enclosures import Enclosing, Enclosure
from symcost.algebra.posynomial import to_rational
from symcost.algebra.reals import sign_of
from symcost.algebra.roots import IsolatedRoot
from symcost.analysis.thresholds.intervals import Interval, Intervals
from symcost.errors import UndecidedError
from symcost.symbols import is_dim

SPAN = 64  # powers of two, down and up, in which roots are looked for
MAX_PIECES = 3_000
DIGITS = 24


def numeric_intervals(difference: Expr, unknown: Symbol, strict: bool) -> Intervals:
    """Where a difference is above zero (or not below it, unless ``strict``).

    >>> from sympy import log
    >>> from symcost.symbols import dims
    >>> n = dims("n")
    >>> [float(each.low) for each in numeric_intervals(n * log(n, 2) - 100, n, True)]
    [22.36...]

    Raises:
        UndecidedError: the difference touches zero without crossing it, or has too many roots.
    """
    found = _Search(difference, unknown)
    roots = found.roots()
    points = [found.start, *(end for root in roots for end in root.around), found.stop]
    signs = [found.sign(_middle(a, b)) for a, b in zip(points[::2], points[1::2], strict=True)]
    ends: list[Expr | None] = [None, *(root.exact for root in roots), None]
    result: list[Interval] = []
    for sign, (low, high) in zip(signs, pairwise(ends), strict=True):
        if sign > 0:
            result.append(Interval(low, high, bool(low and not strict), bool(high and not strict)))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class _Root:
    """A root and two numbers beside it, between which there is no other."""

    exact: Expr
    around: tuple[Fraction, Fraction]


class _Search:
    """The roots of a function of one positive number."""

    def __init__(self, value: Expr, unknown: Symbol) -> None:
        self.value, self.unknown = value, unknown
        smooth = not value.atoms(Maximum, Minimum) and not _has_steps(value)
        self.slope = diff(value, unknown) if smooth else None
        self.start = Fraction(1) if is_dim(unknown) else Fraction(1, 2**SPAN)
        self.stop = Fraction(2**SPAN)

    def roots(self) -> list[_Root]:
        """All roots, ascending."""
        self._check_tails()
        first = 0 if is_dim(self.unknown) else -SPAN
        grid = [Fraction(2) ** k * Fraction(1000, 1001) for k in range(first, SPAN + 1)]
        grid[0], grid[-1] = self.start, self.stop
        waiting = list(pairwise(grid))[::-1]
        found: list[_Root] = []
        for _ in range(MAX_PIECES):
            if not waiting:
                return found
            low, high = waiting.pop()
            if self._enclosed(self.value, low, high):
                continue
            if self.slope is not None and self._enclosed(self.slope, low, high):
                if self.sign(low) * self.sign(high) < 0:
                    found.append(self._root(low, high))
                continue
            middle = _middle(low, high)
            waiting += [(middle, high), (low, middle)]
        raise UndecidedError(
            f"{self.value} changes its sign too often, or touches zero without crossing it",
            repair="ask for its integers, up to a bound",
        )

    def sign(self, at: Fraction) -> int:
        """The sign at a number; one at which it is zero is avoided by going a little further."""
        for step in range(8):
            near = at * (1 + Fraction(step, 10**12))
            sign = sign_of(self.value.xreplace({self.unknown: to_rational(near)}))
            if sign:
                return sign
        raise UndecidedError(f"{self.value} is zero near {float(at)}")

    def _root(self, low: Fraction, high: Fraction) -> _Root:
        exact = IsolatedRoot.between(self.value, self.unknown, low, high)
        whole = Integer(round(Fraction(str(exact.evalf(DIGITS)))))
        if low < whole < high and sign_of(self.value.xreplace({self.unknown: whole})) == 0:
            exact = whole
        return _Root(exact, (low, high))

    def _enclosed(self, value: Expr, low: Fraction, high: Fraction) -> bool:
        ends = Enclosing(DIGITS).between(low, high)
        try:
            return Enclosing(DIGITS, {self.unknown: ends}).enclose(value).sign is not None
        except ArithmeticError:
            return False

    def _check_tails(self) -> None:
        """Beyond the range that is searched, the sign must be seen to stay."""
        infinity = Decimal("Infinity")
        top = Enclosure(Decimal(2**SPAN), infinity)
        tails = [top] if is_dim(self.unknown) else [top, Enclosure(Decimal(0), Decimal(2) ** -SPAN)]
        for tail in tails:
            if not any(self._settles(part, tail) for part in (self.value, self.slope)):
                raise UndecidedError(
                    f"cannot decide the sign of {self.value} for all {self.unknown}",
                    repair="ask for its integers, up to a bound",
                )

    def _settles(self, value: Expr | None, tail: Enclosure) -> bool:
        """Whether the value has one sign on a tail, or moves away from zero there."""
        if value is None:
            return False
        try:
            found = Enclosing(DIGITS, {self.unknown: tail}).enclose(value)
        except ArithmeticError:
            return False
        if found.low.is_nan() or found.high.is_nan():
            return False
        outward = found.low >= 0 or found.high <= 0
        if value is self.value:
            return found.sign is not None
        if tail.low == 0:
            return False
        return outward and self.sign(self.stop) == (1 if found.low >= 0 else -1)


def _has_steps(value: Expr) -> bool:
    return any(type(each).__name__ in {"floor", "ceiling"} for each in value.atoms(Function))


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Between two positive numbers, in the middle of their sizes where they are far apart."""
    if high > 4 * low:
        times = high / low
        bits = times.numerator.bit_length() - times.denominator.bit_length()
        return low * Fraction(2 ** (bits // 2))
    return (low + high) / 2
