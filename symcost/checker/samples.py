"""Points at which two expressions are compared: small ones to show, wide ones to decide.

Maxima and minima change at borders that may lie anywhere, roundings at whole numbers, so the wide
points run over many powers of ten and stand on both sides of every border that is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, islice
from random import Random
from typing import TypeAlias

from sympy import Expr, Integer, Symbol, ceiling, floor

from symcost.algebra import Maximum, Minimum
from symcost.checker.values import Values, evaluate
from symcost.errors import SymcostError
from symcost.symbols import is_dim

WIDE = 48  # points of all sizes
BORDERS = 24  # of pairs of arguments, each met from both sides along each symbol
LARGE = 200  # doublings of the largest size that is tried
SIZES = [Fraction(10) ** n for n in range(0, 13, 2)]  # of the unknown beside a border
NEAR = Fraction(257, 256)  # times one side of a border is the other, where it is no whole number
HALVINGS = 60  # of a stretch of powers of two, until both sides of a border are near it

Point: TypeAlias = dict[Symbol, Fraction]

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def small_points(symbols: list[Symbol]) -> Iterator[Point]:
    """Small integer values: distinct ones first, which tell symbols apart."""
    random = Random(1)
    rows = [[_PRIMES[i % len(_PRIMES)] for i in range(len(symbols))]]
    rows += [[n] * len(symbols) for n in (2, 1, 3)]
    rows += [[random.randint(1, 12) for _ in symbols] for _ in range(24)]
    for row in rows:
        yield {symbol: Fraction(n) for symbol, n in zip(symbols, row, strict=True)}


def wide_points(left: Expr, right: Expr, fixed: Point | None = None) -> Iterator[Point]:
    """Points of all sizes, and both sides of every border; dimensions are whole numbers."""
    known = dict(fixed or {})
    symbols = sorted((left.free_symbols | right.free_symbols) - set(known), key=lambda s: s.name)
    anywhere = ({**known, **point} for point in any_points(symbols))
    yield from islice(anywhere, WIDE)
    for high, low in islice(_borders(left, right), BORDERS):
        for symbol in symbols:
            if symbol in (high - low).free_symbols:
                yield from _both_sides(high - low, symbol, next(anywhere), is_dim(symbol))


def any_points(symbols: list[Symbol]) -> Iterator[Point]:
    """Points between 1 and 10**8 without end, a power of ten at random for each symbol."""
    random = Random(2)
    while True:
        yield {symbol: _size(random, is_dim(symbol)) for symbol in symbols}


def _size(random: Random, whole: bool) -> Fraction:
    power = 10 ** random.randint(0, 7)
    top = random.randint(power, 10 * power)
    return Fraction(top) if whole else Fraction(top, random.randint(1, 9))


def _borders(left: Expr, right: Expr) -> Iterator[tuple[Expr, Expr]]:
    extrema = left.atoms(Maximum, Minimum) | right.atoms(Maximum, Minimum)
    for extremum in sorted(extrema, key=str):
        yield from combinations(extremum.args, 2)
    steps = left.atoms(ceiling, floor) | right.atoms(ceiling, floor)
    for step in sorted(steps, key=str):
        yield from ((step.args[0], Integer(whole)) for whole in (1, 2))


def border_points(
    gaps: Iterable[Expr], symbols: list[Symbol], unknown: Symbol, fixed: Values
) -> Iterator[Point]:
    """Points beside the borders of relations, each with the unknown small, large and at borders."""
    listed = list(gaps)
    anywhere = any_points(symbols)
    for gap in listed[:BORDERS]:
        for symbol in sorted(gap.free_symbols & set(symbols), key=str):
            start = {**fixed, **next(anywhere)}
            for near in _both_sides(gap, symbol, start, is_dim(symbol)):
                if symbol != unknown:
                    near_unknown = (_both_sides(g, unknown, near, is_dim(unknown)) for g in listed)
                    yield from (
                        {s: point[s] for s in symbols} for each in near_unknown for point in each
                    )
                yield from ({**{s: near[s] for s in symbols}, unknown: n} for n in SIZES)
                yield {s: near[s] for s in symbols}


def _both_sides(gap: Expr, symbol: Symbol, point: Point, whole: bool) -> Iterator[Point]:
    """Points between which the gap changes its sign, if it does along the symbol."""
    low, high = Fraction(1, 1 if whole else 2**20), Fraction(2**LARGE)
    start = _is_positive(gap, {**point, symbol: low})
    if start is None or start == _is_positive(gap, {**point, symbol: high}):
        return
    for _ in range(HALVINGS):
        if high <= (low + 1 if whole else low * NEAR):
            break
        middle = _between(low, high)
        middle = Fraction(middle // 1) if whole else middle
        if _is_positive(gap, {**point, symbol: middle}) == start:
            low = middle
        else:
            high = middle
    for value in (low * Fraction(3, 4), high * Fraction(5, 4)):
        yield {**point, symbol: Fraction(round(value) or 1) if whole else value}
    yield from ({**point, symbol: value} for value in (low, high))


def _between(low: Fraction, high: Fraction) -> Fraction:
    """About the geometric mean, a number with few digits."""
    steps = (high.numerator * low.denominator) // (high.denominator * low.numerator)
    doublings = steps.bit_length() - 1
    return low * 2 ** (doublings // 2) if doublings > 1 else (low + high) / 2


def _is_positive(gap: Expr, point: Point) -> bool | None:
    try:
        return evaluate(gap, point) > 0
    except (SymcostError, ZeroDivisionError):
        return None
