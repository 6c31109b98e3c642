"""Systems of linear equations over the rationals, by Gauss-Jordan elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Row = list[Fraction]


def solve(
    matrix: Sequence[Sequence[Fraction | int]], right: Sequence[Sequence[Fraction | int]]
) -> tuple[list[Row], int] | None:
    """One solution of ``matrix x = right`` for vectors, and how many unknowns are free.

    >>> solve([[1, 1], [1, -1]], [[3], [1]])
    ([[Fraction(2, 1)], [Fraction(1, 1)]], 0)

    Args:
        matrix: the coefficients, a row per equation.
        right: per equation, the right side, itself a vector.

    Returns:
        A vector per unknown, with zero for free ones, and the number of free unknowns;
        ``None`` when the equations contradict each other.
    """
    columns, width = len(matrix[0]), len(right[0])
    rows = [[*map(Fraction, a), *map(Fraction, b)] for a, b in zip(matrix, right, strict=True)]
    pivots: list[int] = []
    for column in range(columns):
        at = len(pivots)
        found = next((i for i in range(at, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[at], rows[found] = rows[found], rows[at]
        _clear(rows, at, column)
        pivots.append(column)
    if any(any(row[columns:]) for row in rows[len(pivots) :]):
        return None
    solution = [[Fraction(0)] * width for _ in range(columns)]
    for row, column in zip(rows, pivots, strict=False):
        solution[column] = row[columns:]
    return solution, columns - len(pivots)


def _clear(rows: list[Row], at: int, column: int) -> None:
    """Make the pivot 1 and the rest of its column 0."""
    pivot = rows[at][column]
    rows[at] = [value / pivot for value in rows[at]]
    for i, row in enumerate(rows):
        factor = row[column]
        if i != at and factor:
            rows[i] = [a - factor * b for a, b in zip(row, rows[at], strict=True)]
