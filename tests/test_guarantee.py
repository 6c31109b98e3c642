"""What suffices in a whole box, against z3, corners and random points of the box."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Integer, Rational, ceiling, oo, sqrt

from symcost.algebra import Maximum
from symcost.algebra.relation import Relation
from symcost.analysis.proof.proof import decide
from symcost.analysis.proving import prove
from symcost.analysis.thresholds.guarantee import first_value, guarantee, guarantee_claim
from symcost.analysis.thresholds.threshold import threshold
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import dims, rates

B, D, F = dims("B D F")
C, W = rates("C W")
H100 = Rational(19780, 67)
INTENSITY = B * D * F / (B * D + D * F + B * F)


def test_the_matmul_on_an_h100():
    found = guarantee(INTENSITY > H100, B, "D, F >= 8192", "B << D, F")
    assert repr(found).splitlines() == [
        "guaranteed for D, F >= 8192: B > 20254720/63663 (318.2), smallest integer 319",
        "exact: B > 19780*D*F/(67*D*F - 19780*(D + F)) if 67*D*F > 19780*(D + F); otherwise never",
        "limit (B << D, F): B > 19780/67 (295.2), smallest integer 296",
    ]
    assert [corner.at for corner in found.corners] == [{D: 8192, F: 8192}]
    assert prove(found).method == "signs"
    assert prove(found).is_proved


def test_it_is_proved_by_z3_too():
    pytest.importorskip("z3")
    assert decide(guarantee_claim(guarantee(INTENSITY > H100, B, "D, F >= 8192"))).is_proved


def test_what_using_the_limit_costs():
    found = guarantee(INTENSITY > H100, B, "D, F >= 8192", "B << D, F")
    cost = found.cost_of_limit(D=8192, F=8192)
    assert (cost.value, cost.needed, cost.holds) == (296, 319, False)
    assert cost.lhs == Rational(296 * 8192 * 8192, 2 * 296 * 8192 + 8192**2)
    assert cost.relative == cost.lhs / H100 - 1
    assert found.cost_of_limit(D=10**6, F=10**6).needed == 296
    assert found.cost_of_limit(D=512, F=512).needed is None


def test_without_a_limit_there_is_nothing_to_compare():
    found = guarantee(INTENSITY > H100, B, "D, F >= 8192")
    with pytest.raises(InvalidValueError) as caught:
        found.cost_of_limit(D=8192, F=8192)
    assert caught.value.problem == "there is no limit rule with a number to compare with"


def test_an_end_that_is_never_reached():
    below = guarantee(Rational(1, 2) < B / (D + B), B, "D >= 4096")
    assert below.guaranteed.is_never
    assert [corner.at for corner in below.corners] == [{D: oo}]
    bounded = guarantee(Rational(1, 2) < B / (D + B), B, "D <= 4096")
    assert bounded.guaranteed.smallest_integer == 4097
    closing = guarantee(1 / (C + 1 / D) < 3, C, "D >= 4").guaranteed
    assert (closing.relation, closing.bound) == (">=", Rational(1, 3))


def test_a_parameter_without_a_bound_is_at_least_one():
    assert guarantee(B * D > 100, B, "B >= 1").guaranteed.bound == 100


def test_a_rate_without_a_bound_is_above_zero():
    """No B suffices for every W then; where the margin falls without end, a bound is asked for."""
    assert guarantee(INTENSITY * W > C, B, "D, F >= 8192; C <= 300").guaranteed.is_never
    assert guarantee("x*f > 5", "x", "f <= 0.5").guaranteed.is_never
    assert guarantee("x + f > 5", "x", "f <= 0.5").guaranteed.relation == ">="
    with pytest.raises(UndecidedError) as caught:
        guarantee("x > y/W", "x", "y <= 300")
    assert str(caught.value) == "W has no lower bound; give one, such as W >= 1"
    found = guarantee(INTENSITY * W > C, B, "D, F >= 8192; C <= 300; W >= 1")
    assert found.guaranteed.smallest_integer == 324


def test_no_corner_is_the_worst():
    with pytest.raises(UndecidedError, match="neither easier nor harder everywhere with D"):
        guarantee(B > D * (10 - D), B, "D >= 2; D <= 9")


def test_extrema_and_steps_are_monotone():
    relation = Relation(B * 128, ">", 128 * ceiling(D / 128) * Maximum(F, 2))
    found = guarantee(relation, B, "D <= 300; F <= 10")
    assert found.guaranteed.bound == 30


@given(
    st.integers(300, 5000),
    st.integers(300, 5000),
    st.fractions(1, 8, max_denominator=9),
    st.fractions(1, 8, max_denominator=9),
    st.integers(10, 140),
)
def test_it_suffices_in_the_box_and_is_needed_at_its_corner(low_d, low_f, up_d, up_f, limit):
    found = guarantee(limit < INTENSITY, B, f"D >= {low_d}; F >= {low_f}").guaranteed
    bound = found.bound
    eps = Rational(1, 10**9)
    d, f = (Fraction(low) * up for low, up in ((low_d, up_d), (low_f, up_f)))
    for value in (bound + eps, bound * 2):
        b = Fraction(int(value.p), int(value.q))
        assert b * d * f / (b * d + d * f + b * f) > limit
    b = Fraction(int(bound.p), int(bound.q))
    assert b * low_d * low_f == limit * (b * low_d + low_d * low_f + b * low_f)


@pytest.mark.parametrize(
    ("left", "box"),
    [
        (B / (B - D), "D >= 2; D <= 9"),
        (B / (D - 5), "D >= 1; D <= 9"),
        (B * D / (B * D - 10), "D >= 2; D <= 4"),
    ],
)
def test_no_guarantee_across_a_pole(left, box):
    with pytest.raises(UndecidedError, match="may be zero in the box"):
        guarantee(Relation(left, ">", Integer(2)), B, box)
    assert (
        guarantee(Relation(B / (D - 5), ">", Integer(2)), B, "D >= 6; D <= 9").guaranteed.bound == 8
    )


def test_a_maximum_that_the_box_settles():
    assert guarantee(Relation(Maximum(B, D), ">", Integer(7)), B, "D >= 8").guaranteed.is_always


WITHOUT_END = [  # found by random trials against points of the region
    # At D = 1, F*(x^2 - 2) + 7*x >= 0 has to hold for every F.
    ("2*F <= 7*x + x^2*D*F", "D >= 1; F >= 1", "x >= sqrt(2) (1.414), smallest integer 2"),
    # At D = 4*F the left side falls as F^-4, the right one as F^-2; F = 1, D = 5 refutes x = 1.
    ("3*x/(2*x*F + 2*D^2*F^2) >= 2*x*D/(5*D*F^2 + 5*x*D^2)", "D >= 4*F", "never"),
    # Over D*F: x*D*F >= 7*F - 1, so at D = 2 and for every F.
    ("7*D*F^2 <= x*D^2*F^2 + D*F", "D >= 2; F >= 2", "x >= 7/2 (3.5), smallest integer 4"),
]


@pytest.mark.parametrize(("relation", "box", "right"), WITHOUT_END)
def test_what_is_against_it_may_grow_as_fast_as_what_is_for_it(relation, box, right):
    """The margin may then go either way without end; the quotient of the two has a limit."""
    assert repr(guarantee(relation, "x", box).guaranteed) == f"Threshold: {right}"


def test_an_end_that_is_left_out_leaves_its_bound_out():
    """F < D <= 100 is F < 100, so that 5*x > 3*F holds at x = 60 as well."""
    assert repr(guarantee("3*D*F < 5*x*D", "x", "F < D; D <= 100").guaranteed.bound) == "60"
    assert guarantee("3*D*F < 5*x*D", "x", "F < D; D <= 100").guaranteed.relation == ">="
    assert guarantee("3*D*F < 5*x*D", "x", "F <= D; D <= 100").guaranteed.relation == ">"


def test_the_unknown_is_not_replaced():
    """It was 'no x suffices', of what the equality leaves of the inequality."""
    with pytest.raises(InvalidValueError, match="x = y replaces x, which is solved for"):
        guarantee("x*y < 10", "x", "x = y")
    assert guarantee("x*y < 10", "x", "y = x").guaranteed.bound == sqrt(10)


def test_that_nothing_suffices_is_said():
    found = guarantee(Relation(B * D, ">", F), B, "D >= 8")
    assert repr(found).splitlines()[0] == "no B suffices for all of D >= 8"


def test_a_first_value_needs_numbers_for_all():
    rule = threshold("B*D*F/(B*D + D*F + B*F) > 295", "B")
    assert first_value(rule, {"D": 8192}) is None
    assert first_value(rule, {"D": 8192, "F": 8192}) == 318  # 295/(1 - 2*295/8192) = 317.9
    assert first_value(rule, {"D": 500, "F": 500}) is None  # at most 250 there
