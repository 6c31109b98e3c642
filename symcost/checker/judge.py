"""The ladder of verdicts for one expression: exact, limit, rounded, convention, wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sympy import Expr

from symcost.algebra import Maximum, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.algebra.signs import possible_signs
from symcost.analysis.assume import assumed
from symcost.checker.constants import bits_by_eight, converts, largest_shift, literals, loosened
from symcost.checker.discover import Regime
from symcost.checker.equality import equal, ratio_of
from symcost.checker.expected import Convention
from symcost.checker.question import Question, number_at, plugged, regime_of
from symcost.checker.report import Diagnosis, Report
from symcost.checker.rounding import BINARY, NOTES, is_binary, rounding
from symcost.checker.said import order_said, said
from symcost.checker.wrong import explain
from symcost.errors import SymcostError
from symcost.printing.numbers import decimal

IN_FULL = 10**5  # from here on a number is in base units
TOLERATED = Fraction(1, 10)  # error of a limit that nobody asked for, at sizes that are given


def judge(question: Question, *, explained: bool = True) -> Report:
    """The verdict on one claimed expression, with the evidence.

    It is that of the first step of the ladder that accepts the claim; when none does the claim is
    wrong, and ``explained`` says whether the reason is looked for, which takes time.
    """
    base = Report(
        "undecided",
        question.text or question.side.text,
        expected=plugged(question.value, question.expected.values),
        claimed=question.claimed,
        quantity=question.expected.quantity,
        ratio=_ratio(question),
    )
    for step in (_exact, _digits, _assumed, _convention, _limit, _constants):
        found = step(question, base)
        if found is not None:
            return found
    return explain(question, base) if explained else replace(base, verdict="wrong")


def _ratio(question: Question) -> Expr | None:
    """Claimed over expected when that is a number or a monomial."""
    values = question.expected.values
    a, b = (ratio_of(plugged(e, values)) for e in (question.claimed, question.value))
    if a is None or b is None or not b:
        return None
    try:
        quotient = a / b
    except SymcostError:
        return None
    return quotient.to_sympy() if len(quotient.num) == len(quotient.den) == 1 else None


def _exact(question: Question, base: Report) -> Report | None:
    if question.side.printed is not None:
        return None
    values = question.expected.values
    if equal(question.claimed, question.value):
        return replace(base, verdict="exact")
    if values and equal(plugged(question.claimed, values), plugged(question.value, values)):
        return replace(base, verdict="exact")
    return None


def _digits(question: Question, base: Report) -> Report | None:
    """A printed number against the value that the inputs give."""
    printed = question.side.printed
    value = number_at(question, question.value)
    if printed is None or value is None:
        return None
    if printed.value == value:
        return replace(base, verdict="exact")
    how = rounding(printed, value)
    error = to_rational(printed.value / value - 1) if value else None
    if is_binary(question.side.measure, value):
        report = replace(base, note=BINARY)
        if how is not None:
            return replace(report, verdict="rounded", error=error)
        found = Diagnosis("binary-prefix", BINARY, decimal(printed.value / value))
        return replace(report, verdict="convention", diagnosis=(found,))
    if how is None:
        return _in_its_unit(question, base, value)
    return replace(base, verdict="rounded", error=error, note=NOTES.get(how, ""))


def _in_its_unit(question: Question, base: Report, value: Fraction) -> Report | None:
    """A formula whose numbers are in the unit of the claim, ``25*12`` GB/s, or that converts.

    Otherwise numbers in full are in base units, and ``ms`` behind seconds is a mistake.
    """
    measure = question.side.measure
    if measure is None or measure.size == 1 or not question.expected.text:
        return None
    eight = bits_by_eight(question.expected.text, question.names, measure.unit)
    if eight is not None and rounding(measure.printed, value * eight) is not None:
        verdict = "exact" if measure.value == value * eight else "rounded"
        return replace(base, verdict=verdict, ratio=None, note="the 8 are the bits of a byte")
    own = measure.printed.scaled(1 / measure.size)
    if rounding(own, value) is None:
        return None
    typed = {each.value for each in literals(question.expected.text, question.names)}
    put = {v for s, v in question.expected.values.items() if s in question.value.free_symbols}
    is_in_full = any(number >= IN_FULL for number in typed | put)
    if is_in_full and not converts(question.expected.text, question.names, measure.size):
        return None
    verdict = "exact" if own.value == value else "rounded"
    return replace(base, verdict=verdict, ratio=None, note=f"the formula gives {measure.unit}")


def _assumed(question: Question, base: Report) -> Report | None:
    """The claim under the assumption that the user states: its limit, or something nearer."""
    if not question.assume:
        return None
    put = plugged(question.value, question.expected.values)
    given = assumed(question.assume, (put, question.claimed))
    value, claimed = given.apply(put), given.substituted(question.claimed)
    exact = given.substituted(put)
    verdict = "limit" if given.growth.strict else "exact"
    printed = question.side.printed
    number = number_at(question, value)
    if printed is not None and number is not None:
        if rounding(printed, number) is None:
            return None
        if printed.value != number:
            verdict = "rounded"
        claimed = to_rational(printed.value)
    elif not equal(claimed, value) and not _is_nearer(claimed, value, exact, given.apply(claimed)):
        return None
    error = _error(claimed, exact)
    note = "these sizes lie outside the regime of the limit" if _is_far(question, error) else ""
    return replace(base, verdict=verdict, assume=given.text, error=error, note=note)


def _is_nearer(claimed: Expr, limit: Expr, exact: Expr, limit_of_claim: Expr) -> bool:
    """Whether a claim with the same limit is nowhere further from the truth than the limit is."""
    if not equal(limit_of_claim, limit):
        return False
    ours, far, truth = (ratio_of(each) for each in (claimed, limit, exact))
    if ours is None or far is None or truth is None:
        return False
    square = (far - ours) * (far + ours - truth - truth)  # (far - truth)^2 - (ours - truth)^2
    return possible_signs(square.num * square.den) <= {0, 1}


def _error(value: Expr, exact: Expr) -> Expr | None:
    try:
        return (as_ratio(value) / as_ratio(exact) - as_ratio(1)).to_sympy()
    except SymcostError:
        return None


def _convention(question: Question, base: Report) -> Report | None:
    """What another convention gives: MACs, additions counted one by one, one unit's FLOPs."""
    if not question.value:
        return None
    for kind, text, value in _conventions(question):
        if _is_given_by(question, value):
            found = Diagnosis(kind, text, str(_ratio(question) or ""))
            return replace(base, verdict="convention", diagnosis=(found,))
    return None


def _conventions(question: Question) -> tuple[Convention, ...]:
    if question.expected.conventions or question.expected.quantity != "flops":
        return question.expected.conventions
    text = "counts multiply-adds (MACs); one is two FLOPs"
    return (("mac-for-flop", text, question.value / 2),)


def _is_given_by(question: Question, value: Expr) -> bool:
    """Whether the claim is an expression, or prints as its value."""
    printed = question.side.printed
    if printed is None:
        return equal(question.claimed, value)
    number = number_at(question, value)
    return number is not None and rounding(printed, number) is not None


def _limit(question: Question, base: Report) -> Report | None:
    """An order of growth under which the claim holds, if it is fit to be called a limit."""
    part = _argument(question)
    regime = regime_of(part)
    if regime is None or question.assume:
        return None
    if not (question.tolerant or is_accepted(part, regime)):
        return None
    exact = plugged(question.value, question.expected.values)
    printed = question.side.printed
    value = question.claimed if printed is None else to_rational(printed.value)
    error = _error(value, exact)
    if _is_far(question, error):
        return None
    note = said("nobody stated {}", order_said(regime.text))
    return replace(base, verdict="limit", assume=regime.text, error=error, note=note)


def _argument(question: Question) -> Question:
    """The one argument in which two maxima differ, otherwise the whole."""
    ours, theirs = question.claimed, question.value
    if not (isinstance(ours, Maximum) and isinstance(theirs, Maximum)):
        return question
    if not theirs.free_symbols <= ours.free_symbols:  # a chip's numbers for C and W
        theirs = plugged(theirs, question.expected.values)
    left, right = (
        [a for a in one.args if not any(equal(a, b) for b in other.args)]
        for one, other in ((ours, theirs), (theirs, ours))
    )
    if len(left) != 1 or len(right) != 1:
        return question
    expected = replace(question.expected, value=right[0])
    return replace(question, side=replace(question.side, expr=left[0]), expected=expected)


def _is_far(question: Question, error: Expr | None) -> bool:
    """Whether the sizes that are given lie outside the regime of the limit."""
    found = None if error is None else number_at(question, error)
    return found is not None and abs(found) > TOLERATED


def is_accepted(question: Question, regime: Regime) -> bool:
    """Whether a limit that nobody stated is accepted; one rule for every shape of formula.

    Either every term left out is beaten by one that stays as soon as single sizes grow, as 1
    is by n; or one term is left of a ratio of sums, or of a sum of three terms and more under
    one plain assumption. A sum with just one term missing is otherwise a slip until somebody
    states the assumption; so is what is left out in one place and kept in another, as the 1 of
    ``(p - 1)/(m + p)`` for ``(p - 1)/(m + p - 1)``.
    """
    if regime.is_halfway:
        return False
    if regime.only_arrows:
        return True
    claimed, expected = ratio_of(question.claimed), ratio_of(question.value)
    if claimed is None or expected is None or len(claimed.num) + len(claimed.den) > 2:
        return False
    plain = ";" not in regime.text and "*" not in regime.text
    return len(expected.den) > 1 or (len(expected.num) > 2 and plain)


def _constants(question: Question, base: Report) -> Report | None:
    """A formula whose numbers are rounded, ``295`` for 19780/67."""
    values = question.expected.values
    if question.side.printed is not None or question.side.measure is not None:
        return None

    found = loosened(question.side.text, question.names, set(values.values()))
    if found is None:
        return None
    error = largest_shift(
        replace(found, expr=plugged(found.expr, values)), plugged(question.value, values)
    )
    if error is None:
        return None
    return replace(
        base, verdict="rounded", error=to_rational(error), note="its numbers are rounded"
    )
