"""The closed form that a threshold tends to under an order of growth: two terms balance.

Under the assumptions two terms of the defining polynomial outgrow all others at the root; the
root of these two is a monomial. Source: the method of dominant balance, C. Bender, S. Orszag,
Advanced Mathematical Methods for Scientists and Engineers (1978), section 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from sympy import Expr, Pow

from symcost.algebra import Posynomial, as_ratio
from symcost.algebra.assumptions import Assumption
from symcost.algebra.dominance import dominates, leading
from symcost.algebra.posynomial import ZERO, to_rational
from symcost.algebra.signs import coefficient_sign
from symcost.analysis.assume import assumed
from symcost.analysis.values import numbers_for
from symcost.documents.blocks import Block, Equation, words
from symcost.documents.wording import assumption_words
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
    stated: tuple[Assumption, ...]

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
        under = words("under ", *assumption_words(self.stated))
        return (
            Equation(self.exact, (("→", self.value),), under),
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
    for high, low in combinations(sorted(parts, reverse=True), 2):
        top, bottom = (leading(parts[power], given.growth) for power in (high, low))
        level = -bottom / top if len(top) == len(bottom) == 1 else ZERO
        if coefficient_sign(level) != 1:
            continue
        root = level ** (1 / Fraction(high - low))
        kept = {high: top, low: bottom}
        rest = Posynomial.sum((p - kept.get(k, ZERO)) * root**k for k, p in parts.items())
        balance = top * root**high
        ((lead, _),) = balance.terms.items()
        if all(dominates(lead, monomial, given.growth) for monomial in rest.terms):
            value = Pow(level.to_sympy(), 1 / to_rational(high - low))
            first_order = (rest / balance).scaled(1 / Fraction(high - low))
            return LeadingBound(value, rule.bound, first_order.to_sympy(), given.text, given.stated)
    raise UndecidedError(
        f"no two terms outgrow all others at the bound of {rule.symbol}",
        repair="relate more of the symbols, such as D**3 << F**2",
    )
