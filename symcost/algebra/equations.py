"""Systems of linear equations over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sympy import QQ
from sympy.polys.matrices import DomainMatrix


def unique_solution(
    matrix: Sequence[Sequence[Fraction | int]], right: Sequence[Sequence[Fraction | int]]
) -> list[list[Fraction]] | None:
    """The solution of ``matrix x = right`` for vectors, if there is just one.

    >>> unique_solution([[1, 1], [1, -1]], [[3], [1]])
    [[Fraction(2, 1)], [Fraction(1, 1)]]

    Args:
        matrix: the coefficients, a row per equation.
        right: per equation, the right side, itself a vector.

    Returns:
        A vector per unknown; ``None`` when there is no solution or more than one.
    """
    width = len(matrix[0])
    whole = [(*a, *b) for a, b in zip(matrix, right, strict=True)]
    rows = [[QQ(v.numerator, v.denominator) for v in row] for row in whole]
    reduced, pivots = DomainMatrix(rows, (len(rows), len(rows[0])), QQ).rref()
    if pivots != tuple(range(width)):
        return None
    return [
        [Fraction(int(value.numerator), int(value.denominator)) for value in row[width:]]
        for row in reduced.to_list()[:width]
    ]
