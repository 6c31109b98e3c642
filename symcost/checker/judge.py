"""The ladder of verdicts for one expression: exact, limit, rounded, convention, wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Expr

from symcost.algebra import as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.analysis.assume import assumed
from symcost.checker.claims import literals
from symcost.checker.compare import equal, ratio_of
from symcost.checker.discover import Regime
from symcost.checker.question import Question, number_at, plugged, regime_of
from symcost.checker.report import Diagnosis, Report
from symcost.checker.rounding import agrees, rounded_constants
from symcost.checker.wrong import explain
from symcost.errors import SymcostError

TOLERATED = Fraction(1, 10)  # error of a limit that nobody asked for, at sizes that are given


def judge(question: Question) -> Report:
    """The verdict on one claimed expression, with the evidence."""
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
    return explain(question, base)


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
    if agrees(printed, value):
        error = to_rational(printed.value / value - 1)
        cut = abs(value - printed.value) * 2 > printed.step
        note = "its last digit is cut, not rounded" if cut else ""
        return replace(base, verdict="rounded", error=error, note=note)
    return None


def _assumed(question: Question, base: Report) -> Report | None:
    """The claim under the assumption that the user states."""
    if not question.assume:
        return None
    put = plugged(question.value, question.expected.values)
    given = assumed(question.assume, (put, question.claimed))
    value, claimed = given.apply(put), given.substituted(question.claimed)
    verdict = "limit" if given.growth.strict else "exact"
    printed = question.side.printed
    number = number_at(question, value)
    if printed is not None and number is not None:
        if not agrees(printed, number):
            return None
        if printed.value != number:
            verdict = "rounded"
    elif not equal(claimed, value):
        return None
    exact = given.substituted(put)
    error = _error(_own(question, value), exact)
    note = "these sizes lie outside the regime of the limit" if _is_far(question, error) else ""
    return replace(base, verdict=verdict, assume=given.text, error=error, note=note)


def _own(question: Question, value: Expr) -> Expr:
    """What the error is that of: the printed number, otherwise the limit, which is the claim."""
    printed = question.side.printed
    return value if printed is None else to_rational(printed.value)


def _error(value: Expr, exact: Expr) -> Expr | None:
    try:
        return (as_ratio(value) / as_ratio(exact) - as_ratio(1)).to_sympy()
    except SymcostError:
        return None


def _convention(question: Question, base: Report) -> Report | None:
    """FLOPs by another way of counting, MACs."""
    if not question.value:
        return None
    for kind, text, flops in question.expected.conventions:
        value = question.value * flops / _flops(question)
        if question.side.printed is None and equal(question.claimed, value):
            found = Diagnosis(kind, text, str(_ratio(question) or ""))
            return replace(base, verdict="convention", diagnosis=(found,))
    if question.expected.quantity == "flops" and not question.expected.conventions:
        half = question.value / 2
        number = number_at(question, half)
        printed = question.side.printed
        same = (
            equal(question.claimed, half)
            if printed is None
            else number is not None and agrees(printed, number)
        )
        if same:
            text = "counts multiply-adds (MACs); one is two FLOPs"
            found = Diagnosis("mac-for-flop", text, "1/2")
            return replace(base, verdict="convention", diagnosis=(found,))
    return None


def _flops(question: Question) -> Expr:
    """Twice the first convention, which are the MACs."""
    return 2 * question.expected.conventions[0][2]


def _limit(question: Question, base: Report) -> Report | None:
    """An order of growth under which the claim holds, if it is fit to be called a limit."""
    regime = regime_of(question)
    if regime is None or question.assume:
        return None
    if not (question.tolerant or _is_plain(question, regime) or _is_simple(question, regime)):
        return None
    exact = plugged(question.value, question.expected.values)
    value = regime.value.to_sympy()
    error = _error(_own(question, value), exact)
    if _is_far(question, error):
        return None
    return replace(base, verdict="limit", assume=regime.text, error=error)


def _is_far(question: Question, error: Expr | None) -> bool:
    """Whether the sizes that are given lie outside the regime of the limit."""
    found = None if error is None else number_at(question, error)
    return found is not None and abs(found) > TOLERATED


def _is_plain(question: Question, regime: Regime) -> bool:
    """Whether sizes only grow: those of a program do; a formula must tend to something then."""
    of_program = question.expected.ledger is not None
    return regime.only_arrows if of_program else regime.converges


def _is_simple(question: Question, regime: Regime) -> bool:
    """A monomial in place of a ratio of sums; of a plain sum, one that drops several terms.

    A sum with exactly one term missing is a slip until somebody states the assumption, and so
    is one term of several when it takes more than one plain assumption, such as ``B << D, F``.
    """
    claimed, expected = ratio_of(question.claimed), ratio_of(question.value)
    if claimed is None or expected is None or len(claimed.num) + len(claimed.den) > 2:
        return False
    plain = ";" not in regime.text and "*" not in regime.text
    return len(expected.den) > 1 or (len(expected.num) > 2 and plain)


def _constants(question: Question, base: Report) -> Report | None:
    """A formula whose numbers are rounded, ``295`` for 19780/67."""
    if question.side.printed is not None:
        return None
    claimed = ratio_of(plugged(question.claimed, question.expected.values))
    expected = ratio_of(plugged(question.value, question.expected.values))
    if claimed is None or expected is None:
        return None
    number = number_at(question, question.value)
    typed = literals(question.side.text)
    if number is not None:
        return _constant_number(question, base, number)
    error = rounded_constants(claimed, expected, typed)
    if error is None:
        return None
    note = "its numbers are rounded"
    return replace(base, verdict="rounded", error=to_rational(error), note=note)


def _constant_number(question: Question, base: Report, number: Fraction) -> Report | None:
    """A formula of numbers only: it may use rounded figures."""
    value = number_at(question, question.claimed)
    typed = [n for n in literals(question.side.text) if n.digits >= 2 and n.value]
    if value is None or not number or not typed:
        return None
    slack = max(abs(n.step / n.value) for n in typed)
    error = value / number - 1
    if abs(error) > min(slack, Fraction(1, 100)) or _is_whole(typed, question):
        return None
    return replace(base, verdict="rounded", error=to_rational(error))


def _is_whole(typed: list[Any], question: Question) -> bool:
    """Whether every number typed is one of the inputs, so that nothing was rounded."""
    known = set(question.expected.values.values())
    return all(n.value in known for n in typed)
