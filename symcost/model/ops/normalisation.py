"""Softmax, layer norm, RMS norm and running sums: steps along one axis, counted one by one."""

from __future__ import annotations

from symcost.algebra import Posynomial
from symcost.errors import ShapeError
from symcost.model.axes import axis_positions
from symcost.model.entries import Entry, OpView, streamed
from symcost.model.operations import (
    Array,
    Attrs,
    CostRule,
    ShapeRule,
    Types,
    operation,
)
from symcost.model.ops.elementwise import aligned, broadcasts
from symcost.model.ops.reduction import along
from symcost.model.ops.splits import along_shards, row_wise
from symcost.model.tensors import TensorType


def resolver(name: str) -> ShapeRule:
    """The shape rule: the result has the shape of the first operand."""

    def resolve(inputs: Types, attrs: Attrs, given: TensorType | None) -> tuple[TensorType, Attrs]:
        kind, *scales = inputs
        axis = axis_positions(kind, attrs.get("axis", -1))
        for scale in scales:
            if not broadcasts(scale, kind):
                raise ShapeError(f"{name} cannot repeat {scale} to {kind}")
        return kind, {**attrs, "axis": axis}

    return resolve


def rule(per_value: int, per_row: int) -> CostRule:
    """``per_value`` steps per value, ``per_row`` more per row in the exact count.

    Each further operand (a scale, then a shift) is one more step per value.
    """

    def price(op: OpView) -> tuple[Entry, ...]:
        size = op.inputs[0].size
        steps: Posynomial = size * (per_value + len(op.inputs) - 1)
        if op.exact:
            steps = steps + size / along(op) * per_row
        return streamed(op, flops=steps)

    return price


EPSILON = 1e-6


def softmax(op: OpView, array: Array) -> Array:
    """The numpy reference of softmax, with the largest value taken off first."""
    import numpy as np

    axis = axis_positions(op.inputs[0].type, op.attrs["axis"])
    powers: Array = np.exp(array - array.max(axis=axis, keepdims=True))
    normed: Array = powers / powers.sum(axis=axis, keepdims=True)
    return normed


def norm(op: OpView, array: Array, *scales: Array) -> Array:
    """The numpy reference of the norms: a scale, then a shift."""
    import numpy as np

    axis = axis_positions(op.inputs[0].type, op.attrs["axis"])
    if op.kind == "layernorm":
        array = array - array.mean(axis=axis, keepdims=True)
    spread = (array * array).mean(axis=axis, keepdims=True)
    normed: Array = array / np.sqrt(spread + EPSILON)
    for position, (scale, tensor) in enumerate(zip(scales, op.inputs[1:], strict=True)):
        factor = aligned(scale, tensor.type, op.inputs[0].type)
        normed = normed + factor if position else normed * factor
    return normed


operation(
    "softmax",
    operands=1,
    params=("axis",),
    shape=resolver("softmax"),
    run=softmax,
    split=row_wise("softmax"),
    example="P = softmax(S: bf16[B, T], axis=T)",
    convention="exp(x - max(x)) / sum(exp(x - max(x))): leading 5 per value (max, subtract, "
    "exp, sum, divide); exact 5*n - 2 for a row of n, as max and sum take n - 1 each",
    source="Milakov and Gimelshein, Online normalizer calculation for softmax (2018), "
    "algorithm 2 (safe softmax)",
)(rule(5, -2))
operation(
    "layernorm",
    operands=(1, 3),
    params=("axis",),
    shape=resolver("layernorm"),
    run=norm,
    split=row_wise("layernorm"),
    example="Z = layernorm(X: bf16[B, D], g: bf16[D], c: bf16[D], axis=D)",
    convention="leading 5 per value (mean, subtract, square, mean of squares, multiply), and "
    "1 more for a scale and for a shift; exact: 2 more per row (add epsilon, rsqrt)",
    source="Ba, Kiros, Hinton, Layer normalization (2016), equations 3 and 4",
)(rule(5, 2))
operation(
    "rmsnorm",
    operands=(1, 2),
    params=("axis",),
    shape=resolver("rmsnorm"),
    run=norm,
    split=row_wise("rmsnorm"),
    example="Z = rmsnorm(X: bf16[B, D], g: bf16[D], axis=D)",
    convention="leading 3 per value (square, mean of squares, multiply), and 1 more for a "
    "scale; exact: 2 more per row (add epsilon, rsqrt)",
    source="Zhang and Sennrich, Root mean square layer normalization (2019), equation 4",
)(rule(3, 2))
operation(
    "cumsum",
    operands=1,
    params=("axis",),
    shape=resolver("cumsum"),
    run=lambda op, array: array.cumsum(axis_positions(op.inputs[0].type, op.attrs["axis"])[0]),
    split=along_shards("scan"),
    example="Z = cumsum(X: bf16[B, D], axis=D)",
    convention="the sum of all up to each: leading 1 per value, exact n - 1 for a row of n",
    source="Blelloch, Prefix sums and their applications (1990), section 1",
)(rule(1, -1))
