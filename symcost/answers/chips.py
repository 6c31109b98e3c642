"""The list of chips. No sympy here."""

from __future__ import annotations

from symcost.documents.blocks import Block, Document, Prose, Section, Table
from symcost.hardware.listing import ChipRow, chip_rows, whole_or_text
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


def _row(row: ChipRow) -> tuple[str, ...]:
    return (
        row.name + (" *" if row.shows_memory else ""),
        row.title,
        row.dtype,
        quantity(row.peak, "FLOP/s"),
        quantity(row.bandwidth, "byte/s"),
        decimal(row.critical_intensity),
    )


def _row_data(row: ChipRow) -> dict[str, object]:
    return {
        "name": row.name,
        "title": row.title,
        "vendor": row.vendor,
        "aliases": list(row.aliases),
        "dtype": row.dtype,
        "peak": whole_or_text(row.peak),
        "bandwidth": whole_or_text(row.bandwidth),
        "critical_intensity": str(row.critical_intensity),
        "figures_from_memory": row.from_memory,
    }
