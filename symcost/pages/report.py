"""What became of pages, as a document: short lines for a terminal, the page with its verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from symcost.checker.report import Report, report_text
from symcost.documents.blocks import Document, Prose, Section, Strong
from symcost.pages.in_place import page_in_place
from symcost.pages.lint import Lint
from symcost.pages.outcome import WRONG, Checked, of_gap, reasons, remarks
from symcost.pages.sources import Source
from symcost.render.shown import Rendered

STATES = ("compared", "defined", "undecided", "not read", "no amount")


@dataclass(frozen=True, slots=True, repr=False)
class DocumentReport(Rendered):
    """What became of a page: each formula, and what is odd as a whole; ``name`` is its file."""

    formulas: tuple[Checked, ...]
    source: Source
    lints: tuple[Lint, ...] = ()
    name: str = ""

    @property
    def links(self) -> tuple[Report, ...]:
        """The reports of the formulas that were read."""
        return self._reports("compared", "defined", "undecided")

    @property
    def skipped(self) -> tuple[Report, ...]:
        """Formulas that were not read, or state no amount."""
        return self._reports("not read", "no amount")

    @property
    def unread(self) -> tuple[Report, ...]:
        """Formulas that state a relation and cannot be read, so that nobody knows if they hold."""
        return self._reports("not read")

    @property
    def gaps(self) -> tuple[Report, ...]:
        """The formulas that do not follow."""
        return tuple(each.report for each in self.formulas if each.is_wrong)

    def _reports(self, *states: str) -> tuple[Report, ...]:
        return tuple(each.report for each in self.formulas if each.state in states)

    def count(self, state: str) -> int:
        """How many formulas are in a state."""
        return sum(each.state == state for each in self.formulas)

    @property
    def first_gap(self) -> Report | None:
        """The first formula that is wrong, else the first that is undecided or not read."""
        bad = [link for link in (*self.links, *self.unread) if not link.holds]
        return min(bad, key=lambda link: (link.exit_code == 3, link.line or 0), default=None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that could be checked."""
        return not self.links

    @property
    def holds(self) -> bool:
        """Whether there are formulas and every one follows; what is odd does not count."""
        return self.first_gap is None and not self.is_empty

    @property
    def exit_code(self) -> int:
        """0 when every formula follows, 1 when one is wrong, 3 when one cannot be decided.

        Where nothing was found to check it is 3.
        """
        first = self.first_gap
        return 3 * self.is_empty if first is None else first.exit_code

    def to_dict(self) -> dict[str, object]:
        """The report as plain data."""
        first = self.first_gap
        counts = {state: self.count(state) for state in STATES}
        counts |= {"formulas": len(self.formulas), "does not follow": len(self.gaps)}
        return {
            "page": self.name or None,
            "holds": self.holds,
            "first_gap": first.line if first else None,
            "counts": counts,
            "links": [
                {"line": each.report.line, "state": each.state, **each.report.to_dict()}
                for each in self.formulas
                if each.state not in ("not read", "no amount")
            ],
            "lints": [{**asdict(each), "lines": [*each.lines]} for each in self.lints],
            "skipped": [
                {"line": each.line, "text": each.claim, "reason": each.note}
                for each in self.skipped
            ],
            "findings": list(findings(self)),
        }

    def document(self) -> Document:
        """The report as a document that every format renders."""
        return pages_document([self])


def pages_document(reports: Sequence[DocumentReport]) -> Document:
    """What became of several pages, one below the other.

    Args:
        reports: one for each page.

    Returns:
        The document; its facts are those of the page, or ``pages`` and all ``findings``.
    """
    brief = tuple(Section("", tuple(map(Prose, lines(each)))) for each in reports)
    opening = tuple(Prose((Strong(headline(each)),)) for each in reports)
    sections = tuple(section for each in reports for section in _page(each))

    def facts() -> Mapping[str, object]:
        pages = [each.to_dict() for each in reports]
        if len(pages) == 1:
            return pages[0]
        found = [finding for each in reports for finding in findings(each)]
        return {"holds": all(each.holds for each in reports), "pages": pages, "findings": found}

    return Document("The formulas of the page", sections, opening, brief, facts)


def _page(report: DocumentReport) -> Iterator[Section]:
    yield from page_in_place(report.name, report.source, report.formulas)
    odd = [
        Prose((f"line {lint.lines[-1]}: ", Strong(lint.kind), f": {lint.text}"))
        for lint in report.lints
    ]
    if odd:
        yield Section("Odd on the page", tuple(odd))


def headline(report: DocumentReport) -> str:
    """What was done: ``41 formulas: 12 compared, 26 defined; 1 does not follow``."""
    total, name = len(report.formulas), f"{report.name}: " if report.name else ""
    if not total:
        return f"{name}no formula was found: nothing was checked"
    many = f"{total} formula{'s' * (total != 1)}"
    if report.is_empty and not report.unread:
        return f"{name}{many}, none of which states an amount: nothing was checked"
    counted = ((report.count(state), state.replace("no a", "of no a")) for state in STATES)
    counts = [f"{n} {state}" for n, state in counted if n]
    gaps = Counter(gap.verdict for gap in report.gaps)
    told = (f"; {n} {WRONG[verdict][n > 1]}" for verdict, n in gaps.items())
    return f"{name}{many}: {', '.join(counts)}{''.join(told)}"


def lines(report: DocumentReport) -> Iterator[str]:
    """The report line by line: what was done, each gap, what was not read, what is odd.

    >>> from symcost.pages import check_document
    >>> list(lines(check_document("$$a = 2$$ $$2a = 4$$")))
    ['2 formulas: 1 compared, 1 defined']
    """
    yield headline(report)
    gaps = [each for each in report.formulas if each.is_wrong or each.state == "undecided"]
    first = report.first_gap
    for each in sorted(gaps, key=lambda each: each.report.line or 0):
        yield f"{_at(report, each.report.line)}: {each.verdict}: {each.report.claim}"
        whole = of_gap(each.report)
        if each.report is first:
            yield from (f"  {line}" for line in report_text(whole).splitlines())
        else:
            rows = reasons(whole) if each.is_wrong else (("", whole.note),)
            yield from (f"  {name}: {said}" if name else f"  {said}" for name, said in rows if said)
    for report_of in report.unread:
        at = _at(report, report_of.line)
        yield f"{at}: not read: {report_of.claim} ({report_of.note})"
    for link in report.links:
        yield from (f"{_at(report, link.line)}: {said}: {link.claim}" for said in remarks(link))
    for lint in report.lints:
        yield f"{_at(report, lint.lines[-1])}: {lint.kind}: {lint.text}"


def findings(report: DocumentReport) -> Iterator[dict[str, object]]:
    """Each thing to look at: file, line, level (``error``, ``warning``, ``note``), kind, words."""
    for each in report.formulas:
        level = "error" if each.is_wrong else _LEVELS.get(each.state)
        if level:
            said = "; ".join(f"{n}: {s}" if n else s for n, s in reasons(of_gap(each.report)) if s)
            text = f"{each.verdict}: {each.report.claim}" + (f" ({said})" if said else "")
            yield _finding(report, each.report.line or 1, level, each.verdict, text)
    for lint in report.lints:
        yield _finding(report, lint.lines[-1], "note", lint.kind, lint.text)
    if report.is_empty:
        yield _finding(report, 1, "warning", "nothing checked", headline(report))


_LEVELS = {"undecided": "warning", "not read": "warning"}


def _finding(
    report: DocumentReport, line: int, level: str, kind: str, text: str
) -> dict[str, object]:
    kind = kind.replace(" ", "-")
    return {"file": report.name, "line": line, "level": level, "kind": kind, "text": text}


def _at(report: DocumentReport, line: int | None) -> str:
    return f"{report.name}:{line}" if report.name else f"line {line}"
