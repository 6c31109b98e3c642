"""Operations that move data and compute nothing: transpose, reshape, gather, scatter, send."""

from __future__ import annotations

from symcost.errors import ShapeError
from symcost.model.axes import axis_positions
from symcost.model.entries import Entry, OpView, arithmetic, free, read, transfer, write
from symcost.model.operations import Array, Attrs, Types, operation
from symcost.model.ops import splits
from symcost.model.ops.elementwise import conversion
from symcost.model.tensors import TensorType, bytes_per_value


def resolve_transpose(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """The order of the axes: as named, as the result has them, or the last two exchanged."""
    (kind,) = inputs
    order = axis_positions(kind, attrs.get("axes", _order(kind, given)))
    if len(order) != kind.rank:
        raise ShapeError(
            f"transpose needs all {kind.rank} axes of {kind}, not {len(order)}",
            repair="name each axis once, for example axes=[D, B]",
        )
    shape = tuple(kind.shape[n] for n in order)
    return TensorType(kind.dtype, shape), {**attrs, "axes": order}


def _order(kind: TensorType, given: TensorType | None) -> tuple[int, ...]:
    """The last two axes exchanged; else each axis of the written result by its size."""
    rank = kind.rank
    swapped = (*range(rank - 2), *reversed(range(max(rank - 2, 0), rank)))
    if given is None or given.shape == tuple(kind.shape[n] for n in swapped):
        return swapped
    free = list(range(rank))
    order = []
    for size in given.shape:
        place = next((n for n in free if kind.shape[n] == size), None)
        if place is None:
            return swapped
        free.remove(place)
        order.append(place)
    return tuple(order)


def resolve_reshape(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """The written shape, if it holds as many values."""
    (kind,) = inputs
    if given is None:
        raise ShapeError(
            "reshape needs the shape of its result",
            repair="write it, for example Y: bf16[B, H, K] = reshape(X)",
        )
    if given.size != kind.size or given.dtype != kind.dtype:
        raise ShapeError(
            f"reshape cannot make {given} ({given.size} values) of {kind} ({kind.size} values)",
            repair="write one size in terms of the others, for example H*K for D",
        )
    return given, attrs


def resolve_gather(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """The indexed axis of the table gives way to the axes of the indices."""
    table, indices = inputs
    (axis,) = axis_positions(table, attrs.get("axis", 0))
    shape = (*table.shape[:axis], *indices.shape, *table.shape[axis + 1 :])
    return TensorType(table.dtype, shape), {**attrs, "axis": (axis,)}


def resolve_scatter(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """The result is the table; the updates are shaped like a gather of it."""
    table, indices, updates = inputs
    (axis,) = axis_positions(table, attrs.get("axis", 0))
    shape = (*table.shape[:axis], *indices.shape, *table.shape[axis + 1 :])
    if updates.shape != shape:
        raise ShapeError(
            f"updates {updates} do not fit; scatter needs [{', '.join(map(str, shape))}]",
            repair="updates have the axes of the indices in place of the indexed axis",
        )
    return table, {**attrs, "axis": (axis,)}


def resolve_send(inputs: Types, attrs: Attrs, given: TensorType | None) -> TensorType:
    """A copy of the tensor."""
    for name, what in (("over", "a link"), ("to", "a device")):
        if name not in attrs:
            raise ShapeError(
                f"send needs {what}, {name}", repair='give over="nvlink" and to="gpu1"'
            )
    return inputs[0]


def transposed(op: OpView, array: Array) -> Array:
    """The numpy reference of transpose."""
    return array.transpose(axis_positions(op.inputs[0].type, op.attrs["axes"]))


def taken(op: OpView, table: Array, indices: Array) -> Array:
    """The numpy reference of gather."""
    return table.take(indices.astype(int), axis=_axis(op))


def stored(op: OpView, table: Array, indices: Array, updates: Array) -> Array:
    """The numpy reference of scatter and scatter_add; of equal indices the last one stays."""
    import numpy as np

    result = table.copy()
    axis = _axis(op)
    rows, values = np.moveaxis(result, axis, 0), _rows_first(updates, axis, indices.ndim)
    if op.kind == "scatter_add":
        np.add.at(rows, indices.astype(int), values)
    else:
        rows[indices.astype(int)] = values
    return result


def _rows_first(updates: Array, axis: int, rank: int) -> Array:
    """The axes of the indices before the others."""
    order = [*range(axis, axis + rank), *range(axis), *range(axis + rank, updates.ndim)]
    return updates.transpose(order)


def _axis(op: OpView) -> int:
    return axis_positions(op.inputs[0].type, op.attrs["axis"])[0]


_COMPULSORY = "compulsory traffic: each value that is needed is read once, each result written once"

operation(
    "transpose",
    operands=1,
    params=("axes",),
    shape=resolve_transpose,
    run=transposed,
    split=splits.transpose,
    example="Y: bf16[D, B] = transpose(X: bf16[B, D])",
    convention="no FLOPs, or one conversion per value where the dtype changes; the operand is "
    "read, the result written",
    source=_COMPULSORY,
)(conversion)
operation(
    "reshape",
    operands=1,
    params=(),
    in_place=True,
    shape=resolve_reshape,
    run=lambda op, array: array.reshape(op.shape),
    split=splits.reshape,
    example="Y: bf16[B, H, K] = reshape(X: bf16[B, H*K])",
    convention="free: the same memory under another shape",
    source="a row-major tensor keeps its order of values under a reshape",
)(free)


@operation(
    "gather",
    operands=2,
    params=("axis",),
    shape=resolve_gather,
    run=taken,
    split=splits.gather,
    example="Y = gather(E: bf16[V, D], ids: int32[B, T], axis=V)",
    convention="no FLOPs; reads the indices and the rows used, not the table",
    source=_COMPULSORY,
)
def gather(op: OpView) -> tuple[Entry, ...]:
    """Read the indices and the rows that are used, write the result."""
    table, indices = op.inputs
    rows = op.outputs[0].size * bytes_per_value(table.dtype)
    return (read(op, table, rows), read(op, indices), write(op, op.outputs[0]))


@operation(
    "scatter",
    operands=3,
    params=("axis",),
    in_place=True,
    shape=resolve_scatter,
    run=stored,
    split=splits.scatter,
    example="Y = scatter(E: bf16[V, D], ids: int32[T], U: bf16[T, D], axis=V)",
    convention="no FLOPs; reads the indices and the updates, writes the rows in place",
    source=_COMPULSORY,
)
def scatter(op: OpView) -> tuple[Entry, ...]:
    """Read indices and updates, write the rows; the rest of the table stays where it is."""
    table, indices, updates = op.inputs
    rows = updates.size * bytes_per_value(table.dtype)
    return (read(op, indices), read(op, updates), write(op, op.outputs[0], rows))


@operation(
    "scatter_add",
    operands=3,
    params=("axis",),
    in_place=True,
    shape=resolve_scatter,
    run=stored,
    split=splits.scatter,
    example="Y = scatter_add(E: bf16[V, D], ids: int32[T], U: bf16[T, D], axis=V)",
    convention="one addition per value; reads the indices, the updates and the rows, "
    "writes the rows in place",
    source=_COMPULSORY,
)
def scatter_add(op: OpView) -> tuple[Entry, ...]:
    """Like scatter, but the rows are read as well and one addition per value is made."""
    table, _, updates = op.inputs
    rows = updates.size * bytes_per_value(table.dtype)
    return (*arithmetic(op, updates.size), read(op, table, rows), *scatter(op))


@operation(
    "send",
    operands=1,
    params=("over", "to"),
    shape=resolve_send,
    run=lambda op, array: array,
    example="Z = relu(X: bf16[B, D]) on gpu0; send Z to gpu1 over nvlink",
    convention="no FLOPs; the tensor's bytes over the link, one way; the memories at both "
    "ends are not charged, as what is computed there reads and writes them already",
    source=_COMPULSORY,
)
def send(op: OpView) -> tuple[Entry, ...]:
    """Bytes over the link, from the operation's place to another."""
    return (transfer(op, op.inputs[0], str(op.attrs["over"]), str(op.attrs["to"])),)
