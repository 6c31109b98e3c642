"""Limits against numbers at extreme sizes, and against hand-made cases."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Abs, Integer, Rational, ceiling, exp, log, sin, sqrt

from strategies import SYMBOLS, evaluate, posynomials
from symcost.algebra import Maximum, Ratio, as_ratio
from symcost.algebra.assumptions import Equal, MuchLess
from symcost.analysis.limit import limit
from symcost.errors import AssumptionError, InvalidValueError, UndecidedError
from symcost.symbols import dims

B, D, F, S = SYMBOLS
N, V, Q = dims("N V Q")

INTENSITY = B * D * F / (B * D + D * F + B * F)


def much(small, large):
    return MuchLess(
        Integer(small) if isinstance(small, int) else small, large, f"{small} << {large}"
    )


@pytest.mark.parametrize(
    ("value", "assume", "expected", "error"),
    [
        (INTENSITY, "B << D, F", B, B / D + B / F),
        ((2 * N - 1) / (4 * N + 2), "N -> oo", Rational(1, 2), 2 / (2 * N - 1)),
        (2 * B * D * F / (2 * B * D + D * F + 2 * B * F), "B << D, F", 2 * B, None),
        (2 * B * D * F / (B * D + B * D * F + B * F), "D, F -> oo", Integer(2), None),
        # incomparable terms stay: iterated limits give 0 one way and oo the other
        ((B * D + F**2) / (D * F), "D, F -> oo", (B * D + F**2) / (D * F), Integer(0)),
        (B * (2 * D - 1), "B << D", 2 * B * D, None),  # D = (D/B) * B is large itself
        (B * D + D, "B << D", B * D + D, Integer(0)),  # but B is not
        (B * S + D * F + B, "B*S << D*F", D * F, None),
        (24 * B * S * D**2 + 4 * B * S**2 * D, "S << D", 24 * B * S * D**2, -S / (S + 6 * D)),
        (ceiling(B / 128) * D, "B -> oo", B * D / 128, None),
        (Maximum(B, D) / F, "B << D", D / F, None),
        (D * log(D) + 5 * D, "D -> oo", D * log(D), None),
        (D + log(D) ** 3, "D -> oo", D, None),
    ],
)
def test_limits_by_hand(value, assume, expected, error):
    rule = limit(value, assume)
    assert as_ratio(rule.value - expected) == Ratio.of(as_ratio(0).num)
    if error is not None:
        assert as_ratio(rule.relative_error) == as_ratio(error)


def test_the_error_is_value_over_exact_minus_one():
    rule = limit(INTENSITY, "B << D, F")
    assert as_ratio(rule.value / rule.exact - 1) == as_ratio(rule.relative_error)
    assert rule.error_at(B=300, D=8192, F=8192) == Rational(75, 1024)  # 7.3 %


def test_an_equality_is_put_in_first():
    assert limit(INTENSITY, "B << D; F = 4*D").value == B
    assert limit(F + D, (Equal(F, 4 * D, "F = 4*D"),)).value == 5 * D


def test_what_is_dropped_is_listed():
    dropped = limit(INTENSITY, "B << D, F").dropped
    assert {(str(d.term), d.part) for d in dropped} == {
        ("B*D", "denominator"),
        ("B*F", "denominator"),
    }


@pytest.mark.parametrize(
    ("assume", "message"),
    [
        (
            "B << D; D << B",
            "B << D and D << B contradict each other; leave one of them out",
        ),
        (
            "B << 1",
            "B << 1 contradicts that every dimension is at least 1; turn it round, or leave it out",
        ),
        (
            "B << Q",
            "the assumption B << Q is not used: Q does not occur; the symbols here are B, D, F",
        ),
        (
            "B << D + F",
            "B << D + F has a sum on its large side;"
            " relate each term by itself: x << D + F as x << D; x << F",
        ),
    ],
)
def test_bad_assumptions_say_what_is_wrong(assume, message):
    with pytest.raises(AssumptionError) as caught:
        limit(INTENSITY, assume)
    assert f"{caught.value.problem}; {caught.value.repair}" == message


directions = st.tuples(*(st.integers(0, 3) for _ in SYMBOLS))


@given(
    posynomials(5),
    posynomials(5),
    st.lists(
        st.tuples(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS)).filter(
            lambda p: p[0] != p[1]
        ),
        min_size=1,
        max_size=2,
        unique=True,
    ),
    directions,
)
def test_the_error_vanishes_along_every_direction_inside_the_cone(num, den, pairs, direction):
    """With sizes t**e such that the assumption holds, the error goes to 0 as t grows."""
    power = dict(zip(SYMBOLS, direction, strict=True))
    if any(power[small] >= power[large] for small, large in pairs):
        return
    value = Ratio.of(num, den)
    names = {str(a) for a in value.atoms}
    if any(str(s) not in names for pair in pairs for s in pair):
        return
    rule = limit(value.to_sympy(), tuple(much(a, b) for a, b in pairs))
    error = as_ratio(rule.relative_error)

    def at(scale: int) -> Fraction:
        point = {s: Fraction(scale) ** power[s] for s in SYMBOLS}
        return abs(evaluate(error.num, point) / evaluate(error.den, point))

    assert at(10**12) <= Fraction(1, 10**6)
    assert at(10**12) <= at(10**6) or at(10**6) == 0


def test_the_exponential_of_what_grows_is_not_compared_with_powers():
    assert limit(exp(S) * (B + D), much(B, D)).value == exp(S) * D
    assert limit(2**S * (B + D), much(B, D)).value == 2**S * D
    with pytest.raises(UndecidedError, match=r"cannot take the limit of 2\*\*D"):
        limit(2**D + B, much(B, D))
    with pytest.raises(UndecidedError) as caught:
        limit(exp(D) / B + 1, much(B, D))
    assert str(caught.value) == (
        "cannot take the limit of exp(D): the assumption makes D grow or shrink; "
        "give numbers for it, or leave the assumption out"
    )
    for unruly in (sin(D) * B, Abs(D - B)):
        with pytest.raises(UndecidedError, match="cannot take the limit of"):
            limit(unruly, much(B, D))
    assert limit(sin(S) * (B + D), much(B, D)).value == sin(S) * D


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (sqrt(2) * D * S + D, sqrt(2) * D * S),
        (log(3) / log(2) * D * S + D, log(3) / log(2) * D * S),
        (log(S) / log(2) + S, S),
    ],
)
def test_an_irrational_coefficient_keeps_nothing_alive(value, kept):
    found = limit(value, "S -> oo")
    assert as_ratio(found.value) == as_ratio(kept)
    assert found.relative_error != 0


def test_a_broken_assumption_is_known():
    found = limit(24 * B * S * D**2 + 4 * B * S**2 * D, "S << D")
    assert found.broken_at({"S": 8192, "D": 4096}) == ("S << D",)
    assert found.is_outside_at({"S": 4096, "D": 4096})
    assert not found.is_outside_at({"S": 819, "D": 4096})
    assert not found.is_outside_at({"S": 819})


def test_no_error_where_the_exact_form_is_zero():
    with pytest.raises(InvalidValueError) as caught:
        limit((D - 1) / (D + 1), "D -> oo").error_at(D=1)
    assert caught.value.problem == "the exact form is 0 at D = 1, so there is no relative error"
