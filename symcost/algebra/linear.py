"""Linear programming in exact rational arithmetic, for the small systems of exponents.

The two-phase simplex method with Bland's rule, which never cycles.
Source: V. Chvatal, Linear Programming (1983), chapters 3 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Row = list[Fraction]


@dataclass(frozen=True, slots=True)
class Optimum:
    """A best point; ``bounded`` is false when the objective grows without end from there."""

    point: tuple[Fraction, ...]
    value: Fraction
    bounded: bool = True


def maximize(
    objective: Sequence[Fraction | int],
    matrix: Sequence[Sequence[Fraction | int]],
    right: Sequence[Fraction | int],
) -> Optimum | None:
    """Maximize ``objective . x`` subject to ``matrix x = right`` and ``x >= 0``.

    >>> maximize([1, 1], [[1, 2]], [4]).value
    Fraction(4, 1)
    >>> maximize([1], [[1]], [-1]) is None
    True

    Returns:
        A best point, or ``None`` when no point satisfies the equations.
    """
    count, rows = len(objective), len(matrix)
    table = [
        _with_slack(row, b, i, rows) for i, (row, b) in enumerate(zip(matrix, right, strict=True))
    ]
    basis = [count + i for i in range(rows)]
    artificial = [Fraction(0)] * count + [Fraction(-1)] * rows
    _improve(table, basis, artificial, count + rows)
    if any(basis[i] >= count and table[i][-1] for i in range(rows)):
        return None
    _drive_out(table, basis, count)
    costs = [Fraction(c) for c in objective] + [Fraction(0)] * rows
    bounded = _improve(table, basis, costs, count)
    point = [Fraction(0)] * (count + rows)
    for row, column in zip(table, basis, strict=True):
        point[column] = row[-1]
    value = sum((c * x for c, x in zip(costs, point, strict=True)), Fraction(0))
    return Optimum(tuple(point[:count]), value, bounded)


def _with_slack(row: Sequence[Fraction | int], b: Fraction | int, i: int, rows: int) -> Row:
    sign = -1 if b < 0 else 1
    slack = [Fraction(int(i == j)) for j in range(rows)]
    return [Fraction(sign * a) for a in row] + slack + [Fraction(sign * b)]


def _improve(table: list[Row], basis: list[int], costs: Row, columns: int) -> bool:
    """Pivot until no column improves the objective; false when it is unbounded."""
    while True:
        entering = next(
            (j for j in range(columns) if j not in basis and _gain(table, basis, costs, j) > 0),
            None,
        )
        if entering is None:
            return True
        ratios = [
            (row[-1] / row[entering], basis[i], i)
            for i, row in enumerate(table)
            if row[entering] > 0
        ]
        if not ratios:
            return False
        _pivot(table, basis, min(ratios)[2], entering)


def _gain(table: list[Row], basis: list[int], costs: Row, column: int) -> Fraction:
    pairs = [(costs[b], row[column]) for b, row in zip(basis, table, strict=True)]
    return costs[column] - sum((cost * x for cost, x in pairs if cost and x), Fraction(0))


def _pivot(table: list[Row], basis: list[int], row: int, column: int) -> None:
    scale = table[row][column]
    table[row] = [value / scale for value in table[row]]
    for i, other in enumerate(table):
        if i != row and other[column]:
            factor = other[column]
            table[i] = [a - factor * b for a, b in zip(other, table[row], strict=True)]
    basis[row] = column


def _drive_out(table: list[Row], basis: list[int], count: int) -> None:
    """Replace artificial columns that are left in the basis at level zero, or drop their rows."""
    for i in reversed(range(len(table))):
        if basis[i] < count:
            continue
        column = next((j for j in range(count) if table[i][j]), None)
        if column is None:
            del table[i], basis[i]
        else:
            _pivot(table, basis, i, column)
