"""Figures that notebooks show as pictures; what draws them loads matplotlib, and is loaded late."""

from __future__ import annotations

import io

from matplotlib import rc_context
from matplotlib.figure import Figure as PlainFigure


class Figure(PlainFigure):
    """A matplotlib figure with rich display."""

    def _repr_png_(self) -> bytes:
        return self.content("png")

    def content(self, kind: str) -> bytes:
        """A file of it (``"png"``, ``"svg"``, ``"pdf"``), the same for equal figures."""
        buffer = io.BytesIO()
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
        with rc_context({"svg.hashsalt": "symcost"}):
            self.savefig(buffer, format=kind, metadata=metadata)
        return buffer.getvalue()
