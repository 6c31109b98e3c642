"""The largest of some functions of one positive number, piece by piece, exactly.

Two functions can change places only at a root of their difference. Between neighbouring roots
one rational number decides which is the largest, so nothing is decided in floating point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations, pairwise
from math import lcm

from sympy import Dummy, Expr, Poly, Pow, Rational, Symbol

from symcost.algebra import Posynomial, as_ratio
from symcost.algebra.posynomial import power_of, to_rational
from symcost.algebra.reals import compare, rational_between
from symcost.errors import UndecidedError

FIRST_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval of y, the index of the largest function in it, and a rational number inside."""

    winner: int
    low: Expr
    high: Expr | None
    inside: Fraction


@dataclass(frozen=True, slots=True)
class Functions:
    """Functions of ``x = y**step``, each a quotient of polynomials in ``y``."""

    unknown: Symbol
    step: int
    parts: tuple[tuple[Poly, Poly], ...]

    @staticmethod
    def of(values: Sequence[Expr], symbol: Symbol) -> Functions:
        """Read functions of one symbol.

        Raises:
            UndecidedError: not made of rational powers and rational numbers.
        """
        ratios = [as_ratio(value) for value in values]
        sides = [side for ratio in ratios for side in (ratio.num, ratio.den)]
        for side in sides:
            _check(side, symbol)
        powers = [Fraction(power_of(symbol, m)) for side in sides for m in side.terms]
        step = lcm(*(power.denominator for power in powers))
        y = Dummy("y", positive=True)
        lowest = min(powers)
        polys = [_poly(side, symbol, y, step, lowest) for side in sides]
        return Functions(y, step, tuple(zip(polys[::2], polys[1::2], strict=True)))

    def difference(self, i: int, j: int) -> Poly:
        """A polynomial with the sign of function ``i`` minus function ``j``."""
        (a, b), (c, d) = self.parts[i], self.parts[j]
        return (a * d - c * b) * b * d

    def slope(self, i: int) -> Poly:
        """A polynomial with the sign of the slope of function ``i``."""
        num, den = self.parts[i]
        return num.diff() * den - num * den.diff()

    def largest(self, y: Fraction) -> int:
        """The index of the largest function, the first of equal ones."""
        at = to_rational(y)
        values = [num.eval(at) / den.eval(at) for num, den in self.parts]
        return values.index(max(values))

    def to_x(self, y: Expr) -> Expr:
        """The value of x that belongs to a value of y."""
        return Pow(y, self.step)

    def to_y(self, x: Expr) -> Expr:
        """The value of y that belongs to a value of x."""
        return Pow(x, Rational(1, self.step))


def upper_envelope(functions: Functions, low: Expr, high: Expr | None) -> list[Piece]:
    """The pieces of the largest function between two values of x; neighbours differ in winner."""
    pairs = combinations(range(len(functions.parts)), 2)
    polynomials = (functions.difference(i, j) for i, j in pairs)
    return pieces_between(functions, polynomials, low, high, join=True)


def pieces_between(
    functions: Functions, polynomials: Iterable[Poly], low: Expr, high: Expr | None, join: bool
) -> list[Piece]:
    """The intervals between the roots of some polynomials, each with the largest function."""
    start, stop = functions.to_y(low), None if high is None else functions.to_y(high)
    ends: list[Expr | None] = [start, *roots_between(polynomials, start, stop), stop]
    pieces: list[Piece] = []
    for left, right in pairwise(ends):
        inside = rational_between(left, right)
        winner = functions.largest(inside)
        if join and pieces and pieces[-1].winner == winner:
            left = pieces.pop().low
        pieces.append(Piece(winner, left, right, inside))
    return pieces


def roots_between(polynomials: Iterable[Poly], low: Expr, high: Expr | None) -> list[Expr]:
    """The distinct positive roots strictly between two numbers, ascending.

    Irreducible factors that differ share no root, so roots can always be told apart.
    """
    nonzero = [polynomial for polynomial in polynomials if not polynomial.is_zero]
    factors = {factor for each in nonzero for factor, _ in each.factor_list()[1]}
    roots = {root for factor in factors for root in factor.real_roots() if root.is_positive}
    inner = [r for r in roots if compare(r, low) > 0 and (high is None or compare(r, high) < 0)]
    return sorted(inner, key=cmp_to_key(compare))


def _check(side: Posynomial, symbol: Symbol) -> None:
    strange = sorted((a for a in side.atoms if a != symbol), key=str)
    if strange:
        raise UndecidedError(
            f"cannot compare functions of {symbol} exactly with {strange[0]} in them",
            repair=f"replace {strange[0]} by a rational number or by powers of {symbol}",
        )


def _poly(side: Posynomial, symbol: Symbol, y: Symbol, step: int, lowest: Fraction) -> Poly:
    """The side times ``x**-lowest`` as a polynomial in ``y``."""
    powers: dict[object, Expr] = {
        (int((power_of(symbol, m) - lowest) * step),): to_rational(c) for m, c in side.terms.items()
    }
    return Poly.from_dict(powers, y, domain="QQ")
