"""Elementwise operations: each is the list of the steps that one value takes.

Source of the convention: XLA's HloCostAnalysis counts one operation per value for every
arithmetic instruction (convert and select included) and one per value for a transcendental
function (exp, log, tanh, erf, sqrt, rsqrt); compound functions are the sum of their steps.
"""

from __future__ import annotations

from collections.abc import Callable
from math import erf, pi, sqrt

from symcost.errors import ShapeError
from symcost.model.entries import Entry, OpView, streamed
from symcost.model.operations import Array, Attrs, CostRule, RunRule, ShapeRule, Types, operation
from symcost.model.ops.splits import elementwise
from symcost.model.tensors import ONE, TensorType, widest

# name: (operands, steps per value, formula)
STEPS: dict[str, tuple[int, tuple[str, ...], str]] = {
    "add": (2, ("add",), "x + y"),
    "sub": (2, ("subtract",), "x - y"),
    "mul": (2, ("multiply",), "x * y"),
    "div": (2, ("divide",), "x / y"),
    "maximum": (2, ("maximum",), "max(x, y)"),
    "minimum": (2, ("minimum",), "min(x, y)"),
    "pow": (2, ("power",), "x ** y"),
    "where": (3, ("select",), "y if x else z"),
    "neg": (1, ("negate",), "-x"),
    "abs": (1, ("absolute",), "abs(x)"),
    "relu": (1, ("maximum",), "max(x, 0)"),
    "square": (1, ("multiply",), "x * x"),
    "exp": (1, ("exp",), "exp(x)"),
    "log": (1, ("log",), "log(x)"),
    "tanh": (1, ("tanh",), "tanh(x)"),
    "sqrt": (1, ("sqrt",), "sqrt(x)"),
    "rsqrt": (1, ("rsqrt",), "1 / sqrt(x)"),
    "cast": (1, ("convert",), "x in another dtype"),
    "sigmoid": (1, ("negate", "exp", "add", "divide"), "1 / (1 + exp(-x))"),
    "silu": (1, ("negate", "exp", "add", "divide", "multiply"), "x * (1 / (1 + exp(-x)))"),
    "gelu": (
        1,
        ("multiply", "erf", "add", "multiply", "multiply"),
        "(x / 2) * (1 + erf(x * sqrt(1/2)))",
    ),
    "gelu_tanh": (
        1,
        ("multiply",) * 3 + ("add", "multiply", "tanh", "add", "multiply", "multiply"),
        "(x / 2) * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x * x * x)))",
    ),
}
ALIASES = {"add": ("bias",), "silu": ("swish",), "sub": ("subtract",), "mul": ("multiply",)}
SOURCES = {
    "gelu": "Hendrycks and Gimpel, Gaussian error linear units (2016), section 2",
    "gelu_tanh": "Hendrycks and Gimpel, Gaussian error linear units (2016), section 2",
    "silu": "Elfwing, Uchibe, Doya, Sigmoid-weighted linear units (2017), equation 1",
}
FORMULAS: dict[str, Callable[..., Array]] = {  # in numpy, which is the first argument
    "add": lambda np, x, y: x + y,
    "sub": lambda np, x, y: x - y,
    "mul": lambda np, x, y: x * y,
    "div": lambda np, x, y: x / y,
    "maximum": lambda np, x, y: np.maximum(x, y),
    "minimum": lambda np, x, y: np.minimum(x, y),
    "pow": lambda np, x, y: x**y,
    "where": lambda np, x, y, z: np.where(x, y, z),
    "neg": lambda np, x: -x,
    "abs": lambda np, x: np.abs(x),
    "relu": lambda np, x: np.maximum(x, 0),
    "square": lambda np, x: x * x,
    "exp": lambda np, x: np.exp(x),
    "log": lambda np, x: np.log(x),
    "tanh": lambda np, x: np.tanh(x),
    "sqrt": lambda np, x: np.sqrt(x),
    "rsqrt": lambda np, x: 1 / np.sqrt(x),
    "cast": lambda np, x: x,  # the frame stores a result in the dtype of its tensor
    "sigmoid": lambda np, x: 1 / (1 + np.exp(-x)),
    "silu": lambda np, x: x / (1 + np.exp(-x)),
    "gelu": lambda np, x: x / 2 * (1 + np.vectorize(erf, otypes=[float])(x * sqrt(0.5))),
    "gelu_tanh": lambda np, x: x / 2 * (1 + np.tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))),
}
XLA = "XLA HloCostAnalysis: one operation per value, transcendental or not"


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
        if all(not same_size(kind, result) for kind in inputs) and len(inputs) == 1:
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


def same_size(kind: TensorType, base: TensorType) -> bool:
    """Whether no repeating is needed."""
    return kind.size == base.size


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
        values: Array = FORMULAS[name](np, *operands)
        return np.broadcast_to(values, op.shape)

    return run


def _example(name: str, operands: int) -> str:
    cast = "fp32" if name == "cast" else "bf16"
    args = ["X: bf16[B, D]", "Y: bf16[B, D]", "V: bf16[B, D]"][:operands]
    if name == "where":
        args[0] = "X: bool[B, D]"
    return f"Z: {cast}[B, D] = {name}({', '.join(args)})"


for _name, (_operands, _steps, _formula) in STEPS.items():
    _note = "; none where the dtype stays the same" if _name == "cast" else ""
    operation(
        _name,
        operands=_operands,
        params=(),
        aliases=ALIASES.get(_name, ()),
        shape=resolver(_name),
        run=reference(_name),
        split=elementwise(_name),
        example=_example(_name, _operands),
        convention=f"{_formula}: {len(_steps)} per value ({', '.join(_steps)}){_note}",
        source=SOURCES.get(_name, XLA),
    )(rule(_name, len(_steps)))
