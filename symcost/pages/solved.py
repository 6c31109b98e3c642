"""What an earlier formula or condition is solved for: ``a = 6b``, "with a = 60:", ``b = 10``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra.posynomial import to_rational
from symcost.checker.claims import Claim
from symcost.checker.compare import counterexample
from symcost.checker.equality import equal
from symcost.checker.question import plugged
from symcost.checker.report import Report
from symcost.notation.units import Measure, Printed
from symcost.pages.known import Known, Meaning
from symcost.pages.wording import last_sentence, leads

_ROUGH = Fraction(1, 50)  # how far a number behind an ≈ may be off
_MATH = re.compile(r"\$[^$\n]*\$")
_LEADS = re.compile(  # "With a = 60 s:", "For a = 60 FLOPs this is"
    r"\s*(?:[Ww]ith|[Ff]or|[Ss]etting|[Aa]t|[Ww]hen|[Ii]f)[\s\w/%]{0,16}(?:(?:,|\band\b)[\s\w/%]{0,16}){0,3}"
    r"(?::|,|\b(?:is|gives|means|requires|get|need|find))\s*:?\s*"
)


def follow_solution(claim: Claim, known: Known) -> tuple[Report, Known] | None:
    """Check a number for a name against a formula in which all else has a value.

    Args:
        claim: ``b = 10`` or ``b ≈ 10``.
        known: what the page has said; a number that was given for the formula is used up.

    Returns:
        The report; ``None`` when no such formula is known, so that the number is an input.
    """
    name, measure = claim.sides[0].expr, claim.sides[1].measure
    if measure is None:
        return None
    values = {s: v for s, v in known.values.items() if s != name}
    for defined, meaning in known.meanings.items():
        if meaning.given is None or meaning.formula is None:
            continue
        found = plugged(known.put(defined), values)
        if found.free_symbols != {name}:
            continue
        used = known.with_meaning(defined, replace(meaning, given=None))
        if any(_agree(found, name, each, meaning.given) for each in _readings(claim, measure)):
            note = f"follows from the formula of {defined}"
            return Report("rounded", claim.text, expected=found, note=note), used
        return _failed(claim, defined, meaning, known), used
    return None


def _readings(claim: Claim, measure: Measure) -> Iterator[tuple[Fraction, Fraction]]:
    """From where to where the number may lie, in base units and in the unit of the page."""
    tolerance = _ROUGH if claim.signs[0] == "≈" else Fraction(0)
    for printed in (measure.printed, measure.printed.scaled(1 / measure.size)):
        width = max(printed.step, abs(printed.value) * tolerance)
        yield max(printed.value - width, printed.value / 10), printed.value + width


def _agree(found: Expr, name: Symbol, ends: tuple[Fraction, Fraction], given: Printed) -> bool:
    """Whether the formula takes the number that is given somewhere between the ends."""
    values = [found.xreplace({name: to_rational(end)}) for end in ends]
    if not all(value.is_number and value.is_real for value in values):
        return True
    low, high = given.value - given.place / 2, given.value + given.place / 2
    return bool(min(values) <= to_rational(high) and max(values) >= to_rational(low))


def _failed(claim: Claim, defined: Symbol, meaning: Meaning, known: Known) -> Report:
    """Wrong where the text leads from the one number to the other, otherwise undecided."""
    note = f"it does not agree with {defined} = {meaning.formula} and what is given for it"
    sentence = last_sentence(known.at.before)
    lead = meaning.given_text in sentence and _LEADS.fullmatch(_MATH.sub("", sentence))
    rough = any(known.of(s).rough for s in known.put(defined).free_symbols)
    billions = re.search(r"\{\s*B\s*\}", claim.text)
    verdict = "wrong" if lead and not rough and not billions else "undecided"
    return Report(verdict, claim.text, note=note)


def follow_condition(claim: Claim, known: Known) -> tuple[Report, Known] | None:
    """Check ``T = 2D`` against the equation before it, "the two are equal when ...".

    Args:
        claim: a name and a formula for it.
        known: what the page has said; the condition is used up.

    Returns:
        The report; ``None`` when no equation for the name stands before, so that it is defined.
    """
    condition, name, side = known.condition, claim.sides[0].expr, claim.sides[1]
    if condition is None or name not in condition.free_symbols:
        return None
    if side.expr.free_symbols - condition.free_symbols or not leads(known.at):
        return None
    known, put = replace(known, condition=None), {name: side.expr}
    left, right = (
        plugged(known.put(each).xreplace(put), known.values)
        for each in (condition.lhs, condition.rhs)
    )
    if equal(left, right):
        note = "solves the equation before it"
        return Report("exact", claim.text, expected=left, note=note), known
    point = counterexample(left, right)
    if point is None or side.printed is not None:
        return Report("undecided", claim.text, note="the equation could not be decided"), known
    note = f"it does not solve {condition.lhs} = {condition.rhs}"
    return Report("wrong", claim.text, claimed=side.expr, note=note, counterexample=point), known
