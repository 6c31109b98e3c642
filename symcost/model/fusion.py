"""Runs of operations: equal ones are found by their signature, fused ones share traffic.

A fused group reads and writes only what crosses its border.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from symcost.algebra import Posynomial
from symcost.model.data import GraphData, Op
from symcost.model.entries import Entry, free
from symcost.model.links import HBM
from symcost.model.operations import operations, price

Signature: TypeAlias = tuple[object, ...]
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Run:
    """Operations ``start`` to ``stop - 1``: one operation, or all of one fused group."""

    start: int
    stop: int
    escaping: frozenset[str] = NOTHING  # results of a group that are used after it

    def ops(self, graph: GraphData) -> tuple[Op, ...]:
        """The operations of the run."""
        return graph.ops[self.start : self.stop]


def all_runs(graph: GraphData) -> Iterator[Run]:
    """The runs of a graph in program order: single operations and fused groups."""
    ops = graph.ops
    last_use = {name: number for number, op in enumerate(ops) for name in op.inputs}
    start = 0
    for stop in range(1, len(ops) + 1):
        group = ops[start].group
        if group and stop < len(ops) and ops[stop].group == group:
            continue
        yield Run(start, stop, _escaping(graph, start, stop, last_use) if group else NOTHING)
        start = stop


def _escaping(
    graph: GraphData, start: int, stop: int, last_use: Mapping[str, int]
) -> frozenset[str]:
    results = [name for op in graph.ops[start:stop] for name in op.outputs]
    return frozenset(
        name
        for name in results
        if graph.tensors[name].role == "output" or last_use.get(name, stop) >= stop
    )


def names_of(ops: Iterable[Op]) -> tuple[str, ...]:
    """The tensors of some operations in the order in which they first occur."""
    return tuple(dict.fromkeys(name for op in ops for name in (*op.inputs, *op.outputs)))


def signature(graph: GraphData, run: Run) -> Signature:
    """What decides the cost of a run: kinds, types, wiring, place and repeat, but no names."""
    ops, tensors = run.ops(graph), graph.tensors
    number = {name: index for index, name in enumerate(names_of(ops))}
    wiring = [
        (op.kind, op.attrs, op.inner, *[number[n] for n in op.inputs], "->", len(op.outputs))
        for op in ops
    ]
    types = [tensors[name].type for name in number]
    kept = [name in run.escaping for name in number] if ops[0].group else ["alone"]
    return (ops[0].place, ops[0].repeat, *wiring, *types, *kept)


def by_signature(graph: GraphData) -> dict[Signature, list[Run]]:
    """Runs by what decides their cost."""
    alike: dict[Signature, list[Run]] = {}
    for run in all_runs(graph):
        alike.setdefault(signature(graph, run), []).append(run)
    return alike


def price_run(graph: GraphData, run: Run, count: str) -> tuple[Entry, ...]:
    """The entries of one run: the operations' own, less the traffic inside a fused group."""
    if not graph.ops[run.start].group:
        return price(graph, graph.ops[run.start], count)
    entries = [
        replace(entry, step=step) if _is_traffic(entry) else _repeated(entry, op, step)
        for step, op in enumerate(run.ops(graph))
        for entry in price(graph, op, count)
    ]
    stored = _storage(run.ops(graph))
    inside = {stored.get(name, name) for op in _producers(run.ops(graph)) for name in op.outputs}
    leaving = {stored.get(name, name) for name in run.escaping}
    reads = [e for e in entries if _is(e, "read") and stored.get(e.tensor, e.tensor) not in inside]
    once = set(_read_once(reads, stored, graph))
    return tuple(
        entry
        for entry in entries
        if not _is_traffic(entry)
        or id(entry) in once
        or (_is(entry, "write") and stored.get(entry.tensor, entry.tensor) in leaving)
    )


def _repeated(entry: Entry, op: Op, step: int) -> Entry:
    """What is done anew each time that an operation runs within its group; not its traffic."""
    return replace(entry, quantity=entry.quantity * op.inner, step=step)


def _is_traffic(entry: Entry) -> bool:
    return _is(entry, "read") or _is(entry, "write")


def _is(entry: Entry, action: str) -> bool:
    return entry.resource.name == HBM and entry.action == action


def is_free(op: Op) -> bool:
    """Whether the result is the operand's memory under another shape."""
    kind = operations.get(op.kind)
    return kind is not None and kind.cost is free


def _producers(ops: Iterable[Op]) -> Iterator[Op]:
    return (op for op in ops if not is_free(op))


def _storage(ops: Iterable[Op]) -> dict[str, str]:
    """Each result of a free operation (reshape) lives in the memory of its operand."""
    stored: dict[str, str] = {}
    for op in ops:
        if is_free(op):
            stored.update(dict.fromkeys(op.outputs, stored.get(op.inputs[0], op.inputs[0])))
    return stored


def _read_once(reads: list[Entry], stored: Mapping[str, str], graph: GraphData) -> Iterator[int]:
    """Of several reads of one tensor keep a whole one, otherwise the parts that differ."""
    by_tensor: dict[str, dict[Posynomial, Entry]] = {}
    for entry in reads:
        name = stored.get(entry.tensor, entry.tensor)
        by_tensor.setdefault(name, {}).setdefault(entry.quantity, entry)
    for name, amounts in by_tensor.items():
        whole = amounts.get(graph.tensors[name].bytes)
        yield from (id(entry) for entry in ([whole] if whole else amounts.values()))
