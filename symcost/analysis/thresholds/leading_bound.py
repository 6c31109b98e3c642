"""The closed form that a threshold tends to under an order of growth: two terms balance.

Under the assumptions two terms of the defining polynomial outgrow all others at the root; the
root of these two is a monomial. Source: the method of dominant balance, C. Bender, S. Orszag,
Advanced Mathematical Methods for Scientists and Engineers (1978), section 3.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sympy import Expr, Pow

from symcost.algebra import Posynomial, as_ratio
from symcost.algebra.dominance import Growth, dominates, leading
from symcost.algebra.posynomial import Monomial, Number, times, to_rational
from symcost.analysis.assume import assumed
from symcost.analysis.values import numbers_for
from symcost.documents.blocks import Block, Equation
from symcost.errors import UndecidedError
from symcost.notation.border import Values
from symcost.printing.text import to_text
from symcost.render.shown import Displayed

if TYPE_CHECKING:
    from symcost.analysis.thresholds.threshold import Threshold


@dataclass(frozen=True, slots=True, repr=False)
class LeadingBound(Displayed):
    """The bound ``value`` that ``exact`` tends to under ``assume``.

    ``relative_error`` is ``value/exact - 1``; ``first_order`` is the same to first order, in
    closed form: the neglected terms over the balancing one.
    """

    value: Expr
    exact: Expr
    first_order: Expr
    assume: str

    @property
    def relative_error(self) -> Expr:
        """``value/exact - 1``, exact."""
        return self.value / self.exact - 1

    def error_at(self, values: Values | None = None, **named: object) -> Expr:
        """The exact relative error with numbers for the symbols."""
        error = self.relative_error
        return error.xreplace(numbers_for(values, error.free_symbols, named))

    def blocks(self) -> tuple[Block, ...]:
        """The bound, what is assumed, and the error to first order."""
        return (
            Equation(self.exact, (("→", self.value),), f"under {self.assume}"),
            Equation("relative error", (("≈", self.first_order),)),
        )

    def data(self) -> dict[str, object]:
        """The bound and its errors."""
        return {
            "value": self.value,
            "relative_error": self.relative_error,
            "first_order": self.first_order,
            "assume": self.assume,
        }

    def __repr__(self) -> str:
        error = to_text(self.first_order)
        return f"{to_text(self.value)}  under {self.assume} (relative error about {error})"


def leading_bound(rule: Threshold, assume: object) -> LeadingBound:
    """The closed form of a threshold's one bound under an order of growth of the parameters.

    Raises:
        UndecidedError: there is not one bound, or no two terms outgrow all others.
    """
    if rule.bound is None:
        raise UndecidedError(f"there is not one bound of {rule.symbol} here")
    given = assumed(assume, (rule.lhs, rule.rhs))
    difference = as_ratio(rule.lhs) - as_ratio(rule.rhs)
    parts = difference.num.coefficients(rule.symbol)
    for high, low in _pairs(parts):
        root = _root(parts, high, low, given.growth)
        if root is not None and _outgrow(parts, high, low, root, given.growth):
            value = _value(parts, high, low, given.growth)
            rest = _neglected(parts, high, low, value, given.growth)
            return LeadingBound(value, rule.bound, rest, given.text)
    raise UndecidedError(
        f"no two terms outgrow all others at the bound of {rule.symbol}",
        repair="relate more of the symbols, such as D**3 << F**2",
    )


def _pairs(parts: Mapping[Number, Posynomial]) -> Iterator[tuple[Number, Number]]:
    powers = sorted(parts, reverse=True)
    return ((high, low) for high in powers for low in powers if low < high)


def _root(
    parts: Mapping[Number, Posynomial], high: Number, low: Number, growth: Growth
) -> Monomial | None:
    """The exponents of the root of two terms, if both are monomials of opposite signs."""
    top, bottom = leading(parts[high], growth), leading(parts[low], growth)
    if len(top) != 1 or len(bottom) != 1:
        return None
    ((m, a),), ((n, c),) = top.terms.items(), bottom.terms.items()
    if (a > 0) == (c > 0):
        return None
    ratio = times(n, tuple((atom, -power) for atom, power in m))
    return tuple((atom, power / Fraction(high - low)) for atom, power in ratio)


def _outgrow(
    parts: Mapping[Number, Posynomial], high: Number, low: Number, root: Monomial, growth: Growth
) -> bool:
    """Whether the balancing term outgrows every other term at the root."""
    ((lead, _),) = leading(parts[high], growth).terms.items()
    balance = times(lead, _raised(root, high))
    return all(
        dominates(balance, times(monomial, _raised(root, power)), growth)
        for power, part in parts.items()
        for monomial in part.terms
        if not (power in (high, low) and monomial in leading(part, growth).terms)
    )


def _raised(monomial: Monomial, power: Number) -> Monomial:
    return tuple((atom, each * power) for atom, each in monomial) if power else ()


def _value(parts: Mapping[Number, Posynomial], high: Number, low: Number, growth: Growth) -> Expr:
    top, bottom = leading(parts[high], growth), leading(parts[low], growth)
    return Pow((-bottom / top).to_sympy(), 1 / to_rational(high - low))


def _neglected(
    parts: Mapping[Number, Posynomial], high: Number, low: Number, root: Expr, growth: Growth
) -> Expr:
    """``P(root)`` over ``root * P'(root)``, both by their leading parts."""
    balance = (high - low) * leading(parts[high], growth).to_sympy()
    terms = []
    for power, part in parts.items():
        lost = part - leading(part, growth) if power in (high, low) else part
        terms.append(lost.to_sympy() * root ** to_rational(power - high) / balance)
    return as_ratio(sum(terms)).to_sympy()
