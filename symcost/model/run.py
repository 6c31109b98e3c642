"""Running a program with numpy: every operation by its reference, in program order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sympy import Symbol

from symcost.errors import MissingRuleError, ShapeError, UnknownNameError
from symcost.model.data import GraphData, Op
from symcost.model.entries import OpView, numbers
from symcost.model.operations import found_operation, view
from symcost.model.tensors import Tensor
from symcost.symbols import dim

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from symcost.model.operations import Array

NUMPY_KINDS = {"int": "int64", "bool": "bool"}  # everything else is computed in float64


def run(
    graph: GraphData, arrays: Mapping[str, ArrayLike], sizes: Mapping[str, int] | None = None
) -> dict[str, Array]:
    """The value of every tensor of a program, exact in whole numbers and in float64 otherwise.

    >>> import numpy as np
    >>> from symcost.model.programs import parse
    >>> graph = parse("Z: fp32[B, F] = X: fp32[B, D] @ W: fp32[D, F]")
    >>> run(graph, {"X": np.ones((2, 3)), "W": np.ones((3, 4))})["Z"].shape
    (2, 4)

    Args:
        graph: the program.
        arrays: a value for each input and weight, by name.
        sizes: numbers for dimensions that the shapes of the arrays do not tell, by name.

    Returns:
        For each tensor its value; a repeated block runs once.

    Raises:
        UnknownNameError: an array is missing, or a dimension has no number.
        ShapeError: an array does not fit its tensor.
        MissingRuleError: an operation has no numpy reference.
    """
    values, known = given_values(graph, arrays, sizes or {})
    for op in graph.ops:
        (name,) = op.outputs
        operands = [values[each] for each in op.inputs]
        result = run_op(view(graph, op), operands, known)
        values[name] = _as_stored(result, graph.tensors[name])
    return values


def given_values(
    graph: GraphData, arrays: Mapping[str, ArrayLike], sizes: Mapping[str, int]
) -> tuple[dict[str, Array], dict[Symbol, int]]:
    """The array of each input and weight, and the numbers of the dimensions."""
    given = {n: t for n, t in graph.tensors.items() if t.role in ("input", "weight")}
    for name in given:
        if name not in arrays:
            raise UnknownNameError(
                f"no array for {name}", repair=f"give one for each of {', '.join(given)}"
            )
    values = {name: _as_stored(arrays[name], tensor) for name, tensor in given.items()}
    return values, _sizes(given, values, {dim(name): size for name, size in sizes.items()})


def run_op(op: OpView, operands: list[Array], sizes: Mapping[Symbol, int]) -> Array:
    """The result of one operation, in the shape that its type says."""
    rule = found_operation(Op(op.kind, (), (), origin=op.origin)).run
    if rule is None:
        raise MissingRuleError(
            f"no numpy reference for op kind {op.kind!r}",
            repair=f'give one with @sc.operation("{op.kind}", run=...)',
        )
    seen = replace(op, sizes=sizes)
    result = rule(seen, *operands)
    if result.shape != seen.shape:
        raise ShapeError(f"{op.kind} gave an array of shape {result.shape}, not {seen.shape}")
    return result


def _as_stored(value: ArrayLike, tensor: Tensor) -> Array:
    import numpy as np

    kind = NUMPY_KINDS.get(tensor.dtype.kind, "float64")
    try:
        stored: Array = np.asarray(value).astype(kind)
    except (TypeError, ValueError):
        problem = f"{value!r} is no array of numbers for {tensor.name}"
        raise ShapeError(problem, repair=f"give one of the shape of {tensor.type}") from None
    return stored


def _sizes(
    tensors: Mapping[str, Tensor], values: Mapping[str, Array], known: Mapping[Symbol, int]
) -> dict[Symbol, int]:
    """The numbers of the dimensions, from the shapes of the arrays."""
    sizes = dict(known)
    for name, tensor in tensors.items():
        if values[name].ndim != tensor.type.rank:
            raise _misfit(tensor, values[name])
        for size, number in zip(tensor.shape, values[name].shape, strict=True):
            expr = size.to_sympy()
            if isinstance(expr, Symbol):
                sizes.setdefault(expr, number)
    for name, tensor in tensors.items():
        unknown = {s for size in tensor.shape for s in size.symbols} - sizes.keys()
        if unknown:
            raise UnknownNameError(
                f"the shapes do not tell {', '.join(sorted(s.name for s in unknown))}",
                repair='give it, sizes={"N": 4}',
            )
        if values[name].shape != numbers(tensor.shape, sizes):
            raise _misfit(tensor, values[name])
    return sizes


def _misfit(tensor: Tensor, value: Array) -> ShapeError:
    return ShapeError(f"an array of shape {value.shape} does not fit {tensor.name}: {tensor.type}")
