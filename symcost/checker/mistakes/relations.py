"""Inequalities: the sign the wrong way round, the bound on another symbol."""

from __future__ import annotations

from collections.abc import Iterator

from symcost.checker.case import Case, Hypothesis


def flipped(case: Case) -> Iterator[Hypothesis]:
    """The relation sign points the other way."""
    claimed, expected = case.ops
    if claimed and expected and claimed[0] != expected[0]:
        text = f"the inequality is flipped: {case.unknowns[1]} {expected} {case.expected} is right"
        yield Hypothesis("flipped-inequality", text, None, f"{claimed} for {expected}")


def other_unknown(case: Case) -> Iterator[Hypothesis]:
    """The bound is right, or not, but on another symbol."""
    claimed, expected = case.unknowns
    if claimed and expected and claimed != expected:
        text = f"the bound is on {claimed}; it is {expected} that is bounded"
        yield Hypothesis("other-symbol", text, None, f"{claimed} for {expected}")
        yield Hypothesis("wrong-dimension", f"{claimed} stands where {expected} belongs", None, "")
