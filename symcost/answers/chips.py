"""Chips as pages: the list, and one chip with the source of each figure. No sympy here."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symcost.documents.blocks import Block, Document, Prose, Section, Table
from symcost.errors import UnknownNameError
from symcost.hardware.listing import chip_rows
from symcost.printing.numbers import decimal, quantity

FROM_MEMORY = "from memory, to be confirmed"


def listing() -> Document:
    """All chips: peak at 16 bits, bandwidth of main memory, critical intensity."""
    rows = chip_rows()
    head = ("chip", "", "dtype", "peak", "bandwidth", "FLOP/byte")
    blocks: list[Block] = [Table(head, tuple(_row(row) for row in rows))]
    if any(row.shows_memory for row in rows):
        said = f"* a figure shown here is {FROM_MEMORY}; symcost chips CHIP says which"
        blocks.append(Prose(said))
    data = {"chips": [_row_data(row) for row in rows]}
    return Document("Chips", (Section("", tuple(blocks)),), data=data)


def _row(row: Any) -> tuple[str, ...]:
    return (
        row.name + (" *" if row.shows_memory else ""),
        row.title,
        row.dtype,
        quantity(row.peak, "FLOP/s"),
        quantity(row.bandwidth, "byte/s"),
        decimal(row.critical_intensity),
    )


def _row_data(row: Any) -> dict[str, object]:
    return {
        "name": row.name,
        "title": row.title,
        "vendor": row.vendor,
        "aliases": list(row.aliases),
        "dtype": row.dtype,
        "peak": _number(row.peak),
        "bandwidth": _number(row.bandwidth),
        "critical_intensity": str(row.critical_intensity),
        "figures_from_memory": row.from_memory,
    }


def details(name: str) -> Document:
    """One chip: every figure with its source and note."""
    from symcost.hardware import chip, source_texts

    found = chip(name)
    texts = source_texts()
    rows = [
        (label, figure, "; ".join(texts.get(key, key) for key in figure.source))
        for label, figure in found.figures()
    ]
    head = [f"{found.name}: {found.title} ({found.vendor})"]
    if found.resolved_from:
        head.append(f"{found.resolved_from} stands for {found.name}")
    table = tuple((label, _shown(label, f), _said(f, source)) for label, f, source in rows)
    ridges = [_ridge(found, dtype) for dtype in found.matmul]
    lines = [f"critical intensity, {line}" for line in ridges if line]
    lines += [f"note: {note}" for note in found.notes]
    sections = (
        Section("", tuple(map(Prose, head))),
        Section("", (Table(("figure", "value", "source"), table),)),
        Section("", tuple(map(Prose, lines))),
    )
    return Document(found.title, sections, data=_details_data(found, rows))


def _ridge(found: Any, dtype: str) -> str:
    try:
        peak, width = found.peak_figure(dtype), found.bandwidth_figure()
    except UnknownNameError:
        return ""
    if not (isinstance(peak.value, Fraction) and isinstance(width.value, Fraction)):
        return f"{dtype}: {peak.value}/{width.value}"
    ratio = peak.value / width.value
    exact = f"{ratio} = " if ratio.denominator > 1 else ""
    return f"{dtype} over hbm: {exact}{decimal(ratio)} FLOP/byte"


def _said(figure: Any, source: str) -> str:
    return f"{source}; {figure.note}" if figure.note else source


def _shown(label: str, figure: Any) -> str:
    if not isinstance(figure.value, Fraction):
        return str(figure.value)
    unit = _unit(label)
    return quantity(figure.value, unit) if unit else decimal(figure.value)


def _unit(label: str) -> str:
    if label.startswith(("matmul", "vector")):
        return "FLOP/s"
    if "bandwidth" in label or "one_way" in label or "both_ways" in label:
        return "byte/s"
    return "byte" if "bytes" in label or "capacity" in label else ""


def _details_data(found: Any, rows: list[tuple[str, Any, str]]) -> dict[str, object]:
    figures = {
        label: {"value": _number(figure.value), "source": source, "note": figure.note}
        for label, figure, source in rows
    }
    return {
        "name": found.name,
        "title": found.title,
        "vendor": found.vendor,
        "resolved_from": found.resolved_from,
        "aliases": list(found.aliases),
        "figures": figures,
        "notes": list(found.notes),
    }


def _number(value: Any) -> int | str:
    """An exact number in JSON: an integer, or a fraction as text."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return str(value)
