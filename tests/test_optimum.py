"""Minima: closed forms from the literature, and every other one against exact grids."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Eq, Integer, Rational, Symbol, ceiling, exp, log, sqrt

from strategies import positive_coefficients
from symcost.algebra import Maximum, Posynomial
from symcost.algebra.relation import Relation
from symcost.analysis.optimum.minimize import minimize
from symcost.errors import InvalidValueError, UndecidedError
from symcost.render.formats.text import words_text
from symcost.symbols import dims, rates

B, D, F, N, X, Y, M_X, M_Y = dims("B D F N X Y M_X M_Y")
a, b, c, x, y, z, C, W = rates("a b c x y z C W")


# -- closed forms -------------------------------------------------------------------------


def test_two_terms_balance():
    found = minimize(a * x + b / x, x)
    assert found.point == {x: sqrt(b) / sqrt(a)}
    assert found.value == 2 * sqrt(a) * sqrt(b)
    assert (found.kind, found.conditions) == ("interior", ())


def test_two_terms_of_other_powers_with_a_constant():
    found = minimize(a * x**2 + 16 * b / x + c, x, at={a: 1, b: 1})
    assert found.point == {x: 2}
    assert found.value == c + 12


def test_the_scaling_law_under_a_budget():
    """A/N^0.34 + B/D^0.28 with 6 N D = C is least at N = G (C/6)^(14/31), G = (17A/(14B))^(50/31).

    J. Hoffmann et al. 2022, arXiv 2203.15556, equation 4, with exponents 0.34 and 0.28.
    """
    loss = a * N ** -Rational(17, 50) + b * D ** -Rational(7, 25)
    found = minimize(loss, [N, D], [Relation(6 * N * D, "=", c)])
    numbers = {a: 406.4, b: 410.7, c: 1e21}
    size = (17 * 406.4 / (14 * 410.7)) ** (50 / 31) * (1e21 / 6) ** (14 / 31)
    assert float(found.point[N].subs(numbers)) == pytest.approx(size)
    value = 406.4 / size**0.34 + 410.7 / (1e21 / 6 / size) ** 0.28
    assert float(found.value.subs(numbers)) == pytest.approx(value)


def test_the_mixed_sharding_of_training():
    """T = 4D/W max(F X/(N M_X), B/(X M_Y)) is least at X = sqrt(B N M_X/(F M_Y)).

    J. Austin et al., How To Scale Your Model, part 5 (mixed FSDP and tensor parallelism).
    """
    times = 4 * D / W * Maximum(F * X / (N * M_X), B / (X * M_Y))
    found = minimize(times, X, X <= N)
    assert found.point[X] == sqrt(B * N * M_X / (F * M_Y))
    assert found.value == 4 * D / W * sqrt(B * F / (N * M_X * M_Y))
    assert [str(each) for each in found.conditions] == ["B*M_X*N >= F*M_Y", "F*M_Y*N >= B*M_X"]
    assert [(case.kind, case.point[X]) for case in found.cases[1:]] == [
        ("border", 1),
        ("border", N),
    ]


def test_the_same_with_an_equation_between_two_axes():
    times = 4 * D / W * Maximum(F / (Y * M_X), B / (X * M_Y))
    for equation in (Eq(X * Y, N), Relation(N, "=", X * Y)):
        found = minimize(times, [X, Y], equation)
        assert found.point[X] == sqrt(B * N * M_X / (F * M_Y))
        assert found.point[Y] == sqrt(F * N * M_Y / (B * M_X))


def test_two_dimensional_weights_of_inference():
    """2 B D/(X W) + 4 B F/(Y W) with X Y = N is least at X = sqrt(N D/(2 F)), sqrt(N/8) at F = 4 D.

    J. Austin et al., How To Scale Your Model, part 7 (two-dimensional weight-stationary).
    """
    cost = 2 * B * D / (X * W) + 4 * B * F / (Y * W)
    found = minimize(cost, [X, Y], Eq(X * Y, N))
    assert found.point[X] == sqrt(N * D / (2 * F))
    special = minimize(cost.subs(F, 4 * D), [X, Y], Eq(X * Y, N))
    assert special.point[X] == sqrt(N / 8)


def test_geometric_programs_without_difficulty():
    """Duffin, Peterson and Zener's first example: 40/(xyz) + 40yz + 20xz + 10xy is least at 100."""
    found = minimize(40 / (x * y * z) + 40 * y * z + 20 * x * z + 10 * x * y, [x, y, z])
    assert found.value == 100
    assert found.point == {x: 2, y: 1, z: Rational(1, 2)}
    symbolic = minimize(a * x * y + b / x + c / y, [x, y])
    assert symbolic.value == 3 * (a * b * c) ** Rational(1, 3)


def test_parts_without_a_common_symbol_are_minimized_apart():
    found = minimize(a * x + b / x + c * y + 1 / y, [x, y])
    assert found.value == 2 * sqrt(a) * sqrt(b) + 2 * sqrt(c)


def test_terms_may_balance_along_a_whole_line():
    found = minimize(x**2 / (4 * y) + y / (4 * x**2), [x, y])  # u + 1/u, over 4
    assert found.value == Rational(1, 2)


def test_arguments_of_a_maximum_meet():
    found = minimize(Maximum(a * x, b / (x * y), c * y), [x, y])
    assert found.value == (a * b * c) ** Rational(1, 3)


def test_three_evenly_spaced_powers_are_quadratic():
    found = minimize(x**3 + 4 / x + x, x)
    assert found.point[x] ** 2 == (-1 + sqrt(1 + 4 * 3 * 4)) / 6


# -- borders and constraints --------------------------------------------------------------


def test_a_dimension_is_at_least_one():
    found = minimize(a * X + b / X, X)
    inside, border = found.cases
    assert [str(each) for each in inside.when] == ["b >= a"]
    assert (border.kind, border.point, border.value) == ("border", {X: 1}, a + b)
    assert [str(each) for each in border.when] == ["a >= b"]


def test_what_only_rises_or_falls():
    assert minimize(a * X + 1, X).point == {X: 1}
    assert minimize(a / X, X, X <= N).point == {X: N}
    assert minimize(a * x, x).kind == "none"
    assert "decreases for ever as x falls towards 0" in minimize(a * x, x).reason
    assert "decreases for ever as X grows" in repr(minimize(a / X, X))
    assert minimize(a * x, x, x >= c).value == a * c


def test_two_dimensions_that_may_both_lie_on_the_border():
    found = minimize(a * X * Y + b / X + c / Y, [X, Y])
    assert [set(case.point.values()) & {1} for case in found.cases] == [set(), {1}, {1}, {1}]
    assert found.cases[-1].value == a + b + c
    numeric = minimize(X * Y + 500 / X + 1 / Y, [X, Y])
    assert (numeric.kind, numeric.point) == ("border", {X: 10 * sqrt(5), Y: 1})


def test_nothing_stops_two_symbols():
    found = minimize(a * x * y + b / x, [x, y])
    assert found.kind == "none"
    assert found.reason == "the objective decreases for ever as x grows and y falls towards 0"
    assert minimize(a * x * y + b / x, [x, y], y >= 1).value == 2 * sqrt(a) * sqrt(b)


def test_a_maximum_may_be_level():
    assert minimize(Maximum(x, 5), x).value == 5
    assert minimize(Maximum(X, 5), X).value == 5
    assert minimize(Maximum(x / 2, 5, 1 / x**3), x).value == 5


def test_nothing_stops_two_terms_that_pull_apart():
    far = minimize(x / (4 * y) + y / (4 * x**2), [x, y], [x >= 1, y >= 1])
    assert far.reason == "the objective decreases for ever as x grows and y grows"


def test_a_constraint_between_sums_bounds_one_symbol():
    found = minimize(a * x + b / x, x, x + c <= D)
    assert found.cases[1].point == {x: D - c}
    assert minimize(x + 100 / x, x, x + 2 <= 7).point == {x: 5}


@pytest.mark.parametrize(
    ("value", "point", "least"),
    [
        (Maximum(2 * x - 2, 18 / x - 2), 3, 4),  # where 2 x = 18/x
        (1 + 3 * Maximum(2 * x - 2, 18 / x - 2), 3, 13),
        (1 + 3 * Maximum(2 * x - 2, 18 / x - 2) + (x - 1) / x, 3, Rational(41, 3)),
        (Maximum(5, x - 3, 1 + Maximum(2 * x - 2, 18 / x - 2)), 3, 5),
        (Maximum(2 * x - 2, 3) + Maximum(18 / x - 2, 3), 3, 8),
    ],
)
def test_sums_with_differences_in_and_around_a_maximum(value, point, least):
    found = minimize(value, x)
    assert (found.point, found.value) == ({x: point}, least)


def test_a_minimum_at_a_root_of_degree_seven_is_told_from_its_neighbours():
    """Two functions meet at the root: their values are equal, and irrational (was without end)."""
    rising = 7 * y**2 + (y / 2 - Rational(1, 2)) / y + 4096 * y / x**2
    value = 2 * Maximum(10 * x**2 + 7 / (100 * x), y**2 / 50 + 2048 / x, rising) + 27 / x
    found = minimize(value, [x, y], Relation(x * y, "=", Integer(64)))

    def at(n: float) -> float:
        m = 64 / n
        listed = (
            10 * n**2 + 0.07 / n,
            m**2 / 50 + 2048 / n,
            7 * m**2 + 0.5 - 0.5 / m + 4096 * m / n**2,
        )
        return 2 * max(listed) + 27 / n

    assert float(found.value) == pytest.approx(
        min(at(8 + k / 10**4) for k in range(15000)), rel=1e-5
    )


# -- numbers ------------------------------------------------------------------------------


def test_a_root_of_the_slope():
    found = minimize(2 * x**5 + 7 / x + x**2, x)
    (root,) = found.point.values()
    assert abs((10 * root**6 + 2 * root**3 - 7).evalf(30)) < Rational(1, 10**20)


def test_quotients_with_numbers():
    assert minimize((x**2 + 7) / (x + 1), x).point == {x: 2 * sqrt(2) - 1}


def test_more_than_one_valley_is_refused():
    bump = (x**2 + 1) / (x**4 - 2 * x**2 + 3)
    with pytest.raises(UndecidedError, match="more than once"):
        minimize(1 - bump + x / 1000, x)


def test_integers_beside_the_minimum():
    found = minimize(2 * X**3 + 7000 / X + X, X, integer=True)
    assert (found.point, found.value) == ({X: 6}, Rational(4814, 3))
    assert found.reason == "the others give 1655 at 5"
    assert minimize(3 * X + 1 / X, X, integer=True).kind == "border"
    assert minimize(5000 / X, X, Relation(X, "<=", Rational(15, 2)), integer=True).point == {X: 7}


@pytest.mark.parametrize(
    ("objective", "constraint", "value", "left_out"),
    [
        ("x", "x > 4", 4, "x > 4"),
        ("1/x", "x < 4", Rational(1, 4), "4 > x"),
        ("x + 100/x", "x < 40", 20, None),
        ("x + 1/(x - 2)", "x > 2", 4, None),
        ("x", "x >= 4", 4, None),
    ],
)
def test_an_end_that_a_strict_sign_leaves_out_is_approached(objective, constraint, value, left_out):
    found = minimize(objective, "x", constraint)
    assert found.value == value
    said = f", which {left_out} leaves out: the value is approached"
    assert found.reason.endswith(said) == (left_out is not None)


def test_integers_among_divisors_or_powers_of_two():
    cost = 2 * X + 7000 / X
    assert minimize(cost, X, among=[2**k for k in range(10)]).point == {X: 64}
    both = minimize(4 * X + 9 * Y, [X, Y], Eq(X * Y, 36), among=[1, 2, 3, 4, 6, 9, 12, 18, 36])
    assert both.point == {X: 9, Y: 4}


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((a * x + b / x, z), InvalidValueError, "z does not occur"),
        ((a * x + b / x, x, (), {x: 3}), InvalidValueError, "x is to be chosen and has a number"),
        ((a * x, []), InvalidValueError, "no symbol to choose"),
        ((x + 1 / x, x, [x >= 3, x <= 2]), InvalidValueError, "no x lies between 3 and 2"),
        ((a * x + b / x + x * y + c / (x * y) + y, [x, y]), UndecidedError, "5 terms over x, y"),
        ((x + a * Maximum(b / x, c / x**2), x), UndecidedError, "maximum of sums"),
        ((a * x + y, [x, y], Relation(x + y, "=", N)), UndecidedError, "between single terms"),
        ((Maximum(x, a), x), UndecidedError, "level where a constant argument"),
        ((Maximum(x * y, a), [x, y]), UndecidedError, "a maximum with a constant argument"),
        ((a * x + b / x, x, [x + y]), InvalidValueError, r"x \+ y is no relation"),
        (("x + 1/(x - 2)", "x"), UndecidedError, "x - 2 may be positive or negative"),  # 1.9: -8.1
        (("V/(3 - p) + p", "p"), UndecidedError, "p - 3 may be positive or negative"),
        (("1/(10 - n) + 1/n", "n"), UndecidedError, "n - 10 may be positive or negative"),
    ],
)
def test_what_has_no_answer(arguments, error, words):
    with pytest.raises(error, match=words):
        minimize(*arguments)


# -- properties ---------------------------------------------------------------------------

GRID = [Fraction(k, 8) for k in (*range(1, 81, 3), 96, 160, 400, 1600)]
TINY = Rational(1, 10**25)


def _sums(symbols, low, high, size):
    powers = st.tuples(*(st.integers(low, high) for _ in symbols)).filter(any)
    monomials = powers.map(lambda es: tuple((s, e) for s, e in zip(symbols, es, strict=True) if e))
    terms = st.dictionaries(monomials, positive_coefficients, min_size=1, max_size=size)
    return terms.map(Posynomial)


def _value(part: Posynomial, point: dict[Symbol, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, coefficient in part.terms.items():
        term = Fraction(coefficient)
        for symbol, power in monomial:
            term *= point[symbol] ** int(power)
        total += term
    return total


def _assert_right(found, parts, grid) -> None:
    """No grid point is lower than the minimum, and the value is that of the point."""
    if found.value is None:
        return
    assert len(found.cases) == 1
    least = found.value.evalf(40)
    for point in grid:
        value = max(_value(part, point) for part in parts)
        assert least - Rational(value.numerator, value.denominator) < TINY, point
    own = max(part.to_sympy().xreplace(dict(found.point)).evalf(40) for part in parts)
    assert abs(least - own) < TINY * (1 + abs(own))


@given(st.lists(_sums((x,), -2, 3, 3), min_size=1, max_size=3))
def test_one_symbol_against_a_grid(parts):
    value = Maximum(*(part.to_sympy() for part in parts))
    found = minimize(value, x)
    _assert_right(found, parts, [{x: g} for g in GRID])
    if found.value is None:  # it falls all the way to an end of the grid
        ends = [GRID[0] / 10**6, GRID[0], GRID[-1], GRID[-1] * 10**6]
        low, first, last, high = (max(_value(p, {x: g}) for p in parts) for g in ends)
        assert low < first or high < last


@given(st.lists(_sums((X,), -2, 3, 3), min_size=1, max_size=2), st.integers(2, 30))
def test_one_dimension_with_a_bound_against_all_integers(parts, most):
    value = Maximum(*(part.to_sympy() for part in parts))
    allowed = range(1, most + 1)
    best = min(max(_value(part, {X: Fraction(n)}) for part in parts) for n in allowed)
    found = minimize(value, X, Relation(X, "<=", Rational(most)), integer=True)
    assert found.value == Rational(best.numerator, best.denominator)
    _assert_right(
        minimize(value, X, Relation(X, "<=", Rational(most))),
        parts,
        [{X: Fraction(n)} for n in allowed],
    )


@given(_sums((x, y), -2, 2, 3), st.fractions(Fraction(1, 4), 4, max_denominator=4))
def test_two_symbols_against_a_grid(total, bound):
    grid = [{x: g, y: h} for g, h in product(GRID[::3], repeat=2)]
    names = [s for s in (x, y) if s in total.symbols]
    for constraints in ((), (Relation(x, ">=", bound), Relation(y, ">=", bound))):
        used = [each for each in constraints if each.lhs in names]
        try:
            found = minimize(total.to_sympy(), names, used)
        except UndecidedError:
            continue
        inside = [p for p in grid if not used or all(p[each.lhs] >= bound for each in used)]
        _assert_right(found, [total], inside)
        if used:
            assert all(bool(found.point[s].evalf(40) > bound - TINY) for s in found.point)


# -- whole values of what an equation eliminates ------------------------------------------


@pytest.mark.parametrize(
    ("constant", "value", "point"),
    [(7, Rational(109, 7), (7, 1)), (12, Rational(61, 6), (6, 2))],
)
def test_an_eliminated_dimension_is_whole(constant, value, point):
    found = minimize(25 / X + 12 / Y, [X, Y], Eq(X * Y, constant), integer=True)
    assert (found.value, found.point[X], found.point[Y]) == (value, *point)


@given(st.integers(1, 60), st.integers(1, 40), st.integers(1, 40), st.integers(1, 2))
def test_divisors_against_brute_force(constant, p, q, power):
    found = minimize(p / X + q / Y, [X, Y], Eq(X**power * Y, constant), integer=True)
    pairs = [(n, constant // n**power) for n in range(1, 61) if constant % n**power == 0]
    assert found.value == min(Rational(p, n) + Rational(q, m) for n, m in pairs)


def test_whole_values_that_are_not_known():
    with pytest.raises(InvalidValueError, match="no integer X makes Y whole"):
        minimize(1 / X + 1 / Y, [X, Y], Relation(2 * X * Y, "=", 7), integer=True)
    with pytest.raises(UndecidedError) as caught:
        minimize(1 / X + Y, [X, Y], Eq(2 * Y, 3 * X), integer=True)
    assert "among" in caught.value.repair
    found = minimize(1 / X + Y, [X, Y], Eq(2 * Y, 3 * X), integer=True, among=[1, 2, 3, 4])
    assert found.point[X] == 2


def test_an_equation_between_numbers():
    with pytest.raises(InvalidValueError, match="3 = 4 cannot hold"):
        minimize(3 / X + X, X, [Relation(Rational(3), "=", Rational(4))])
    assert minimize(4 / x + x, x, [Relation(Rational(3), "=", Rational(3))]).value == 4


# -- cases with symbols, at numbers -------------------------------------------------------

P, M = dims("p m")
V, o = rates("V o")
SYMBOLIC = [
    (Maximum(a * x, b / x) + c, x),
    (Maximum(a * X, b / X) + c, X),
    (2 * (P - 1) * a * X + V / X, X),
    ((M + P - 1) / M * (V + M * o), M),
    (a * X**2 + b * X + c / X, X),
    (Maximum((P - 1) * X * a, b / X) - V, X),
    (a * x**3 + b * x + c / x**2, x),
]


def _holds(relation, at) -> bool:
    left, right = (side.xreplace(at) for side in (relation.lhs, relation.rhs))
    return {">=": left >= right, ">": left > right, "=": left == right}[relation.op] == True  # noqa: E712


@given(st.sampled_from(SYMBOLIC), st.data())
def test_the_case_whose_conditions_hold_is_the_minimum(pair, data):
    objective, symbol = pair
    found = minimize(objective, symbol)
    others = sorted(objective.free_symbols - {symbol}, key=str)
    at = {s: Integer(data.draw(st.integers(1, 12), label=str(s))) for s in others}
    holding = [case for case in found.cases if all(_holds(r, at) for r in case.when)]
    assert holding
    grid = [Rational(g.numerator, g.denominator) for g in GRID if symbol is x or g >= 1]
    values = [objective.xreplace({**at, symbol: g}) for g in grid]
    for case in holding:
        if case.value is None:
            assert values[-1] < min(values[:-1]) or values[0] < min(values[1:])
            continue
        least = case.value.xreplace(at).evalf(40)
        assert all(least - value < TINY for value in values)
        point = case.point[symbol].xreplace(at)
        own = objective.xreplace({**at, symbol: point}).evalf(40)
        assert abs(own - least) < TINY * (1 + abs(own))


def test_a_coefficient_that_may_be_zero_has_a_case_of_its_own():
    found = minimize(2 * (P - 1) * a * X + V / X, X)
    assert [case.kind for case in found.cases] == ["interior", "border", "none"]
    assert [str(each) for each in found.main.when] == ["V >= 2*a*(p - 1)", "p > 1"]
    border = minimize((P - 1) * a * X + V / X, X).cases[1]
    assert [str(each) for each in border.when] == ["a*(p - 1) >= V"]  # p = 1 is no minimum then
    bubble = minimize((M + P - 1) / M * (V + M * o), M)
    assert bubble.point[M] == sqrt(P - 1) * sqrt(V) / sqrt(o)
    assert len(bubble.cases) == 2  # without a bubble, p = 1, the border is right as well


def test_differences_that_fall_for_ever():
    down = minimize(a * x - b / x, x)
    assert (down.kind, down.reason) == (
        "none",
        "the objective decreases for ever as x falls towards 0",
    )
    level = minimize((1 - P) * X + V / X, X)  # p = 1 leaves V/X
    assert (level.kind, level.reason) == ("none", "the objective decreases for ever as X grows")


def test_a_border_names_one_argument_of_a_maximum():
    found = minimize(Maximum(a * X, b / X), X)
    assert [case.value for case in found.cases] == [sqrt(a) * sqrt(b), a]


def test_a_root_without_closed_form_is_named():
    interior, border = minimize(a * X**2 + b * X + c / X, X).cases
    root = "the positive root of 2*X**3*a + X**2*b - c in X"
    said = words_text(interior.said())
    assert said.startswith(f"a*r**2 + b*r + c/r at X = r, where r is {root} (interior")
    assert [str(r) for r in (*interior.when, *border.when)] == ["c >= 2*a + b", "2*a + b >= c"]


@pytest.mark.parametrize(
    ("objective", "over", "constraint"),
    [
        (log(6) / log(2) * X**2 + X + 50 / X, [X], ()),
        (log(6) * x**3 + x + 50 / x + sqrt(x), [x], ()),
        (400 * X / Y + sqrt(Y) / X + 5 * Y / X, [X, Y], Eq(X * Y, 12)),
    ],
)
def test_irrational_coefficients(objective, over, constraint):
    found = minimize(objective, over, constraint)
    assert found.kind == "interior"
    values = {s: float(v) for s, v in found.point.items()}
    for factor in (0.999, 1.001):  # along the equation, if there is one
        near = {s: v * (factor if s == over[0] else 1 / factor) for s, v in values.items()}
        assert float(objective.subs(near)) > float(found.value) - 1e-9


def test_integers_beside_an_irrational_minimum():
    found = minimize(log(6) / log(2) * X**2 + X + 50 / X, X, integer=True)
    assert found.point == {X: 2}


@pytest.mark.parametrize("inside", [log(X), ceiling(100 / X), 2**X, exp(X)])
def test_what_is_chosen_inside_a_function_is_refused(inside):
    with pytest.raises(UndecidedError, match="cannot minimize over X inside"):
        minimize(3 * inside + 100 / X, X)


LEVEL = [
    # b + (a - b)/n: at a = b it is level, so that every n will do
    ("a/n + b*(n-1)/n", 3, 3, 3),
    ("a/n + b*(n-1)/n", 3, 5, 3),
    # level from n = a/b on; where a <= b from n = 1
    ("max(b, a/n)", 12, 5, 5),
    ("max(b, a/n)", 5, 12, 12),
]


@pytest.mark.parametrize(("objective", "a", "b", "least"), LEVEL)
def test_an_objective_that_may_be_level(objective, a, b, least):
    at = dict(zip(dims("a b"), map(Integer, (a, b)), strict=True))
    cases = minimize(objective, "n").cases
    values = {c.value.xreplace(at) for c in cases if all(w.holds(at) for w in c.when)}
    assert values == {least}
