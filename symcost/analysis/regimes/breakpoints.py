"""Regimes along one swept symbol, with numbers for the rest: exact breakpoints and winners."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cmp_to_key

from sympy import Expr, Integer, Symbol

from symcost.algebra import as_posynomial
from symcost.algebra.powers import where_one
from symcost.algebra.reals import compare, floor_of
from symcost.analysis.regimes.contest import Contest, Sums, contest_of
from symcost.analysis.regimes.envelope import Functions, upper_envelope
from symcost.analysis.regimes.pieces import Piece, pieces
from symcost.analysis.told import NO_UNITS, Units
from symcost.analysis.values import canonical_expr, occurring
from symcost.documents.blocks import Block, Math, Prose, Words, inlines, words
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
        winner = inlines(self.units.named(stretch.winner))
        return words(self.symbol, " from ", low, " to ", high, f" ({whole}): ", *winner)

    def data(self) -> dict[str, object]:
        """The stretches of the sweep."""
        keys = ("winner", "low", "high", "first_integer", "last_integer")
        rows: list[dict[str, object]] = [
            {key: getattr(each, key) for key in keys}
            | {"binds": self.units.name(each.winner) or None}
            for each in self.stretches
        ]
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
    contest = contest_of(value, at, [swept])
    if isinstance(contest, Contest):
        ends = _of_terms(contest, swept, low, high)
    elif len(contest.numbers) > MAX_FUNCTIONS:
        raise UndecidedError(
            f"{len(contest.numbers)} sums are to be compared, more than {MAX_FUNCTIONS}",
            repair="compare fewer at once",
        )
    else:
        ends = _of_functions(contest, swept, low, high)
    return Breakpoints(value, swept, _stretches(ends, low, high))


Ends = list[tuple[Expr, Expr]]  # winner and where it begins


def _of_functions(contest: Sums, swept: Symbol, low: Expr, high: Expr) -> Ends:
    functions = Functions.of(contest.numbers, swept)
    envelope = upper_envelope(functions, low, high)
    return [(contest.shown[piece.winner], functions.to_x(piece.low)) for piece in envelope]


def _of_terms(contest: Contest, swept: Symbol, low: Expr, high: Expr) -> Ends:
    """The pieces of monomials, whose borders follow in closed form."""
    free = rate(swept.name)  # the range is given, whatever the symbol's own bounds
    swap = {swept: as_posynomial(free)}
    listed = pieces([each.map(lambda term: term.substitute(swap)) for each in contest.listed])
    begins = [(contest.winner(piece), _begin(piece, free)) for piece in listed]
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
    rising = (side.ratio for side in piece.sides if max(side.ratio.coefficients(free)) > 0)
    return next((where_one(ratio, free).to_sympy() for ratio in rising), Integer(0))


def _order(one: tuple[Expr, Expr], other: tuple[Expr, Expr]) -> int:
    return compare(one[1], other[1])


def _stretches(ends: Ends, low: Expr, high: Expr) -> tuple[Stretch, ...]:
    stretches = []
    lows = [begin for _, begin in ends]
    for (winner, begin), end in zip(ends, [*lows[1:], high], strict=True):
        first = floor_of(begin) + 1 if begin != low else -floor_of(-low)
        last = floor_of(end)
        some = first <= last
        stretches.append(
            Stretch(winner, begin, end, first if some else None, last if some else None)
        )
    return tuple(stretches)
