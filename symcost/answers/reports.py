"""Reports of the checker as documents."""

from __future__ import annotations

from symcost.checker.report import Report, report_text
from symcost.documents.blocks import Document, Prose, Section, Strong


def report(found: Report) -> Document:
    """What became of a claim."""
    return _lines(report_text(found), found.to_dict())


def _lines(text: str, data: dict[str, object]) -> Document:
    first, *rest = text.splitlines()
    said = (Prose((Strong(first),)), *map(Prose, rest))
    return Document("", (Section("", said),), data=data)
