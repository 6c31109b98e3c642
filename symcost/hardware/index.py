"""Writes the index of the built-in chips, so that a list of them need not read 41 files.

After a change to a chip file: ``python -m symcost.hardware``.
"""

from __future__ import annotations

import json
from pathlib import Path

from symcost.hardware.listing import DATA, INDEX
from symcost.hardware.model import Chip
from symcost.hardware.reader import read_chip


def index_text() -> str:
    """What the index has to hold by the chip files: one line a chip, by vendor and year."""
    chips = [read_chip(path) for path in Path(DATA, "chips").glob("*.toml")]
    chips.sort(key=lambda chip: (chip.vendor.lower(), _year(chip), chip.name))
    lines = [f"  {json.dumps(chip.name)}: {json.dumps(_entry(chip))}" for chip in chips]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_index() -> None:
    """Write the index anew from the chip files."""
    Path(INDEX).write_text(index_text(), encoding="utf-8")


def listed_dtype(chip: Chip) -> str:
    """The dtype whose peak a list shows: bf16, else fp16, else the first in the file."""
    return next((key for key in ("bf16", "fp16") if key in chip.matmul), next(iter(chip.matmul)))


def _entry(chip: Chip) -> dict[str, object]:
    dtype = listed_dtype(chip)
    peak, bandwidth = chip.matmul[dtype], chip.bandwidth_figure()
    return {
        "title": chip.title,
        "vendor": chip.vendor,
        "aliases": chip.aliases,
        "dtype": dtype,
        "peak": str(peak.value),
        "peak_source": peak.source,
        "bandwidth": str(bandwidth.value),
        "bandwidth_source": bandwidth.source,
        "from_memory": sum(figure.from_memory for _, figure in chip.figures()),
    }


def _year(chip: Chip) -> int:
    return int(chip.year.value) if chip.year else 0
