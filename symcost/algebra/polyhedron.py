"""Polyhedra whose constants are logarithms: is there a point, and which borders does it have?

A polyhedron is a list of rows ``a . u + b >= 0`` with integer vectors ``a`` and constants ``b``
that are combinations of logarithms (see ``logarithms``). The simplex method only compares and
combines the constants, so it works over any ordered vector space, and stays exact here. One
more coordinate of the constants stands for an infinitesimal: a row that must hold strictly is
required to be at least that.

The tableau holds integers over one common denominator (the pivots of J. Edmonds), in the
dictionary form of V. Chvatal, Linear Programming (1983), chapters 2 and 3: each basic quantity
is a combination of the nonbasic ones, which are zero. The smallest index enters and leaves
(R. Bland's rule), so the method ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symcost.algebra.budget import Kind, spend
from symcost.algebra.logarithms import LogBase


@dataclass(frozen=True, slots=True)
class Row:
    """``powers . u + constant >= 0``, strictly if ``strict``; ``label`` tells rows apart."""

    label: int
    powers: tuple[int, ...]
    constant: tuple[int, ...]
    strict: bool = True


class Dictionary:
    """A polyhedron seen from one of its corners.

    Coordinates and rows have distinct labels; coordinates with a label below 0 are free, the
    others at least zero.
    """

    __slots__ = (
        "base", "basic", "columns", "coordinates", "denominator", "nonbasic", "rows",
    )  # fmt: skip

    def __init__(self, base: LogBase, coordinates: tuple[int, ...]) -> None:
        self.base = base
        self.coordinates = coordinates
        self.columns = len(coordinates)
        self.denominator = 1
        self.basic: list[int] = []
        self.nonbasic = list(coordinates)
        self.rows: list[list[int]] = []

    @staticmethod
    def of(rows: Iterable[Row], coordinates: tuple[int, ...], base: LogBase) -> Dictionary:
        """The polyhedron of some rows, its free coordinates expressed by the rows.

        >>> base = LogBase((2,))
        >>> rows = [Row(0, (1,), (-3,)), Row(1, (-1,), (4,))]  # log 8 < u < log 16
        >>> Dictionary.of(rows, (-1,), base).make_feasible()
        True
        """
        made = Dictionary(base, coordinates)
        for row in rows:
            made.basic.append(row.label)
            made.rows.append([*row.powers, *row.constant, -1 if row.strict else 0])
        for column, label in enumerate(coordinates):
            if label < 0:
                made._express(column)
        return made

    def copy(self) -> Dictionary:
        """The same dictionary, to be pivoted without changing this one."""
        other = Dictionary(self.base, self.coordinates)
        other.denominator = self.denominator
        other.basic, other.nonbasic = self.basic[:], self.nonbasic[:]
        other.rows = self.rows[:]  # a pivot makes new rows
        return other

    def drop(self, labels: set[int]) -> bool:
        """Leave out rows; false, and nothing is done, if one holds with equality here."""
        if not labels.isdisjoint(self.nonbasic):
            return False
        kept = [i for i, label in enumerate(self.basic) if label not in labels]
        self.rows, self.basic = [self.rows[i] for i in kept], [self.basic[i] for i in kept]
        return True

    def make_feasible(self) -> bool:
        """Pivot to a corner that satisfies every row; false when there is none."""
        while True:
            row = next((i for i in self._restricted() if self._sign(self.rows[i]) < 0), None)
            if row is None:
                return True
            if not self._raise(self.basic[row]):
                return False

    def borders(self, labels: Iterable[int]) -> set[int]:
        """Those of the labelled rows without which points would be let in that violate them.

        The dictionary must be feasible, and its rows must leave room around some point.
        """
        known = self._tight()
        return {label for label in labels if label in known or self.copy()._is_border(label)}

    def fix(self, label: int) -> bool:
        """Let a row that is basic hold with equality from here on; false when it cannot."""
        index = self.basic.index(label)
        column = next((c for c in range(self.columns) if self.rows[index][c]), None)
        if column is None:
            holds = not self._sign(self.rows[index])
            del self.rows[index], self.basic[index]
            return holds
        self._pivot(index, column)
        del self.nonbasic[column]
        self.rows = [[*row[:column], *row[column + 1 :]] for row in self.rows]
        self.columns -= 1
        return True

    def maximize(self, label: int, direction: int = 1, *, above_zero: bool = False) -> bool:
        """Pivot until a basic quantity is as large as can be, or, with -1, as small.

        Returns:
            False when there is no end to it, or it falls below zero and is not to.
        """
        while True:
            row = self.rows[self.basic.index(label)]
            if above_zero and self._sign(row, infinitesimal=False) < 0:
                return False
            entering = self._entering(row, direction)
            if entering is None:
                return True
            leaving = self._leaving(entering, self._others(label))
            if leaving is None:
                return False
            self._pivot(leaving, entering)

    def corner(self, step: Sequence[Fraction] | None = None) -> list[list[Fraction]]:
        """The coordinates of this corner, over the base, with this value of the infinitesimal."""
        step = step or [Fraction(0)] * len(self.base.integers)
        corner = []
        for label in self.coordinates:
            basic = label in self.basic
            row = (
                self.rows[self.basic.index(label)][self.columns :]
                if basic
                else [0] * (len(step) + 1)
            )
            pairs = zip(row, step, strict=False)
            corner.append([(c + row[-1] * e) / self.denominator for c, e in pairs])
        return corner

    def point(self) -> list[list[Fraction]]:
        """A point that satisfies all rows, the strict ones strictly: logarithms over the base."""
        return self.corner(self._room())

    # -- steps --------------------------------------------------------------------------

    def _is_border(self, label: int) -> bool:
        """Whether the row's value falls below zero when the row is left out."""
        if label in self.nonbasic and self._opens(label):
            return True
        return not self.maximize(label, -1, above_zero=True)

    def _tight(self) -> set[int]:
        """The rows that hold with equality at this corner, if just as many as it takes do."""
        if all(self._sign(self.rows[i], infinitesimal=False) > 0 for i in self._restricted()):
            return {label for label in self.nonbasic if label >= 0}
        return set()

    def _express(self, column: int) -> None:
        """Make a free coordinate basic, by the shortest row that it occurs in."""
        candidates = [i for i in self._restricted() if self.rows[i][column]]
        if candidates:
            simple = min(candidates, key=lambda i: sum(map(bool, self.rows[i][: self.columns])))
            self._pivot(simple, column)

    def _raise(self, label: int) -> bool:
        """Pivot until a violated row holds; rows that hold go on to hold."""
        while label in self.basic:
            index = self.basic.index(label)
            row = self.rows[index]
            if self._sign(row) >= 0:
                return True
            entering = self._entering(row, 1)
            if entering is None:
                return False
            holding = [i for i in self._others(label) if self._sign(self.rows[i]) >= 0]
            leaving = self._leaving(entering, holding)
            if leaving is None or self._compare(leaving, index, entering) >= 0:
                leaving = index
            self._pivot(leaving, entering)
        return True

    def _opens(self, label: int) -> bool:
        """Whether a row that holds with equality here can be violated at once; else make it basic.

        It can unless some row that increases with it holds with equality here as well.
        """
        column = self.nonbasic.index(label)
        tight = (i for i in self._restricted() if not self._sign(self.rows[i], infinitesimal=False))
        first = self._leaving(column, tight, -1)
        if first is None:
            return True
        self._pivot(first, column)
        return False

    def _entering(self, row: Sequence[int], direction: int) -> int | None:
        """The column of the smallest label that moves a row's value in a direction."""
        helpful = [
            (label, column)
            for column, label in enumerate(self.nonbasic)
            if label >= 0 and row[column] * direction > 0
        ]
        return min(helpful)[1] if helpful else None

    def _leaving(self, entering: int, holding: Iterable[int], turn: int = 1) -> int | None:
        """Of some rows that hold now, the first that is violated as a column grows (or falls)."""
        best: int | None = None
        for index in holding:
            if self.rows[index][entering] * turn >= 0:
                continue
            order = -1 if best is None else self._compare(index, best, entering) * turn
            if best is None or order < 0 or (order == 0 and self.basic[index] < self.basic[best]):
                best = index
        return best

    def _others(self, label: int) -> list[int]:
        return [i for i, each in enumerate(self.basic) if each >= 0 and each != label]

    def _compare(self, one: int, other: int, column: int) -> int:
        """Compare how far a column may grow until each of two rows is zero."""
        first, second = self.rows[one], self.rows[other]
        p, q = first[column], second[column]
        by, off = (-q, -p) if (p > 0) == (q > 0) else (q, p)  # the limits are -a/p and -b/q
        pairs = zip(first[self.columns :], second[self.columns :], strict=True)
        return self._vector_sign([a * by - b * off for a, b in pairs])

    def _sign(self, row: Sequence[int], infinitesimal: bool = True) -> int:
        """The sign of a row's value at this corner."""
        return self._vector_sign(row[self.columns :], infinitesimal)

    def _vector_sign(self, vector: Sequence[int], infinitesimal: bool = True) -> int:
        sign = self.base.sign(vector[:-1])
        if sign or not infinitesimal:
            return sign
        return (vector[-1] > 0) - (vector[-1] < 0)

    def _restricted(self) -> list[int]:
        return [i for i, label in enumerate(self.basic) if label >= 0]

    def _pivot(self, row: int, column: int) -> None:
        """Exchange a basic and a nonbasic quantity."""
        pivot_row, old = self.rows[row], self.denominator
        spend(len(self.rows) * len(pivot_row), Kind.CELLS)
        turn = 1 if pivot_row[column] > 0 else -1
        pivot = abs(pivot_row[column])
        signed = [turn * value for value in pivot_row]
        rows = []
        for other in self.rows:
            factor = other[column]
            if not factor and pivot == old:
                rows.append(other)
                continue
            new = [(pivot * a - factor * b) // old for a, b in zip(other, signed, strict=True)]
            new[column] = turn * factor
            rows.append(new)
        rows[row] = [-value for value in signed]
        rows[row][column] = turn * old
        self.rows, self.denominator = rows, pivot
        self.basic[row], self.nonbasic[column] = self.nonbasic[column], self.basic[row]

    def _room(self) -> list[Fraction]:
        """A value of the infinitesimal, a logarithm over the base, that keeps every row valid."""
        step = [Fraction(1)] * len(self.base.integers)
        for index in self._restricted():
            *constant, slope = self.rows[index][self.columns :]
            if slope >= 0:
                continue
            limit = [Fraction(c, -2 * slope) for c in constant]
            excess = [e - c for e, c in zip(step, limit, strict=True)]
            if self.base.sign_of_fractions(excess) > 0:
                step = limit
        return step
