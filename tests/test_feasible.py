"""Several inequalities at once, against each by itself at random points."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Integer, Rational

from symcost.algebra import Maximum
from symcost.algebra.relation import Relation
from symcost.analysis.proof.logic import holds, member, when
from symcost.analysis.proving import prove
from symcost.analysis.thresholds.feasible import feasible
from symcost.analysis.thresholds.phrases import set_text
from symcost.errors import InvalidValueError
from symcost.symbols import dims, rates

B, D, F, L = dims("B D F L")
M, C, W = rates("M C W")
H100 = Rational(19780, 67)
INTENSITY = B * D * F / (B * D + D * F + B * F)
CONSTRAINTS = {
    "hbm": INTENSITY > H100,
    "nvlink": B * F / (B + F) > C / W,
    "memory": 2 * B * D + 2 * D * F + 2 * B * F <= M,
}
H100_NVLINK = {"D": 8192, "F": 8192, "C": 989 * 10**12, "W": 450 * 10**9}


def test_compute_bound_and_fits():
    found = feasible(CONSTRAINTS, B)
    (inside,) = found.ranges
    assert isinstance(inside.interval.low, Maximum)
    assert inside.low_binds == ("hbm", "nvlink")
    assert inside.high_binds == ("memory",)
    assert found.cases[-1].otherwise
    assert found.cases[-1].is_never


def test_which_constraint_binds_with_numbers():
    found = feasible(CONSTRAINTS, B).at(M=10**9, **H100_NVLINK)
    assert repr(found) == (
        "Feasible: B > 40509440/13487 (3003.6) and B <= 1690981/64 (26421.6), "
        "smallest integer 3004 (from nvlink, up to memory)"
    )
    slow = feasible(CONSTRAINTS, B).at(M=10**9, **{**H100_NVLINK, "W": 10**13})
    assert slow.ranges[0].low_binds == ("hbm",)
    assert slow.smallest_integer == 319


def test_nothing_is_feasible():
    assert feasible(CONSTRAINTS, B).at(M=10**8, **H100_NVLINK).is_never
    assert repr(feasible([B > D, B < F], B).at(D=3, F=2)) == "Feasible: never"


def test_the_gap_is_a_condition():
    found = feasible([B > D, B < F], B)
    assert (
        repr(found)
        == "Feasible: B > D and B < F if F > D (from B > D, up to B < F); otherwise never"
    )
    assert repr(feasible([B >= D, B <= F], B).cases[0].when[0].signs) == "frozenset({0, 1})"


def test_an_assumption_prunes():
    found = feasible([B > D, B < F], B, "F > D")
    assert len(found.cases) == 1
    assert found.cases[0].when == ()


def test_it_is_proved():
    pytest.importorskip("z3")
    assert prove(feasible(CONSTRAINTS, B)).is_proved
    assert prove(feasible([B > D, B < F, B * D > 30], B)).is_proved
    assert prove(feasible([B**2 - D * B + F < 0, B > L], B)).is_proved


def test_errors_name_the_constraint():
    with pytest.raises(InvalidValueError, match="B occurs in no inequality"):
        feasible({"memory": D > F}, B)
    with pytest.raises(InvalidValueError, match="no inequality was given"):
        feasible([], B)
    with pytest.raises(InvalidValueError, match="X does not occur here"):
        feasible([B > D], B).at(X=3)


numbers = st.fractions(Fraction(1, 5), 60, max_denominator=6)


@cache
def feasible_sizes():
    return feasible(CONSTRAINTS | {"hbm": INTENSITY > 3}, B)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=2), numbers, numbers, numbers)
def test_each_point_satisfies_all_or_is_left_out(sizes, memory, speed, value):
    found = feasible_sizes()
    point = {D: sizes[0], F: sizes[1], M: memory * 50, C: speed, W: Fraction(1, 2), B: value}
    at = {s: Rational(Fraction(v).numerator, Fraction(v).denominator) for s, v in point.items()}
    truth = all(holds_at(rule, at) for rule in found.constraints.values())
    case = next(c for c in found.cases if holds(when(c, found.cases), at))
    assert holds(member(B, case.intervals), at) == truth


def holds_at(rule, at) -> bool:
    left, right = rule.lhs.xreplace(at), rule.rhs.xreplace(at)
    return bool({">": left > right, "<=": left <= right}[rule.op])


def test_an_open_and_a_closed_end_of_unknown_order():
    found = feasible([Relation(B, ">", D), Relation(B, ">=", F)], B)
    texts = [set_text(B, (case,)) for case in found.cases]
    assert texts == ["B > D if D >= F", "B >= F if D < F"]
    assert prove(found).status == "proved"


MIXED = [  # an open end beside a closed one; which is larger decides which belongs
    ("x^2 + x > D", "x >= F", ["x > sqrt(4*D + 1)/2 - 1/2 if sqrt(4*D + 1) >= 2*F + 1",
                               "x >= F if sqrt(4*D + 1) < 2*F + 1"]),
    ("x > min(D, F)", "x >= K", ["x > Min(D, F) if D >= K and F >= K",
                                 "x >= K if D >= K and F < K", "x >= K if D < K"]),
]  # fmt: skip


@pytest.mark.parametrize(("opened", "closed", "cases"), MIXED)
def test_the_order_of_an_open_and_a_closed_end_is_a_condition(opened, closed, cases):
    for asked in ([opened, closed], [closed, opened]):
        found = feasible(asked, "x")
        assert sorted(set_text(found.symbol, (case,)) for case in found.cases) == sorted(cases)


def test_open_and_closed_ends_in_turn():
    """At every point exactly one case holds, and it is right."""
    found = feasible("x > D; x >= F; x > K; x >= L", "x")
    x, names = found.symbol, dims("D F K L")
    for ends in product((1, 2, 3), repeat=4):
        at = dict(zip(names, map(Integer, ends), strict=True))
        (case,) = (c for c in found.cases if holds(when(c, found.cases), at))
        for value in (Integer(2), Integer(3), Rational(7, 2)):
            truth = value > max(ends[0], ends[2]) and value >= max(ends[1], ends[3])
            assert holds(member(x, case.intervals), at | {x: value}) == truth


def test_an_end_that_is_the_root_of_a_quotient():
    """It was read again where its sign was asked: 'cannot divide by the sum 5 - D exactly'."""
    asked = "D^2*F + 5*D <= 5*x^2 - x^2*D; 3 + 2*F < x + 10*x*D"
    found = feasible(asked, "x")  # x^2 >= (D^2*F + 5*D)/(5 - D) and x > (3 + 2*F)/(1 + 10*D)
    for d, f, value in product((1, 4, 5, 6), (1, 3, 9), (1, 2, 6)):
        at = dict(zip(dims("D F"), map(Integer, (d, f)), strict=True))
        (case,) = (c for c in found.cases if holds(when(c, found.cases), at))
        truth = d**2 * f + 5 * d <= (5 - d) * value**2 and 3 + 2 * f < value * (1 + 10 * d)
        assert holds(member(found.symbol, case.intervals), at | {found.symbol: value}) == truth


def test_ends_that_can_never_be_apart():
    """The gap of two ends came out as a number below zero, and was split by without end."""
    asked = "3*x*F^2 + 10*x*D <= 7*D; 3*x*D > 2*D*F; F - 7*x^2*D*F^2 >= 5*x^2; min(3*x, F) >= 2*x"
    assert feasible(asked, "x").is_never  # x > 2*F/3 >= 2/3, and 7*x^2*D*F^2 < F: x < sqrt(1/7)


def test_a_pole_beside_another_inequality():
    found = feasible([Relation(B / (B - D), ">=", 2), Relation(B, ">", 3)], B, "D > 3")
    assert str(found).startswith("Feasible: B > D and B <= 2*D")
