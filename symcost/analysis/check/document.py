"""A whole page checked: every displayed formula is a link of a derivation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra.relation import Relation
from symcost.analysis.check.chains import check_chain, combined
from symcost.analysis.check.claims import Claim, Side, read_claim
from symcost.analysis.check.expected import Expected
from symcost.analysis.check.inequalities import check_inequality
from symcost.analysis.check.judge import judge
from symcost.analysis.check.lint import Lint, lint
from symcost.analysis.check.question import Question
from symcost.analysis.check.report import Report
from symcost.errors import SymcostError
from symcost.files import read_input
from symcost.notation.documents import Equation, displayed_equations, inline_equations

INEQUALITIES = (">", ">=", "<", "<=")


@dataclass(frozen=True, slots=True, repr=False)
class DocumentReport:
    """What became of a page: a report for each displayed formula, and what is odd as a whole."""

    links: tuple[Report, ...]
    lints: tuple[Lint, ...] = ()
    skipped: tuple[Report, ...] = ()

    @property
    def first_gap(self) -> Report | None:
        """The first formula that does not follow; its ``line`` says where it stands."""
        return next((link for link in self.links if not link.holds), None)

    @property
    def holds(self) -> bool:
        """Whether every formula follows; what is odd as a whole does not count."""
        return self.first_gap is None

    @property
    def exit_code(self) -> int:
        """0 when every formula follows, 1 when one is wrong, 3 when one cannot be decided."""
        return max((link.exit_code for link in self.links if link.exit_code != 3), default=0) or (
            3 if any(link.exit_code == 3 for link in self.links) else 0
        )

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        first = self.first_gap
        return {
            "holds": self.holds,
            "first_gap": first.line if first else None,
            "links": [{"line": link.line, **link.to_dict()} for link in self.links],
            "lints": [each.to_dict() for each in self.lints],
            "skipped": [{"line": each.line, "text": each.claim} for each in self.skipped],
        }

    def __repr__(self) -> str:
        return document_text(self)


def document_text(report: DocumentReport) -> str:
    """The report as text: the first gap, every other formula on one line, the odd things."""
    lines = []
    first = report.first_gap
    good = sum(link.holds for link in report.links)
    lines.append(f"{good} of {len(report.links)} displayed formulas follow")
    if first is not None:
        lines.append(f"line {first.line}: the first that does not follow")
        lines += [f"  {line}" for line in repr(first).splitlines()]
    for link in report.links:
        if not link.holds and link is not first:
            lines.append(f"line {link.line}: {link.verdict}: {link.claim}")
        elif link.verdict == "limit":
            lines.append(f"line {link.line}: holds in the limit {link.assume}: {link.claim}")
    lines += [f"line {each.lines[-1]}: {each.kind}: {each.text}" for each in report.lints]
    lines += [f"line {each.line}: not read: {each.claim}" for each in report.skipped]
    return "\n".join(lines)


def check_document(page: str | os.PathLike[str], *, assume: Any = None) -> DocumentReport:
    r"""Check the displayed formulas of a page, link by link.

    A name that is set for the first time is a definition and remembered; later formulas are
    read with it. An inequality must follow from the one before it, if there is one.

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
    equations = displayed_equations(text)
    stated = [e.text for e in (*equations, *inline_equations(text)) if _is_assumption(e.text)]
    state = _State(assume or None, tuple(dict.fromkeys(stated)))
    links, skipped = [], []
    for equation in equations:
        if _is_assumption(equation.text):
            continue
        try:
            found = _follow(equation, state)
        except (SymcostError, RecursionError) as error:
            note = error.problem if isinstance(error, SymcostError) else "too deep"
            skipped.append(Report("undecided", equation.text, note=note, line=equation.line))
            continue
        links.append(replace(found, line=equation.line))
    lints = lint(text, tuple(links), bool(assume or stated))
    return DocumentReport(tuple(links), lints, tuple(skipped))


def _is_assumption(text: str) -> bool:
    return any(sign in text for sign in ("\\ll", "\\gg", "<<", ">>", "≪", "≫", "\\infty"))


@dataclass(slots=True)
class _State:
    """What the page has said so far."""

    assume: Any
    stated: tuple[str, ...] = ()
    values: dict[Symbol, Fraction] = field(default_factory=dict)
    formulas: dict[Symbol, Expr] = field(default_factory=dict)
    relation: Relation | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names that are one symbol from here on."""
        return tuple(s.name for s in (*self.values, *self.formulas))

    def put(self, expr: Expr) -> Expr:
        """The expression with the formulas that were defined put in."""
        for _ in range(len(self.formulas)):
            changed = expr.xreplace(self.formulas)
            if changed == expr:
                break
            expr = changed
        return expr


def _follow(equation: Equation, state: _State) -> Report:
    """Check one formula in the light of those before it, and remember what it says."""
    claim = read_claim(equation.text, state.names)
    if "=>" in claim.signs:
        reports = [_follow(Equation(text, equation.line), state) for text in _steps(claim)]
        return combined(equation.text, tuple(reports))
    if claim.is_chain:
        return _chain(claim, state)
    if any(sign in INEQUALITIES for sign in claim.signs):
        return _inequality(claim, state)
    return Report("exact", equation.text, note="states nothing to be checked")


def _steps(claim: Claim) -> Iterator[str]:
    """The statements between implication arrows, as texts."""
    parts = [claim.sides[0].text]
    for sign, side in zip(claim.signs, claim.sides[1:], strict=True):
        if sign == "=>":
            yield " ".join(parts)
            parts = [side.text]
        else:
            parts += [sign, side.text]
    yield " ".join(parts)


def _chain(claim: Claim, state: _State) -> Report:
    first, rest = claim.sides[0], claim.sides[1:]
    if not first.expr.is_Symbol:
        return check_chain(_known(claim, state), state.values, _assumed(claim, state), state.names)
    name = first.expr
    known = state.formulas.get(name)
    value = state.values.get(name)
    inner = Claim(claim.text, rest, claim.signs[1:])
    report = (
        check_chain(_known(inner, state), state.values, _assumed(claim, state), state.names)
        if len(rest) > 1
        else Report("exact", claim.text, note=f"defines {name}")
    )
    if known is not None or value is not None:
        report = _again(claim, rest[0], known, value, report, state)
    elif report.holds:
        _define(name, rest[0], state)
    return replace(report, claim=claim.text)


def _again(
    claim: Claim,
    side: Side,
    known: Expr | None,
    value: Fraction | None,
    rest: Report,
    state: _State,
) -> Report:
    """A name that has a meaning already: what it is set to must follow from that."""
    from symcost.algebra.posynomial import to_rational

    earlier = state.put(known) if known is not None else to_rational(value or 0)
    expected = Expected(earlier, values=state.values)
    side = replace(side, expr=state.put(side.expr))
    question = Question(
        side, expected, state.assume, claim.text, state.names, tolerant="≈" in claim.signs[:1]
    )
    report = judge(question)
    return report if not report.holds or len(claim.sides) == 2 else rest


def _define(name: Symbol, side: Side, state: _State) -> None:
    if side.expr.is_Rational:
        state.values[name] = Fraction(int(side.expr.p), int(side.expr.q))
    elif name not in side.expr.free_symbols:
        state.formulas[name] = side.expr


def _known(claim: Claim, state: _State) -> Claim:
    sides = tuple(replace(side, expr=state.put(side.expr)) for side in claim.sides)
    return replace(claim, sides=sides)


def _assumed(claim: Claim, state: _State) -> Any:
    """The assumption that the user gives; what the page states is looked up when it is needed."""
    return state.assume


def _inequality(claim: Claim, state: _State) -> Report:
    """An inequality starts a derivation, or must follow from the one before."""
    claim = _known(claim, state)
    if not claim.is_inequality:
        return Report("exact", claim.text, note="several relations: not checked")
    relation = Relation(claim.sides[0].expr, claim.signs[0], claim.sides[1].expr)
    before, state.relation = state.relation, relation
    if before is None or not _related(before, relation, state):
        return Report("exact", claim.text, note="starts a derivation")
    expected = Expected(relation=before, values=state.values, quantity="threshold")
    report = check_inequality(claim, expected, None, state.assume, state.names)
    if report.verdict == "wrong":
        state.relation = before
    return report


def _related(before: Relation, after: Relation, state: _State) -> bool:
    """Whether an inequality can be meant to follow: it has no symbol that the other lacks."""
    new = after.free_symbols - before.free_symbols - set(state.values)
    return not new and bool(after.free_symbols & before.free_symbols)
