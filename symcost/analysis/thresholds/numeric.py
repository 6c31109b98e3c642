"""Inequalities in one unknown and numbers only, whatever functions stand in them.

The range of the unknown is halved until the difference has one sign on a piece, or moves one
way on it, so that it has one root at most; both are seen by interval arithmetic, so no root is
missed. Source: R. Moore, R. Kearfott, M. Cloud, Introduction to Interval Analysis (2009),
chapters 5 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import pairwise

from sympy import Add, Expr, Function, Integer, Mul, Symbol, diff, expand, log, preorder_traversal

from symcost.algebra import Maximum, Minimum
from symcost.algebra.budget import Kind, budget, spend
from symcost.algebra.enclosures import Enclosing, Enclosure
from symcost.algebra.posynomial import to_rational
from symcost.algebra.ratio import Ratio, over_what_may_be_zero
from symcost.algebra.reals import sign_at, sign_of
from symcost.algebra.roots import IsolatedRoot
from symcost.analysis.thresholds.intervals import (
    Interval,
    Intervals,
    intersection,
    union,
)
from symcost.errors import UndecidedError
from symcost.symbols import is_dim

SPAN = 48  # powers of two, down and up, in which roots are looked for
MAX_PIECES = 1_000
WORK = 60_000  # parts of expressions that are enclosed for one answer: about a second
MAX_TERMS = 12  # of a sum whose leading term is looked for
DIGITS = 24
_FLAT, _LINEAR = (Enclosure(Decimal(n), Decimal(n)) for n in (0, 1))  # growth of 1, and of x
SMALL = Decimal("0.99")  # what all other terms may be of the leading one, beyond the range


def numeric_where(difference: Ratio, unknown: Symbol, strict: bool) -> Intervals:
    """Where a ratio is above zero (or not below it, unless ``strict``), its poles left out."""
    with budget(WORK, Kind.ROOTS):
        return _where(over_what_may_be_zero(difference), unknown, strict)


def _where(parts: Ratio, unknown: Symbol, strict: bool) -> Intervals:
    above, below = parts.num.to_sympy(), parts.den.to_sympy()
    if unknown not in below.free_symbols:
        return numeric_intervals(parts.to_sympy(), unknown, strict)
    inside = numeric_intervals(above * below, unknown, strict)
    if strict:
        return inside
    sides = (numeric_intervals(turn * below, unknown, True) for turn in (1, -1))
    return intersection(inside, union(*sides))


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
    search = _Search(difference, unknown)
    roots = search.roots()
    points = [search.start, *(end for root in roots for end in root.around), search.stop]
    signs = [search.sign(_middle(a, b)) for a, b in zip(points[::2], points[1::2], strict=True)]
    ends: list[Expr | None] = [None, *(root.exact for root in roots), None]
    if strict and is_dim(unknown) and search.is_zero(search.start):
        ends[0] = to_rational(search.start)
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
        self.choices = {} if _has_steps(value) else _choices(value)
        self.slopes = {each: diff(each, unknown) for each in self.choices}
        self.start = Fraction(1) if is_dim(unknown) else Fraction(1, 2**SPAN)
        self.stop = Fraction(2**SPAN)

    def roots(self) -> list[_Root]:
        """All roots, ascending."""
        self._check_tails()
        first = 0 if is_dim(self.unknown) else -SPAN
        grid = [Fraction(2) ** k * Fraction(1000, 1001) for k in range(first, SPAN + 1)]
        grid[0], grid[-1] = self.start, self.stop
        waiting = list(pairwise(grid))[::-1]
        roots: list[_Root] = []
        size = sum(
            1 for each in (self.value, *self.slopes.values()) for _ in preorder_traversal(each)
        )
        for _ in range(MAX_PIECES):
            if not waiting:
                return roots
            spend(size, Kind.ROOTS)
            low, high = waiting.pop()
            if self._seen(self.value, low, high):
                continue
            choices = [each for each in self.choices if self._may_be_taken(each, low, high)]
            ways = {self._seen(self.slopes[each], low, high) for each in choices}
            if ways in ({1}, {-1}):
                crossing = self._crossing(choices, low, high)
                if len(crossing) == 1:
                    roots.append(self._root(crossing[0], low, high))
                if len(crossing) < 2:
                    continue
            middle = _middle(low, high)
            waiting += [(middle, high), (low, middle)]
        raise UndecidedError(
            f"{self.value} changes its sign too often, or touches zero without crossing it",
            repair="ask for its integers, up to a bound",
        )

    def is_zero(self, at: Fraction) -> bool:
        """Whether the function is zero at a number."""
        return sign_at(self.value, self.unknown, at) == 0

    def sign(self, at: Fraction) -> int:
        """The sign at a number; one at which it is zero is avoided by going a little further."""
        for step in range(8):
            near = at * (1 + Fraction(step, 10**12))
            sign = sign_at(self.value, self.unknown, near)
            if sign:
                return sign
        raise UndecidedError(f"{self.value} is zero near {float(at)}")

    def _may_be_taken(self, choice: Expr, low: Fraction, high: Fraction) -> bool:
        """Whether no other argument is seen to be larger (or smaller) everywhere there."""
        margins = self.choices[choice]
        return all(self._seen(margin, low, high) != -1 for margin in margins)

    def _crossing(self, choices: list[Expr], low: Fraction, high: Fraction) -> list[Expr]:
        """The choices that change their sign, if the function does."""
        if self.sign(low) * self.sign(high) > 0:
            return []
        signs = ([sign_at(each, self.unknown, end) for end in (low, high)] for each in choices)
        pairs = zip(choices, signs, strict=True)
        return [each for each, (first, last) in pairs if first != last]

    def _root(self, crossing: Expr, low: Fraction, high: Fraction) -> _Root:
        exact = IsolatedRoot.between(crossing, self.unknown, low, high)
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
        enclosure = Enclosing(DIGITS, {self.unknown: span}).enclose(value)
        if enclosure.low.is_nan() or enclosure.high.is_nan():
            raise ArithmeticError("open")
        return enclosure

    def _check_tails(self) -> None:
        """Beyond the range that is searched, the sign must be seen to stay."""
        tails = [*self.choices]
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
            with suppress(ArithmeticError):
                if small and all(map(self._falls, shares)):
                    return True
        return False

    def _falls(self, share: Expr) -> bool:
        """Whether the size of a product of powers and exponentials falls beyond the range."""
        rate, power = Integer(0), _FLAT
        for factor in Mul.make_args(share):
            base, exponent = factor.as_base_exp()
            slope = diff(exponent, self.unknown) * log(base)
            if base.free_symbols or not slope:
                power = _sum(power, self._growth(factor))
            elif slope.free_symbols:
                power = _sum(power, self._beyond(expand(self.unknown * slope)))
            else:
                rate += slope
        sign = sign_of(rate) if rate else 0
        if not sign:
            return sign == 0 and power.high <= 0
        return sign < 0 and self._beyond(rate * self.unknown).high + power.high <= 0

    def _growth(self, value: Expr) -> Enclosure:
        """Between which powers of the unknown a positive value grows beyond the range."""
        if self.unknown not in value.free_symbols:
            return _FLAT
        if value == self.unknown:
            return _LINEAR
        if value.is_Mul:
            return reduce(_sum, map(self._growth, value.args))
        if value.is_Pow and value.exp.is_Rational:
            ends = [Decimal(int(value.exp.p)) / Decimal(int(value.exp.q))] * 2
            return Enclosing(DIGITS).multiply(self._growth(value.base), Enclosure(*ends))
        if isinstance(value, log):
            over = self._beyond(1 / value)
            return Enclosing(DIGITS).multiply(self._growth(value.args[0]), over)
        if value.is_Add and all(self._beyond(arg).low >= 0 for arg in value.args):
            return self._growth_of_sum(value.args)
        raise ArithmeticError("open")

    def _growth_of_sum(self, terms: Sequence[Expr]) -> Enclosure:
        """A mean of the growths of positive terms, of which the largest weighs most."""
        each = [self._growth(term) for term in terms]
        top = max(range(len(terms)), key=lambda i: each[i].high)
        low = min(growth.low for growth in each)
        with suppress(ArithmeticError):
            shares = [self._beyond(term / terms[top]).high for term in terms]
            low += (each[top].low - low) / sum(shares)
        return Enclosure(low, each[top].high)

    def _beyond(self, value: Expr) -> Enclosure:
        return self._enclosed(value, Enclosure(Decimal(2**SPAN), Decimal("Infinity")))


def _sum(one: Enclosure, other: Enclosure) -> Enclosure:
    return Enclosure(one.low + other.low, one.high + other.high)


def _choices(value: Expr) -> dict[Expr, tuple[Expr, ...]]:
    """The expression with one argument for each maximum and minimum, and what is then positive."""
    extremum = next(iter(sorted(value.atoms(Maximum, Minimum), key=str)), None)
    if extremum is None:
        return {value: ()}
    turn = 1 if isinstance(extremum, Maximum) else -1
    choices: dict[Expr, tuple[Expr, ...]] = {}
    for arg in extremum.args:
        margins = tuple(turn * (arg - other) for other in extremum.args if other != arg)
        for each, others in _choices(value.xreplace({extremum: arg})).items():
            choices[each] = () if each in choices else (*margins, *others)
    return choices if len(choices) <= MAX_TERMS else {}


def _has_steps(value: Expr) -> bool:
    return any(type(each).__name__ in {"floor", "ceiling"} for each in value.atoms(Function))


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Between two positive numbers, in the middle of their sizes where they are far apart."""
    if high > 4 * low:
        times = high / low
        bits = times.numerator.bit_length() - times.denominator.bit_length()
        return low * Fraction(2 ** (bits // 2))
    return (low + high) / 2
