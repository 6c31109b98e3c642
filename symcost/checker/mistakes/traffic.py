"""The ledger as evidence: which read or write is left out or counted twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from symcost.algebra import Posynomial, Ratio, as_posynomial, as_ratio
from symcost.checker.case import NOTHING, Case, Hypothesis
from symcost.checker.mistakes.evidence import SURE

OTHER_DTYPE = -20  # ranks won by a size that another tensor has
MAX_ENTRIES = 60  # of a ledger that are looked at one by one
_TABLE = re.compile(r"gather\(\s*(?P<name>\w+)\s*:\s*\w+\[(?P<shape>[^\]]*)\]")


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
    yield from _kept(case, listed)
    yield from _one_size(case, listed)
    writes = [e for e in listed if e.action == "write"]
    reads = [e for e in listed if e.action == "read"]
    for some, other, kind in ((writes, reads, "no-write-back"), (reads, writes, "missing-traffic")):
        if some and other:
            total = Posynomial.sum(e.quantity for e in some)
            text = f"leaves out every {some[0].action}, {total} bytes in all"
            yield _without(case, total, kind, text)


def _kept(case: Case, listed: list[Any]) -> Iterator[Hypothesis]:
    """A result that is neither written nor read again, as if it stayed on the chip."""
    written = {s for e in listed if e.action == "write" for s in e.subjects}
    for name in sorted(written):
        own = [e for e in listed if tuple(e.subjects) == (name,)]
        if len(own) > 1:
            total = Posynomial.sum(e.quantity for e in own)
            text = f"leaves out the write and the reads of {name}, {total} bytes in all"
            yield _without(case, total, "missing-traffic", text)


def _one_size(case: Case, listed: list[Any]) -> Iterator[Hypothesis]:
    """One number of bytes per value for tensors of different dtypes."""
    sizes = {_coefficient(e) for e in listed}
    if len(sizes) < 2:
        return
    yield from _other_size(case, listed, sizes)
    total = Posynomial.sum(e.quantity for e in listed)
    values = Posynomial.sum(e.quantity / _coefficient(e) for e in listed)
    for size in (1, 2, 4):
        text = f"takes {size} byte{'s' if size > 1 else ''} per value for every tensor"
        extra = total - values.scaled(size)
        yield _without(case, extra, "dtype-size", f"{text}; they differ")


def _other_size(case: Case, listed: list[Any], sizes: set[Fraction]) -> Iterator[Hypothesis]:
    """One tensor with the bytes per value of another one."""
    for entry in listed:
        own = _coefficient(entry)
        for size in sorted(sizes - {own}):
            more = entry.quantity.scaled(size / own) - entry.quantity
            name = ", ".join(entry.subjects)
            text = f"takes {size} bytes per value for {name}, which has {own}"
            yield replace(_without(case, -more, "dtype-size", text), doubt=OTHER_DTYPE)


def _coefficient(entry: Any) -> Fraction:
    """The bytes per value, if the shape is all symbols."""
    return max(Fraction(c) for c in entry.quantity.terms.values())


def mixed_sizes(case: Case) -> Iterator[Hypothesis]:
    """A rule that doubles, or halves, because one of two dtypes is taken for both tensors."""
    if case.ledger is None or case.quantity not in ("threshold", "intensity"):
        return
    listed = [e for e in case.ledger.entries if not e.resource.is_compute and e.action == "read"]
    for few in listed:
        for many in listed:
            ratio = _coefficient(many) / _coefficient(few)
            if ratio in (2, 4) and case.ratio is not None:
                one, other = few.subjects[0], many.subjects[0]
                text = f"takes {one} to have {ratio} times its bytes per value, as {other} has"
                value = case.ratio * as_ratio(ratio)
                yield Hypothesis("dtype-size", text, value, str(ratio), doubt=SURE)


def whole_tables(case: Case) -> Iterator[Hypothesis]:
    """A gather that is taken to read its whole table."""
    if case.ledger is None or case.quantity not in ("bytes", "intensity", "t_comms"):
        return
    for entry in case.ledger.entries:
        match = _TABLE.search(entry.origin)
        if match is None or entry.subjects != (match["name"],) or entry.action != "read":
            continue
        size = _coefficient(entry)
        names = [name.strip() for name in match["shape"].split(",")]
        symbols = {s.name: s for s in case.inputs + case.others}
        if all(name in symbols for name in names):
            table = Posynomial({(): size})
            for name in names:
                table = table * as_posynomial(symbols[name])
            text = f"reads the whole table {match['name']}, {table} bytes; a gather reads its rows"
            yield _without(case, entry.quantity - table, "extra-traffic", text)


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


def _with_less(case: Case, amount: Posynomial) -> Ratio:
    total = Posynomial.sum(e.quantity for e in case.ledger.entries if not e.resource.is_compute)
    left = total - amount
    if case.ratio is None or not left:
        return NOTHING
    change = Ratio.of(left, total)
    return case.ratio / change if case.quantity == "intensity" else case.ratio * change
