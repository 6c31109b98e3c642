"""A number for what an earlier formula is solved for: ``a = 6b``, "with a = 60:", ``b = 10``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra.posynomial import to_rational
from symcost.checker.claims import Claim
from symcost.checker.question import plugged
from symcost.checker.report import Report
from symcost.notation.units import Measure, Printed
from symcost.pages.page import Given, State

_ROUGH = Fraction(1, 50)  # how far a number behind an ≈ may be off
_MATH = re.compile(r"\$[^$\n]*\$")
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])|\n\s*\n(?=\s*\S)")
_LEADS = re.compile(  # "With a = 60 s:", "For a = 60 FLOPs this is"
    r"\s*(?:[Ww]ith|[Ff]or|[Ss]etting|[Aa]t|[Ww]hen|[Ii]f)[\s\w/%]{0,16}(?:(?:,|\band\b)[\s\w/%]{0,16}){0,3}"
    r"(?::|,|\b(?:is|gives|means|requires|get|need|find))\s*:?\s*"
)


def follow_solution(claim: Claim, state: State) -> Report | None:
    """Check a number for a name against a formula in which all else has a value.

    Args:
        claim: ``b = 10`` or ``b ≈ 10``.
        state: what the page has said; a number that was given for the formula is used up.

    Returns:
        The report; ``None`` when no such formula is known, so that the number is an input.
    """
    name, measure = claim.sides[0].expr, claim.sides[1].measure
    if measure is None:
        return None
    values = {s: v for s, v in state.values.items() if s != name}
    for defined, given in tuple(state.given.items()):
        found = plugged(state.put(defined), values)
        if found.free_symbols != {name}:
            continue
        del state.given[defined]
        if any(_agree(found, name, each, given.printed) for each in _readings(claim, measure)):
            return Report("rounded", claim.text, note=f"follows from the formula of {defined}")
        return _failed(claim, defined, given, state)
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


def _failed(claim: Claim, defined: Symbol, given: Given, state: State) -> Report:
    """Wrong where the text leads from the one number to the other, otherwise undecided."""
    state.settled = True
    note = f"it does not agree with {defined} = {state.formulas[defined]} and what is given for it"
    sentence = _SENTENCE.split(state.prose)[-1]
    leads = given.text in sentence and _LEADS.fullmatch(_MATH.sub("", sentence))
    rough = state.rough & state.put(defined).free_symbols
    billions = re.search(r"\{\s*B\s*\}", claim.text)
    verdict = "wrong" if leads and not rough and not billions else "undecided"
    return Report(verdict, claim.text, note=note)
