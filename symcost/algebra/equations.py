"""Systems of linear equations over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sympy import QQ
from sympy.polys.matrices import DomainMatrix


def solve(
    matrix: Sequence[Sequence[Fraction | int]], right: Sequence[Sequence[Fraction | int]]
) -> tuple[list[list[Fraction]], int] | None:
    """One solution of ``matrix x = right`` for vectors, and how many unknowns are free.

    >>> solve([[1, 1], [1, -1]], [[3], [1]])
    ([[Fraction(2, 1)], [Fraction(1, 1)]], 0)
    >>> solve([[1, 0], [1, 0]], [[3], [1]]) is None
    True

    Args:
        matrix: the coefficients, a row per equation.
        right: per equation, the right side, itself a vector.

    Returns:
        A vector per unknown, with zero for free ones, and the number of free unknowns;
        ``None`` when the equations contradict each other.
    """
    width, size = len(matrix[0]), len(right[0])
    whole = [(*a, *b) for a, b in zip(matrix, right, strict=True)]
    rows = [[QQ(v.numerator, v.denominator) for v in row] for row in whole]
    reduced, pivots = DomainMatrix(rows, (len(rows), width + size), QQ).rref()
    if pivots and pivots[-1] >= width:
        return None
    solution = [[Fraction(0)] * size for _ in range(width)]
    for row, pivot in zip(reduced.to_list(), pivots, strict=False):
        solution[pivot] = [Fraction(int(v.numerator), int(v.denominator)) for v in row[width:]]
    return solution, width - len(pivots)
