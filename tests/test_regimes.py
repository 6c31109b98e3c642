"""Regimes against the largest term at exact points, and the cases of the literature by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Expr, Rational, sqrt

from strategies import SYMBOLS, evaluate, positive_coefficients
from symcost.algebra import Maximum, Minimum, Posynomial, as_posynomial
from symcost.algebra.logarithms import LogBase
from symcost.analysis.regimes.regimes import regimes
from symcost.errors import AssumptionError, InvalidValueError, SymcostError, UndecidedError
from symcost.symbols import dims, rates

B, D, F, S = SYMBOLS
N, X = dims("N X")
T, V, W = rates("T V W")
R = rates("p q r")


# -- by hand ------------------------------------------------------------------------------


def test_a_transformer_layer_changes_hands_at_six_times_its_width():
    """24 B S D^2 + 4 B S^2 D FLOPs: J. Austin et al., How To Scale Your Model, part 4."""
    found = regimes(24 * B * S * D**2 + 4 * B * S**2 * D)
    assert repr(found) == "24*B*D**2*S dominates while S < 6*D; 4*B*D*S**2 while S > 6*D"
    (rule,) = found.rules
    assert (rule.equation.symbol, rule.equation.expr) == (S, 6 * D)


def test_a_collective_turns_bandwidth_bound():
    """max(T*X/2, V/W): latency of half the hops of a ring against volume over bandwidth."""
    found = regimes(Maximum(T * X / 2, V / W))
    (rule,) = found.rules
    assert (rule.equation.symbol, rule.equation.expr) == (V, T * W * X / 2)
    latency, bandwidth = found.regimes
    assert (latency.term, latency.region[0].op) == (T * X / 2, "<")
    assert (bandwidth.term, bandwidth.region[0].op) == (V / W, ">")


def test_a_factor_in_front_of_a_maximum():
    M_X, M_Y = dims("M_X M_Y")
    found = regimes(4 * D / W * Maximum(F * X / (N * M_X), B / (X * M_Y)))
    (rule,) = found.rules
    border = rule.borders[0].solved_for(X)
    assert border.equation.expr == sqrt(B) * sqrt(N) * sqrt(M_X) / (sqrt(F) * sqrt(M_Y))


def test_three_streams_of_a_matmul():
    found = regimes(2 * B * D + 2 * D * F + 2 * B * F)
    assert [len(each.region) for each in found.regimes] == [2, 2, 2]
    assert {rule.equation.symbol: rule.equation.expr for rule in found.rules[1:]} == {B: F, D: F}


def test_a_term_below_the_mean_of_two_others_wins_nowhere():
    p, _, _ = R
    assert regimes(1 + p + p**2).never == (p,)
    assert regimes(1 + 2 * p + p**2).never == ()
    assert regimes(1 + Rational(9, 10) * p + p**2).never == (Rational(9, 10) * p,)


def test_dimensions_are_at_least_one():
    assert regimes(B + B * D).never == (B,)
    assert regimes(T + T * W).never == ()
    assert regimes(D / 2 + B * D).regimes[0].region == ()


def test_a_border_beyond_the_sizes_is_left_out():
    found = regimes(B * D * 10 + B + 9 * D)
    assert repr(found) == "10*B*D dominates everywhere"


def test_assumptions_bound_the_regions_or_drop_terms():
    layer = 24 * B * S * D**2 + 4 * B * S**2 * D
    assert repr(regimes(layer, assume=_order(D, S))) == "24*B*D**2*S dominates everywhere"
    assert repr(regimes(layer, assume=_much_less(S, D))) == "24*B*D**2*S dominates everywhere"
    assert repr(regimes(layer, assume=_equal(S, 8 * D))) == "448*B*D**3 dominates everywhere"


def _order(large, small):
    from symcost.algebra.relation import Relation

    return [Relation(large, ">=", small, f"{large} >= {small}")]


def _much_less(small, large):
    from symcost.algebra.assumptions import MuchLess

    return [MuchLess(small, large, f"{small} << {large}")]


def _equal(symbol, expr):
    from symcost.algebra.assumptions import Equal

    return [Equal(symbol, expr, f"{symbol} = {expr}")]


def test_an_assumption_between_sums_is_refused():
    with pytest.raises(AssumptionError, match="relate single terms"):
        regimes(B * D + S, assume=_order(B + D, S + 1))


def test_the_rule_that_separates_more_pairs_comes_first():
    found = regimes(B * D + B * F + S * D + S * F)
    assert [len(rule.borders) for rule in found.rules] == [2, 2]


@pytest.mark.parametrize(
    ("expr", "error", "words"),
    [
        (B / (B + D), InvalidValueError, "ask for its numerator or its denominator"),
        (B - D, InvalidValueError, "regimes are those of sums of positive terms"),
        (B * 0, InvalidValueError, "regimes are those of sums of positive terms"),
        (Minimum(B, D), UndecidedError, "each argument of the minimum"),
        (1 / Maximum(B, D), UndecidedError, "cannot read"),
        (B**D + S, UndecidedError, r"and B\*\*D is none; put a symbol for B\*\*D, or solve"),
    ],
)
def test_what_has_no_regimes(expr, error, words):
    with pytest.raises(error, match=words):
        regimes(expr)


def test_a_constant_dominates_everywhere():
    assert repr(regimes(5)) == "5 dominates everywhere"


def test_irrational_coefficients_are_ordered_exactly():
    p, _, _ = R
    found = regimes(sqrt(2) * p + 1 + p**2 * sqrt(3))
    assert [each.term for each in found.regimes] == [sqrt(3) * p**2, sqrt(2) * p, 1]


# -- properties ---------------------------------------------------------------------------

scales = st.integers(-30, 30).map(lambda k: Fraction(10) ** k)
free_points = st.fixed_dictionaries(
    {s: st.tuples(st.integers(1, 99), scales).map(lambda t: t[0] * t[1]) for s in R}
)
wide_sizes = st.one_of(st.integers(1, 40), st.integers(1, 10**12))
dim_points = st.fixed_dictionaries({s: wide_sizes.map(Fraction) for s in SYMBOLS})


def _sums(symbols, low, high):
    powers = st.tuples(*(st.integers(low, high) for _ in symbols))
    monomials = powers.map(lambda es: tuple((s, e) for s, e in zip(symbols, es, strict=True) if e))
    terms = st.dictionaries(monomials, positive_coefficients, min_size=1, max_size=7)
    return terms.map(Posynomial)


def _value(term: Expr, point: dict) -> Fraction:
    return evaluate(as_posynomial(term), point)


def _holds(border, point) -> bool:
    return evaluate(border.ratio, point) >= 1


def _assert_point(total: Posynomial, found, point) -> None:
    """The regime whose conditions hold at the point names the largest term, and one holds."""
    values = {term.to_sympy(): evaluate(term, point) for term in total}
    best = max(values.values())
    holding = [r for r in found.regimes if all(_holds(border, point) for border in r.region)]
    assert holding
    for each in holding:
        assert values[each.term] == best


def _assert_witnesses(found) -> None:
    """Each regime's own point is one where its term beats those of all other regimes."""
    for regime in found.regimes:
        point = regime.point()
        for other in found.regimes:
            if other is not regime:
                assert _exceeds(regime.term, other.term, point)
        for term in found.never:
            assert not _exceeds(term, regime.term, point)


def _exceeds(one: Expr, other: Expr, point: dict) -> bool:
    """Compare two monomials at a point of rational powers of rationals, exactly."""
    ratio = (one / other).xreplace(point)
    factors = ratio.as_powers_dict() if not ratio.is_Rational else {ratio: 1}
    base = LogBase.of(Fraction(b.p, b.q) for b in factors)
    total = [Fraction(0)] * len(base.integers)
    for b, e in factors.items():
        vector = base.vector(Fraction(b.p, b.q))
        total = [
            t + Fraction(Rational(e).p, Rational(e).q) * v
            for t, v in zip(total, vector, strict=True)
        ]
    return base.sign_of_fractions(total) > 0


@given(_sums(R, -2, 2), st.lists(free_points, min_size=1, max_size=5))
@example(as_posynomial(1 + R[0] + R[0] ** 2), [dict.fromkeys(R, Fraction(1))])
def test_regimes_name_the_largest_term(total, some_points):
    found = regimes(total)
    for point in some_points:
        _assert_point(total, found, point)
    _assert_witnesses(found)


@given(_sums(SYMBOLS, 0, 2), st.lists(dim_points, min_size=1, max_size=5))
def test_regimes_of_dimensions_name_the_largest_term(total, some_points):
    found = regimes(total)
    for point in some_points:
        _assert_point(total, found, point)
    _assert_witnesses(found)
    for regime in found.regimes:
        assert all(value >= 1 for value in regime.point().values())


@given(_sums(SYMBOLS[:2], 0, 3))
def test_no_listed_border_follows_from_the_others(total):
    """In the plane every border of a regime is reached: some point violates it alone."""
    found = regimes(total)
    for regime in found.regimes:
        for border in regime.region:
            rest = [each for each in regime.region if each is not border]
            assert _crossing(border, rest, SYMBOLS[:2]), (regime, border)


def _crossing(border, rest, symbols) -> bool:
    """Walk along the border in logarithms and look for a point where the others hold strictly."""
    from symcost.analysis.regimes.cells import cells
    from symcost.analysis.regimes.terms import log_term

    left, right = as_posynomial(border.left_term), as_posynomial(border.right_term)
    other = [as_posynomial(each.right_term) for each in rest]
    one = log_term(left / left)
    against = [log_term(each / left) for each in other]
    bounds = [log_term(right / left)]  # the other side of this border
    merged = {t.powers: t for t in against}
    if any(t.powers == one.powers for t in against):
        return False
    return any(cell.index == 0 for cell in cells([one, *merged.values()], bounds))


@given(_sums(SYMBOLS, 0, 2).filter(lambda total: len(total) > 1), dim_points)
def test_a_maximum_of_sums_is_judged_by_its_terms(total, point):
    terms = list(total)
    half = len(terms) // 2
    parts = [Posynomial.sum(terms[:half]).to_sympy(), Posynomial.sum(terms[half:]).to_sympy()]
    _assert_point(total, regimes(Maximum(*parts)), point)


def _branch_terms(total: Posynomial, point: dict) -> list[Posynomial]:
    """The terms at a point, every maximum of single terms replaced by its largest argument."""
    swap = {
        atom: max(map(as_posynomial, atom.args), key=lambda arg: evaluate(arg, point))
        for atom in total.atoms
        if isinstance(atom, Maximum)
    }
    return list(total.substitute(swap))


few_monomials = st.tuples(*(st.integers(0, 1) for _ in R)).map(
    lambda es: Posynomial({tuple((s, e) for s, e in zip(R, es, strict=True) if e): 1})
)
scaled_terms = st.tuples(few_monomials, positive_coefficients).map(lambda t: t[0] * t[1])


@st.composite
def _sums_with_maxima(draw):
    terms = [draw(scaled_terms).to_sympy() for _ in range(draw(st.integers(1, 2)))]
    for _ in range(draw(st.integers(1, 2))):
        arguments = draw(st.lists(scaled_terms, min_size=2, max_size=3))
        terms.append(draw(scaled_terms).to_sympy() * Maximum(*(a.to_sympy() for a in arguments)))
    return as_posynomial(sum(terms))


@given(_sums_with_maxima(), st.lists(free_points, min_size=1, max_size=5))
def test_like_terms_beside_a_maximum_add_up_on_its_branch_only(total, some_points):
    found = regimes(total)
    for point in some_points:
        values = {t.to_sympy(): evaluate(t, point) for t in _branch_terms(total, point)}
        best = max(values.values())
        holding = [r for r in found.regimes if all(_holds(b, point) for b in r.region)]
        assert holding
        if all(evaluate(b.ratio, point) != 1 for r in found.regimes for b in r.changes):
            (only,) = holding
            assert values[only.term] == best


def test_a_term_inside_and_beside_a_maximum():
    C = rates("C")
    found = regimes(Maximum(2 * B * D * F / C, 2 * D * F / W) + D * F / W)
    assert repr(found) == "2*B*D*F/C dominates while C < B*W; 3*D*F/W while C > B*W"
    assert found.never == (D * F / W,)
    (rule,) = found.rules
    assert repr(rule) == "C = B*W: from 2*B*D*F/C to 3*D*F/W"
    assert rule.borders[0].solved_for(W).equation.expr == C / B


def test_a_maximum_of_sums_says_that_its_terms_compete():
    p, q, _ = R
    assert "the terms of all arguments compete one by one" in regimes(Maximum(p, 30 + q)).note
    assert regimes(Maximum(p, q) + 30).note == ""


def test_a_product_of_maxima_has_no_sum_of_their_arguments():
    p, _, _ = R
    found = regimes(Maximum(p, 2) * Maximum(p, 3))
    assert [each.term for each in found.regimes] == [p**2, 3 * p, 6]


@given(st.lists(st.fractions(Fraction(1, 50), 50), min_size=1, max_size=5), st.data())
def test_signs_of_logarithms_are_those_of_the_products(numbers, data):
    powers = data.draw(st.lists(st.integers(-6, 6), min_size=len(numbers), max_size=len(numbers)))
    base = LogBase.of(numbers)
    total = [0] * len(base.integers)
    value = Fraction(1)
    for number, power in zip(numbers, powers, strict=True):
        value *= number**power
        total = [t + power * v for t, v in zip(total, base.vector(number), strict=True)]
    assert base.sign(total) == (value > 1) - (value < 1)
    for a, b in combinations(base.integers, 2):
        assert Fraction(a, b).denominator == b


def test_close_logarithms_are_told_apart():
    base = LogBase((2, 3))
    # 2**p / 3**q for a late convergent p/q of log(3)/log(2)
    assert base.sign([10781274, -6802279]) == (1 if _larger(10781274, 6802279) else -1)


def _larger(p: int, q: int) -> bool:
    return 2**p > 3**q


def test_never_another_error_than_ours():
    answered = 0
    for left, right in product((B, D - 1, Maximum(B, D), Minimum(B, D)), repeat=2):
        for expr in (left + right, left * right, left / right):
            try:
                answered += bool(regimes(expr).regimes)
            except SymcostError:
                continue
    assert answered > 10
