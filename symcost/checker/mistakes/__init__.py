"""Diagnoses: each kind of mistake is a small function from a case to hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from typing import Any

from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes import (
    collectives,
    digits,
    extrema,
    factors,
    hardware,
    inputs,
    logs,
    lost,
    masks,
    operations,
    prefixes,
    products,
    relations,
    resources,
    structure,
    symbols,
    terms,
    traffic,
)
from symcost.checker.mistakes.extrema import inner_cases
from symcost.checker.mistakes.kinds import KINDS, rank
from symcost.checker.mistakes.small import leading_case, shorter_cases
from symcost.checker.report import Diagnosis
from symcost.errors import SymcostError

SHOWN = 4  # candidates that a report lists
CHANCE = 12  # ranks lost by a kind that a single number fits easily
_SWAPS = frozenset(
    [
        *("wrong-dimension", "stray-symbol", "missing-symbol", "scope", "wrong-power"),
        *("layer-factor", "off-by-one", "missing-term", "doubled-term", "term-factor"),
    ]
)
_WEAK = frozenset(["constant-factor", "arithmetic", "stale-number", "early-rounding", "digit-slip"])
_SYMBOLS = frozenset(["layer-factor", "scope", "missing-symbol", "stray-symbol", "wrong-power"])
_SUMS = frozenset(["missing-factor", "sum-for-product", "extra-term", "inverted-ratio"])
UNEXPLAINED = "no known kind of mistake explains the gap"

Diagnoser = Callable[[Case], Iterator[Hypothesis]]

DIAGNOSERS: tuple[Diagnoser, ...] = (
    relations.flipped,
    relations.other_unknown,
    structure.precedence,
    structure.roundings,
    traffic.entries,
    traffic.no_reuse,
    traffic.whole_tables,
    traffic.mixed_sizes,
    operations.one_operation_twice,
    operations.operations,
    symbols.from_quotient,
    extrema.extrema,
    extrema.overlapped,
    resources.resources,
    logs.logarithms,
    logs.counts,
    structure.inverted,
    hardware.other_dtypes,
    hardware.doubled_rates,
    hardware.both_directions,
    hardware.literals,
    factors.twos,
    factors.trainings,
    factors.overlaps,
    factors.stores,
    factors.bits,
    factors.value_sizes,
    collectives.passes,
    collectives.whole_all_reduce,
    prefixes.tens,
    prefixes.binary,
    prefixes.time_units,
    terms.term_difference,
    terms.term_slips,
    terms.shared_out,
    masks.masked_terms,
    masks.causal_whole,
    products.product_for_sum,
    lost.lost_factors,
    structure.off_by_one,
    structure.powers,
    symbols.with_numbers,
    symbols.in_one_place,
    digits.cut_twice,
    digits.mistyped,
    hardware.other_machines,
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
    found = _explanations(case)
    for inner, where in inner_cases(case):
        found = _inside(inner, where) | found
    if set(found) <= _WEAK:
        found = _with_small_terms(case) | found
    ranked = sorted(found.values(), key=lambda each: -_weight(case, each))
    return tuple(Diagnosis(each.kind, each.text, each.evidence) for each in ranked[:SHOWN])


def _explanations(case: Case) -> dict[str, Hypothesis]:
    """The first hypothesis of each kind that gives the claim."""
    found: dict[str, Hypothesis] = {}
    if case.expected.is_zero:  # no slip turns nothing into something
        return {each.kind: each for each in operations.nothing_counted(case)}
    for diagnoser in DIAGNOSERS:
        try:
            for each in diagnoser(case):
                if each.kind not in found and _holds(case, each):
                    found[each.kind] = each
        except (SymcostError, ZeroDivisionError, OverflowError):
            continue  # a mutation that makes no sense for this case
    return found


def _with_small_terms(case: Case) -> dict[str, Hypothesis]:
    """What explains the claim against the leading terms, or with one term left out besides."""
    if case.printed is not None or case.claim_ratio is None:
        return {}
    lead = leading_case(case)
    found = _besides(*lead, _WEAK) if lead is not None else {}
    for shorter, what in shorter_cases(case) if not found else ():
        found = found or _besides(shorter, what, _WEAK | (_SWAPS - {"layer-factor"}) | _SUMS)
    return found


def _besides(case: Case, what: str, unfit: Set[str]) -> dict[str, Hypothesis]:
    """The explanations of a case that leaves something out, which is said."""
    return {
        kind: replace(each, text=f"{each.text}; and leaves out {what}")
        for kind, each in _explanations(case).items()
        if kind not in unfit and _is_plain(each)
    }


def _is_plain(each: Hypothesis) -> bool:
    """Whether it is one mistake: one symbol, and no factor besides it."""
    one_symbol = each.evidence.removeprefix("1/").isidentifier()
    return "besides" not in each.text and (each.kind not in _SYMBOLS or one_symbol)


def _inside(case: Case, where: str) -> dict[str, Hypothesis]:
    """The explanations of a case that is part of another, which is said."""
    return {k: replace(e, text=f"{e.text}, {where}") for k, e in _explanations(case).items()}


def _holds(case: Case, each: Hypothesis) -> bool:
    return each.value is None or case.explains(each.value, each.slack)


def _weight(case: Case, each: Hypothesis) -> int:
    """The rank of a kind; what fits a number by one of many swaps may do so by chance."""
    weight = rank(each.kind) - each.doubt
    if each.kind == "causal-mask" and case.ledger is not None and not _has_scores(case.ledger):
        return weight - CHANCE
    return weight - (CHANCE if case.printed is not None and each.kind in _SWAPS else 0)


def _has_scores(ledger: Any) -> bool:
    """Whether a program has a softmax or an attention, whose scores a mask can halve."""
    words = (f"{e.origin} {e.action} {' '.join(e.subjects)}".lower() for e in ledger.entries)
    return any("softmax" in word or "attention" in word for word in words)


__all__ = ["DIAGNOSERS", "KINDS", "UNEXPLAINED", "diagnose"]
