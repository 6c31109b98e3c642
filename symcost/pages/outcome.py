"""What became of one formula of a page, and what there is to say about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Expr

from symcost.checker.chains import MISSED
from symcost.checker.report import Report
from symcost.pages.passages import Passage
from symcost.printing.numbers import decimal

_PLAIN = re.compile(
    r"(?:defines \S+$|says what|states nothing|starts a|a condition|an order"
    "|nobody stated)"
)

_SAID = {"undecided": "cannot be decided", "compared": "follows", "no amount": "not compared"}
WRONG = {  # of one formula, of several
    "wrong": ("does not follow", "do not follow"),
    "convention": ("holds under another convention", "hold under another convention"),
}


@dataclass(frozen=True, slots=True)
class Checked:
    """One formula of a page and what became of it.

    ``state`` is ``compared``, ``defined`` (it says what a name is, or states nothing to check),
    ``undecided``, ``not read`` or ``no amount`` (a shape, a matrix, a derivative); ``before`` is
    the text of the page between it and the formula before.
    """

    passage: Passage
    report: Report
    state: str

    @property
    def is_wrong(self) -> bool:
        """Whether it does not follow."""
        return self.state in ("compared", "undecided") and self.report.exit_code == 1

    @property
    def verdict(self) -> str:
        """What became of it, in words."""
        if self.is_wrong:
            return WRONG[self.report.verdict][0]
        return _SAID.get(self.state, self.state)


def reasons(report: Report) -> Iterator[tuple[str, str]]:
    """What follows from the page, what stands there, and why the two differ."""
    if report.exit_code == 1:
        yield "follows", _shown(report.expected) if not report.when else report.expected_text
        yield "stands there", _shown(report.claimed)
    first = report.diagnosis[0] if report.diagnosis else None
    why = f"{first.kind}: {first.text}" if first else report.note
    yield "why" if report.exit_code == 1 else "", why


def _shown(value: object) -> str:
    """A formula, or a number by its decimals."""
    if isinstance(value, Expr) and value.is_number and not value.is_Integer:
        return decimal(value)
    return "" if value is None else str(value)


def of_gap(report: Report) -> Report:
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
    return f"{MISSED[gap.verdict]}{where}: {gap.claim}" if shown else ""


def remarks(link: Report) -> Iterator[str]:
    """What is worth saying of a formula that holds: a limit, another meaning, what was let be."""
    if link.holds:
        if link.verdict == "limit":
            yield f"holds in the limit {link.assume}"
        yield from dict.fromkeys(_notes(link))


def _notes(link: Report) -> Iterator[str]:
    if link.note and not _PLAIN.match(link.note):
        yield link.note
    for each in link.links:
        yield from _notes(each)
