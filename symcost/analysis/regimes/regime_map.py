"""Regimes over two swept symbols, with numbers for the rest: what a map of them shows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from sympy import Expr, Symbol

from symcost.algebra.exact import exact
from symcost.algebra.powers import where_one
from symcost.algebra.reals import compare
from symcost.algebra.relation import Relation
from symcost.algebra.roots import PositiveRoot
from symcost.algebra.signs import decided, is_at_least
from symcost.analysis.regimes.contest import Contest, Sums, contest_of
from symcost.analysis.regimes.pieces import pieces
from symcost.analysis.thresholds.threshold import solved
from symcost.analysis.values import canonical_expr, occurring
from symcost.documents.blocks import Block, Math, Prose, joined, words
from symcost.errors import InvalidValueError, UndecidedError
from symcost.notation.border import AnExpr, ASymbol, Values
from symcost.render.shown import Displayed


@dataclass(frozen=True, slots=True)
class MapBorder:
    """A curve on which two winners may be equal: ``symbol = expr``, with x or y as symbol.

    ``symbol`` is y and ``expr`` a formula in x, unless the border is a vertical line; then
    ``symbol`` is x and ``expr`` a number. ``expr`` is ``None`` where there is no closed form.
    The curve, on which ``ratio`` is 1, is a border only where no third winner is larger.
    """

    left: Expr
    right: Expr
    symbol: Symbol
    expr: Expr | None
    ratio: Expr

    @property
    def math(self) -> Math:
        """The equation of the curve."""
        if self.expr is None:
            return Math(self.left, (("=", self.right),))
        return Math(self.symbol, (("=", self.expr),))


@dataclass(frozen=True, slots=True, repr=False)
class RegimeMap(Displayed):
    """The candidates for the largest, their regions, and the borders between them.

    A candidate wins where all ratios of its region, which have numbers for all symbols but x
    and y, are at least 1. One that wins in several regions is listed with each of them.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> sc.regime_map(B**2 + B * D, B, D).winners
    (B**2, B*D)
    """

    expr: Expr
    x: Symbol
    y: Symbol
    winners: tuple[Expr, ...]
    regions: tuple[tuple[Expr, ...], ...]
    borders: tuple[MapBorder, ...]

    def winner_at(self, x: object, y: object) -> Expr:
        """The largest at a point, exactly; the first of equal ones.

        Args:
            x: a positive rational number.
            y: another one.
        """
        point = {self.x: exact(x), self.y: exact(y)}
        for winner, ratios in zip(self.winners, self.regions, strict=True):
            if all(compare(ratio.xreplace(point), 1) >= 0 for ratio in ratios):
                return winner
        raise UndecidedError(f"no part is the largest at {self.x} = {x}, {self.y} = {y}")

    def blocks(self) -> tuple[Block, ...]:
        """The parts that win somewhere, and the borders between them."""
        names = joined([words(winner) for winner in dict.fromkeys(self.winners)])
        head = Prose(words(*names, " over ", self.x, " and ", self.y))
        return (head, *(Prose((border.math,)) for border in self.borders))

    def data(self) -> dict[str, object]:
        """The parts that win somewhere, and the borders between them."""
        borders = [border.math for border in self.borders]
        return {"x": self.x.name, "y": self.y.name, "winners": self.winners, "borders": borders}

    def __repr__(self) -> str:
        return "; ".join(self.to_text().splitlines())


def regime_map(expr: AnExpr, x: ASymbol, y: ASymbol, *, at: Values | None = None) -> RegimeMap:
    """Find which part of a sum or maximum is the largest over two symbols, and the borders.

    >>> from symcost.symbols import dims
    >>> B, D, S = dims("B D S")
    >>> regime_map(24 * B * S * D**2 + 4 * B * S**2 * D, D, S, at={B: 1})
    24*B*D**2*S, 4*B*D*S**2 over D and S; S = 6*D

    Args:
        expr: a sum of positive terms, whose terms compete; or a maximum, whose arguments do;
            an expression or text.
        x: the symbol of the horizontal axis, or its name.
        y: the symbol of the vertical axis, or its name.
        at: numbers for the other symbols.

    Returns:
        The parts that win somewhere (all arguments, for a maximum of sums), and the curves
        on which two of them are equal.

    Raises:
        InvalidValueError: a number is missing or makes no sense.
    """
    value = canonical_expr(expr)
    across, upward = occurring(x, value), occurring(y, value)
    if across == upward:
        raise InvalidValueError(f"both axes are {across}", repair="give two different symbols")
    contest = contest_of(value, at, (across, upward))
    if isinstance(contest, Contest):
        return _of_terms(value, contest, across, upward)
    return _of_functions(value, contest, across, upward)


def _of_terms(value: Expr, contest: Contest, x: Symbol, y: Symbol) -> RegimeMap:
    listed = pieces(contest.listed)
    winners = tuple(contest.winner(piece) for piece in listed)
    regions = tuple(tuple(side.ratio.to_sympy() for side in piece.sides) for piece in listed)
    borders = []
    for here, piece in enumerate(listed):
        for side in piece.sides:
            symbol = y if y in side.ratio.symbols else x
            end, ratio = where_one(side.ratio, symbol).to_sympy(), side.ratio.to_sympy()
            borders += [
                MapBorder(winners[here], winners[there], symbol, end, ratio)
                for there in side.beyond
                if there > here and winners[there] != winners[here]
            ]
    return RegimeMap(value, x, y, winners, regions, tuple(borders))


def _of_functions(value: Expr, contest: Sums, x: Symbol, y: Symbol) -> RegimeMap:
    parts, numbers = contest.shown, contest.numbers
    borders = []
    for i, j in combinations(range(len(parts)), 2):
        larger = Relation(numbers[i], ">", numbers[j])
        if decided(larger) is None and not is_at_least(numbers[i], numbers[j]):
            symbol = y if y in (numbers[i] - numbers[j]).free_symbols else x
            ratio = numbers[i] / numbers[j]
            borders += [
                MapBorder(parts[i], parts[j], symbol, end, ratio) for end in _ends(larger, symbol)
            ]
    regions = tuple(tuple(own / other for other in numbers if other is not own) for own in numbers)
    return RegimeMap(value, x, y, parts, regions, tuple(borders))


def _ends(relation: Relation, symbol: Symbol) -> list[Expr | None]:
    """The finite ends of a threshold, ``None`` for those without a closed form.

    A case that holds on a mere line of the plane has no curve.
    """
    try:
        cases = solved(relation, symbol).cases
    except UndecidedError:
        return [None]
    open_cases = [case for case in cases if all(c.signs != {0} for c in case.when)]
    ends = [end for case in open_cases for each in case.intervals for end in (each.low, each.high)]
    known = [end for end in ends if end is not None]
    return list(dict.fromkeys(None if end.has(PositiveRoot) else end for end in known))
