"""Linear programs in exact arithmetic, for the small systems of exponents.

A program is a polyhedron (see ``polyhedron``) whose constants are whole numbers, and one more
row that no pivot takes out: the objective.
Source: V. Chvatal, Linear Programming (1983), chapters 2, 3 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from symcost.algebra.logarithms import LogBase
from symcost.algebra.polyhedron import Dictionary, Row

_UNIT = LogBase((2,))  # the constants are multiples of its logarithm
_OBJECTIVE = -1


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
    count = len(objective)
    rows = [
        _row(count + i, each, -b) for i, (each, b) in enumerate(zip(matrix, right, strict=True))
    ]
    made = Dictionary.of([*rows, _row(_OBJECTIVE, objective, 0)], tuple(range(count)), _UNIT)
    if not all(made.fix(row.label) for row in rows) or not made.make_feasible():
        return None
    bounded = made.maximize(_OBJECTIVE)
    point = tuple(value for (value,) in made.corner())
    pairs = zip(objective, point, strict=True)
    return Optimum(point, sum((c * x for c, x in pairs), Fraction(0)), bounded)


def _row(label: int, factors: Sequence[Fraction | int], constant: Fraction | int) -> Row:
    """``factors . x + constant`` times what makes it whole."""
    numbers = (*factors, constant)
    common = lcm(*(number.denominator for number in numbers))
    *powers, last = (n.numerator * (common // n.denominator) for n in numbers)
    return Row(label, tuple(powers), (last,), strict=False)
