"""Drawing a diagram: boxes, arrows and frames, from left to right."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path

from symcost.documents.drawings import Diagram, Frame, Node
from symcost.render.figure import Figure
from symcost.render.values import printable

LETTER, LINE = 0.085, 0.19  # inches of a letter and a line at the size of the text
GAP, BETWEEN = 0.55, 0.3  # inches between columns and between rows
SIZE = 9  # points
LOOKS = {  # fill and edge
    "operation": ("#fff4c2", "#8a6d00"),
    "weight": ("#e6ecf5", "#4a6fa5"),
    "input": ("#e3f3e4", "#2e7d32"),
    "output": ("#fbe5e3", "#c9302c"),
    "intermediate": ("#ffffff", "#5c5c5c"),
}
FRAMES = ("#b3325f", "#0b6fa4")  # of fused groups and of devices
MARGINS = (0.12, 0.3)  # inches between a frame and what it holds


def draw_diagram(diagram: Diagram) -> Figure:
    """A matplotlib figure of a diagram, as large as its text needs."""
    boxes = _boxes(diagram)
    width = max(x + w for x, _, w, _ in boxes.values()) + 2 * GAP
    height = max(y + h for _, y, _, h in boxes.values()) + 2 * GAP
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(-GAP, width - GAP), ylim=(height - GAP, -GAP))  # rows count downwards
    axes.axis("off")
    for frame in sorted(diagram.frames, key=lambda each: -each.level):
        _frame(axes, frame, boxes)
    for way in diagram.arrows:
        _arrow(axes, [boxes[name] for name in way])
    for node in diagram.nodes:
        if node.lines:
            _node(axes, node, boxes[node.name])
    if diagram.title:
        title = printable(diagram.title)
        axes.text(0, -GAP * 0.8, title, va="top", weight="bold", size=SIZE + 1, parse_math=False)
    return figure


Box = tuple[float, float, float, float]  # left, top, width, height in inches


def _boxes(diagram: Diagram) -> dict[str, Box]:
    """Each column as wide as its widest node, each row as high as the highest."""
    size = {
        node.name: (
            (max(map(len, node.lines)) * LETTER + 0.2, len(node.lines) * LINE + 0.12)
            if node.lines
            else (0.0, 0.0)
        )
        for node in diagram.nodes
    }
    columns: dict[float, float] = {}
    for node in diagram.nodes:
        columns[node.x] = max(columns.get(node.x, 0.0), size[node.name][0])
    left, at = {}, 0.0
    for x in sorted(columns):
        left[x] = at
        at += columns[x] + GAP
    pitch = max(height for _, height in size.values()) + BETWEEN
    return {
        node.name: (
            left[node.x] + (columns[node.x] - size[node.name][0]) / 2,
            node.y * pitch + (pitch - size[node.name][1]) / 2,
            *size[node.name],
        )
        for node in diagram.nodes
    }


def _node(axes: Axes, node: Node, box: Box) -> None:
    x, y, width, height = box
    fill, edge = LOOKS[node.kind]
    corner = 0.02 if node.kind == "operation" else 0.12
    axes.add_patch(
        FancyBboxPatch(
            (x, y),
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={corner}",
            facecolor=fill,
            edgecolor=edge,
            zorder=3,
        )
    )
    axes.text(
        x + width / 2,
        y + height / 2,
        printable("\n".join(node.lines)),
        ha="center",
        va="center",
        size=SIZE,
        parse_math=False,
        zorder=4,
    )


def _arrow(axes: Axes, way: list[Box]) -> None:
    """A curve from the right of the first box through the bends to the left of the last."""
    ends = [(box[0], box[1] + box[3] / 2) for box in way]
    ends[0] = (way[0][0] + way[0][2], ends[0][1])
    points, codes = [ends[0]], [Path.MOVETO]
    for (x0, y0), (x1, y1) in pairwise(ends):
        middle = (x0 + x1) / 2
        points += [(middle, y0), (middle, y1), (x1, y1)]
        codes += [Path.CURVE4] * 3
    axes.add_patch(
        FancyArrowPatch(
            path=Path(points, codes),
            arrowstyle="-|>",
            mutation_scale=9,
            color="#5c5c5c",
            linewidth=0.9,
            zorder=2,
        )
    )


def _frame(axes: Axes, frame: Frame, boxes: Mapping[str, Box]) -> None:
    held = [boxes[name] for name in frame.nodes]
    margin, colour = MARGINS[frame.level], FRAMES[frame.level]
    left, top = min(b[0] for b in held) - margin, min(b[1] for b in held) - margin
    right = max(b[0] + b[2] for b in held) + margin
    bottom = max(b[1] + b[3] for b in held) + margin
    axes.add_patch(
        Rectangle(
            (left, top),
            right - left,
            bottom - top,
            fill=False,
            edgecolor=colour,
            linestyle="--",
            zorder=1,
        )
    )
    name = printable(frame.name)
    axes.text(left + 0.04, top - 0.02, name, color=colour, size=SIZE, va="bottom", zorder=4,
              parse_math=False)  # fmt: skip
