"""The ledger as evidence: which read, write or operation is left out, doubled or too large."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from sympy import Expr

from symcost.algebra import Posynomial, Ratio, as_posynomial, as_ratio
from symcost.checker.case import NOTHING, Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import SURE, Example, Proposal, mistake
from symcost.checker.mistakes.second import without_small
from symcost.model.entries import Entry
from symcost.notation.kinds import role

MAX_ENTRIES = 60  # of a ledger that are looked at one by one
MAX_OPERATIONS = 12  # of a program that are left out in turn
MAX_LEFT_OUT = 3
MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
_TABLE = re.compile(r"gather\(\s*(?P<name>\w+)\s*:\s*\w+\[(?P<shape>[^\]]*)\]")
_LOOK_UP = "gather("


def _moves(case: Case) -> bool:
    return case.ledger is not None and case.quantity in ("bytes", "intensity", "t_comms")


def _computes(case: Case) -> bool:
    counted = case.quantity in ("flops", "t_math")
    return case.ledger is not None and case.ratio is not None and counted


def _entries(case: Case) -> list[Entry]:
    listed = [e for e in case.costs().entries if not e.resource.is_compute]
    return listed if len(listed) <= MAX_ENTRIES else []


def _of(bytes_example: str) -> Example:
    return Example(bytes_example, of=MATMUL, quantity="bytes")


@mistake(
    "missing-traffic",
    "a read or write is left out",
    specific=8,
    needs=_moves,
    example=_of("2*B*F + 2*D*F"),
)
def left_out(case: Case) -> Iterator[Proposal]:
    """Each entry left out, all reads, or a result that stays on the chip."""
    listed = _entries(case)
    for entry in listed:
        yield without(case, entry.quantity, f"leaves out {_what(entry)}, {entry.quantity} bytes")
    for name in sorted({s for e in listed if e.action == "write" for s in e.subjects}):
        own = [e for e in listed if tuple(e.subjects) == (name,)]
        if len(own) > 1:
            text = f"leaves out the write and the reads of {name}, {_total(own)} bytes in all"
            yield without(case, _total(own), text)
    yield from _all(case, "read", "write")


@mistake(
    "no-write-back",
    "reads are counted, writes are not",
    specific=8.1,
    needs=_moves,
    example=_of("2*B*D + 2*D*F"),
)
def no_writes(case: Case) -> Iterator[Proposal]:
    """Every write left out."""
    yield from _all(case, "write", "read")


def _all(case: Case, action: str, other: str) -> Iterator[Proposal]:
    listed = _entries(case)
    some = [e for e in listed if e.action == action]
    if some and any(e.action == other for e in listed):
        text = f"leaves out every {action}, {_total(some)} bytes in all"
        yield without(case, _total(some), text)


@mistake(
    "doubled-traffic",
    "a read or write is counted twice",
    specific=7.9,
    needs=_moves,
    example=_of("4*B*D + 2*D*F + 2*B*F"),
)
def twice(case: Case) -> Iterator[Proposal]:
    """Each entry counted twice."""
    for entry in _entries(case):
        if entry.moves is None:  # a collective that is counted twice is another collective
            text = f"counts {_what(entry)} twice, {entry.quantity} bytes"
            yield without(case, -entry.quantity, text)


@mistake("dtype-size", needs=_moves)
def values_for_bytes(case: Case) -> Iterator[Proposal]:
    """One entry in values, one size for all tensors, one tensor with the size of another."""
    listed = _entries(case)
    for entry in listed:
        size = _size(entry)
        if size in (2, 4, 8) and len(entry.quantity) == 1:
            rest = entry.quantity - entry.quantity.scaled(1 / size)
            text = (
                f"counts {_what(entry)} in values, not bytes: {size} bytes per value are left out"
            )
            yield without(case, rest, text, 0.8)
    sizes = {_size(e) for e in listed}
    if len(sizes) < 2:
        return
    for entry in listed:
        for size in sorted(sizes - {_size(entry)}):
            less = entry.quantity - entry.quantity.scaled(size / _size(entry))
            name = ", ".join(entry.subjects)
            text = f"takes {size} bytes per value for {name}, which has {_size(entry)}"
            yield without(case, less, text, 2)
    values = Posynomial.sum(e.quantity.scaled(1 / _size(e)) for e in listed)
    for size in map(Fraction, (1, 2, 4)):
        text = f"takes {size} byte{'s' if size > 1 else ''} per value for every tensor; they differ"
        yield without(case, _total(listed) - values.scaled(size), text, 1.5)


def _mixed(case: Case) -> bool:
    return case.ledger is not None and case.quantity in ("threshold", "intensity")


@mistake("dtype-size", needs=_mixed)
def mixed_sizes(case: Case) -> Iterator[Proposal]:
    """A rule that doubles, or halves, because one of two dtypes is taken for both tensors."""
    reads = [e for e in _entries(case) if e.action == "read"]
    for few in reads:
        for many in reads:
            ratio = _size(many) / _size(few)
            if ratio in (2, 4) and case.ratio is not None:
                one, other = few.subjects[0], many.subjects[0]
                text = f"takes {one} to have {ratio} times its bytes per value, as {other} has"
                yield Proposal(case.ratio * as_ratio(ratio), text, str(ratio), 1)


@mistake(
    "extra-traffic",
    "more is counted as read or written than is",
    specific=8,
    needs=_moves,
    example=Example(
        "2*vocab*D + 4*B*T + 2*B*T*D",
        of="E = gather(V: bf16[vocab, D], ids: int32[B, T], axis=vocab)",
        quantity="bytes",
    ),
)
def whole_tables(case: Case) -> Iterator[Proposal]:
    """A gather that is taken to read its whole table."""
    for entry in case.costs().entries:
        match = _TABLE.search(entry.origin)
        if match is None or entry.subjects != (match["name"],) or entry.action != "read":
            continue
        names = [name.strip() for name in match["shape"].split(",")]
        symbols = {s.name: s for s in case.inputs + case.others}
        if all(name in symbols for name in names):
            table = Posynomial({(): _size(entry)})
            for name in names:
                table = table * as_posynomial(symbols[name])
            text = f"reads the whole table {match['name']}, {table} bytes; a gather reads its rows"
            yield without(case, entry.quantity - table, text)


@mistake("no-reuse", needs=lambda case: case.ledger is not None and case.quantity == "bytes")
def no_reuse(case: Case) -> Iterator[Proposal]:
    """Bytes that grow like the FLOPs: every multiply-add fetches its operands anew."""
    symbols = case.claimed.free_symbols
    single = case.claim_ratio is not None and len(case.claim_ratio.num) == 1
    if single and len(symbols) > 2 and symbols >= set(case.inputs):
        text = "every multiply-add fetches its operands: compulsory traffic moves each tensor once"
        yield Proposal(None, text, str(case.claimed), 3)


@mistake("missing-term", needs=_computes)
def operations_left_out(case: Case) -> Iterator[Proposal]:
    """One, two or three operations left out, with or without the small terms of the rest."""
    costs: dict[str, Posynomial] = {}
    for entry in case.costs().entries:
        if entry.resource.is_compute:
            name = entry.origin.split(": ", 1)[-1]
            costs[name] = costs.get(name, Posynomial({})) + entry.quantity
    total = Posynomial.sum(costs.values())
    for count in range(1, MAX_LEFT_OUT + 1) if len(costs) <= MAX_OPERATIONS else ():
        for names in combinations(costs, count):
            lost = Posynomial.sum(costs[name] for name in names)
            text = f"leaves out the cost of {'; '.join(names)}"
            _, small = without_small(total - lost)
            yield without(case, lost, text, SURE - count / 10, compute=True)
            if small:
                also = f"{text}, and the small terms {small}"
                yield without(case, lost + small, also, SURE - count / 10, compute=True)


@mistake("mac-for-flop", needs=_computes)
def macs_of_matmuls(case: Case) -> Iterator[Proposal]:
    """Matmuls counted as multiply-adds beside operations that are not."""
    computed = [e for e in case.costs().entries if e.resource.is_compute]
    total = _total(computed)
    matmuls = _total([e for e in computed if e.action == "multiply"])
    if not matmuls or matmuls == total:
        return
    for factor, text in (
        (Fraction(1, 2), "counts the multiply-adds (MACs) of the matmuls; one is two FLOPs"),
        (Fraction(2), "counts the FLOPs of the matmuls twice: they are 2 x MACs, once"),
    ):
        yield without(case, matmuls - matmuls.scaled(factor), text, compute=True)


def _times(case: Case) -> bool:
    return case.whole is not None and case.quantity in ("t_math", "t_comms")


@mistake(
    "wrong-resource",
    "a time over the rate of another resource",
    specific=7.9,
    needs=_times,
    example=Example("2*B*D*F/W", of=MATMUL, quantity="t_comms", chip="C, W"),
)
def resources(case: Case) -> Iterator[Proposal]:
    """What is divided, and by which rate, against what belongs there."""
    known = {*case.inputs, *case.others}
    rates = [s for s in known if role(s.name) in ("peak", "bandwidth")]
    for work, amount in _amounts(case):
        for rate in sorted(rates, key=lambda s: s.name):
            if amount / rate != case.expected:
                word = "peak" if role(rate.name) == "peak" else "bandwidth"
                text = f"divides the {work} by {rate}, a {word}: {case.expected} is asked for"
                yield Proposal(amount / rate, text, f"{work}/{rate}")


def _amounts(case: Case) -> Iterator[tuple[str, Expr]]:
    yield "FLOPs", case.all_costs().flops()
    name = told.channel(case)
    if name in case.all_costs().channels:
        yield "bytes", case.all_costs().bytes(name)


@mistake("embedding-as-matmul", needs=lambda case: case.expected.is_zero is True)
def nothing_counted(case: Case) -> Iterator[Proposal]:
    """A cost of what costs nothing, as a look-up in an embedding table does no operations."""
    entries = case.whole.entries if case.whole is not None else ()
    if case.quantity == "flops" and any(_LOOK_UP in e.origin for e in entries):
        yield Proposal(None, "counts a look-up as a matmul: it multiplies nothing", "0 FLOPs")
    elif case.claimed.free_symbols:
        text = f"has {case.claimed} too much: nothing is spent"
        yield Proposal(None, text, str(case.claimed), kind="extra-term")


def _what(entry: Entry) -> str:
    return f"the {entry.action} of {', '.join(entry.subjects)}"


def _total(listed: list[Entry]) -> Posynomial:
    return Posynomial.sum(e.quantity for e in listed)


def _size(entry: Entry) -> Fraction:
    """The bytes per value, if the shape is all symbols."""
    return max(Fraction(c) for c in entry.quantity.terms.values())


def without(
    case: Case,
    amount: Posynomial,
    text: str,
    likely: float = 0,
    kind: str = "",
    *,
    compute: bool = False,
) -> Proposal:
    """The proposal that the traffic, or what is computed, was smaller by this amount."""
    total = _total([e for e in case.costs().entries if e.resource.is_compute is compute])
    left = total - amount
    if case.ratio is None or not left:
        return Proposal(NOTHING, text, str(amount), likely)
    change = Ratio.of(left, total)
    value = case.ratio / change if case.quantity == "intensity" else case.ratio * change
    return Proposal(value, text, str(amount), likely, kind=kind)
