"""Virtual devices: a sharded program is run on numpy arrays, every collective by its schedule.

Each device holds its part of every tensor and knows which region of the whole it is. What a
collective moves is routed wire by wire and counted, so that a program's ledger can be compared
with what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product as every
from math import prod

import numpy as np

from symcost.algebra import as_posynomial
from symcost.errors import InvalidValueError, MissingRuleError
from symcost.model.axes import axis_positions
from symcost.model.collectives.networks import SWITCH
from symcost.model.collectives.several import ALONG
from symcost.model.data import GraphData, Op
from symcost.model.entries import OpView
from symcost.model.local import localized
from symcost.model.operations import found_operation
from symcost.model.ops.exchange_layouts import axes_of
from symcost.model.run import given_values
from symcost.model.tensors import Tensor, TensorType, widest
from symcost.plans.exchanges import EXCHANGES, Exchange
from symcost.plans.groups import COMBINE, Group, Hardware, apart
from symcost.plans.laid import Laid
from symcost.plans.regions import Place, Region, number, region_of, shape_of, within
from symcost.plans.wires import Array

MAX_DEVICES = 4096
IDENTITY = {"sum": 0.0, "max": -np.inf, "min": np.inf}


@dataclass
class Move:
    """What one collective moved on one axis: values on the busiest wire and on all, and hops."""

    op: str
    tensor: str
    axis: str
    busiest: int
    hops: int
    total: int


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
        UnknownNameError, ShapeError: an array is missing or does not fit.
    """
    local = localized(graph)
    machine = _Machine(local)
    for name, whole in given_values(local, arrays, {})[0].items():
        machine.deal(local.tensors[name], whole.astype(float))
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

    def region(self, tensor: Tensor, place: Place) -> Region:
        """Which part of the whole tensor a device holds."""
        return region_of(tensor.type, self.mesh, place)

    def deal(self, tensor: Tensor, whole: Array) -> None:
        """Give every device its part."""
        parts = {place: whole[self.region(tensor, place)] for place in self.places}
        self.held[tensor.name] = self._addends(parts, tensor)

    def _addends(self, parts: Mapping[Place, Array], tensor: Tensor) -> dict[Place, Array]:
        """Of partial values, the first device has them and the others nothing."""
        return {
            place: np.full(part.shape, IDENTITY[kinds[0]]) if kinds else part.copy()
            for place, part in parts.items()
            for at in [dict(zip(self.mesh, place, strict=True))]
            for kinds in [[kind for axis, kind in tensor.type.partial if at[axis]]]
        }

    def whole(self, tensor: Tensor) -> Array:
        """The whole tensor, put together; partial values are combined."""
        layout = tensor.type.layout
        kind = next((kind for _, kind in layout.partial), "sum")
        result = np.full([number(size) for size in tensor.shape], IDENTITY[kind])
        copies = [n for n, axis in enumerate(self.mesh) if axis not in layout.axes]
        for place in self.places:
            if not any(place[n] for n in copies):
                region = self.region(tensor, place)
                result[region] = COMBINE[kind](result[region], self.held[tensor.name][place])
        return result

    # -- steps --------------------------------------------------------------------------

    def step(self, op: Op) -> None:
        """Do one operation on every device."""
        tensors = self.graph.tensors
        source, result = tensors[op.inputs[0]], tensors[op.outputs[0]]
        if op.kind == "local_addend":
            self.held[result.name] = self._addends(self.held[source.name], result)
        elif op.kind == "local_slice":
            self._sliced(source, result)
        elif op.kind in EXCHANGES:
            self._exchange(op, source, result)
        else:
            self.held[result.name] = {place: self._local(op, place) for place in self.places}

    def _local(self, op: Op, place: Place) -> Array:
        tensors = self.graph.tensors
        arrays = [self.held[name][place] for name in op.inputs]
        inputs = [self._as_held(tensors[n], a) for n, a in zip(op.inputs, arrays, strict=True)]
        out = tensors[op.outputs[0]]
        shape = shape_of(self.region(out, place))
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
        rows = self.region(table, place)[axis]
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

    def _sliced(self, source: Tensor, result: Tensor) -> None:
        """Each device keeps its new region of what it has."""
        self.held[result.name] = {
            place: array[within(self.region(result, place), self.region(source, place))]
            for place, array in self.held[source.name].items()
        }

    def _exchange(self, op: Op, source: Tensor, result: Tensor) -> None:
        """Move the values as the schedule says, within each group of devices."""
        made: dict[Place, Array] = {}
        attrs = dict(op.attrs)
        axes = [self.mesh.axis(name) for name in axes_of(attrs, self.mesh)]
        names = {axis.name for axis in axes}
        lies = Laid(self.mesh, axes if op.kind not in ALONG else [])
        kind = next((k for axis, k in source.type.partial if axis in names), "sum")
        wires: dict[str, Counter[Hardware]] = {}
        for places in apart(self.mesh, self.places, names):
            at = {lies.place(p): p for p in places}
            group = Group(lies.mesh, list(at), [part for axis in axes for part in lies.parts(axis)])
            held = {q: self.held[source.name][p] for q, p in at.items()}
            have, goal = ({q: self.region(t, p) for q, p in at.items()} for t in (source, result))
            done = EXCHANGES[op.kind](Exchange(group, held, have, goal, kind, attrs))
            made.update({at[q]: array for q, array in done.items()})
            for axis, counted in group.wires.items():
                wires.setdefault(axis, Counter()).update(counted)
        self.held[result.name] = made
        hops = {axis: group.hops(axis) for axis in wires}
        for whole, parts in lies.together(wires).items():
            carried = [item for part in parts for item in wires[part].items()]
            busiest = max((n for _, n in carried), default=0)
            total = sum(n for (_, _, wire), n in carried if wire[0] != SWITCH)  # once each way
            passed = sum(hops[part] for part in parts)
            self.moves.append(Move(op.kind, source.name, whole, busiest, passed, total))
