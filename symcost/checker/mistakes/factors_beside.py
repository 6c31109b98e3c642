"""What is no plain factor of a place, but told by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symcost.algebra import Posynomial, Ratio
from symcost.checker.case import Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes import factors_when as when
from symcost.checker.mistakes.base import SURE, Example, Proposal, mistake
from symcost.checker.mistakes.factors import of_right
from symcost.checker.mistakes.factors_places import bandwidths, times
from symcost.checker.mistakes.factors_when import HALF, LESS, MORE, TWO
from symcost.checker.rounding import KIBI
from symcost.notation.kinds import can_be


@mistake("constant-factor", "a constant factor", specific=2, example=Example("4*B*D", "B*D"))
def any_factor(case: Case) -> Iterator[Proposal]:
    """A constant factor without a known meaning; only for formulas, where it is exact."""
    factor = case.factor
    if case.printed is not None or factor == 0:
        return
    if factor is None:
        quotient = case.quotient.to_sympy() if case.quotient is not None else None
        if quotient is not None and not quotient.free_symbols and quotient.is_positive:
            text = f"off by a constant factor: it is {quotient} times what it should be"
            yield Proposal(None, text, str(quotient))
    elif factor < 0:
        yield Proposal(None, "the sign is the wrong way round", "-1", kind="wrong-sign")
    else:
        yield Proposal(None, f"off by a constant factor: it is {of_right(factor)}", str(factor))


@mistake("binary-prefix")
def wrong_way(case: Case) -> Iterator[Proposal]:
    """``1 GB = 1.074 GiB``: multiplied by the quotient of the units that divides."""
    power = "KMGTP".find(case.unit[:1].upper()) + 1 if case.unit else 0
    if power and case.printed is not None and "iB" in case.unit + case.source:
        for each in (2 * power, -2 * power):
            text = f"multiplies by {float(KIBI ** (each // 2)):.4g} to divide by it"
            yield Proposal(times(case, KIBI**each), text, f"1.024^{each}", 2 * SURE)


@mistake("all-reduce-passes")
def passes_beside_others(case: Case) -> Iterator[Proposal]:
    """What is divided by one bandwidth, beside latencies or a time of computation."""
    for symbol, put, _ in bandwidths(case):
        for number, word in ((TWO, "one pass for two"), (HALF, "two passes for one")):
            likely = when.passes(case, symbol, number)
            text = f"counts {word}, in what is divided by {symbol}; an all-reduce takes two"
            if likely is not None:
                yield Proposal(put(number), text, str(1 / number), likely)


@mistake("all-reduce-passes")
def whole_all_reduce(case: Case) -> Iterator[Proposal]:
    """Bus bandwidth, or an all-reduce by sending and receiving: ``2(n - 1)/n`` for one pass."""
    is_rate = case.quantity == "rate"
    for symbol in case.others if is_rate or told.bandwidths(case) else ():
        for number in (2, 1) if is_rate else (2,):
            shown = f"{'2' * (number > 1)}({symbol} - 1)/{symbol}"
            text = f"an all-reduce that sends and receives, {shown} passes, for one"
            if is_rate:
                text = f"is the bus bandwidth, {shown} times the bytes of the array in the time"
            value = case.expected * number * (symbol - 1) / symbol
            yield Proposal(value, text, shown, SURE if is_rate else 0, convention=is_rate)


@mistake("causal-mask")
def every_pair(case: Case) -> Iterator[Proposal]:
    """Scores under a mask or a window, a sum of several terms, taken for all pairs."""
    if case.ratio is None or len(case.ratio.num) < 2 or told.counts_flops(case) is False:
        return
    lead = max(case.ratio.num, key=told.length_power)
    if told.is_quadratic(lead) and sum(map(told.is_quadratic, case.ratio.num)) == 1:
        text = f"counts every pair, {lead.scaled(2)}: under a causal mask half of them are left"
        yield Proposal(Ratio.of(lead.scaled(2), case.ratio.den), text, "2", convention=True)
    for symbol in case.inputs if len(case.ratio.den) == 1 else ():
        if can_be(symbol.name, "length"):
            text = f"counts every pair, {symbol}**2, which a mask or a window does not leave"
            yield Proposal(symbol**2, text, f"{symbol}**2")


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
    word = f"the terms {lost} are" if len(lost) > 1 else f"the term {lost} is"
    text = f"{word} {of_right(factor)}" if factor > 0 else f"{lost} is negated"
    kind = names.get(factor, "") if len(lost) > 1 else ""
    yield Proposal(None, text, str(factor), kind=kind)
