"""A picture of layouts: each tensor as a matrix of blocks, each with the devices that hold it."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from symcost.errors import InvalidValueError
from symcost.model.layouts import partial_text
from symcost.plans.regions import number
from symcost.plans.steps import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from symcost.model.mesh import Mesh
    from symcost.model.tensors import Tensor
    from symcost.render.figure import Figure

MOST = 64  # blocks along one side of a tensor
USUAL = 4  # parts that are drawn for an axis whose size is a symbol
SIDE = 1.9  # inches


def draw_layouts(plan: Plan) -> Figure:
    """A matplotlib figure of a plan: its tensors as blocks, step by step from left to right.

    A block names the indices of the devices that hold it; an arrow names what moves.

    >>> import symcost as sc
    >>> text = "mesh X=2, Y=2; A: bf16[I_X, J_Y] @ B: bf16[J_Y, K] -> C: bf16[I_X, K]"
    >>> len(draw_layouts(sc.plan(text)).axes)
    4

    Raises:
        InvalidValueError: a tensor has too many blocks to draw.
    """
    from symcost.render.figure import Figure

    every = plan.local.tensors
    given = [name for name, tensor in every.items() if tensor.role in ("input", "weight")]
    tensors = [every[name] for name in (*given, *(op.outputs[0] for op in plan.local.ops))]
    figure = Figure(figsize=(SIDE * len(tensors) + 0.4, SIDE + 0.9), layout="constrained")
    panels = figure.subplots(1, len(tensors), squeeze=False)[0]
    made = {op.outputs[0]: step.what for op, step in zip(plan.local.ops, plan.steps, strict=True)}
    for axes, tensor in zip(panels, tensors, strict=True):
        _panel(axes, tensor, plan.mesh, made.get(tensor.name, tensor.role))
    return figure


def _panel(axes: Axes, tensor: Tensor, mesh: Mesh, below: str) -> None:
    from matplotlib.patches import Rectangle

    layout = tensor.type.layout
    dims = [prod(_size(name, mesh) for name in names) for names in layout.dims][-2:] or [1]
    rows, columns = (1, dims[0]) if len(dims) == 1 else (dims[0], dims[1])
    if max(rows, columns) > MOST:
        raise InvalidValueError(f"{max(rows, columns)} blocks are too many to draw")
    names = [layout.dims[-2] if len(dims) > 1 else (), layout.dims[-1] if layout.dims else ()]
    for row, column in product(range(rows), range(columns)):
        shade = 0.25 + 0.6 * (row * columns + column) / (rows * columns)
        colour = (0.35 * shade, 0.55, 1 - 0.4 * shade, 0.35)
        axes.add_patch(Rectangle((column, row), 1, 1, fc=colour, ec="black", lw=0.7))
        label = "\n".join(filter(None, (_held(names[0], row, mesh), _held(names[1], column, mesh))))
        if rows * columns <= 16:
            axes.text(column + 0.5, row + 0.5, label, ha="center", va="center", size=7)
    axes.set(xlim=(0, columns), ylim=(rows, 0), xticks=[], yticks=[])
    axes.set_box_aspect(1)
    axes.set_title(f"{tensor.label}{partial_text(layout.partial)}\n{tensor.type}", size=8)
    axes.set_xlabel(f"→ {below}" if below not in ("input", "weight") else below, size=7)


def _size(name: str, mesh: Mesh) -> int:
    return number(mesh[name]) if mesh[name].is_constant else USUAL


def _held(names: tuple[str, ...], index: int, mesh: Mesh) -> str:
    """The indices of the devices along some axes, the major one first: ``X=1 Y=0``."""
    words = []
    for name in reversed(names):
        index, here = divmod(index, _size(name, mesh))
        words.append(f"{name}={here}")
    return " ".join(reversed(words))
