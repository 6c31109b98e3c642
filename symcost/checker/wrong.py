"""A claim that is wrong: the counterexample, what explains the gap, the limit it may mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.analysis.assume import Assumed, assumed
from symcost.checker.case import MAX_TERMS, Case
from symcost.checker.claims import Side
from symcost.checker.compare import counterexample
from symcost.checker.constants import literals, loosened
from symcost.checker.discover import arrow_limits
from symcost.checker.equality import ratio_of
from symcost.checker.mistakes import SHOWN, UNEXPLAINED, diagnose
from symcost.checker.question import Question, number_at, plugged, regime_of
from symcost.checker.report import Diagnosis, Report
from symcost.checker.said import order_said, said
from symcost.notation.units import Dimension


def explain(question: Question, base: Report) -> Report:
    """The report of a claim that no step of the ladder accepts."""
    number = number_at(question, question.value)
    if question.side.printed is not None and number is None and not _is_bare(question):
        return _against_limit(question, base) or replace(base, note=_needs_values(question))
    case = case_of(question)
    found = _with_limit(question, case, diagnose(case))
    point = counterexample(
        question.claimed, question.value, question.expected.values, _given(question)
    )
    if point is None and question.side.printed is None:
        return replace(base, note="no point was found at which the two differ")
    if question.side.printed is None and not found:
        near = _against_limit(question, base)
        if near is not None and near.diagnosis:
            return replace(near, counterexample=point)
    notes = tuple(_notes(question, found))
    note = said("; ".join(["{}"] * len(notes)), *notes)
    verdict = "convention" if found and found[0].convention else "wrong"
    return replace(base, verdict=verdict, counterexample=point, diagnosis=found, note=note)


def _given(question: Question) -> Assumed | None:
    """What is assumed, which a counterexample has to keep."""
    if not question.assume:
        return None
    return assumed(question.assume, (question.value, question.claimed))


def _notes(question: Question, found: tuple[Diagnosis, ...]) -> Iterator[str]:
    """The limit in which the claim would hold; that nothing explains it."""
    regime = regime_of(question)
    if regime is not None:
        yield said("it would hold in the limit {}", order_said(regime.text))
    if not found:
        yield UNEXPLAINED


def _needs_values(question: Question) -> str:
    missing = sorted(s.name for s in question.value.free_symbols - set(question.expected.values))
    verb, pronoun = ("has", "one") if len(missing) == 1 else ("have", "them")
    return f"{', '.join(missing)} {verb} no value: give {pronoun} with where"


def _against_limit(question: Question, base: Report) -> Report | None:
    """A simple claim about a ratio of sums is diagnosed against the limit it is meant as."""
    expected = ratio_of(question.value)
    if expected is None or not 2 <= len(expected.den) <= MAX_TERMS:
        return None
    if len(_terms(question.claimed)) > 1 or len(expected.num) > MAX_TERMS:
        return None
    wanted = question.claimed.free_symbols
    limits = [
        (text, value.to_sympy())
        for text, value in arrow_limits(expected, sorted(expected.atoms, key=str))
        if len(value.num) == len(value.den) == 1
    ]
    known = set(question.expected.values)
    ranked = sorted(limits, key=lambda each: len((each[1].free_symbols - known) ^ wanted))
    for text, value in ranked[:1]:
        found = diagnose(replace(case_of(question), expected=value, printed=question.side.printed))
        meant = plugged(value, question.expected.values)
        note = said("compared with {}, the limit for {}", meant, order_said(text))
        return replace(base, verdict="wrong", diagnosis=found, note=note)
    return None


def _terms(value: Expr) -> tuple[Expr, ...]:
    return tuple(value.args) if value.is_Add else (value,)


def _is_bare(question: Question) -> bool:
    """A plain number, and no value for any symbol: then the claim is that nothing matters."""
    measure = question.side.measure
    known = question.value.free_symbols & set(question.expected.values)
    return measure is not None and not measure.unit and not known


def _with_limit(
    question: Question, case: Case, found: tuple[Diagnosis, ...]
) -> tuple[Diagnosis, ...]:
    """Under a stated assumption the limit is what the claim should be, so it is diagnosed too."""
    if not question.assume:
        return found
    given = assumed(question.assume, (question.value, question.claimed))
    limit = replace(case, expected=given.apply(question.value))
    more = [each for each in diagnose(limit) if each.kind != "arithmetic"]
    kinds = {each.kind for each in more}
    return (*more, *(each for each in found if each.kind not in kinds))[:SHOWN]


def case_of(question: Question) -> Case:
    """Everything that a diagnosis may look at."""
    expected, side = question.expected, question.side
    written = _written(question)
    return Case(
        claimed=question.claimed,
        expected=question.value,
        values=expected.values,
        printed=None if number_at(question, question.value) is None else side.printed,
        quantity=expected.quantity or _quantity(side),
        text=side.text,
        unit=side.measure.unit if side.measure else "",
        unit_size=side.measure.size if side.measure else Fraction(1),
        ledger=expected.ledger,
        whole=expected.whole,
        chip=expected.chip,
        dtype=expected.dtype,
        channel=expected.channel,
        names=question.names,
        ops=question.ops,
        unknowns=question.unknowns,
        literals=literals(side.text, question.names),
        source=question.expected.text,
        written=None if written is None else written[0],
        numbers={} if written is None else written[1],
    )


def _written(question: Question) -> tuple[Expr, dict[Symbol, Fraction]] | None:
    """The expectation as it was typed, with a symbol for every number in it."""
    if question.side.printed is None or not question.expected.text:
        return None

    known = question.value.free_symbols
    found = loosened(question.expected.text, question.names, like=known, every=True)
    if found is None:
        return None
    return found.expr, {symbol: printed.value for symbol, printed in found.numbers.items()}


def _quantity(side: Side) -> str:
    """What the unit of a claimed number says that it is."""
    if side.measure is None:
        return ""
    is_count = bool(side.measure.unit) and not side.measure.dimension and side.measure.unit != "%"
    return "count" if is_count else _NAMED.get(side.measure.dimension, "")


_NAMED: dict[Dimension, str] = {
    (("byte", 1),): "bytes",
    (("FLOP", 1),): "flops",
    (("FLOP", 1), ("byte", -1)): "intensity",
    (("byte", 1), ("second", -1)): "rate",
    (("second", 1),): "time",
}
