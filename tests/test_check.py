"""The checker: verdicts, counterexamples, diagnoses, and that right formulas are never refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sympy import Piecewise, Rational, Sum

from strategies import SYMBOLS, posynomials
from symcost.algebra import as_ratio
from symcost.checker import check
from symcost.checker.equality import equal
from symcost.checker.mistakes import MISTAKES
from symcost.checker.rounding import agrees, rounded, rounding
from symcost.checker.values import evaluate
from symcost.errors import InvalidValueError, SymcostError
from symcost.notation.units import read_printed
from symcost.symbols import dims

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
B, D, F = dims("B D F")


def kinds(report):
    return [each.kind for each in report.diagnosis]


@pytest.mark.parametrize(
    ("claim", "quantity", "verdict"),
    [
        ("2BDF", "flops", "exact"),
        ("BDF", "flops", "convention"),
        ("B*F*(2*D - 1)", "flops", "convention"),
        ("2BD + 2DF + 2BF", "bytes", "exact"),
        ("2(BD + DF + BF)", "bytes", "exact"),
        ("2BD + 2DF", "bytes", "wrong"),
        ("BD + DF + BF", "bytes", "wrong"),
        ("2DF", "bytes", "limit"),
        (r"\frac{BDF}{BD + DF + BF}", "intensity", "exact"),
        ("B", "intensity", "limit"),
        ("D", "intensity", "limit"),
        ("2B", "intensity", "wrong"),
        ("BDF/(BD + DF)", "intensity", "wrong"),
    ],
)
def test_verdicts_on_a_matmul(claim, quantity, verdict):
    assert check(claim, MATMUL, quantity=quantity).verdict == verdict


def test_an_intensity_in_the_limit_comes_with_assumption_and_error():
    report = check("B", MATMUL, quantity="intensity")
    assert (report.assume, report.error) == ("B << D, F", B / D + B / F)


def test_a_stated_assumption_is_used():
    found = check("B", MATMUL, quantity="intensity", assume="B << D, F")
    assert found.verdict == "limit"
    assert r"assume: $B \ll D, F$" in found.to_latex()
    assert check("D", MATMUL, quantity="intensity", assume="B << D, F").verdict == "wrong"
    assert check("2BD + 2DF", MATMUL, quantity="bytes", assume="F << D").verdict == "limit"


def test_a_missing_term_is_named_from_the_ledger():
    report = check("2BD + 2BF", MATMUL, quantity="bytes")
    assert report.diagnosis[0].text == "leaves out the read of W, 2*D*F bytes"
    assert report.counterexample is not None
    at = {s: Fraction(int(report.counterexample.values[s.name])) for s in (B, D, F)}
    assert evaluate(report.claimed, at) == report.counterexample.claimed
    assert evaluate(report.expected, at) == report.counterexample.expected


@pytest.mark.parametrize(
    ("claim", "quantity", "kind"),
    [
        ("2BD + 2DF", "bytes", "no-write-back"),
        ("2BF + 2DF", "bytes", "missing-traffic"),
        ("4BD + 2DF + 2BF", "bytes", "doubled-traffic"),
        ("BD + DF + BF", "bytes", "dtype-size"),
        ("BD + 2DF + 2BF", "bytes", "dtype-size"),
        ("4BDF", "bytes", "no-reuse"),
        ("4BDF", "flops", "mac-for-flop"),
        ("2BDD", "flops", "wrong-dimension"),
        ("2BDFL", "flops", "layer-factor"),
        ("2BDFQ", "flops", "stray-symbol"),
        ("2BD", "flops", "missing-symbol"),
        ("2BD^2F", "flops", "wrong-power"),
        ("6BDF", "flops", "training-factor"),
        ("7BDF", "flops", "constant-factor"),
        ("2(B + D + F)", "flops", "sum-for-product"),
        ("(BD + DF + BF)/BDF", "intensity", "inverted-ratio"),
        ("BDF/(BD + DF)", "intensity", "no-write-back"),
    ],
)
def test_the_kind_of_a_slip(claim, quantity, kind):
    assert kind in kinds(check(claim, MATMUL, quantity=quantity))


@pytest.mark.parametrize(
    ("claim", "against", "where", "kind"),
    [
        ("2.02 ms", "flops/C", "flops=1e12, C=989e12", "sparse-for-dense-peak"),
        ("2.22 ms", "V/W", "V=1e9, W=450e9", None),
        ("1.11 ms", "V/W", "V=1e9, W=450e9", "both-directions"),
        ("2.22 us", "V/W", "V=1e9, W=450e9", "unit-prefix"),
        ("17.8 ms", "V/W", "V=1e9, W=450e9", "bits-for-bytes"),
        ("85.9 GB", "n*2^30", "n=80", None),
        ("80 GB", "n*2^30", "n=80", "binary-prefix"),
        ("4PT", "6*P*T", "", "constant-factor"),
        ("8PT", "6*P*T", "", "recompute-factor"),
        ("2PT", "6*P*T", "", "training-factor"),
        ("P*t/(n*86400)", "P*t/n", "", "time-unit"),
        ("ceil(B/8)", "floor(B/8)", "", "rounding-direction"),
        ("T_m + T_c", "max(T_m, T_c)", "", "max-for-other"),
        ("V*(N - 1)/W", "V*N/W", "", "off-by-one"),
        ("V/(N*W)", "V*(N - 1)/(N*W)", "", "missing-factor"),
        ("alpha^2/M", "alpha/M", "", "wrong-power"),
        ("E*F*D", "k*F*D", "", "all-experts"),
        ("4*S*N*d", "4*S*K*d", "", "query-heads-for-kv-heads"),
        ("24*B*T*D*D + 4*B*T*T*D", "24*B*T*D*D + 2*B*T*T*D", "", "causal-mask"),
        ("a/b*c", "a/(b*c)", "", "operator-precedence"),
        ("1.3 ms", "t", "t=1.46e-3", "truncated-digit"),
        ("9.98e14", "C", "C=9.89e14", "digit-slip"),
        ("590", "C/W", "C=989e12, W=3.35e12", "sparse-for-dense-peak"),
        ("V/(W*N)", "V/W", "", "stray-symbol"),
        ("2*V*n/((n - 1)*W)", "2*V*(n - 1)/(n*W)", "", "inverted-ratio"),
        ("2*(S + D)*H", "2*S*D*H", "", "sum-for-product"),
        ("70 GB", "P*b", "P=70e9, b=2", "dtype-size"),
        ("12*L*D^2 + 13*D", "12*L*D^2 + 13*L*D", "", "layer-factor"),
        ("24*B*T*D^2 + 4*B*T*D", "24*B*T*D^2 + 4*B*T^2*D", "", "missing-symbol"),
        ("26.8 TB/s", "W", "W=3.35e12", "bits-for-bytes"),
        ("26.8 Tb/s", "W", "W=3.35e12", None),
        ("7.5 days", "s/86400", "s=648000", "time-unit"),
        ("17 days", "6*N*D/(R*86400)", "N=7e10, D=1.4e12, R=4e17", None),
        ("355 GPU-years", "3.14e23/28e12/(365*24*3600)", "", None),
        ("10 hours", "6*N*D/R/86400", "N=1e9, D=1e11, R=6e16", "arithmetic"),
        ("14 GB", "2*P/1e9", "P=7e9", None),
        ("13 GiB", "2*P/2^30", "P=7e9", None),
        ("8.69 us", "F/C*1e6", "F=8.59e9, C=989e12", None),
        ("2.1M H100-hours", "n*t", "n=16384, t=461426", None),
        ("3.1 million GPU hours", "n*t", "n=16384, t=461426", "arithmetic"),
        ("20x", "1/(1 - p)", "p=0.95", None),
        ("8x faster", "a/b", "a=16, b=2", None),
        ("9x", "a/b", "a=16, b=2", "off-by-one"),
        ("12.3 million dollars", "2*h", "h=6.144e6", None),
        ("239 tok/s", "W/M", "W=3.35e12, M=14e9", None),
        ("67 TFLOP/s", "132*128*2*1.98 GHz", "", None),
        ("0.2122", "rate/C", "rate=420e12, C=989e12", "sparse-for-dense-peak"),
        ("205", "C/W", "C=312e12, W=1.555e12", "stale-number"),
    ],
)
def test_slips_against_a_formula(claim, against, where, kind):
    report = check(claim, against=against, where=where)
    assert report.holds == (kind is None)
    assert kind is None or kind in kinds(report)


@pytest.mark.parametrize(
    ("claim", "verdict", "kind"),
    [
        ("B > 295", "rounded", None),
        ("B >= 296", "limit", None),
        ("295 < B", "rounded", None),
        ("B < 295", "wrong", "flipped-inequality"),
        ("D > 295", "wrong", "other-symbol"),
        ("B > 590", "wrong", "sparse-for-dense-peak"),
        ("B > 148", "wrong", "other-dtype-peak"),
    ],
)
def test_rules(claim, verdict, kind):
    report = check(claim, MATMUL, quantity="threshold", chip="h100", symbol="B", assume="B << D, F")
    assert report.verdict == verdict
    assert kind is None or kind in kinds(report)


def test_a_rule_without_an_answer():
    small = "bf16[B, 512] @ bf16[512, 512] -> bf16[B, 512]"
    assert check("never", small, quantity="threshold", chip="h100", symbol="B").holds
    report = check("B > 295", small, quantity="threshold", chip="h100")
    assert kinds(report) == ["dropped-condition"]


def test_a_rounded_constant_inside_a_formula():
    rule = "B > 295*D*F/(D*F - 295*(D + F)) if D*F > 295*(D + F)"
    assert check(rule, MATMUL, quantity="threshold", chip="h100").verdict == "rounded"
    wrong = "B > 241*D*F/(D*F - 241*(D + F)) if D*F > 241*(D + F)"
    assert check(wrong, MATMUL, quantity="threshold", chip="h100").verdict == "wrong"


def test_times_on_a_chip():
    arguments = {"chip": "h100", "where": "B=64, D=8192, F=8192"}
    assert check("8.69 us", MATMUL, quantity="t_math", **arguments).verdict == "rounded"
    report = check("17.4 us", MATMUL, quantity="t_math", **arguments)
    assert "other-dtype-peak" in kinds(report)
    assert "unit-mismatch" in kinds(check("9 GB", MATMUL, quantity="t_math", **arguments))


def test_numbers_of_a_chip_inside_a_maximum():
    arguments = {"quantity": "t_lower", "chip": "tpu-v5e"}
    assert check("max(2BDF/197e12, 2DF/819e9)", MATMUL, **arguments).verdict == "limit"
    assert kinds(check("max(2BDF/197e12, (2BD + 2DF)/819e9)", MATMUL, **arguments)) == [
        "missing-term"
    ]


def test_chains_are_checked_link_by_link():
    good = check("2BDF/(2BD + 2DF + 2BF) = BDF/(BD + DF + BF) ≈ B")
    assert [link.verdict for link in good.links] == ["exact", "limit"]
    bad = check("2BDF/(2BD + 2DF + 2BF) = 2BDF/(BD + DF + BF) ≈ 2B")
    assert bad.first_gap is bad.links[0]
    assert bad.verdict == "wrong"
    assert check("1e12/9.89e14 = 1.01 ms").holds
    assert "unit-prefix" in kinds(check("1e12/9.89e14 = 1.01 us"))


def test_a_gap_that_nothing_explains_is_said_to_be_one():
    report = check("17*B*D + 3*F", MATMUL, quantity="flops")
    assert report.verdict == "wrong"
    assert report.note == "no known kind of mistake explains the gap"


def test_a_number_needs_values():
    report = check("1.01 ms", against="flops/C", where="C=989e12")
    assert (report.verdict, report.exit_code) == ("undecided", 3)
    assert report.note == "flops has no value: give one with where"


def test_expressions_of_sympy_are_claims():
    assert check(2 * B * D * F, MATMUL, quantity="flops").verdict == "exact"
    assert check(Rational(19780, 67), against="C/W", where="C=989e12, W=3.35e12").holds


@pytest.mark.parametrize("number", [295.2, np.float64(295.2), np.float32(295.2), Decimal("295.2")])
def test_a_number_of_python_or_numpy_has_the_digits_it_prints(number):
    assert check(number, against="C/W", where="C=989e12, W=3.35e12").verdict == "rounded"
    assert (
        check(number + type(number)(1), against="C/W", where="C=989e12, W=3.35e12").exit_code == 1
    )


@pytest.mark.parametrize("right", ["B", "2*B + D", "max(B, D)", "B*D/(B + D)", "log2(B)"])
def test_nothing_is_claimed_of_something(right):
    for claim in (0, "0", "B - B", np.int64(0)):
        report = check(claim, against=right)
        assert (report.verdict, report.diagnosis) == ("wrong", ())


def test_cases_are_no_claim():
    message = "has cases or bounds, which no cost has; write max, min, ceil or floor"
    for cased in (Piecewise((B, B > D), (D, True)), Sum(B, (B, 1, D))):
        with pytest.raises(InvalidValueError, match=message):
            check(cased, against="max(B, D)")
        with pytest.raises(InvalidValueError, match=message):
            check("B", against=cased)


def test_the_error_of_a_limit_is_printed_as_limit_prints_it():
    from symcost.analysis.limit import limit

    lines = str(check("2DF", MATMUL, quantity="bytes", assume="B << D, F")).splitlines()
    assert "  relative error: -(B*D + B*F)/(B*D + B*F + D*F)" in lines
    assert lines[-2][18:] in repr(limit("2*B*D + 2*D*F + 2*B*F", "B << D, F"))


def test_the_quantity_is_found_from_the_unit():
    arguments = {"chip": "h100", "where": "B=64, D=8192, F=8192"}
    assert check("8.59 GFLOPs", MATMUL, **arguments).quantity == "flops"
    assert check("B > 295", MATMUL, chip="h100").quantity == "threshold"


def test_data():
    data = check("2BD + 2DF", MATMUL, quantity="bytes").to_dict()
    assert data["verdict"] == "wrong"
    assert data["expected"] == "2*B*D + 2*B*F + 2*D*F"
    assert data["diagnosis"][0]["kind"] == "no-write-back"
    assert set(data["counterexample"]) == {"values", "claimed", "expected"}


@pytest.mark.parametrize(
    "claim",
    [
        "",
        "__import__('os').system('ls')",
        "2BD +",
        "B << D",
        "= 3",
        "x >> about 3",
        "x => ≈ = 3",
        "nan",
        "inf",
        "1/0",
        "(" * 10_000,
        "B" * 1_000_000,
        "9**9**9**9",
        "B > ",
        "\x00",
    ],
)
def test_bad_claims_are_one_error(claim):
    with pytest.raises(SymcostError):
        check(claim, MATMUL, quantity="flops")


def test_nothing_to_compare_with():
    with pytest.raises(InvalidValueError, match="there is nothing to compare the claim with"):
        check("2BD")
    with pytest.raises(InvalidValueError, match="both a program and a formula"):
        check("2BD", MATMUL, against="2BD")
    with pytest.raises(InvalidValueError, match="unknown quantity 'size'"):
        check("2BD", MATMUL, quantity="size")


@pytest.mark.parametrize("kind", list(MISTAKES))
def test_every_kind_has_a_sentence_and_an_example_that_shows_it(kind):
    entry = MISTAKES[kind]
    assert 1 <= entry.specific <= 9
    assert entry.says
    assert entry.example is not None
    each = entry.example
    report = check(
        each.claim,
        each.of or None,
        against=each.against or None,
        quantity=each.quantity,
        chip=each.chip,
        channel=each.channel,
        symbol=each.symbol,
        where=each.where or None,
    )
    found = report.links[0] if report.links else report
    assert kind in kinds(found), report


# -- properties ---------------------------------------------------------------------------


@given(posynomials())
def test_every_formula_is_exact_against_itself(value):
    assert check(value.to_sympy(), against=2 * value.to_sympy() / 2).verdict == "exact"


@given(posynomials(), posynomials())
def test_formulas_that_differ_are_never_exact(one, other):
    assume(as_ratio(one) != as_ratio(other))
    report = check(one.to_sympy(), against=other.to_sympy())
    assert report.verdict != "exact"
    if report.verdict == "wrong":
        point = report.counterexample
        values = {s: Fraction(int(point.values[s.name])) for s in SYMBOLS if s.name in point.values}
        assert evaluate(one.to_sympy(), values) != evaluate(other.to_sympy(), values)


@given(posynomials(max_terms=3), posynomials(max_terms=3))
def test_a_limit_that_is_found_is_the_limit(one, other):
    from symcost.analysis.limit import limit

    value = (one / 1).to_sympy() / (other / 1).to_sympy()
    lead = next(iter(one)).to_sympy() / next(iter(other)).to_sympy()
    report = check(lead, against=value)
    if report.verdict == "limit":
        found = limit(value, report.assume).value
        near = lead.is_number and abs(found / lead - 1) <= Rational(3, 100)  # a printed number
        assert near or equal(found, lead)


@given(st.fractions(min_value=Fraction(1, 1000), max_value=10**6), st.integers(2, 6))
def test_rounded_and_cut_digits_agree(value, digits):
    for down in (False, True):
        near = rounded(value, digits, down)
        text = f"{float(near):.{digits - 1}e}"
        assert agrees(read_printed(text), value) or (down and value - near > value * 3 / 100)


@pytest.mark.parametrize(
    ("text", "value", "how"),
    [
        ("12300", "12350", "places"),  # half way, either side
        ("12300", "12250", "places"),
        ("12300", "12351", None),
        ("12300", "12249", None),
        ("12.3", "12.35", "half"),
        ("12.3", "12.25", "half"),
        ("12.3", "12.36", "cut"),
        ("12.3", "12.24", None),
        ("12.3", "12.4", None),
    ],
)
def test_half_a_digit_either_way_is_rounded(text, value, how):
    assert rounding(read_printed(text), Fraction(value)) == how


@given(st.sampled_from(["sparse", "two", "milli", "flip"]), st.integers(2, 400), st.integers(2, 90))
def test_planted_slips_are_named(slip, flops, rate):
    where = {"flops": flops * 10**10, "C": rate * 10**13}
    right = Fraction(where["flops"], where["C"])
    planted = {"sparse": right / 2, "two": right * 2, "milli": right * 1000, "flip": 1 / right}
    wanted = {
        "sparse": "sparse-for-dense-peak",
        "two": "factor-2",
        "milli": "power-of-ten",
        "flip": "inverted-ratio",
    }
    claim = f"{float(planted[slip]):.5e}"
    report = check(claim, against="flops/C", where=where)
    assume(not report.holds)
    assert wanted[slip] in kinds(report)


def test_the_error_is_that_of_the_claim():
    report = check("B > 240", MATMUL, quantity="threshold", chip="tpu-v5e", symbol="B")
    exact = 197000 * D * F / (819 * D * F - 197000 * D - 197000 * F)
    assert report.verdict == "limit"
    assert as_ratio(report.error) == as_ratio(240 / exact) - as_ratio(1)


def test_a_rounded_bound_under_an_assumption():
    report = check(
        "B > 300", MATMUL, quantity="threshold", chip="h100", symbol="B", assume="B << D, F"
    )
    assert (report.verdict, report.error) == ("rounded", Rational(16, 989))


def test_no_causal_mask_without_a_softmax():
    text = "X: bf16[S, D] @ W: bf16[D, T] -> Z: bf16[S, T]"
    found = kinds(check("4*S*T*D", text, quantity="flops"))
    assert found.index("mac-for-flop") < found.index("factor-2") < found.index("causal-mask")


def test_a_flipped_inequality_has_a_counterexample():
    report = check("B < 240", MATMUL, quantity="threshold", chip="tpu-v5e", symbol="B")
    assert report.verdict == "wrong"
    point = {s.name: Fraction(int(report.counterexample.values[s.name])) for s in (B, D, F)}
    held = evaluate(B * D * F / (B * D + D * F + B * F), {s: point[s.name] for s in (B, D, F)})
    assert bool(report.counterexample.claimed) == (point["B"] < 240)
    assert bool(report.counterexample.expected) == (held > Fraction(197000, 819))
    assert bool(report.counterexample.claimed) != bool(report.counterexample.expected)
