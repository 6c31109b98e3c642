"""Exact reals: signs and orders against identities and against mpmath at many more digits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt, ne

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    E,
    Expr,
    I,
    Integer,
    Pow,
    Rational,
    Symbol,
    cbrt,
    ceiling,
    exp,
    floor,
    log,
    oo,
    pi,
    rootof,
    sqrt,
)

from symcost.algebra import Maximum, Minimum
from symcost.algebra.reals import approximate, compare, floor_of, rational_between, sign_of
from symcost.algebra.relation import Relation
from symcost.algebra.roots import PositiveRoot
from symcost.errors import UndecidedError
from symcost.symbols import dims, rates

x = Symbol("x")
QUINTIC = rootof(x**5 - x - 1, 0)  # 1.1673..., not to be written with roots
CUBIC = PositiveRoot.of(x**3 + sqrt(2) * x - 5, x)  # 1.43705...
PRIMES = (2, 3, 5, 7, 11, 13)

SIGNS = [  # number, sign, why
    (sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6)), 0, "the square of both is 5 + 2*sqrt(6)"),
    (cbrt(7 + 5 * sqrt(2)) - 1 - sqrt(2), 0, "(1 + sqrt(2))**3 = 7 + 5*sqrt(2)"),
    (sqrt(2 + sqrt(3)) * sqrt(2 - sqrt(3)) - 1, 0, "4 - 3"),
    ((sqrt(2) - 1) ** 20 - (sqrt(2) + 1) ** -20, 0, "(sqrt(2) - 1)*(sqrt(2) + 1) = 1"),
    (QUINTIC**5 - QUINTIC - 1, 0, "its equation"),
    (QUINTIC - Rational(11673, 10000), 1, "1.16730397..."),
    (QUINTIC - Rational(11674, 10000), -1, "1.16730397..."),
    (CUBIC - 1, 1, "1 + sqrt(2) < 5"),
    (CUBIC - Rational(3, 2), -1, "27/8 + 3*sqrt(2)/2 > 5"),
    (sum(map(sqrt, PRIMES)) - Rational(18, 1), -1, "about 17.87"),
    (sqrt(10**40 + 1) - 10**20, 1, "by 5e-21"),
    (sqrt(10**400 + 1) - 10**200, 1, "by 5e-201, far below any fixed precision"),
    (log(8) - 3 * log(2), 0, "log(2**3)"),
    (log(6) - log(2) - log(3), 0, "log(2*3)"),
    (sqrt(2) * log(8) - 3 * sqrt(2) * log(2), 0, "term by term"),
    (log(3) / log(2) - Rational(3, 2), 1, "9 > 8"),
    (log(8) / log(2) - 3, 0, "log2(8)"),
    (exp(log(2) / 2) - sqrt(2), 0, "exp(log(2)/2)"),
    (pi - Rational(355, 113), -1, "Zu Chongzhi's fraction is above"),
    (exp(pi) - pi**E, 1, "exp(x) >= x**e, equal at e alone"),
    (exp(1000) - exp(999), 1, "rises"),
    (Maximum(sqrt(2), Rational(7, 5)) - sqrt(2), 0, "sqrt(2) > 1.4"),
    (Minimum(sqrt(2), Rational(7, 5)) - sqrt(2), -1, "1.4 < sqrt(2)"),
    (ceiling(sqrt(10**50), evaluate=False) - 10**25, 0, "whole"),
    (floor(log(10**9), evaluate=False) - 20, 0, "20.72..."),
    (sqrt(sqrt(8) * sqrt(2) - 4), 0, "a root of zero"),
]


@pytest.mark.parametrize(("value", "sign", "why"), SIGNS, ids=[why for _, _, why in SIGNS])
def test_the_sign_of_a_number(value, sign, why):
    assert sign_of(value) == sign
    assert sign_of(-value) == -sign


@pytest.mark.parametrize("value", [sqrt(Integer(1) - sqrt(2)), log(1 - sqrt(2)), I, oo, x + 1])
def test_what_is_no_real_number_is_said(value):
    with pytest.raises(UndecidedError, match="no real number"):
        sign_of(value)


def test_what_cannot_be_decided_is_said():
    """Zero by an identity that is not tried: exp(2*y) = exp(y)**2 with y = log(1 + sqrt(2))."""
    y = log(1 + sqrt(2))
    zero = exp(2 * y, evaluate=False) - (3 + 2 * sqrt(2))
    near = exp(y, evaluate=False) ** 2 - 3 - 2 * sqrt(2) + Rational(1, 10**100)
    assert sign_of(zero) in (None, 0)
    assert sign_of(near) == 1
    with pytest.raises(UndecidedError, match="cannot tell"):
        compare(exp(pi * sqrt(2) / sqrt(3)), exp(pi * sqrt(Rational(2, 3)) + exp(-(10**6))))


small = st.fractions(min_value=-20, max_value=20, max_denominator=12)
positive = st.fractions(min_value=Fraction(1, 12), max_value=20, max_denominator=12)


def _rational(value: Fraction) -> Expr:
    return Rational(value.numerator, value.denominator)


numbers = st.recursive(
    small.map(_rational)
    | positive.map(lambda v: sqrt(_rational(v)))
    | positive.map(lambda v: log(_rational(v)))
    | positive.map(lambda v: Pow(_rational(v), Rational(2, 3))),
    lambda inner: (
        st.builds(lambda a, b: a + b, inner, inner)
        | st.builds(lambda a, b: a * b, inner, inner)
        | st.builds(lambda a: sqrt(a * a + 1), inner)
        | st.builds(lambda a: exp(Minimum(a, Integer(3))), inner)
    ),
    max_leaves=6,
)


def _oracle(value: Expr) -> mpmath.mpf:
    with mpmath.workdps(120):
        return mpmath.mpf(str(value.evalf(100, maxn=1000)))


@settings(deadline=None)
@given(numbers, numbers)
def test_an_order_is_that_of_many_digits(left, right):
    found = sign_of(left - right)
    gap = _oracle(left - right)
    if abs(gap) > mpmath.mpf(10) ** -80:
        assert found == (1 if gap > 0 else -1)
    else:
        assert found in (0, None)


@settings(deadline=None)
@given(numbers)
def test_an_approximation_has_its_digits_and_a_floor_is_below(value):
    sign = sign_of(value)
    if sign is None:
        return
    close, exactly = approximate(value, 30), _oracle(value)
    assert abs(mpmath.mpf(close.numerator) / close.denominator - exactly) <= abs(exactly) * 1e-15
    if sign:
        assert 0 <= exactly - floor_of(value) + mpmath.mpf(10) ** -60 < 1 + mpmath.mpf(10) ** -50


@given(positive, positive)
def test_a_rational_number_between_two_roots(a, b):
    low, high = sorted((sqrt(_rational(a)), sqrt(_rational(b))), key=lambda v: v.evalf(60))
    if low != high:
        assert low < _rational(rational_between(low, high)) < high
    assert _rational(rational_between(low, None)) > low


B, D = dims("B D")
C, W = rates("C W")


PLAIN = {">": gt, ">=": ge, "<": lt, "<=": le, "=": eq, "!=": ne}


@pytest.mark.parametrize("op", PLAIN)
def test_a_relation_its_negation_its_turn_and_its_condition_agree(op):
    relation = Relation(B / D, op, 1 - 1 / D, "as typed")
    assert relation.substitute({B: C}).text == "as typed"
    for b, d in product(range(1, 5), range(1, 5)):
        point = {B: Integer(b), D: Integer(d)}
        truth = PLAIN[op](b, d - 1)
        assert relation.holds(point) == truth
        assert relation.negated().holds(point) != truth
        assert relation.upward().holds(point) == truth
        condition = relation.condition()
        for each in (condition, condition.turned()):
            assert each.relation().holds(point) == truth
            assert each.negated().relation().holds(point) != truth
        if op != "!=":
            assert all(part.relation().holds(point) for part in condition.upward()) == truth


def test_a_relation_shows_its_condition():
    assert repr(Relation(C, "<=", W / 2).condition()) == "2*C - W <= 0"
    assert Relation(B, ">", D).condition().sides() == (B, D)
