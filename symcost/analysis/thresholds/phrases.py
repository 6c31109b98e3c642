"""Thresholds as statements: what each case says, ready for every format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sympy import Expr, Integer, Mul, Symbol

from symcost.algebra import Posynomial
from symcost.algebra.ratio import positive_content
from symcost.algebra.relation import Condition
from symcost.analysis.thresholds.intervals import Interval
from symcost.analysis.thresholds.sets import Case
from symcost.analysis.told import told
from symcost.documents.blocks import Inline, Math, Statement, joined
from symcost.documents.wording import statement_words
from symcost.render.formats.text import words_text

if TYPE_CHECKING:
    from symcost.analysis.thresholds.threshold import Threshold

SMOOTH = "with x for ceil(x) and floor(x)"


def statements(rule: Threshold) -> tuple[Statement, ...]:
    """What the cases of a threshold say."""
    said = (statement(case, rule.shown or rule.symbol, rule.unit) for case in rule.cases)
    if rule.form == "smooth":  # nothing is known of single integers
        return tuple(replace(each, remark="") for each in said)
    return tuple(said)


def statement(case: Case, symbol: Symbol, unit: str = "") -> Statement:
    """What one case of a solution set says; ``unit`` is that of the symbol, where it is known."""
    word = "always" if case.is_always else "never" if case.is_never else ""
    return Statement(
        word,
        () if word else tuple(_links(interval, symbol, unit) for interval in case.told(symbol)),
        tuple(map(condition_math, case.when)),
        case.otherwise,
        _remark(case, symbol),
    )


def _links(interval: Interval, symbol: Symbol, unit: str) -> tuple[Math, ...]:
    if interval.low is not None and interval.low == interval.high:
        return (_bounded(symbol, "=", interval.low, unit),)
    links: list[Math] = []
    if interval.low is not None:
        links.append(_bounded(symbol, ">=" if interval.low_closed else ">", interval.low, unit))
    if interval.high is not None:
        links.append(_bounded(symbol, "<=" if interval.high_closed else "<", interval.high, unit))
    return tuple(links)


def _bounded(symbol: Symbol, op: str, bound: Expr, unit: str) -> Math:
    return Math(symbol, ((op, told(bound, symbol, unit)),))


def _remark(case: Case, symbol: Symbol) -> str:
    """The smallest integer of the set, the largest if only that is bounded, or that none fits."""
    if not symbol.is_integer or case.is_always or case.is_never:
        return ""
    intervals = case.told(symbol)
    known = [n for i in intervals if (n := i.smallest_integer()) is not None]
    if not known:
        ends = [end for i in intervals for end in (i.low, i.high) if end is not None]
        return "no integer fits" if all(end.is_number for end in ends) else ""
    (first, *others) = intervals
    if first.low is None and first.high is not None and not others:
        return f"largest integer {first.largest_integer()}"
    points = all(each.low == each.high for each in intervals) and len(known) == len(intervals)
    return "" if points else f"smallest integer {min(known)}"


def condition_math(condition: Condition) -> Math:
    """A condition as a comparison of its positive with its negative terms."""
    left, right = condition.sides()
    divisor = _shared(left, right)
    shown = [_factored(side / divisor) if side else Integer(0) for side in (left, right)]
    return Math(shown[0], ((condition.op, shown[1]),))


def _factored(side: Posynomial) -> Expr:
    """The common factor of a sum before it: ``19780*(D + F)``."""
    factor = positive_content(side)
    if len(side) == 1 or factor == 1:
        return side.to_sympy()
    return Mul(factor.to_sympy(), (side / factor).to_sympy(), evaluate=False)


def _shared(left: Posynomial, right: Posynomial) -> Posynomial:
    whole = positive_content(left + right)
    return whole if len(left) and len(right) else positive_content(left or right)


def threshold_text(rule: Threshold) -> str:
    """A threshold in one line, its cases separated by semicolons."""
    return words_text(threshold_words(rule))


def threshold_words(rule: Threshold) -> tuple[Inline, ...]:
    """The same as words with mathematics."""
    return joined([statement_words(each) for each in statements(rule)], "; ")


def set_words(symbol: Symbol, cases: tuple[Case, ...]) -> tuple[Inline, ...]:
    """Cases in one line, without remarks: ``B > 100*D/(D - 100) if D > 100; otherwise never``."""
    said = (replace(statement(case, symbol), remark="") for case in cases)
    return joined([statement_words(each) for each in said], "; ")


def set_text(symbol: Symbol, cases: tuple[Case, ...]) -> str:
    """The same as plain text."""
    return words_text(set_words(symbol, cases))
