"""Random cost expressions for the property tests: a new kind of expression joins here."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from symcost.algebra import Posynomial
from symcost.algebra.relation import Relation
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.symbols import dim

NAMES = ("B", "D", "F", "S")
SYMBOLS = tuple(dim(name) for name in NAMES)

coefficients = st.fractions(min_value=-9, max_value=9, max_denominator=4).filter(bool)
positive_coefficients = st.fractions(min_value=Fraction(1, 4), max_value=9, max_denominator=4)
sizes = st.integers(min_value=1, max_value=40)
points = st.fixed_dictionaries(dict.fromkeys(SYMBOLS, sizes))


def often(times: int) -> settings:
    """More examples than the profile gives, for properties that are quick and wide."""
    return settings(max_examples=times * settings().max_examples)


def monomials(max_power: int = 2) -> st.SearchStrategy[tuple]:
    """Exponent vectors over the four symbols."""
    powers = st.tuples(*(st.integers(0, max_power) for _ in SYMBOLS))
    return powers.map(lambda es: tuple((s, e) for s, e in zip(SYMBOLS, es, strict=True) if e))


def signomials(max_terms: int = 4, max_power: int = 2) -> st.SearchStrategy[Posynomial]:
    """Sums with coefficients of either sign."""
    terms = st.dictionaries(monomials(max_power), coefficients, min_size=1, max_size=max_terms)
    return terms.map(lambda t: Posynomial.sum(Posynomial({m: c}) for m, c in t.items()))


def posynomials(max_terms: int = 4, max_power: int = 2) -> st.SearchStrategy[Posynomial]:
    """Sums with positive coefficients."""
    terms = st.dictionaries(
        monomials(max_power), positive_coefficients, min_size=1, max_size=max_terms
    )
    return terms.map(lambda t: Posynomial.sum(Posynomial({m: c}) for m, c in t.items()))


def solves(rule: Threshold, value: object, point: dict | None = None) -> bool:
    """Whether a value, also one that is no size, lies in the set; other symbols as in ``point``."""
    sides = (side.xreplace(point or {}) for side in (rule.lhs, rule.rhs))
    told = solved(Relation(next(sides), rule.op, next(sides)), rule.symbol) if point else rule
    return any(each.contains(value) for each in told.main.intervals)


def evaluate(value: Posynomial, point: dict) -> Fraction:
    """The value at a point, by plain arithmetic on the terms."""
    total = Fraction(0)
    for monomial, coefficient in value.terms.items():
        term = Fraction(coefficient)
        for symbol, power in monomial:
            term *= Fraction(point[symbol]) ** int(power)
        total += term
    return total
