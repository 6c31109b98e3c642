"""Operations: one registry of what each kind is, its shape, its cost and its value.

An operation is a record of named parts. Only the cost rule is needed; a shape rule saves writing
the type of the result, and a numpy reference lets a program be run.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from symcost.errors import (
    InvalidValueError,
    MissingRuleError,
    ShapeError,
    SymcostError,
    UnknownNameError,
)
from symcost.model.data import GraphData, Op
from symcost.model.entries import Entry, OpView
from symcost.model.layouts import Layout, whole
from symcost.model.mesh import Mesh
from symcost.model.tensors import Tensor, TensorType, per_device, widest
from symcost.model.ways import Placed, Split, ways
from symcost.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Types: TypeAlias = tuple[TensorType, ...]
Attrs: TypeAlias = Mapping[str, object]
Shape: TypeAlias = TensorType | tuple[TensorType, Attrs]
CostRule: TypeAlias = Callable[[OpView], Iterable[Entry]]
# operand types, parameters and the result's type where it was written -> the type of the
# result, and the completed parameters where the rule completes them
ShapeRule: TypeAlias = Callable[[Types, Attrs, TensorType | None], Shape]
Array: TypeAlias = "NDArray[np.float64]"
# operand types, parameters and the result's type -> a letter for each dimension
SplitRule: TypeAlias = Callable[[Types, Attrs, TensorType], Split]
# the same with layouts -> how the result lies, and the parameters that this leaves to be said
LayoutRule: TypeAlias = Callable[[Types, Attrs, TensorType | None, Mesh], tuple[Layout, Attrs]]
RunRule: TypeAlias = Callable[..., Array]  # the operation and its operands' arrays -> the result


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of operation; see :func:`operation` for its parts."""

    name: str
    cost: CostRule
    shape: ShapeRule | None = None
    run: RunRule | None = None
    split: SplitRule | None = None
    layout: LayoutRule | None = None
    operands: tuple[int, int | None] = (0, None)
    params: tuple[str, ...] | None = None
    in_place: bool = False
    example: str = ""
    convention: str = ""
    source: str = ""


operations: Registry[Operation] = Registry("operation")


def operation(
    name: str,
    *,
    shape: ShapeRule | None = None,
    run: RunRule | None = None,
    split: SplitRule | None = None,
    layout: LayoutRule | None = None,
    operands: int | tuple[int, int | None] | None = None,
    params: Iterable[str] | None = None,
    in_place: bool = False,
    aliases: str | Iterable[str] = (),
    example: str = "",
    convention: str = "",
    source: str = "",
    replace: bool = False,
) -> Callable[[CostRule], CostRule]:
    """Register an operation; the function below is its cost rule.

    >>> import symcost as sc
    >>> @sc.operation("entropy_example", replace=True,
    ...               shape=lambda types, attrs, given: sc.TensorType("fp32", types[0].shape[:-1]))
    ... def entropy(op):
    ...     return sc.streamed(op, flops=3 * op.inputs[0].size)
    >>> sc.parse("entropy_example(P: fp32[B, V])").cost().bytes()
    4*B*V + 4*B

    Args:
        name: its name in programs.
        shape: finds the type of the result, ``shape(types, attrs, given)``, from the types of
            the operands, the parameters and the type that was written (``None`` if none was);
            gives a type, or a type and the completed parameters. Without it the type of the
            result must be written.
        run: a numpy reference, ``run(op, *arrays)``, which gives the array of the result.
        split: how it may be split over devices, ``split(types, attrs, result)``, a
            :class:`~symcost.model.ways.Split`; without it its operands are gathered first.
        layout: of an operation that moves data between devices, how its result lies.
        operands: how many operands it takes, or the least and the most (``None`` for no
            limit); any number if not given.
        params: names of its parameters; any are accepted if not given.
        in_place: whether the result lives in the memory of the first operand.
        aliases: another name that programs may use, or several.
        example: a program that uses it once.
        convention: what is counted, in words, for the leading and the exact count.
        source: why it is counted so.
        replace: whether parts of an operation that exists are replaced; those that are not
            given stay.

    Returns:
        A decorator that registers the cost rule and returns it. The rule gets the operation
        (``kind``, ``inputs``, ``outputs``, ``attrs``, ``dtype``, ``count``) and returns entries.

    Raises:
        DuplicateNameError: the name is taken.
    """
    if not name.isidentifier():
        raise InvalidValueError(
            f"{name!r} cannot be written in a program", repair="use letters, digits and _"
        )
    span = (operands, operands) if isinstance(operands, int) else operands
    names = None if params is None else tuple(params)

    def register(cost: CostRule) -> CostRule:
        old = operations.get(name) if replace else None
        base = old or Operation(name, cost)
        made = Operation(
            name,
            cost,
            shape or base.shape,
            run or base.run,
            split or base.split,
            layout or base.layout,
            span or base.operands,
            base.params if names is None else names,
            in_place or base.in_place,
            example or base.example,
            convention or base.convention,
            source or base.source,
        )
        operations.add(name, made, aliases=aliases, replace=replace)
        return cost

    return register


def resolved(
    name: str,
    inputs: Types,
    attrs: Attrs,
    given: TensorType | None,
    mesh: Mesh | None = None,
) -> tuple[str, TensorType, Attrs]:
    """The registered name, the type of the result and the full parameters of an operation.

    An operation without a shape rule is accepted when the result's type is written. On a mesh a
    result whose type is not written lies as the cheapest way of the operation leaves it.

    >>> resolved("bias", (TensorType("bf16", (8,)), TensorType("bf16", (8,))), {}, None)
    ('add', bf16[8], {})

    Raises:
        UnknownNameError: no such operation or parameter.
        ShapeError: the operands or the result do not fit.
    """
    kind = _named(name, len(inputs))
    if kind is None:
        if given is None:
            raise UnknownNameError(
                f"unknown operation {name!r}", repair=operations.suggestion(name)
            )
        return name, given, attrs  # its cost will be asked for, and missed, with its place
    _check_operands(kind, len(inputs))
    if "dim" in attrs and "dim" not in (kind.params or ("dim",)):  # torch's word
        attrs = {("axis" if name == "dim" else name): value for name, value in attrs.items()}
    _check_params(kind, attrs)
    mesh = mesh or Mesh()
    if kind.layout is None and not (mesh and any(each.is_sharded for each in inputs)):
        return kind.name, *_shaped(kind, inputs, attrs, given)
    bare = tuple([each.laid(None) for each in inputs])
    result, full = _shaped(kind, bare, attrs, given and given.laid(None))
    if kind.layout is not None:
        layout, kept = kind.layout(inputs, full, given, mesh)
        return kind.name, result.laid(layout), kept
    if given is not None:
        return kind.name, given, full
    return kind.name, result.laid(_natural(kind, inputs, full, result, mesh)), full


def _shaped(
    kind: Operation, inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[TensorType, Attrs]:
    if kind.shape is not None:
        shape = kind.shape(inputs, attrs, given)
        type, full = shape if isinstance(shape, tuple) else (shape, attrs)
        return _as_written(kind.name, type, given), full
    if given is None:
        raise UnknownNameError(
            f"the shape that {kind.name!r} gives is unknown",
            repair=f"write the type of the result, for example Z: bf16[B, D] = {kind.name}(X)",
        )
    return given, attrs


def placed(kind: Operation, inputs: Types, attrs: Attrs, result: TensorType, mesh: Mesh) -> Placed:
    """An operation on a mesh; if it does not say how it may be split, it needs wholes."""
    if kind.split is None:
        split = Split(tuple(("",) * each.rank for each in inputs), ("",) * result.rank)
    else:
        split = kind.split(tuple([each.laid(None) for each in inputs]), attrs, result.laid(None))
    shapes, layouts = zip(*((each.shape, each.layout) for each in inputs), strict=True)
    return Placed(split, shapes, layouts, result.shape, result.layout, mesh)


def _natural(
    kind: Operation, inputs: Types, attrs: Attrs, result: TensorType, mesh: Mesh
) -> Layout:
    """How the result lies after the cheapest way."""
    op = placed(kind, inputs, attrs, result, mesh)
    if op.is_taken_apart:
        first, sizes = op.layouts[0], zip(op.shapes[0], result.shape, strict=True)
        kept = [axes if a == b else () for axes, (a, b) in zip(first.dims, sizes, strict=True)]
        return whole(result.rank) if first.partial else Layout(tuple(kept))
    return ways(dataclasses.replace(op, target=None))[0].result


def _named(name: str, operands: int) -> Operation | None:
    """The kind of this name; ``max`` and ``min`` of several tensors work element by element."""
    if operands > 1 and name in ("max", "min"):
        name = f"{name}imum"
    return operations.get(name)


def _check_operands(kind: Operation, count: int) -> None:
    least, most = kind.operands
    if count < least or (most is not None and count > most):
        wanted = (
            f"{least}" if most == least else f"{least} to {most}" if most else f"{least} or more"
        )
        raise ShapeError(
            f"{kind.name} takes {wanted} operand{'' if wanted == '1' else 's'}, not {count}",
            repair=f"for example {kind.example}" if kind.example else "",
        )


def _check_params(kind: Operation, attrs: Attrs) -> None:
    if kind.params is not None:
        known = (*kind.params, "compute")
        for param in attrs:
            if param not in known:
                raise UnknownNameError(
                    f"{kind.name} has no parameter {param!r}", repair=f"it has {', '.join(known)}"
                )


def _as_written(kind: str, result: TensorType, given: TensorType | None) -> TensorType:
    """The written type of a result, if its shape is the one that the operation gives."""
    if given is None or result is given:
        return result
    if given.shape != result.shape:
        shapes = [f"[{', '.join(map(str, type.shape))}]" for type in (result, given)]
        raise ShapeError(
            f"{kind} gives {shapes[0]}, not {shapes[1]}",
            repair="correct the type of the result, or leave it out",
        )
    return given


def view(graph: GraphData, op: Op, count: str = "leading") -> OpView:
    """Resolve an operation for its rules: its tensors as a device holds them."""
    tensors = graph.tensors
    inputs = tuple([_local(tensors[name], graph.mesh) for name in op.inputs])
    outputs = tuple([_local(tensors[name], graph.mesh) for name in op.outputs])
    kind = widest(tensor.dtype for tensor in inputs or outputs)
    return OpView(
        op.kind, inputs, outputs, dict(op.attrs), kind, count, op.place, op.origin, mesh=graph.mesh
    )


def _local(tensor: Tensor, mesh: Mesh) -> Tensor:
    return dataclasses.replace(tensor, type=per_device(tensor.type, mesh)) if mesh else tensor


def price(graph: GraphData, op: Op, count: str) -> tuple[Entry, ...]:
    """The entries of one run of one operation, by the rule of its kind."""
    rule = found_operation(op).cost
    seen = view(graph, op, count)
    try:
        entries = rule(seen)
    except SymcostError as error:
        problem = f"the cost rule of {op.kind!r} fails: {error.problem}"
        raise type(error)(problem, repair=error.repair) from None
    return _entries(op, entries)


def found_operation(op: Op) -> Operation:
    """The registered kind of an operation; one that is missing is an error with its place."""
    kind = operations.get(op.kind)
    if kind is None:
        where = f" ({op.origin})" if op.origin else ""
        raise MissingRuleError(
            f"no cost rule for op kind {op.kind!r}{where}",
            repair=f'add one with @sc.operation("{op.kind}")',
        )
    return kind


def _entries(op: Op, returned: object) -> tuple[Entry, ...]:
    """What a cost rule returned, if it is entries; ``arithmetic`` in a list may stand as it is."""
    flat: list[Entry] = []
    for each in returned if isinstance(returned, Iterable) else (returned,):
        flat.extend(each if isinstance(each, tuple) else (each,))
    for entry in flat:
        if not isinstance(entry, Entry):
            raise InvalidValueError(
                f"the cost rule of {op.kind!r} returned {returned!r}, which is no list of entries",
                repair="return sc.streamed(op, flops=...), or a list of sc.arithmetic(op, ...), "
                "sc.read(op, tensor) and sc.write(op, tensor)",
            )
    return tuple(flat)
