"""A whole page checked: every displayed formula is a link of a derivation."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import Any

from symcost.checker.report import Report
from symcost.errors import SymcostError
from symcost.files import read_input
from symcost.pages.displays import Equation, prose
from symcost.pages.links import follow
from symcost.pages.lint import Lint, lint
from symcost.pages.page import MAX_SENTENCE, State, hear, is_assumption, read_page
from symcost.pages.rows import RELATION
from symcost.pages.text import document_text

_NO_EQUATION = re.compile(
    r"\\(?:in|propto|neq?|ne|subset|subseteq|mapsto|notin)(?![A-Za-z])|[∈∝≠]"
    r"|(?:=|\\sim|\\in)\s*(?:\\mathcal\{?O\}?|\\Theta|\\Omega|O)\s*(?:\\left)?\("
)


@dataclass(frozen=True, slots=True, repr=False)
class DocumentReport:
    """What became of a page: a report for each displayed formula, and what is odd as a whole."""

    links: tuple[Report, ...]
    lints: tuple[Lint, ...] = ()
    skipped: tuple[Report, ...] = ()

    @property
    def unread(self) -> tuple[Report, ...]:
        """Formulas that state a relation and cannot be read, so that nobody knows if they hold."""
        return tuple(each for each in self.skipped if states_relation(each.claim))

    @property
    def first_gap(self) -> Report | None:
        """The first formula that is wrong, else the first that is undecided or not read."""
        bad = [link for link in (*self.links, *self.unread) if not link.holds]
        return min(bad, key=lambda link: (link.exit_code == 3, link.line or 0), default=None)

    @property
    def holds(self) -> bool:
        """Whether every formula follows; what is odd as a whole does not count."""
        return self.first_gap is None

    @property
    def exit_code(self) -> int:
        """0 when every formula follows, 1 when one is wrong, 3 when one cannot be decided."""
        return self.first_gap.exit_code if self.first_gap else 0

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        first = self.first_gap
        return {
            "holds": self.holds,
            "first_gap": first.line if first else None,
            "links": [{"line": link.line, **link.to_dict()} for link in self.links],
            "lints": [each.to_dict() for each in self.lints],
            "skipped": [
                {"line": each.line, "text": each.claim, "reason": each.note}
                for each in self.skipped
            ],
        }

    def __repr__(self) -> str:
        return document_text(self)


def check_document(page: str | os.PathLike[str], *, assume: Any = None) -> DocumentReport:
    r"""Check the displayed formulas of a page, link by link.

    A name that is set for the first time is a definition and remembered; later formulas are
    read with it. So are the definitions in the text, ``$W = 3.35$ TB/s``. An inequality must
    follow from the one before it, if there is one.

    >>> report = check_document("$$C = 9.89e14$$\n$$T = 1e12/C = 1.01 \\text{ us}$$")
    >>> report.first_gap.line, report.first_gap.diagnosis[0].kind
    (2, 'unit-prefix')

    Args:
        page: Markdown or LaTeX text, or the path of a file.
        assume: an order of growth under which the page is meant; those that it states
            itself (``B \ll D``) count as well.

    Returns:
        The report: a link for each formula, and what is odd on the page as a whole.

    Raises:
        NotationError: the page is too long.
        OutputError: the file cannot be read.
    """
    text = read_input(os.fspath(page))
    found = read_page(text)
    plain = prose(text)
    limits = frozenset(re.findall(r"[A-Za-z]\w*", " ".join(found.assumptions)))
    state = State(assume or None, letters=found.letters, limits=limits)
    links: list[Report] = []
    skipped: list[Report] = []
    for equation in found.statements:
        state.enter(found.section(equation))
        if is_assumption(equation.text):
            continue
        if not equation.displayed or equation.condition:
            hear(equation, state)
            continue
        state.hints = found.hints.get(equation.start, ())
        state.prose = f"{state.prose} {found.before(equation, plain)}"[-MAX_SENTENCE:]
        report, after = _followed(equation, state)
        (links if after else skipped).append(report)
        state = after or state
    lints = lint(text, tuple(links), bool(assume or found.assumptions))
    return DocumentReport(tuple(links), lints, tuple(skipped))


def _followed(equation: Equation, state: State) -> tuple[Report, State | None]:
    """The report of one formula with its line; without a state when it cannot be read."""
    try:
        report, after = follow(equation, state)
    except (SymcostError, RecursionError) as error:
        note = error.problem if isinstance(error, SymcostError) else "it is nested too deeply"
        return Report("undecided", equation.text, note=note, line=equation.line), None
    return replace(report, line=equation.line, links=_with_lines(equation, report.links)), after


def _with_lines(equation: Equation, links: tuple[Report, ...]) -> tuple[Report, ...]:
    """The links of a chain with the lines of the rows that their signs stand in."""
    signs = [match.start() for match in RELATION.finditer(equation.text)][-len(links) :]
    if len(signs) != len(links) or len(equation.lines) < 2:
        return links
    lines = [max(row for row in equation.lines if row[0] <= sign)[1] for sign in signs]
    return tuple(replace(link, line=line) for link, line in zip(links, lines, strict=True))


def states_relation(text: str) -> bool:
    r"""Whether a formula says that amounts are equal, or that one is larger.

    >>> [states_relation(t) for t in ("T = x!", "2 n!", r"T = O(n)", r"X \in R")]
    [True, False, False, False]
    """
    return bool(RELATION.search(text)) and not _NO_EQUATION.search(text)
