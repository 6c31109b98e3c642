"""One side of a formula against the next; what the page does not say is not called wrong."""

from __future__ import annotations

import re
from dataclasses import replace

from sympy import Expr

from symcost.algebra.assumptions import MuchLess
from symcost.algebra.budget import spend
from symcost.checker.claims import Side
from symcost.checker.equality import equal
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.question import Question, plugged
from symcost.checker.report import Report
from symcost.pages.known import Known
from symcost.pages.looseness import amounts, loosely_equal
from symcost.pages.missing import in_words, missing, unbound, without_value
from symcost.pages.opaque import not_put_in
from symcost.pages.orders import under_orders

_THINGS = re.compile(r"\b(?:doubles?|floats?|words|elements|values|entries|numbers|parameters)\b")
LINK_WORK = 200  # steps that a link takes at least; so a page can have some two thousand
_MONEY = re.compile(r"\\\$\s*\d|\d\s*(?:USD|\\text\{\s*USD)")


def link(left: Side, sign: str, right: Side, known: Known) -> Report:
    """One side against the other, with the values that are needed.

    A symbol that stands on both sides stays a symbol: with numbers in its place, a wrong
    term could hide within their rounding.
    """
    spend(LINK_WORK)
    text = f"{left.text} {sign} {right.text}"
    if left.printed is not None and right.printed is None:
        left, right = right, left
    a, b = (replace(side, expr=known.put(side.expr)) for side in (left, right))
    if why := not_put_in(a.expr.free_symbols ^ b.expr.free_symbols):
        return Report("undecided", text, note=why)
    if words := in_words(a.expr, b.expr, known.meanings):
        return Report("exact", text, note=f"says what {words} is")
    if b.expr.is_Symbol and b.expr not in known.meanings and b.expr not in a.expr.free_symbols:
        return Report("exact", text, note=f"says what {b.expr} is")
    shared = a.expr.free_symbols & b.expr.free_symbols
    numbers = known.values_of(a.expr.free_symbols | b.expr.free_symbols)
    values = {s: v for s, v in numbers.items() if s not in shared}
    expected = Expected(a.expr, values=values)
    question = Question(b, expected, known.assume, text, tuple(known.names), tolerant=sign == "≈")

    def ask(orders: tuple[MuchLess, ...] | None) -> Report:
        under = replace(question, assume=orders) if orders else question
        return judge(under, explained=known.explained and not orders)

    symbols = a.expr.free_symbols | b.expr.free_symbols
    report = under_orders(ask, () if known.assume else known.orders, known.at, symbols)
    if report.holds:
        return report
    ends = [plugged(side.expr, numbers) for side in (a, b)]
    if shared & set(numbers) and equal(*ends):
        return replace(
            Report("exact", text, expected=ends[0]), note="at the values that the page gives"
        )
    if report.ratio is None and (why := unbound(left.expr, right.expr, known.meanings)):
        return without_value(report, why)
    return _fair(report, a, b, sign, known, [plugged(side.expr, values) for side in (a, b)])


def _fair(
    report: Report, left: Side, right: Side, sign: str, known: Known, ends: list[Expr]
) -> Report:
    """The report, undecided where the page does not say enough to call the link wrong."""
    if why := not_put_in(left.expr.free_symbols | right.expr.free_symbols):
        return without_value(report, why)  # values of one function may be related
    if why := missing(ends[1], ends[0]):
        return without_value(report, why)
    if report.verdict not in ("wrong", "convention"):
        return report
    if note := loosely_equal(left, right, sign, *ends):
        return replace(without_value(report, note), verdict="rounded")
    if note := _unclear(known.at.text, right):
        return without_value(report, note)
    rests_on = known.rests_on(left.expr.free_symbols | right.expr.free_symbols)
    rough = sorted(s.name for s in rests_on if known.of(s).rough)
    if rough:
        return without_value(report, f"{', '.join(rough)} is given with ≈ only")
    given = {s: known.of(s) for s in rests_on & known.several if known.of(s).value is not None}
    several = sorted(s.name for s, meaning in given.items() if meaning.case != known.at.case)
    if several:  # and these were given in other cases
        return without_value(report, f"{', '.join(several)} has several values on the page")
    other = _not_put_in(left, right, known)
    if other:
        return without_value(report, f"another number than {other} of the page is put in")
    return report


def _unclear(text: str, side: Side) -> str:
    if _THINGS.search(text) and side.measure and dict(side.measure.dimension).get("byte"):
        return "how many bytes one of them takes is not said"
    return "what an amount of money is counted per is not known" if _MONEY.search(text) else ""


def _not_put_in(left: Side, right: Side, known: Known) -> str:
    """A value of a name that is not among the numbers which the other side puts in."""
    for formula, numbers in ((left, right), (right, left)):
        if numbers.expr.free_symbols or numbers.printed is not None:
            continue
        typed = {each.value for each in amounts(numbers.text)}
        for name in sorted(known.rests_on(formula.expr.free_symbols), key=lambda s: s.name):
            value = known.of(name).value
            if value is not None and not {value, 1 / value} & typed:
                return f"{name} = {float(value):.10g}"
    return ""
