"""The figures of the chips that are built in: peaks, bandwidths of memories and of links."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from symcost.hardware import Chip, chip, chip_names

NEAR = Fraction(1, 400)  # two bandwidths that differ by less are taken for the same
_MEMORY = ("hbm", "l2", "llc", "sram")  # names of what has no two directions


class Figure(NamedTuple):
    """One figure of a chip: the peak at a dtype, or the bandwidth of a channel."""

    title: str
    vendor: str
    name: str
    value: Fraction


@cache
def _chips() -> tuple[Chip, ...]:
    return tuple(map(chip, chip_names()))


@cache
def figures(word: str) -> tuple[Figure, ...]:
    """The ``peak`` or ``bandwidth`` figures of all chips."""
    return tuple(
        Figure(each.title, each.vendor, name, Fraction(figure.value))
        for each in _chips()
        for name, figure in (each.matmul if word == "peak" else each.channels).items()
        if isinstance(figure.value, Fraction | int)
    )


@cache
def machines() -> tuple[tuple[Figure, Fraction], ...]:
    """Every peak with the bandwidth of the memory of its chip."""
    memories = {f.title: f.value for f in figures("bandwidth") if f.name == _MEMORY[0]}
    return tuple((f, memories[f.title]) for f in figures("peak") if f.title in memories)


def is_known_memory(value: Fraction) -> bool:
    """Whether a chip has a memory of this bandwidth."""
    return _is_known(value, memory=True)


def is_known_link(value: Fraction) -> bool:
    """Whether a chip has a link of this bandwidth, one way."""
    return _is_known(value, memory=False)


def _is_known(value: Fraction, *, memory: bool) -> bool:
    return any(
        abs(value / f.value - 1) <= NEAR
        for f in figures("bandwidth")
        if f.name.startswith(_MEMORY) is memory
    )
