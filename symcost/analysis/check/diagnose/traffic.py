"""The ledger as evidence: which read or write is left out or counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcost.algebra import Posynomial, Ratio
from symcost.analysis.check.case import Case, Hypothesis

MAX_ENTRIES = 60  # of a ledger that are looked at one by one


def entries(case: Case) -> Iterator[Hypothesis]:
    """Each entry of the channel left out or doubled; all writes, or all reads, left out."""
    if case.ledger is None or case.quantity not in ("bytes", "intensity", "t_comms"):
        return
    listed = [e for e in case.ledger.entries if not e.resource.is_compute]
    if len(listed) > MAX_ENTRIES:
        return
    for entry in listed:
        amount = entry.quantity
        what = f"the {entry.action} of {', '.join(entry.subjects)}"
        yield _without(case, amount, "missing-traffic", f"leaves out {what}, {amount} bytes")
        yield _without(case, -amount, "doubled-traffic", f"counts {what} twice, {amount} bytes")
        yield from _in_values(case, entry)
    writes = [e for e in listed if e.action == "write"]
    reads = [e for e in listed if e.action == "read"]
    for some, other, kind in ((writes, reads, "no-write-back"), (reads, writes, "missing-traffic")):
        if some and other:
            total = Posynomial.sum(e.quantity for e in some)
            text = f"leaves out every {some[0].action}, {total} bytes in all"
            yield _without(case, total, kind, text)


def no_reuse(case: Case) -> Iterator[Hypothesis]:
    """Bytes that grow like the FLOPs: every multiply-add fetches its operands anew."""
    if case.ledger is None or case.quantity != "bytes" or case.claim_ratio is None:
        return
    symbols = case.claimed.free_symbols
    if len(case.claim_ratio.num) == 1 and len(symbols) > 2 and symbols >= set(case.inputs):
        text = "every multiply-add fetches its operands: compulsory traffic moves each tensor once"
        yield Hypothesis("no-reuse", text, None, str(case.claimed))


def _in_values(case: Case, entry: Any) -> Iterator[Hypothesis]:
    """The entry counted in values, not bytes."""
    size = _bytes_per_value(entry)
    if size > 1:
        rest = entry.quantity.scaled(1) - entry.quantity / size
        what = f"the {entry.action} of {', '.join(entry.subjects)}"
        text = f"counts {what} in values, not bytes: {size} bytes per value are left out"
        yield _without(case, rest, "dtype-size", text)


def _bytes_per_value(entry: Any) -> int:
    coefficients = list(entry.quantity.terms.values())
    return int(coefficients[0]) if len(coefficients) == 1 and coefficients[0] in (2, 4, 8) else 1


def _without(case: Case, amount: Posynomial, kind: str, text: str) -> Hypothesis:
    """The hypothesis that the traffic was smaller by this amount."""
    return Hypothesis(kind, text, _with_less(case, amount), str(amount))


def _with_less(case: Case, amount: Posynomial) -> Ratio | None:
    total = Posynomial.sum(e.quantity for e in case.ledger.entries if not e.resource.is_compute)
    left = total - amount
    if case.ratio is None or not left:
        return None
    change = Ratio.of(left, total)
    return case.ratio / change if case.quantity == "intensity" else case.ratio * change
