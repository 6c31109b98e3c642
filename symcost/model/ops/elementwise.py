"""Elementwise operations: each is the list of the steps that one value takes.

Source of the convention: XLA's HloCostAnalysis counts one operation per value for every
arithmetic instruction (convert and select included) and one per value for a transcendental
function (exp, log, tanh, erf, sqrt, rsqrt); compound functions are the sum of their steps.
"""

from __future__ import annotations

from collections.abc import Callable
from math import erf, pi, sqrt
from typing import NamedTuple

from symcost.errors import ShapeError
from symcost.model.entries import Entry, OpView, streamed
from symcost.model.operations import Array, Attrs, CostRule, RunRule, ShapeRule, Types, operation
from symcost.model.ops.splits import elementwise
from symcost.model.tensors import ONE, TensorType, widest

XLA = "XLA HloCostAnalysis: one operation per value, transcendental or not"
_GELU = "Hendrycks and Gimpel, Gaussian error linear units (2016), section 2"
_SILU = "Elfwing, Uchibe, Doya, Sigmoid-weighted linear units (2017), equation 1"


class Elementwise(NamedTuple):
    """An operation on each value: its formula in words and in numpy, and the steps it takes."""

    formula: str
    run: Callable[..., Array]  # of numpy and the operands
    steps: str
    operands: int = 1
    source: str = XLA
    alias: str = ""


KINDS = {
    "add": Elementwise("x + y", lambda np, x, y: x + y, "add", 2, alias="bias"),
    "sub": Elementwise("x - y", lambda np, x, y: x - y, "subtract", 2, alias="subtract"),
    "mul": Elementwise("x * y", lambda np, x, y: x * y, "multiply", 2, alias="multiply"),
    "div": Elementwise("x / y", lambda np, x, y: x / y, "divide", 2),
    "maximum": Elementwise("max(x, y)", lambda np, x, y: np.maximum(x, y), "maximum", 2),
    "minimum": Elementwise("min(x, y)", lambda np, x, y: np.minimum(x, y), "minimum", 2),
    "pow": Elementwise("x ** y", lambda np, x, y: x**y, "power", 2),
    "where": Elementwise("y if x else z", lambda np, x, y, z: np.where(x, y, z), "select", 3),
    "neg": Elementwise("-x", lambda np, x: -x, "negate"),
    "abs": Elementwise("abs(x)", lambda np, x: np.abs(x), "absolute"),
    "relu": Elementwise("max(x, 0)", lambda np, x: np.maximum(x, 0), "maximum"),
    "square": Elementwise("x * x", lambda np, x: x * x, "multiply"),
    "exp": Elementwise("exp(x)", lambda np, x: np.exp(x), "exp"),
    "log": Elementwise("log(x)", lambda np, x: np.log(x), "log"),
    "tanh": Elementwise("tanh(x)", lambda np, x: np.tanh(x), "tanh"),
    "sqrt": Elementwise("sqrt(x)", lambda np, x: np.sqrt(x), "sqrt"),
    "rsqrt": Elementwise("1 / sqrt(x)", lambda np, x: 1 / np.sqrt(x), "rsqrt"),
    # the frame stores a result in the dtype of its tensor
    "cast": Elementwise("x in another dtype", lambda np, x: x, "convert"),
    "sigmoid": Elementwise(
        "1 / (1 + exp(-x))", lambda np, x: 1 / (1 + np.exp(-x)), "negate, exp, add, divide"
    ),
    "silu": Elementwise(
        "x * (1 / (1 + exp(-x)))",
        lambda np, x: x / (1 + np.exp(-x)),
        "negate, exp, add, divide, multiply",
        source=_SILU,
        alias="swish",
    ),
    "gelu": Elementwise(
        "(x / 2) * (1 + erf(x * sqrt(1/2)))",
        lambda np, x: x / 2 * (1 + np.vectorize(erf, otypes=[float])(x * sqrt(0.5))),
        "multiply, erf, add, multiply, multiply",
        source=_GELU,
    ),
    "gelu_tanh": Elementwise(
        "(x / 2) * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x * x * x)))",
        lambda np, x: x / 2 * (1 + np.tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))),
        "multiply, multiply, multiply, add, multiply, tanh, add, multiply, multiply",
        source=_GELU,
    ),
}


def resolver(name: str) -> ShapeRule:
    """The shape rule: smaller operands are repeated along the axes that they lack."""

    def resolve(inputs: Types, attrs: Attrs, given: TensorType | None) -> TensorType:
        base = given or max(inputs, key=lambda kind: kind.rank)
        for kind in inputs:
            if not broadcasts(kind, base):
                raise ShapeError(
                    f"{name} cannot repeat {kind} to {base}",
                    repair="the dimensions of each operand must be among those of the result",
                )
        dtype = widest(kind.dtype for kind in inputs)
        result = given or TensorType(dtype, base.shape)
        if len(inputs) == 1 and inputs[0].size != result.size:
            raise ShapeError(f"{name} gives {inputs[0]}, not {result}")
        return result

    return resolve


def broadcasts(kind: TensorType, base: TensorType) -> bool:
    """Whether a tensor can be repeated to a shape: by name, numbers by position from the right."""
    if kind.rank > base.rank:
        return False
    right = zip(reversed(kind.shape), reversed(base.shape), strict=False)
    if all(size in (ONE, other) for size, other in right):
        return True
    return all(size in base.shape for size in kind.shape if size != ONE)


def rule(name: str, flops_per_value: int) -> CostRule:
    """The cost rule: so many operations per value of the result, on the vector unit."""

    def price(op: OpView) -> tuple[Entry, ...]:
        return streamed(op, flops=op.outputs[0].size * flops_per_value)

    return conversion if name == "cast" else price


def conversion(op: OpView) -> tuple[Entry, ...]:
    """One conversion per value at the wider of the two dtypes; none where they are the same."""
    source, result = op.inputs[0].dtype, op.outputs[0].dtype
    flops = op.outputs[0].size if source != result else 0
    return streamed(op, flops=flops, dtype=widest((source, result)).name)


def aligned(array: Array, kind: TensorType, base: TensorType) -> Array:
    """The values of an operand with the axes of the result, of size one where it lacks them."""
    right = list(zip(reversed(kind.shape), reversed(base.shape), strict=False))
    if all(size in (ONE, other) for size, other in right):
        return array
    named = {base.shape.index(size): n for n, size in enumerate(kind.shape) if size != ONE}
    moved = array.transpose([*(named[n] for n in sorted(named)), *_units(kind)])
    return moved.reshape([array.shape[named[n]] if n in named else 1 for n in range(base.rank)])


def _units(kind: TensorType) -> list[int]:
    return [n for n, size in enumerate(kind.shape) if size == ONE]


def reference(name: str) -> RunRule:
    """The numpy reference: the formula of the operation, value by value."""

    def run(op: OpView, *arrays: Array) -> Array:
        import numpy as np

        base = op.outputs[0].type
        operands = [
            aligned(array, tensor.type, base)
            for array, tensor in zip(arrays, op.inputs, strict=True)
        ]
        values: Array = KINDS[name].run(np, *operands)
        return np.broadcast_to(values, op.shape)

    return run


def _example(name: str, operands: int) -> str:
    cast = "fp32" if name == "cast" else "bf16"
    args = ["X: bf16[B, D]", "Y: bf16[B, D]", "V: bf16[B, D]"][:operands]
    if name == "where":
        args[0] = "X: bool[B, D]"
    return f"Z: {cast}[B, D] = {name}({', '.join(args)})"


for _name, _kind in KINDS.items():
    _count = len(_kind.steps.split(", "))
    _note = "; none where the dtype stays the same" if _name == "cast" else ""
    operation(
        _name,
        operands=_kind.operands,
        params=(),
        aliases=_kind.alias or (),
        shape=resolver(_name),
        run=reference(_name),
        split=elementwise(_name),
        example=_example(_name, _kind.operands),
        convention=f"{_kind.formula}: {_count} per value ({_kind.steps}){_note}",
        source=_kind.source,
    )(rule(_name, _count))
