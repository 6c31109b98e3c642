"""One formula of a page as a link of a derivation: it defines a name, or follows from before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sympy import Symbol

from symcost.algebra.relation import Relation
from symcost.checker.chains import combined
from symcost.checker.claims import INEQUALITIES, Claim, Side
from symcost.checker.report import Report
from symcost.checker.rounding import agrees
from symcost.errors import NotationError, SymcostError
from symcost.notation.formulas import read
from symcost.pages.compare import link
from symcost.pages.known import Known, define, readings
from symcost.pages.latex_forms import as_amounts, plain_forms, states_order
from symcost.pages.looseness import in_one_unit
from symcost.pages.missing import in_words
from symcost.pages.opaque import NO_SUM, called, not_put_in
from symcost.pages.passages import Passage
from symcost.pages.reading import defined, read_page_claim
from symcost.pages.rules import follow_rule
from symcost.pages.solved import follow_condition, follow_solution
from symcost.pages.wording import asks, leads, within_sentence

_NAME = (
    r"(?P<name>(?:[A-Za-z]|\\(?:text|mathrm)\{[\w\\ ]+\})"
    r"(?:_(?:[A-Za-z0-9]|\{\w+\}|\\(?:text|mathrm)\{[\w ]+\}|\{\\\w+\{[\w ]+\}\}))?)"
)
_ARG = r"(?:[A-Za-z]|\\[a-z]{2,8}|\\(?:text|mathrm)\{[\w\\ ]+\})"
_FUNCTION = re.compile(
    rf"\s*{_NAME}\s*(?:\\left)?\(\s*(?P<args>{_ARG}(?:\s*[,;]\s*{_ARG})*)\s*(?:\\right)?\)"
    r"\s*(?::?=|≈|\\(?:approx|sim)\b)"
)
_NUMBERS = re.compile(r"(?<![\^\d.])(?<!\^\{)\d+(?:\.\d+)?")
_DIVIDES = re.compile(r"/|\\[dt]?frac(?![A-Za-z])")
MAX_OTHERS = 3  # earlier formulas of a name
_INSERTED = "the insertion could not be checked"
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
    letters = known.letters if passage.kind == "display" else frozenset()
    best = _best(_texts(passage, known), known, letters)
    return Followed(replace(best.report, claim=passage.text), best.known)


def _texts(passage: Passage, known: Known) -> list[str]:
    """A formula as it stands, with units right behind numbers as units, ``37B`` as 37e9."""
    text = called(passage.text, known.functions)
    plain = text if passage.kind == "display" else plain_forms(text)
    return list(dict.fromkeys([plain, as_amounts(plain), as_amounts(plain, 1024)]))


def _continued(passage: Passage, known: Known) -> Followed:
    """A display that begins with ``=`` goes on from the last side before, or from words."""
    claim = read_page_claim("x" + passage.text, known.names, known.letters)
    sides = claim.sides[1:]
    if not sides:
        raise NotationError("nothing stands behind the relation sign")
    alone = Claim(passage.text, sides, claim.signs[1:])
    report = _chain_of(alone, known) if alone.signs else Report("exact", passage.text)
    if known.last is not None:
        whole = _chain_of(Claim(passage.text, (known.last, *sides), claim.signs), known)
        if whole.holds or leads(known.at):
            report = whole
    return Followed(report, replace(known, last=sides[-1]))


def _function(passage: Passage, found: re.Match[str], known: Known) -> Followed:
    r"""``P(n) = W(n)/T(n)``: with the same arguments everywhere, the names stand for themselves."""
    name, args = re.sub(r"\\text|\\mathrm|[{}]", "", found["name"]), found["args"]
    rest = passage.text[found.end() :]
    calls = re.compile(rf"(?<=[A-Za-z}}])\s*(?:\\left)?\(\s*{re.escape(args)}\s*(?:\\right)?\)")
    if calls.search(rest):
        claim = read_page_claim(
            f"{found['name']} = {calls.sub('', rest)}", known.names, known.letters
        )
        followed = _best([claim.text], known, known.letters)
        return Followed(replace(followed.report, claim=passage.text), followed.known)
    claim = read_page_claim(called(rest, known.functions), known.names, known.letters)
    known = replace(known, functions=known.functions | {found["name"]}, last=claim.sides[-1])
    report = _chain_of(claim, known) if claim.signs else Report("exact", claim.text)
    note = report.note or f"defines {name}({args})"
    return Followed(replace(report, claim=passage.text, note=note), known)


def _best(texts: Sequence[str], known: Known, letters: frozenset[str]) -> Followed:
    """The formula as the page is probably meant, otherwise in another way in which it holds.

    Args:
        texts: the formula, and how else it may be written out.
        known: what the page has said.
        letters: the letters that are symbols.

    Raises:
        SymcostError: the formula cannot be read in any way.
    """
    first: Followed | None = None
    failed: SymcostError | None = None
    for text in texts:
        try:
            claim = read_page_claim(text, known.names, letters)
            found = _in_some_way(claim, known)
        except SymcostError as error:
            failed = failed or error
            continue
        if known.explained:
            return found
        if found.report.holds and (text == texts[0] or is_compared(found.report)):
            return found
        first = first or found
    if first is None:
        raise failed or NotationError("there is no formula")
    return first


def is_compared(report: Report) -> bool:
    """Whether anything was compared: a formula may only say what a name is."""
    if report.links:
        return any(map(is_compared, report.links))
    return report.verdict != "exact" or report.expected is not None


def _in_some_way(claim: Claim, known: Known) -> Followed:
    first = _statements(claim, known)
    if first.report.holds or known.explained:
        return first
    symbols = {symbol for side in claim.sides for symbol in side.expr.free_symbols}
    for other in readings(known, symbols):
        found = _statements(claim, other)
        if found.report.holds and not _inserts(found.report):
            return Followed(found.report, first.known)
    return first


def _inserts(report: Report) -> bool:
    """Whether a link is let be only because what is put in could not be checked."""
    return _INSERTED in report.note or any(map(_inserts, report.links))


def _statements(claim: Claim, known: Known) -> Followed:
    """The statements between implication arrows, one by one."""
    reports = []
    for each in _steps(claim):
        found = _statement(each, known)
        reports.append(found.report)
        known = replace(found.known, at=replace(known.at, before=""))  # an arrow leads on
    known = replace(known, last=claim.sides[-1] if claim.sides else None)
    return Followed(combined(claim.text, tuple(reports)) if len(reports) > 1 else reports[0], known)


def _steps(claim: Claim) -> list[Claim]:
    found, start = [], 0
    for at, sign in enumerate((*claim.signs, "=>")):
        if sign == "=>":
            sides, signs = claim.sides[start : at + 1], claim.signs[start:at]
            shown = (f"{sign} {side.text}" for sign, side in zip(("", *signs), sides, strict=True))
            text = claim.text if len(sides) == len(claim.sides) else " ".join(shown).strip()
            found.append(Claim(text, sides, signs))
            start = at + 1
    return found


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
        return Followed(combined(claim.text, (*chains, found)), changed)
    return Followed(replace(found, claim=claim.text), changed)


def _chain(claim: Claim, known: Known, inner: bool = False) -> Followed:
    """A chain; a name that stands first is defined by what follows, or checked against it."""
    first, rest = claim.sides[0], claim.sides[1:]
    if first.expr.is_Pow and first.expr.base.is_Symbol and first.expr.exp.is_Symbol:  # y_t^n
        first = replace(first, expr=Symbol(f"{first.expr.base}^{first.expr.exp}"))
        claim = replace(claim, sides=(first, *rest))
    if not first.expr.is_Symbol or _cancels(first) or not_put_in([first.expr]):
        return _equation(claim, known, may_ask=not inner)
    name = first.expr
    behind = Claim(claim.text, rest, claim.signs[1:])
    report = Report("exact", claim.text, note=f"defines {name}")
    if len(rest) > 1:
        found = _chain(behind, known, inner=True)
        report = found.report
        known = found.known if rest[0].expr.is_Symbol else known
    if _is_known(name, rest, known):
        return _again(claim, report, known)
    if report.holds and len(rest) == 1:
        solved = follow_solution(claim, known) or follow_condition(claim, known)
        report, known = solved or (report, known)
    known = define(known, defined(name, rest, rough=claim.signs[0] == "≈"))
    if not report.holds and len(rest) > 1:
        sides = (side.expr for side in rest[1:])
        others = tuple(e for e in sides if e.free_symbols and name not in e.free_symbols)
        known = known.with_meaning(name, replace(known.of(name), others=others))
    return Followed(replace(report, claim=claim.text), known)


def _cancels(side: Side) -> bool:
    r"""Whether a side that is one symbol is no name: ``\frac{2BD}{2D}``."""
    if not _DIVIDES.search(side.text):
        return False
    with suppress(SymcostError):
        return len({*read(side.text, {side.expr.name}).names}) > 1
    return False


def _equation(claim: Claim, known: Known, may_ask: bool) -> Followed:
    """Two formulas that are equal, or that the page wants to be equal."""
    if may_ask and claim.signs == ("=",) and asks(known.at) and known.at.kind == "display":
        condition = Relation(claim.sides[0].expr, "=", claim.sides[1].expr)
        report = Report("exact", claim.text, note="a condition")
        return Followed(report, replace(known, condition=condition))
    return Followed(_chain_of(claim, known), known)


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
    earlier_ones = [e for e in (meaning.formula, *meaning.others) if e is not None]
    others = (*anew.of(name).others, *earlier_ones)[:MAX_OTHERS]
    anew = anew.with_meaning(name, replace(anew.of(name), others=others))
    if report.holds and in_words(known.put(name), known.put(new), known.meanings):
        known = anew
    elif report.holds and len(rest) > 1 and rest[-1].expr.is_Rational:  # its number here
        printed = defined(name, rest).value
        known = known.with_meaning(name, replace(meaning, printed=printed, case=known.at.case))
    elif not report.holds:
        put_in = not new.free_symbols and rest[0].printed is None
        same_case = known.at.case == meaning.case
        numbers = new.is_Rational and same_case
        if report.verdict == "undecided" and put_in:
            report = _inserted(report, [inner] if len(rest) > 1 else [])
        elif known.at.kind == "python" or not (numbers or (same_case and leads(known.at))):
            known = anew
            report = Report("exact", claim.text, note=f"defines {name} anew")
    if len(rest) > 1:
        report = combined(claim.text, (report, *(inner.links or (inner,))))
    return Followed(report, known)


def _chain_of(claim: Claim, known: Known) -> Report:
    sides = in_one_unit(claim.sides)
    pairs = list(zip(sides, claim.signs, sides[1:], strict=False))
    links = [link(a, sign, b, known) for a, sign, b in pairs]
    for at, (a, _, b) in enumerate(pairs):  # numbers put in, then arithmetic that holds
        if links[at].verdict != "undecided":
            continue
        if not_put_in(a.expr.free_symbols ^ b.expr.free_symbols) == NO_SUM:
            raise NotationError(NO_SUM)
        if _puts_in(a, b):
            links[at] = _inserted(links[at], links[at + 1 :])
        elif name := _unknown(a, b, known):
            links[at] = Report("exact", links[at].claim, note=f"an equation for {name}")
    return combined(claim.text, tuple(links))


def _inserted(report: Report, rest: Sequence[Report]) -> Report:
    """Numbers put in whose names have no values; the arithmetic behind is judged by itself."""
    says = "the arithmetic holds; " if rest and all(each.holds for each in rest) else ""
    note = f"{says}{_INSERTED}, {report.note}"
    return Report("exact", report.claim, note=note)


def _puts_in(left: Side, right: Side) -> bool:
    """Whether numbers stand in the place of names: ``2LNH = 2 * 64 * 4096``."""
    fewer = right.expr.free_symbols < left.expr.free_symbols
    ours, theirs = (len(_NUMBERS.findall(side.text)) for side in (left, right))
    return fewer and right.printed is None and theirs > max(ours, 1)


def _unknown(left: Side, right: Side, known: Known) -> str:
    """The only name that nothing has defined in two sides that state an equation for it."""
    used = known.put(left.expr).free_symbols | known.put(right.expr).free_symbols
    unknown = used - set(known.values_of(used))
    return next(iter(unknown)).name if len(unknown) == 1 and not not_put_in(unknown) else ""
