"""Exact integer sets, against trying every integer."""

from __future__ import annotations

import math
from fractions import Fraction
from time import perf_counter

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from sympy import Rational, ceiling, floor

from symcost.algebra import Maximum, Minimum
from symcost.algebra.relation import Relation
from symcost.analysis.thresholds.integers import integer_set
from symcost.analysis.thresholds.threshold import threshold
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import dims

B, D = dims("B D")


def test_tile_quantisation():
    padded = 128 * ceiling(B / 128)
    found = integer_set(Relation(10 * B, ">=", 9 * padded), B, up_to=600)
    assert found.ranges == ((116, 128), (231, 256), (346, 384), (461, 512), (576, 600))
    assert found.smallest == 116
    assert found.holds_from == 576
    assert 130 not in found
    assert len(list(found)) == len(found)
    assert found.smooth.form == "smooth"
    assert found.smooth.is_always


def test_the_smooth_form_stands_beside():
    rule = threshold(128 * ceiling(B / 128) > 300, B)
    assert (rule.form, rule.bound) == ("exact", 256)
    assert integer_set(128 * ceiling(B / 128) > 300, B, 1000).smallest == 257


def test_a_large_bound_is_quick():
    started = perf_counter()
    found = integer_set(Rational(19780, 67) < B * 8192 / (2 * B + 8192), B, up_to=10**9)
    assert found.ranges == ((319, 10**9),)
    assert perf_counter() - started < 1


def test_what_is_not_decided_is_said():
    with pytest.raises(UndecidedError) as caught:
        integer_set(B > D, B, 10)
    assert str(caught.value) == "the integers depend on D; give numbers for them"
    with pytest.raises(UndecidedError, match="the set changes too often: 12,000 ranges"):
        integer_set(Relation(8 * ceiling(B / 8), "<=", B), B, 10**6)
    with pytest.raises(InvalidValueError, match="the bound 0 is no positive integer"):
        integer_set(B > 3, B, 0)


EVALUATE = {
    0: (lambda b, k: Fraction(k * math.ceil(Fraction(b, k))), lambda k: k * ceiling(B / k)),
    1: (lambda b, k: Fraction(math.floor(Fraction(3 * b, k))), lambda k: floor(3 * B / k)),
    2: (lambda b, k: Fraction(max(b, 5 * k)), lambda k: Maximum(B, 5 * k)),
    3: (lambda b, k: Fraction(min(b * b, 40 * k)), lambda k: Minimum(B**2, 40 * k)),
    4: (lambda b, k: Fraction(b * k, b + k), lambda k: B * k / (B + k)),
    5: (lambda b, k: Fraction((b - k) ** 2, 7), lambda k: (B - k) ** 2 / 7),
}
terms = st.tuples(st.sampled_from(sorted(EVALUATE)), st.integers(1, 17), st.integers(-4, 5))


@given(
    st.lists(terms, min_size=1, max_size=3),
    st.integers(-40, 90),
    st.sampled_from([">", ">=", "<", "<="]),
    st.integers(1, 120),
)
def test_every_integer_is_decided_right(parts, right, op, up_to):
    expr = sum(c * EVALUATE[kind][1](k) for kind, k, c in parts) + B
    found = integer_set(Relation(expr + 1000, op, right + 1000 + 0 * B), B, up_to)
    compare = {">": float.__gt__, ">=": float.__ge__, "<": float.__lt__, "<=": float.__le__}
    for b in range(1, up_to + 1):
        value = sum((c * EVALUATE[kind][0](b, k) for kind, k, c in parts), Fraction(b))
        difference = float((value > right) - (value < right))
        assert (b in found) == compare[op](difference, 0.0)


@given(
    st.lists(terms, min_size=1, max_size=3),
    st.integers(-40, 90),
    st.sampled_from([">", ">=", "<", "<="]),
    st.booleans(),
)
def test_what_is_sure_holds_whatever_the_steps_do(parts, right, op, below):
    """With steps in a sum or below a fraction bar; ``surely`` may leave a value out, not in."""
    steps = sum(c * EVALUATE[kind][1](k) for kind, k, c in parts if kind < 2) + 200
    try:
        rule = threshold(Relation(100 * B / steps if below else steps + B, op, right + 200), B)
        sure = rule.surely() if rule.form == "smooth" else rule
    except UndecidedError:
        sure = None
    event(f"known: {sure is not None}")
    for b in range(1, 300 if sure is not None else 1):
        value = sum(
            (c * EVALUATE[kind][0](b, k) for kind, k, c in parts if kind < 2), Fraction(200)
        )
        if below and not value:
            continue
        gap = (Fraction(100 * b) / value if below else value + b) - (right + 200)
        if any(each.contains(b) for case in sure.cases for each in case.intervals):
            assert {">": gap > 0, ">=": gap >= 0, "<": gap < 0, "<=": gap <= 0}[op]


SURE = [
    # ceil(x) < x + 1 and floor(x) > x - 1 at the worst place of the step; by hand
    (128 * ceiling(B / 128) < Rational(11, 10) * B, "B > 1280, smallest integer 1281"),
    (72 * ceiling(B / 8) < 10 * B, "B > 72, smallest integer 73"),
    (72 * floor(B / 8) < 10 * B, "always"),
    (floor(B / 8) > B / 16, "B > 16, smallest integer 17"),
]


@pytest.mark.parametrize(("relation", "sure"), SURE)
def test_the_smooth_form_is_named_and_what_is_sure_stands_beside_it(relation, sure):
    rule = threshold(relation, B)
    assert repr(rule).startswith("Threshold: with x for ceil(x) and floor(x):")
    assert repr(rule.surely()) == f"Threshold: {sure}"


def test_nothing_is_sure_where_the_argument_of_a_step_may_be_negative():
    relation = Relation(ceiling(B / (D - 5)) * B, "<", 8 * B + D)  # at D = 4 the step is -B
    assert threshold(relation, B).surely() is None
    assert threshold(relation, B, "D >= 6").surely() is not None


def test_nothing_is_sure_where_a_step_helps_in_one_place_and_hurts_in_another():
    rule = threshold(Relation((ceiling(B / 8) - 5) ** 2 + B, ">", 20), B)
    assert (rule.form, rule.surely()) == ("smooth", None)


def test_a_set_that_changes_too_often_is_refused():
    with pytest.raises(UndecidedError, match="ask for a smaller bound"):
        integer_set(Relation(2 * ceiling(B / 2), "<=", B), B, up_to=10**9)


def test_an_integer_at_a_pole_is_left_out():
    assert integer_set(Relation(B / (B - 3), ">=", 2), B, 20).ranges == ((4, 6),)
    assert integer_set(Relation(B / (B - 1), "<", 2), B, 40).ranges == ((3, 40),)
    assert integer_set(Relation(B / floor(B / 3), ">", 3), B, 9).ranges == ((4, 5), (7, 8))
