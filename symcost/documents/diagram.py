"""A diagram: boxes with lines of text at places, arrows between them, and frames around some."""

from __future__ import annotations

from dataclasses import dataclass


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
class Diagram:
    """Nodes, arrows from node to node by their names (through bends), and frames."""

    nodes: tuple[Node, ...]
    arrows: tuple[tuple[str, ...], ...]
    frames: tuple[Frame, ...] = ()
    title: str = ""
