"""Parts of tensors: a slice of a larger one, a smaller one padded with zeros, several in a row."""

from __future__ import annotations

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import ShapeError
from symcost.model.axes import axis_positions
from symcost.model.entries import OpView, free, numbers, streamed
from symcost.model.operations import Array, Attrs, ShapeRule, Types, operation
from symcost.model.ops import splits
from symcost.model.tensors import TensorType, widest


def window(name: str) -> ShapeRule:
    """The written shape, if the part lies within the whole where both are numbers."""

    def resolve(inputs: Types, attrs: Attrs, given: TensorType | None) -> tuple[TensorType, Attrs]:
        (kind,) = inputs
        if given is None or given.rank != kind.rank:
            raise ShapeError(
                f"a {name} of {kind} needs the shape of its result, with {kind.rank} axes",
                repair="write it, for example X[:, :D // 2]"
                if name == "slice"
                else "write it, for example Y: bf16[B + 2, D] = pad(X, starts=[1, 0])",
            )
        part, whole = (given, kind) if name == "slice" else (kind, given)
        starts = attrs.get("starts", (0,) * kind.rank)
        listed = starts if isinstance(starts, tuple) else (starts,)
        if len(listed) != kind.rank:
            raise ShapeError(
                f"{len(listed)} starts do not fit {kind}", repair="give one for each axis"
            )
        for start, length, size in zip(listed, part.shape, whole.shape, strict=True):
            left = size - length - as_posynomial(start)
            if left and all(coefficient < 0 for coefficient in left.terms.values()):
                raise ShapeError(f"a {name} of {length} from {start} is out of {size}")
        return TensorType(kind.dtype, given.shape), {"starts": listed}

    return resolve


def _window(op: OpView, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """The part of the larger array that begins at the starts."""
    starts = op.attrs["starts"]
    assert isinstance(starts, tuple)
    first = numbers(tuple(as_posynomial(start) for start in starts), op.sizes)
    return tuple(slice(a, a + n) for a, n in zip(first, shape, strict=True))


def padded(op: OpView, array: Array) -> Array:
    """The numpy reference of pad: zeros around."""
    import numpy as np

    result = np.zeros(op.shape)
    result[_window(op, array.shape)] = array
    return result


def resolve_concat(
    inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    """The sizes along the axis add up; all others are the same."""
    first = inputs[0]
    (axis,) = axis_positions(first, attrs.get("axis", 0))
    others = [(*kind.shape[:axis], *kind.shape[axis + 1 :]) for kind in inputs]
    for kind, other in zip(inputs, others, strict=True):
        if other != others[0]:
            raise ShapeError(
                f"{kind} does not go on {first} along its axis {first.shape[axis]}",
                repair="all other axes must be the same",
            )
    size = Posynomial.sum(kind.shape[axis] for kind in inputs)
    shape = (*first.shape[:axis], size, *first.shape[axis + 1 :])
    return TensorType(widest(kind.dtype for kind in inputs), shape), {"axis": (axis,)}


def joined(op: OpView, *arrays: Array) -> Array:
    """The numpy reference of concat."""
    import numpy as np

    (axis,) = axis_positions(op.inputs[0].type, op.attrs["axis"])
    return np.concatenate(arrays, axis=axis)


_COMPULSORY = "compulsory traffic: each value that is needed is read once, each result written once"

operation(
    "slice",
    operands=1,
    params=("starts",),
    shape=window("slice"),
    run=lambda op, array: array[_window(op, op.shape)],
    example="Y: bf16[B, D] = slice(X: bf16[B, D + 1], starts=[0, 1])",
    convention="free: a part of the tensor, of which only what is used later is read",
    source=_COMPULSORY,
)(free)
operation(
    "pad",
    operands=1,
    params=("starts",),
    shape=window("pad"),
    run=padded,
    split=splits.padded,
    example="Y: bf16[B + 2, D] = pad(X: bf16[B, D], starts=[1, 0])",
    convention="no FLOPs; the operand is read, the result with its zeros written",
    source=_COMPULSORY,
)(streamed)
operation(
    "concat",
    operands=(1, None),
    params=("axis",),
    aliases=("concatenate", "cat"),
    shape=resolve_concat,
    run=joined,
    split=splits.whole_along,
    example="Y = concat(X: bf16[B, D], Z: bf16[E, D], axis=0)",
    convention="no FLOPs; the operands are read, the result written",
    source=_COMPULSORY,
)(streamed)
