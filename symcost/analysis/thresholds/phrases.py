"""Thresholds in words: their cases in parts, and those as plain text and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sympy import Expr, Integer, Mul, Symbol, ceiling, floor

from symcost.algebra import Posynomial
from symcost.algebra.ratio import content
from symcost.algebra.relation import Condition
from symcost.algebra.roots import PositiveRoot
from symcost.analysis.thresholds.intervals import Interval
from symcost.analysis.thresholds.sets import Case
from symcost.printing.latex import relation_latex, to_latex
from symcost.printing.numbers import decimal_latex, exact_and_decimal
from symcost.printing.text import relation_text, to_text

if TYPE_CHECKING:
    from symcost.analysis.thresholds.threshold import Threshold

Link: TypeAlias = tuple[Expr, str, Expr]


@dataclass(frozen=True, slots=True)
class CasePhrase:
    """One case: ``word`` ("always", "never") or alternatives of links, and its conditions.

    ``alternatives`` are joined by "or", the links of one by "and". ``number`` is the one bound
    when it is a number, ``remark`` says which integer is the first or last of the set.
    """

    word: str
    alternatives: tuple[tuple[Link, ...], ...]
    conditions: tuple[Link, ...]
    otherwise: bool = False
    number: Expr | None = None
    remark: str = ""


def phrases(found: Threshold) -> tuple[CasePhrase, ...]:
    """The cases of a threshold, each in parts."""
    return tuple(case_phrase(case, found.symbol) for case in found.cases)


def case_phrase(case: Case, symbol: Symbol) -> CasePhrase:
    """One case of a solution set in parts."""
    word = "always" if case.is_always else "never" if case.is_never else ""
    alternatives = () if word else tuple(_links(i, symbol) for i in case.intervals)
    ends = [end for links in alternatives for _, _, end in links]
    number = ends[0] if len(ends) == 1 and ends[0].is_number else None
    return CasePhrase(
        word,
        alternatives,
        tuple(condition_link(c) for c in case.when),
        case.otherwise,
        number,
        _remark(case, symbol),
    )


def _links(interval: Interval, symbol: Symbol) -> tuple[Link, ...]:
    if interval.low is not None and interval.low == interval.high:
        return ((symbol, "=", interval.low),)
    found: list[Link] = []
    if interval.low is not None:
        found.append((symbol, ">=" if interval.low_closed else ">", interval.low))
    if interval.high is not None:
        found.append((symbol, "<=" if interval.high_closed else "<", interval.high))
    return tuple(found)


def _remark(case: Case, symbol: Symbol) -> str:
    """The smallest integer of the set, the largest if only that is bounded, or that none fits."""
    if not symbol.is_integer or case.is_always or case.is_never:
        return ""
    known = [n for i in case.intervals if (n := i.smallest_integer()) is not None]
    if not known:
        ends = [end for i in case.intervals for end in (i.low, i.high) if end is not None]
        return "no integer fits" if all(end.is_number for end in ends) else ""
    (first, *others) = case.intervals
    if first.low is None and first.high is not None and not others:
        return f"largest integer {_largest(first.high, first.high_closed)}"
    return f"smallest integer {min(known)}"


def _largest(high: Expr, closed: bool) -> int:
    return int(floor(high)) if closed else int(ceiling(high)) - 1


def condition_link(condition: Condition) -> Link:
    """A condition as a comparison of its positive with its negative terms."""
    left, right = condition.sides()
    divisor = _shared(left, right)
    shown = [_factored(side / divisor) if side else Integer(0) for side in (left, right)]
    return (shown[0], condition.op, shown[1])


def _factored(side: Posynomial) -> Expr:
    """The common factor of a sum before it: ``19780*(D + F)``."""
    factor = content(side)
    if len(side) == 1 or factor == 1:
        return side.to_sympy()
    return Mul(factor.to_sympy(), (side / factor).to_sympy(), evaluate=False)


def _shared(left: Posynomial, right: Posynomial) -> Posynomial:
    whole = content(left + right)
    return whole if len(left) and len(right) else content(left or right)


def threshold_text(found: Threshold) -> str:
    """A threshold in one line, its cases separated by semicolons."""
    return "; ".join(case_text(phrase) for phrase in phrases(found))


def case_text(phrase: CasePhrase) -> str:
    """One case as plain text: ``B > 19780/67 (295.2), smallest integer 296``."""
    conditions = [relation_text(*link) for link in phrase.conditions]
    return case_said(
        phrase, [[link_text(link) for link in a] for a in phrase.alternatives], conditions
    )


def case_latex(phrase: CasePhrase) -> str:
    """One case in words, with formulas between dollar signs."""
    conditions = [f"${relation_latex(*link)}$" for link in phrase.conditions]
    links = [[f"${link_latex(link)}$" for link in a] for a in phrase.alternatives]
    return case_said(phrase, links, conditions)


def case_said(phrase: CasePhrase, links: list[list[str]], conditions: list[str]) -> str:
    """One case in words; its links and conditions have been set by the caller."""
    said = phrase.word or " or ".join(" and ".join(each) for each in links)
    if phrase.remark:
        said += f", {phrase.remark}"
    if phrase.otherwise:
        return f"otherwise {said}"
    return f"{said} if {' and '.join(conditions)}" if conditions else said


def link_text(link: Link) -> str:
    """A comparison, its right side exact and, where it is a number, rounded as well."""
    left, op, right = link
    shown = exact_and_decimal(right) if right.is_number else to_text(right)
    for root in right.atoms(PositiveRoot):
        said = f"the positive root of {to_text(root.equation[0])}{_unknown(root, left, to_text)}"
        shown = shown.replace(to_text(root), said if root == right else f"({said})")
    return f"{left} {op} {shown}"


def link_latex(link: Link) -> str:
    """A comparison, with the decimals of its right side where that is a fraction."""
    shown = relation_latex(*link)
    left, _, right = link
    for root in right.atoms(PositiveRoot):
        said = rf"\text{{the positive root of }} {to_latex(root.equation[0])}"
        said += _unknown(root, left, to_latex, r" \text{ in } ")
        shown = shown.replace(to_latex(root), said if root == right else rf"\left({said}\right)")
    if right.is_Integer or not right.is_number:
        return shown
    if right.atoms(PositiveRoot):  # the sign would seem to belong to the polynomial
        return rf"{shown} \;({decimal_latex(right)})"
    return rf"{shown} \approx {decimal_latex(right)}"


def _unknown(root: Expr, left: Expr, show: Callable[[Expr], str], word: str = " in ") -> str:
    """The unknown of a polynomial, where it is not the symbol on the left."""
    unknown = root.equation[1]
    return "" if unknown == left else f"{word}{show(unknown)}"
