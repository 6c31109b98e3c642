"""The ledger as evidence: which read, write or operation is left out, doubled or too large."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from sympy import Expr

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.checker.case import NOTHING, Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import SURE, TOLD, Example, Proposal, mistake
from symcost.checker.mistakes.second import without_small
from symcost.checker.said import said
from symcost.model.entries import Entry
from symcost.model.operations import view
from symcost.notation.kinds import role

MAX_ENTRIES = 60  # of a ledger that are looked at one by one
MAX_OPERATIONS = 12  # of a program that are left out in turn
MAX_LEFT_OUT = 3
MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"


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
    "no-write-back",
    "reads are counted, writes are not",
    specific=8.1,
    needs=_moves,
    example=_of("2*B*D + 2*D*F"),
)
def no_writes(case: Case) -> Iterator[Proposal]:
    """Every write left out."""
    yield from _all(case, "write", "read")


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
        yield without(
            case, entry.quantity, said("leaves out {}, {} bytes", _what(entry), entry.quantity)
        )
    for name in sorted({s for e in listed if e.action == "write" for s in e.subjects}):
        own = [e for e in listed if tuple(e.subjects) == (name,)]
        if len(own) > 1:
            text = said(
                "leaves out the write and the reads of {}, {} bytes in all", name, _total(own)
            )
            yield without(case, _total(own), text)
    yield from _all(case, "read", "write")


def _all(case: Case, action: str, other: str) -> Iterator[Proposal]:
    listed = _entries(case)
    some = [e for e in listed if e.action == action]
    if some and any(e.action == other for e in listed):
        text = said("leaves out every {}, {} bytes in all", action, _total(some))
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
            text = said("counts {} twice, {} bytes", _what(entry), entry.quantity)
            yield without(case, -entry.quantity, text)


@mistake("dtype-size", needs=_moves)
def values_for_bytes(case: Case) -> Iterator[Proposal]:
    """One entry in values, one size for all tensors, one tensor with the size of another."""
    listed = _entries(case)
    sizes = sorted({_size(e) for e in listed})
    for entry in listed:
        own, name = _size(entry), ", ".join(entry.subjects)
        for size in {*sizes, Fraction(1)} - {own}:
            less = entry.quantity - entry.quantity.scaled(size / own)
            text = f"takes {size} bytes per value for {name}, which has {own}"
            if size == 1:
                bare = f"counts {_what(entry)} in values, not bytes"
                text = f"{bare}: {own} bytes per value are left out"
            yield without(case, less, text, TOLD)
    values = Posynomial.sum(e.quantity.scaled(1 / _size(e)) for e in listed)
    for size in map(Fraction, (1, 2, 4)) if len(sizes) > 1 else ():
        text = f"takes {size} byte{'s' if size > 1 else ''} per value for every tensor; they differ"
        yield without(case, _total(listed) - values.scaled(size), text, TOLD)


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
                yield Proposal(case.ratio * as_ratio(ratio), text, str(ratio), TOLD)


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
    for graph, op in _operations(case, "gather"):
        table, *_ = view(graph, op).inputs
        for entry in case.costs().entries:
            if entry.action == "read" and tuple(entry.subjects) == (table.name,):
                text = "reads the whole table {}, {} bytes; a gather reads its rows"
                less = entry.quantity - table.bytes
                yield without(case, less, said(text, table.name, table.bytes))


def _operations(case: Case, kind: str) -> Iterator[tuple[Any, Any]]:
    """The operations of a kind in the program, with its graph."""
    for graph, _ in case.whole.programs if case.whole is not None else ():
        yield from ((graph, op) for op in graph.ops if op.kind == kind)


@mistake("no-reuse", needs=lambda case: case.ledger is not None and case.quantity == "bytes")
def no_reuse(case: Case) -> Iterator[Proposal]:
    """Bytes that grow like the FLOPs: every multiply-add fetches its operands anew."""
    symbols = case.claimed.free_symbols
    single = case.claim_ratio is not None and len(case.claim_ratio.num) == 1
    if single and len(symbols) > 2 and symbols >= set(case.inputs):
        text = "every multiply-add fetches its operands: compulsory traffic moves each tensor once"
        yield Proposal(None, text, said("{}", case.claimed), TOLD)


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
            yield without(case, lost, text, SURE, compute=True)
            if small:
                also = said("{}, and the small terms {}", text, small)
                yield without(case, lost + small, also, SURE, compute=True)


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
        yield without(case, matmuls - matmuls.scaled(factor), text, SURE, compute=True)


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
                text = f"divides the {work} by {{}}, a {word}: {{}} is asked for"
                evidence = said("{}/{}", work, rate)
                yield Proposal(amount / rate, said(text, rate, case.expected), evidence)


def _amounts(case: Case) -> Iterator[tuple[str, Expr]]:
    yield "FLOPs", case.all_costs().flops()
    name = told.channel(case)
    if name in case.all_costs().channels:
        yield "bytes", case.all_costs().bytes(name)


@mistake("embedding-as-matmul", needs=lambda case: case.expected.is_zero is True)
def nothing_counted(case: Case) -> Iterator[Proposal]:
    """A cost of what costs nothing, as a look-up in an embedding table does no operations."""
    if case.quantity == "flops" and any(True for _ in _operations(case, "gather")):
        yield Proposal(None, "counts a look-up as a matmul: it multiplies nothing", "0 FLOPs")
    elif case.claimed.free_symbols:
        text = said("has {} too much: nothing is spent", case.claimed)
        yield Proposal(None, text, said("{}", case.claimed), kind="extra-term")


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
        return Proposal(NOTHING, text, said("{}", amount), likely)
    change = Ratio.of(left, total)
    value = case.ratio / change if case.quantity == "intensity" else case.ratio * change
    return Proposal(value, text, said("{}", amount), likely, kind=kind)
