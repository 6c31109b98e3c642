"""The border between two terms, solved for one of its symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.assumptions import Equal
from symcost.algebra.posynomial import ONE, Number
from symcost.algebra.powers import where_one
from symcost.analysis.told import NO_UNITS, Units
from symcost.documents.blocks import Math
from symcost.errors import InvalidValueError
from symcost.symbols import is_dim


@dataclass(frozen=True, slots=True)
class Border:
    """Where two terms are equal, as ``symbol = expr``; the left one wins where ``text`` holds.

    ``steepness`` tells by which power of ``symbol`` the terms grow apart. ``ratio`` is above 1
    on the left term's side: their quotient, or that of two arguments of a maximum if another
    argument is the largest beyond the border.

    >>> from symcost.symbols import dims
    >>> D, S = dims("D S")
    >>> between(6 * D, S)
    S < 6*D
    """

    left_term: Expr
    right_term: Expr
    equation: Equal
    op: str
    steepness: Fraction = field(default=Fraction(1), compare=False)
    ratio: Posynomial = field(default=ONE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The condition under which the left term is the larger one, as in ``S < 6*D``."""
        return f"{self.equation.symbol} {self.op} {self.equation.expr}"

    def math(self, units: Units = NO_UNITS) -> Math:
        """The same as mathematics."""
        return units.equation(self.equation.symbol, self.equation.expr, self.op)

    def flipped(self) -> Border:
        """The same border, seen from the other term."""
        op = "<" if self.op == ">" else ">"
        return replace(
            self,
            left_term=self.right_term,
            right_term=self.left_term,
            op=op,
            ratio=self.ratio.inverse(),
        )

    def solved_for(self, symbol: Symbol) -> Border:
        """The same border, solved for another of its symbols."""
        return border_where(self.ratio, self.left_term, self.right_term, symbol)

    def __repr__(self) -> str:
        return self.text


def between(left: Any, right: Any, symbol: Symbol | None = None) -> Border:
    """The border between two positive terms.

    Args:
        left: a positive monomial.
        right: another one, with other exponents.
        symbol: what to solve for; left out, the symbol that gives the plainest equation.

    Raises:
        InvalidValueError: the symbol does not occur in the border.
    """
    left, right = as_posynomial(left), as_posynomial(right)
    return border_where(left / right, left.to_sympy(), right.to_sympy(), symbol)


def border_where(
    ratio: Posynomial, left: Expr, right: Expr, symbol: Symbol | None = None
) -> Border:
    """The border between two terms at which a ratio, above 1 on the side of the left, is 1."""
    ((monomial, number),) = ratio.terms.items()
    powers = {atom: power for atom, power in monomial if atom.is_Symbol}
    if symbol is None:
        symbol = min(powers, key=lambda each: _plainness(each, powers, number))
    elif symbol not in powers:
        raise InvalidValueError(
            f"{symbol} does not occur in {left} = {right}",
            repair=f"solve it for one of {', '.join(map(str, powers))}",
        )
    power = Fraction(powers[symbol])
    equation = Equal(symbol, where_one(ratio, symbol).to_sympy())
    op = ">" if power > 0 else "<"
    return Border(left, right, equation, op, abs(power), ratio)


def _plainness(symbol: Symbol, powers: Mapping[Symbol, Number], number: Number) -> Any:
    """Without roots, without fractions, a dimension, whole numbers, then by name."""
    own = powers[symbol]
    others = [power for each, power in powers.items() if each != symbol]
    roots = sum(power % own != 0 for power in (1, *others))
    below = sum(power * own > 0 for power in others)
    coefficient = Fraction(number) if own < 0 else 1 / Fraction(number)
    fraction = coefficient.denominator != 1
    return (roots, below, not is_dim(symbol), fraction, symbol.name)
