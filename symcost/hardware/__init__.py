"""Hardware: the built-in chips, chips from files, chips of given figures, symbolic chips.

Names are imported when they are first used: a list of the chips needs none of the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symcost.hardware.catalogue import chip, chip_names, load_chip
    from symcost.hardware.figures import Figure, Link
    from symcost.hardware.given import given_chip, symbolic_chip
    from symcost.hardware.listing import ChipRow, chip_rows, source_texts
    from symcost.hardware.model import Chip

_HOMES = {
    "catalogue": ("chip", "chip_names", "load_chip"),
    "figures": ("Figure", "Link"),
    "given": ("given_chip", "symbolic_chip"),
    "listing": ("ChipRow", "chip_rows", "source_texts"),
    "model": ("Chip",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

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


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    item: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = item
    return item
