"""The minimum over one symbol with numbers for the rest, exact: a root of the slope, or an end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import combinations

from sympy import Expr, Integer, Symbol

from symcost.algebra.dominance import largest
from symcost.algebra.posynomial import to_rational
from symcost.algebra.reals import compare, floor_of, sign_of
from symcost.algebra.relation import Relation
from symcost.analysis.optimum.constraints import Bounds, bounds_of
from symcost.analysis.optimum.types import Kind, OptimumCase, falls_for_ever
from symcost.analysis.regimes.envelope import Functions, Piece, pieces_between
from symcost.errors import InvalidValueError, UndecidedError

SHOWN = 4  # integers beside the best that are quoted


def numeric_minimum(
    parts: Sequence[Expr], symbol: Symbol, constraints: Iterable[Relation]
) -> OptimumCase:
    """Minimize the largest of some functions of one symbol.

    Raises:
        UndecidedError: the function falls and rises more than once.
    """
    curve = _Curve(tuple(parts), symbol)
    low, high = _range(bounds_of(constraints, symbol))
    if low == high:
        return curve.at(low, "border", f"the constraints leave one {symbol}")
    functions = Functions.of(parts, symbol)
    slopes = [functions.slope(i) for i in range(len(parts))]
    pairs = combinations(range(len(parts)), 2)
    changes = [*slopes, *(functions.difference(i, j) for i, j in pairs)]
    pieces = pieces_between(functions, changes, low, high, join=False)
    signs = [_slope_sign(functions, piece) for piece in pieces]
    if not _one_valley(signs):
        raise UndecidedError(
            f"the objective falls and rises more than once with {symbol}",
            repair="add constraints that leave one valley",
        )
    first = next((i for i, sign in enumerate(signs) if sign >= 0), None)
    if first is None:
        return curve.end(high, "as large as allowed", "grows")
    if first == 0 and signs[0] > 0:
        return curve.end(low or None, "at its least value", "falls towards 0")
    if signs[first] == 0:
        level = functions.to_x(to_rational(pieces[first].inside))
        return curve.at(level, "interior", "the objective is level there")
    equal = pieces[first].winner != pieces[first - 1].winner
    reason = "two arguments are equal there" if equal else "the slope is zero there"
    return curve.at(functions.to_x(pieces[first].low), "interior", reason)


@dataclass(frozen=True, slots=True)
class _Curve:
    """The largest of some functions of one symbol."""

    parts: tuple[Expr, ...]
    symbol: Symbol

    def value(self, at: Expr) -> Expr:
        """The largest at a number."""
        return largest([part.xreplace({self.symbol: at}) for part in self.parts])

    def at(self, at: Expr, kind: Kind, reason: str) -> OptimumCase:
        """The minimum at a number."""
        return OptimumCase({self.symbol: at}, self.value(at), kind, reason)

    def end(self, at: Expr | None, where: str, how: str) -> OptimumCase:
        """The minimum at an end, or none where there is no end."""
        if at is None:
            return falls_for_ever(f"{self.symbol} {how}")
        return self.at(at, "border", f"{self.symbol} is {where}")


def integer_minimum(
    parts: Sequence[Expr],
    symbol: Symbol,
    constraints: Sequence[Relation],
    among: Iterable[int] | None = None,
    closed: OptimumCase | None = None,
) -> OptimumCase:
    """The same over integers: the two beside the real minimum, or the best of a given list.

    ``closed`` is the real minimum if it is known already.
    """
    bounds = bounds_of(constraints, symbol)
    low, high = _range(bounds)
    strict = [each for each in constraints if each.op == ">"]
    smallest = max(1, -floor_of(-low))
    smallest += not _allows(strict, symbol, smallest)
    most = None if high is None else floor_of(high)
    most = most if most is None or _allows(strict, symbol, most) else most - 1
    if among is None:
        least = Relation(symbol, ">=", Integer(smallest))
        known = closed if closed and closed.value is not None else None
        real = known or numeric_minimum(parts, symbol, [*constraints, least])
        if real.value is None:
            return real
        below = max(floor_of(real.point[symbol]), smallest)
        below = below if most is None else min(below, most)
        listed: Iterable[int] = (below, below + 1)
    else:
        listed = sorted(set(among))
    allowed = [n for n in listed if n >= smallest and (most is None or n <= most)]
    if not allowed:
        raise InvalidValueError(f"no integer {symbol} satisfies the constraints")
    return _best_integer(_Curve(tuple(parts), symbol), allowed, {smallest, most})


def _allows(strict: Iterable[Relation], symbol: Symbol, number: int) -> bool:
    """Whether constraints with a strict sign hold there."""
    return all(each.holds({symbol: Integer(number)}) for each in strict)


def _range(bounds: Bounds) -> tuple[Expr, Expr | None]:
    order = cmp_to_key(compare)
    low = max((Integer(0), *bounds.low), key=order)
    high = min(bounds.high, key=order, default=None)
    if high is not None and compare(low, high) > 0:
        raise InvalidValueError(f"the constraints leave nothing: {low} is above {high}")
    return low, high


def _slope_sign(functions: Functions, piece: Piece) -> int:
    slope = functions.slope(piece.winner).eval(to_rational(piece.inside))
    return sign_of(slope) or 0


def _one_valley(signs: Sequence[int]) -> bool:
    """Whether the slope is never negative again after it was positive."""
    risen = [i for i, sign in enumerate(signs) if sign > 0]
    fallen = [i for i, sign in enumerate(signs) if sign < 0]
    return not risen or not fallen or max(fallen) < min(risen)


def _best_integer(curve: _Curve, allowed: Sequence[int], ends: set[int | None]) -> OptimumCase:
    values = [(curve.value(Integer(n)), n) for n in allowed]
    best, at = values[0]
    for value, n in values[1:]:
        if compare(value, best) < 0:
            best, at = value, n
    beside = [(value, n) for value, n in values if n != at]
    others = ", ".join(f"{value} at {n}" for value, n in beside[:SHOWN])
    if len(values) == 1 and at in ends:
        which = "largest" if at != min(n for n in ends if n is not None) else "smallest"
        return curve.at(Integer(at), "border", f"{at} is the {which} allowed")
    if len(beside) > SHOWN:
        others += f", and {len(beside) - SHOWN} more that are no better"
    reason = f"the others give {others}" if others else "no other integer is allowed"
    kind: Kind = "border" if at in ends else "interior"
    return curve.at(Integer(at), kind, reason)
