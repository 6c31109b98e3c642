"""Diagnoses: each kind of mistake is a small function from a case to hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from symcost.analysis.check.case import Case, Hypothesis
from symcost.analysis.check.diagnose import (
    digits,
    factors,
    hardware,
    inputs,
    relations,
    structure,
    symbols,
    terms,
    traffic,
)
from symcost.analysis.check.diagnose.kinds import KINDS, rank
from symcost.analysis.check.report import Diagnosis
from symcost.errors import SymcostError

SHOWN = 4  # candidates that a report lists
CHANCE = 12  # ranks lost by a kind that a single number fits easily
_SWAPS = frozenset(
    [
        *("wrong-dimension", "stray-symbol", "missing-symbol", "scope", "wrong-power"),
        *("layer-factor", "off-by-one", "missing-term", "doubled-term", "term-factor"),
    ]
)
UNEXPLAINED = "no known kind of mistake explains the gap"

Diagnoser = Callable[[Case], Iterator[Hypothesis]]

DIAGNOSERS: tuple[Diagnoser, ...] = (
    relations.flipped,
    relations.other_unknown,
    structure.precedence,
    structure.roundings,
    traffic.entries,
    traffic.no_reuse,
    symbols.from_quotient,
    structure.extrema,
    structure.inverted,
    hardware.other_dtypes,
    hardware.doubled_rates,
    hardware.literals,
    factors.twos,
    factors.known_factors,
    factors.value_sizes,
    factors.passes,
    factors.prefixes,
    terms.term_difference,
    terms.term_slips,
    terms.causal_whole,
    terms.product_for_sum,
    structure.lost_factors,
    structure.off_by_one,
    structure.powers,
    symbols.with_numbers,
    symbols.in_one_place,
    digits.cut_twice,
    digits.mistyped,
    hardware.other_chips,
    inputs.stale,
    inputs.limits,
    inputs.complements,
    digits.inputs_rounded,
    digits.early,
    factors.any_factor,
    digits.wrong_arithmetic,
)


def diagnose(case: Case) -> tuple[Diagnosis, ...]:
    """The hypotheses that reproduce the claim, the most specific first, one of each kind."""
    found: dict[str, Diagnosis] = {}
    for diagnoser in DIAGNOSERS:
        try:
            for each in diagnoser(case):
                if each.kind not in found and _holds(case, each):
                    found[each.kind] = Diagnosis(each.kind, each.text, each.evidence)
        except (SymcostError, ZeroDivisionError, OverflowError):
            continue  # a mutation that makes no sense for this case
    ranked = sorted(found.values(), key=lambda d: -_weight(case, d.kind))
    return tuple(ranked[:SHOWN])


def _holds(case: Case, each: Hypothesis) -> bool:
    return each.value is None or case.explains(each.value, each.slack)


def _weight(case: Case, kind: str) -> int:
    """The rank of a kind; what fits a number by one of many swaps may do so by chance."""
    if kind == "causal-mask" and case.ledger is not None and not _has_scores(case.ledger):
        return rank(kind) - CHANCE
    return rank(kind) - (CHANCE if case.printed is not None and kind in _SWAPS else 0)


def _has_scores(ledger: Any) -> bool:
    """Whether a program has a softmax or an attention, whose scores a mask can halve."""
    words = (f"{e.origin} {e.action} {' '.join(e.subjects)}".lower() for e in ledger.entries)
    return any("softmax" in word or "attention" in word for word in words)


__all__ = ["DIAGNOSERS", "KINDS", "UNEXPLAINED", "diagnose"]
