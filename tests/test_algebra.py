"""Posynomials, ratios, signs and linear programs against plain arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import exp
from sympy.printing.numpy import CuPyPrinter, JaxPrinter, SciPyPrinter

from strategies import evaluate, points, posynomials, signomials
from symcost.algebra import Maximum, Minimum, Posynomial, Ratio, as_posynomial, as_ratio
from symcost.algebra.dominance import Growth, dominates, leading
from symcost.algebra.linear import maximize
from symcost.algebra.relation import SIGNS, Condition, Relation
from symcost.algebra.roots import PositiveRoot
from symcost.algebra.signs import Facts, possible_signs, sign
from symcost.errors import InvalidValueError, SymcostError, UndecidedError
from symcost.symbols import dim, dims, rates

B, D, F, S = dims("B D F S")
C, W = rates("C W")


@given(signomials(), signomials(), points)
def test_sum_and_product_are_those_of_the_values(p, q, point):
    assert evaluate(p + q, point) == evaluate(p, point) + evaluate(q, point)
    assert evaluate(p - q, point) == evaluate(p, point) - evaluate(q, point)
    assert evaluate(p * q, point) == evaluate(p, point) * evaluate(q, point)


@given(signomials())
def test_sympy_and_back_is_the_same(p):
    assert as_posynomial(p.to_sympy()) == p
    assert hash(as_posynomial(p.to_sympy())) == hash(p)
    assert as_posynomial(sympy.expand(p.to_sympy() * 3)) == p * 3


@given(signomials(3, 1), posynomials(3, 1), posynomials(2, 1), points)
def test_a_common_factor_cancels(num, den, factor, point):
    assert Ratio.of(num * factor, den * factor) == Ratio.of(num, den)
    ratio = Ratio.of(num, den)
    expected = evaluate(num, point) / evaluate(den, point)
    assert evaluate(ratio.num, point) / evaluate(ratio.den, point) == expected
    assert ratio.to_sympy().subs(point) == sympy.Rational(expected.numerator, expected.denominator)


@given(signomials(2, 1), posynomials(2, 1), signomials(2, 1), posynomials(2, 1), points)
def test_ratios_add_multiply_and_divide(a, b, c, d, point):
    left, right = Ratio.of(a, b), Ratio.of(c, d)

    def value(ratio: Ratio) -> Fraction:
        return evaluate(ratio.num, point) / evaluate(ratio.den, point)

    assert value(left + right) == value(left) + value(right)
    assert value(left * right) == value(left) * value(right)
    if value(right):
        assert value(left / right) == value(left) / value(right)


@given(signomials(), st.lists(points, min_size=5, max_size=5))
def test_a_known_sign_is_the_sign_everywhere(p, many):
    possible = possible_signs(p)
    for point in many:
        value = evaluate(p, point)
        assert ((value > 0) - (value < 0)) in possible


@given(signomials(), st.lists(points, min_size=5, max_size=5))
def test_a_sign_from_a_lower_bound_holds_above_it(p, many):
    possible = possible_signs(p, Facts(lower={D: 10, B: 3}))
    for point in many:
        value = evaluate(p, {**point, D: point[D] + 9, B: point[B] + 2})
        assert ((value > 0) - (value < 0)) in possible


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2 * D - 1, 1),
        (1 - D - D * F, -1),
        (D - F, None),
        (D * F - 1, None),  # zero where both are 1
        (C - 1, None),  # a rate may be small
        (D * C - C / 2, 1),
        (sympy.Integer(0), 0),
    ],
)
def test_signs_by_hand(value, expected):
    assert sign(as_posynomial(value)) == expected


def test_a_fact_decides_a_sign():
    value = as_posynomial(D * F - C * (D + F))
    assert sign(value) is None
    assert sign(value * 3, Facts(known=(Condition(value, SIGNS[">"]),))) == 1
    assert sign(-value, Facts(known=(Condition(value, SIGNS[">"]),))) == -1
    assert possible_signs(value, Facts(known=(Condition(value, SIGNS[">="]),))) == {0, 1}


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=2),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
    st.lists(st.integers(-3, 3), min_size=3, max_size=3),
)
def test_linear_programs_beat_every_grid_point(matrix, inside, objective):
    right = [sum(a * x for a, x in zip(row, inside, strict=True)) for row in matrix]
    best = maximize(objective, matrix, right)
    assert best is not None  # `inside` satisfies the equations
    for row, b in zip(matrix, right, strict=True):
        assert sum(a * x for a, x in zip(row, best.point, strict=True)) == b
    assert min(best.point) >= 0
    if best.bounded:
        for point in product(range(5), repeat=3):
            if all(
                sum(a * x for a, x in zip(row, point, strict=True)) == b
                for row, b in zip(matrix, right, strict=True)
            ):
                assert sum(c * x for c, x in zip(objective, point, strict=True)) <= best.value


def test_a_foreign_symbol_of_the_same_name_is_ours():
    foreign = sympy.Symbol("B")
    assert as_posynomial(foreign * 2) == as_posynomial(B * 2)
    mixed = sympy.Symbol("B", positive=True) + B
    assert as_ratio(mixed).to_sympy() == 2 * B


def test_floats_are_read_as_the_decimal_they_print_as():
    assert as_posynomial(0.1) == Fraction(1, 10)
    assert as_posynomial(sympy.Float("2.5") * B) == as_posynomial(B) * Fraction(5, 2)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), sympy.oo, sympy.zoo, 1j, "B", None])
def test_what_is_no_cost_is_refused(bad):
    with pytest.raises(InvalidValueError):
        as_posynomial(bad)


def test_a_sum_has_no_posynomial_inverse():
    with pytest.raises(UndecidedError, match="cannot divide by the sum B \\+ D exactly"):
        as_posynomial(1 / (B + D))
    with pytest.raises(SymcostError, match="division by zero"):
        Ratio.of(as_posynomial(B), Posynomial({}))


def test_powers_and_roots_of_monomials_are_exact():
    assert as_posynomial(8 * B**2) ** Fraction(1, 3) == 2 * as_posynomial(B) ** Fraction(2, 3)
    assert str(as_posynomial(8 * B) ** Fraction(1, 2)) == "2*sqrt(2)*sqrt(B)"


def test_extrema_stay_until_numbers_come():
    both = Maximum(B, Minimum(D, 3), B)
    assert str(both) == "Max(B, Min(3, D))"
    assert both.subs({B: 2, D: 7}) == 3
    assert Maximum(Maximum(B, D), F) == Maximum(F, D, B)
    assert sympy.latex(Maximum(B, D)) == r"\max\left(B, D\right)"


def test_the_extrema_of_sympy_are_read_as_ours():
    nested = sympy.ceiling(sympy.Max(B, sympy.Min(D, 3)) / 2)
    assert as_ratio(nested) == as_ratio(sympy.ceiling(Maximum(B, Minimum(D, 3)) / 2))
    assert as_ratio(B / sympy.Max(D, F)) == as_ratio(B / Maximum(D, F))


def test_the_positive_root_waits_for_numbers():
    root = PositiveRoot.of(B**3 + D * B - F, B)
    assert root.free_symbols == {D, F}
    exact = root.subs({D: 1, F: 3})
    assert abs(float(exact) ** 3 + float(exact) - 3) < 1e-12


def test_the_exponential_of_a_sum_is_a_product():
    x, y, n = dims("x y n")
    highest = Maximum(x, y)
    merged = n * exp(x - highest) + n * exp(y - highest)
    assert as_ratio(merged) == as_ratio(n * (exp(x) + exp(y)) / exp(highest))
    assert as_posynomial(exp(x / 2 + 1)) ** 2 == as_posynomial(exp(x) * exp(2))
    assert as_ratio(exp(x / (x + y))) != as_ratio(exp(x / y))


def test_many_terms_add_up_in_one_pass():
    many = [as_posynomial(dim(f"D{i % 50}")) for i in range(1000)]
    assert len(Posynomial.sum(many)) == 50
    assert set(Posynomial.sum(many).terms.values()) == {20}


def test_products_of_extrema_are_sorted_by_sympy():
    first, second = 7 * Maximum(B, D) / F, 7 * Maximum(B, S) / F
    assert first + second == second + first
    assert Maximum(first, second) == Maximum(second, first)


def test_extrema_of_irrational_numbers_are_numbers():
    assert Maximum(sympy.sqrt(2), 3) == 3
    assert Minimum(sympy.sqrt(2), 3, B).subs(B, 2) == sympy.sqrt(2)
    assert float(Maximum(sympy.log(2), sympy.sqrt(2))) == float(sympy.sqrt(2))


PRINTERS = [sympy.ccode, sympy.cxxcode, sympy.fcode, sympy.rcode, sympy.octave_code,
            sympy.julia_code, sympy.jscode, sympy.glsl_code, sympy.pycode,
            sympy.mathematica_code, sympy.maple_code, sympy.latex, sympy.pretty,
            JaxPrinter().doprint, CuPyPrinter().doprint, SciPyPrinter().doprint]  # fmt: skip


@pytest.mark.parametrize("value", [
    Minimum(1, sympy.zoo), Maximum(sympy.sqrt(2), sympy.sqrt(-2)), sympy.exp(Maximum(1, sympy.zoo)),
    PositiveRoot.of(B**3 + B - D, B),
])  # fmt: skip
def test_what_is_no_number_stays_as_it_is_in_decimals(value):
    assert value.evalf(30) == value


@pytest.mark.parametrize("printer", PRINTERS, ids=lambda p: getattr(p, "__name__", ""))
def test_every_printer_of_sympy_writes_a_maximum_as_its_own(printer):
    ours = Maximum(B, 2 * D - 1) / Minimum(F, S)
    theirs = sympy.Max(B, 2 * D - 1) / sympy.Min(F, S)
    assert printer(ours) == printer(theirs)


@pytest.mark.parametrize("module", ["numpy", "math", "mpmath", "sympy"])
def test_lambdify_computes_a_maximum(module):
    value = sympy.lambdify([B, D], Maximum(B, 2 * D - 1) + Minimum(B**2, D), module)
    assert [int(value(b, 4)) for b in (1, 2, 30)] == [8, 11, 34]


SAME_SIGNS = [  # facts, value: a sum of facts that may all hold with equality may be zero
    (["B >= D", "D >= F"], B - F, {0, 1}),
    (["B >= D", "D > F"], B - F, {1}),
    (["B > D", "D > F"], F - B, {-1}),
    (["B >= D", "D >= F"], 2 * B - F - D, {0, 1}),
    (["B >= D", "F >= S"], B * F - D * S, {0, 1}),
    (["B >= D", "D >= F", "F >= 2"], B * D - 4, {0, 1}),
    (["B = D"], B - D, {0}),
    (["B != D"], D - B, {-1, 1}),
]


def _side(text: str) -> sympy.Expr:
    return sympy.Integer(text) if text.isdigit() else dim(text)


@pytest.mark.parametrize(("facts", "value", "signs"), SAME_SIGNS, ids=str)
def test_signs_from_facts_together_are_those_of_all_small_points(facts, value, signs):
    pairs = [text.split() for text in facts]
    relations = [Relation(_side(a), op, _side(b)) for a, op, b in pairs]
    known = Facts(known=tuple(r.condition() for r in relations), joint=True)
    assert possible_signs(as_posynomial(value), known) == signs
    symbols = sorted({s for r in relations for s in r.free_symbols}, key=str)
    seen = set()
    for sizes in product(map(sympy.Integer, range(1, 6)), repeat=len(symbols)):
        point = dict(zip(symbols, sizes, strict=True))
        if all(r.holds(point) for r in relations):
            seen.add(int(sympy.sign(value.xreplace(point))))
    assert seen == signs


@given(signomials(3, 1), st.integers(1, 4), st.integers(0, 3), st.integers(1, 4), st.integers(0, 3))
@example(as_posynomial(8 - D), 1, 3, 5, 3)
@example(as_posynomial(D - 5), 1, 3, 5, 3)
@example(as_posynomial((4 - B) * (8 - D)), 1, 3, 5, 3)
def test_a_sign_between_bounds_is_that_of_every_point(p, low, width, start, reach):
    bounds = Facts(lower={B: low, D: start}, upper={B: low + width, D: start + reach})
    possible = possible_signs(p, bounds)
    sizes = product(range(low, low + width + 1), range(start, start + reach + 1), [1, 5], [1, 7])
    for size in sizes:
        value = evaluate(p, dict(zip((B, D, F, S), size, strict=True)))
        assert ((value > 0) - (value < 0)) in possible


@pytest.mark.parametrize(
    "factor", [sympy.log(S), sympy.floor(S / 8), Minimum(S / 8, sympy.log(S)), 1 / S]
)
def test_what_may_be_small_keeps_no_term_above_another(factor):
    """``B << D`` drops B beside D, and beside D*F, but not beside D times what may be zero."""
    growth = Growth(strict=((((B, -1), (D, 1)), "B << D"),))
    assert leading(as_posynomial(B + D * factor), growth) == as_posynomial(B + D * factor)
    assert leading(as_posynomial(B + D * F), growth) == as_posynomial(D * F)


def test_what_grows_against_a_rate_need_not_grow_by_itself():
    """With C = 1/n and W = 1/n**2, W << C holds and C falls; a dimension is at least 1."""
    W, C = rates("W C")
    order = Growth(strict=((((W, -1), (C, 1)), "W << C"),))
    assert dominates(((C, 1),), ((W, 1),), order)
    assert not dominates(((C, 1),), (), order)
    B, D = dims("B D")
    assert dominates(((D, 1),), (), Growth(strict=((((B, -1), (D, 1)), "B << D"),)))
