"""What is drawn: curves over axes, maps of regions, diagrams of boxes and arrows; plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symcost.documents.blocks import Drawing, Facts

if TYPE_CHECKING:
    from numpy import ndarray


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a plot: what it shows, in which unit, from where to where."""

    label: str
    unit: str = ""
    span: tuple[float, float] | None = None
    log: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """Points that are drawn as ``"line"``, ``"roof"`` or ``"points"``, and what they show.

    ``mark`` is the point of a line that its label speaks of.
    """

    label: str
    points: tuple[tuple[float, float], ...]
    style: str = "line"
    mark: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Band:
    """A part of a plot, from one place across to another, with its name."""

    label: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curves(Drawing):
    """A plot: axes and what is drawn over them; ``ticks`` are places across with their names."""

    title: str
    across: Axis
    upward: Axis
    series: tuple[Series, ...]
    bands: tuple[Band, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """What each curve, roof or point is."""
        return tuple(each.label for each in self.series)

    def data(self) -> Facts:
        """The axes, and the points of each curve."""
        axes = {"across": self.across, "upward": self.upward}
        return {
            "title": self.title,
            **{key: {"label": axis.label, "unit": axis.unit} for key, axis in axes.items()},
            "series": [
                {"label": each.label, "style": each.style, "points": each.points}
                for each in self.series
            ],
        }


@dataclass(frozen=True, slots=True)
class Landscape(Drawing):
    """A map: on a grid of values the index of a name, and polygons by their equation."""

    title: str
    axes: tuple[str, str]
    xs: ndarray
    ys: ndarray
    regions: ndarray
    names: tuple[str, ...]
    borders: Mapping[str, Sequence[ndarray]]
    facts: Facts

    def is_formula(self, label: str) -> bool:
        """Whether a region is named by its formula."""
        return label.startswith("$") and label.endswith("$")

    def data(self) -> Facts:
        """The winners, and the equations of the borders."""
        return self.facts

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the regions."""
        return self.names


@dataclass(frozen=True, slots=True)
class Node:
    """A box at column ``x`` and row ``y`` (counted from the top); ``kind`` says how it looks.

    One without lines is a bend of a long arrow.
    """

    name: str
    lines: tuple[str, ...]
    kind: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame around nodes, with its name; ``level`` 0 is the innermost."""

    name: str
    nodes: tuple[str, ...]
    level: int = 0


@dataclass(frozen=True, slots=True)
class Diagram(Drawing):
    """A diagram: nodes, arrows from node to node by their names (through bends), and frames."""

    nodes: tuple[Node, ...]
    arrows: tuple[tuple[str, ...], ...]
    frames: tuple[Frame, ...] = ()
    title: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """The boxes, a line each."""
        return tuple(" ".join(node.lines) for node in self.nodes if node.lines)
