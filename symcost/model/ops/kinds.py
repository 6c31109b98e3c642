"""Kinds of operations as data: how many operands, the shape of the result, the cost rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import ShapeError, UnknownNameError
from symcost.model.rules import CostRule, cost_rules
from symcost.model.tensors import TensorType
from symcost.registry import Registry, normal_form

Types: TypeAlias = tuple[TensorType, ...]
Attrs: TypeAlias = Mapping[str, Any]
# operand types, parameters and the result's type where it was written -> type and parameters
Resolve: TypeAlias = Callable[[Types, Attrs, TensorType | None], tuple[TensorType, Attrs]]


@dataclass(frozen=True, slots=True)
class OpKind:
    """One kind of operation.

    Args:
        name: its name in programs.
        operands: the least and the most number of operands; ``None`` for any number.
        resolve: finds or checks the type of the result and completes the parameters.
        rule: the cost rule.
        example: a program that uses it once.
        convention: what is counted, in words, for the leading and the exact count.
        source: why it is counted so.
        params: names of the parameters.
    """

    name: str
    operands: tuple[int, int | None]
    resolve: Resolve
    rule: CostRule
    example: str
    convention: str
    source: str
    params: tuple[str, ...] = ()


op_kinds: Registry[OpKind] = Registry("operation")


def register_op(kind: OpKind, *, aliases: Iterable[str] = (), replace: bool = False) -> OpKind:
    """Add a kind of operation with its cost rule.

    Args:
        kind: the kind.
        aliases: other names that programs may use.
        replace: whether a kind of this name may be replaced.

    Returns:
        The kind itself.

    Raises:
        DuplicateNameError: the name is taken.
    """
    for name in (kind.name, *aliases):
        op_kinds.add(name, kind, replace=replace)
    cost_rules.add(kind.name, kind.rule, replace=replace)
    return kind


def resolved(
    name: str, inputs: Types, attrs: Attrs, given: TensorType | None
) -> tuple[str, TensorType, Attrs]:
    """The registered name, the type of the result and the full parameters of an operation.

    A kind without a registered shape rule is accepted when the result's type is written.

    >>> resolved("bias", (TensorType("bf16", (8,)), TensorType("bf16", (8,))), {}, None)
    ('add', bf16[8], {})

    Raises:
        UnknownNameError: no such operation or parameter.
        ShapeError: the operands or the result do not fit.
    """
    kind = _kind(name, len(inputs))
    if kind is None:
        if given is None:
            raise _unknown(name)
        return name, given, attrs
    _check_operands(kind, len(inputs))
    for param in attrs:
        if param not in (*kind.params, "compute"):
            raise UnknownNameError(
                f"{kind.name} has no parameter {param!r}",
                repair=f"it has {', '.join((*kind.params, 'compute'))}",
            )
    result, complete = kind.resolve(inputs, attrs, given)
    return kind.name, result, complete


def _kind(name: str, operands: int) -> OpKind | None:
    """The kind of this name; ``max`` and ``min`` of several tensors work element by element."""
    if operands > 1 and name in ("max", "min"):
        name = f"{name}imum"
    return op_kinds.get(name)


def _unknown(name: str) -> UnknownNameError:
    if normal_form(name) in cost_rules:
        return UnknownNameError(
            f"the shape that {name!r} gives is unknown",
            repair=f"write the type of the result, for example Z: bf16[B, D] = {name}(X)",
        )
    return UnknownNameError(f"unknown operation {name!r}", repair=op_kinds.suggestion(name))


def _check_operands(kind: OpKind, count: int) -> None:
    least, most = kind.operands
    if count < least or (most is not None and count > most):
        wanted = (
            f"{least}" if most == least else f"{least} to {most}" if most else f"{least} or more"
        )
        raise ShapeError(
            f"{kind.name} takes {wanted} operand{'' if wanted == '1' else 's'}, not {count}",
            repair=f"for example {kind.example}",
        )


def axis_positions(kind: TensorType, axis: object) -> tuple[int, ...]:
    """The positions of the axes that are named: by dimension, by position, or several of them.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> axis_positions(TensorType("bf16", (B, D, F)), (D, -1))
    (1, 2)
    """
    names = axis if isinstance(axis, tuple | list) else (axis,)
    return tuple(dict.fromkeys(_position(kind, name) for name in names))


def _position(kind: TensorType, axis: object) -> int:
    if isinstance(axis, int):
        if -kind.rank <= axis < kind.rank:
            return axis % kind.rank
    elif (size := as_posynomial(axis)) in kind.shape:
        return kind.shape.index(size)
    raise ShapeError(
        f"{kind} has no axis {axis}",
        repair="name one of its dimensions, or a position from 0 or -1",
    )


def same_shape(result: tuple[Posynomial, ...], given: TensorType, kind: str) -> TensorType:
    """The written type of a result, if its shape is the one that the operation gives."""
    if given.shape != result:
        shapes = [f"[{', '.join(map(str, shape))}]" for shape in (result, given.shape)]
        raise ShapeError(
            f"{kind} gives {shapes[0]}, not {shapes[1]}",
            repair="correct the type of the result, or leave it out",
        )
    return given
