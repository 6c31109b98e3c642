"""Claims about a threshold: the same unknown, the same direction, the same set."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sympy import Symbol

from symcost.algebra.posynomial import as_posynomial, to_rational
from symcost.algebra.relation import SIGNS, Relation
from symcost.algebra.signs import possible_signs
from symcost.analysis.thresholds.phrases import threshold_words
from symcost.analysis.thresholds.threshold import Threshold, threshold
from symcost.checker.claims import Branch, Claim, Side
from symcost.checker.compare import holds, set_counterexample
from symcost.checker.equality import ratio_of
from symcost.checker.expected import SOLUTION, Expected
from symcost.checker.judge import judge
from symcost.checker.question import Asked, Question, number_at, plugged
from symcost.checker.report import Counterexample, Diagnosis, Report
from symcost.checker.said import of_words, said
from symcost.checker.samples import small_points
from symcost.checker.sets import TURNED, ClaimedSet, branches_of
from symcost.checker.values import evaluate
from symcost.errors import InvalidValueError, UndecidedError
from symcost.notation.units import Measure, Printed
from symcost.symbols import is_dim

_OF_RULES = ("flipped-inequality", "other-symbol", "wrong-dimension")
_SEVERAL = ("always", "never", "between")


def check_inequality(asked: Asked) -> Report:
    """Compare a claimed rule, or a word, with the set of values that is derived."""
    claim, expected = asked.claim, asked.expected
    if claim.is_bound:
        of = _bounded(asked)
        claim = claim.bounding(Side(of.name, of))
        asked = replace(asked, claim=claim)
    if claim.word:
        return _word(asked)
    if not claim.is_rule:
        return _bound_only(asked)
    several = _ends(asked)
    if several is not None:
        rule = _rule(asked, several)
        return _in_form(ClaimedSet(asked, _at_numbers(rule, expected)).report(), rule)
    (left, right), op = claim.sides, claim.signs[0]
    if right.expr.is_Symbol and not left.expr.is_Symbol:
        left, right, op = right, left, op.translate(TURNED)
    unknown = left.expr if left.expr.is_Symbol else None
    if unknown is None or unknown in right.expr.free_symbols:
        return _solved_first(asked)
    rule = _rule(replace(asked, assume=None), asked.symbol or unknown)
    report = _compare(asked, op, unknown, right, rule)
    if not asked.assume or report.verdict in ("exact", "border", "rounded"):
        return report
    rule = _rule(asked, asked.symbol or unknown)
    return _in_form(_compare(asked, op, unknown, right, rule), rule)


def _rule(asked: Asked, wanted: Symbol) -> Threshold:
    """The expected set of values of an unknown: the one asked for, or the only one."""
    relation, values = asked.expected.relation, asked.expected.values
    assert relation is not None
    known = {s.name: s for s in relation.free_symbols}
    free = [s for s in known.values() if s not in values]
    if wanted.name in known and wanted not in values:
        wanted = known[wanted.name]
    elif relation.lhs.is_Symbol or len(free) == 1:
        wanted = relation.lhs if relation.lhs.is_Symbol else free[0]
    return threshold(relation, wanted, asked.assume)


def _in_form(report: Report, rule: Threshold) -> Report:
    """The report on a rule, which may be that of a limit."""
    is_limit = report.verdict in ("exact", "border") and rule.form == "limit"
    return replace(report, verdict="limit" if is_limit else report.verdict, assume=rule.assume)


def _bounded(asked: Asked) -> Symbol:
    """The symbol that a number alone bounds."""
    relation = asked.expected.relation
    assert relation is not None
    first = asked.claim.sides[0].expr if asked.claim.sides else None
    for each in (asked.symbol, first, relation.lhs):
        if isinstance(each, Symbol):
            return each
    raise InvalidValueError(
        "which symbol is bounded is not said", repair='write "B > 240", or pass symbol="B"'
    )


def _ends(asked: Asked) -> Symbol | None:
    """The unknown of a claimed set that is more than one end with its conditions."""
    branches = branches_of(asked.claim)
    pairs = [pair for branch in branches for together in branch.alternatives for pair in together]
    sides = [side.expr for pair in pairs for side in pair.sides]
    alone = next((each for each in sides if each.is_Symbol), None)
    unknown = asked.symbol or alone
    if not isinstance(unknown, Symbol):
        return None
    about = [p for p in pairs if any(unknown in side.expr.free_symbols for side in p.sides)]
    cases = [branch for branch in branches if branch.alternatives]
    is_several = len(about) > 1 or len(cases) > 1 or not pairs
    return unknown if is_several else None


def _compare(asked: Asked, op: str, unknown: Symbol, side: Side, rule: Threshold) -> Report:
    exact, rule = rule.bound, _at_numbers(rule, asked.expected)
    bound = rule.bound if exact is None else exact
    shown = Relation(unknown, op, side.expr)
    if rule.is_always or rule.is_never:
        return _no_bound(asked.claim.text, shown, rule)
    if rule.bound is None or bound is None:
        return ClaimedSet(asked, rule).report()
    expected = replace(asked.expected, value=bound, relation=None, quantity="threshold")
    question = replace(
        Question(side, expected, None, asked.claim.text, asked.names),
        ops=(op, rule.relation),
        unknowns=(unknown.name, rule.symbol.name),
    )
    report = _of_one_sign(judge(question), question, rule)
    right = Relation(rule.symbol, rule.relation, report.expected or bound)
    report = replace(report, claimed=shown, expected=right)
    relation = asked.expected.relation
    assert relation is not None
    if op[0] == rule.relation[0] and unknown.name == rule.symbol.name:
        if not report.holds or report.verdict == "limit":
            return report
        end = Relation(rule.symbol, rule.relation, rule.bound)
        claimed = ClaimedSet(asked, rule, end)
        return claimed.compared(replace(report, when=rule.main.when))
    found = _mismatch(report, question, report.holds)
    point = set_counterexample((Branch(((shown,),)),), relation, unknown, asked.expected.values)
    return replace(found, counterexample=point or found.counterexample)


def _at_numbers(rule: Threshold, expected: Expected) -> Threshold:
    """The rule with the numbers that are known."""
    known = {s.name: v for s, v in expected.values.items() if s in rule.parameters}
    return rule.at(known) if known else rule


def _of_one_sign(report: Report, question: Question, rule: Threshold) -> Report:
    """What the border itself, in or out of the set, means for the verdict."""
    op, right = question.ops
    if report.verdict == "exact" and op != right and op[0] == right[0]:
        return _but_for_the_border(report, question, rule)
    if not report.holds and len(op) == 2:
        return _of_integers(question) or report
    if report.verdict == "rounded" and op == ">=":
        return _with_smallest(report, question)
    return report


def _but_for_the_border(report: Report, question: Question, rule: Threshold) -> Report:
    """``x >= 3`` for ``x > 3``: the same set but for one value, if the unknown can take that."""
    bound = number_at(question, question.value)
    if bound is not None and bound.denominator != 1 and is_dim(rule.symbol):
        return report
    return replace(
        report,
        verdict="border",
        note=said("holds but for {}", Relation(rule.symbol, "=", report.expected)),
    )


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
    half = Fraction(1, 2) if question.ops[0] == "<=" else -Fraction(1, 2)
    middle = Printed(printed.value + half, Fraction(1), 2, Fraction(1))
    measure = Measure(middle, "", Fraction(1), ())
    found = judge(replace(question, side=replace(question.side, measure=measure)))
    verdict = "exact" if found.verdict == "rounded" else found.verdict
    return replace(found, verdict=verdict, error=None, ratio=None, note="") if found.holds else None


def _no_bound(text: str, shown: Relation, rule: Threshold) -> Report:
    """Always or never: any bound is wrong."""
    note = said("the answer is {}", of_words(threshold_words(rule)))
    found = Diagnosis("dropped-condition", said("no bound is right here; {}", note), rule.relation)
    return Report("wrong", text, claimed=shown, note=note, diagnosis=(found,), quantity="threshold")


def _mismatch(report: Report, question: Question, bound_holds: bool) -> Report:
    """The bound may be right, the direction or the symbol is not."""
    from symcost.checker.mistakes import diagnose
    from symcost.checker.wrong import case_of

    found = diagnose(case_of(question))
    if bound_holds:
        found = tuple(each for each in found if each.kind in _OF_RULES)
    return replace(report, verdict="wrong", diagnosis=found, note="")


def _solved_first(asked: Asked) -> Report:
    """An inequality that is not solved for its unknown is solved, then compared."""
    claim = asked.claim
    left, right = claim.sides
    relation = Relation(left.expr, claim.signs[0], right.expr)
    first = sorted(relation.free_symbols, key=lambda s: s.name)[:1]
    if not first:
        raise InvalidValueError(f"{claim.text} bounds no symbol", repair="write a rule, B > 240")
    rule = _rule(asked, asked.symbol or first[0])
    own = threshold(relation, rule.symbol)
    is_same = own.symbol == rule.symbol and own.cases == rule.cases
    if is_same or _is_scaled(relation, Relation(rule.lhs, rule.op, rule.rhs)):
        expected = Relation(rule.lhs, rule.op, rule.rhs)
        report = Report("exact", claim.text, expected, relation, quantity="threshold")
        return _in_form(report, rule)
    if own.bound is None:
        return ClaimedSet(asked, _at_numbers(rule, asked.expected)).report()
    side = Side(str(own.bound), own.bound)
    return _compare(asked, own.relation, rule.symbol, side, rule)


def _is_scaled(one: Relation, other: Relation) -> bool:
    """Whether one relation is the other times what is positive wherever it is defined."""
    gaps = [ratio_of(each.lhs - each.rhs) for each in (one.upward(), other.upward())]
    if one.upward().op != other.upward().op or gaps[0] is None or not gaps[1]:
        return False
    quotient = gaps[0] / gaps[1]
    parts = [*quotient.num.terms.items(), *quotient.den.terms.items()]
    if len(parts) != 2 or any(coefficient <= 0 for _, coefficient in parts):
        return False
    powers = [(atom, power) for monomial, _ in parts for atom, power in monomial]
    return all(
        possible_signs(as_posynomial(atom)) <= ({0, 1} if power < 0 else {1})
        for atom, power in powers
    )


def _bound_only(asked: Asked) -> Report:
    """A number or formula for the bound, without a sign."""
    rule = _rule(asked, _bounded(asked))
    is_equation = asked.expected.quantity == SOLUTION
    if is_equation and rule.bound is None:
        raise UndecidedError(
            "the equation has no solution or several", repair="compare with an inequality"
        )
    if asked.claim.signs == ("=",) and rule.relation == "between":  # B = D: one point, no bound
        return ClaimedSet(asked, _at_numbers(rule, asked.expected)).report()
    op = ">" if rule.relation in _SEVERAL else rule.relation
    first, side = Side(rule.symbol.name, rule.symbol), asked.claim.sides[-1]

    def against(sign: str) -> Report:
        def turned(pair: Claim) -> Claim:
            return pair if pair.is_rule else Claim(pair.text, (first, side), (sign,))

        branches = tuple(branch.map(turned) for branch in asked.claim.branches)
        claim = replace(turned(asked.claim), branches=branches)
        return _compare(replace(asked, claim=claim), sign, rule.symbol, side, rule)

    strict, whole = against(op), against(op[0] + "=")
    found = strict if strict.holds or not whole.holds else whole
    if not is_equation:
        return found
    claimed, expected = (
        Relation(each.lhs, "=", each.rhs) if isinstance(each, Relation) else each
        for each in (found.claimed, found.expected)
    )
    return replace(found, claimed=claimed, expected=expected)


def _word(asked: Asked) -> Report:
    """The claim that the inequality holds always, or never."""
    rule = _at_numbers(_rule(asked, _bounded(asked)), asked.expected)
    holds = rule.is_never if asked.claim.word == "never" else rule.is_always
    note = "" if holds else said("the rule is {}", of_words(threshold_words(rule)))
    verdict = "exact" if holds else "wrong"
    return Report(verdict, asked.claim.text, note=note, quantity="threshold")


def within(claim: Claim, expected: Expected) -> Report:
    """The claim that what is derived is at least, or at most, so much."""
    (side,), (sign,), value = claim.sides, claim.signs, expected.value
    assert value is not None
    value, bound = (plugged(each, expected.values) for each in (value, side.expr))
    rule, gap = Relation(value, sign, bound), ratio_of(value - bound)
    base = Report("undecided", claim.text, value, rule, quantity=expected.quantity)
    if gap is not None and possible_signs(gap.num * gap.den) <= set(SIGNS[sign]):
        return replace(base, verdict="exact", note="what is derived lies within the bound")
    for point in small_points(sorted(rule.free_symbols, key=str)):
        if holds(rule, point) is False:
            a, b = (to_rational(evaluate(each, point)) for each in (bound, value))
            shown = {s.name: to_rational(n) for s, n in point.items()}
            return replace(base, verdict="wrong", counterexample=Counterexample(shown, a, b))
    return base
