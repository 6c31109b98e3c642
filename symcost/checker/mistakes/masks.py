"""The causal mask, which leaves half of the scores of an attention."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from symcost.algebra import Posynomial, Ratio
from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.evidence import counts_flops
from symcost.checker.roles import can_be

KIND = "causal-mask"
UNUSUAL = 6  # ranks lost when the coefficients are not those of attention with and without a mask


def length_power(term: Posynomial) -> Fraction:
    """The sum of the powers of symbols that may be lengths."""
    (monomial,) = term.terms
    powers = (Fraction(p) for a, p in monomial if a.is_Symbol and can_be(a.name, "length"))
    return sum(powers, Fraction(0))


def is_quadratic(term: Posynomial) -> bool:
    """Whether a term is quadratic in lengths, as attention scores are."""
    return length_power(term) >= 2


def is_masked_term(case: Case, term: Posynomial) -> bool:
    """Whether a term may be the scores: quadratic in lengths, or more so than every other term.

    FLOPs per token, ``6N + 12LHQT``, are linear in the length.
    """
    if is_quadratic(term):
        return True
    if counts_flops(case) is False or case.ratio is None or len(term.symbols) < 3:
        return False
    others = [length_power(t) for t in case.ratio.num if t != term]
    return bool(others) and all(length_power(term) > power for power in others)


def causal_whole(case: Case) -> Iterator[Hypothesis]:
    """A cost that consists of attention scores only, not halved (or halved) for the mask."""
    if not case.ratio or counts_flops(case) is False:
        return
    lead = max(case.ratio.num, key=length_power)
    if not is_quadratic(lead) or any(is_quadratic(t) for t in case.ratio.num if t != lead):
        return
    if len(case.ratio.num) > 1:
        text = f"counts every pair, {lead.scaled(2)}: under a causal mask half of them are left"
        whole = Ratio.of(lead.scaled(2), case.ratio.den)
        yield Hypothesis(KIND, text, whole, "2")
        return
    texts = {
        Fraction(2): "counts all scores: a causal mask leaves half of them",
        Fraction(1, 2): "is halved as for a causal mask",
    }
    for factor, text in texts.items():
        value = Ratio(case.ratio.num.scaled(factor), case.ratio.den)
        doubt = 0 if _is_usual(lead, factor) else UNUSUAL
        yield Hypothesis(KIND, text, value, str(factor), doubt=doubt)


def _is_usual(term: Posynomial, factor: Fraction) -> bool:
    """Whether the larger coefficient is 4 or 12 a head, and not 8: two matmuls, forward or both."""
    (coefficient,) = term.terms.values()
    larger = Fraction(coefficient) * max(factor, Fraction(1))
    return (larger / 4).denominator != 1 or (larger / 8).denominator != 1


def masked_terms(case: Case) -> Iterator[Hypothesis]:
    """A sum of scores under a mask or a window taken for all pairs, or half of them."""
    if case.ratio is None or len(case.ratio.num) < 2 or len(case.ratio.den) > 1:
        return
    symbols: list[Any] = [s for s in case.inputs if can_be(s.name, "length")]
    for symbol in symbols:
        pairs = Ratio.of(Posynomial({((symbol, 2),): 1}))
        text = f"counts every pair, {symbol}**2, which a mask or a window does not leave"
        yield Hypothesis(KIND, text, pairs, f"{symbol}**2")
