"""One side of a formula against the next; what the page does not say is not called wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.checker.chains import combined
from symcost.checker.claims import Side, read_side
from symcost.checker.compare import equal
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.question import Question, plugged
from symcost.checker.report import Report
from symcost.checker.rounding import agrees
from symcost.pages.known import Known
from symcost.pages.missing import in_words, missing, without_value

NEARLY = Fraction(3, 100)  # what ≈ may leave out beside its digits
_BILLIONS = re.compile(r"\d\s*\\(?:text|mathrm)\s*\{\s*B\s*\}")
_AMOUNT = re.compile(r"\s*[\d.,]+\s*(?:[kKMGTPE]i?B|[mun]s|[kKMGTPE]?(?:FLOPs?|bps))(?:/s)?\s*")
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def link(left: Side, sign: str, right: Side, known: Known) -> Report:
    """One side against the other, with the values that are needed.

    A symbol that stands on both sides stays a symbol: with numbers in its place, a wrong
    term could hide within their rounding.
    """
    text = f"{left.text} {sign} {right.text}"
    if left.printed is not None and right.printed is None:
        left, right = right, left
    a, b = (replace(side, expr=known.put(side.expr)) for side in (left, right))
    if words := in_words(a.expr, b.expr, known.values):
        return Report("exact", text, note=f"says what {words} is")
    shared = a.expr.free_symbols & b.expr.free_symbols
    values = {s: v for s, v in known.values.items() if s not in shared}
    expected = Expected(a.expr, values=values)
    report = judge(Question(b, expected, known.assume, text, known.names, tolerant=sign == "≈"))
    if report.holds:
        return report
    for side in (left, right):
        if _AMOUNT.fullmatch(side.text) and side.measure is None:
            return _as_amount(left, sign, right, known, report)
    ends = [plugged(side.expr, known.values) for side in (a, b)]
    if shared & set(known.values) and equal(*ends):
        return replace(
            Report("exact", text, expected=ends[0]), note="at the values that the page gives"
        )
    return _fair(report, a, b, sign, known, [plugged(side.expr, values) for side in (a, b)])


def _as_amount(left: Side, sign: str, right: Side, known: Known, report: Report) -> Report:
    """``84TB`` where T and B are symbols of the page may be an amount all the same."""
    a, b = (
        read_side(each.text) if _AMOUNT.fullmatch(each.text) else each for each in (left, right)
    )
    if a.measure is None and b.measure is None:
        return report
    found = link(a, sign, b, known)
    note = f"{b.text if b.measure else a.text} may be an amount or a product"
    return found if found.holds else without_value(report, note)


def _fair(
    report: Report, left: Side, right: Side, sign: str, known: Known, ends: list[Expr]
) -> Report:
    """The report, undecided where the page does not say enough to call the link wrong."""
    if _is_binary(right, ends[0]):
        note = "powers of 1024 in place of 1000: KiB, MiB or GiB are meant"
        return replace(without_value(report, note), verdict="rounded")
    if why := missing(ends[1], ends[0]):
        return without_value(report, why)
    if report.verdict not in ("wrong", "convention"):
        return report
    if sign == "≈" and _near(*ends):
        return replace(without_value(report, "what ≈ leaves out is below 3 %"), verdict="rounded")
    if _BILLIONS.search(report.claim):
        return without_value(report, "B behind a number may mean bytes or 10^9")
    rests_on = _rests_on(left.expr, known) | _rests_on(right.expr, known)
    rough = sorted(s.name for s in rests_on if known.of(s).rough)
    if rough:
        return without_value(report, f"{', '.join(rough)} is given with ≈ only")
    several = sorted(s.name for s in rests_on if _is_elsewhere(s, known))
    if several:
        return without_value(report, f"{', '.join(several)} has several values on the page")
    other = _not_put_in(left, right, known)
    if other:
        return without_value(report, f"another number than {other} of the page is put in")
    return report


def _is_binary(side: Side, value: Expr) -> bool:
    """Whether KB stands for 1024 bytes: the printed number is smaller by powers of 1000/1024."""
    prefix = "kKMGTP".find(side.measure.unit[:1]) if side.measure is not None else -1
    if side.measure is None or prefix < 0 or side.measure.unit[1:2] != "B" or not value.is_Rational:
        return False
    exact, powers = Fraction(int(value.p), int(value.q)), range(1, max(prefix, 1) + 1)
    return any(agrees(side.measure.printed, exact * Fraction(1000, 1024) ** n) for n in powers)


def _near(left: Expr, right: Expr) -> bool:
    if not (left.is_Rational and right.is_Rational and left):
        return False
    return bool(abs(right / left - 1) <= NEARLY)


def _rests_on(expr: Expr, known: Known) -> set[Symbol]:
    """The names whose values decide a link, those within formulas included."""
    found, fresh = set(), set(expr.free_symbols)
    while fresh:
        name = fresh.pop()
        found.add(name)
        formula = known.of(name).formula
        if formula is not None:
            fresh |= formula.free_symbols - found
    return found


def _is_elsewhere(name: Symbol, known: Known) -> bool:
    """Whether a name has several values on the page, and this one was given in another case."""
    meaning = known.of(name)
    return name in known.several and meaning.value is not None and meaning.case != known.at.case


def _not_put_in(left: Side, right: Side, known: Known) -> str:
    """A value of a name that is not among the numbers which the other side puts in."""
    for formula, numbers in ((left, right), (right, left)):
        typed = _NUMBERS.findall(numbers.text)
        if numbers.expr.free_symbols or numbers.printed is not None or len(typed) < 2:
            continue
        digits = {number.replace(".", "").strip("0") for number in typed}
        for name in sorted(_rests_on(formula.expr, known), key=lambda s: s.name):
            value = known.of(name).value
            if value is not None and not _digits(value) & digits:
                return f"{name} = {_plain(value)}"
    return ""


def _digits(value: Fraction) -> set[str]:
    """The digits that a number is written with, without zeros at its ends."""
    return {
        _plain(value).replace(".", "").strip("0"),
        _plain(1 / value).replace(".", "").strip("0"),
    }


def _plain(value: Fraction) -> str:
    return f"{float(value):.10g}".split("e")[0]


def joined(text: str, links: tuple[Report, ...]) -> Report:
    """The report of a chain; a link that is wrong counts before one that is undecided."""
    first = sorted(links, key=lambda each: each.verdict not in ("wrong", "convention"))
    return replace(combined(text, tuple(first)), links=links)
