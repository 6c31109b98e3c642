"""Where each term is the largest: the cells of the arrangement of their logarithms.

In logarithms every term is linear, so the points where one term is the largest form a
polyhedron. A term has such a cell unless a weighted geometric mean of other terms is at least
as large everywhere (that is, unless its exponents, lifted by the logarithm of its coefficient,
lie on or below the upper hull of the others: the Newton polytope with its regular subdivision).
Two terms share a border when that holds for neither on the plane where they are equal.

Source: I. Gelfand, M. Kapranov, A. Zelevinsky, Discriminants, Resultants and Multidimensional
Determinants (1994), chapter 7; K. Fukuda, Polyhedral Computation (2020), chapter 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import sub

from sympy import Expr, Symbol

from symcost.algebra.logarithms import LogBase
from symcost.algebra.polyhedron import Dictionary, Row
from symcost.algebra.powers import number_of
from symcost.analysis.regimes.terms import LogTerm, log_base, log_vector
from symcost.symbols import is_dim

Bound = LogTerm  # a monomial that is at least 1 everywhere


@dataclass(frozen=True, slots=True)
class Cell:
    """A term, the indices of the terms it shares a border with, and a point inside."""

    index: int
    neighbours: tuple[int, ...]
    logarithms: tuple[tuple[Symbol, tuple[Fraction, ...]], ...]
    base: LogBase

    def point(self) -> dict[Symbol, Expr]:
        """A point inside, in exact numbers."""
        return {symbol: number_of(vector, self.base) for symbol, vector in self.logarithms}


@dataclass(frozen=True, slots=True)
class Space:
    """The terms as rows over shared coordinates."""

    symbols: tuple[Symbol, ...]
    coordinates: tuple[int, ...]
    base: LogBase
    lifted: list[list[int]]  # exponents and logarithm of each term, over one denominator
    bounds: tuple[Row, ...]

    def row(self, winner: int, other: int) -> Row:
        """``log(term[winner]) - log(term[other]) >= 0``."""
        difference = list(map(sub, self.lifted[winner], self.lifted[other]))
        width = len(self.symbols)
        return Row(other, tuple(difference[:width]), tuple(difference[width:]))

    def around(self, winner: int, others: Sequence[int]) -> Dictionary:
        """The cell of a term among others."""
        return self.within(self.row(winner, other) for other in others if other != winner)

    def within(self, rows: Iterable[Row]) -> Dictionary:
        """What some rows leave of the space."""
        return Dictionary.of((*self.bounds, *rows), self.coordinates, self.base)

    def cell(self, corner: Dictionary, index: int = 0, neighbours: tuple[int, ...] = ()) -> Cell:
        """A cell with the point that a feasible dictionary gives."""
        point = zip(self.symbols, map(tuple, corner.point()), strict=True)
        return Cell(index, neighbours, tuple(point), self.base)


def cells(terms: Sequence[LogTerm], bounds: Sequence[Bound] = ()) -> tuple[Cell, ...]:
    """The cells of the terms that are the largest somewhere, in the order of the terms.

    Args:
        terms: positive monomials with different exponents.
        bounds: monomials that are at least 1; dimensions are, without being listed.

    Returns:
        One cell per term that strictly beats all others at some point.
    """
    space = space_of(terms, bounds)
    kept = list(range(len(terms)))
    corners: dict[int, Dictionary] = {}
    for index in range(len(terms)):
        corner = space.around(index, kept)
        if corner.make_feasible():
            corners[index] = corner
        else:
            kept.remove(index)
    for index, corner in corners.items():
        if not corner.drop(set(range(len(terms))).difference(kept)):
            corners[index] = space.around(index, kept)
            corners[index].make_feasible()
    pairs = _pairs(kept, corners)
    return tuple(_cell(index, pairs, corners[index], space) for index in kept)


def _pairs(kept: Sequence[int], corners: dict[int, Dictionary]) -> set[tuple[int, int]]:
    """The pairs of cells with a common border; each pair is looked at from its first cell."""
    pairs: set[tuple[int, int]] = set()
    for at, index in enumerate(kept):
        later = set(kept[at + 1 :])
        pairs.update((index, other) for other in corners[index].borders(later))
    return pairs


def space_of(terms: Sequence[LogTerm], bounds: Sequence[Bound]) -> Space:
    """The terms and bounds over the logarithms of their symbols and of one base of numbers."""
    listed = (*terms, *bounds)
    symbols = tuple(sorted({s for t in listed for s, _ in t.powers}, key=lambda s: str(s.name)))
    base = log_base(term.number for term in listed)
    vectors = [
        [*(term.power(s) for s in symbols), *log_vector(term.number, base)] for term in listed
    ]
    common = lcm(*(value.denominator for vector in vectors for value in vector))
    lifted = [[int(value * common) for value in vector] for vector in vectors]
    first, width = len(terms), len(symbols)  # labels: terms, then dimensions, then bounds
    coordinates = (first + k if is_dim(s) else -1 - k for k, s in enumerate(symbols))
    bound_rows = tuple(
        Row(label, tuple(vector[:width]), tuple(vector[width:]), strict=False)
        for label, vector in enumerate(lifted[first:], start=first + width)
    )
    return Space(symbols, tuple(coordinates), base, lifted[:first], bound_rows)


def _cell(index: int, pairs: set[tuple[int, int]], corner: Dictionary, space: Space) -> Cell:
    neighbours = sorted(j if i == index else i for i, j in pairs if index in (i, j))
    return space.cell(corner, index, tuple(neighbours))
