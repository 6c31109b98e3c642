"""Inequalities, limits, units: the wrong sign, another unknown, no condition, no such unit."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Symbol

from symcost.algebra.relation import Relation
from symcost.checker.case import Case
from symcost.checker.discover import arrow_limits
from symcost.checker.mistakes.base import Example, Proposal, declare, mistake
from symcost.checker.report import formula_words
from symcost.checker.said import of_words, order_said, said

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
        rule = of_words(formula_words(Relation(Symbol(case.unknowns[1]), right, case.expected)))
        text = said("the inequality is flipped: {} is right", rule)
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
    claimed, right = map(Symbol, case.unknowns)
    text = said("the bound is on {}; it is {} that is bounded", claimed, right)
    yield Proposal(None, text, said("{} for {}", claimed, right))
    text = said("{} stands where {} belongs", claimed, right)
    yield Proposal(None, text, kind="wrong-dimension")


@mistake(
    "limit-outside-regime",
    "the limit form used where the limit is far off",
    specific=7.6,
    needs=lambda case: case.printed is not None,
    example=Example("B > 295", "B > 295*D/(D - 295)", "D=512", symbol="B"),
)
def limits(case: Case) -> Iterator[Proposal]:
    """A number that is the limit of the formula, used where the limit is far off."""
    for order, value in arrow_limits(case.ratio, case.inputs) if case.ratio is not None else ():
        limit = order_said(order)
        text = "is the limit for {}, which is not reached here: the limit form is {}"
        yield Proposal(value, said(text, limit, value), limit)


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
