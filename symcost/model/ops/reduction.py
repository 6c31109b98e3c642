"""Reductions over named axes: sum, mean, max, min, and the largest few."""

from __future__ import annotations

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import ShapeError
from symcost.model.axes import axis_positions
from symcost.model.entries import Entry, OpView, streamed
from symcost.model.operations import (
    Array,
    Attrs,
    CostRule,
    RunRule,
    ShapeRule,
    Types,
    operation,
)
from symcost.model.ops.splits import along_shards, reduction
from symcost.model.tensors import ONE, TensorType


def resolver(name: str) -> ShapeRule:
    """The shape rule: the named axes go, or stay with size one if the result says so."""

    def resolve(inputs: Types, attrs: Attrs, given: TensorType | None) -> tuple[TensorType, Attrs]:
        (kind,) = inputs
        gone = axis_positions(kind, _axis(kind, attrs, given))
        kept = [n for n in range(kind.rank) if n not in gone]
        shape = tuple(kind.shape[n] for n in kept)
        result = given or TensorType(kind.dtype, shape)
        if _without_ones(result.shape) != _without_ones(shape):
            reduced = TensorType(kind.dtype, shape)
            raise ShapeError(
                f"{name} over {_listed(kind, gone)} of {kind} gives {reduced}, not {result}",
                repair="correct the axis or the type of the result",
            )
        return result, {**attrs, "axis": gone}

    return resolve


def _axis(kind: TensorType, attrs: Attrs, given: TensorType | None) -> object:
    """The axis that was named; else what the result lacks; else the last."""
    if "axis" in attrs:
        return attrs["axis"]
    if given is not None:
        missing = tuple(size for size in kind.shape if size not in given.shape)
        if missing:
            return missing
    return -1


def _without_ones(shape: tuple[Posynomial, ...]) -> list[Posynomial]:
    return [size for size in shape if size != ONE]


def _listed(kind: TensorType, positions: tuple[int, ...]) -> str:
    return ", ".join(str(kind.shape[n]) for n in positions)


def along(op: OpView) -> Posynomial:
    """The number of values along the axes of an operation."""
    kind = op.inputs[0].type
    return Posynomial.product(kind.shape[n] for n in axis_positions(kind, op.attrs["axis"]))


def resolve_top(inputs: Types, attrs: Attrs, given: TensorType | None) -> tuple[TensorType, Attrs]:
    """As many values along the axis as ``k`` says, or the written result."""
    (kind,) = inputs
    (axis,) = axis_positions(kind, attrs.get("axis", -1))
    if "k" not in attrs and (given is None or given.rank != kind.rank):
        raise ShapeError("how many values top_k keeps is not said", repair="write top_k(X, k=2)")
    size = as_posynomial(attrs["k"]) if given is None else given.shape[axis]
    shape = (*kind.shape[:axis], size, *kind.shape[axis + 1 :])
    return TensorType(kind.dtype, shape), {"axis": (axis,)}


def top(op: OpView, array: Array) -> Array:
    """The numpy reference of top_k: the largest first."""
    import numpy as np

    (axis,) = axis_positions(op.inputs[0].type, op.attrs["axis"])
    return np.flip(np.sort(array, axis), axis).take(range(op.shape[axis]), axis)


def rule(extra: int) -> CostRule:
    """n values are combined in n - 1 steps, then ``extra`` steps finish; n to leading order."""

    def price(op: OpView) -> tuple[Entry, ...]:
        n = along(op)
        steps = n - 1 + extra if op.exact else n
        return streamed(op, flops=op.outputs[0].size * steps)

    return price


def reference(name: str) -> RunRule:
    """The numpy reference: the reduction of this name along the axes."""

    def run(op: OpView, array: Array) -> Array:
        reduced: Array = getattr(array, name)(
            axis=axis_positions(op.inputs[0].type, op.attrs["axis"])
        )
        return reduced.reshape(op.shape)

    return run


for _name, _extra, _exact in (
    ("sum", 0, "n - 1"),
    ("max", 0, "n - 1"),
    ("min", 0, "n - 1"),
    ("mean", 1, "n - 1 additions and one division"),
):
    operation(
        _name,
        operands=1,
        params=("axis",),
        shape=resolver(_name),
        run=reference(_name),
        split=reduction(_name),
        example=f"Z: bf16[B] = {_name}(X: bf16[B, D], axis=D)",
        convention=f"n values into one: leading n, exact {_exact}, per value of the result",
        source="n values need n - 1 binary operations; XLA HloCostAnalysis counts the same",
    )(rule(_extra))


@operation(
    "top_k",
    operands=1,
    params=("axis", "k"),
    shape=resolve_top,
    run=top,
    split=along_shards("select"),
    example="Z: bf16[B, 2] = top_k(X: bf16[B, D + 1])",
    convention="k searches for a maximum: leading k*n, exact one comparison fewer in each, "
    "and one value fewer after each",
    source="selection: D. Knuth, The Art of Computer Programming 3 (1998), section 5.2.3",
)
def top_k(op: OpView) -> tuple[Entry, ...]:
    """The largest of all, of the rest, and so on, k times."""
    (axis,) = axis_positions(op.inputs[0].type, op.attrs["axis"])
    n, k = op.inputs[0].shape[axis], op.outputs[0].shape[axis]
    return streamed(op, flops=op.outputs[0].size * (n - (k + 1) / 2 if op.exact else n))
