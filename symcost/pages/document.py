"""A whole page checked: every formula that states something is a link of a derivation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from sympy import Symbol

from symcost.algebra.budget import budget, is_spent
from symcost.checker.report import Report
from symcost.errors import SymcostError, UndecidedError
from symcost.files.contents import read_input
from symcost.pages.known import Known, enter, hear
from symcost.pages.latex_forms import states_no_amount
from symcost.pages.links import follow, is_compared
from symcost.pages.lint import lint
from symcost.pages.orders import is_order, stated_orders
from symcost.pages.outcome import Checked
from symcost.pages.passages import MAX_SENTENCE, Passage, passages
from symcost.pages.reading import definitions, letters_of, words_of
from symcost.pages.report import DocumentReport
from symcost.pages.rows import RELATION
from symcost.pages.sources import read_source

WORK = 100_000  # steps for one formula; the longest of a hundred public pages took 35,000
PAGE_WORK = 400_000  # for a page
MAX_FORMULAS = 4_000  # of a page that are read
MAX_EXPLAINED = 12  # formulas of a page whose gaps are explained


def check_document(
    page: str | os.PathLike[str], *, assume: str | None = None, name: str = ""
) -> DocumentReport:
    r"""Check the formulas of a page, link by link.

    A name that is set for the first time is a definition and remembered; later formulas are
    read with it. So are the definitions in the text, ``$W = 3.35$ TB/s``. An inequality must
    follow from the one before it, if there is one.

    >>> report = check_document("$$C = 9.89e14$$\n$$T = 1e12/C = 1.01 \\text{ us}$$")
    >>> report.first_gap.line, report.first_gap.diagnosis[0].kind
    (2, 'unit-prefix')

    Args:
        page: Markdown, LaTeX, HTML or a notebook, as text or as the path of a file.
        assume: an order of growth under which the page is meant; those that it states
            itself (``B \ll D``) count as well.
        name: the file that the text comes from, for ``file:line``.

    Returns:
        The report: what became of each formula, and what is odd on the page as a whole.

    Raises:
        NotationError: the page is too long, or a notebook is damaged.
        OutputError: the file cannot be read.
    """
    given = os.fspath(page)
    text = read_input(given)
    source = read_source(text)
    written = passages(source)
    letters = letters_of(written)
    orders, several = stated_orders(source, written), _several(written, letters)
    names = words_of(written, source.words)
    known = Known(letters=letters, names=names, assume=assume, orders=orders, several=several)
    with budget(PAGE_WORK):
        formulas = tuple(_checked(written, known))
    report = DocumentReport(formulas, source, name=name or ("" if given == text else given))
    lints = lint(source, written[:MAX_FORMULAS], letters, report.links)
    return replace(report, lints=lints)


def _several(written: tuple[Passage, ...], letters: frozenset[str]) -> frozenset[Symbol]:
    """The names that are set to more than one number somewhere on the page."""
    numbers: dict[Symbol, set[Fraction]] = {}
    for passage in written[:MAX_FORMULAS]:
        if passage.kind != "python":
            for each in definitions(passage, (), letters):
                if each.value is not None and each.formula is None:
                    numbers.setdefault(each.name, set()).add(each.value)
    return frozenset(name for name, values in numbers.items() if len(values) > 1)


def _checked(written: tuple[Passage, ...], page: Known) -> Iterator[Checked]:
    """What becomes of each formula; Python has names of its own."""
    states = {False: page, True: replace(page, letters=frozenset(), several=frozenset())}
    wrong = 0
    for number, passage in enumerate(written):
        code = passage.kind == "python"
        known = enter(states[code], passage)
        known = replace(known, before=f"{known.before} {passage.before}"[-MAX_SENTENCE:])
        if is_order(passage.text):
            continue
        spent = number >= MAX_FORMULAS or is_spent()
        if not passage.is_link:
            states[code] = known if spent else hear(passage, known)
            continue
        if spent:
            note = "the formulas before it took all the work that a page is given"
            report = Report("undecided", passage.text, note=note, line=passage.line)
            yield Checked(passage, report, "undecided")
            continue
        checked, states[code] = _one(passage, known, wrong < MAX_EXPLAINED)
        wrong += checked.is_wrong
        if checked.state not in ("not read", "no amount") or passage.kind == "display":
            yield checked


def _one(passage: Passage, known: Known, explain: bool) -> tuple[Checked, Known]:
    """The report of one formula with its line, and the state after it."""
    line = passage.line
    if passage.kind == "display" and (note := _no_amount(passage.text)):
        report = Report("undecided", passage.text, note=note, line=line)
        return Checked(passage, report, "no amount"), replace(known, last=None)
    try:
        with budget(WORK):
            followed = follow(passage, known)
            if is_spent() and not followed.report.holds:
                raise UndecidedError("it takes more work than one formula is given")
        if followed.report.exit_code == 1 and explain:
            with budget(WORK):
                told = follow(passage, replace(known, explained=True)).report
                followed = replace(followed, report=told) if told.exit_code == 1 else followed
    except (SymcostError, RecursionError) as error:
        note = error.problem if isinstance(error, SymcostError) else "it is nested too deeply"
        report = Report("undecided", passage.text, note=note, line=line)
        state = "undecided" if isinstance(error, UndecidedError) else "not read"
        return Checked(passage, report, state), replace(known, last=None)
    report = replace(followed.report, line=line, links=_with_lines(passage, followed.report.links))
    state = "compared" if is_compared(report) else "defined"
    return Checked(passage, report, "undecided" if report.exit_code == 3 else state), followed.known


def _no_amount(text: str) -> str:
    """Why a display is not compared with anything; empty if it is."""
    if not RELATION.search(text):
        return "no equation"
    return "a shape, a matrix or an order of growth" if states_no_amount(text) else ""


def _with_lines(passage: Passage, links: tuple[Report, ...]) -> tuple[Report, ...]:
    """The links of a chain with the lines of the rows that their signs stand in."""
    signs = [match.start() for match in RELATION.finditer(passage.text)][-len(links) :]
    if len(signs) != len(links) or len(passage.lines) < 2:
        return links
    lines = [max(row for row in passage.lines if row[0] <= sign)[1] for sign in signs]
    return tuple(replace(link, line=line) for link, line in zip(links, lines, strict=True))
