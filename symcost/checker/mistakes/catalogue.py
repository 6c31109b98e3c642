"""The figures of the chips that are built in: peaks, bandwidths of memories and of links."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from symcost.errors import SymcostError

NEAR = Fraction(1, 400)  # two bandwidths that differ by less are taken for the same
_MEMORY = ("hbm", "l2", "llc", "sram")  # names of what has no two directions

Figure = tuple[str, str, Fraction]  # title of the chip, name of the figure, value


def figures(wanted: str) -> tuple[Figure, ...]:
    """The ``peak`` or ``bandwidth`` figures of all chips."""
    return _peaks() if wanted == "peak" else _bandwidths()


@cache
def _chips() -> tuple[Any, ...]:
    from symcost.hardware import chip, chip_names

    found = []
    for name in chip_names():
        try:
            found.append(chip(name))
        except SymcostError:
            continue
    return tuple(found)


def vendor_of(figure: str | Fraction, wanted: str = "") -> set[str]:
    """The vendors of a chip by its title, or of the chips that have a figure."""
    if isinstance(figure, str):
        titles = {figure}
    else:
        titles = {title for title, _, value in figures(wanted) if value == figure}
    return {each.vendor for each in _chips() if each.title in titles}


@cache
def _peaks() -> tuple[Figure, ...]:
    listed = ((each.title, each.matmul.items()) for each in _chips())
    return tuple(_figures(listed, "peak"))


@cache
def _bandwidths() -> tuple[Figure, ...]:
    listed = ((each.title, each.channels.items()) for each in _chips())
    return tuple(_figures(listed, "bandwidth"))


def _figures(listed: Any, word: str) -> Iterator[Figure]:
    for title, items in listed:
        for key, figure in items:
            if isinstance(figure.value, Fraction | int):
                yield title, f"{key} {word}", Fraction(figure.value)


@cache
def machines() -> tuple[tuple[str, str, Fraction, Fraction], ...]:
    """Title, dtype, peak and memory bandwidth of every chip, for each dtype."""
    found = []
    for each in _chips():
        memory = each.channels.get(_MEMORY[0])
        if memory is None or isinstance(memory.value, str):
            continue
        for dtype, figure in each.matmul.items():
            if isinstance(figure.value, Fraction | int):
                pair = Fraction(figure.value), Fraction(memory.value)
                found.append((each.title, dtype, *pair))
    return tuple(found)


def is_known_memory(value: Fraction) -> bool:
    """Whether a chip has a memory of this bandwidth."""
    return any(abs(value / f - 1) <= NEAR for _, key, f in _bandwidths() if _is_memory(key))


def is_known_link(value: Fraction) -> bool:
    """Whether a chip has a link of this bandwidth, one way."""
    return any(abs(value / f - 1) <= NEAR for _, key, f in _bandwidths() if not _is_memory(key))


def _is_memory(key: str) -> bool:
    return key.startswith(_MEMORY)
