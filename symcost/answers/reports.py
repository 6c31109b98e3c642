"""Reports of the checker as documents."""

from __future__ import annotations

from symcost.checker.report import Report, report_text
from symcost.documents.blocks import Document, Prose, Section, Strong
from symcost.pages import DocumentReport
from symcost.pages.text import document_text


def report(found: Report) -> Document:
    """What became of a claim."""
    return _lines(report_text(found), found.to_dict())


def document(found: DocumentReport) -> Document:
    """What became of a page."""
    return _lines(document_text(found), found.to_dict())


def _lines(text: str, data: dict[str, object]) -> Document:
    first, *rest = text.splitlines()
    said = (Prose((Strong(first),)), *map(Prose, rest))
    return Document("", (Section("", said),), data=data)
