"""Sweeps against brute force integer by integer, and maps against plain evaluation."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sympy import CRootOf, Rational, sqrt

from strategies import positive_coefficients
from symcost.algebra import Maximum, Posynomial, as_posynomial
from symcost.analysis.regimes.breakpoints import breakpoints
from symcost.analysis.regimes.regime_map import regime_map
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import dims, rates

B, D, F, S, X = dims("B D F S X")
T, V, W = rates("T V W")


def test_a_transformer_layer():
    sweep = breakpoints(24 * B * S * D**2 + 4 * B * S**2 * D, S, 1, 10**6, at={D: 8192})
    assert sweep.points == (49152,)
    assert [each.winner for each in sweep.stretches] == [24 * B * D**2 * S, 4 * B * D * S**2]
    assert sweep.integers == (49153,)  # equal at 49152, where the lower stretch still counts


def test_a_collective_with_numbers():
    sweep = breakpoints(
        Maximum(T * X / 2, V / W), "V", 1, 10**9, at={"T": 1e-6, "X": 16, "W": 45_000_000_000}
    )
    assert sweep.points == (360_000,)


def test_irrational_and_algebraic_points():
    p, q = rates("p q")
    assert breakpoints(p**2 + 2, p, 1, 10).points == (sqrt(2),)
    cubic = breakpoints(Maximum(q**3 + q + 7, 100 * q), q, 1, 100)
    assert cubic.integers == (10,)
    (root,) = cubic.points
    assert isinstance(root, CRootOf)


def test_a_point_on_an_integer_and_one_before_any():
    p, _ = rates("p q")
    sweep = breakpoints(Maximum(p, Rational(3, 2), 4), p, 1, Rational(9, 2))
    assert sweep.points == (4,)
    assert sweep.stretches[1].first_integer is None
    assert sweep.stretches[0].last_integer == 4


def test_quotients_compete_in_a_maximum():
    sweep = breakpoints(3 * Maximum(B * D / (B + D), 5), B, 1, 100, at={D: 100})
    assert sweep.points == (Rational(100, 19),)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((B * D + S * D + 1, B, 1, 10), "no number was given for D, S"),
        ((B + 5, S, 1, 10), "S does not occur"),
        ((B + 5, B, 10, 1), "no sweep runs from 10 to 1"),
        ((B + 5, B, 0, 1), "no sweep runs"),
    ],
)
def test_what_cannot_be_swept(arguments, words):
    with pytest.raises(InvalidValueError, match=words):
        breakpoints(*arguments)


def test_a_ceiling_cannot_be_swept():
    from sympy import ceiling

    with pytest.raises(UndecidedError, match="ceiling"):
        breakpoints(Maximum(ceiling(B / 8), 3), B, 1, 100)


def test_like_terms_beside_a_maximum_add_up_on_its_branch_only():
    C = rates("C")
    times = Maximum(2 * B * D * F / C, 2 * D * F / W) + D * F / W
    at = {C: 1000, W: 10, D: 8, F: 8}
    sweep = breakpoints(times, B, 1, 1000, at=at)
    assert sweep.points == (100,)
    assert [each.winner for each in sweep.stretches] == [3 * D * F / W, 2 * B * D * F / C]
    found = regime_map(times, B, C, at={W: 10, D: 8, F: 8})
    assert [(b.symbol, b.expr) for b in found.borders] == [(C, 10 * B)]
    assert found.winner_at(125, 1000) == 2 * B * D * F / C
    assert found.winner_at(99, 1000) == 3 * D * F / W


# -- properties ---------------------------------------------------------------------------

STOP = 60


def _polynomials(max_terms):
    powers = st.integers(0, 3)
    terms = st.dictionaries(powers, positive_coefficients, min_size=1, max_size=max_terms)
    return terms.map(lambda t: Posynomial({((B, e),) if e else (): c for e, c in t.items()}))


def _at(polynomial: Posynomial, n) -> Fraction:
    return sum(
        (Fraction(c) * Fraction(n) ** int(dict(m).get(B, 0)) for m, c in polynomial.terms.items()),
        Fraction(0),
    )


def _assert_right(sweep, parts) -> None:
    by_winner = {part.to_sympy(): part for part in parts}
    for n in range(1, STOP + 1):
        holding = [
            each
            for each in sweep.stretches
            if each.first_integer is not None and each.first_integer <= n <= each.last_integer
        ]
        (only,) = holding
        assert _at(by_winner[only.winner], n) == max(_at(part, n) for part in parts)
    for left, right in pairwise(sweep.stretches):
        assert left.high == right.low
        assert left.winner != right.winner
        gap = (left.winner - right.winner).xreplace({B: left.high})
        assert abs(gap.evalf(30)) < Rational(1, 10**20)


@given(_polynomials(4))
def test_terms_of_a_sum_integer_by_integer(total):
    assume(B in total.symbols)
    _assert_right(breakpoints(total, B, 1, STOP), list(total))


@given(st.lists(_polynomials(3), min_size=2, max_size=3))
def test_arguments_of_a_maximum_integer_by_integer(parts):
    value = Maximum(*(part.to_sympy() for part in parts))
    assume(isinstance(value, Maximum) and B in value.free_symbols)
    _assert_right(breakpoints(value, B, 1, STOP), parts)


@given(st.lists(_polynomials(1), min_size=2, max_size=3), _polynomials(2))
def test_a_sum_with_a_maximum_integer_by_integer(arguments, rest):
    value = rest.to_sympy() + Maximum(*(each.to_sympy() for each in arguments))
    assume(B in value.free_symbols and value.has(Maximum))
    sweep = breakpoints(value, B, 1, STOP)
    for n in range(1, STOP + 1):
        best = max(_at(each, n) for each in arguments)
        sums = [rest + each for each in arguments if _at(each, n) == best]
        largest = {max(_at(term, n) for term in each) for each in sums}
        (only,) = (s for s in sweep.stretches if (s.first_integer or n + 1) <= n <= s.last_integer)
        assert _at(as_posynomial(only.winner), n) in largest


# -- maps ---------------------------------------------------------------------------------


def test_a_map_of_a_roofline():
    C = rates("C")
    times = Maximum(2 * B * D * F / C, (2 * B * D + 2 * D * F + 2 * B * F) / W)
    found = regime_map(times, D, B, at={F: 1000, C: 300, W: 1})
    (border,) = found.borders
    assert (border.symbol, border.expr) == (B, 3000 * D / (7 * D - 3000))
    assert found.winner_at(8192, 500) == 2 * B * D * F / C
    comms = found.winner_at(400, 10**9)  # 2.8e12 there, against 2.67e12
    assert (comms * W).expand() == 2 * B * D + 2 * D * F + 2 * B * F


def test_a_map_of_terms_has_vertical_and_other_borders():
    found = regime_map(2 * B * D + 2 * D * F + 2 * B * F, D, B, at={"F": 1000})
    assert {(b.symbol, b.expr) for b in found.borders} == {(D, 1000), (B, 1000), (B, D)}


def test_both_axes_must_differ():
    with pytest.raises(InvalidValueError, match="both axes are D"):
        regime_map(B * D + D, D, "D")


@cache
def map_of_terms():
    return regime_map(24 * B * S * D**2 + 4 * B * S**2 * D + D**4, D, S, at={B: 3})


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_map_names_the_largest_term(x, y):
    values = {
        24 * B * D**2 * S: 72 * y * x**2,
        4 * B * D * S**2: 12 * y**2 * x,
        D**4: x**4,
    }
    assert values[map_of_terms().winner_at(x, y)] == max(values.values())
