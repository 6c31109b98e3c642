"""Inequalities and units: the sign the wrong way, another unknown, a condition, a unit."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Symbol

from symcost.algebra.relation import Relation
from symcost.checker.case import Case
from symcost.checker.mistakes.base import Example, Proposal, declare, mistake
from symcost.checker.report import formula_words
from symcost.render.formats.text import words_text

_RULE = "B*D/(B + D) > 100"


@mistake(
    "flipped-inequality",
    "the relation sign points the wrong way",
    specific=9,
    needs=lambda case: bool(case.ops[0]) and case.ops[0][:1] != case.ops[1][:1],
    example=Example("B < 240", "B > 240", symbol="B"),
)
def flipped(case: Case) -> Iterator[Proposal]:
    """The relation sign points the other way."""
    claimed, right = case.ops
    if right[0] in "<>":
        rule = Relation(Symbol(case.unknowns[1]), right, case.expected)
        text = f"the inequality is flipped: {words_text(formula_words(rule))} is right"
        yield Proposal(None, text, f"{claimed} for {right}")


@mistake(
    "other-symbol",
    "the bound is on another symbol",
    specific=8.9,
    needs=lambda case: case.unknowns[0] != case.unknowns[1],
    example=Example("D > 240", "B > 240", symbol="B"),
)
def other_unknown(case: Case) -> Iterator[Proposal]:
    """The bound is right, or not, but on another symbol."""
    claimed, right = case.unknowns
    text = f"the bound is on {claimed}; it is {right} that is bounded"
    yield Proposal(None, text, f"{claimed} for {right}")
    yield Proposal(None, f"{claimed} stands where {right} belongs", kind="wrong-dimension")


_MATMUL = "bf16[B, D] @ bf16[D, F] -> bf16[B, F]"
declare(
    "dropped-condition",
    "holds only under a condition that is not stated",
    7.1,
    *("B > 100*D/(D - 100)", _RULE),
)
declare(
    "unit-mismatch", "the unit is one of another quantity", 7.1, "9 GB", "", "", _MATMUL, "flops"
)
declare(
    "exact-count",
    "the other way of counting additions",
    7.1,
    *("B*F*(2*D - 1)", "", "", _MATMUL, "flops"),
)
declare(
    "one-unit",
    "the FLOPs of one compute unit for those of all",
    7.1,
    *("2*B*D*F", "", "", "relu(bf16[B, D] @ bf16[D, F]) -> bf16[B, F]", "flops"),
)
