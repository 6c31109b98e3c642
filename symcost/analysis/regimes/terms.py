"""The terms that compete in a sum or a maximum, each linear in the logarithms of the symbols.

A sum of k positive terms lies between its largest term and k times that, so a sum is read as
the maximum of its terms, and a maximum of sums as that of all their terms (this is the
tropical form of the expression; see D. Maclagan, B. Sturmfels, Introduction to Tropical
Geometry, 2015, section 1.1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Maximum, Minimum, Posynomial, as_ratio
from symcost.algebra.logarithms import LogBase
from symcost.algebra.posynomial import Monomial, from_number
from symcost.errors import InvalidValueError, UndecidedError

Powers = tuple[tuple[Fraction, Fraction], ...]  # a number as a product of rational powers


@dataclass(frozen=True, slots=True)
class LogTerm:
    """A positive monomial: powers of symbols times rational powers of numbers."""

    term: Posynomial
    powers: Monomial
    number: Powers

    @property
    def expr(self) -> Expr:
        """The term as a sympy expression."""
        return self.term.to_sympy()

    def power(self, symbol: Symbol) -> Fraction:
        """The exponent of a symbol."""
        return Fraction(dict(self.powers).get(symbol, 0))


def as_sum(value: object) -> Posynomial:
    """Read a sum of positive terms, some of which may hold maxima.

    Raises:
        InvalidValueError: a quotient by a sum, or a negative term.
    """
    ratio = as_ratio(value)
    if not ratio.is_posynomial:
        raise InvalidValueError(
            f"{ratio} is a quotient, and regimes are those of sums of positive terms",
            repair="ask for its numerator or its denominator, each of which is a sum",
        )
    return _checked(ratio.num)


def pooled(value: Posynomial) -> Posynomial:
    """The sum with the terms of each maximum in place of the maximum.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> pooled(as_posynomial(B * Maximum(D, 2 * F) + B * D))
    2*B*D + 2*B*F
    """
    return Posynomial.sum(pooled_term(term) for term in value)


def log_term(term: Posynomial) -> LogTerm:
    """One term, split into symbols and numbers."""
    ((monomial, coefficient),) = term.terms.items()
    symbols: list[Any] = []
    strange: list[Expr] = []
    numbers = [(Fraction(coefficient), Fraction(1))]
    for atom, power in monomial:
        if atom.is_Symbol:
            symbols.append((atom, power))
        elif atom.is_Pow and atom.base.is_Rational and atom.exp.is_Rational:
            base, exponent = (Fraction(from_number(part)) for part in atom.args)
            numbers.append((base, exponent * Fraction(power)))
        else:
            strange.append(atom)
    if strange:
        raise UndecidedError(
            f"regimes are bordered by powers of the symbols, and {strange[0]} is none",
            repair=f"put a symbol for {strange[0]}, or solve an inequality of two terms",
        )
    return LogTerm(term, tuple(symbols), tuple(numbers))


def log_base(numbers: Iterable[Powers]) -> LogBase:
    """A base for the logarithms of some numbers."""
    return LogBase.of(base for number in numbers for base, _ in number)


def log_vector(number: Powers, base: LogBase) -> list[Fraction]:
    """The logarithm of a number over a base."""
    total = [Fraction(0)] * len(base.integers)
    for rational, power in number:
        total = [t + power * v for t, v in zip(total, base.vector(rational), strict=True)]
    return total


def _checked(value: Posynomial) -> Posynomial:
    if not value or any(coefficient < 0 for coefficient in value.terms.values()):
        raise InvalidValueError(
            f"{value} has no positive terms only; regimes are those of sums of positive terms",
            repair="leave the negative terms out, or take a limit first",
        )
    return value


def pooled_term(term: Posynomial) -> Posynomial:
    """The terms that one term stands for when a maximum in it is any of its arguments."""
    ((monomial, _),) = term.terms.items()
    for atom, power in monomial:
        if isinstance(atom, Maximum | Minimum):
            if isinstance(atom, Minimum) or power < 0:
                raise UndecidedError(
                    f"cannot read {term} as a maximum of terms",
                    repair="ask for each argument of the minimum by itself",
                )
            inside = _largest(pooled(as_sum(arg)) for arg in atom.args)
            others = pooled_term(term / Posynomial({((atom, power),): 1}))
            return _largest(each**power * other for each in inside for other in others)
    return term


def _largest(parts: Iterable[Posynomial]) -> Posynomial:
    """The terms of all parts; of those that differ by a number only, the largest."""
    best: dict[Monomial, Any] = {}
    for part in parts:
        for monomial, coefficient in part.terms.items():
            best[monomial] = max(coefficient, best.get(monomial, coefficient))
    return Posynomial(best)
