"""The ladder of verdicts for one expression: exact, limit, rounded, convention, wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.analysis.assume import assumed
from symcost.analysis.check.case import Case
from symcost.analysis.check.claims import Side, formula, literals
from symcost.analysis.check.compare import counterexample, equal, evaluate, ratio_of
from symcost.analysis.check.diagnose import SHOWN, UNEXPLAINED, diagnose
from symcost.analysis.check.discover import Regime, discover, discover_number
from symcost.analysis.check.expected import Expected
from symcost.analysis.check.report import Diagnosis, Report
from symcost.analysis.check.rounding import agrees, rounded_constants
from symcost.errors import SymcostError


@dataclass(frozen=True, slots=True)
class Question:
    """A claimed side against an expected expression, under assumptions.

    ``tolerant`` marks a chain link written with ≈, where a limit needs no better reason.
    """

    side: Side
    expected: Expected
    assume: Any = None
    text: str = ""
    names: tuple[str, ...] = ()
    ops: tuple[str, str] = ("", "")
    unknowns: tuple[str, str] = ("", "")
    tolerant: bool = False
    formulas: Mapping[Any, Expr] = field(default_factory=dict)

    @property
    def value(self) -> Expr:
        """What is derived."""
        assert self.expected.value is not None
        return self.expected.value

    @property
    def claimed(self) -> Expr:
        """What is claimed."""
        return self.side.expr


def judge(question: Question) -> Report:
    """The verdict on one claimed expression, with the evidence."""
    base = Report(
        "undecided",
        question.text or question.side.text,
        expected=_plugged(question.value, question.expected.values),
        claimed=question.claimed,
        quantity=question.expected.quantity,
        ratio=_ratio(question),
    )
    for step in (_exact, _digits, _assumed, _convention, _limit, _constants):
        found = step(question, base)
        if found is not None:
            return found
    return _wrong(question, base)


def _plugged(value: Expr, values: Mapping[Symbol, Fraction]) -> Expr:
    """The expression with the numbers that are known."""
    put = {s: to_rational(v) for s, v in values.items() if s in value.free_symbols}
    if not put:
        return value
    try:
        return as_ratio(value.xreplace(put)).to_sympy()
    except SymcostError:
        return value


def _ratio(question: Question) -> Expr | None:
    """Claimed over expected when that is a number or a monomial."""
    values = question.expected.values
    a, b = (ratio_of(_plugged(e, values)) for e in (question.claimed, question.value))
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
    if values and equal(_plugged(question.claimed, values), _plugged(question.value, values)):
        return replace(base, verdict="exact")
    return None


def _number(question: Question, value: Expr) -> Fraction | None:
    try:
        return evaluate(value, question.expected.values)
    except (SymcostError, ZeroDivisionError):
        return None


def _digits(question: Question, base: Report) -> Report | None:
    """A printed number against the value that the inputs give."""
    printed = question.side.printed
    value = _number(question, question.value)
    if printed is None or value is None:
        return None
    if printed.value == value:
        return replace(base, verdict="exact")
    if agrees(printed, value):
        return replace(base, verdict="rounded", error=to_rational(printed.value / value - 1))
    return None


def _assumed(question: Question, base: Report) -> Report | None:
    """The claim under the assumption that the user states."""
    if not question.assume:
        return None
    put = _plugged(question.value, question.expected.values)
    given = assumed(question.assume, (put, question.claimed))
    value, claimed = given.apply(put), given.substituted(question.claimed)
    verdict = "limit" if given.growth.strict else "exact"
    printed = question.side.printed
    number = _number(question, value)
    if printed is not None and number is not None:
        if not agrees(printed, number):
            return None
        if verdict == "exact" and printed.value != number:
            verdict = "rounded"
    elif not equal(claimed, value):
        return None
    exact = given.substituted(put)
    return replace(base, verdict=verdict, assume=given.text, error=_error(value, exact))


def _error(value: Expr, exact: Expr) -> Expr | None:
    try:
        return (as_ratio(value) / as_ratio(exact) - as_ratio(1)).to_sympy()
    except SymcostError:
        return None


def _convention(question: Question, base: Report) -> Report | None:
    """FLOPs by another way of counting, MACs."""
    for kind, text, flops in question.expected.conventions:
        value = question.value * flops / _flops(question)
        if question.side.printed is None and equal(question.claimed, value):
            found = Diagnosis(kind, text, str(_ratio(question) or ""))
            return replace(base, verdict="convention", diagnosis=(found,))
    if question.expected.quantity == "flops" and not question.expected.conventions:
        half = question.value / 2
        number = _number(question, half)
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
    regime = _regime(question)
    if regime is None or question.assume:
        return None
    if not (question.tolerant or regime.only_arrows or _is_simple(question)):
        return None
    exact = _plugged(question.value, question.expected.values)
    value = regime.value.to_sympy()
    return replace(base, verdict="limit", assume=regime.text, error=_error(value, exact))


def _regime(question: Question) -> Regime | None:
    values = question.expected.values
    for numbers in ({}, values):
        expected = ratio_of(_plugged(question.value, numbers))
        if expected is None:
            continue
        if question.side.printed is not None:
            found = discover_number(question.side.printed, expected)
        else:
            claimed = ratio_of(_plugged(question.claimed, numbers))
            found = discover(claimed, expected) if claimed is not None else None
        if found is not None:
            return found
    return None


def _is_simple(question: Question) -> bool:
    """A monomial in place of a ratio of sums; of a plain sum, one that drops several terms.

    A sum with exactly one term missing is a slip until somebody states the assumption.
    """
    claimed, expected = ratio_of(question.claimed), ratio_of(question.value)
    if claimed is None or expected is None or len(claimed.num) + len(claimed.den) > 2:
        return False
    return len(expected.den) > 1 or len(expected.num) > 2


def _constants(question: Question, base: Report) -> Report | None:
    """A formula whose numbers are rounded, ``295`` for 19780/67."""
    if question.side.printed is not None:
        return None
    claimed = ratio_of(_plugged(question.claimed, question.expected.values))
    expected = ratio_of(_plugged(question.value, question.expected.values))
    if claimed is None or expected is None:
        return None
    number = _number(question, question.value)
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
    value = _number(question, question.claimed)
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


def _wrong(question: Question, base: Report) -> Report:
    expected = question.expected
    number = _number(question, question.value)
    if question.side.printed is not None and number is None and not _is_bare(question):
        missing = sorted(s.name for s in question.value.free_symbols - set(expected.values))
        verb = "has" if len(missing) == 1 else "have"
        note = f"{', '.join(missing)} {verb} no value: give {'one' if verb == 'has' else 'them'}"
        note += " with where"
        return replace(base, note=note)
    case = _case(question)
    found = _with_limit(question, case, diagnose(case))
    point = counterexample(question.claimed, question.value, expected.values)
    if point is None and question.side.printed is None and not found:
        return replace(base, note="no point was found at which the two differ")
    regime = _regime(question)
    notes = [f"it would hold in the limit {regime.text}"] if regime else []
    if not found or all(d.kind in ("arithmetic", "constant-factor") for d in found):
        notes.append(UNEXPLAINED)
    return replace(
        base, verdict="wrong", counterexample=point, diagnosis=found, note="; ".join(notes)
    )


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
    more = diagnose(replace(case, expected=given.apply(question.value)))
    kinds = {each.kind for each in more}
    return (*more, *(each for each in found if each.kind not in kinds))[:SHOWN]


def _case(question: Question) -> Case:
    expected, side = question.expected, question.side

    def read(text: str) -> Expr:
        return formula(text, question.names)

    return Case(
        claimed=question.claimed,
        expected=question.value,
        values=expected.values,
        printed=None if _number(question, question.value) is None else side.printed,
        quantity=expected.quantity or _quantity(side),
        text=side.text,
        unit=side.measure.unit if side.measure else "",
        unit_size=side.measure.size if side.measure else Fraction(1),
        ledger=expected.ledger,
        chip=expected.chip,
        dtype=expected.dtype,
        channel=expected.channel,
        read=None if side.measure else read,
        ops=question.ops,
        unknowns=question.unknowns,
        literals=literals(side.text),
    )


def _quantity(side: Side) -> str:
    """What the unit of a claimed number says that it is."""
    dimension = side.measure.dimension if side.measure else ()
    known = {(("byte", 1),): "bytes", (("FLOP", 1),): "flops"}
    known[(("FLOP", 1), ("byte", -1))] = "intensity"
    known[(("byte", 1), ("second", -1))] = "rate"
    return known.get(dimension, "")
