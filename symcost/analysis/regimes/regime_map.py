"""Regimes over two swept symbols, with numbers for the rest: what a map of them shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, as_posynomial, as_ratio
from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.algebra.signs import possible_signs
from symcost.analysis.regimes.border import between
from symcost.analysis.regimes.breakpoints import maximum_arguments
from symcost.analysis.regimes.cells import cells
from symcost.analysis.regimes.numbers_at import (
    canonical_expr,
    check_only,
    occurring,
    with_numbers,
    without_common_factor,
)
from symcost.analysis.regimes.terms import as_sum, log_term, pooled
from symcost.analysis.thresholds.threshold import threshold
from symcost.errors import InvalidValueError, UndecidedError


@dataclass(frozen=True, slots=True)
class MapBorder:
    """A curve on which two winners may be equal: ``symbol = expr``, with x or y as symbol.

    ``symbol`` is y and ``expr`` a formula in x, unless the border is a vertical line; then
    ``symbol`` is x and ``expr`` a number. ``expr`` is ``None`` where there is no closed form.
    The curve is a border only where no third winner is larger.
    """

    left: Expr
    right: Expr
    symbol: Symbol
    expr: Expr | None

    @property
    def text(self) -> str:
        """The equation of the curve."""
        return (
            f"{self.left} = {self.right}" if self.expr is None else f"{self.symbol} = {self.expr}"
        )


@dataclass(frozen=True, slots=True)
class RegimeMap:
    """The candidates for the largest, as written and with numbers, and the borders between them.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> sc.regime_map(B**2 + B * D, B, D).winners
    (B**2, B*D)
    """

    expr: Expr
    x: Symbol
    y: Symbol
    winners: tuple[Expr, ...]
    numeric: tuple[Expr, ...]
    borders: tuple[MapBorder, ...]

    def winner_at(self, x: Any, y: Any) -> Expr:
        """The largest at a point, exactly; the first of equal ones.

        Args:
            x: a positive rational number.
            y: another one.
        """
        return self.winners[self.index_at(x, y)]

    def index_at(self, x: Any, y: Any) -> int:
        """The index, among ``winners``, of the largest at a point."""
        point = {self.x: as_ratio(exact(x)), self.y: as_ratio(exact(y))}
        values = [as_ratio(each).substitute(point).to_sympy() for each in self.numeric]
        best = 0
        for index, value in enumerate(values):
            if bool(value > values[best]):
                best = index
        return best

    def __repr__(self) -> str:
        lines = [f"{', '.join(map(str, self.winners))} over {self.x} and {self.y}"]
        return "; ".join([*lines, *(border.text for border in self.borders)])


def regime_map(
    expr: Any, x: Symbol | str, y: Symbol | str, *, at: Mapping[Any, Any] | None = None
) -> RegimeMap:
    """Find which part of a sum or maximum is the largest over two symbols, and the borders.

    >>> from symcost.symbols import dims
    >>> B, D, S = dims("B D S")
    >>> regime_map(24 * B * S * D**2 + 4 * B * S**2 * D, D, S, at={B: 1})
    24*B*D**2*S, 4*B*D*S**2 over D and S; S = 6*D

    Args:
        expr: a sum of positive terms, whose terms compete; or a ``Maximum``, whose arguments do.
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
    arguments = maximum_arguments(value)
    parts = arguments or [term.to_sympy() for term in pooled(as_sum(value))]
    numbers = without_common_factor(with_numbers([*parts, value], at)[:-1])
    check_only(numbers, [across, upward])
    if all(_is_term(number) for number in numbers):
        kept, borders = _of_terms(parts, numbers, across, upward)
    else:
        kept = list(range(len(parts)))
        borders = _of_functions(parts, numbers, across, upward)
    winners, numeric = (tuple(listed[i] for i in kept) for listed in (parts, numbers))
    return RegimeMap(value, across, upward, winners, numeric, tuple(borders))


def _is_term(number: Expr) -> bool:
    ratio = as_ratio(number)
    return ratio.is_posynomial and len(ratio.num) == 1


def _of_terms(
    parts: Sequence[Expr], numbers: Sequence[Expr], x: Symbol, y: Symbol
) -> tuple[list[int], list[MapBorder]]:
    terms = [log_term(as_posynomial(number)) for number in numbers]
    distinct: dict[Any, int] = {}
    for index, term in enumerate(terms):
        other = distinct.setdefault(term.powers, index)
        if bool(numbers[index] / numbers[other] > 1):
            distinct[term.powers] = index
    order = list(distinct.values())
    found = cells([terms[index] for index in order])
    borders = []
    for cell in found:
        for other in cell.neighbours:
            if other > cell.index:
                i, j = order[cell.index], order[other]
                plain = between(terms[i].term, terms[j].term)
                occurs = plain.equation.expr.free_symbols | {plain.equation.symbol}
                equation = plain.solved_for(y if y in occurs else x).equation
                borders.append(MapBorder(parts[i], parts[j], equation.symbol, equation.expr))
    return [order[cell.index] for cell in found], borders


def _of_functions(
    parts: Sequence[Expr], numbers: Sequence[Expr], x: Symbol, y: Symbol
) -> list[MapBorder]:
    borders = []
    for i, j in combinations(range(len(parts)), 2):
        if possible_signs(_difference(numbers[i], numbers[j])) == {0, 1, -1}:
            symbol = y if y in (numbers[i] - numbers[j]).free_symbols else x
            borders += [
                MapBorder(parts[i], parts[j], symbol, end)
                for end in _ends(Relation(numbers[i], ">", numbers[j]), symbol)
            ]
    return borders


def _difference(left: Expr, right: Expr) -> Posynomial:
    difference = as_ratio(left) - as_ratio(right)
    return difference.num * difference.den


def _ends(relation: Relation, symbol: Symbol) -> list[Expr | None]:
    """The finite ends of all cases of a threshold; one ``None`` if they have no closed form."""
    try:
        cases = threshold(relation, symbol).cases
    except UndecidedError:
        return [None]
    ends = [end for case in cases for each in case.intervals for end in (each.low, each.high)]
    return list(dict.fromkeys(end for end in ends if end is not None))
