"""The worked cases of the chapter, to the digit, from Python and from the command line.

Source: J. Austin et al., How To Scale Your Model, part 1, "All about rooflines"; figures of the
H100 SXM: 989e12 bf16 FLOP/s dense, 3.35e12 bytes/s, NVLink 450e9 bytes/s one way.
"""

from __future__ import annotations

import json

import pytest
from sympy import Integer, Rational

import symcost as sc
from symcost.algebra import as_ratio
from symcost.cli import main

B, D, F, N = sc.dims("B D F N")
H100 = sc.chip("h100-sxm")
RIDGE = Rational(19780, 67)

MATMUL = "X • Y: bf16[B, D], bf16[D, F] → Z: bf16[B, F]"
DOT = "x • y: bf16[N], bf16[N] → bf16[1]"
QUANTISED = "bfloat16[B, D] * int8[D, F] -> bfloat16[B, F]"
INT8 = "int8[B, D] * int8[D, F] -> int8[B, F]"
PER_EXAMPLE = "int8[B, D] *_D int8[B, D, F] -> int8[B, F]"
HALVES = """
P0: bf16[B, F] = X0: bf16[B, D/2] @ W0: bf16[D/2, F] on gpu0
P1: bf16[B, F] = X1: bf16[B, D/2] @ W1: bf16[D/2, F] on gpu1
"""
THIRD = HALVES + "send P0 to gpu2 over nvlink; send P1 to gpu2 over nvlink; Z = add(P0, P1) on gpu2"
EXCHANGE = (
    HALVES
    + """
send P0 to gpu1 over nvlink; send P1 to gpu0 over nvlink
Z0 = add(P0, P1) on gpu0; Z1 = add(P0, P1) on gpu1
"""
)


def same(left, right) -> bool:
    return as_ratio(left) == as_ratio(right)


def derive_json(capsys, *arguments: str) -> dict:
    assert main(["derive", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def solved(capsys, *arguments: str) -> dict:
    assert main(["solve", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


# -- times and the chip -----------------------------------------------------------------


def test_times_from_python():
    t_math = as_ratio(10**12) / as_ratio(H100.peak("bf16"))
    t_comms = as_ratio(10**9) / as_ratio(H100.bandwidth("hbm"))
    assert round(float(t_math.to_sympy()) * 1e3, 3) == 1.011
    assert round(float(t_comms.to_sympy()) * 1e3, 4) == 0.2985


def test_bounds_are_max_and_sum_and_within_a_factor_of_two():
    roof = sc.roofline(sc.parse(MATMUL), H100).at(B=64, D=8192, F=8192)
    times = [roof.t_math, roof.t_comms["hbm"]]
    assert roof.lower == max(times)
    assert roof.upper == sum(times)
    assert roof.upper <= 2 * roof.lower
    assert roof.bound_by == "hbm"


@pytest.mark.parametrize(
    ("claim", "formula", "where"),
    [
        ("1.011 ms", "flops/C", "flops=1e12, C=989e12"),
        ("0.2985 ms", "bytes/W", "bytes=1e9, W=3.35e12"),
        ("295.22", "C/W", "C=989e12, W=3.35e12"),
    ],
)
def test_times_and_ridge_from_the_command_line(capsys, claim, formula, where):
    assert main(["check", claim, "--against", formula, "--where", where]) == 0
    assert "rounded" in capsys.readouterr().out


def test_critical_intensity():
    assert H100.critical_intensity("bf16") == RIDGE
    assert round(float(RIDGE), 2) == 295.22


def test_critical_intensity_from_the_command_line(capsys):
    assert main(["chips", "h100-sxm"]) == 0
    assert "295.2" in capsys.readouterr().out


# -- dot product ------------------------------------------------------------------------


def test_dot_product(capsys):
    cost = sc.parse(DOT).cost(count="exact")
    assert cost.flops() == 2 * N - 1
    assert cost.bytes() == 4 * N + 2
    assert same(cost.intensity(), (2 * N - 1) / (4 * N + 2))
    rule = sc.limit(cost.intensity(), "N -> oo")
    assert rule.value == Rational(1, 2)
    assert same(rule.relative_error, 2 / (2 * N - 1))
    never = sc.threshold(sc.Relation(cost.intensity(), ">", RIDGE), N)
    assert never.is_never
    assert never.supremum() == Rational(1, 2)

    arguments = (DOT, "--on", "h100-sxm", "--assume", "N -> oo", "--solve", "N", "--count", "exact")
    found = derive_json(capsys, *arguments)
    assert found["flops"] == "2*N - 1"
    assert found["bytes"] == {"hbm": "4*N + 2"}
    assert found["limit"]["hbm"]["value"] == "1/2"
    assert {row["relation"] for row in found["thresholds"]} == {"never"}
    assert main(["derive", *arguments]) == 0
    assert "stays below 1/2" in capsys.readouterr().out


# -- matmul -----------------------------------------------------------------------------


def test_matmul(capsys):
    cost = sc.parse(MATMUL).cost()
    assert cost.flops() == 2 * B * D * F
    assert cost.bytes() == 2 * B * D + 2 * D * F + 2 * B * F
    assert same(cost.intensity(), B * D * F / (B * D + D * F + B * F))
    rule = sc.limit(cost.intensity(), "B << D, F")
    assert rule.value == B
    assert same(rule.relative_error, B / D + B / F)
    found = derive_json(capsys, MATMUL, "--assume", "B << D, F")
    assert found["flops"] == "2*B*D*F"
    assert found["limit"]["hbm"]["value"] == "B"
    assert found["limit"]["hbm"]["relative_error"] == "B/D + B/F"


def test_the_rule(capsys):
    exact = sc.threshold(sc.parse(MATMUL).cost().intensity() > RIDGE, B)
    assert same(exact.bound, 19780 * D * F / (67 * D * F - 19780 * (D + F)))
    assert round(float(exact.at(D=8192, F=8192).bound), 1) == 318.2
    assert exact.at(D=512, F=512).is_never

    found = derive_json(
        capsys, MATMUL, "--on", "h100-sxm", "--assume", "B << D, F", "--solve", "B",
        "--at", "D=8192,F=8192",
    )  # fmt: skip
    limit, full, there = found["thresholds"]
    assert (limit["form"], limit["relation"], limit["smallest_integer"]) == ("limit", ">", 296)
    assert round(limit["bound_numeric"], 2) == 295.22
    assert full["bound"] == "19780*D*F/(67*D*F - 19780*(D + F))"
    assert full["when"] == "67*D*F > 19780*(D + F)"
    assert full["cases"][-1] == {"set": "never", "when": "otherwise"}
    assert round(there["bound_numeric"], 1) == 318.2

    at_512 = derive_json(capsys, MATMUL, "--on", "h100-sxm", "--solve", "B", "--at", "D=F=512")[
        "thresholds"
    ]
    assert at_512[-1]["relation"] == "never"


# -- other dtypes -----------------------------------------------------------------------


def test_quantised_weights(capsys):
    rule = sc.limit(sc.parse(QUANTISED).cost().intensity(), "B << D, F")
    assert rule.value == 2 * B
    threshold = sc.threshold(rule.value > RIDGE, B)
    assert round(float(threshold.bound), 1) == 147.6
    found = derive_json(
        capsys, QUANTISED, "--on", "h100-sxm", "--assume", "B << D, F", "--solve", "B"
    )
    assert found["limit"]["hbm"]["value"] == "2*B"
    assert round(found["thresholds"][0]["bound_numeric"], 1) == 147.6


def test_int8(capsys):
    chip = sc.chip("C=3.94e14, W=8.1e11")
    rule = sc.limit(sc.parse(INT8).cost().intensity(), "B << D, F")
    assert rule.value == 2 * B
    threshold = sc.threshold(rule.value > chip.critical_intensity("int8"), B)
    assert round(float(threshold.bound), 1) == 243.2
    found = derive_json(
        capsys, INT8, "--on", "C=3.94e14, W=8.1e11", "--assume", "B << D, F", "--solve", "B"
    )
    assert round(found["thresholds"][0]["bound_numeric"], 1) == 243.2


def test_weights_of_their_own_for_each_example(capsys):
    cost = sc.parse(PER_EXAMPLE).cost()
    assert cost.flops() == 2 * B * D * F
    assert cost.bytes() == B * D + B * D * F + B * F
    assert sc.limit(cost.intensity(), "D, F -> oo").value == Integer(2)
    found = derive_json(capsys, PER_EXAMPLE, "--assume", "D, F -> oo")
    assert found["limit"]["hbm"]["value"] == "2"


# -- two GPUs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "t_comms", "bound"),
    [(THIRD, 4 * B * F / sc.rate("W"), 8791.1), (EXCHANGE, 2 * B * F / sc.rate("W"), 4395.6)],
)
def test_two_gpus(capsys, program, t_comms, bound):
    graph = sc.parse(program)
    symbolic = sc.roofline(graph, sc.chip("C, W_hbm, W_nvlink=W"))
    assert same(symbolic.t_math, B * D * F / sc.rate("C"))
    assert same(symbolic.t_comms["nvlink"], t_comms)
    roof = sc.roofline(graph, H100)
    relation = sc.Relation(roof.intensity("nvlink"), ">", roof.critical_intensity("nvlink"))
    rule = sc.threshold(relation, D)
    assert round(float(rule.bound), 1) == bound
    assert rule.lhs.free_symbols == {D}

    found = derive_json(capsys, program, "--on", "h100-sxm", "--solve", "D")
    (row,) = [row for row in found["thresholds"] if row["channel"] == "nvlink"]
    assert round(row["bound_numeric"], 1) == bound


# -- plots and the trap -----------------------------------------------------------------


def test_throughput_meets_the_roof_where_it_is_computed_to():
    from symcost.analysis.curves import throughput_curves

    at = [{"D": size, "F": size} for size in (1024, 2048, 16384)]
    curves = throughput_curves(sc.parse(MATMUL), H100, "B", at)
    meets = [curve.meets(Integer(1), Integer(512)) for curve in curves]
    # by hand: B = I*D/(D - 2*I) with I = 19780/67
    assert meets[0] is None  # 697.3 is beyond 512
    assert [round(float(value), 1) for value in meets[1:]] == [414.8, 306.3]
    assert round(float(curves[0].rule.bound), 1) == 697.3


def test_the_trap(capsys):
    rule = sc.threshold(sc.parse(MATMUL).cost().intensity() > 300, B).at(D=200, F=200)
    assert rule.is_never
    found = solved(capsys, "B*D*F/(B*D + D*F + B*F) > 300", "--for", "B", "--where", "D=200, F=200")
    assert found["cases"] == [{"set": "never", "when": ""}]


def test_what_sympys_solve_says_of_the_trap():
    """The usual algebra gives B > -150, which would be true of every batch size."""
    import sympy

    b = sympy.Symbol("b")
    assert sympy.solve(b * 40000 / (400 * b + 40000) - 300, b) == [-150]
