"""Diagnoses: what explains a claim that is wrong, the likeliest first."""

from __future__ import annotations

from dataclasses import replace

from symcost.algebra import as_ratio
from symcost.checker.case import Case
from symcost.checker.mistakes import (  # noqa: F401  # registers the built-in kinds
    digits,
    factors,
    inputs,
    ledger,
    meshes,
    rules,
    slips,
    symbols,
)
from symcost.checker.mistakes.base import (
    MISTAKES,
    Example,
    Found,
    Mistake,
    Proposal,
    explanations,
    kinds,
    mistake,
    unregister,
)
from symcost.checker.mistakes.second import simpler_cases
from symcost.checker.report import Diagnosis
from symcost.checker.said import said

SHOWN = 4  # candidates that a report lists
TELLING = 5.3  # from here on a kind says more than that a number is off
BESIDES = 0.5  # how much less likely two mistakes at once are
UNITY = as_ratio(1)
UNEXPLAINED = "no known kind of mistake explains the gap"


def diagnose(case: Case) -> tuple[Diagnosis, ...]:
    """What reproduces the claim, the most specific first, one of each kind."""
    found = explanations(case)
    if all(each.weight < TELLING for each in found.values()):
        found = _two_at_once(case) | found
    ranked = sorted(found.values(), key=lambda each: -each.weight)[:SHOWN]
    return tuple(
        Diagnosis(each.kind, each.proposal.text, each.proposal.evidence, each.proposal.convention)
        for each in ranked
    )


def _two_at_once(case: Case) -> dict[str, Found]:
    """What explains the claim against a simpler formula, which is said."""
    best: dict[str, Found] = {}
    for simpler, what in simpler_cases(case):
        quotient = simpler.quotient if simpler.printed is None else UNITY
        if quotient is None or len(quotient.num) != 1 or len(quotient.den) != 1:
            continue  # the second mistake is a factor or a symbol of the whole
        for kind, each in explanations(simpler).items():
            weight = each.weight - BESIDES
            better = kind not in best or best[kind].weight < weight
            is_one = simpler.printed is None or each.proposal.value is not None
            if each.weight >= TELLING and is_one and better:
                best[kind] = Found(kind, _besides(each.proposal, what), weight)
    return best


def _besides(proposal: Proposal, what: str) -> Proposal:
    return replace(proposal, text=said("{}; and {}", proposal.text, what), convention=False)


__all__ = [
    "MISTAKES",
    "UNEXPLAINED",
    "Example",
    "Mistake",
    "Proposal",
    "diagnose",
    "kinds",
    "mistake",
    "unregister",
]
