"""The terms of a sum with numbers for all symbols but the swept ones, ready to be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, as_ratio
from symcost.analysis.regimes.branches import Wall, branches
from symcost.analysis.regimes.pieces import Competition, Piece
from symcost.analysis.regimes.terms import as_sum
from symcost.analysis.values import check_only, with_numbers, without_common_factor
from symcost.errors import UndecidedError
from symcost.notation.border import Values


@dataclass(frozen=True, slots=True)
class Contest:
    """The terms of each branch as they were written, and the same with numbers."""

    shown: tuple[tuple[Expr, ...], ...]
    listed: tuple[Competition, ...]

    def winner(self, piece: Piece) -> Expr:
        """The term that is the largest in a piece, as it was written."""
        return self.shown[piece.competition][piece.term]


def contest_of(value: Expr, at: Values | None, swept: Sequence[Symbol]) -> Contest:
    """Put numbers into the terms of a sum; what divides all of them needs none.

    Raises:
        InvalidValueError: a number is missing or makes no sense.
        UndecidedError: what was put in makes a sum of a term.
    """
    found = branches(as_sum(value))
    shown = tuple(tuple(term.to_sympy() for term in each.total) for each in found)
    terms = [term for each in shown for term in each]
    ratios = [wall.ratio.to_sympy() for each in found for wall in each.within]
    *numbers, _ = with_numbers([*terms, *ratios, value], at)
    sizes = without_common_factor(numbers[: len(terms)])
    ratios = numbers[len(terms) :]
    check_only([*sizes, *ratios], swept)
    next_size, next_ratio = iter(map(_term, sizes)), iter(map(_term, ratios))
    listed = tuple(
        Competition(
            tuple(islice(next_size, len(each.total))),
            tuple(Wall(next(next_ratio), wall.strict) for wall in each.within),
        )
        for each in found
    )
    return Contest(shown, listed)


def renamed(listed: Iterable[Competition], swap: Mapping[object, Posynomial]) -> list[Competition]:
    """The same with other symbols."""
    return [
        Competition(
            tuple(term.substitute(swap) for term in each.terms),
            tuple(Wall(wall.ratio.substitute(swap), wall.strict) for wall in each.within),
        )
        for each in listed
    ]


def _term(value: Expr) -> Posynomial:
    ratio = as_ratio(value)
    if not ratio.is_posynomial or len(ratio.num) != 1:
        raise UndecidedError(
            f"{value} is no single term", repair="give numbers, not formulas, for the other symbols"
        )
    return ratio.num
