"""Operations that move data and compute nothing: transpose, reshape, gather, scatter, send."""

from __future__ import annotations

from symcost.errors import ShapeError
from symcost.model.ops.kinds import Attrs, OpKind, Types, axis_positions, register_op, same_shape
from symcost.model.ops.sharding import check_local
from symcost.model.rules import Entry, OpView, arithmetic, free, read, streamed, transfer, write
from symcost.model.tensors import TensorType, bytes_per_value


def resolve_transpose(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """The order of the axes: as named, as the result has them, or the last two exchanged."""
    (kind,) = inputs
    default: object = (*range(kind.rank - 2), *reversed(range(max(kind.rank - 2, 0), kind.rank)))
    if given is not None:
        default = tuple(given.shape) if not _has_numbers(given) else default
    order = axis_positions(kind, attrs.get("axes", default))
    if len(order) != kind.rank:
        raise ShapeError(
            f"transpose needs all {kind.rank} axes of {kind}, not {len(order)}",
            repair="name each axis once, for example axes=[D, B]",
        )
    shape = tuple(kind.shape[n] for n in order)
    split = tuple(kind.sharding[n] for n in order)
    result = (
        same_shape(shape, given, "transpose") if given else TensorType(kind.dtype, shape, split)
    )
    check_local("transpose", inputs, result)
    return result, {**attrs, "axes": order}


def _has_numbers(kind: TensorType) -> bool:
    return any(size.is_constant for size in kind.shape)


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
    check_local("reshape", inputs, given)
    return given, attrs


def resolve_gather(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """The indexed axis of the table gives way to the axes of the indices."""
    table, indices = inputs
    (axis,) = axis_positions(table, attrs.get("axis", 0))
    shape = (*table.shape[:axis], *indices.shape, *table.shape[axis + 1 :])
    split = (*table.sharding[:axis], *indices.sharding, *table.sharding[axis + 1 :])
    result = same_shape(shape, given, "gather") if given else TensorType(table.dtype, shape, split)
    check_local("gather", inputs, result, (axis,))
    return result, {**attrs, "axis": (axis,)}


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
    result = same_shape(table.shape, given, "scatter") if given else table
    check_local("scatter", inputs, result, (axis,))
    return result, {**attrs, "axis": (axis,)}


def resolve_send(inputs: Types, attrs: Attrs, given: TensorType | None) -> tuple[TensorType, Attrs]:
    """A copy of the tensor."""
    return inputs[0], attrs


def gather(op: OpView) -> tuple[Entry, ...]:
    """Read the indices and the rows that are used, write the result."""
    table, indices = op.inputs
    rows = op.outputs[0].size * bytes_per_value(table.dtype)
    return (read(op, table, rows), read(op, indices), write(op, op.outputs[0]))


def scatter(op: OpView) -> tuple[Entry, ...]:
    """Read indices and updates, write the rows; the rest of the table stays where it is."""
    table, indices, updates = op.inputs
    rows = updates.size * bytes_per_value(table.dtype)
    return (read(op, indices), read(op, updates), write(op, op.outputs[0], rows))


def scatter_add(op: OpView) -> tuple[Entry, ...]:
    """Like scatter, but the rows are read as well and one addition per value is made."""
    table, _, updates = op.inputs
    rows = updates.size * bytes_per_value(table.dtype)
    return (*arithmetic(op, updates.size), read(op, table, rows), *scatter(op))


def send(op: OpView) -> tuple[Entry, ...]:
    """Bytes over the link, from the operation's place to another."""
    return (transfer(op, op.inputs[0], str(op.attrs["over"]), str(op.attrs["to"])),)


_COMPULSORY = "compulsory traffic: each value that is needed is read once, each result written once"

for _kind in (
    OpKind(
        name="transpose",
        operands=(1, 1),
        resolve=resolve_transpose,
        rule=streamed,
        example="Y: bf16[D, B] = transpose(X: bf16[B, D])",
        convention="no FLOPs; the operand is read, the result written",
        source=_COMPULSORY,
        params=("axes",),
    ),
    OpKind(
        name="reshape",
        operands=(1, 1),
        resolve=resolve_reshape,
        rule=free,
        example="Y: bf16[B, H, K] = reshape(X: bf16[B, H*K])",
        convention="free: the same memory under another shape",
        source="a row-major tensor keeps its order of values under a reshape",
    ),
    OpKind(
        name="gather",
        operands=(2, 2),
        resolve=resolve_gather,
        rule=gather,
        example="Y = gather(E: bf16[V, D], ids: int32[B, T], axis=V)",
        convention="no FLOPs; reads the indices and the rows used, not the table",
        source=_COMPULSORY,
        params=("axis",),
    ),
    OpKind(
        name="scatter",
        operands=(3, 3),
        resolve=resolve_scatter,
        rule=scatter,
        example="Y = scatter(E: bf16[V, D], ids: int32[T], U: bf16[T, D], axis=V)",
        convention="no FLOPs; reads the indices and the updates, writes the rows in place",
        source=_COMPULSORY,
        params=("axis",),
    ),
    OpKind(
        name="scatter_add",
        operands=(3, 3),
        resolve=resolve_scatter,
        rule=scatter_add,
        example="Y = scatter_add(E: bf16[V, D], ids: int32[T], U: bf16[T, D], axis=V)",
        convention="one addition per value; reads the indices, the updates and the rows, "
        "writes the rows in place",
        source=_COMPULSORY,
        params=("axis",),
    ),
    OpKind(
        name="send",
        operands=(1, 1),
        resolve=resolve_send,
        rule=send,
        example="Z = relu(X: bf16[B, D]) on gpu0; send Z to gpu1 over nvlink",
        convention="no FLOPs; the tensor's bytes over the link, one way; the memories at both "
        "ends are not charged, as what is computed there reads and writes them already",
        source=_COMPULSORY,
        params=("over", "to"),
    ),
):
    register_op(_kind)
