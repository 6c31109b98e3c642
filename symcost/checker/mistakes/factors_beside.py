"""What is no plain factor of a place, but told by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symcost.algebra import Posynomial, Ratio
from symcost.checker.case import Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import SURE, Example, Proposal, mistake
from symcost.checker.mistakes.factors_at import of_right, times
from symcost.checker.mistakes.factors_when import HALF, LESS, MORE, TWO
from symcost.checker.rounding import KIBI
from symcost.checker.said import said
from symcost.notation.kinds import can_be


@mistake("constant-factor", "a constant factor", specific=2, example=Example("4*B*D", "B*D"))
def any_factor(case: Case) -> Iterator[Proposal]:
    """A constant factor without a known meaning; only for formulas, where it is exact."""
    if case.printed is not None or case.quotient is None:
        return
    quotient = case.quotient.to_sympy()
    if not quotient.free_symbols and quotient.is_positive:
        how = (
            f"{quotient} times what it should be" if case.factor is None else of_right(case.factor)
        )
        yield Proposal(None, f"off by a constant factor: it is {how}", str(quotient))


@mistake("binary-prefix")
def wrong_way(case: Case) -> Iterator[Proposal]:
    """``1 GB = 1.074 GiB``: multiplied by the quotient of the units that divides."""
    power = "KMGTP".find(case.unit[:1].upper()) + 1 if case.unit else 0
    if power and case.printed is not None and "iB" in case.unit + case.source:
        for each in (2 * power, -2 * power):
            text = f"multiplies by {float(KIBI ** (each // 2)):.4g} to divide by it"
            yield Proposal(times(case, KIBI**each), text, f"1.024^{each}", 2 * SURE)


@mistake("all-reduce-passes")
def whole_all_reduce(case: Case) -> Iterator[Proposal]:
    """Bus bandwidth, or an all-reduce by sending and receiving: ``2(n - 1)/n`` for one pass."""
    is_rate = case.quantity == "rate"
    text = "an all-reduce that sends and receives, {} passes, for one"
    if is_rate:
        text = "is the bus bandwidth, {} times the bytes of the array in the time"
    for symbol in case.others if is_rate or told.bandwidths(case) else ():
        for number in (2, 1) if is_rate else (2,):
            passes = number * (symbol - 1) / symbol
            value, likely = case.expected * passes, SURE if is_rate else 0
            yield Proposal(
                value, said(text, passes), said("{}", passes), likely, convention=is_rate
            )


@mistake("causal-mask")
def every_pair(case: Case) -> Iterator[Proposal]:
    """Scores under a mask or a window, a sum of several terms, taken for all pairs."""
    if case.ratio is None or len(case.ratio.num) < 2 or told.counts_flops(case) is False:
        return
    lead = max(case.ratio.num, key=told.length_power)
    if told.is_quadratic(lead) and sum(map(told.is_quadratic, case.ratio.num)) == 1:
        pairs = lead.scaled(2)
        text = said("counts every pair, {}: under a causal mask half of them are left", pairs)
        yield Proposal(Ratio.of(pairs, case.ratio.den), text, "2", convention=True)
    for symbol in case.inputs if len(case.ratio.den) == 1 else ():
        if can_be(symbol.name, "length"):
            text = said("counts every pair, {}, which a mask or a window does not leave", symbol**2)
            yield Proposal(symbol**2, text, said("{}", symbol**2))


@mistake("term-factor")
def several_parts(case: Case) -> Iterator[Proposal]:
    """Several parts, but not all, with one and the same factor."""
    ours, theirs = case.ratio, case.claim_ratio
    if ours is None or theirs is None or case.printed is not None or ours.den != theirs.den:
        return
    if ours.num.terms.keys() != theirs.num.terms.keys():
        return
    changes = {m: Fraction(theirs.num.terms[m]) / Fraction(c) for m, c in ours.num.terms.items()}
    lost = Posynomial({m: ours.num.terms[m] for m, change in changes.items() if change != 1})
    factors = set(changes.values()) - {1}
    if len(factors) != 1 or len(lost) == len(ours.num):
        return
    (factor,) = factors
    names = {MORE: "recompute-factor", LESS: "recompute-factor", Fraction(-1): "wrong-sign"}
    if told.counts_flops(case) and factor in (TWO, HALF):
        names[factor] = "mac-for-flop"
    several = len(lost) > 1
    text = said("the {} {} {}", "terms" if several else "term", lost, "are" if several else "is")
    text = said("{} {}", text, of_right(factor)) if factor > 0 else said("{} is negated", lost)
    yield Proposal(None, text, str(factor), kind=names.get(factor, "") if several else "")
