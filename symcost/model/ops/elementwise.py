"""Elementwise operations: each is the list of the steps that one value takes.

Source of the convention: XLA's HloCostAnalysis counts one operation per value for every
arithmetic instruction (convert and select included) and one per value for a transcendental
function (exp, log, tanh, erf, sqrt, rsqrt); compound functions are the sum of their steps.
"""

from __future__ import annotations

from collections.abc import Callable

from symcost.errors import ShapeError
from symcost.model.ops.kinds import Attrs, OpKind, Resolve, Types, register_op
from symcost.model.ops.sharding import check_local
from symcost.model.rules import CostRule, Entry, OpView, streamed
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
XLA = "XLA HloCostAnalysis: one operation per value, transcendental or not"


def resolver(name: str) -> Resolve:
    """The shape rule: smaller operands are repeated along the axes that they lack."""

    def resolve(inputs: Types, attrs: Attrs, given: TensorType | None) -> tuple[TensorType, Attrs]:
        base = given or max(inputs, key=lambda kind: kind.rank)
        for kind in inputs:
            if not broadcasts(kind, base):
                raise ShapeError(
                    f"{name} cannot repeat {kind} to {base}",
                    repair="the dimensions of each operand must be among those of the result",
                )
        dtype = widest(kind.dtype for kind in inputs)
        result = given or TensorType(dtype, base.shape, base.sharding)
        if all(not same_size(kind, result) for kind in inputs) and len(inputs) == 1:
            raise ShapeError(f"{name} gives {inputs[0]}, not {result}")
        check_local(name, inputs, result)
        return result, attrs

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


def rule(flops_per_value: int) -> CostRule:
    """The cost rule: so many operations per value of the result, on the vector unit."""

    def price(op: OpView) -> tuple[Entry, ...]:
        return streamed(op, flops=op.outputs[0].size * flops_per_value)

    return price


def _example(name: str, operands: int) -> str:
    cast = "fp32" if name == "cast" else "bf16"
    args = ["X: bf16[B, D]", "Y: bf16[B, D]", "V: bf16[B, D]"][:operands]
    if name == "where":
        args[0] = "X: bool[B, D]"
    return f"Z: {cast}[B, D] = {name}({', '.join(args)})"


def _register(make: Callable[[int], CostRule] = rule) -> None:
    for name, (operands, steps, formula) in STEPS.items():
        register_op(
            OpKind(
                name=name,
                operands=(operands, operands),
                resolve=resolver(name),
                rule=make(len(steps)),
                example=_example(name, operands),
                convention=f"{formula}: {len(steps)} per value ({', '.join(steps)})",
                source=SOURCES.get(name, XLA),
            ),
            aliases=ALIASES.get(name, ()),
        )


_register()
