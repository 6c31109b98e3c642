"""The list of the built-in chips, out of an index: fast, and without sympy or TOML."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
INDEX = os.path.join(DATA, "chips", "index.json")


class ChipRow(NamedTuple):
    """What a list shows of a chip.

    Args:
        dtype: bf16, or else fp16, or else the first dtype that the chip has a peak for.
        peak: dense FLOP/s at that dtype; ``bandwidth``: bytes/s of main memory.
        peak_source, bandwidth_source: keys of ``source_texts``.
        from_memory: how many of all its figures are from memory, to be confirmed.
    """

    name: str
    title: str
    vendor: str
    aliases: tuple[str, ...]
    dtype: str
    peak: Fraction
    peak_source: tuple[str, ...]
    bandwidth: Fraction
    bandwidth_source: tuple[str, ...]
    from_memory: int

    @property
    def critical_intensity(self) -> Fraction:
        """Peak over bandwidth in FLOP/byte."""
        return self.peak / self.bandwidth

    @property
    def shows_memory(self) -> bool:
        """Whether the peak or the bandwidth of this row is from memory."""
        return "memory" in self.peak_source + self.bandwidth_source


def chip_rows() -> list[ChipRow]:
    """One row for each built-in chip, by vendor and year, without reading its file.

    >>> row = next(row for row in chip_rows() if row.name == "h100-sxm")
    >>> row.dtype, row.critical_intensity, row.shows_memory
    ('bf16', Fraction(19780, 67), False)
    """
    return [_row(name, entry) for name, entry in index().items()]


@lru_cache(maxsize=1)
def index() -> dict[str, dict[str, Any]]:
    """What a list shows of each built-in chip, by name; ``index.py`` writes it."""
    with open(INDEX, encoding="utf-8") as file:
        entries: dict[str, dict[str, Any]] = json.load(file)
    return entries


def whole_or_text(value: Fraction | str) -> int | str:
    """An exact figure in JSON: an integer, or a fraction as text.

    >>> whole_or_text(Fraction(4, 2)), whole_or_text(Fraction(1, 2))
    (2, '1/2')
    """
    whole = isinstance(value, Fraction) and value.denominator == 1
    return int(value) if whole else str(value)


def _row(name: str, entry: dict[str, Any]) -> ChipRow:
    numbers = {key: Fraction(entry[key]) for key in ("peak", "bandwidth")}
    lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
    return ChipRow(name, **(entry | numbers | lists))


@lru_cache(maxsize=1)
def source_texts() -> dict[str, str]:
    """What the source keys of the built-in chips stand for.

    >>> source_texts()["memory"]
    'from memory, to be confirmed'
    """
    import tomllib

    with open(os.path.join(DATA, "sources.toml"), "rb") as file:
        return tomllib.load(file)
