"""The verdict itself: nothing wrong is accepted, nothing right refused; kinds are tested apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symcost.checker import check
from symcost.errors import InvalidValueError, SymcostError, UndecidedError

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
SPLIT = "mesh X=4; A: bf16[B_X, D] @ W: bf16[D, F] -> C: bf16[B_X, F]"

GATED = """
X: bf16[B, D] @ U: bf16[D, F] -> H: bf16[B, F]
X @ V: bf16[D, F] -> G: bf16[B, F]
M = G * H
M @ O: bf16[F, D] -> Y: bf16[B, D]
"""


@pytest.mark.parametrize(
    ("claim", "against"),
    [
        ("B", "min(B, 512)"),
        ("2BDF/C", "max(2*B*D*F/C, 2*D*F/W)"),
        ("BDF", "max(BDF, D + F)"),
        ("B*D", "min(B*D, 1000000)"),
        ("1", "max(1, B/240)"),
        ("D", "ceil(B/1024)*D"),
        ("max(a, b)", "max(a, b, c/1000000)"),
        ("floor(B/4096)", "0"),
    ],
)
def test_a_branch_is_not_the_whole(claim, against):
    report = check(claim, against=against)
    assert report.verdict == "wrong"
    assert report.counterexample is not None


@pytest.mark.parametrize(
    ("claim", "against"),
    [
        ("max(2*B, 2*D)", "2*max(B, D)"),
        ("B + D", "max(B, D) + min(B, D)"),
        ("B*D", "max(B, D)*min(B, D)"),
        ("max(a, max(b, c))", "max(max(a, b), c)"),
        ("ceil(B)", "B"),
        # of whole numbers p and q, ceil(p/q) is floor((p + q - 1)/q)
        ("ceil(N/128)", "floor((N + 127)/128)"),
        ("128*ceil(N/128)", "128*floor((N - 1)/128) + 128"),
        ("ceil(N*M/(K*L))", "floor((N*M + K*L - 1)/(K*L))"),
        ("floor(B/8) + 1", "ceil((B + 1)/8)"),
        ("2 TB", "2*T*B"),
        ("72Bslh^2 + 12Bls^2h", "72*B*s*l*h^2 + 12*B*l*s^2*h"),
        ("6ND FLOPs", "6*N*D"),
    ],
)
def test_what_is_equal_is_exact(claim, against):
    assert check(claim, against=against).verdict == "exact"


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_roundings_are_equal_only_where_every_size_says_so(a, q, shift, other):
    """One step against another that is shifted, at every size up to a common period of both."""
    claim, against = f"ceil(({a}*n + {shift + 9})/{q})", f"floor(({a}*n + {other + 9})/{q})"
    right = all(
        -(-(a * n + shift + 9) // q) == (a * n + other + 9) // q for n in range(1, 2 * q + 1)
    )
    verdict = check(claim, against=against).verdict
    assert verdict in (["exact"] if right else ["wrong", "limit", "rounded"])


def test_a_rounding_is_tried_where_it_steps():
    report = check("ceil(N/128)", against="floor((N + 128)/128)")  # they differ at multiples only
    assert (report.verdict, str(report.counterexample)) == (
        "wrong",
        "at N = 128: claimed 1, expected 2",
    )


@pytest.mark.parametrize(
    ("claim", "of", "against", "quantity", "where"),
    [
        ("B", MATMUL, None, "intensity", "B=4096, D=4096, F=4096"),
        ("2DF", MATMUL, None, "bytes", "B=4096, D=4096, F=4096"),
        ("2 S/W", None, "2*(n - 1)/n*S/W", None, "n=2"),
        ("p/m", None, "(p - 1)/m", None, "p=4"),
        ("1200", None, "x", None, "x=1299"),
        ("2.95", None, "(1 - a**(g + 1))/(1 - a)", None, "a=0.8, g=4"),
    ],
)
def test_sizes_outside_a_limit_and_cut_zeros_are_wrong(claim, of, against, quantity, where):
    report = check(claim, of, against=against, quantity=quantity, where=where)
    assert report.verdict == "wrong"


KIB = "powers of 1024 in place of 1000: KiB, MiB or GiB are meant"


@pytest.mark.parametrize(
    ("claim", "of", "against", "quantity", "where", "verdict"),
    [
        ("160 MB", MATMUL, None, "bytes", "B=1024, D=8192, F=8192", "convention"),
        ("320 KB", None, "2*L*n_kv*d*b", None, "L=80, n_kv=8, d=128, b=2", "convention"),
        ("2*L*H*d*2 bytes = 320 KB", None, None, None, "L=80, H=8, d=128", "convention"),
        ("65536 bytes = 64 KB", None, None, None, None, "convention"),
        ("16 GiB = 16 GB", None, None, None, None, "convention"),
        ("1 GiB = 1 GB", None, None, None, None, "rounded"),
        ("160 kB", None, "163840", None, None, "rounded"),
    ],
)
def test_powers_of_1024_are_a_convention_that_a_note_tells(
    claim, of, against, quantity, where, verdict
):
    report = check(claim, of, against=against, quantity=quantity, where=where)
    assert report.verdict == verdict
    assert (report.links or (report,))[0].note == KIB
    assert f"  note: {KIB}" in str(report).splitlines()


@pytest.mark.parametrize(
    ("claim", "verdict", "note"),
    [
        ("128K = 131072", "convention", "a k is 1024 here, not 1000"),  # a length in tokens
        ("32k*2 = 65536", "convention", "a k is 1024 here, not 1000"),
        ("6 * 7B = 42e9 tokens", "exact", ""),
        ("32k*2 = 64000", "exact", ""),
        ("32k*2 = 65537", "wrong", ""),
    ],
)
def test_a_k_of_1024_is_a_convention(claim, verdict, note):
    report = check(claim)
    assert (report.verdict, report.links[0].note) == (verdict, note)


def test_a_chip_gives_a_chain_its_figures():
    assert check("C/W = 295", chip="h100").verdict == "rounded"
    assert check("C/W = 340", chip="h100").verdict == "wrong"
    assert check("C/W = 295", chip="h100", where="W=3e12").verdict == "wrong"


def test_putting_numbers_in_is_judged_apart_from_their_arithmetic():
    for claim in ("6*N*D = 6*70e9*15e12 = 6.3e24", "6*70e9*15e12 = 6*N*D"):
        report = check(claim)
        note = "the insertion could not be checked: D, N have no value"
        assert (report.verdict, report.links[0].note) == ("undecided", note)
    assert check("6*N*D = 6*70e9*15e12 = 6.3e24", where="N=70e9, D=15e12").verdict == "exact"
    assert check("6*N*D = 6*70e9*15e12 = 6.4e24").verdict == "wrong"
    assert check("6*N*D = 6*70e9*15e12 = 6.3e24", where="N=7e9, D=15e12").verdict == "wrong"


@pytest.mark.parametrize(
    ("claim", "quantity"),
    [
        ("2BDF", "FLOPs"),
        ("2BDF/C", "T_math"),
        ("max(2BDF/C, (2BD + 2DF + 2BF)/W)", "T_lower"),
        ("max(2BDF/C, 2DF/W)", "T_lower"),
        ("2BDF/C + (2BD + 2DF + 2BF)/W", "T_upper"),
        ("40.7 us", "t_lower"),
    ],
)
def test_every_quantity_that_is_derived_in_any_case(claim, quantity):
    number = {"chip": "h100", "where": "B=64, D=8192, F=8192"} if "us" in claim else {}
    assert check(claim, MATMUL, quantity=quantity, **number).holds


@pytest.mark.parametrize(
    ("claim", "of", "quantity", "where"),
    [
        ("B", MATMUL, "intensity", "B=64, D=8192, F=8192"),
        ("167 MB", MATMUL, "bytes", "B=1024, D=8192, F=8192"),
        ("170 MB", MATMUL, "bytes", "B=1024, D=8192, F=8192"),
        ("6BDF", GATED, "flops", None),
        ("2BDF/X", SPLIT, "flops", None),
        ("2BDF/4", SPLIT, "flops", None),
    ],
)
def test_right_claims_hold(claim, of, quantity, where):
    assert check(claim, of, quantity=quantity, where=where).holds


def test_a_cut_digit_is_noted():
    assert check("2/3 = 0.67").links[0].note == ""
    assert check("2/3 = 0.66").links[0].note == "its last digit is cut, not rounded"


def test_the_cost_of_nothing_is_nothing():
    program = "E = gather(V: bf16[vocab, D], ids: int32[B, T], axis=vocab)"
    assert check("2BTVD", program, quantity="flops").verdict == "wrong"
    assert check("0", program, quantity="flops").verdict == "exact"


@pytest.mark.parametrize(
    ("claim", "where", "verdict"),
    [
        ("B > 2*120 = 240", None, "exact"),
        ("B > 2*120 = 250", None, "wrong"),
        ("B > C/W = 340", "C=1.97e14, W=8.2e11", "wrong"),
        ("B > C/W = 240", "C=1.97e14, W=8.2e11", "rounded"),
        ("2 + 2 = 4 < 5", None, "exact"),
        ("2 + 2 = 4 < 3", None, "wrong"),
        ("140 GB / (3.35 TB/s) = 41.8 ms", None, "rounded"),
        ("140 GB / (3.35 TB/s) = 41.8 us", None, "wrong"),
        (r"\frac{140\ \mathrm{GB}}{3.35\ \mathrm{TB/s}} = 41.8\ \mathrm{ms}", None, "rounded"),
        ("70e9 * 2 bytes = 140 GB", None, "exact"),
        ("16 * 7B = 112 GB", None, "exact"),
        ("6 * 175B params * 300B tokens = 3.15e23", None, "exact"),
        ("2B = 10", None, "undecided"),
        ("32 * 201M = 6.4B", None, "rounded"),
        ("12 * 4096^2 = 201M", None, "rounded"),
        ("32 * 201M = 7.4B", None, "wrong"),
        ("2 kB/W = 3", None, "undecided"),
        ("C/W = 240", None, "undecided"),
    ],
)
def test_chains_by_themselves(claim, where, verdict):
    assert check(claim, where=where).verdict == verdict


def test_a_bound_and_what_follows_it_are_both_checked():
    arguments = {"quantity": "threshold", "chip": "h100-sxm", "where": "C=989e12, W=3.35e12"}
    assert check("B > C/W = 295", MATMUL, **arguments).verdict == "limit"
    assert check("B > C/W = 395", MATMUL, **arguments).verdict == "wrong"
    with pytest.raises(InvalidValueError, match="a claim has at most one inequality"):
        check("B > D > 5", against="B > 5")


@pytest.mark.parametrize(
    ("claim", "where", "verdict"),
    [
        ("B >= 296", None, "limit"),
        ("≥ 296", None, "limit"),
        ("296", None, "limit"),
        ("B = 297", None, "wrong"),
        ("B >= 297", None, "wrong"),
        ("B >= 319", "D=8192, F=8192", "exact"),
        ("B >= 318", "D=8192, F=8192", "rounded"),
        ("B >= 321", "D=8192, F=8192", "wrong"),
    ],
)
def test_the_smallest_integer(claim, where, verdict):
    found = check(claim, MATMUL, quantity="threshold", chip="h100-sxm", symbol="B", where=where)
    assert found.verdict == verdict


def test_an_integer_that_is_too_small_is_noted():
    assert (
        check("B >= 318", against="B > 318.2").note == "318 itself is too small: the first is 319"
    )
    assert check("B >= 319", against="B > 318.2").verdict == "exact"
    assert check("B >= 321", against="B > 320.6").note == ""


@pytest.mark.parametrize(
    ("claim", "against", "verdict", "where"),
    [
        ("B > 100*D/(D-100)", "B*D/(B+D) > 100", "wrong", None),
        ("B > 100*D/(D-100)", "B*D/(B+D) > 100", "exact", "D=4096"),
        ("B > 100*D/(D-100) if D > 100; otherwise never", "B*D/(B+D) > 100", "exact", None),
        (r"B > 100*D/(D-100) \text{ if } 100 < D", "B*D/(B+D) > 100", "exact", None),
        ("B*D > 100*(B+D)", "B*D/(B+D) > 100", "exact", None),
        ("B > D if D > 3", "B > D", "wrong", None),
        ("x >= 3", "x > 3", "border", None),
        ("x > 3", "x >= 3", "border", None),
        ("B >= D/7", "B > D/7", "border", None),
        ("B >= 295.5", "B > 295.5", "exact", None),
        ("B <= 2", "B < 2.9", "exact", None),
    ],
)
def test_a_set_is_equal_with_its_condition_and_its_border(claim, against, verdict, where):
    report = check(claim, against=against, where=where)
    assert report.verdict == verdict
    assert report.exit_code == (1 if verdict == "wrong" else 0)
    if verdict == "wrong":
        assert report.diagnosis[0].kind == "dropped-condition"
        assert report.counterexample is not None


def test_a_bound_without_its_condition_is_shown_with_it():
    report = check("B > 100*D/(D-100)", against="B*D/(B+D) > 100")
    assert str(report).splitlines() == [
        "wrong: the claim does not hold",
        "  claim: B > 100*D/(D-100)",
        "  quantity: threshold",
        "  read as: B > 100*D/(D - 100)",
        "  expected: B > 100*D/(D - 100) if D > 100",
        "  counterexample: at B = 2, D = 30: claimed true, expected false",
        "  1. dropped-condition: the bound needs D > 100, which is not stated: "
        "B > 100*D/(D - 100) if D > 100; otherwise never [1]",
    ]
    assert report.to_dict()["expected"] == "B > 100*D/(D - 100) if D > 100"
    other = check("B > 100*D/(D-100) if D > 50", against="B*D/(B+D) > 100")
    assert "under another condition, D > 100" in other.diagnosis[0].text


@pytest.mark.parametrize(
    ("shown", "parts"),
    [
        (
            "to_latex",
            [
                r"expected: $\displaystyle B > \frac{100 D}{D - 100}$ if $\displaystyle D > 100$",
                "at $B = 2$, $D = 30$: claimed",
            ],
        ),
        ("to_markdown", [r"read as: $B > \frac{100 D}{D - 100}$", r"needs $D > 100$, which"]),
        ("to_html", ["<p>expected: <math>", "<code>B &gt; 100*D/(D-100)</code>"]),
        ("to_json", ['"expected": "B > 100*D/(D - 100) if D > 100"', '"verdict": "wrong"']),
    ],
)
def test_a_report_sets_its_formulas_in_every_format(shown, parts):
    report = check("B > 100*D/(D-100)", against="B*D/(B+D) > 100")
    text = getattr(report, shown)()
    assert [part for part in parts if part not in text] == []


def test_a_chain_shows_the_formulas_of_its_links():
    report = check("2BDF/(2BD + 2DF) = BDF/(BD + DF) = 2BF/(B + F)")
    text = report.to_latex()
    assert r"expected: $\displaystyle \frac{B D F}{B D + D F}$" in text
    assert r"claimed/\hspace{0pt}expected: $2$" in text


def test_the_trap_of_the_exact_rule_is_not_accepted():
    arguments = {"quantity": "threshold", "chip": "h100"}
    rule = "B > 295*D*F/(D*F - 295*(D + F))"
    assert check(rule, MATMUL, **arguments).verdict == "wrong"
    assert check(f"{rule} if D*F > 295*(D + F)", MATMUL, **arguments).verdict == "rounded"
    assert check(rule, MATMUL, **arguments, where="D=8192, F=8192").verdict == "rounded"
    report = check("x >= 3", against="x > 3")
    assert report.note == "holds but for x = 3"


@pytest.mark.parametrize(
    ("claim", "against", "verdict", "where"),
    [
        ("t_0 + V/3.35e12", "max(t_0 + V/3.35e12, F/989e12)", "wrong", None),
        ("max(B, D/10^12)", "B", "wrong", None),
        ("ceil(2*N/80e9)", "1", "wrong", "N=70e9"),
        ("2", "(2*B+2*D)/(B+D)", "exact", None),
        ("max(1,B)", "B", "exact", None),
        ("ceil(log2(2^B))", "B", "exact", None),
        ("sqrt(4a+4b)", "2*sqrt(a+b)", "exact", None),
        ("log2(4*n)", "2 + log2(n)", "exact", None),
        ("2^(n+1)", "2*2^n", "exact", None),
        ("max(F/C, V/W)*C", "max(F, V*C/W)", "exact", None),
        ("a+b+c", "max(a,b,c) + min(a,b,c) + min(max(a,b), max(a,c), max(b,c))", "exact", None),
        ("(16*B+17*Q)/(12*D)", "(16*B+16*Q)/(12*D)", "wrong", None),
        ("12*B/(77*D)+1", "12*B/(72*D)+1", "wrong", None),
        ("11.3 B D/(sqrt(N) W)", "sqrt(128)*B*D/(sqrt(N)*W)", "rounded", None),
        ("0.33*B + 0.67*D", "B/3 + 2*D/3", "rounded", None),
        ("0.34*B + 0.67*D", "B/3 + 2*D/3", "wrong", None),
        ("max(295*B, D)", "max(19780/67*B, D)", "rounded", None),
        ("10", "9.6", "rounded", None),
        ("1000", "976.56", "rounded", None),
        ("160e3", "163840", "rounded", None),
        ("160 kB", "163840", "rounded", None),
        ("2.0e3", "1951", "rounded", None),
        ("400 kB", "360e3", "wrong", None),
        ("1e9", "1.4e9", "wrong", None),
        ("1.3 ms", "1.395e-3", "wrong", None),
        ("4", "4.5", "rounded", None),
        ("S/t", "S/t*(n-1)/n", "limit", None),
        ("B/(W*N)", "B*(N-1)/(W*N^2)", "limit", None),
        ("p/m", "(p - 1)/m", "limit", None),
        ("(p-1)/(m+p)", "(p-1)/(m+p-1)", "wrong", None),  # the 1 stays above the line
        ("V*(p-1)/(W*(m+p))", "V*(p-1)/(W*(m+p-1))", "wrong", None),
        ("n/(n+1)", "(n-1)/(n+1)", "wrong", None),
        ("about 42 ms", "42.3 ms", "rounded", None),
        ("approx. 42ms", "42.3 ms", "rounded", None),
        (r"\text{roughly } 42 ms", "42.3 ms", "rounded", None),
        ("T = ca. 42 ms", "42.3 ms", "rounded", None),
        ("about 45 ms", "42.3 ms", "wrong", None),
        ("72 h", "(2 + 1) d", "exact", None),
        ("42 minutes", "2520 s", "exact", None),
        ("41 microseconds", "41e-6 s", "exact", None),
        ("0.5 gigabytes", "5e8 B", "exact", None),
        ("4.3e9 multiply-adds", "8.6e9", "exact", None),
        ("70 B parameters", "70e9", "exact", None),
        ("8.6 B FLOPs", "8.6e9", "exact", None),
        ("16 B per token", "2*K", "exact", "K=8"),
        ("2 K elements", "2*K", "exact", None),
        ("5 pods", "B/b", "exact", "B=10, b=2"),
        ("6.9e7 B", "2*B*D", "rounded", "B=4210, D=8192"),
        ("51.2 TB/s", "l*s*g", "exact", "l=2, s=2, g=12.8e12"),
        ("300 GB/s", "b*n", "exact", "b=25, n=12"),  # its numbers are in the unit
        ("1.01 ms", "f/C", "wrong", "f=1e12, C=9.89e11"),  # these are in full
        ("MFU = 64 %", "P*R/C", "exact", "P=64, R=1, C=100"),
        # a name of several words, of which the letters are no symbols
        ("KV cache = 4*B*L*d", "4*B*L*d", "exact", None),
        ("KV cache size = 4*B*L*d bytes", "4*B*L*d", "exact", None),
        ("memory per device = 3*B*L*d", "4*B*L*d", "wrong", None),
        ("(4 + 4) B", "8*B", "exact", None),
        ("n - 1", "n", "wrong", None),
    ],
)
def test_reasons_rounding_and_limits_by_one_rule(claim, against, verdict, where):
    assert check(claim, against=against, where=where).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("at least 296", "limit"),
        ("B must be at least 296", "limit"),
        ("B above 295", "limit"),
        ("more than about 295", "limit"),
        ("B ~ 295", "limit"),
        ("B is below 295", "wrong"),
    ],
)
def test_a_rule_in_words(claim, verdict):
    arguments = {"quantity": "threshold", "chip": "h100", "symbol": "B"}
    assert check(claim, MATMUL, **arguments).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "quantity", "problem"),
    [
        ("2*D*F", "parameters", "no tensor of the program is said to be a weight"),
    ],
)
def test_what_cannot_be_compared_is_no_wrong_claim(claim, quantity, problem):
    with pytest.raises(SymcostError, match=problem):
        check(claim, MATMUL, quantity=quantity)


@pytest.mark.parametrize(
    ("claim", "against", "verdict", "where"),
    [
        ("$12.3M", "12.3e6", "exact", None),  # a price
        (r"44.0 \text{M}", "44e6", "exact", None),
        ("70B", "70e9", "exact", None),  # nothing else is called B
        ("2B", "3*B", "wrong", "B=4"),
        ("2 as n grows", "(2*n+1)/n", "limit", None),
        ("3 as n grows", "(2*n+1)/n", "wrong", None),
        ("2 for large n", "(2*n+1)/n", "limit", None),
        ("B when B << D", "B*D/(B + D)", "limit", None),
        ("2*B*D batch", "2*B*D", "undecided", None),  # a word that nothing binds
        ("about 2*B*D furlongs", "2*B", "undecided", None),
        ("100 Gbps / 8 = 12.5 GB/s", None, "exact", None),  # 8 bits are a byte
        ("12.5 GB/s * 8 = 100 Gbps", None, "exact", None),
        ("100 GB/s / 8 = 100 GB/s", None, "wrong", None),
        ("100 Gbps / 8 = 100 GB/s", None, "wrong", None),
        ("1 / 42 ms = 24 tokens/s", None, "rounded", None),  # only so it is a rate
        ("1/2 ms = 500 us", None, "exact", None),
        ("1 / 42 ms = 42 tokens/s", None, "wrong", None),
        ("at most 20 %", "0.2", "exact", None),
        ("at most 20 %", "a/b", "exact", "a=1, b=6"),
        ("at most 20 %", "0.25", "wrong", None),
        ("at least 2*B*D", "2*B*D + 2*D*F", "exact", None),
        ("at most 2*B*D", "2*B*D + 2*D*F", "wrong", None),
        ("up to 2*B", "B + D", "wrong", None),
        ("x*log2(x) = 100 at x = 22.3", None, "rounded", None),  # 22.3*log2(22.3) = 99.9
        ("x*log2(x) = 100 at x = 25", None, "wrong", None),  # 116.1
        ("6*N*D = 6.3e24 with N = 70e9, D = 15e12", None, "exact", None),
        ("x = 22.3", "x*log2(x) = 100", "rounded", None),
        ("x = 25", "x*log2(x) = 100", "wrong", None),
        ("B = 100*D/(D - 100) if D > 100", "B*D/(B + D) = 100", "exact", None),
        ("x > 100/log2(x)", "x*log2(x) > 100", "exact", None),
        ("x < 100/log2(x)", "x*log2(x) > 100", "wrong", None),
        ("x > 200/log2(x)", "x*log2(x) > 100", "wrong", None),
    ],
)
def test_words_and_what_is_stated_behind_a_claim(claim, against, verdict, where):
    report = check(claim, against=against, where=where)
    assert report.verdict == verdict
    assert report.claim == claim


def test_a_word_without_a_meaning_is_said_to_have_none():
    report = check("41 jiffies", MATMUL, quantity="flops")
    note = "jiffies is no unit, and no name of what is derived"
    assert (report.verdict, report.note) == ("undecided", note)


def test_an_equation_is_compared_with_its_solution():
    with pytest.raises(InvalidValueError, match="an equation is expected"):
        check("x > 22", against="x*log2(x) = 100")
    with pytest.raises(UndecidedError, match="no solution or several"):
        check("x = 2", against="x^2 + 6 = 5*x")


def test_notes_say_how_a_number_holds():
    notes = [
        check(c, against=v).note
        for c, v in (("4", "4.5"), ("1000", "976.56"), ("S/t", "S/t*(n-1)/n"))
    ]
    assert notes == [
        "the value lies half way between two last digits",
        "its zeros are places: the digits before them are rounded",
        "nobody stated n -> oo",
    ]


def test_under_a_stated_assumption_what_is_nearer_than_the_limit_holds():
    arguments = {"quantity": "bytes", "assume": "B << D, F"}
    assert check("2BD + 2DF", MATMUL, **arguments).verdict == "limit"
    assert check("2BD + 2DF + 17BF", MATMUL, **arguments).verdict == "wrong"
    assert check("n^2 + 2n", against="n^2 + 2*n + 1", assume="n -> oo").verdict == "limit"


def test_a_counterexample_keeps_what_is_assumed():
    program = "bf16[N,K] @ bf16[K,M] -> bf16[N,M]"
    report = check("7*M*N", program, quantity="bytes", assume="K=N; M=N")
    assert str(report.counterexample) == "at N = 2, K = 2, M = 2: claimed 28, expected 24"
    report = check("2B", MATMUL, quantity="intensity", assume="D >= 4096; F = 4*D")
    assert report.counterexample.values["D"] >= 4096


def test_a_program_without_flops_has_no_rule():
    program = "E = gather(V: bf16[vocab, D], ids: int32[B, T], axis=vocab)"
    with pytest.raises(UndecidedError, match="the program has no FLOPs"):
        check("B > 5", program, quantity="threshold", chip="h100-sxm")


def test_a_counterexample_names_only_what_occurs():
    report = check("15*N", against="16*N", where="C=5")
    assert str(report.counterexample) == "at N = 2: claimed 30, expected 32"


def test_one_unit_of_a_program_with_several():
    program = "P = A: fp32[I, K] @ B: fp32[K, J]; D = add(C: fp32[I, J], P)"
    with pytest.raises(UndecidedError, match=r"this program uses several units, matmul and vector"):
        check("4", program, quantity="intensity")
    assert check("2IJK", program, quantity="flops", unit="matmul").verdict == "exact"
    intensity = "2IJK/(4IK + 4KJ + 16IJ)"
    assert check(intensity, program, quantity="intensity", unit="matmul").verdict == "exact"
    found = check("IJ", program, quantity="flops")
    assert (found.verdict, found.diagnosis[0].kind) == ("convention", "one-unit")
    assert check("2IJK", program, quantity="flops").diagnosis[0].kind == "one-unit"
    arguments = {"quantity": "t_math", "chip": "C, W"}
    assert check("IJ/C", program, unit="vector", **arguments).verdict == "exact"


def test_memory_and_parameters_are_quantities():
    from symcost.model.programs import parse

    cost = parse(MATMUL).cost()
    assert check(cost.memory(), MATMUL, quantity="memory").verdict == "exact"
    assert check(cost.parameters(), MATMUL, quantity="parameters").verdict == "exact"
    assert check("3BD", MATMUL, quantity="memory").verdict == "wrong"


def test_a_unit_behind_a_formula_is_that_of_the_quantity():
    claimed = check("2*B*D*F bytes", MATMUL, quantity="flops")
    assert (claimed.verdict, claimed.diagnosis[0].kind) == ("wrong", "unit-mismatch")
    assert check("2*B*D*F FLOPs", MATMUL, quantity="flops").verdict == "exact"


def test_amounts_of_different_things_are_told_from_prefixes():
    (found,) = check("140 GB = 140 ms").diagnosis
    assert (found.kind, found.text) == ("unit-mismatch", "GB and ms measure different things")
