"""Hard cases by hand: what is asked, the right answer, and why it is easy to get wrong.

Each answer was derived on paper or with plain arithmetic, not with this engine.
"""

from __future__ import annotations

import copy
import math
import pickle
from contextlib import suppress
from fractions import Fraction
from random import Random
from time import perf_counter, process_time

import numpy as np
import pytest
from sympy import Add, Integer, ceiling, log, sqrt

import symcost as sc
from symcost.algebra.relation import Relation
from symcost.algebra.signs import atom_signs, possible_signs
from symcost.analysis.optimum.trial import check_minimum
from symcost.analysis.optimum.types import OptimumCase
from symcost.cli import main
from symcost.errors import SymcostError, UndecidedError

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
TWO_DTYPES = "H: bf16[B, F] = X: fp8[B, D] @ W1: fp8[D, F]; Z: bf16[B, D] = H @ W2: bf16[F, D]"
FUSED = """fused f { X: bf16[B, D] @ Wt: bf16[D, F] -> H: bf16[B, F]; Y = gelu_tanh(H) }"""
B, D, F = sc.dims("B D F")
a, b, x = sc.rates("a b x")
DRAW = Random(116)


def told(rule) -> str:
    """The answer without its label."""
    return repr(rule).split(": ", 1)[1]


LIMITS = [
    # what stands for a format is fixed while sizes grow
    ("2*B*D*F/(2*B*D + w*D*F + 2*B*F)", "B << D, F", "2*B/w", "2*B/(D*w) + 2*B/(F*w)"),
    ("2*B*D*F/(a*B*D + w*D*F + a*B*F)", "B << D, F", "2*B/w", "B*a/(D*w) + B*a/(F*w)"),
    ("V*(N - 1)/(N*W)", "N -> oo", "V/W", "1/(N - 1)"),
    # a root of a sum tends to that of its leading term
    ("sqrt(p - 1)", "p -> oo", "sqrt(p)", "sqrt(p)/sqrt(p - 1) - 1"),
    ("sqrt(B^2 + D)", "D << B", "B", "B/sqrt(B^2 + D) - 1"),
    ("D*(8*B^3 + D)^(1/3)", "D << B", "2*B*D", "2*B/(8*B^3 + D)^(1/3) - 1"),
    ("1/sqrt(p + 1)", "p -> oo", "1/sqrt(p)", "sqrt(p + 1)/sqrt(p) - 1"),
]


@pytest.mark.parametrize(("formula", "assume", "value", "error"), LIMITS)
def test_limits(formula, assume, value, error):
    rates = {name: sc.rate(name) for name in ("w", "a", "V", "W")}
    expr = sc.formula(formula)
    expr = expr.xreplace({s: rates[s.name] for s in expr.free_symbols if s.name in rates})
    found = sc.limit(expr, assume)
    for own, right in ((found.value, value), (found.relative_error, error)):
        wanted = sc.formula(right)
        wanted = wanted.xreplace({s: rates[s.name] for s in wanted.free_symbols if s.name in rates})
        assert (own - wanted).equals(0)


@pytest.mark.parametrize("formula", ["sqrt(p - 1) - sqrt(p)", "sqrt(p^2 + p) - p"])
def test_roots_whose_leading_terms_cancel_have_no_limit_by_them(formula):
    with pytest.raises(UndecidedError, match=r"the leading terms of .* cancel"):
        sc.limit(formula, "p -> oo")  # the second tends to 1/2, not to 0


def test_a_limit_without_assumptions_says_so():
    assert repr(sc.limit("B*D", "")) == "B*D  under no assumption (relative error 0)"


def test_an_underestimate_is_outside_its_regime_too():
    found = sc.limit(B + D, "B << D")  # 1/6 too small, though B is a fifth of D
    assert found.error_at(B=100, D=500) == Fraction(-1, 6)
    assert found.broken_at({"B": 100, "D": 500}) == ()
    assert found.is_outside_at({"B": 100, "D": 500})


THRESHOLDS = [
    # (inequality, unknown, assumptions, answer)
    ("V*log2(p) > 0", "V", None, "always if p > 1; otherwise never"),  # log2(1) is 0
    ("x*floor(D/2) > 0", "x", None, "always if floor(D/2) > 0; otherwise never"),
    ("x*(8 - D) > 0", "x", "D <= 8", "always if 8 > D; otherwise never"),  # D = 8 is allowed
    ("x*b*(a - c) > 0", "x", "a >= b; b >= c", "always if a > c; otherwise never"),
    ("x*b*(a - c) > 0", "x", "a > b; b >= c", "always"),
    # equalities reach inside a maximum
    (
        "B*D*F > max(5000*B*F, 700*D*F)",
        "B",
        "F = 4*D",
        "B > 700, smallest integer 701 if D > 5000; otherwise never",
    ),
    ("B*D*F > max(5000*B*F, 700*D*F)", "B", "D = 4096; F = 16384", "never"),
    # a pole that cancels is no solution
    ("(x^2 - 1)/(x - 1) >= 2", "x", None, "x > 1, smallest integer 2"),
    ("(x - 2)/(x - 2) >= 1", "x", None, "x < 2 or x > 2, smallest integer 1"),
    # nor is a divisor that is zero whatever the unknown is
    ("x*(D - 1)/(D - 1) >= D", "x", None, "x >= D if D > 1; otherwise never"),
    ("x/log2(D) > 3", "x", None, "x > 3*log(D)/log(2) if D > 1; otherwise never"),
    ("x/log(C) <= 1", "x", None, "x <= log(C) if C > 1; always if C < 1; otherwise never"),
    ("1/log2(x) >= 1/8", "x", None, "x > 1 and x <= 256, smallest integer 2"),
    ("1/log(x) > 1/K", "x", None, "x > 1 and x < exp(K)"),
    ("D/log(x) > -3", "x", None, "x > 1, smallest integer 2"),  # exp(-D/3) is below all sizes
    # 1 - F is not negative at F = 1 only: no root of it is left
    ("F*D/B + B/D > 2", "B", None, "B < D or B > D if 1 = F; otherwise always"),
    ("F*D/B + B/D <= 2", "B", None, "B = D if 1 = F; otherwise never"),
    ("D*F + B/D > 2*sqrt(B)", "B", None, "B < D**2 or B > D**2 if 1 = F; otherwise always"),
    # two cases of one answer that differ in what is then open
    (
        "3*min(beta + C*log2(F), W*W) <= K",
        "beta",
        None,
        "always if K >= 3*W**2; beta <= K/3 - C*log(F)/log(2) "
        "if log(2)*K > 3*C*log(F) and K < 3*W**2; otherwise never",
    ),
    # powers of a base below 1 fall
    ("(1 - p)^n > 0.5", "n", "p < 1", "n < -log(2)/log(1 - p)"),
    ("(1 - p)^n >= 2", "n", "p < 1", "never"),
    ("1 - (1 - q)^k > 0.9", "k", "q < 1", "k > -log(10)/log(1 - q)"),
    ("0.5^x > 1/8", "x", None, "x < 3, largest integer 2"),
    ("0.5^x > 2", "x", None, "never"),
    ("b^n > 5", "n", "b > 2", "n > log(5)/log(b)"),
    # ends are as short as they can be
    ("1/(1 + a*n*(n - 1)) >= 0.8", "n", None, "n <= sqrt((a + 1)/a)/2 + 1/2"),
    # a factored denominator, not a quadratic formula under a root of a square
    (
        "1/(1 - f + f/N) > 4",
        "f",
        None,
        "f > 3*N/(4*N - 4) and f < N/(N - 1) if N > 1; otherwise never",
    ),
    # numbers only: any degree, roots, powers, logarithms
    ("sqrt(n) > 3", "n", None, "n > 9, smallest integer 10"),
    ("sqrt(n + 1) > 3", "n", None, "n > 8, smallest integer 9"),
    ("n*log2(n) >= 24", "n", None, "n >= 8, smallest integer 8"),
    ("log(x) > 1 - x", "x", None, "x > 1, smallest integer 2"),  # equal at 1
    # long fractions are enclosed, not put into a power exactly, whose digits have no end
    ("x^x > 10", "x", None, "x > the positive root of x**x - 10 (2.506), smallest integer 3"),
    ("x^x >= 27", "x", None, "x >= 3, smallest integer 3"),
    (
        "x^(x^2) > 5",
        "x",
        None,
        "x > the positive root of x**(x**2) - 5 (1.721), smallest integer 2",
    ),
    (
        "(x + 1/3)^(x + 0.1) > 99",
        "x",
        None,
        "x > the positive root of (x + 1/3)**(x + 1/10) - 99 (3.393), smallest integer 4",
    ),
]


@pytest.mark.parametrize(("inequality", "unknown", "assume", "answer"), THRESHOLDS)
def test_thresholds(inequality, unknown, assume, answer):
    assert told(sc.threshold(inequality, unknown, assume)) == answer


@pytest.mark.parametrize(("inequality", "unknown", "assume", "answer"), THRESHOLDS)
def test_the_command_line_says_the_same(capsys, inequality, unknown, assume, answer):
    stated = ["--assume", assume] if assume else []
    assert main(["solve", inequality, "--for", unknown, *stated]) == 0
    lines = answer.split("; ")
    assert capsys.readouterr().out.splitlines()[: len(lines)] == lines


@pytest.mark.parametrize(
    ("inequality", "unknown", "ends"),
    [
        ("1/(x^3 - x - 1) >= x", "x", (1.324718, 1.465571)),  # poles and roots of degree three
        ("1/max(x^3 - x - 1, x - 2) > 1", "x", (1.324718, 1.521380)),
        ("n*log2(n) > 100", "n", (22.321929, None)),
        ("2^x > x^3 + 5", "x", (9.951862, None)),
        ("x^3 + sqrt(3) > 4*sqrt(2)*x^2", "x", (5.602, None)),  # irrational coefficients
        # one term outgrows the others, by how much their parts grow
        ("n^1.5/3 - sqrt(n + 5)/2 - 10*n*log2(n) >= 1", "n", (297555.834, None)),
        ("n + 2*0.9^n*n^2 <= 5", "n", (None, 1.439390)),
        # both arguments are zero near each other, and one of them is the larger one
        ("7*log(n)*n^3 + 10*max(n - 4, 9/n) <= 100", "n", (None, 2.203369)),
    ],
)
def test_ends_that_are_no_plain_numbers(inequality, unknown, ends):
    (interval,) = sc.threshold(inequality, unknown).main.intervals
    for own, right in zip((interval.low, interval.high), ends, strict=True):
        assert (own is None) == (right is None)
        if own is not None:
            assert abs(float(own) - right) < 1e-4 * right


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_strict_beside_a_weak_inequality_in_every_order(order):
    asked = ["B*D/(B + D) > 100", "2*B >= F"]
    found = sc.feasible([asked[i] for i in order], "B")
    for d, f in ((150, 100), (150, 601), (150, 600), (90, 100)):
        there = found.at(D=d, F=f)
        for b in (250, 300, 301, 350):
            holds = Fraction(b * d, b + d) > 100 and 2 * b >= f
            inside = any(i.contains(b) for i in there.main.intervals)
            assert inside == holds, (d, f, b)


def test_a_pole_below_one_does_not_matter_to_a_dimension():
    rule = sc.threshold("1/(1 + a*n*(n - 1)) >= 0.8", "n")
    assert abs(float(rule.at(a=1).bound) - (1 + 2**0.5) / 2) < 1e-12


def test_a_side_condition_without_the_unknown():
    assert told(sc.feasible(["B > 3", "D > F"], "B")).startswith(
        "B > 3, smallest integer 4 if D > F"
    )


GUARANTEES = [
    # (inequality, unknown, region, the first value that suffices)
    ("x*a > 5*b", "x", "a >= 2*b", Fraction(5, 2)),
    ("x*a*b > 5", "x", "a*b >= 2", Fraction(5, 2)),
    ("x*(D - c) > 5", "x", "D >= 2*c; c >= 4", Fraction(5, 4)),
    # never a guarantee from a smoothed relation: floor(31/8) is 3
    ("floor(x/8)*K > 3", "x", "K >= 1", 32),
    ("ceil(x/8)*K > 3", "x", "K >= 1", 24),
    ("2*B*D*F/989e12 > (2*B*D + 2*D*F + 2*B*F)/3.35e12", "B", "D, F >= 4096", 344.95),
    (
        "B*D*F/(B*D + D*F + B*F) > 19780/67",
        "B",
        "D >= 4096; F >= 4*D",
        324.456,
    ),
]


@pytest.mark.parametrize(("inequality", "unknown", "region", "first"), GUARANTEES)
def test_guarantees_use_the_whole_region(inequality, unknown, region, first):
    bound = sc.guarantee(inequality, unknown, region).guaranteed.bound
    assert abs(float(bound) - float(first)) < 1e-5 * float(first)


def test_a_region_that_leaves_nothing():
    found = sc.guarantee("x*a > 5*b", "x", "a >= 2")
    assert found.guaranteed.is_never  # b may be anything


SIGNS = [
    (log(D), {0, 1}),
    (log(D + 1), {1}),
    (ceiling((D - 3) / 2), {-1, 0, 1}),
    (ceiling(D / 2), {1}),
    (sc.Maximum(B - D, D - B), {-1, 0, 1}),
    (sc.Maximum(B - D, D), {1}),
    (sc.Minimum(B, D - 1), {0, 1}),
]


@pytest.mark.parametrize(("atom", "signs"), SIGNS)
def test_a_function_has_the_sign_of_its_arguments_range(atom, signs):
    assert atom_signs(atom) <= signs


def test_a_product_with_a_function_that_may_be_zero():
    value = sc.as_posynomial(B * log(D))
    assert possible_signs(value) == {0, 1}


MINIMA = [
    # (objective, over, constraints, integer, least value)
    ("y + y*max(alpha, 1/alpha)", "alpha, y", (), False, 2),
    ("max(9*y/x, y + x*y)", "x, y", (), False, (1 + 37**0.5) / 2),
    ("1000/n + n", "n", ("n <= 8",), True, 133),
    ("1/m + 1/n", "m, n", ("64*(m + n) + 4*m*n <= 10000",), True, None),
]


@pytest.mark.parametrize(("objective", "over", "limits", "integer", "least"), MINIMA)
def test_minima(objective, over, limits, integer, least):
    found = sc.minimize(objective, over, limits, integer=integer)
    if least is None:  # every pair, by plain arithmetic
        pairs = ((m, n) for m in range(1, 160) for n in range(1, 160))
        least = min(1 / m + 1 / n for m, n in pairs if 64 * (m + n) + 4 * m * n <= 10000)
    assert abs(float(found.value) - least) < 1e-9 * least
    there = sc.formula(objective).xreplace(dict(found.point))
    assert (there - found.value).equals(0)


@pytest.mark.parametrize(
    ("point", "value"),
    [
        (sqrt(b / a), 3 * sqrt(a * b)),  # not the value there
        (Integer(1), a + b),  # its own value, but lower beside it
        (sqrt(a / b), 2 * sqrt(a * b)),
    ],
)
def test_a_wrong_minimum_is_noticed_before_it_is_told(point, value):
    case = OptimumCase({x: point}, value, "interior", "claimed")
    with pytest.raises(UndecidedError, match="no minimum was found"):
        check_minimum(a * x + b / x, (), [case], near=True)


def test_the_minimum_at_a_root_that_solve_gives():
    x, k, S = sc.dims("x k S")
    found = sc.minimize(1 / x, x, [x**2 + k * x <= S])
    assert float(found.point[x].subs({k: 3, S: 10})) == 2  # 4 + 6 = 10


def test_a_coefficient_that_may_be_negative():
    objective = "F/(n*C) + (n - 1)*alpha + V*(n - 1)/(n*W)"
    found = sc.minimize(objective, "n")
    values = {"F": 100, "C": 1, "alpha": 1, "V": 1, "W": 1}
    at = float(found.point[sc.dim("n")].subs({s: values[s.name] for s in found.value.free_symbols}))
    assert abs(at - 99**0.5) < 1e-9
    # by hand: n = r with r^2 = (F/C - V/W)/alpha, so both terms in n are alpha*r
    assert repr(found).split("; ") == [
        "V/W + 2*sqrt(alpha*(F*W - C*V)/(C*W)) - alpha"
        " at n = sqrt(F/(C*alpha) - V/(W*alpha)) (interior: the slope is zero there)"
        " if F/(C*alpha) - V/(W*alpha) >= 1",
        "F/C at n = 1 (border: n is at its least value) if 1 >= F/(C*alpha) - V/(W*alpha)",
    ]


@pytest.mark.parametrize(
    "terms",
    [
        [f"x{i}" for i in range(200)],  # 19,900 borders
        ["*".join(f"x{j}^{DRAW.randint(0, 3)}" for j in range(16)) for _ in range(100)],
    ],
)
def test_a_map_of_too_many_regimes_is_refused_by_the_count_of_its_work(terms):
    with pytest.raises(
        UndecidedError, match=r"terms compete, with 200 symbols|more than is compared at once"
    ):
        sc.regimes("+".join(terms))


def test_poles_and_roots_of_logarithms():
    first, second = sc.threshold("x/log2(x) >= 8", "x").main.intervals
    assert (first.low, first.low_closed) == (1, False)
    assert abs(float(first.high) - 1.0999970) < 1e-6
    assert abs(float(second.low) - 43.5592604) < 1e-6


WIDE = [
    "(1000 + 64)/(B*K*min(B*log2(W) - B, B*log2(C)) + K*max(10*C*log2(D) - B*B*W*B^2*log2(C), "
    "10*K*B^2*log2(K))) >= 3/4",
    "B*D*B + C + C*max(D*B^2*log2(F) + C*B, 4*F*floor(W/2)) > max(10*B*B*(W - 8), B)",
    "W/2*max(W/2*log2(K) + sqrt(D), log2(W)/2) + B*min(2*B*ceil(D/8) - 10*sqrt(D), 2*B) + B "
    "< max(C, 2*K*K*(W - 8))",
]


@pytest.mark.parametrize("inequality", WIDE)
def test_a_wide_inequality_is_answered_or_refused_in_time(inequality):
    started = process_time()
    with suppress(UndecidedError):  # which names the bound
        assert sc.threshold(inequality, "B").cases
    assert process_time() - started < 6  # 2 where nothing else runs


def test_a_sum_of_thousands_of_names():
    started = process_time()
    names = [f"n{i}" for i in range(3000)]
    rule = sc.threshold(f"B > {'+'.join(names)}", "B")
    assert rule.bound == Add(*sc.dims(names))
    assert process_time() - started < 6


# -- programs on chips ---------------------------------------------------------------------


def test_a_symbolic_dtype_size_in_the_rule():
    program = "X: bf16[B, D] @ W: w[D, F] -> Z: bf16[B, F]"
    (channel,) = sc.derive(program, "h100", assume="B << D, F", solve_for="B").answer.channels
    assert told(channel.limit_rule) == "B > 9890*w/67"
    (channel,) = sc.derive(program, "h100", assume="B << D, F", solve_for="w").answer.channels
    assert told(channel.limit_rule) == "w < 67*B/9890"


def test_one_unit_works_off_its_dtypes_one_after_the_other():
    chip = sc.chip("C=1e15, W=3e12")
    roof = sc.roofline(sc.parse(TWO_DTYPES), chip)
    assert (roof.t_math - 4 * B * D * F / sc.formula("1e15")).equals(0)
    answer = sc.derive(TWO_DTYPES, chip, solve_for="B").answer
    assert round(float(answer.channels[0].exact_rule.at(D=8192, F=8192).bound), 1) == 269.2
    real = sc.roofline(sc.parse(TWO_DTYPES), sc.chip("h100")).at(B=1024, D=8192, F=8192)
    assert round(float(real.upper) * 1e6, 1) == 286.0


@pytest.mark.parametrize(
    ("chip", "claim", "verdict"),
    [
        # one rate: one C; two rates: each has a name, and C alone is neither
        ("C=1e15, W=3e12", "4*B*D*F/C", "exact"),
        ("C=1e15, W=3e12", "2*B*D*F/C", "wrong"),
        ("h100", "2*B*D*F/C_fp8 + 2*B*D*F/C_bf16", "exact"),
        ("h100", "2*B*D*F/1979e12 + 2*B*D*F/989e12", "exact"),
        ("h100", "4*B*D*F/C_fp8", "wrong"),
    ],
)
def test_a_claimed_time_of_two_dtypes(chip, claim, verdict):
    assert sc.check(claim, TWO_DTYPES, quantity="t_math", chip=chip).verdict == verdict


def test_two_rates_of_a_unit_have_two_names_in_a_derivation():
    said = sc.derive(TWO_DTYPES, "h100").to_text()
    assert "T_math = 2*B*D*F/C_bf16 + 2*B*D*F/C_fp8 " in said
    assert "= 2*C_bf16*C_fp8/(W*(C_bf16 + C_fp8))" in said  # what the mixture attains
    assert "T_math = 4*B*D*F/C " in sc.derive(TWO_DTYPES, "C=1e15, W=3e12").to_text()


def test_the_bottleneck_over_all_units_and_channels():
    chip = sc.chip("C_matmul=197e12, C_vector=1.5e12, W=819e9")
    answer = sc.derive(FUSED, chip, solve_for="D").answer
    by_name = {each.name: each.exact_rule.at(B=512, F=8192) for each in answer.bottlenecks}
    assert set(by_name) == {"matmul", "vector", "hbm"}
    assert round(float(by_name["matmul"].bound)) == 591  # the vector unit binds till there


def test_the_unknown_is_held_in_a_limit():
    (channel,) = sc.derive(MATMUL, "h100", assume="D, F -> oo", solve_for="B").answer.channels
    assert told(channel.limit_rule) == "B > 19780/67 (295.2), smallest integer 296"
    assert not channel.limit_rule.is_related


def test_an_equality_gives_one_rule():
    (channel,) = sc.derive(MATMUL, "h100", assume="F = D", solve_for="B").answer.channels
    assert channel.limit_rule is None
    assert channel.exact_rule.assume == "F = D"


def test_a_rate_may_be_the_unknown():
    (channel,) = sc.derive(MATMUL, "h100", solve_for="W_hbm").answer.channels
    rule = channel.exact_rule.at(B=8192, D=8192, F=8192)
    assert float(rule.bound) == pytest.approx(989e12 * 3 / 8192)


# -- numbers and slips ---------------------------------------------------------------------


def test_a_product_of_powers_is_one_unknown():
    rule = sc.threshold("B*D/(X*D + B) > 100", "B/X")
    assert rule.at(D=200).bound == 200


def test_integers_on_request():
    assert list(sc.integer_set("n*log2(n) > 100", "n", 100, among="pow2")) == [32, 64]
    assert list(sc.integer_set("n > 20", "n", 100, among="divides:96")) == [24, 32, 48, 96]
    assert list(sc.integer_set("n > 5", "n", 10, among="even")) == [6, 8, 10]
    assert sc.integer_set("exp(n) > 100", "n", 9).ranges == ((5, 9),)
    assert sc.integer_set("2^n >= 8", "n", 9).ranges == ((3, 9),)
    assert sc.integer_set("(x - 2)/(x - 2) >= 1", "x", 5).ranges == ((1, 1), (3, 5))
    assert sc.integer_set("floor(x/3)/floor(x/3) >= 1", "x", 5).ranges == ((3, 5),)
    with pytest.raises(UndecidedError, match="the integers depend on a; give numbers for them"):
        sc.integer_set("(x - a)/(x - a) >= 1", "x", 5)


REFUSED = [
    lambda: sc.threshold(B * D / (B + D) > 100, B).contains(-1),
    lambda: sc.threshold(B * D / (B + D) > 100, B).at(D=-1),
    lambda: sc.threshold(B * D / (B + D) > 100, B).at(D=1.5),
    lambda: sc.threshold(B * D / (B + D) > 100, B).at(D=True),
    lambda: sc.threshold(B > D, B).at({"Q": 3}),
    lambda: sc.roofline(MATMUL, 3),
    lambda: sc.threshold(3, B),
    lambda: sc.threshold("B + ", "B"),
    lambda: sc.function(B * D, "B D")(None, 1),
    lambda: sc.function(B * D, "B D")(float("nan"), 1),
    lambda: sc.integer_set("n > 5", "n", 10, among="odd"),
    lambda: sc.function(B * D, "B D")(np.ones(2), np.ones(3)),
    lambda: sc.guarantee("B*D/(B + D) > 100", "B", "B > 3"),
    lambda: sc.prove("B*D/(B + D) < B", timeout=float("nan")),
    lambda: sc.prove("B*D/(B + D) < B", timeout=None),
    lambda: sc.prove("B*D/(B + D) < B", timeout=0),
    lambda: sc.regimes("log2(B) + 2"),
    lambda: sc.limit(B, 3),
    lambda: sc.minimize(B + 1 / B, B, at={"B": 3}),
]


@pytest.mark.parametrize("call", REFUSED)
def test_plausible_slips_are_refused_with_a_message(call):
    with pytest.raises(SymcostError) as caught:
        call()
    assert str(caught.value)


def test_plausible_slips_that_are_understood():
    assert sc.limit(B * D / (B + D), ["B << D"]).value == B
    assert sc.threshold(B * D / (B + D) > 100, B).at(D=np.int64(200)).bound == 200
    assert sc.threshold(Relation(B, ">", D), "B").at("D = 4").bound == 4
    assert sc.threshold(B + D > B, B).is_always  # sympy has decided it
    assert sc.prove("B*D/(B + D) < B", timeout=float("inf")).is_proved
    assert sc.derive(MATMUL, assume=D >= 8).answer.assume == "D >= 8"


def test_several_inequalities_have_a_first_and_a_last_integer():
    found = sc.feasible(["B > 3", "B < 9"], "B")
    assert (found.smallest_integer, found.largest_integer) == (4, 8)
    assert found.contains(8)
    assert not found.contains(9)
    assert sc.feasible(["B > 3", "B > 9"], "B").largest_integer is None


def test_a_rate_has_no_smallest_integer():
    C = sc.rate("C")
    rules = [Relation(C, ">", 2), Relation(C, "<", 5)]
    assert sc.feasible(rules, C).smallest_integer is None
    assert sc.threshold(rules[0], C).smallest_integer is None


def test_functions_beyond_the_range_of_doubles():
    f = sc.function(B * D / (B + D), "B D")
    assert f(10**20, 3) == 3.0
    assert f(1e200, 1e200) == 5e199
    np.testing.assert_allclose(f([Fraction(1, 3)], 3), [0.3])
    single = f(np.array([1e13], np.float32), np.array([1e30], np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, [1e13], rtol=1e-6)
    steps = sc.function(ceiling(log(B) / log(2)), "B")
    assert steps(2**29) == 29
    np.testing.assert_array_equal(steps(2.0 ** np.arange(1, 52)), np.arange(1, 52))


def test_a_threshold_as_a_function_is_nan_where_there_is_none():
    rule = sc.function(sc.threshold(B * D / (B + D) > 100, B), "D")
    np.testing.assert_array_equal(rule(np.array([50.0, 100.0, 200.0])), [np.nan, np.nan, 200])
    for other in (pickle.loads(pickle.dumps(rule)), copy.deepcopy(rule)):
        assert other(300) == 150


def test_a_root_that_does_not_exist_ends():
    root = sc.threshold("B^3 + D*B > F", "B").bound
    started = perf_counter()
    assert math.isnan(float(root.subs({D: 1, F: -1})))
    assert perf_counter() - started < 2


def test_a_root_below_all_that_is_searched_is_not_overlooked():
    """Near exp(-10^6) the sum is zero; a dimension is never so small."""
    with pytest.raises(UndecidedError, match="cannot decide the sign"):
        sc.threshold("log(x) + x + 10^6 > 0", x)
    assert sc.threshold("log(x) + x + 10^6 > 0", "x").is_always
