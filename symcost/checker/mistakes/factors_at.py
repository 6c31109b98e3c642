"""Where a factor may be off: the whole, one part of a sum, a peak or a bandwidth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from sympy import Expr, Symbol

from symcost.algebra import Ratio, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.checker.case import Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.places import Place, parts
from symcost.checker.said import said
from symcost.printing.numbers import decimal


class Spot(NamedTuple):
    """A part, the whole with a factor there, and what the part is called; nothing for the whole."""

    part: Expr
    put: Callable[[Fraction], Expr | Ratio]
    name: str = ""


Spots = Callable[[Case], Iterator[Spot]]


def whole(case: Case) -> Iterator[Spot]:
    """All of the expectation."""
    if case.ratio is not None or case.printed is not None:
        yield Spot(case.expected, lambda number: times(case, number))


def traffic(case: Case) -> Iterator[Spot]:
    """All of the bytes, by which an intensity divides."""
    return map(_inverse, whole(case)) if case.quantity == "intensity" else whole(case)


def terms(case: Case) -> Iterator[Spot]:
    """The parts of sums and of maxima."""
    for place in parts(case.expected):
        if place.node.free_symbols:

            def put(number: Fraction, place: Place = place) -> Expr | Ratio:
                return place.put(to_rational(number) * place.node)

            yield Spot(place.node, put, said("the term {}{}", place.node, place.where))


def peaks(case: Case) -> Iterator[Spot]:
    """Every peak, wherever it stands."""
    return _each(case, told.peaks(case))


def bandwidths(case: Case) -> Iterator[Spot]:
    """Every bandwidth, wherever it stands."""
    return _each(case, told.bandwidths(case))


def divided(case: Case) -> Iterator[Spot]:
    """What is divided by a bandwidth, beside latencies or a time of computation."""
    for spot in bandwidths(case):
        yield _inverse(spot)._replace(name=said("what is divided by {}", spot.part))


def _inverse(spot: Spot) -> Spot:
    return spot._replace(put=lambda number: spot.put(1 / number))


def _each(case: Case, symbols: list[Symbol]) -> Iterator[Spot]:
    for each in symbols:

        def put(number: Fraction, symbol: Symbol = each) -> Expr | Ratio:
            return case.substituted({symbol: as_ratio(symbol) * as_ratio(number)})

        value = case.values.get(each)
        is_known = value is not None
        yield Spot(
            each, put, said("{} = {}", each, decimal(value)) if is_known else said("{}", each)
        )


def times(case: Case, number: Fraction) -> Expr | Ratio:
    """The expectation multiplied by a number."""
    if case.ratio is None:
        return case.expected * to_rational(number)
    return Ratio(case.ratio.num.scaled(number), case.ratio.den)


def of_right(number: Fraction) -> str:
    """How much of the right value something is, in words.

    >>> of_right(Fraction(1, 2)), of_right(Fraction(3)), of_right(Fraction(3, 4))
    ('half of what it should be', '3 times what it should be', '3/4 of what it should be')
    """
    words = {Fraction(1, 2): "half of", Fraction(2): "twice"}
    plain = f"{number} times" if number.denominator == 1 else f"{number} of"
    return f"{words.get(number, plain)} what it should be"
