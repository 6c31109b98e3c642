"""Virtual devices: a sharded program is run on numpy arrays, every collective by its schedule.

Each device holds its part of every tensor and knows which region of the whole it is. What a
collective moves is routed wire by wire and counted, so that a program's ledger can be compared
with what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product as every
from math import prod
from typing import TypeAlias

import numpy as np

from symcost.algebra import as_posynomial
from symcost.errors import InvalidValueError, MissingRuleError
from symcost.model.data import GraphData, Op
from symcost.model.entries import OpView
from symcost.model.layouts import Layout
from symcost.model.local import localized
from symcost.model.mesh import MeshAxis
from symcost.model.operations import axis_positions, found_operation
from symcost.model.ops.exchange import axes_of
from symcost.model.tensors import Tensor, TensorType, widest
from symcost.plans.groups import COMBINE, Group, Hardware, Place, number
from symcost.plans.wires import Array

Region: TypeAlias = tuple[slice, ...]
MAX_DEVICES = 4096
IDENTITY = {"sum": 0.0, "max": -np.inf, "min": np.inf}


@dataclass
class Move:
    """What one collective moved on one axis: values on the busiest wire, and hops."""

    op: str
    tensor: str
    axis: str
    busiest: int
    hops: int


@dataclass
class Run:
    """A run: the results as wholes, and what each collective moved."""

    results: dict[str, Array]
    moves: list[Move] = field(default_factory=list)


def run_on_devices(graph: GraphData, arrays: Mapping[str, Array]) -> Run:
    """Run a program with numbers for all sizes on virtual devices.

    >>> from symcost.model.programs import parse
    >>> text = "mesh X=2; A: fp32[2, 4_X] @ B: fp32[4_X, 3] -> C: fp32[2, 3]"
    >>> a, b = np.ones((2, 4)), np.ones((4, 3))
    >>> done = run_on_devices(parse(text), {"A": a, "B": b})
    >>> done.results["C"][0], [(move.op, move.busiest, move.hops) for move in done.moves]
    (array([4., 4., 4.]), [('all_reduce', 3, 2)])

    Args:
        graph: the program; every size and mesh axis a number.
        arrays: the whole array of each input and weight.

    Returns:
        The outputs, put together from the devices, and the values on the busiest wires.

    Raises:
        InvalidValueError: a size is a symbol, or there are too many devices.
    """
    local = localized(graph)
    machine = _Machine(local)
    for name, tensor in local.tensors.items():
        if tensor.role in ("input", "weight"):
            machine.deal(tensor, np.asarray(arrays[name], dtype=float))
    for op in local.ops:
        machine.step(op)
    outputs = [t for t in local.tensors.values() if t.role == "output"]
    return Run({t.name: machine.whole(t) for t in outputs}, machine.moves)


class _Machine:
    """The devices of a mesh with what each holds."""

    def __init__(self, graph: GraphData) -> None:
        self.graph, self.mesh = graph, graph.mesh
        self.sizes = [number(axis.size) for axis in self.mesh.axes]
        if prod(self.sizes) > MAX_DEVICES:
            raise InvalidValueError(f"{prod(self.sizes)} virtual devices; at most {MAX_DEVICES}")
        self.places: list[Place] = list(every(*(range(size) for size in self.sizes)))
        self.held: dict[str, dict[Place, Array]] = {}
        self.moves: list[Move] = []

    # -- regions ------------------------------------------------------------------------

    def region(self, type: TensorType, layout: Layout, place: Place) -> Region:
        """Which part of the whole a device holds; empty where there are too few rows."""
        parts = []
        for size, axes in zip(map(number, type.shape), layout.dims, strict=True):
            start, stop = 0, size
            for axis in axes:
                at = self.index(axis)
                chunk = -(-size // self.sizes[at])
                start = min(start + place[at] * chunk, stop)
                stop = min(start + chunk, stop)
                size = chunk
            parts.append(slice(start, stop))
        return tuple(parts)

    def index(self, axis: str) -> int:
        """The position of an axis in the mesh."""
        return list(self.mesh).index(axis)

    def deal(self, tensor: Tensor, whole: Array) -> None:
        """Give every device its part."""
        layout = tensor.type.layout
        self.held[tensor.name] = {
            place: self._addend(whole[self.region(tensor.type, layout, place)], layout, place)
            for place in self.places
        }

    def _addend(self, part: Array, layout: Layout, place: Place) -> Array:
        """Of partial values, the first device has them and the others nothing."""
        for axis, kind in layout.partial:
            if place[self.index(axis)]:
                return np.full(part.shape, IDENTITY[kind])
        return part.copy()

    def whole(self, tensor: Tensor) -> Array:
        """The whole tensor, put together; partial values are combined."""
        type, layout = tensor.type, tensor.type.layout
        result = np.zeros([number(size) for size in type.shape])
        kinds = {kind for _, kind in layout.partial} or {"sum"}
        kind = kinds.pop()
        if layout.partial:
            result[...] = IDENTITY[kind]
        seen: set[Place] = set()
        copies = [n for n, axis in enumerate(self.mesh) if axis not in layout.axes]
        for place in self.places:
            if any(place[n] for n in copies):
                continue
            seen.add(place)
            region = self.region(type, layout, place)
            part = self.held[tensor.name][place]
            result[region] = COMBINE[kind](result[region], part) if layout.partial else part
        return result

    # -- steps --------------------------------------------------------------------------

    def step(self, op: Op) -> None:
        """Do one operation on every device."""
        tensors = self.graph.tensors
        source, result = tensors[op.inputs[0]], tensors[op.outputs[0]]
        if found_operation(op).layout is None and op.kind != "permute":
            self.held[result.name] = {place: self._local(op, place) for place in self.places}
            return
        axes = [self.mesh.axis(name) for name in axes_of(dict(op.attrs), self.mesh)]
        target = result.type.layout
        if op.kind == "local_addend":
            held = self.held[source.name]
            self.held[result.name] = {p: self._addend(held[p], target, p) for p in self.places}
        elif op.kind == "local_slice":
            self._redistribute(source, result, {p: [p] for p in self.places})
        else:
            self._exchange(op, source, result, axes)

    def _local(self, op: Op, place: Place) -> Array:
        tensors = self.graph.tensors
        arrays = [self.held[name][place] for name in op.inputs]
        inputs = [self._as_held(tensors[n], a) for n, a in zip(op.inputs, arrays, strict=True)]
        out = tensors[op.outputs[0]]
        shape = [s.stop - s.start for s in self.region(out.type, out.type.layout, place)]
        result = self._as_held(out, np.empty(shape))
        kind = widest(tensor.dtype for tensor in inputs)
        view = OpView(op.kind, tuple(inputs), (result,), dict(op.attrs), kind)
        if op.kind in ("gather", "scatter", "scatter_add"):
            return self._looked_up(op, view, arrays, place)
        if op.kind in ("max", "min") and not arrays[0].size:
            return np.full(shape, IDENTITY[op.kind])
        run = found_operation(op).run
        if run is None:
            raise MissingRuleError(f"{op.kind} has no numpy reference", repair="register one")
        if op.kind == "mean":  # each device's part of the mean of all
            whole, part = tensors[op.inputs[0]].type.shape, inputs[0].type.shape
            axis = axis_positions(tensors[op.inputs[0]].type, dict(op.attrs)["axis"])
            total = prod(number(whole[n]) for n in axis)
            own = prod(number(part[n]) for n in axis)
            return np.asarray(run(view, *arrays) * (own / total)) if own else np.zeros(shape)
        return np.asarray(run(view, *arrays), dtype=float)

    def _looked_up(self, op: Op, view: OpView, arrays: Sequence[Array], place: Place) -> Array:
        """Rows that a device has; the rest are zeros, or stay as they are."""
        table = self.graph.tensors[op.inputs[0]]
        (axis,) = axis_positions(table.type, dict(op.attrs)["axis"])
        rows = self.region(table.type, table.type.layout, place)[axis]
        indices = arrays[1].astype(int) - rows.start
        mine = (indices >= 0) & (indices < rows.stop - rows.start)
        run = found_operation(op).run
        assert run is not None
        if op.kind == "gather":
            if not arrays[0].size:
                return np.zeros(view.shape)
            rows_found: Array = run(view, arrays[0], np.where(mine, indices, 0))
            after = (1,) * (rows_found.ndim - axis - mine.ndim)
            return np.asarray(rows_found * mine.reshape((1,) * axis + mine.shape + after))
        stored: Array = run(view, arrays[0], indices[mine], np.compress(mine, arrays[2], axis))
        return stored

    def _as_held(self, tensor: Tensor, array: Array) -> Tensor:
        shape = tuple(as_posynomial(size) for size in array.shape)
        return Tensor(tensor.name, TensorType.held(tensor.type, shape), tensor.role)

    # -- collectives --------------------------------------------------------------------

    def _redistribute(
        self, source: Tensor, result: Tensor, senders: Mapping[Place, Iterable[Place]]
    ) -> None:
        """Each device fills its new region from the old regions of some devices."""
        held, made = self.held[source.name], {}
        for place in self.places:
            goal = self.region(result.type, result.type.layout, place)
            array = np.zeros([part.stop - part.start for part in goal])
            for sender in senders[place]:
                have = self.region(source.type, source.type.layout, sender)
                here, there = _overlap(goal, have)
                array[here] = held[sender][there]
            made[place] = array
        self.held[result.name] = made

    def _exchange(self, op: Op, source: Tensor, result: Tensor, axes: list[MeshAxis]) -> None:
        """Move the values as the schedule says, within each group of devices."""
        self.held[result.name] = {}
        names = {axis.name for axis in axes}
        apart: dict[Place, list[Place]] = {}
        for place in self.places:
            key = tuple(c for c, name in zip(place, self.mesh, strict=True) if name not in names)
            apart.setdefault(key, []).append(place)
        wires: dict[str, Counter[Hardware]] = {}
        for places in apart.values():
            group = Group(self.mesh, places, axes)
            self._within(group, op, source, result)
            for axis, counted in group.wires.items():
                wires.setdefault(axis, Counter()).update(counted)
        for axis, total in wires.items():
            busiest = max(total.values(), default=0)
            self.moves.append(Move(op.kind, source.name, axis, busiest, group.hops(axis)))

    def _within(self, group: Group, op: Op, source: Tensor, result: Tensor) -> None:
        """One group's share of a collective; the results are left with the devices."""
        held, made = self.held[source.name], self.held[result.name]
        have = {p: self.region(source.type, source.type.layout, p) for p in group.places}
        goal = {p: self.region(result.type, result.type.layout, p) for p in group.places}
        names = {axis.name for axis in group.axes}
        kind = next((k for axis, k in source.type.partial if axis in names), "sum")
        parts = {p: {q: held[p][_overlap(goal[q], have[p])[1]] for q in group.places} for p in have}
        flat = {p: {q: a.ravel() for q, a in each.items()} for p, each in parts.items()}
        if op.kind == "all_gather":
            shards = group.gather({p: held[p].ravel() for p in group.places})
            for p, blocks in shards.items():
                made[p] = _filled(goal[p], {q: (have[q], blocks[q]) for q in blocks})
        elif op.kind == "reduce_scatter":
            for p, total in group.scatter(flat, kind).items():
                made[p] = total[: parts[p][p].size].reshape(parts[p][p].shape)
        elif op.kind == "all_reduce":
            for p, total in group.reduce({p: held[p].ravel() for p in have}, kind).items():
                made[p] = total[: held[p].size].reshape(held[p].shape)
        elif op.kind == "all_to_all":
            for p, blocks in group.swap(flat).items():
                both = {q: _both(have[q], goal[p]) for q in blocks}
                made[p] = _filled(goal[p], {q: (both[q], blocks[q]) for q in blocks})
        elif op.kind == "permute":
            for p, (q, array) in group.permute(have, goal, held).items():
                made[p] = _filled(goal[p], {q: (have[q], array)})
        else:
            raise MissingRuleError(
                f"{op.kind} is not run on virtual devices", repair="leave it out"
            )


def _overlap(goal: Region, have: Region) -> tuple[Region, Region]:
    """Where the overlap of two regions lies within each."""
    both = _both(goal, have)
    pairs = [zip(both, region, strict=True) for region in (goal, have)]
    here, there = (
        tuple(slice(x.start - y.start, x.stop - y.start) for x, y in each) for each in pairs
    )
    return here, there


def _both(a: Region, b: Region) -> Region:
    """The overlap of two regions; where there is none, nothing at the start of the first."""
    return tuple(
        slice(max(x.start, y.start), min(x.stop, y.stop))
        if max(x.start, y.start) < min(x.stop, y.stop)
        else slice(x.start, x.start)
        for x, y in zip(a, b, strict=True)
    )


def _filled(goal: Region, parts: Mapping[Place, tuple[Region, Array]]) -> Array:
    """A device's new array, out of flat padded parts with their regions."""
    result = np.zeros([part.stop - part.start for part in goal])
    for region, flat in parts.values():
        shape = [part.stop - part.start for part in region]
        here, there = _overlap(goal, region)
        result[here] = flat[: prod(shape)].reshape(shape)[there]
    return result
