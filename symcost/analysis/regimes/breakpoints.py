"""Regimes along one swept symbol, with numbers for the rest: exact breakpoints and winners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from sympy import Expr, Integer, Symbol

from symcost.algebra import Maximum, Posynomial, as_posynomial, as_ratio
from symcost.algebra.reals import compare, floor_of
from symcost.analysis.regimes.border import border_where
from symcost.analysis.regimes.contest import Contest, contest_of, renamed
from symcost.analysis.regimes.envelope import Functions, upper_envelope
from symcost.analysis.regimes.pieces import Competition, Piece, pieces
from symcost.analysis.told import NO_UNITS, Units
from symcost.analysis.values import (
    canonical_expr,
    check_only,
    occurring,
    with_numbers,
    without_common_factor,
)
from symcost.documents.blocks import Block, Math, Prose, Words, words
from symcost.errors import InvalidValueError, UndecidedError
from symcost.notation.border import AnExpr, ASymbol, Values
from symcost.render.shown import Displayed
from symcost.symbols import rate

MAX_FUNCTIONS = 20  # sums that are compared with each other along a symbol


@dataclass(frozen=True, slots=True)
class Stretch:
    """The values from ``low`` to ``high`` for which ``winner`` is the largest.

    ``first_integer`` and ``last_integer`` are ``None`` when no integer lies in it; an integer
    at which two winners are equal counts for the lower stretch.
    """

    winner: Expr
    low: Expr
    high: Expr
    first_integer: int | None
    last_integer: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Breakpoints(Displayed):
    """The stretches of a sweep from ``start`` to ``stop``, ascending and without gaps.

    >>> import symcost as sc
    >>> S = sc.dim("S")
    >>> sc.breakpoints(sc.Maximum(S**2, 12 * S), S, 1, 100).points
    (12,)
    """

    expr: Expr
    symbol: Symbol
    stretches: tuple[Stretch, ...]
    units: Units = NO_UNITS

    @property
    def points(self) -> tuple[Expr, ...]:
        """The exact values at which the winner changes."""
        return tuple(stretch.low for stretch in self.stretches[1:])

    @property
    def integers(self) -> tuple[int | None, ...]:
        """For each breakpoint, the first integer at which the next winner wins."""
        return tuple(stretch.first_integer for stretch in self.stretches[1:])

    def blocks(self) -> tuple[Block, ...]:
        """The winner of each stretch, with exact ends and the integers between them."""
        return tuple(Prose(self._said(stretch)) for stretch in self.stretches)

    def _said(self, stretch: Stretch) -> Words:
        low, high = (Math(self.units.of(self.symbol, end)) for end in (stretch.low, stretch.high))
        first, last = stretch.first_integer, stretch.last_integer
        whole = "no integer" if first is None else f"integers {first} to {last}"
        winner = Math(self.units.amount(stretch.winner))
        return words(self.symbol, " from ", low, " to ", high, f" ({whole}): ", winner)

    def data(self) -> dict[str, object]:
        """The stretches of the sweep."""
        keys = ("winner", "low", "high", "first_integer", "last_integer")
        rows = [{key: getattr(each, key) for key in keys} for each in self.stretches]
        return {"symbol": self.symbol.name, "stretches": rows}

    def __repr__(self) -> str:
        return "; ".join(
            f"{each.winner} for {each.low} <= {self.symbol} <= {each.high}"
            for each in self.stretches
        )


def breakpoints(
    expr: AnExpr, symbol: ASymbol, start: AnExpr, stop: AnExpr, *, at: Values | None = None
) -> Breakpoints:
    """Find which part of a sum or maximum is the largest along one symbol.

    >>> from symcost.symbols import dims
    >>> B, D, S = dims("B D S")
    >>> sweep = breakpoints(24 * B * S * D**2 + 4 * B * S**2 * D, S, 1, 10**6, at={D: 8192})
    >>> sweep.points, sweep.integers
    ((49152,), (49153,))

    Args:
        expr: a sum of positive terms, whose terms compete; or a maximum of any quotients of
            sums, whose arguments compete as a whole; an expression or text.
        symbol: the swept symbol or its name.
        start: the first value, positive.
        stop: the last value, larger than ``start``.
        at: numbers for the other symbols that matter, by symbol or name.

    Returns:
        The stretches, each with its winner as it was written.

    Raises:
        InvalidValueError: a number is missing or makes no sense.
        UndecidedError: a function such as ``ceiling`` of the swept symbol.
    """
    value = canonical_expr(expr)
    swept = occurring(symbol, value)
    low, high = canonical_expr(start), canonical_expr(stop)
    if not (low.is_Rational and high.is_Rational and 0 < low < high):
        raise InvalidValueError(
            f"no sweep runs from {low} to {high}", repair="give 0 < start < stop"
        )
    arguments = maximum_arguments(value)
    if arguments:
        *numbers, _ = with_numbers([*arguments, value], at)
        numbers = without_common_factor(numbers)
        check_only(numbers, [swept])
        if all(map(is_term, numbers)):
            listed = Competition(tuple(map(as_posynomial, numbers)))
            ends = _of_terms(Contest((tuple(arguments),), (listed,)), swept, low, high)
        elif len(numbers) > MAX_FUNCTIONS:
            raise UndecidedError(
                f"{len(numbers)} sums are to be compared, more than {MAX_FUNCTIONS}",
                repair="compare fewer at once",
            )
        else:
            ends = _of_functions(arguments, numbers, swept, low, high)
    else:
        ends = _of_terms(contest_of(value, at, [swept]), swept, low, high)
    return Breakpoints(value, swept, _stretches(ends, low, high))


def is_term(number: Expr) -> bool:
    """Whether an expression is a single term."""
    ratio = as_ratio(number)
    return ratio.is_posynomial and len(ratio.num) == 1


def maximum_arguments(value: Expr) -> list[Expr]:
    """The arguments of a maximum, each times the factor in front of it; none for a sum."""
    ratio = as_ratio(value)
    if not ratio.is_posynomial or len(ratio.num) != 1:
        return []
    ((monomial, coefficient),) = ratio.num.terms.items()
    found = [atom for atom, power in monomial if isinstance(atom, Maximum) and power == 1]
    if len(found) != 1:
        return []
    rest = Posynomial({tuple(i for i in monomial if i[0] != found[0]): coefficient})
    return [(as_ratio(rest) * as_ratio(arg)).to_sympy() for arg in found[0].args]


Ends = list[tuple[Expr, Expr]]  # winner and where it begins


def _of_functions(
    parts: Sequence[Expr], numbers: Sequence[Expr], swept: Symbol, low: Expr, high: Expr
) -> Ends:
    functions = Functions.of(numbers, swept)
    pieces = upper_envelope(functions, low, high)
    return [(parts[piece.winner], functions.to_x(piece.low)) for piece in pieces]


def _of_terms(contest: Contest, swept: Symbol, low: Expr, high: Expr) -> Ends:
    """The pieces of monomials, whose borders follow in closed form."""
    free = rate(swept.name)  # the range is given, whatever the symbol's own bounds
    found = pieces(renamed(contest.listed, {swept: as_posynomial(free)}))
    begins = [(contest.winner(piece), _begin(piece, free)) for piece in found]
    ends: Ends = []
    for winner, begin in sorted(begins, key=cmp_to_key(_order)):
        if compare(begin, high) >= 0:
            break
        if compare(begin, low) <= 0:
            ends = [(winner, low)]
        elif winner != ends[-1][0]:
            ends.append((winner, begin))
    return ends


def _begin(piece: Piece, free: Symbol) -> Expr:
    """Where a piece begins; zero if nothing lies below it."""
    borders = (border_where(side.ratio, Integer(1), Integer(1), free) for side in piece.sides)
    return next((border.equation.expr for border in borders if border.op == ">"), Integer(0))


def _order(one: tuple[Expr, Expr], other: tuple[Expr, Expr]) -> int:
    return compare(one[1], other[1])


def _stretches(ends: Ends, low: Expr, high: Expr) -> tuple[Stretch, ...]:
    found = []
    lows = [begin for _, begin in ends]
    for (winner, begin), end in zip(ends, [*lows[1:], high], strict=True):
        first = floor_of(begin) + 1 if begin != low else -floor_of(-low)
        last = floor_of(end)
        some = first <= last
        found.append(Stretch(winner, begin, end, first if some else None, last if some else None))
    return tuple(found)
