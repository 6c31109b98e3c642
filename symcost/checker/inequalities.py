"""Claims about a threshold: the same unknown, the same direction, the same bound."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra.relation import Relation
from symcost.analysis.thresholds.phrases import threshold_text
from symcost.analysis.thresholds.threshold import Threshold, threshold
from symcost.checker.claims import Claim, Side
from symcost.checker.compare import relation_counterexample
from symcost.checker.expected import Expected
from symcost.checker.judge import judge
from symcost.checker.question import Question, number_at
from symcost.checker.report import Diagnosis, Report
from symcost.errors import InvalidValueError
from symcost.notation.units import Measure, Printed


def check_inequality(
    claim: Claim, expected: Expected, symbol: Symbol | None, assume: Any, names: tuple[str, ...]
) -> Report:
    """Compare a claimed rule, or a word, with the set of values that is derived."""
    assert expected.relation is not None
    if claim.word:
        return _word(claim, expected, symbol, assume)
    if not claim.is_inequality:
        return _bound_only(claim, expected, symbol, assume, names)
    left, right, op = claim.sides[0], claim.sides[1], claim.signs[0]
    if right.expr.is_Symbol and not left.expr.is_Symbol:
        left, right, op = right, left, op.translate(str.maketrans("<>", "><"))
    unknown = left.expr if left.expr.is_Symbol else None
    if unknown is None or unknown in right.expr.free_symbols:
        return _solved_first(claim, expected, symbol, assume, names)
    wanted = _unknown(expected, symbol or unknown)
    rule = _rule(expected, wanted, None)
    report = _compare(claim.text, op, unknown, right, rule, expected, names)
    if not assume or report.verdict in ("exact", "rounded"):
        return report
    simple = _rule(expected, wanted, assume)
    found = _compare(claim.text, op, unknown, right, simple, expected, names)
    verdict = "limit" if found.verdict == "exact" and simple.form == "limit" else found.verdict
    return replace(found, verdict=verdict, assume=simple.assume)


def _unknown(expected: Expected, wanted: Symbol) -> Symbol:
    """The unknown of the expected relation: the one asked for, or its only one."""
    relation = expected.relation
    assert relation is not None
    known = {s.name: s for s in relation.free_symbols}
    if wanted.name in known and wanted not in expected.values:
        return known[wanted.name]
    if relation.lhs.is_Symbol:
        return relation.lhs
    free = [s for s in known.values() if s not in expected.values]
    if len(free) == 1:
        return free[0]
    raise InvalidValueError(
        f"{wanted} is no unknown of the rule",
        repair=f"the symbols are {', '.join(sorted(s.name for s in free))}",
    )


def _rule(expected: Expected, unknown: Symbol, assume: Any) -> Threshold:
    return threshold(expected.relation, unknown, assume)


def _compare(
    text: str,
    op: str,
    unknown: Symbol,
    side: Side,
    rule: Threshold,
    expected: Expected,
    names: tuple[str, ...],
) -> Report:
    rule, bound = _with_bound(rule, expected)
    shown = Relation(unknown, op, side.expr)
    if bound is None:
        return _no_bound(text, shown, rule)
    question = Question(
        side=side,
        expected=replace(expected, value=bound, relation=None, quantity="threshold"),
        text=text,
        names=names,
        ops=(op, rule.relation),
        unknowns=(unknown.name, rule.symbol.name),
    )
    report = judge(question)
    if not report.holds and op == ">=":
        report = _of_integers(question) or report
    elif report.verdict == "rounded" and op == ">=":
        report = _with_smallest(report, question)
    right = Relation(rule.symbol, rule.relation, report.expected or bound)
    report = replace(report, claimed=shown, expected=right)
    if op[0] != rule.relation[0] or unknown.name != rule.symbol.name:
        found = _mismatch(report, question, report.holds)
        assert expected.relation is not None
        point = relation_counterexample(shown, expected.relation, expected.values)
        return replace(found, counterexample=point or found.counterexample)
    return report


def _with_bound(rule: Threshold, expected: Expected) -> tuple[Threshold, Expr | None]:
    """The rule that has one finite end, with numbers where symbols leave the case open."""
    bound = rule.bound
    known = {s: v for s, v in expected.values.items() if s in rule._symbols()}
    if not known:
        return rule, bound
    numeric = rule.at({s.name: v for s, v in known.items()})
    if numeric.bound is None or bound is None:
        return numeric, numeric.bound
    return replace(numeric, cases=numeric.cases), bound


def _with_smallest(report: Report, question: Question) -> Report:
    """``B >= 318`` is a rounding of ``B > 318.2``, but 318 does not satisfy it."""
    printed, bound = question.side.printed, number_at(question, question.value)
    if printed is None or bound is None or printed.value.denominator != 1:
        return report
    smallest = bound // 1 + 1
    if printed.value >= smallest:
        return report
    return replace(report, note=f"{printed.value} itself is too small: the first is {smallest}")


def _of_integers(question: Question) -> Report | None:
    """``B >= 296`` says the same as ``B > 295.2`` of an integer: the bound is in 295 to 296."""
    printed = question.side.printed
    if printed is None or printed.value.denominator != 1:
        return None
    middle = Printed(printed.value - Fraction(1, 2), Fraction(1), 2, Fraction(0))
    measure = Measure(middle, "", Fraction(1), ())
    found = judge(replace(question, side=replace(question.side, measure=measure)))
    verdict = "exact" if found.verdict == "rounded" else found.verdict
    return replace(found, verdict=verdict, error=None, ratio=None) if found.holds else None


def _no_bound(text: str, shown: Relation, rule: Threshold) -> Report:
    """Always or never: any bound is wrong."""
    note = f"the answer is {threshold_text(rule)}"
    found = Diagnosis("dropped-condition", f"no bound is right here; {note}", rule.relation)
    return Report("wrong", text, claimed=shown, note=note, diagnosis=(found,), quantity="threshold")


def _mismatch(report: Report, question: Question, bound_holds: bool) -> Report:
    """The bound may be right, the direction or the symbol is not."""
    from symcost.checker.mistakes import relations
    from symcost.checker.wrong import case_of

    case = case_of(question)
    first = [
        Diagnosis(each.kind, each.text, each.evidence)
        for diagnoser in (relations.flipped, relations.other_unknown)
        for each in diagnoser(case)
    ]
    rest = (
        ()
        if bound_holds
        else tuple(d for d in report.diagnosis if d.kind not in {each.kind for each in first})
    )
    return replace(report, verdict="wrong", diagnosis=(*first, *rest)[:4], note="")


def _solved_first(
    claim: Claim, expected: Expected, symbol: Symbol | None, assume: Any, names: tuple[str, ...]
) -> Report:
    """An inequality that is not solved for its unknown is solved, then compared."""
    left, right = claim.sides
    relation = Relation(left.expr, claim.signs[0], right.expr)
    unknown = symbol or _unknown(expected, sorted(relation.free_symbols, key=lambda s: s.name)[0])
    own = threshold(relation, unknown)
    if own.bound is None:
        raise InvalidValueError(
            f"{claim.text} gives no single bound for {unknown}", repair="solve it by hand first"
        )
    side = Side(str(own.bound), own.bound)
    rule = _rule(expected, _unknown(expected, unknown), assume)
    return _compare(claim.text, own.relation, unknown, side, rule, expected, names)


def _bound_only(
    claim: Claim, expected: Expected, symbol: Symbol | None, assume: Any, names: tuple[str, ...]
) -> Report:
    """A number or formula for the bound, without a sign."""
    if symbol is None:
        relation = expected.relation
        assert relation is not None
        symbol = relation.lhs if relation.lhs.is_Symbol else None
    if symbol is None:
        raise InvalidValueError(
            "which symbol is bounded is not said", repair='write "B > 240", or pass symbol="B"'
        )
    rule = _rule(expected, _unknown(expected, symbol), assume)
    op = rule.relation if rule.relation[0] in "<>" else ">"
    return _compare(claim.text, op, rule.symbol, claim.sides[-1], rule, expected, names)


def _word(claim: Claim, expected: Expected, symbol: Symbol | None, assume: Any) -> Report:
    """The claim that the inequality holds always, or never."""
    if symbol is None:
        raise InvalidValueError("which symbol is meant is not said", repair='pass symbol="B"')
    rule = _rule(expected, _unknown(expected, symbol), assume)
    known = {s.name: v for s, v in expected.values.items() if s in rule._symbols()}
    rule = rule.at(known) if known else rule
    holds = rule.is_never if claim.word == "never" else rule.is_always
    verdict = "exact" if holds else "wrong"
    note = f"the rule is {threshold_text(rule)}"
    return Report(verdict, claim.text, note="" if holds else note, quantity="threshold")
