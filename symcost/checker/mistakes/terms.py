"""Terms of a sum: left out, counted twice, one with a wrong factor or a symbol too many."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from symcost.algebra import Posynomial, Ratio
from symcost.algebra.posynomial import ONE, ZERO, power_of
from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.evidence import counts_flops
from symcost.checker.mistakes.factors import TWICE, of_right
from symcost.checker.mistakes.meanings import meanings
from symcost.checker.mistakes.writing import as_written
from symcost.checker.roles import can_be, role

_FACTORS = (
    *(Fraction(2), Fraction(1, 2), Fraction(3, 4), Fraction(4, 3)),
    *(Fraction(4), Fraction(1, 4), Fraction(-1)),
)
LATE = 14  # ranks lost by a change that many formulas allow


def term_slips(case: Case) -> Iterator[Hypothesis]:
    """Each term of the expectation left out, or with another factor."""
    for part, term in case.terms():
        where = "" if part == "num" else " in the denominator"
        shown = as_written(case, term, part)
        dropped = case.with_term(part, term, ZERO)
        yield Hypothesis("missing-term", f"leaves out the term {shown}{where}", dropped, str(shown))
        for factor in _FACTORS:
            value = case.with_term(part, term, term.scaled(factor))
            for kind, text, doubt in meanings(case, term, shown, factor):
                proof = f"{factor} x {shown}"
                yield Hypothesis(kind, f"{text}{where}", value, proof, doubt=doubt)


def term_difference(case: Case) -> Iterator[Hypothesis]:
    """Formulas that share all terms but one: what became of that one."""
    if case.ratio is None or case.claim_ratio is None or case.printed is not None:
        return
    for ours, theirs, part in _parts(case.ratio, case.claim_ratio):
        where = "" if part == "num" else " in the denominator"
        lost, extra = _only_in(ours, theirs), _only_in(theirs, ours)
        if len(lost) == 1 and len(extra) == 1 and len(ours) > 1:
            yield from _changed(case, lost, extra, part)
        elif 1 < len(lost) < len(ours) and lost.terms.keys() == extra.terms.keys():
            yield from _all_changed(case, lost, extra, part)
        elif not lost and extra and len(ours) < len(theirs):
            yield from _added(as_written(case, extra, part), where)
        elif lost and not extra and len(lost) > 1:
            text = f"leaves out the terms {as_written(case, lost, part)}{where}"
            yield Hypothesis("missing-term", text, None, str(lost))


def _parts(right: Ratio, claim: Ratio) -> Iterator[tuple[Posynomial, Posynomial, str]]:
    """Numerators over one denominator, denominators under one numerator."""
    if right.den == claim.den:
        yield right.num, claim.num, "num"
    elif right.num == claim.num:
        yield right.den, claim.den, "den"
    else:
        # the fraction was reduced differently: bring both over the expectation's denominator
        whole = claim * Ratio.of(right.den)
        if whole.is_posynomial:
            yield right.num, whole.num, "num"
        under = Ratio.of(right.num) / claim
        if under.is_posynomial:
            yield right.den, under.num, "den"


def _only_in(one: Posynomial, other: Posynomial) -> Posynomial:
    return Posynomial({m: c for m, c in one.terms.items() if other.terms.get(m) != c})


def _changed(case: Case, lost: Posynomial, extra: Posynomial, part: str) -> Iterator[Hypothesis]:
    """One term that is written in another way."""
    where = "" if part == "num" else " in the denominator"
    factor = extra / lost
    (monomial,) = factor.terms
    shown = as_written(case, lost, part)
    text = f"the term {shown} is written {shown * factor}{where}"
    if not monomial:
        value = factor.as_fraction()
        for kind, meaning, doubt in meanings(case, lost, shown, value):
            yield Hypothesis(kind, f"{text}: {meaning}", None, str(value), doubt=doubt)
        return
    yield from _other_symbols(text, shown, factor, dict(monomial))


def _all_changed(
    case: Case, lost: Posynomial, extra: Posynomial, part: str
) -> Iterator[Hypothesis]:
    """Several terms, but not all, with one and the same factor."""
    found = {Fraction(extra.terms[m]) / Fraction(c) for m, c in lost.terms.items()}
    if len(found) > 1:
        return
    (factor,) = found
    shown = as_written(case, lost, part)
    kinds = {Fraction(4, 3): "recompute-factor", Fraction(3, 4): "recompute-factor"}
    if counts_flops(case) and factor in TWICE:
        kinds[factor] = "mac-for-flop"
    text = f"the terms {shown} are {of_right(factor)}" if factor > 0 else f"{shown} is negated"
    kind = kinds.get(factor, "wrong-sign" if factor == -1 else "term-factor")
    yield Hypothesis(kind, text, None, str(factor))


def _other_symbols(
    text: str, shown: Posynomial, factor: Posynomial, powers: dict[Any, Any]
) -> Iterator[Hypothesis]:
    """A term with symbols too many, missing, or on the wrong side of its line."""
    if _is_upside_down(shown, powers):
        names = ", ".join(sorted(str(atom) for atom in powers))
        turned = f"{text}: the ratio in it is upside down ({names})"
        yield Hypothesis("inverted-ratio", turned, None, str(factor))
    names_of = {atom.name: p for atom, p in powers.items() if atom.is_Symbol}
    many = [name for name, p in names_of.items() if p > 0]
    few = [name for name, p in names_of.items() if p < 0]
    for name in many + few:
        if role(name) == "layers":
            layers = f"{text}: it counts {'every layer' if name in many else 'one layer only'}"
            yield Hypothesis("layer-factor", layers, None, str(factor))
        if role(name) == "devices" and len(powers) == 1:
            share = f"{text}: {name} is {'too many' if name in many else 'missing'} there"
            yield Hypothesis("scope", f"{share}, a total and a share of it", None, str(factor))
    if many and few:
        yield Hypothesis("wrong-dimension", f"{text}: wrong symbols", None, str(factor))
    elif many:
        yield Hypothesis("stray-symbol", f"{text}: {', '.join(many)} too many", None, str(factor))
    elif not any(atom.is_Pow for atom in powers):
        lack = f"{text}: it lacks the factor {ONE / factor}"
        yield Hypothesis("missing-symbol", lack, None, str(factor))


def _is_upside_down(shown: Posynomial, powers: dict[Any, Any]) -> bool:
    """Whether symbols below the line of a term are above it, or the reverse."""
    (monomial,) = shown.terms
    now = dict(monomial)
    return all(power == -2 * now.get(atom, 0) for atom, power in powers.items()) or (
        len(powers) > 1
        and min(powers.values()) < 0 < max(powers.values())
        and all(power % 2 == 0 for power in powers.values())
    )


def _added(extra: Posynomial, where: str) -> Iterator[Hypothesis]:
    symbols = {atom for atom in extra.atoms if atom.is_Symbol}
    if len(extra) == 1 and any(can_be(s.name, "vocabulary") for s in symbols):
        text = f"counts {extra}{where}: a look-up in the embedding table multiplies nothing"
        yield Hypothesis("embedding-as-matmul", text, None, str(extra))
    yield Hypothesis("extra-term", f"has {extra}{where} too much", None, str(extra))


def shared_out(case: Case) -> Iterator[Hypothesis]:
    """One term divided by a symbol like the others, or not: ``16P/N`` for ``4P + 12P/N``."""
    if case.ratio is None or case.claim_ratio is None or case.printed is not None:
        return
    for part, term in case.terms():
        for symbol in case.inputs if part == "num" else ():
            for power in (1, -1):
                new = term * Posynomial({((symbol, power),): 1})
                verb = "multiplied" if power > 0 else "divided"
                shown = as_written(case, term, part)
                text = f"the term {shown} is {verb} by {symbol}, too"
                kind = _sharing(case, term, symbol, power)
                changed = case.with_term(part, term, new)
                yield Hypothesis(kind, text, changed, f"{symbol}^{power}", doubt=LATE)
    yield from _half_shared(case)


def _half_shared(case: Case) -> Iterator[Hypothesis]:
    """One term of the claim that is not divided, where the whole of one term should be."""
    assert case.ratio is not None
    assert case.claim_ratio is not None
    terms = list(case.claim_ratio.num)
    if not 2 <= len(terms) <= len(case.ratio.num) + 1 or len(case.claim_ratio.den) > 1:
        return
    for term in terms:
        for symbol in case.inputs:
            new = case.claim_ratio.num - term + term * Posynomial({((symbol, -1),): 1})
            if Ratio.of(new, case.claim_ratio.den) == case.ratio:
                text = f"the part {term} is not divided by {symbol}"
                yield Hypothesis("scope", text, None, f"{symbol}^-1")


def _sharing(case: Case, term: Posynomial, symbol: Any, power: int) -> str:
    """``scope`` for what only divides, as a number of devices does."""
    assert case.ratio is not None
    divides = any(power_of(symbol, m) < 0 for m in case.ratio.num.terms)
    multiplies = any(power_of(symbol, m) > 0 for m in case.ratio.num.terms)
    if role(symbol.name) == "devices" or (divides and not multiplies):
        return "scope"
    (monomial,) = term.terms
    return "missing-symbol" if power_of(symbol, monomial) == -power else "stray-symbol"
