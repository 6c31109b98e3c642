"""Running sums and the largest few along a split dimension.

Every device works on its own shard, a little of each shard is gathered, and what is left is done
on every device: the sums of the shards before it, or the largest of all candidates.
"""

from __future__ import annotations

from symcost.algebra import Posynomial
from symcost.errors import ShapeError
from symcost.model.axes import axis_positions
from symcost.model.entries import Entry, OpView, streamed
from symcost.model.layouts import Layout
from symcost.model.mesh import Mesh
from symcost.model.operations import Attrs, Types, operation
from symcost.model.ops.exchange import moved, same
from symcost.model.ops.exchange_layouts import axes_of
from symcost.model.ops.reduction import resolve_top
from symcost.model.tensors import TensorType


def along(types: Types, attrs: Attrs, given: TensorType | None, mesh: Mesh) -> tuple[Layout, Attrs]:
    """The result lies as the operand does, or whole along the dimension if only ``k`` stay."""
    (kind,), (place,) = types, axis_positions(types[0], attrs["axis"])
    split, said = kind.sharding[place], axes_of(attrs, mesh)
    if kind.partial or not split or (said and said != split):
        over = f" over {', '.join(said)}" if said else ""
        what = "is still partial" if kind.partial else f"is not split along its axis {place}{over}"
        raise ShapeError(
            f"{kind} {what}", repair="write cumsum or top_k, which find what has to be sent"
        )
    dims = tuple(() if n == place and "k" in attrs else d for n, d in enumerate(kind.sharding))
    return Layout(dims), {**attrs, "over": split}


def resolve_select(
    types: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """As for top_k, with what is left to be said: along which axis, and how many."""
    result, _ = resolve_top(types, attrs, given)
    (place,) = axis_positions(types[0], attrs.get("axis", -1))
    return result, {**attrs, "axis": (place,), "k": result.shape[place]}


def _rows(op: OpView) -> tuple[Posynomial, Posynomial, Posynomial]:
    """The rows of a device, their length, and the number of shards."""
    (place,) = axis_positions(op.inputs[0].type, op.attrs["axis"])
    length = op.inputs[0].shape[place]
    return op.inputs[0].size / length, length, op.mesh.count(axes_of(op.attrs, op.mesh))


@operation(
    "scan",
    operands=1,
    params=("over", "axis"),
    shape=lambda types, attrs, given: same(types, {"axis": -1, **attrs}, given),
    layout=along,
    example="mesh X=4; Z: bf16[I_X, J] = scan(A: bf16[I_X, J], axis=I)",
    convention="running sums along a split dimension: the sums of all shards are gathered; leading "
    "2 per value (the shard's sum, the running sum) and 1 per shard; exact 2*n + N - 3 for shards "
    "of n on N devices, on the last one; the operand read and the result written once",
    source="Blelloch, Prefix sums and their applications (1990), section 1.2",
)
def scan(op: OpView) -> tuple[Entry, ...]:
    """The sum of each shard is sent, then every device adds up from what comes before it."""
    rows, length, shards = _rows(op)
    steps = length * 2 + shards - (3 if op.exact else 0)
    return (*moved(op, "all_gather", rows), *streamed(op, flops=rows * steps))


@operation(
    "select",
    operands=1,
    params=("over", "axis", "k"),
    shape=resolve_select,
    layout=along,
    example="mesh X=4; Z: bf16[I, 2] = select(A: bf16[I, J_X], axis=J, k=2)",
    convention="the largest k along a split dimension: those of all shards are gathered; leading "
    "k*(n + k*N) for shards of n on N devices, exact as top_k of a shard and of the candidates; "
    "the operand read and the result written once",
    source="each of the largest k of all is one of the largest k of its shard",
)
def select(op: OpView) -> tuple[Entry, ...]:
    """The largest of each shard are sent, and the largest of these are kept."""
    rows, length, shards = _rows(op)
    k = op.outputs[0].size / rows
    each = (k + 1) / 2 if op.exact else k - k
    steps = k * (length + k * shards - each * 2)
    return (*moved(op, "all_gather", rows * k), *streamed(op, flops=rows * steps))
