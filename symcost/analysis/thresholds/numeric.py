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

from sympy import Add, Expr, Function, Integer, Symbol, diff, expand, expand_log, log, sign

from symcost.algebra import Maximum, Minimum
from symcost.algebra.enclosures import Enclosing, Enclosure
from symcost.algebra.posynomial import to_rational
from symcost.algebra.reals import sign_of
from symcost.algebra.roots import IsolatedRoot
from symcost.analysis.thresholds.intervals import Interval, Intervals
from symcost.errors import UndecidedError
from symcost.symbols import is_dim

SPAN = 48  # powers of two, down and up, in which roots are looked for
MAX_PIECES = 1_000
MAX_TERMS = 12  # of a sum whose leading term is looked for
DIGITS = 24
SMALL = Decimal("0.99")  # what all other terms may be of the leading one, beyond the range


def numeric_intervals(difference: Expr, unknown: Symbol, strict: bool) -> Intervals:
    """Where a difference is above zero (or not below it, unless ``strict``).

    >>> from sympy import log
    >>> from symcost.symbols import dims
    >>> n = dims("n")
    >>> [float(each.low) for each in numeric_intervals(n * log(n, 2) - 100, n, True)]
    [22.320081458513425]

    Raises:
        UndecidedError: the difference touches zero without crossing it, or has too many roots.
    """
    found = _Search(difference, unknown)
    roots = found.roots()
    points = [found.start, *(end for root in roots for end in root.around), found.stop]
    signs = [found.sign(_middle(a, b)) for a, b in zip(points[::2], points[1::2], strict=True)]
    ends: list[Expr | None] = [None, *(root.exact for root in roots), None]
    if strict and is_dim(unknown) and found.is_zero(found.start):
        ends[0] = to_rational(found.start)
    result: list[Interval] = []
    for turn, (low, high) in zip(signs, pairwise(ends), strict=True):
        if turn > 0:
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
        self.choices = [] if _has_steps(value) else _choices(value)
        self.slopes = [diff(each, unknown) for each in self.choices]
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
            if self._seen(self.value, low, high):
                continue
            ways = {self._seen(each, low, high) for each in self.slopes}
            if ways in ({1}, {-1}):
                if self.sign(low) * self.sign(high) < 0:
                    found.append(self._root(low, high))
                continue
            middle = _middle(low, high)
            waiting += [(middle, high), (low, middle)]
        raise UndecidedError(
            f"{self.value} changes its sign too often, or touches zero without crossing it",
            repair="ask for its integers, up to a bound",
        )

    def is_zero(self, at: Fraction) -> bool:
        """Whether the function is zero at a number."""
        return sign_of(self.value.xreplace({self.unknown: to_rational(at)})) == 0

    def sign(self, at: Fraction) -> int:
        """The sign at a number; one at which it is zero is avoided by going a little further."""
        for step in range(8):
            near = at * (1 + Fraction(step, 10**12))
            seen = self._seen(self.value, near, near)
            if seen:
                return seen
            sign = sign_of(self.value.xreplace({self.unknown: to_rational(near)}))
            if sign:
                return sign
        raise UndecidedError(f"{self.value} is zero near {float(at)}")

    def _root(self, low: Fraction, high: Fraction) -> _Root:
        crossing = [
            each
            for each in self.choices
            if sign_of(each.xreplace({self.unknown: to_rational(low)}))
            != sign_of(each.xreplace({self.unknown: to_rational(high)}))
        ]
        if len(crossing) != 1:
            raise UndecidedError(f"two arguments of {self.value} are zero near {float(low)}")
        exact = IsolatedRoot.between(crossing[0], self.unknown, low, high)
        whole = Integer(round(Fraction(str(exact.evalf(DIGITS)))))
        if low < whole < high and self.is_zero(Fraction(int(whole))):
            exact = whole
        return _Root(exact, (low, high))

    def _seen(self, value: Expr, low: Fraction, high: Fraction) -> int | None:
        """The sign of a function between two numbers, if interval arithmetic shows one."""
        try:
            return self._enclosed(value, Enclosing(DIGITS).between(low, high)).sign
        except ArithmeticError:
            return None

    def _enclosed(self, value: Expr, span: Enclosure) -> Enclosure:
        found = Enclosing(DIGITS, {self.unknown: span}).enclose(value)
        if found.low.is_nan() or found.high.is_nan():
            raise ArithmeticError("open")
        return found

    def _check_tails(self) -> None:
        """Beyond the range that is searched, the sign must be seen to stay."""
        tails = list(self.choices)
        if not is_dim(self.unknown):
            tails += [each.xreplace({self.unknown: 1 / self.unknown}) for each in self.choices]
        for value in tails or [self.value]:
            if not (self._settles(value) or self._is_dominated(value)):
                raise UndecidedError(
                    f"cannot decide the sign of {self.value} for all {self.unknown}",
                    repair="ask for its integers, up to a bound",
                )

    def _settles(self, value: Expr) -> bool:
        """Whether the value has one sign beyond the range."""
        try:
            return self._beyond(value).sign is not None
        except ArithmeticError:
            return False

    def _is_dominated(self, value: Expr) -> bool:
        """Whether one term is larger there than all others together, and outgrows each."""
        terms = Add.make_args(expand(value))
        edge = Enclosing(DIGITS).between(self.stop, self.stop)
        for lead in terms if len(terms) <= MAX_TERMS else ():
            shares = [term / lead for term in terms if term is not lead]
            try:
                ends = [self._enclosed(share, edge) for share in shares]
            except ArithmeticError:
                continue
            sizes = [max(end.low.copy_abs(), end.high.copy_abs()) for end in ends]
            small = all(size < SMALL / len(shares) for size in sizes)
            if small and all(map(self._falls, shares)):
                return True
        return False

    def _falls(self, share: Expr) -> bool:
        """Whether the size of a product of powers and exponentials falls beyond the range."""
        size = expand_log(log(share * sign(share.as_coeff_Mul()[0])), force=True)
        try:
            return self._beyond(expand(self.unknown * diff(size, self.unknown))).high <= 0
        except ArithmeticError:
            return False

    def _beyond(self, value: Expr) -> Enclosure:
        return self._enclosed(value, Enclosure(Decimal(2**SPAN), Decimal("Infinity")))


def _choices(value: Expr) -> list[Expr]:
    """The expression with one argument in place of each maximum and minimum, in every way."""
    extremum = next(iter(sorted(value.atoms(Maximum, Minimum), key=str)), None)
    if extremum is None:
        return [value]
    found = [each for arg in extremum.args for each in _choices(value.xreplace({extremum: arg}))]
    return found if len(found) <= MAX_TERMS else []


def _has_steps(value: Expr) -> bool:
    return any(type(each).__name__ in {"floor", "ceiling"} for each in value.atoms(Function))


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Between two positive numbers, in the middle of their sizes where they are far apart."""
    if high > 4 * low:
        times = high / low
        bits = times.numerator.bit_length() - times.denominator.bit_length()
        return low * Fraction(2 ** (bits // 2))
    return (low + high) / 2
