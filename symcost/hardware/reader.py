"""Chip files: TOML to Chip, with every figure checked and every problem placed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias, TypeVar

from symcost.errors import InvalidValueError, NotationError, UnknownNameError
from symcost.hardware.figures import Figure, Link, in_range
from symcost.hardware.model import Chip
from symcost.hardware.toml_file import parsed_toml
from symcost.model.dtypes import dtypes
from symcost.registry import Table

DIGITS = 30  # of a number in a file
EXAMPLE = '{ value = 989e12, source = "data sheet" }'
TABLES = ("matmul", "vector", "memory", "cache", "links", "printed_ridge")
TEXTS = ("title", "vendor", "year", "aliases", "not_supported", "notes")
LINK_FIGURES = (
    *("one_way", "both_ways", "per_link_one_way", "chip_both_ways"),
    *("intra_node_one_way", "per_peer_one_way", "latency"),
)

T = TypeVar("T")
Data: TypeAlias = Mapping[str, object]


def read_chip(path: Path, name: str = "") -> Chip:
    """The chip that a file describes; ``name`` is the file's name if not given."""
    return _Reader(str(path)).chip(parsed_toml(path), name or path.stem)


class _Reader:
    """Turns the parsed tables of one file into a Chip; ``where`` names table and key."""

    def __init__(self, path: str) -> None:
        self.path = path

    def chip(self, data: Data, name: str) -> Chip:
        self.known(data, (*TEXTS, *TABLES), "")
        memory = self.table(data, "memory")
        self.known(memory, ("kind", "bandwidth", "capacity"), "memory")
        bandwidth, given = memory.get("bandwidth"), memory.get("capacity", [])
        capacities = given if isinstance(given, list) else [given]
        made = Chip(
            name=name,
            title=self.text(data, "title", "") or name,
            vendor=self.text(data, "vendor", ""),
            year=self.figure(data["year"], "year") if "year" in data else None,
            matmul=self.each(data, "matmul", self.dtype, self.figure),
            vector=self.each(data, "vector", self.dtype, self.figure),
            memory_kind=self.text(memory, "kind", "memory"),
            memory_bandwidth=(
                None if bandwidth is None else self.figure(bandwidth, "[memory] bandwidth")
            ),
            capacities=tuple(self.figure(c, "[memory] capacity") for c in capacities),
            caches=self.each(data, "cache", self.cache_key, self.figure),
            links=self.links(data),
            notes=self.texts(data, "notes"),
            aliases=self.texts(data, "aliases"),
            not_supported=self.unsupported(data),
            printed_ridge=self.each(data, "printed_ridge", self.dtype, self.number),
        )
        if not any(True for _ in made.figures()):
            raise self.wrong("the file gives no figure", f"write a peak under [matmul]: {EXAMPLE}")
        return made

    def wrong(self, problem: str, repair: str = "") -> NotationError:
        return NotationError(f"{self.path}: {problem}", repair=repair)

    def known(self, table: Data, keys: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in keys:
                place = f" in [{where}]" if where else ""
                raise UnknownNameError(
                    f"{self.path}: unknown key {key[:40]!r}{place}",
                    repair=f"known: {', '.join(keys)}",
                )

    def table(self, data: Data, key: str, where: str = "") -> Data:
        value = data.get(key, {})
        if not isinstance(value, dict):
            full = where or key
            raise self.wrong(f"{full} is no table", f"write [{full}] and its keys below")
        return value

    def text(self, data: Data, key: str, where: str) -> str:
        value = data.get(key, "")
        if not isinstance(value, str):
            place = f"[{where}] {key}" if where else key
            raise self.wrong(f"{place} is no text", f'write {key} = "..."')
        return value

    def texts(self, data: Data, key: str) -> tuple[str, ...]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(f"{key} is no list of texts", f'write {key} = ["...", "..."]')
        return tuple(value)

    def figure(self, given: object, where: str) -> Figure:
        if not isinstance(given, dict):
            example = EXAMPLE.replace("989e12", "2023") if where == "year" else EXAMPLE
            raise self.wrong(f"{where} is no figure with a source", f"write {example}")
        for key in given:
            if key not in ("value", "source", "note"):
                raise UnknownNameError(
                    f"{self.path}: unknown key {key[:40]!r} in {where}",
                    repair="a figure has value, source and note",
                )
        if "value" not in given:
            raise self.wrong(f"{where} has no value", f"write {EXAMPLE}")
        value = self.number(given["value"], where)
        return Figure(value, self.sources(given, where), self.text(given, "note", where))

    def sources(self, given: Data, where: str) -> tuple[str, ...]:
        source = given.get("source", [])
        keys = [source] if isinstance(source, str) else source
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise self.wrong(f"the source of {where} is no text", f"write {EXAMPLE}")
        if not keys or not all(key.strip() for key in keys):
            raise self.wrong(
                f"{where} has no source", 'say where it is from, or write source = "memory"'
            )
        return tuple(keys)

    def number(self, given: object, where: str) -> Fraction:
        if isinstance(given, bool) or not isinstance(given, int | Decimal):
            raise InvalidValueError(
                f"{self.path}: {where} is no number",
                repair="write it in base units (FLOP/s, bytes/s, bytes, seconds), as 989e12",
            )
        exact = _exact(given)
        if exact is None:
            raise InvalidValueError(
                f"{self.path}: {where} is {_shown(given)}, which is no size or rate",
                repair="a figure is positive, finite and in base units",
            )
        return exact

    def each(
        self,
        data: Data,
        key: str,
        check: Callable[[str, str], None],
        read: Callable[[object, str], T],
    ) -> Table[str, T]:
        """What a table gives, each key and value checked."""
        values = {}
        for name, given in self.table(data, key).items():
            check(name, f"[{key}]")
            values[name] = read(given, f"[{key}] {name}")
        return Table(values)

    def dtype(self, name: str, where: str) -> None:
        plain = re.sub(r"_acc(16|32)\Z", "", name)  # fp16_acc16: fp16 that accumulates in 16 bits
        known = dtypes.get(plain)
        if known is None:
            raise UnknownNameError(
                f"{self.path}: unknown dtype {name[:40]!r} in {where}",
                repair=dtypes.suggestion(plain[:40]),
            )
        if known.name != plain:
            raise UnknownNameError(
                f"{self.path}: {name!r} in {where} goes by another name", repair=f"write {known}"
            )

    def cache_key(self, name: str, where: str) -> None:
        if not re.fullmatch(r"[a-z]\w*_(bytes|bandwidth|count)", name):
            raise UnknownNameError(
                f"{self.path}: unknown key {name[:40]!r} in {where}",
                repair="a key ends in _bytes, _bandwidth or _count, as in l2_bytes",
            )

    def links(self, data: Data) -> Table[str, Link]:
        values, links = {}, self.table(data, "links")
        for channel in links:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", channel) or channel == "hbm":
                raise UnknownNameError(
                    f"{self.path}: {channel[:40]!r} is no name for a link",
                    repair="a channel is a word in lower case, as nvlink; hbm is the memory",
                )
            where = f"links.{channel}"
            values[channel] = self.link(self.table(links, channel, where), where)
        return Table(values)

    def link(self, given: Data, where: str) -> Link:
        keys = ("kind", "scope", "note", "count", "axes", "shared_by")
        self.known(given, (*keys, *LINK_FIGURES), where)
        figures = {
            key: self.figure(given[key], f"[{where}] {key}") for key in LINK_FIGURES if key in given
        }
        if "one_way" not in figures:
            raise self.wrong(f"[{where}] has no one_way", f"write one_way = {EXAMPLE}")
        return Link(
            kind=self.text(given, "kind", where),
            scope=self.text(given, "scope", where),
            one_way=figures.pop("one_way"),
            more=Table(figures),
            count=self.whole(given, "count", where),
            axes=self.whole(given, "axes", where),
            shared_by=self.whole(given, "shared_by", where),
            note=self.text(given, "note", where),
        )

    def whole(self, given: Data, key: str, where: str) -> int | None:
        if key not in given:
            return None
        value = self.number(given[key], f"[{where}] {key}")
        if value.denominator != 1:
            raise InvalidValueError(f"{self.path}: [{where}] {key} is no whole number")
        return int(value)

    def unsupported(self, data: Data) -> tuple[str, ...]:
        names = self.texts(data, "not_supported")
        for name in names:
            self.dtype(name, "not_supported")
        return names


def _exact(given: int | Decimal) -> Fraction | None:
    """The number as a Fraction, or None when it is no size or rate."""
    if isinstance(given, Decimal) and not (
        given.is_finite() and len(given.as_tuple().digits) <= DIGITS and abs(given.adjusted()) <= 30
    ):
        return None
    exact = Fraction(given)
    return exact if in_range(exact) else None


def _shown(given: int | Decimal) -> str:
    text = str(given) if isinstance(given, Decimal) or abs(given) < 10**40 else "too large"
    return text if len(text) <= 40 else text[:37] + "..."
