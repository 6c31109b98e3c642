"""Whole operations of a program left out of its FLOPs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from symcost.algebra import Posynomial, Ratio
from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.small import without_small

MAX_OPERATIONS = 12  # of a program that are left out in turn
MAX_LEFT_OUT = 3
_LOOK_UP = "gather("


def operations(case: Case) -> Iterator[Hypothesis]:
    """One, two or three operations left out, with or without the small terms of the rest."""
    if case.ledger is None or case.ratio is None or case.quantity not in ("flops", "t_math"):
        return
    costs: dict[str, Posynomial] = {}
    for entry in case.ledger.entries:
        if entry.resource.is_compute:
            name = entry.origin.split(": ", 1)[-1]
            costs[name] = costs.get(name, Posynomial({})) + entry.quantity
    total = Posynomial.sum(costs.values())
    for count in range(1, MAX_LEFT_OUT + 1) if len(costs) <= MAX_OPERATIONS else ():
        for names in combinations(costs, count):
            left = total - Posynomial.sum(costs[name] for name in names)
            if left:
                yield from _left_out(case, names, left, total)


def _left_out(
    case: Case, names: tuple[str, ...], left: Posynomial, total: Posynomial
) -> Iterator[Hypothesis]:
    """The hypothesis for what is left, and for its leading terms."""
    assert case.ratio is not None
    text = f"leaves out the cost of {'; '.join(names)}"
    value = case.ratio * Ratio.of(left, total)
    yield Hypothesis("missing-term", text, value, str(total - left))
    lead, small = without_small(left)
    if small:
        value = case.ratio * Ratio.of(lead, total)
        also = f"{text}, and the small terms {small}"
        yield Hypothesis("missing-term", also, value, str(total - lead))


def one_operation_twice(case: Case) -> Iterator[Hypothesis]:
    """An operation counted as multiply-adds beside others that are not."""
    if case.ledger is None or case.ratio is None or case.quantity not in ("flops", "t_math"):
        return
    total = Posynomial.sum(e.quantity for e in case.ledger.entries if e.resource.is_compute)
    matmuls = Posynomial.sum(
        e.quantity for e in case.ledger.entries if e.resource.is_compute and e.action == "multiply"
    )
    if not matmuls or matmuls == total:
        return
    for factor, text in (
        (Fraction(1, 2), "counts the multiply-adds (MACs) of the matmuls; one is two FLOPs"),
        (Fraction(2), "counts the FLOPs of the matmuls twice: they are 2 x MACs, once"),
    ):
        changed = total - matmuls + matmuls.scaled(factor)
        value = case.ratio * Ratio.of(changed, total)
        yield Hypothesis("mac-for-flop", text, value, str(factor))


def nothing_counted(case: Case) -> Iterator[Hypothesis]:
    """A cost of what costs nothing, as a look-up in an embedding table does no operations."""
    entries = case.whole.entries if case.whole is not None else ()
    if case.quantity == "flops" and any(_LOOK_UP in e.origin for e in entries):
        text = "counts a look-up as a matmul: it multiplies nothing"
        yield Hypothesis("embedding-as-matmul", text, None, "0 FLOPs")
    elif case.claimed.free_symbols:
        text = f"has {case.claimed} too much: nothing is spent"
        yield Hypothesis("extra-term", text, None, str(case.claimed))
