"""A picture of layouts: each tensor as a matrix of blocks, each with the devices that hold it."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from symcost.errors import InvalidValueError
from symcost.model.layouts import partial_text
from symcost.model.mesh import mesh_text
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
    """A matplotlib figure of a plan: the mesh, then a row for each step, from operands to result.

    A block names the indices of the devices that hold it; an arrow names the step.

    >>> import symcost as sc
    >>> text = "mesh X=2, Y=2; A: bf16[I_X, J_Y] @ B: bf16[J_Y, K] -> C: bf16[I_X, K]"
    >>> figure = draw_layouts(sc.plan(text))
    >>> [axes.get_title().split()[0] for axes in figure.axes if axes.get_title()]
    ['mesh', 'A', 'B', 'C{U_Y}', 'C{U_Y}', 'C']

    Raises:
        InvalidValueError: a tensor has too many blocks to draw.
    """
    from symcost.render.figure import Figure

    tensors, ops = plan.local.tensors, plan.local.ops
    rows = [[*op.inputs, op.outputs[0]] for op in ops] or [[name] for name in tensors]
    columns = max(2, *(len(row) for row in rows))
    size = (SIDE * 1.25 * columns + 0.4, (SIDE + 0.7) * (len(rows) + 1))
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(rows) + 1, columns, squeeze=False)
    for axes in panels.flat:
        axes.set_axis_off()
    _mesh_panel(panels[0][0], plan.mesh)
    for row, names in enumerate(rows):
        places = [*panels[row + 1][: len(names) - 1], panels[row + 1][-1]]
        for axes, name in zip(places, names, strict=True):
            _panel(axes, tensors[name], plan.mesh)
        if len(names) > 1:
            _arrow(places[-2], places[-1], plan.steps[row].what)
    return figure


def _mesh_panel(axes: Axes, mesh: Mesh) -> None:
    """The devices as dots: the last axis across, the others down."""
    names = tuple(mesh)
    across = _size(names[-1], mesh) if names else 1
    down = prod(_size(name, mesh) for name in names[:-1])
    if max(across, down) > MOST:
        raise InvalidValueError(f"{max(across, down)} devices in a row are too many to draw")
    dots = list(product(range(down), range(across)))
    axes.plot([x for _, x in dots], [y for y, _ in dots], "o", color="black", markersize=5)
    for y, x in dots if len(dots) <= 16 else ():
        held = " ".join(filter(None, (_held(names[:-1], y, mesh), _held(names[-1:], x, mesh))))
        axes.annotate(held, (x, y), (0, -10), textcoords="offset points", ha="center", size=6)
    axes.set(xlim=(-0.7, across - 0.3), ylim=(down - 0.3, -0.7))
    axes.set_title(f"mesh {mesh_text(mesh)}", size=8)


def _arrow(source: Axes, target: Axes, what: str) -> None:
    """From a panel to another, with what is done above it."""
    from matplotlib.patches import ConnectionPatch

    arrow = ConnectionPatch(
        (1.03, 0.5), (-0.03, 0.5), "axes fraction", "axes fraction", axesA=source, axesB=target,
        arrowstyle="-|>", mutation_scale=12, color="black",
    )  # fmt: skip
    source.figure.add_artist(arrow)
    target.annotate(what, (0.5, -0.04), xycoords="axes fraction", ha="center", va="top", size=7)


def _panel(axes: Axes, tensor: Tensor, mesh: Mesh) -> None:
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
    axes.set(xlim=(-0.01 * columns, 1.01 * columns), ylim=(1.01 * rows, -0.01 * rows))
    axes.set_box_aspect(1)
    axes.set_title(f"{tensor.label}{partial_text(layout.partial)}\n{tensor.type}", size=8)


def _size(name: str, mesh: Mesh) -> int:
    return number(mesh[name]) if mesh[name].is_constant else USUAL


def _held(names: tuple[str, ...], index: int, mesh: Mesh) -> str:
    """The indices of the devices along some axes, the major one first: ``X=1 Y=0``."""
    words = []
    for name in reversed(names):
        index, here = divmod(index, _size(name, mesh))
        words.append(f"{name}={here}")
    return " ".join(reversed(words))
