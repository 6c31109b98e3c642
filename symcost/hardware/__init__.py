"""Hardware: the built-in chips, chips from files, chips of given figures, symbolic chips."""

from symcost.hardware.catalogue import (
    ChipRow,
    chip,
    chip_names,
    chip_rows,
    load_chip,
    source_texts,
)
from symcost.hardware.figures import Figure, Link
from symcost.hardware.given import given_chip, symbolic_chip
from symcost.hardware.model import Chip

__all__ = [
    "Chip",
    "ChipRow",
    "Figure",
    "Link",
    "chip",
    "chip_names",
    "chip_rows",
    "given_chip",
    "load_chip",
    "source_texts",
    "symbolic_chip",
]
