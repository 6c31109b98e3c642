"""Diagnoses: the kind fits what is counted, says what is true, and comes first."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import posynomials
from symcost.checker import check
from symcost.checker.mistakes.catalogue import is_known_link, is_known_memory
from symcost.notation.kinds import role

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
MIXED = "X: bf16[B, D] @ W: int8[D, F] -> Z: bf16[B, F]"
GATED = """G: bf16[B, F] = X: bf16[B, D] @ W1: bf16[D, F]; U: bf16[B, F] = X @ W2: bf16[D, F]
H = mul(G, U); Y: bf16[B, D] = H @ W3: bf16[F, D]"""
LAYERS = """repeat L { H: bf16[B, F] = X: bf16[B, D] @ W1: bf16[D, F]; G = gelu(H)
Y: bf16[B, D] = G @ W2: bf16[F, D] }"""
MLP = """H: bf16[B, F] = X: bf16[B, D] @ W1: bf16[D, F]; G = gelu(H)
Y: bf16[B, D] = G @ W2: bf16[F, D]"""
MLP2 = MLP.replace("Y: bf16[B, D]", "Y: bf16[B, E]").replace("W2: bf16[F, D]", "W2: bf16[F, E]")
GATHER = "E = gather(V: bf16[vocab, D], ids: int32[B, T], axis=vocab)"
SIZES = "B=1024, D=8192, F=8192"


def kinds(report):
    return [each.kind for each in report.diagnosis]


def against(claim, formula, where="", symbol=None):
    return check(claim, against=formula, where=where, symbol=symbol)


# -- what is counted ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "formula", "where", "first", "never"),
    [
        ("NHWKCRS", "2*N*H*W*K*C*R*S", "", "mac-for-flop", "sparse-for-dense-peak both-directions"),
        ("115.6e6", "2*H*W*K*C*9", "H=56, W=56, K=64, C=64", "mac-for-flop", "both-directions"),
        ("76.5", "C/W", "C=312e12, W=2.039e12", None, "mac-for-flop dtype-size both-directions"),
        ("1.11 ms", "V/W", "V=1e9, W=450e9", "both-directions", "mac-for-flop"),
        ("6P", "3*P", "", "factor-2", "both-directions all-reduce-passes"),
        ("12P", "16*P", "", "constant-factor", "recompute-factor write-allocate"),
        ("12", "3*B", "B=3", "off-by-one", "write-allocate recompute-factor"),
        ("4BD", "B*D", "", "constant-factor", "sum-for-overlap"),
        ("3*b*N", "2*b*N", "", "write-allocate", "recompute-factor"),
        ("8ND", "6*N*D", "", "recompute-factor", "write-allocate"),
        ("900 GB/s", "n*w", "n=18, w=25e9", "both-directions", "mac-for-flop"),
        ("16 devices", "M/m", "M=640e9, m=80e9", "factor-2", "mac-for-flop dtype-size"),
        ("320 MB", "327680", "", "unit-prefix", ""),
        ("1.074 GiB", "1e9 B", "", "binary-prefix", ""),
        ("1.1 TiB", "1 TB", "", "binary-prefix", "truncated-digit"),
        ("54.7 GB/s", "V/t", "n=8, V=1e9, t=32e-3", "all-reduce-passes", "digit-slip"),
        ("2.5 MB", "4*L*K*d", "L=80, K=8, d=128, H=64", "query-heads-for-kv-heads", ""),
        ("1.25 MB", "4*L*K*d", "L=80, K=8, d=128, H=64", None, "digit-slip"),
        ("17.5 GB", "2*P", "P=70e9, N=8", "scope", "mac-for-flop"),
        ("70 GB", "2*P", "P=70e9", "dtype-size", "mac-for-flop"),
        ("156", "C/W", "C=989e12, W=3.35e12", "other-chip", ""),
        ("240", "C/W", "C=989e12, W=3.35e12", "other-chip", ""),
        ("46.9 GB/s", "2*(n-1)/n*V/t", "n=8, V=1e9, t=32e-3", "off-by-one", "doubled-term"),
        ("3", "2", "", None, "stale-number arithmetic"),
        ("5 GB/h", "V", "V=2e6", "stale-number", ""),
    ],
)
def test_a_kind_fits_what_is_counted(claim, formula, where, first, never):
    found = kinds(against(claim, formula, where))
    assert first is None or found[0] == first
    assert not set(never.split()) & set(found)


@pytest.mark.parametrize(("claim", "other"), [("T > 8D", "T > 6D"), ("B > 200", "B > 300")])
def test_a_factor_between_two_rules_is_no_recomputation(claim, other):
    symbol = claim[0]
    found = kinds(against(claim, other, symbol=symbol))
    assert not {"recompute-factor", "write-allocate"} & set(found)


def test_the_traffic_of_one_chip_is_no_all_reduce():
    found = kinds(check("(BD + DF + BF)/W", MATMUL, quantity="t_comms", chip="C, W"))
    assert found[0] == "dtype-size"
    assert not {"all-reduce-passes", "both-directions"} & set(found)


def test_a_sparse_peak_comes_before_a_dtype_of_the_same_rate():
    arguments = {"quantity": "threshold", "chip": "a100", "symbol": "B"}
    assert kinds(check("B > 306", MATMUL, **arguments))[0] == "sparse-for-dense-peak"


def test_a_weight_taken_for_another_dtype():
    report = check("B > 240", MIXED, quantity="threshold", chip="v5e", symbol="B")
    assert kinds(report)[0] == "dtype-size"
    assert "takes W to have 2 times" in report.diagnosis[0].text
    report = check("2BD + 2DF + 2BF", MIXED, quantity="bytes")
    assert report.diagnosis[0].text == "takes 2 bytes per value for W, which has 1"
    report = check("BD + DF + BF", MIXED, quantity="bytes")
    assert report.diagnosis[0].text == "takes 1 byte per value for every tensor; they differ"


def test_figures_of_chips_tell_memories_from_links():
    assert is_known_memory(Fraction(3_350 * 10**9))
    assert not is_known_link(Fraction(3_350 * 10**9))
    assert is_known_link(Fraction(450 * 10**9))


def test_the_ridge_of_another_chip():
    found = against("153", "C/W", "C=989e12, W=3.35e12").diagnosis[0]
    assert (found.kind, found.evidence[:4]) == ("other-chip", "A100")


# -- terms --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "formula", "kind"),
    [
        ("6N + 6LHQT", "6N + 12*L*H*Q*T", "causal-mask"),
        ("6N + 12LTD", "6N + 6*L*T*D", "causal-mask"),
        ("24BTD^2 + 4BT^2*D", "24*B*T*D^2 + 2*B*T^2*D", "causal-mask"),
        ("S(n - 1)/(n t)", "2*S*(n - 1)/(n*t)", "all-reduce-passes"),
        ("S/t", "2*S*(n - 1)/(n*t)", "missing-factor"),
        ("(n - 1)/n", "2*(n - 1)/n", "all-reduce-passes"),
        ("(n-1)a + (n-1)/n S/W", "(n-1)*a + 2*(n-1)/n*S/W", "all-reduce-passes"),
        ("F/C - V/W", "F/C + V/W", "wrong-sign"),
        ("(1 - a^2)/(1 + a)", "(1 - a^2)/(1 - b)", None),
        ("2(n+1)/n", "2*(n-1)/n", "wrong-sign"),
        ("s b (1 + h/(6s))", "s*b*(1 + s/(6*h))", "inverted-ratio"),
        ("1/(1 - p + p s)", "1/(1 - p + p/s)", "inverted-ratio"),
        ("1/(p + (1-p)/s)", "1/(1 - p + p/s)", "complement"),
        ("96Bl(1 + s/(6h) + V/(16l))", "72*B*l*(1 + s/(6*h) + V/(12*l))", "recompute-factor"),
        ("16P/N", "4P + 12*P/N", "scope"),
        ("4P + 12P", "4P + 12*P/N", "scope"),
        ("4P + 12P/N", "16*P/N", "scope"),
        ("L d_c d_R b", "L*(d_c + d_R)*b", "sum-for-product"),
        ("max(F/C, V/W)", "F/C + V/W", "max-for-other"),
        ("max(F/C, V/W)", "max(2*F/C, V/W)", "mac-for-flop"),
        ("sqrt(a b)", "sqrt(a + b)", "sum-for-product"),
        ("5N", "5*N*log2(N)", "missing-factor"),
        ("5N log(N)", "5*N*log2(N)", "log-base"),
        ("5N^2", "5*N*log2(N)", "log-for-count"),
        ("2(n-1)(a + S/W)", "2*log2(n)*(a + S/W)", "log-for-count"),
        ("(1 - a^g)/(1 - a)", "(1 - a^(g + 1))/(1 - a)", "off-by-one"),
    ],
)
def test_a_slip_in_one_term(claim, formula, kind):
    found = kinds(against(claim, formula))
    assert kind is None or found[0] == kind


@pytest.mark.parametrize(
    ("claim", "program", "quantity", "kind", "text"),
    [
        ("3BDF", GATED, "flops", "mac-for-flop", "and leaves out the small terms B*F"),
        ("18BDF", GATED, "flops", "training-factor", "and leaves out the small terms B*F"),
        ("4BDF", GATED, "flops", "missing-term", "and the small terms B*F"),
        ("2BDF", GATED, "flops", "missing-term", "leaves out the cost of"),
        ("4BDF", LAYERS, "flops", "layer-factor", "and leaves out the small terms 5*B*F*L"),
        ("BDF + BFE + 5BF", MLP2, "flops", "mac-for-flop", "of the matmuls"),
        ("2BDF + 5BF", MLP, "flops", "missing-term", "leaves out the cost of"),
        ("4BD + 4DF + 4BF", MLP, "bytes", "missing-traffic", "leaves out the write and the reads"),
        ("2*vocab*D + 4BT + 2BTD", GATHER, "bytes", "extra-traffic", "reads the whole table V"),
    ],
)
def test_whole_operations_and_small_terms(claim, program, quantity, kind, text):
    first = check(claim, program, quantity=quantity).diagnosis[0]
    assert first.kind == kind
    assert text in first.text


def test_two_mistakes_at_once():
    report = against("24BTD^2", "24*B*T*D^2*L + 4*B*T^2*D*L")
    assert kinds(report) == ["layer-factor"]
    assert "leaves out the term 4*B*D*L*T**2" in report.diagnosis[0].text


def test_a_time_over_the_wrong_resource():
    for claim, quantity in (("2BDF/W", "t_comms"), ("(2BD + 2DF + 2BF)/W", "t_math")):
        assert kinds(check(claim, MATMUL, quantity=quantity, chip="C, W"))[0] == "wrong-resource"
    report = check("50.1 us", MATMUL, quantity="t_math", chip="h100", where=SIZES)
    assert kinds(report)[0] == "wrong-resource"


def test_missing_traffic_comes_before_a_limit():
    report = check("45.1 us", MATMUL, quantity="t_comms", chip="h100", where=SIZES)
    assert kinds(report)[:2] == ["no-write-back", "missing-traffic"]
    assert kinds(check("151 MB", MATMUL, quantity="bytes", where=SIZES))[0] == "no-write-back"


# -- what is said is true -----------------------------------------------------------------


def test_no_replacement_is_named_that_does_not_give_the_claim():
    assert against("a + b", "sqrt(a^2 + b^2)").diagnosis == ()
    first = against("1/((1-p) + p s)", "1/((1-p) + p/s)").diagnosis[0]
    assert "multiplies by s where it must be divided" in first.text


def test_a_constant_may_be_rounded():
    where = "C=989e12, W=4.5e11"
    assert "factor-2" in kinds(against("F > 1099 n", "F > n*C/W", where, "F"))
    assert kinds(against("n < 4396 F", "n < F/4396", symbol="n"))[0] == "inverted-ratio"
    assert kinds(against("n < 2198 F", "n < F*W/C", where, "n"))[0] == "inverted-ratio"


@pytest.mark.parametrize(
    ("claim", "formula", "where", "evidence"),
    [
        ("20 GB", "16*P/N", "P=7.5e9, N=64", "N = 6"),
        ("1.25 GiB", "2*L*K*H*2*S", "L=80, K=8, H=128, S=8192", "H = 64"),
        ("55 layers", "P/d", "P=180, d=3", None),
    ],
)
def test_another_input_is_a_plausible_one(claim, formula, where, evidence):
    found = {each.kind: each.evidence for each in against(claim, formula, where).diagnosis}
    assert evidence is None or found["stale-number"] == evidence
    value = found.get("stale-number", "x = 1").split(" = ")[1]
    assert Fraction(value) >= 1


@given(st.integers(2, 500), st.integers(2, 40), st.integers(2, 40))
def test_a_stale_number_reproduces_the_claim(claim, n, m):
    found = against(str(claim), "n*m*3", {"n": n, "m": m})
    for each in found.diagnosis:
        if each.kind == "stale-number" and " = " in each.evidence:
            name, value = each.evidence.split(" = ")
            other = m if name == "n" else n
            assert abs(Fraction(value) * other * 3 / claim - 1) <= Fraction(3, 100)


@given(posynomials(max_terms=3), posynomials(max_terms=3))
def test_a_diagnosis_never_fails_and_never_repeats_a_kind(one, other):
    found = kinds(check(one.to_sympy(), against=other.to_sympy()))
    assert len(found) == len(set(found)) <= 4


# -- words --------------------------------------------------------------------------------


def test_names_of_configuration_files():
    for name in ("n_h", "num_heads", "num_attention_heads"):
        assert role(name) == "query heads"
        found = against(f"2*L*{name}*d", "2*L*num_key_value_heads*d")
        assert kinds(found)[0] == "query-heads-for-kv-heads"
    assert (role("head_dim"), role("d_model")) == ("", "")
    assert (
        kinds(against("6*T*num_local_experts*D", "6*T*num_experts_per_tok*D"))[0] == "all-experts"
    )


def test_words():
    texts = [each.text for each in against("6N + 3LD", "6N + 6*L*D").diagnosis]
    assert any(text.endswith("is half of what it should be") for text in texts)
    report = against("5*P*Q", "4*P*Q")
    assert kinds(report) == ["constant-factor"]
    assert report.note == ""
    assert kinds(against("81920*B", "B*D")) == []
    small = "bf16[B, 512] @ bf16[512, 512] -> bf16[B, 512]"
    assert "Threshold" not in str(check("B > 295", small, quantity="threshold", chip="h100"))


def test_a_diagnosis_is_quick():
    start = time.perf_counter()
    against("72Bslh^2(1 + s/(6h) + V/(16lh))", "96*B*s*l*h^2 + 16*B*l*s^2*h + 6*B*s*h*V")
    assert time.perf_counter() - start < 3


@pytest.mark.parametrize(
    ("claim", "formula", "quantity", "kind", "text"),
    [
        ("65*128*256 = 2097152", "", None, "stale-number", "the number follows from 64 for 65"),
        ("2^3*5 = 41", "", None, "arithmetic", "the inputs give 40"),
        (
            "2*B*D + 2*D*F + 2*B*F/W",
            "(2*B*D + 2*D*F + 2*B*F)/W",
            None,
            "operator-precedence",
            "only 2*B*F has the factor 1/W; (2*B*D + 2*B*F + 2*D*F) is meant",
        ),
        (
            "D/2*(D/2 - 1)/2",
            "D/2*(D/2 + 1)/2",
            None,
            "off-by-one",
            "D/2 - 1 in place of D/2 + 1: pairs with themselves, or without",
        ),
        (
            "V*N/(Y*W)",
            "V*D/(max(D, Y)*W)",
            None,
            "wrong-dimension",
            "N stands where D belongs; and takes only Y of Max(D, Y)",
        ),
    ],
)
def test_literals_are_inputs_and_brackets_are_lost(claim, formula, quantity, kind, text):
    report = check(claim, against=formula or None, quantity=quantity)
    found = (report.links[0] if report.links else report).diagnosis[0]
    assert (found.kind, found.text) == (kind, text)


@pytest.mark.parametrize(
    ("claim", "formula", "where", "quantity", "kind"),
    [
        ("NHWK", "2*N*H*W*K", "", None, "mac-for-flop"),
        ("85.9 GB", "n*10^9", "n=80", "bytes", "binary-prefix"),
        ("4*B*T^2*D", "2*B*T^2*D", "", None, "causal-mask"),
        ("3*b*N", "2*b*N", "", None, "write-allocate"),
        ("0.25", "6/16", "", "intensity", "write-allocate"),
        ("0.1875", "6/16", "", "intensity", "no-reuse"),
    ],
)
def test_conventions_come_before_wrong(claim, formula, where, quantity, kind):
    report = check(claim, against=formula, where=where, quantity=quantity)
    assert (report.verdict, report.exit_code) == ("convention", 1)
    assert report.diagnosis[0].kind == kind
