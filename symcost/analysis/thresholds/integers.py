"""The integers that satisfy an inequality, up to a bound: exact, with ceilings and floors kept.

Ranges of integers are decided as a whole by interval arithmetic and halved where it does not
decide. Source: R. Moore, R. Kearfott, M. Cloud, Introduction to Interval Analysis (2009),
chapters 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeAlias

from sympy import Expr, Symbol, ceiling
from sympy import floor as floor_of

from symcost.algebra import Maximum, Minimum
from symcost.algebra.posynomial import from_number
from symcost.analysis.thresholds.asking import question
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.documents.blocks import Block, Math, Prose, Told
from symcost.errors import InvalidValueError, UndecidedError
from symcost.render.shown import Displayed

MAX_RANGES = 200_000  # that are decided or halved, some seconds

Span: TypeAlias = tuple[Fraction, Fraction]
Evaluate: TypeAlias = Callable[[Span], Span]


@dataclass(frozen=True, slots=True, repr=False)
class IntegerSet(Displayed):
    """The integers from 1 to ``up_to`` that satisfy an inequality, as ranges with both ends.

    ``smooth`` is the threshold with ``ceiling(x)`` and ``floor(x)`` replaced by ``x``.

    >>> import symcost as sc
    >>> from sympy import ceiling
    >>> B = sc.dim("B")
    >>> sc.integer_set(8 * ceiling(B / 8) <= 2 * B, B, up_to=20).ranges
    ((4, 20),)
    """

    symbol: Symbol
    ranges: tuple[tuple[int, int], ...]
    up_to: int
    smooth: Threshold

    def __contains__(self, value: object) -> bool:
        return any(low <= value <= high for low, high in self.ranges)  # type: ignore[operator]

    def __iter__(self) -> Iterator[int]:
        return (value for low, high in self.ranges for value in range(low, high + 1))

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    @property
    def smallest(self) -> int | None:
        """The smallest integer of the set."""
        return self.ranges[0][0] if self.ranges else None

    @property
    def holds_from(self) -> int | None:
        """The integer from which on all integers up to the bound belong to the set."""
        return self.ranges[-1][0] if self.ranges and self.ranges[-1][1] == self.up_to else None

    def blocks(self) -> tuple[Block, ...]:
        """The integers, as ranges."""
        listed = ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in self.ranges)
        said = Told((f"{listed or 'none'} (of 1 to {self.up_to})",))
        return (Prose((Math(self.symbol, (("=", said),)),)),)

    def data(self) -> dict[str, object]:
        """The ranges, with both ends."""
        return {"symbol": self.symbol.name, "integers": self.ranges, "up_to": self.up_to}


def integer_set(relation: Any, symbol: Symbol, up_to: int) -> IntegerSet:
    """Every integer from 1 to a bound that satisfies an inequality, exactly.

    >>> from sympy import ceiling
    >>> from symcost.symbols import dims
    >>> B = dims("B")
    >>> integer_set(10 * B > 12 * 8 * ceiling(B / 8), B, up_to=40)
    B = none (of 1 to 40)
    >>> integer_set(10 * B > 9 * 8 * ceiling(B / 8), B, up_to=40)
    B = 8, 15 to 16, 22 to 24, 29 to 32, 37 to 40 (of 1 to 40)

    Args:
        relation: an inequality; its only symbol is the unknown.
        symbol: the unknown.
        up_to: the largest integer that is asked about.

    Returns:
        The set as ranges, beside the smooth threshold.

    Raises:
        UndecidedError: other symbols have no number, or an irrational number decides.
    """
    asked = question(relation, symbol)
    upward, unknown = asked.relation.upward(), asked.unknown
    difference = upward.lhs - upward.rhs
    _check(difference, unknown, up_to)
    found = list(_search(_compiled(difference, unknown), 1, up_to, upward.is_strict))
    return IntegerSet(unknown, tuple(_joined(found)), up_to, solved(asked.relation, unknown))


def _check(difference: Expr, unknown: Symbol, up_to: int) -> None:
    if type(up_to) is not int or up_to < 1:
        raise InvalidValueError(f"the bound {up_to} is no positive integer")
    others = sorted(s.name for s in difference.free_symbols - {unknown})
    if others:
        raise UndecidedError(
            f"the integers depend on {', '.join(others)}", repair="give numbers for them"
        )


def _search(evaluate: Evaluate, low: int, high: int, strict: bool) -> Iterator[tuple[int, int]]:
    """Ranges that satisfy it: those that are decided as a whole, and halves of the others."""
    waiting, tried = [(low, high)], 0
    while waiting:
        low, high = waiting.pop()
        tried += 1
        if tried > MAX_RANGES:
            raise UndecidedError(
                f"the set changes too often: {MAX_RANGES:,} ranges were tried up to {low:,}",
                repair="ask for a smaller bound",
            )
        try:
            least, most = evaluate((Fraction(low), Fraction(high)))
        except _PoleError:  # an integer at which it has no value does not satisfy it
            if low < high:
                waiting += _halves(low, high)
            continue
        if least > 0 or (least == 0 and not strict):
            yield low, high
        elif low < high and (most > 0 or (most == 0 and not strict)):
            waiting += _halves(low, high)


def _halves(low: int, high: int) -> list[tuple[int, int]]:
    """Both halves of a range, the lower one to be taken first."""
    middle = (low + high) // 2
    return [(middle + 1, high), (low, middle)]


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for low, high in ranges:
        if result and result[-1][1] + 1 == low:
            result[-1] = (result[-1][0], high)
        else:
            result.append((low, high))
    return result


# -- interval arithmetic ------------------------------------------------------------------


def _compiled(expr: Expr, unknown: Symbol) -> Evaluate:
    """A function from a range of the unknown to a range that holds the expression's values."""
    if expr.is_Number:
        number = Fraction(from_number(expr))
        return lambda span: (number, number)
    if expr == unknown:
        return lambda span: span
    parts = [_compiled(arg, unknown) for arg in expr.args]
    if expr.is_Pow:
        return _power(parts[0], expr)
    joins: list[tuple[bool, Callable[[list[Span]], Span]]] = [
        (expr.is_Add, _sum),
        (expr.is_Mul, _product),
        (isinstance(expr, Maximum), lambda s: (max(a for a, _ in s), max(b for _, b in s))),
        (isinstance(expr, Minimum), lambda s: (min(a for a, _ in s), min(b for _, b in s))),
        (isinstance(expr, ceiling), lambda s: (Fraction(ceil(s[0][0])), Fraction(ceil(s[0][1])))),
        (
            isinstance(expr, floor_of),
            lambda s: (Fraction(floor(s[0][0])), Fraction(floor(s[0][1]))),
        ),
    ]
    for applies, join in joins:
        if applies:
            return lambda span, join=join: join([part(span) for part in parts])  # type: ignore[misc]
    raise UndecidedError(
        f"cannot evaluate {expr} exactly at integers",
        repair="use sums, products, powers, ceil, floor, max and min",
    )


class _PoleError(UndecidedError):
    """A range holds a value that is divided by and may be zero."""


def _sum(spans: list[Span]) -> Span:
    return sum((a for a, _ in spans), Fraction(0)), sum((b for _, b in spans), Fraction(0))


def _product(spans: list[Span]) -> Span:
    low, high = spans[0]
    for a, b in spans[1:]:
        ends = (low * a, low * b, high * a, high * b)
        low, high = min(ends), max(ends)
    return low, high


def _power(base: Evaluate, expr: Expr) -> Evaluate:
    if not expr.exp.is_Integer:
        raise UndecidedError(
            f"cannot evaluate {expr} exactly at integers", repair="raise both sides to a power"
        )
    exponent = int(expr.exp)

    def evaluate(span: Span) -> Span:
        low, high = base(span)
        if exponent < 0 and low <= 0 <= high:
            raise _PoleError(f"{expr.base} may be zero")
        ends = (low**exponent, high**exponent)
        inside = (Fraction(0),) if low < 0 < high and exponent % 2 == 0 else ()
        return min(*ends, *inside), max(*ends, *inside)

    return evaluate
