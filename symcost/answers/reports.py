"""Reports of the checker in the formats of the command line."""

from __future__ import annotations

from symcost.checker.report import Report, report_text
from symcost.pages import DocumentReport
from symcost.pages.text import document_text
from symcost.render.json import dump


def report(found: Report, form: str) -> str:
    """What became of a claim: as text, as Markdown, or as JSON."""
    if form == "json":
        return dump(found.to_dict())
    if form == "markdown":
        verdict, *rest = report_text(found).splitlines()
        return "\n".join([f"**{verdict}**", "", *(f"- {line.strip()}" for line in rest)])
    return report_text(found)


def document(found: DocumentReport, form: str) -> str:
    """What became of a page: as text, as Markdown, or as JSON."""
    if form == "json":
        return dump(found.to_dict())
    text = document_text(found)
    if form == "markdown":
        first, *rest = text.splitlines()
        return "\n".join([f"**{first}**", "", *(f"- {line.strip()}" for line in rest)])
    return text
