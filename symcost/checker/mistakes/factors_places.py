"""Where a factor may be off: the whole, one part of a sum, a peak or a bandwidth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra import Ratio, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.checker.case import Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.places import Put, parts

Place = tuple[Expr, Callable[[Fraction], Expr | Ratio], str]  # a part, with a factor, its name
Places = Callable[[Case], Iterator[Place]]


def whole(case: Case) -> Iterator[Place]:
    """All of the expectation."""
    if case.ratio is not None or case.printed is not None:
        yield case.expected, lambda number: times(case, number), ""


def traffic(case: Case) -> Iterator[Place]:
    """All of the bytes, by which an intensity divides."""
    for part, put, where in whole(case):
        is_below = case.quantity == "intensity"
        yield part, (lambda number: times(case, 1 / number)) if is_below else put, where


def terms(case: Case) -> Iterator[Place]:
    """The parts of sums and of maxima."""
    for part, put, where in parts(case.expected):
        if not part.free_symbols:
            continue
        named = f"the term {part}{where}"

        def scaled(number: Fraction, put: Put = put, part: Expr = part) -> Expr:
            return put(to_rational(number) * part)

        yield part, scaled, named


def peaks(case: Case) -> Iterator[Place]:
    """Every peak, wherever it stands."""
    return _each(case, told.peaks(case))


def bandwidths(case: Case) -> Iterator[Place]:
    """Every bandwidth, wherever it stands."""
    return _each(case, told.bandwidths(case))


def _each(case: Case, symbols: list[Symbol]) -> Iterator[Place]:
    for each in symbols:

        def put(number: Fraction, symbol: Symbol = each) -> Expr | Ratio:
            return case.substituted({symbol: as_ratio(symbol) * as_ratio(number)})

        value = case.values.get(each)
        yield each, put, str(each) if value is None else f"{each} = {float(value):.4g}"


def times(case: Case, number: Fraction) -> Expr | Ratio:
    """The expectation multiplied by a number."""
    if case.ratio is None:
        return case.expected * to_rational(number)
    return Ratio(case.ratio.num.scaled(number), case.ratio.den)
