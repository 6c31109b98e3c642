"""One chip as a page: every figure with its source and note. No sympy here."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symcost.documents.blocks import Document, Prose, Section, Table
from symcost.errors import MissingRuleError
from symcost.hardware.datasheet import Datasheet
from symcost.hardware.figures import Figure
from symcost.hardware.listing import source_texts, whole_or_text
from symcost.printing.numbers import decimal, quantity


def document(chip: Datasheet) -> Document:
    """One chip: every figure with its source and note."""
    texts = source_texts()
    rows = [
        (label, figure, "; ".join(texts.get(key, key) for key in figure.source))
        for label, figure in chip.figures()
    ]
    vendor = f" ({chip.vendor})" if chip.vendor else ""
    head = [f"{chip.name}: {chip.title}{vendor}"]
    if chip.resolved_from:
        head.append(f"{chip.resolved_from} stands for {chip.name}")
    table = tuple((label, _shown(label, f), _said(f, source)) for label, f, source in rows)
    ridges = [_ridge(chip, dtype) for dtype in chip.matmul]
    lines = [f"critical intensity, {line}" for line in ridges if line]
    lines += list(_over_links(chip))
    lines += [f"note: {note}" for note in chip.notes]
    sections = (
        Section("", tuple(map(Prose, head))),
        Section("", (Table(("figure", "value", "source"), table),)),
        Section("", tuple(map(Prose, lines))),
    )
    return Document(chip.title, sections, data=_details_data(chip, rows))


def _ridge(chip: Datasheet, dtype: str) -> str:
    peak, width = chip.matmul[dtype], chip.memory_bandwidth
    if width is None:
        return ""
    if not (isinstance(peak.value, Fraction) and isinstance(width.value, Fraction)):
        return f"{dtype}: {peak.value}/{width.value}"
    ratio = peak.value / width.value
    exact = f"{ratio} = " if ratio.denominator > 1 else ""
    return f"{dtype} over hbm: {exact}{decimal(ratio)} FLOP/byte"


def _over_links(chip: Datasheet) -> Iterator[str]:
    """The critical intensity against every link, with what its bandwidth counts."""
    dtype = "bf16" if "bf16" in chip.matmul else next(iter(chip.matmul), None)
    for link in chip.links if dtype else ():
        try:
            width, peak = chip.device_figure(f"{link}[X]"), chip.matmul[str(dtype)]
        except MissingRuleError as error:
            yield f"over {link}: {error.problem}"
            continue
        if isinstance(peak.value, Fraction) and isinstance(width.value, Fraction):
            ratio = decimal(peak.value / width.value)
            shown = quantity(width.value, "byte/s")
            what = f"critical intensity, {dtype} over {link}"
            counted = ", ".join(filter(None, (shown, width.note)))
            yield f"{what}: {ratio} FLOP/byte ({counted})"


def _said(figure: Figure, source: str) -> str:
    return f"{source}; {figure.note}" if figure.note else source


def _shown(label: str, figure: Figure) -> str:
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


def _details_data(chip: Datasheet, rows: list[tuple[str, Figure, str]]) -> dict[str, object]:
    figures = {
        label: {"value": whole_or_text(figure.value), "source": source, "note": figure.note}
        for label, figure, source in rows
    }
    return {
        "name": chip.name,
        "title": chip.title,
        "vendor": chip.vendor,
        "resolved_from": chip.resolved_from,
        "aliases": list(chip.aliases),
        "figures": figures,
        "notes": list(chip.notes),
    }
