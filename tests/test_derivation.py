"""Derivations that a reader might find odd: names that clash, numbers only, missing figures."""

from __future__ import annotations

import pytest

import symcost as sc
from symcost.errors import AssumptionError, InvalidValueError

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"


def text(*arguments, **options) -> str:
    return sc.derive(*arguments, **options).to_text()


def test_dimensions_called_like_the_rates_are_kept_apart():
    graph = sc.parse("X: bf16[C, W] @ V: bf16[W, T] -> Z: bf16[C, T]")
    roof = sc.roofline(graph, sc.symbolic_chip())
    assert {s.name for s in roof.t_math.free_symbols} == {"C", "W", "T", "C_matmul"}
    rule = sc.derive(graph, assume="C << W, T", solve_for="C").answer.channels[0].limit_rule
    assert str(rule.bound) == "C_matmul/W_hbm"


def test_numbers_are_shown_as_far_as_they_go():
    some = text(MATMUL, "h100", at={"B": 64})
    assert "FLOPs (matmul) = 128*D*F" in some
    assert "No number is given for D, F." in some
    alone = text("X: bf16[128, 4096] @ W: bf16[4096, 1024] -> Z: bf16[128, 1024]", "h100")
    assert "T_comms = 2.895 µs" in alone


def test_an_intensity_needs_no_chip():
    found = text("Y = rmsnorm(X: bf16[B, D], axis=D)", "tpu-v5e")
    assert "intensity (vector, hbm) = 3/4" in found
    assert "Left out: no vector peak for bf16 is known" in found


def test_an_assumption_may_name_a_symbol_that_cancels():
    program = """
    fused { S: bf16[T, K] = Q: bf16[T, H] @ P: bf16[K, H]
      R = softmax(S, axis=K); R @ V: bf16[K, H] -> O: bf16[T, H] }
    """.replace("fused {", "fused attn {")
    found = sc.derive(program, "h100", assume="T << K, H").answer
    assert found.assume == "T << K, H"


def test_an_equality_is_put_into_the_exact_rule_too():
    found = sc.derive(MATMUL, "h100", assume="B << D, F; F = 4*D", solve_for="D").answer
    assert {s.name for s in found.channels[0].exact_rule.bound.free_symbols} == {"B"}
    simple = found.channels[0].limit_rule  # D drops out of it
    assert repr(simple) == "Threshold: always if 67*B > 19780; otherwise never"
    assert (
        "it does not depend on D"
        in sc.derive(MATMUL, "h100", assume="B << D, F; F = 4*D", solve_for="D").to_text()
    )


@pytest.mark.parametrize(
    ("assume", "problem"),
    [
        ("B << D; D = 4*B", "B << D and D = 4*B contradict each other"),
        ("B << D; D = B", "B << D and D = B contradict each other"),
        ("B << D; B >= D", "B >= D contradicts B << D"),
        ("B << D; D << F; B > F", "B > F contradicts B << D; D << F"),
    ],
)
def test_assumptions_that_contradict_each_other(assume, problem):
    with pytest.raises(AssumptionError) as caught:
        sc.derive(MATMUL, assume=assume)
    assert caught.value.problem == problem


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ({"B": 1.5}, "B = 3/2 is no size of a dimension; a size is a whole number"),
        ({"Q": 2}, "Q does not occur in the program; the symbols are B, D, F"),
        (3, '3 gives no values; write for example "D=8192"'),
    ],
)
def test_wrong_numbers(at, message):
    with pytest.raises(InvalidValueError) as caught:
        sc.derive(MATMUL, "h100", at=at)
    assert str(caught.value) == message


def test_chips_and_symbols_may_be_named():
    B, D = sc.dims("B D")
    assert sc.threshold(B * D / (B + D) > 100, "B").bound == 100 * D / (D - 100)
    assert sc.roofline(sc.parse(MATMUL), "h100").chip.name == "h100-sxm"
    with pytest.raises(sc.SymcostError, match="3 is no chip's name"):
        sc.chip(3)


@pytest.mark.parametrize(
    "use", [sc.derive, sc.roofline, lambda what, _: sc.check("B", what, quantity="flops")]
)
def test_what_is_no_program_is_said(use):
    with pytest.raises(InvalidValueError, match="3 is no program; give its text"):
        use(3, "h100")


def test_a_role_is_one_of_four():
    with pytest.raises(InvalidValueError, match="'wieght' is no role; roles are input, weight"):
        sc.Tensor("W", sc.TensorType("bf16", (8,)), "wieght")
