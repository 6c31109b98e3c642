"""The best integers of two symbols, of which one is as large or small as the constraints allow."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr, Integer, Symbol

from symcost.algebra.reals import compare, floor_of
from symcost.algebra.relation import Relation
from symcost.analysis.optimum.constraints import bounds_of, loosened
from symcost.analysis.optimum.settled import settled
from symcost.analysis.optimum.types import OptimumCase
from symcost.errors import InvalidValueError, UndecidedError

MAX_TRIED = 2_000  # values of the symbol that is gone through


def best_pair(
    value: Expr, symbols: Sequence[Symbol], constraints: Sequence[Relation]
) -> OptimumCase:
    """Go through the integers of one symbol, the other one at the last integer of its range.

    Raises:
        UndecidedError: neither symbol has such an end, or there are too many integers.
    """
    fewer = settled(value, symbols, loosened(constraints))
    if len(fewer.symbols) != 1 or len(symbols) != 2:
        raise UndecidedError(
            f"integers are compared along one symbol, not {len(symbols)}",
            repair="give numbers for the others, or an equation between them",
        )
    (free,), ((other, end),) = fewer.symbols, fewer.placed.items()
    bounds = bounds_of(fewer.constraints, free)
    low = max((-floor_of(-each) for each in bounds.low), default=1)
    high = min((floor_of(each) for each in bounds.high), default=None)
    if high is None or high - low > MAX_TRIED:
        raise UndecidedError(
            f"more than {MAX_TRIED:,} integers {free} are to be compared",
            repair=f"bound {free}, or list its values, in Python with among=",
        )
    best: tuple[Expr, dict[Symbol, Expr]] | None = None
    for n in range(max(1, low), high + 1):
        for point in _points(free, n, other, end):
            there = value.xreplace(point)
            better = best is None or compare(there, best[0]) < 0
            if better and all(each.substitute(point).holds() for each in constraints):
                best = there, point
    if best is None:
        raise InvalidValueError("no integers satisfy the constraints")
    reason = f"the best of {high - max(1, low) + 1} values of {free}"
    return OptimumCase(best[1], best[0], "border", reason)


def _points(free: Symbol, n: int, other: Symbol, end: Expr) -> list[dict[Symbol, Expr]]:
    """The integers on both sides of the end, and one more where the end itself is left out."""
    at = floor_of(end.xreplace({free: Integer(n)}))
    return [{free: Integer(n), other: Integer(m)} for m in (at - 1, at, at + 1) if m >= 1]
