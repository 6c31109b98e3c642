"""The value of a ratio at a point, term by term, without a normal form or sympy objects."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sympy import Symbol

from symcost.algebra import Posynomial, Ratio
from symcost.checker.compare import evaluate
from symcost.errors import UndecidedError


def value_at(ratio: Ratio, point: Mapping[Symbol, Fraction]) -> Fraction:
    """The exact value of a ratio at a point.

    >>> from symcost.algebra import as_ratio
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> value_at(as_ratio(B / (B + D)), {B: Fraction(1), D: Fraction(2)})
    Fraction(1, 3)

    Raises:
        UndecidedError: a root or another function has no value there.
    """
    return _sum_at(ratio.num, point) / _sum_at(ratio.den, point)


def _sum_at(part: Posynomial, point: Mapping[Symbol, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, coefficient in part.terms.items():
        term = Fraction(coefficient)
        for atom, power in monomial:
            if Fraction(power).denominator != 1:
                raise UndecidedError(f"a root of {atom} is not evaluated")
            term *= evaluate(atom, point) ** int(power)
        total += term
    return total
