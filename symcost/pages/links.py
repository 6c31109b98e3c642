"""One formula of a page as a link of a derivation: it defines a name, or follows from before."""

from __future__ import annotations

import re
from dataclasses import replace

from sympy import Expr, Symbol

from symcost.checker.chains import combined
from symcost.checker.claims import INEQUALITIES, Claim, Side
from symcost.checker.compare import equal
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.question import Question, plugged
from symcost.checker.report import Report
from symcost.checker.rounding import agrees
from symcost.errors import NotationError
from symcost.pages.definitions import defined, read_page_claim
from symcost.pages.displays import Equation
from symcost.pages.missing import in_words, missing, without_value
from symcost.pages.one_unit import in_one_unit
from symcost.pages.page import State
from symcost.pages.rules import follow_rule
from symcost.pages.solved import follow_solution

_NAME = r"(?P<name>[A-Za-z](?:_(?:[A-Za-z0-9]|\{\w+\}|\\(?:text|mathrm)\{\w+\}|\{\\\w+\{\w+\}\}))?)"
_BILLIONS = re.compile(r"\d\\(?:text|mathrm)\{B\}")
_ARG = r"(?:[A-Za-z]|\\[a-z]{2,8})"
_FUNCTION = re.compile(
    rf"\s*{_NAME}\s*(?:\\left)?\(\s*(?P<args>{_ARG}(?:\s*,\s*{_ARG})*)\s*(?:\\right)?\)\s*:?="
)


def follow(equation: Equation, state: State) -> tuple[Report, State]:
    """Check one formula in the light of those before it.

    Args:
        equation: the formula.
        state: what the page has said so far; it is not changed.

    Returns:
        The report, and what the page has said after the formula.

    Raises:
        SymcostError: the formula cannot be read.
    """
    state = state.copy()
    state.settled = False
    claim, defines = _read(equation.text, state)
    if defines:
        report = _chain_of(claim, state) if claim.signs else Report("exact", claim.text)
        return replace(report, claim=equation.text, note=report.note or f"defines {defines}"), state
    trial = state.copy()
    first = _statements(claim, trial)
    if first.holds or trial.settled:
        return first, trial
    for other in state.others():
        changed = other.copy()
        report = _statements(claim, changed)
        if report.holds:
            _statements(claim, after := state.copy())
            return report, after
    return _unless_rough(first, claim, state), trial


def _read(text: str, state: State) -> tuple[Claim, str]:
    """The claim, and the function that it defines, if it does: ``T(n) = 2n + 1``."""
    found = _FUNCTION.match(text)
    name = re.sub(r"\\text|\\mathrm|[{}]", "", found["name"]) if found else ""
    used = next(
        (f for f in state.functions if _is_called(f, text[found.end() if found else 0 :])), ""
    )
    if used:
        raise NotationError(f"{used}(...) is a function on this page; it is not put in")
    if found is None:
        return read_page_claim(text, state.names, state.letters), ""
    state.functions = state.functions | {found["name"]}
    claim = read_page_claim(text[found.end() :], state.names, state.letters)
    return claim, f"{name}({found['args']})"


def _is_called(name: str, text: str) -> bool:
    return bool(re.search(rf"(?<![A-Za-z_\\]){re.escape(name)}\s*(?:\\left)?\(", text))


def _unless_rough(report: Report, claim: Claim, state: State) -> Report:
    """What rests on a number that is given with ≈ is not called wrong."""
    used = {s for side in claim.sides for s in side.expr.free_symbols}
    used |= {s for name in used for s in state.put(name).free_symbols}
    rough = sorted(s.name for s in used & state.rough)
    if report.verdict == "wrong" and _BILLIONS.search(claim.text):
        return without_value(report, "B behind a number may mean bytes or 10^9")
    if report.verdict != "wrong" or not rough:
        return report
    return without_value(report, f"{', '.join(rough)} is given with ≈ only")


def _statements(claim: Claim, state: State) -> Report:
    """The statements between implication arrows, one by one."""
    reports = [_statement(each, state) for each in _steps(claim)]
    return joined(claim.text, tuple(reports)) if len(reports) > 1 else reports[0]


def _steps(claim: Claim) -> list[Claim]:
    found, start = [], 0
    for at, sign in enumerate((*claim.signs, "=>")):
        if sign == "=>":
            sides, signs = claim.sides[start : at + 1], claim.signs[start:at]
            text = claim.text if len(sides) == len(claim.sides) else _text(sides, signs)
            found.append(Claim(text, sides, signs))
            start = at + 1
    return found


def _text(sides: tuple[Side, ...], signs: tuple[str, ...]) -> str:
    return " ".join(
        [sides[0].text, *(f"{a} {b.text}" for a, b in zip(signs, sides[1:], strict=True))]
    )


def _statement(claim: Claim, state: State) -> Report:
    if claim.is_chain:
        return _chain(claim, state)
    count = sum(sign in INEQUALITIES for sign in claim.signs)
    if count > 1:
        return Report("exact", claim.text, note="a range of values: nothing to check it against")
    if not count:
        return Report("exact", claim.text, note="states nothing to be checked")
    before, rule, after = claim.parts()
    chains = [_chain(each, state) for each in (before, after) if each.signs]
    found = follow_rule(rule, state)
    return joined(claim.text, (*chains, found)) if chains else replace(found, claim=claim.text)


def _chain(claim: Claim, state: State) -> Report:
    """A chain; a name that stands first is defined by what follows, or checked against it."""
    first, rest = claim.sides[0], claim.sides[1:]
    if not first.expr.is_Symbol:
        return _chain_of(claim, state)
    inner = Claim(claim.text, rest, claim.signs[1:])
    if len(rest) > 1:
        report = _chain(inner, state)
    else:
        report = Report("exact", claim.text, note=f"defines {first.expr}")
    if _is_known(first.expr, rest, state):
        found = _again(claim, state)
        if not found.holds or len(rest) == 1:
            report = joined(claim.text, (found, *report.links)) if report.links else found
    else:
        solved = follow_solution(claim, state) if report.holds and len(rest) == 1 else None
        report = solved or report
        state.define(defined(first.expr, rest, rough=claim.signs[0] == "≈"))
        if not report.holds and len(rest) > 1:
            state.doubted[first.expr] = _others(first.expr, rest)
    return replace(report, claim=claim.text)


def _others(name: Symbol, rest: tuple[Side, ...]) -> tuple[Expr, ...]:
    found = (side.expr for side in rest[1:])
    return tuple(e for e in found if e.free_symbols and name not in e.free_symbols)


def _is_known(name: Symbol, rest: tuple[Side, ...], state: State) -> bool:
    """Whether a name has a meaning that what follows must agree with.

    A value that is set again, and a formula for what only the text gave a value, are new.
    """
    if name in state.formulas:
        return True
    if name not in state.values or state.put(rest[0].expr) == name:
        return False
    if rest[0].expr.is_Rational:
        printed = rest[0].printed
        return printed is not None and agrees(printed, state.values[name])
    return name not in state.spoken


def _again(claim: Claim, state: State) -> Report:
    """A name with a meaning: what it is set to must follow from that; a new section may differ."""
    name = claim.sides[0].expr
    earlier = replace(claim.sides[0], expr=plugged(state.formulas.get(name, name), state.values))
    earlier = replace(earlier, expr=state.formulas.get(name, earlier.expr))
    report = replace(link(earlier, claim.signs[0], claim.sides[1], state), claim=claim.text)
    new = claim.sides[1].expr
    if in_words(state.put(name), state.put(new)):
        state.define(defined(name, claim.sides[1:]))
        return report
    if report.holds or new.is_Rational or state.sections.get(name, 0) == state.section:
        return report
    state.define(defined(name, claim.sides[1:]))
    return Report("exact", claim.text, note=f"defines {name} anew in this section")


def _chain_of(claim: Claim, state: State) -> Report:
    sides = in_one_unit(claim.sides)
    pairs = zip(sides, claim.signs, sides[1:], strict=False)
    return joined(claim.text, tuple(link(a, sign, b, state) for a, sign, b in pairs))


def joined(text: str, links: tuple[Report, ...]) -> Report:
    """The report of a chain; a link that is wrong counts before one that is undecided."""
    first = sorted(links, key=lambda each: each.verdict not in ("wrong", "convention"))
    report = combined(text, tuple(first))
    return replace(report, links=links)


def link(left: Side, sign: str, right: Side, state: State) -> Report:
    """One side against the other, with the values that are needed.

    A symbol that stands on both sides stays a symbol: with numbers in its place, a wrong
    term could hide within their rounding.
    """
    text = f"{left.text} {sign} {right.text}"
    if left.printed is not None and right.printed is None:
        left, right = right, left
    left, right = (replace(side, expr=state.put(side.expr)) for side in (left, right))
    if words := in_words(left.expr, right.expr):
        return Report("exact", text, note=f"says what {words} is")
    shared = left.expr.free_symbols & right.expr.free_symbols
    values = {s: v for s, v in state.values.items() if s not in shared}
    expected = Expected(left.expr, values=values)
    question = Question(right, expected, state.assume, text, state.names, tolerant=sign == "≈")
    report = judge(question)
    if report.holds or not shared & set(state.values):
        return _decidable(report, question)
    ends = [plugged(side.expr, state.values) for side in (left, right)]
    if equal(*ends):
        return Report("exact", text, note="at the values that the page gives")
    return _decidable(report, question)


def _decidable(report: Report, question: Question) -> Report:
    """The report, undecided where the page does not say enough to call the link wrong."""
    values = question.expected.values
    names = missing(plugged(question.claimed, values), plugged(question.value, values))
    if report.holds or not names:
        return report
    verb = "has no value" if len(names) == 1 else "have no values"
    return without_value(report, f"{', '.join(names)} {verb} on the page before this line")
