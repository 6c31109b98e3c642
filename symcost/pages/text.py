"""The report on a page as text: the first gap in full, every other formula on one line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from symcost.checker.report import Report, report_text

if TYPE_CHECKING:
    from symcost.pages.document import DocumentReport


def document_text(report: DocumentReport) -> str:
    """The report as text: the first gap, every other formula on one line, the odd things.

    >>> from symcost.pages import check_document
    >>> print(document_text(check_document("$$a = 2$$ $$2a = 4$$")))
    2 of 2 displayed formulas follow
    """
    first = report.first_gap
    total = [*report.links, *report.unread]
    lines = [f"{sum(link.holds for link in total)} of {len(total)} displayed formulas follow"]
    if first is not None and first in report.links:
        said = "does not follow" if first.exit_code == 1 else "cannot be decided"
        lines.append(f"line {first.line}: the first that {said}")
        lines += [f"  {line}" for line in report_text(_whole(first)).splitlines()]
    for link in report.links:
        if link is not first:
            lines += _one_line(link)
    lines += [f"line {each.lines[-1]}: {each.kind}: {each.text}" for each in report.lints]
    lines += [f"line {each.line}: not read: {each.claim} ({each.note})" for each in report.skipped]
    return "\n".join(lines)


def _whole(report: Report) -> Report:
    """The report with the link that does not follow in place of all links."""
    gap = _worst(report)
    while gap is not None and gap.links:
        gap = _worst(gap) or replace(gap, links=())
    if gap is None:
        return replace(report, links=())
    note = "; ".join(filter(None, [_which(report, gap), gap.note]))
    return replace(gap, claim=report.claim, note=note, links=(), line=report.line)


def _worst(report: Report) -> Report | None:
    """The first link that is as bad as the chain: an undecided one does not hide a wrong one."""
    bad = [link for link in report.links if not link.holds]
    return min(bad, key=lambda link: link.exit_code, default=None)


def _which(report: Report, gap: Report) -> str:
    links = [link for link in report.links if link.claim != report.claim]
    where = f" (line {gap.line})" if gap.line not in (None, report.line) else ""
    shown = len(links) > 1 or where
    return f"the link that does not follow{where}: {gap.claim}" if shown else ""


def _one_line(link: Report) -> Iterator[str]:
    if not link.holds:
        whole = _whole(link)
        why = whole.diagnosis[0].kind + ": " + whole.diagnosis[0].text if whole.diagnosis else ""
        why = why or whole.note
        yield f"line {link.line}: {link.verdict}: {link.claim}" + (f" ({why})" if why else "")
    elif link.verdict == "limit":
        yield f"line {link.line}: holds in the limit {link.assume}: {link.claim}"
    elif "anew" in link.note:
        yield f"line {link.line}: {link.note}: {link.claim}"
