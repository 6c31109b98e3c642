"""One formula of a page as a link of a derivation: it defines a name, or follows from before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sympy import Expr, Symbol

from symcost.algebra.relation import Relation
from symcost.checker.claims import INEQUALITIES, Claim, Side
from symcost.checker.report import Report
from symcost.checker.rounding import agrees
from symcost.errors import NotationError
from symcost.pages.compare import joined, link
from symcost.pages.conditions import follow_condition
from symcost.pages.known import Known, define, readings
from symcost.pages.latex_forms import plain_forms, states_order
from symcost.pages.missing import in_words
from symcost.pages.one_unit import in_one_unit
from symcost.pages.passages import Passage
from symcost.pages.reading import defined, read_page_claim
from symcost.pages.rules import follow_rule
from symcost.pages.solved import follow_solution
from symcost.pages.wording import asks, leads, within_sentence

_NAME = r"(?P<name>[A-Za-z](?:_(?:[A-Za-z0-9]|\{\w+\}|\\(?:text|mathrm)\{\w+\}|\{\\\w+\{\w+\}\}))?)"
_ARG = r"(?:[A-Za-z]|\\[a-z]{2,8})"
_FUNCTION = re.compile(
    rf"\s*{_NAME}\s*(?:\\left)?\(\s*(?P<args>{_ARG}(?:\s*,\s*{_ARG})*)\s*(?:\\right)?\)\s*:?="
)
_TIGHT = re.compile(r"/\s*([\w.]+(?:\*[\w.]+)+)")
_GOES_ON = re.compile(r"\s*(?:[=≈]|\\approx(?![A-Za-z])|\\simeq(?![A-Za-z]))")


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of a formula: the report, and what the page has said after it."""

    report: Report
    known: Known


def follow(passage: Passage, known: Known) -> Followed:
    """Check one formula in the light of those before it.

    Args:
        passage: the formula.
        known: what the page has said so far.

    Returns:
        The report, and what the page has said after the formula.

    Raises:
        SymcostError: the formula cannot be read.
    """
    if r"\begin{cases}" in passage.text:
        return Followed(Report("exact", passage.text, note="defines a name by cases"), known)
    if states_order(passage.text):
        return Followed(Report("exact", passage.text, note="an order of growth"), known)
    if _GOES_ON.match(passage.text):
        return _continued(passage, known)
    found = _FUNCTION.match(passage.text)
    if found is not None:
        return _function(passage, found, known)
    _refuse_calls(known.functions, passage.text)
    if passage.kind != "display":
        return _quoted(passage, known)
    return _best(read_page_claim(passage.text, known.names, known.letters), known)


def _quoted(passage: Passage, known: Known) -> Followed:
    """Code quotes: units are units there, and ``a / b*c`` may mean ``a / (b*c)``."""
    text = plain_forms(passage.text)
    found = _best(read_page_claim(text, known.names), known)
    tight = _TIGHT.sub(r"/(\1)", text)
    if not found.report.holds and tight != text:
        other = _best(read_page_claim(tight, known.names), known)
        if other.report.holds:
            found = other
    return Followed(replace(found.report, claim=passage.text), found.known)


def _continued(passage: Passage, known: Known) -> Followed:
    """A display that begins with ``=`` goes on from the last side of the display before."""
    if known.last is None:
        raise NotationError("nothing stands before the relation sign")
    claim = read_page_claim("x" + passage.text, known.names, known.letters)
    claim = Claim(passage.text, (known.last, *claim.sides[1:]), claim.signs)
    report = _chain_of(claim, known)
    return Followed(report, replace(known, last=claim.sides[-1]))


def _function(passage: Passage, found: re.Match[str], known: Known) -> Followed:
    r"""``P(n) = W(n)/T(n)``: with the same arguments everywhere, the names stand for themselves."""
    name, args = re.sub(r"\\text|\\mathrm|[{}]", "", found["name"]), found["args"]
    rest = passage.text[found.end() :]
    calls = re.compile(rf"(?<=[A-Za-z}}])\s*(?:\\left)?\(\s*{re.escape(args)}\s*(?:\\right)?\)")
    called = bool(calls.search(rest))
    _refuse_calls(known.functions if not called else (), rest)
    if called:
        claim = read_page_claim(
            f"{found['name']} = {calls.sub('', rest)}", known.names, known.letters
        )
        followed = _best(claim, known)
        return Followed(replace(followed.report, claim=passage.text), followed.known)
    claim = read_page_claim(rest, known.names, known.letters)
    known = replace(known, functions=known.functions | {found["name"]}, last=claim.sides[-1])
    report = _chain_of(claim, known) if claim.signs else Report("exact", claim.text)
    note = report.note or f"defines {name}({args})"
    return Followed(replace(report, claim=passage.text, note=note), known)


def _refuse_calls(functions: Iterable[str], text: str) -> None:
    for name in functions:
        if re.search(rf"(?<![A-Za-z_\\]){re.escape(name)}\s*(?:\\left)?\(", text):
            raise NotationError(f"{name}(...) is a function on this page; it is not put in")


def _best(claim: Claim, known: Known) -> Followed:
    """The formula as the page is probably meant, otherwise in another way in which it holds."""
    first = _statements(claim, known)
    if first.report.holds or first.report.note.startswith("it does not agree with"):
        return first
    for other in readings(known):
        found = _statements(claim, other)
        if found.report.holds:
            return Followed(found.report, _statements(claim, known).known)
    return first


def _statements(claim: Claim, known: Known) -> Followed:
    """The statements between implication arrows, one by one."""
    reports = []
    for each in _steps(claim):
        found = _statement(each, known)
        reports.append(found.report)
        known = replace(found.known, at=replace(known.at, before=""))  # an arrow leads on
    known = replace(known, last=claim.sides[-1] if claim.sides else None)
    return Followed(joined(claim.text, tuple(reports)) if len(reports) > 1 else reports[0], known)


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


def _statement(claim: Claim, known: Known) -> Followed:
    if claim.is_chain:
        return _chain(claim, known)
    count = sum(sign in INEQUALITIES for sign in claim.signs)
    if count != 1:
        note = "a range of values: nothing to check it against" if count else "states nothing"
        return Followed(Report("exact", claim.text, note=note), known)
    before, rule, after = claim.parts()
    chains = [_chain(each, known).report for each in (before, after) if each.signs]
    if within_sentence(known.at) or known.at.kind == "quote":
        found, changed = Report("exact", rule.text, note="a condition in a sentence"), known
    else:
        found, changed = follow_rule(rule, known)
    if chains:
        return Followed(joined(claim.text, (*chains, found)), changed)
    return Followed(replace(found, claim=claim.text), changed)


def _chain(claim: Claim, known: Known) -> Followed:
    """A chain; a name that stands first is defined by what follows, or checked against it."""
    first, rest = claim.sides[0], claim.sides[1:]
    if not first.expr.is_Symbol:
        return _equation(claim, known)
    name = first.expr
    inner = Claim(claim.text, rest, claim.signs[1:])
    report = Report("exact", claim.text, note=f"defines {name}")
    if len(rest) > 1:
        found = _chain(inner, known)
        report = found.report
        known = found.known if rest[0].expr.is_Symbol else known
    if _is_known(name, rest, known):
        return _again(claim, report, known)
    solved = _solved(claim, known) if report.holds and len(rest) == 1 else None
    report, known = solved or (report, known)
    known = define(known, defined(name, rest, rough=claim.signs[0] == "≈"))
    if not report.holds and len(rest) > 1:
        known = known.with_meaning(name, replace(known.of(name), others=_others(name, rest)))
    return Followed(replace(report, claim=claim.text), known)


def _solved(claim: Claim, known: Known) -> tuple[Report, Known] | None:
    return follow_solution(claim, known) or follow_condition(claim, known)


def _equation(claim: Claim, known: Known) -> Followed:
    """Two formulas that are equal, or that the page wants to be equal."""
    if len(claim.sides) == 2 and asks(known.at) and known.at.kind == "display":
        condition = Relation(claim.sides[0].expr, "=", claim.sides[1].expr)
        report = Report("exact", claim.text, note="a condition")
        return Followed(report, replace(known, condition=condition))
    return Followed(_chain_of(claim, known), known)


def _others(name: Symbol, rest: tuple[Side, ...]) -> tuple[Expr, ...]:
    found = (side.expr for side in rest[1:])
    return tuple(e for e in found if e.free_symbols and name not in e.free_symbols)


def _is_known(name: Symbol, rest: tuple[Side, ...], known: Known) -> bool:
    """Whether a name has a meaning that what follows must agree with.

    A value that is set again, and a formula for what only the text gave a value, are new.
    """
    meaning = known.of(name)
    if meaning.formula is not None:
        return True
    if meaning.value is None or known.put(rest[0].expr) == name:
        return False
    if rest[0].expr.is_Rational:
        printed = rest[0].printed
        return printed is not None and agrees(printed, meaning.value)
    return not meaning.spoken


def _again(claim: Claim, inner: Report, known: Known) -> Followed:
    """A name with a meaning: what it is set to must follow from that, or be another case."""
    name, rest = claim.sides[0].expr, claim.sides[1:]
    meaning, new = known.of(name), rest[0].expr
    earlier = replace(claim.sides[0], expr=known.put(name) if meaning.formula is not None else name)
    report = replace(link(earlier, claim.signs[0], rest[0], known), claim=claim.text)
    anew = define(known, defined(name, rest))
    if in_words(known.put(name), known.put(new), known.values):
        known = anew
    elif not report.holds:
        put_in = not new.free_symbols and rest[0].printed is None
        numbers = new.is_Rational and known.at.case == meaning.case
        if report.verdict == "undecided" and put_in:
            note = f"the numbers put in could not be checked: {report.note}"
            report = Report("exact", claim.text, note=note)
        elif report.verdict != "undecided" and not (
            (leads(known.at) and known.at.case == meaning.case) or numbers
        ):
            known = anew
            report = Report("exact", claim.text, note=f"defines {name} anew")
        elif known.at.kind == "python" or not (new.is_Rational or known.at.case == meaning.case):
            known = anew
            report = Report("exact", claim.text, note=f"defines {name} anew in this section")
    if len(rest) > 1:
        report = joined(claim.text, (report, *(inner.links or (inner,))))
    return Followed(report, known)


def _chain_of(claim: Claim, known: Known) -> Report:
    sides = in_one_unit(claim.sides)
    pairs = list(zip(sides, claim.signs, sides[1:], strict=False))
    links = [link(a, sign, b, known) for a, sign, b in pairs]
    for at, (a, _, b) in enumerate(pairs[:-1]):  # numbers put in, then arithmetic that holds
        arithmetic = a.expr.free_symbols and not b.expr.free_symbols and b.printed is None
        if arithmetic and links[at].verdict == "undecided" and links[at + 1].holds:
            note = f"the arithmetic holds; the insertion could not be checked, {links[at].note}"
            links[at] = Report("exact", links[at].claim, note=note)
    return joined(claim.text, tuple(links))
