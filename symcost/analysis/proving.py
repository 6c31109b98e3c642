"""Prove what an analysis has answered, or a relation between sizes, for all sizes at once."""

from __future__ import annotations

from typing import TypeAlias

from symcost.analysis.limit import Approximation
from symcost.analysis.proof.claim import Claim, plain_claim
from symcost.analysis.proof.monotone import error_direction
from symcost.analysis.proof.proof import TIMEOUT, Proof, by_signs, decide
from symcost.analysis.thresholds.feasible import Feasible
from symcost.analysis.thresholds.guarantee import Guarantee, guarantee_claim
from symcost.analysis.thresholds.proof import prove_threshold, set_claim
from symcost.analysis.thresholds.threshold import Threshold
from symcost.notation.border import ARelation
from symcost.notation.border import relation as read_relation

Provable: TypeAlias = "Threshold | Approximation | Feasible | Guarantee | Claim | ARelation"


def prove(claim: Provable, timeout: float = TIMEOUT) -> Proof:
    """Decide whether an answer, or a relation between sizes, is right for all sizes.

    >>> from symcost.analysis.thresholds.threshold import threshold
    >>> prove(threshold("B*D/(B + D) > 100", "B")).status
    'proved'
    >>> prove("B*D/(B + D) < B")
    proved: for all B, D >= 1: B*D/(B + D) < B

    Args:
        claim: a threshold, a guarantee or a ``Feasible`` (are the values right?), a limit (does
            it err on one side only?), a relation as text or read, or a ``Claim``.
        timeout: seconds after which the status is "undecided".

    Returns:
        The proof, with a counterexample in exact numbers where the claim is refuted.

    Raises:
        MissingRuleError: signs do not decide it and z3 is not installed.
    """
    if isinstance(claim, Threshold):
        return prove_threshold(claim, timeout)
    if isinstance(claim, Approximation):
        return error_direction(claim, timeout).proof
    if isinstance(claim, Guarantee):
        said = guarantee_claim(claim)
        certain = all(each.certain for each in claim.corners)
        return by_signs(said) if certain else decide(said, timeout)
    if isinstance(claim, Feasible):
        claim = set_claim(tuple(claim.constraints.values()), claim.cases, claim.facts)
    if not isinstance(claim, Claim):
        claim = plain_claim(read_relation(claim))
    return decide(claim, timeout)
