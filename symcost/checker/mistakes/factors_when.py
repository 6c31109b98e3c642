"""When a factor may be meant at a place: what the case says for it or against it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra import Posynomial
from symcost.checker.case import Case
from symcost.checker.equality import ratio_of
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import AGAINST, OPEN, SURE, Likely
from symcost.notation.kinds import can_be

Tell = Callable[[Case, Expr, Fraction], Likely]
HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
TWO, THREE, FOUR = Fraction(2), Fraction(3), Fraction(4)
MORE, LESS = Fraction(4, 3), Fraction(3, 4)


def always(case: Case, part: Expr, number: Fraction) -> Likely:
    """Wherever the number fits."""
    return 0


def _likely(known: bool | None, sure: bool = False) -> Likely:
    """What an answer of ``evidence`` adds."""
    return {True: SURE if sure else 0, False: None, None: OPEN}[known]


def _term(part: Expr) -> Posynomial | None:
    """The part as one term, if it is one."""
    ratio = ratio_of(part)
    return ratio.num if ratio is not None and len(ratio.num) == 1 else None


def _is_whole(part: Expr, number: Fraction) -> bool:
    """Whether the part is one term, and its coefficient a multiple of a number."""
    term = _term(part)
    return term is not None and all(Fraction(c) % number == 0 for c in term.terms.values())


def flops(case: Case, part: Expr, number: Fraction) -> Likely:
    """FLOPs are counted."""
    known = told.counts_flops(case)
    if part != case.expected:
        return None if part.free_symbols.isdisjoint(told.peaks(case)[:1]) else 0
    unsaid = case.unit == "%" or (case.source and "2" not in case.source)
    return OPEN if known and (unsaid or case.quantity == "threshold") else _likely(known)


def values(case: Case, part: Expr, number: Fraction) -> Likely:
    """Bytes are counted, and the claim has no factor 2 left that could be those of a value."""
    known = told.counts_bytes(case)
    if part != case.expected:
        fits = number in (HALF, QUARTER) and _is_whole(part, 1 / number)
        return _likely(known) if fits else None
    if number not in (HALF, TWO):
        return 0 if case.quantity in ("bytes", "t_comms") else None
    if case.printed is None and not _is_odd(case):
        return None
    has = told.has_elements if case.printed is None else told.has_value_factor
    return _likely(known, has(case))


def _is_odd(case: Case) -> bool:
    if case.claim_ratio is None or (case.factor is not None and case.factor > 1):
        return True
    return any(Fraction(c).numerator % 2 for c in case.claim_ratio.num.terms.values())


def training(case: Case, part: Expr, number: Fraction) -> Likely:
    """FLOPs of a training step are counted."""
    if case.quantity in ("threshold", "intensity") or told.counts_flops(case) is False:
        return None
    if number == THIRD and not told.has_thirds(case):
        return None
    return 0 if told.is_training(case) else OPEN


def recomputed(case: Case, part: Expr, number: Fraction) -> Likely:
    """Some of a forward pass may run again."""
    if case.quantity == "threshold":
        return None
    if part != case.expected:
        fits = _is_whole(part, Fraction(6 if number == MORE else 2)) and len(part.free_symbols) > 1
        return _likely(told.counts_flops(case)) if fits else None
    likely = training(case, part, number) if told.has_training_coefficient(case) else None
    is_rate = told.degree(case) == 0 and case.inputs
    return likely if likely == 0 or is_rate else None


def streams(case: Case, part: Expr, number: Fraction) -> Likely:
    """Bytes of a loop over arrays are counted."""
    if case.quantity == "threshold" or told.is_ridge(case) or told.degree(case) > 2:
        return None
    return 0 if case.quantity == "intensity" or told.counts_bytes(case) else None


def every_load(case: Case, part: Expr, number: Fraction) -> Likely:
    """An intensity that is counted by hand."""
    return 0 if case.quantity == "intensity" and case.ledger is None else None


def square(case: Case, part: Expr, number: Fraction) -> Likely:
    """A symbol of the formula is squared."""
    return 0 if told.has_square(case) else None


def bits(case: Case, part: Expr, number: Fraction) -> Likely:
    """Bytes or what is sent is counted."""
    if case.quantity in ("flops", "t_math", "count"):
        return None
    if 8 in case.values.values():
        return OPEN  # eight of something else
    return 0 if told.counts_bytes(case) or case.quantity in ("rate", "time") else OPEN


def prefix(case: Case, part: Expr, number: Fraction) -> Likely:
    """There is a unit with a prefix."""
    has_prefix = case.unit_size != 1 or any(c.isalpha() for c in case.source)
    return 0 if case.unit and has_prefix else None


def binary(case: Case, part: Expr, number: Fraction) -> Likely:
    """Bytes are counted."""
    if case.printed is None:
        return 0
    value = case.number(case.expected)
    counted = case.quantity in ("bytes", "rate")
    exact = value is not None and value * number == case.printed.value
    return 0 if counted and (case.printed.digits > 1 or exact) else None


def clock(case: Case, part: Expr, number: Fraction) -> Likely:
    """There is a time."""
    if case.quantity in ("threshold", "intensity", "bytes"):
        return None
    return None if told.is_ridge(case) and case.quantity != "rate" else 0


def passes(case: Case, part: Expr, number: Fraction) -> Likely:
    """Something is sent, as in an all-reduce."""
    known, has_ring = told.is_collective(case), told.has_ring_factor(case)
    bare = case.printed is None and _is_odd(case) and told.has_elements(case) and not has_ring
    is_twofold = list(case.numbers.values()).count(TWO) > 1  # values of two bytes, sent twice
    sure = is_twofold or (has_ring and not told.channel(case))
    if case.quantity == "rate" and known is None:
        return AGAINST  # a rate counts no passes
    return _likely(None if known and bare else known, sure)


def scores(case: Case, part: Expr, number: Fraction) -> Likely:
    """One term may be attention scores, in a program one with a softmax."""
    known, term = told.counts_flops(case), _term(part)
    if part != case.expected:
        masked = term is not None and told.is_masked_term(case, term)
        return (SURE if known else 0) if masked else None
    if term is None or known is False or not told.is_quadratic(term):
        return None
    if case.ledger is not None and not told.has_scores(case.ledger):
        return AGAINST
    return 0 if told.is_usual_score(term, case.factor) else OPEN


def directions(case: Case, part: Expr, number: Fraction) -> Likely:
    """A link is used."""
    if isinstance(part, Symbol) and part in told.bandwidths(case):
        return _likely(told.is_link(case, part))
    is_rate = case.quantity == "rate" and not told.bandwidths(case)
    return _likely(told.is_rate_of_link(case)) if is_rate else None


def sparse(case: Case, part: Expr, number: Fraction) -> Likely:
    """A peak may be twice as large."""
    return 0 if part in case.values and number == TWO else OPEN


def look_up(case: Case, part: Expr, number: Fraction) -> Likely:
    """There is a vocabulary."""
    return 0 if any(can_be(a.name, "vocabulary") for a in part.free_symbols) else None
