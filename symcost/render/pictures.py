"""What documents draw, as figures and as files of pictures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from symcost.documents.blocks import Document, Drawing
from symcost.documents.drawings import Curves, Diagram, Landscape
from symcost.errors import InvalidValueError
from symcost.render.registry import PICTURES, renderer

if TYPE_CHECKING:
    from symcost.render.figure import Figure


def drawn(block: Drawing) -> Figure:
    """The figure of what is drawn."""
    from symcost.render import graph_plot, map_plot, plot  # these load matplotlib

    match block:
        case Curves():
            return plot.draw(block)
        case Landscape():
            return map_plot.draw_map(block)
        case Diagram():
            return graph_plot.draw_diagram(block)
    raise TypeError(f"{type(block).__name__} is not drawn")


def _picture(document: Document, *, whole: bool, kind: str) -> bytes:
    """The first picture of a document.

    Raises:
        InvalidValueError: it draws nothing.
    """
    for block in document.blocks:
        if isinstance(block, Drawing):
            return drawn(block).content(kind)
    raise InvalidValueError(f"nothing is drawn in this answer, so there is no {kind} of it")


for name in PICTURES:
    renderer(name)(partial(_picture, kind=name))
