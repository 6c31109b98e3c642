"""The terms of a sum with numbers for all symbols but the swept ones, ready to be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sympy import Expr, Symbol

from symcost.algebra import Maximum, Posynomial, as_posynomial, as_ratio
from symcost.analysis.regimes.branches import Branch, branches
from symcost.analysis.regimes.pieces import Piece
from symcost.analysis.regimes.terms import as_sum
from symcost.analysis.values import check_only, check_open, with_numbers, without_common_factor
from symcost.errors import UndecidedError
from symcost.notation.border import Values
from symcost.notation.border import values as read_values


@dataclass(frozen=True, slots=True)
class Contest:
    """The terms of each branch as they were written, and the same with numbers."""

    shown: tuple[tuple[Expr, ...], ...]
    listed: tuple[Branch, ...]

    def winner(self, piece: Piece) -> Expr:
        """The term that is the largest in a piece, as it was written."""
        return self.shown[piece.branch][piece.term]


@dataclass(frozen=True, slots=True)
class Sums:
    """The arguments of a maximum as they were written, and the same with numbers."""

    shown: tuple[Expr, ...]
    numbers: tuple[Expr, ...]


def contest_of(value: Expr, at: Values | None, swept: Sequence[Symbol]) -> Contest | Sums:
    """What competes, with numbers; what divides all of it needs none.

    Raises:
        InvalidValueError: a number is missing or makes no sense.
        UndecidedError: what was put in makes a sum of a term.
    """
    given = read_values(at, value.free_symbols)
    for symbol in swept:
        check_open(symbol.name, given)
    arguments = maximum_arguments(value)
    if not arguments:
        return _terms_of(value, at, swept)
    *put, _ = with_numbers([*arguments, value], at)
    numbers = without_common_factor(put)
    check_only(numbers, swept)
    if not all(map(_is_term, numbers)):
        return Sums(tuple(arguments), tuple(numbers))
    return Contest((tuple(arguments),), (Branch(tuple(map(as_posynomial, numbers))),))


def _terms_of(value: Expr, at: Values | None, swept: Sequence[Symbol]) -> Contest:
    """The terms of a sum."""
    every = branches(as_sum(value))
    shown = tuple(tuple(term.to_sympy() for term in each.terms) for each in every)
    terms = [term for each in shown for term in each]
    ratios = [wall.ratio.to_sympy() for each in every for wall in each.within]
    *numbers, _ = with_numbers([*terms, *ratios, value], at)
    sizes = without_common_factor(numbers[: len(terms)])
    ratios = numbers[len(terms) :]
    check_only([*sizes, *ratios], swept)
    next_size, next_ratio = iter(map(_term, sizes)), iter(map(_term, ratios))
    listed = (
        Branch(
            tuple(islice(next_size, len(each.terms))),
            tuple(replace(wall, ratio=next(next_ratio)) for wall in each.within),
        )
        for each in every
    )
    return Contest(shown, tuple(listed))


def _is_term(number: Expr) -> bool:
    """Whether an expression is a single term."""
    ratio = as_ratio(number)
    return ratio.is_posynomial and len(ratio.num) == 1


def maximum_arguments(value: Expr) -> list[Expr]:
    """The arguments of a maximum, each times the factor in front of it; none for a sum."""
    ratio = as_ratio(value)
    if not ratio.is_posynomial or len(ratio.num) != 1:
        return []
    ((monomial, coefficient),) = ratio.num.terms.items()
    maxima = [atom for atom, power in monomial if isinstance(atom, Maximum) and power == 1]
    if len(maxima) != 1:
        return []
    rest = Posynomial({tuple(i for i in monomial if i[0] != maxima[0]): coefficient})
    return [(as_ratio(rest) * as_ratio(arg)).to_sympy() for arg in maxima[0].args]


def _term(value: Expr) -> Posynomial:
    if not _is_term(value):
        raise UndecidedError(
            f"{value} is no single term", repair="give numbers, not formulas, for the other symbols"
        )
    return as_posynomial(value)
