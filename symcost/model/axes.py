"""Axes of a tensor: by the dimension that they are, or by position."""

from __future__ import annotations

from symcost.algebra import as_posynomial
from symcost.errors import ShapeError
from symcost.model.tensors import TensorType


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
    else:
        named = axis if isinstance(axis, str) else str(as_posynomial(axis))
        if named in (names := [str(size) for size in kind.shape]):
            return names.index(named)
    raise ShapeError(
        f"{kind} has no axis {axis}",
        repair="name one of its dimensions, or a position from 0 or -1",
    )
