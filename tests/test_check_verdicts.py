"""The verdict itself: nothing wrong is accepted, nothing right refused; kinds are tested apart."""

from __future__ import annotations

import pytest

from symcost.checker import check
from symcost.errors import InvalidValueError, UndecidedError

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
        ("2 TB", "2*T*B"),
        ("72Bslh^2 + 12Bls^2h", "72*B*s*l*h^2 + 12*B*l*s^2*h"),
        ("6ND FLOPs", "6*N*D"),
    ],
)
def test_what_is_equal_is_exact(claim, against):
    assert check(claim, against=against).verdict == "exact"


@pytest.mark.parametrize(
    ("claim", "of", "against", "quantity", "where"),
    [
        ("B", MATMUL, None, "intensity", "B=4096, D=4096, F=4096"),
        ("2DF", MATMUL, None, "bytes", "B=4096, D=4096, F=4096"),
        ("2 S/W", None, "2*(n - 1)/n*S/W", None, "n=2"),
        ("p/m", None, "(p - 1)/m", None, "p=4"),
        ("p/m", None, "(p - 1)/m", None, None),
        ("160 MB", MATMUL, None, "bytes", "B=1024, D=8192, F=8192"),
        ("320 KB", None, "2*L*n_kv*d*b", None, "L=80, n_kv=8, d=128, b=2"),
        ("1200", None, "x", None, "x=1299"),
        ("2.95", None, "(1 - a**(g + 1))/(1 - a)", None, "a=0.8, g=4"),
    ],
)
def test_sizes_outside_a_limit_and_cut_zeros_are_wrong(claim, of, against, quantity, where):
    report = check(claim, of, against=against, quantity=quantity, where=where)
    assert report.verdict == "wrong"


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
    assert check("B >= 320", against="B > 318.2").note == ""


def test_a_program_without_flops_has_no_rule():
    program = "E = gather(V: bf16[vocab, D], ids: int32[B, T], axis=vocab)"
    with pytest.raises(UndecidedError, match="the program has no FLOPs"):
        check("B > 5", program, quantity="threshold", chip="h100-sxm")


def test_a_counterexample_names_only_what_occurs():
    report = check("15*N", against="16*N", where="C=5")
    assert str(report.counterexample) == "at N = 2: claimed 30, expected 32"
