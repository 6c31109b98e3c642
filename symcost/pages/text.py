"""The report on a page as text: the first gap in full, every other formula on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from symcost.checker.report import Report, report_text

_PLAIN = re.compile(
    r"(?:defines \S+$|says what|states nothing|starts a|as before|a condition|an order)"
)
_SHOWN = ("compared", "defined", "undecided", "not read")

if TYPE_CHECKING:
    from symcost.pages.document import DocumentReport


def document_text(report: DocumentReport) -> str:
    """The report as text: what was done, each gap, the odd things, what was not read.

    >>> from symcost.pages import check_document
    >>> print(document_text(check_document("$$a = 2$$ $$2a = 4$$")))
    2 formulas: 1 compared, 1 defined
    """
    lines = [headline(report)]
    gaps = [*report.gaps, *(each for each in report.links if each.verdict == "undecided")]
    for number, gap in enumerate(sorted(gaps, key=lambda each: each.line or 0)):
        lines += _gap(report, gap, whole=gap is report.first_gap or not number)
    lines += [
        f"{_at(report, each.line)}: not read: {each.claim} ({each.note})" for each in report.unread
    ]
    for link in report.links:
        lines += _holds(report, link)
    lines += [f"{_at(report, each.lines[-1])}: {each.kind}: {each.text}" for each in report.lints]
    return "\n".join(lines)


def headline(report: DocumentReport) -> str:
    """What was done: ``41 formulas: 12 compared, 26 defined; 1 does not follow``."""
    total = len(report.formulas)
    if report.is_empty:
        found = f"{total} formulas, none of which states an amount" if total else "no formula"
        return f"{found} was found to check" if not total else f"{found}: nothing was checked"
    counts = [f"{n} {state}" for state in _SHOWN if (n := report.count(state))]
    counts += [f"{n} of no amount" for n in [report.count("no amount")] if n]
    gaps = len(report.gaps)
    verb = "does" if gaps == 1 else "do"
    tail = f"; {gaps} {verb} not follow" if gaps else ""
    return f"{total} formula{'s' * (total != 1)}: {', '.join(counts)}{tail}"


def _at(report: DocumentReport, line: int | None) -> str:
    return f"{report.name}:{line}" if report.name else f"line {line}"


def _gap(report: DocumentReport, gap: Report, whole: bool) -> Iterator[str]:
    """A formula that does not follow, or cannot be decided; the first one in full."""
    shown = _whole(gap)
    said = "does not follow" if gap.exit_code == 1 else "cannot be decided"
    why = shown.diagnosis[0].kind + ": " + shown.diagnosis[0].text if shown.diagnosis else ""
    yield f"{_at(report, gap.line)}: {said}: {gap.claim}"
    if whole:
        yield from (f"  {line}" for line in report_text(shown).splitlines())
    elif gap.exit_code == 1:
        follows = None if shown.expected is None else str(shown.expected)
        rows = (("follows", follows), ("stands there", _stands(shown)), ("why", why or shown.note))
        yield from (f"  {name}: {value}" for name, value in rows if value)
    elif shown.note:
        yield f"  {shown.note}"


def _stands(report: Report) -> str:
    return "" if report.claimed is None else str(report.claimed)


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


def _holds(report: DocumentReport, link: Report) -> Iterator[str]:
    """What is worth saying of a formula that holds: a limit, another meaning, a check left out."""
    if not link.holds:
        return
    if link.verdict == "limit":
        yield f"{_at(report, link.line)}: holds in the limit {link.assume}: {link.claim}"
    for note in dict.fromkeys(_notes(link)):
        yield f"{_at(report, link.line)}: {note}: {link.claim}"


def _notes(link: Report) -> Iterator[str]:
    """What is said of the links of a chain, but for plain definitions."""
    if link.note and not _PLAIN.match(link.note):
        yield link.note
    for each in link.links:
        yield from _notes(each)
