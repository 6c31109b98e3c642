"""Chip: a piece of hardware by its data sheet, which shows itself as a page."""

from __future__ import annotations

from symcost.documents.blocks import Document
from symcost.hardware import page
from symcost.hardware.datasheet import Datasheet
from symcost.render.shown import Rendered


class Chip(Datasheet, Rendered):
    """A piece of hardware: peaks, bandwidths and sizes in base units, each with its source.

    >>> from symcost.hardware import chip
    >>> h100 = chip("h100-sxm")
    >>> h100.critical_intensity("bf16")
    19780/67
    >>> h100.bandwidth("nvlink")
    450000000000

    Peaks are dense (no structured sparsity), bandwidths one way.

    Args:
        name: what ``chip`` calls it; ``title``: its name in print.
        matmul, vector: peak FLOP/s of the two kinds of unit, by dtype name.
        memory_kind: what the main memory is physically; its channel is always ``"hbm"``.
        memory_bandwidth: bytes/s of the main memory.
        capacities: bytes of main memory, the first the preferred reading.
        caches: sizes in bytes, bandwidths in bytes/s and counts, by key.
        links: what joins it to others, by channel.
        not_supported: dtypes the matrix unit cannot do.
        printed_ridge: published FLOP/byte at main memory, by dtype, to check against.
        resolved_from: the alias under which it was asked for, ``""`` if by its name.
    """

    __slots__ = ()

    def document(self) -> Document:
        """Every figure with its source and note."""
        return page.document(self)

    def __repr__(self) -> str:
        return f"Chip({self.name}: {self.title})"
