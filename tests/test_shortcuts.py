"""Shortcuts taken for speed give what the long way gives."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Add, I, Mul, Pow, Rational, log, sqrt

from strategies import posynomials, signomials
from symcost.algebra import Posynomial, as_posynomial, as_ratio
from symcost.algebra.coprime import surely_coprime
from symcost.algebra.dominance import Growth, _combination, dominates
from symcost.algebra.posynomial import times
from symcost.errors import InvalidValueError
from symcost.symbols import dims, rates

B, D, F, S = dims("B D F S")
C, W = rates("C W")
POWERS = st.fractions(min_value=-3, max_value=3, max_denominator=3)


@st.composite
def sums(draw: st.DrawFn) -> Posynomial:
    """Sums of up to five terms with fractional powers of dimensions and rates."""
    total = as_posynomial(0)
    for _ in range(draw(st.integers(0, 5))):
        term = as_posynomial(draw(st.fractions(-4, 4, max_denominator=4)))
        for symbol in draw(st.lists(st.sampled_from([W, S, B, C, F, D]), max_size=4)):
            term = term * as_posynomial(symbol) ** draw(POWERS)
        total = total + term
    return total


@given(sums())
def test_expressions_are_in_sympys_own_form(value):
    terms = [
        Mul(
            Rational(c.numerator, c.denominator),
            *(Pow(a, Rational(e.numerator, e.denominator)) for a, e in m),
        )
        for m, c in value.terms.items()
    ]
    made, usual = value.to_sympy(), Add(*terms)
    assert made == usual
    assert made.args == usual.args
    assert hash(made) == hash(usual)
    assert made.is_commutative
    assert made - usual == 0
    assert sympy.expand(made * 2) == sympy.expand(usual * 2)


def test_constants_that_sympy_joins_are_left_to_sympy():
    two, three = as_posynomial(sqrt(2)), as_posynomial(sqrt(3))
    assert (two * three + as_posynomial(sqrt(6)) + B).to_sympy() == 2 * sqrt(6) + B


@given(posynomials(3, 2), posynomials(3, 2), posynomials(3, 2))
def test_sums_with_a_common_factor_are_never_called_coprime(left, right, factor):
    left, right = left + right, right + 1
    if surely_coprime(left, right):
        assert sympy.gcd(left.to_sympy(), right.to_sympy()).is_number
    if len(factor) > 1 and factor.atoms:
        assert not surely_coprime(left * factor, right * factor)


@given(signomials(1, 3), signomials(1, 3))
def test_what_no_assumption_speaks_of_is_weak(large, small):
    growth = Growth(strict=((((B, -1), (D, 1)), "B << D"), (((F, 1),), "F -> oo")))
    for top in large.terms:
        for bottom in small.terms:
            ratio = times(top, tuple((atom, -power) for atom, power in bottom))
            whole = growth.for_atoms(atom for atom, _ in ratio)
            long_way = bool(ratio) and _combination(ratio, whole) is not None
            assert dominates(top, bottom, growth) == long_way


@pytest.mark.parametrize(
    "value", [I * B, sqrt(-B), Rational(-2) ** Rational(1, 3), log(-2), -sympy.oo]
)
def test_what_is_not_real_is_refused(value):
    with pytest.raises(InvalidValueError, match="no finite real number"):
        as_posynomial(value)
    with pytest.raises(InvalidValueError, match="no finite real number"):
        as_ratio(1 + value)


def test_a_division_by_zero_is_said():
    with pytest.raises(InvalidValueError, match="divides by zero"):
        as_posynomial(B * sympy.zoo)
