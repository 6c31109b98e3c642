"""Products of rational powers in one form, so that equal numbers are equal objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sympy import Expr, Integer, Mul, Pow, Symbol

from symcost.algebra.logarithms import LogBase
from symcost.algebra.posynomial import Posynomial, from_number, power_of, to_rational


def product_of_powers(factors: Iterable[tuple[Expr, Fraction]]) -> Expr:
    """The product of positive expressions with rational powers.

    >>> from sympy import Integer
    >>> fifth = Fraction(1, 5)
    >>> product_of_powers([(Integer(200), fifth), (Integer(50), fifth), (Integer(10), fifth)])
    10
    """
    numbers, others = [], []
    for expr, power in factors:
        coefficient, rest = expr.as_coeff_Mul()
        numbers.append((Fraction(from_number(coefficient)), power))
        others.append(Pow(rest, to_rational(power)))
    base = LogBase.of(number for number, _ in numbers)
    total = [Fraction(0)] * len(base.integers)
    for number, power in numbers:
        total = [t + power * v for t, v in zip(total, base.vector(number), strict=True)]
    return Mul(number_of(total, base), *others)


def number_of(vector: Sequence[Fraction], base: LogBase) -> Expr:
    """The number whose logarithm is a combination over the base."""
    pairs = zip(base.integers, vector, strict=True)
    return Mul(*(Pow(Integer(b), to_rational(v)) for b, v in pairs))


def where_one(term: Posynomial, symbol: Symbol) -> Posynomial:
    """The value of a symbol for which a single positive term is 1.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> where_one(as_posynomial(6 * D / B**2), B)
    sqrt(6)*sqrt(D)
    """
    ((monomial, _),) = term.terms.items()
    power = Fraction(power_of(symbol, monomial))
    return (term / Posynomial({((symbol, power),): 1})) ** (-1 / power)
