"""Where a factor may be off: the whole, a part, a rate; and what is told by a factor beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.checker.case import Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import SURE, TOLD, Example, Proposal, mistake
from symcost.checker.mistakes.factors_when import HALF, LESS, MORE, TWO
from symcost.checker.mistakes.places import Place, parts
from symcost.checker.rounding import KIBI
from symcost.checker.said import said
from symcost.notation.kinds import can_be
from symcost.printing.numbers import decimal


class Spot(NamedTuple):
    """A part, the whole with a factor there, and what the part is called; nothing for the whole."""

    part: Expr
    put: Callable[[Fraction], Expr | Ratio]
    name: str = ""


Spots = Callable[[Case], Iterator[Spot]]


def whole(case: Case) -> Iterator[Spot]:
    """All of the expectation."""
    if case.ratio is not None or case.printed is not None:
        yield Spot(case.expected, lambda number: times(case, number))


def traffic(case: Case) -> Iterator[Spot]:
    """All of the bytes, by which an intensity divides."""
    return map(_inverse, whole(case)) if case.quantity == "intensity" else whole(case)


def terms(case: Case) -> Iterator[Spot]:
    """The parts of sums and of maxima."""
    for place in parts(case.expected):
        if place.node.free_symbols:

            def put(number: Fraction, place: Place = place) -> Expr | Ratio:
                return place.put(to_rational(number) * place.node)

            yield Spot(place.node, put, said("the term {}{}", place.node, place.where))


def peaks(case: Case) -> Iterator[Spot]:
    """Every peak, wherever it stands."""
    return _each(case, told.peaks(case))


def bandwidths(case: Case) -> Iterator[Spot]:
    """Every bandwidth, wherever it stands."""
    return _each(case, told.bandwidths(case))


def divided(case: Case) -> Iterator[Spot]:
    """What is divided by a bandwidth, beside latencies or a time of computation."""
    for spot in bandwidths(case):
        yield _inverse(spot)._replace(name=said("what is divided by {}", spot.part))


def _inverse(spot: Spot) -> Spot:
    return spot._replace(put=lambda number: spot.put(1 / number))


def _each(case: Case, symbols: list[Symbol]) -> Iterator[Spot]:
    for each in symbols:

        def put(number: Fraction, symbol: Symbol = each) -> Expr | Ratio:
            return case.substituted({symbol: as_ratio(symbol) * as_ratio(number)})

        value = case.values.get(each)
        is_known = value is not None
        yield Spot(
            each, put, said("{} = {}", each, decimal(value)) if is_known else said("{}", each)
        )


def times(case: Case, number: Fraction) -> Expr | Ratio:
    """The expectation multiplied by a number."""
    if case.ratio is None:
        return case.expected * to_rational(number)
    return Ratio(case.ratio.num.scaled(number), case.ratio.den)


def of_right(number: Fraction) -> str:
    """How much of the right value something is, in words.

    >>> of_right(Fraction(1, 2)), of_right(Fraction(3)), of_right(Fraction(3, 4))
    ('half of what it should be', '3 times what it should be', '3/4 of what it should be')
    """
    words = {Fraction(1, 2): "half of", Fraction(2): "twice"}
    plain = f"{number} times" if number.denominator == 1 else f"{number} of"
    return f"{words.get(number, plain)} what it should be"


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
            yield Proposal(times(case, KIBI**each), text, f"1.024^{each}", TOLD)


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
