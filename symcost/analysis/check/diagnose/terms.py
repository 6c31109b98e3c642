"""Terms of a sum: left out, counted twice, one with a wrong factor or a symbol too many."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import ONE, ZERO
from symcost.analysis.check.case import Case, Hypothesis
from symcost.analysis.check.roles import can_be, role

_FACTORS = (
    Fraction(2),
    Fraction(1, 2),
    Fraction(3, 4),
    Fraction(4, 3),
    Fraction(4),
    Fraction(1, 4),
)


def term_slips(case: Case) -> Iterator[Hypothesis]:
    """Each term of the expectation left out, or with another factor."""
    for part, term in case.terms():
        where = "" if part == "num" else " in the denominator"
        dropped = case.with_term(part, term, ZERO)
        yield Hypothesis("missing-term", f"leaves out the term {term}{where}", dropped, str(term))
        for factor in _FACTORS:
            value = case.with_term(part, term, term.scaled(factor))
            for kind, text in _meaning(term, factor):
                yield Hypothesis(kind, f"{text}{where}", value, f"{factor} x {term}")


def _meaning(term: Posynomial, factor: Fraction) -> Iterator[tuple[str, str]]:
    if factor in (Fraction(2), Fraction(1, 2)) and _is_attention(term):
        yield (
            "causal-mask",
            f"the term {term} is not halved: a causal mask leaves half of the scores"
            if factor == 2
            else f"the term {term} is halved as for a causal mask",
        )
    if factor == 2 and any(can_be(a.name, "vocabulary") for a in term.symbols):
        yield (
            "embedding-as-matmul",
            f"counts {term} twice: a look-up in the embedding table multiplies nothing",
        )
    if factor == 2:
        yield "doubled-term", f"counts the term {term} twice"
    elif (
        factor in (Fraction(1, 2), Fraction(1, 4)) and Fraction(*_number(term)) % (1 / factor) == 0
    ):
        yield "dtype-size", f"the term {term} lacks its {1 / factor} bytes per value"
    elif factor in (Fraction(3, 4), Fraction(4, 3)):
        yield (
            "recompute-factor",
            f"the term {term} has the factor {factor} of another recomputation",
        )
    yield "term-factor", f"the term {term} has a factor of {factor} too many"


def _number(term: Posynomial) -> tuple[int, int]:
    (coefficient,) = term.terms.values()
    value = Fraction(coefficient)
    return value.numerator, value.denominator


def _length_power(term: Posynomial) -> Fraction:
    (monomial,) = term.terms
    return sum(
        (Fraction(p) for a, p in monomial if a.is_Symbol and can_be(a.name, "length")), Fraction(0)
    )


def _is_attention(term: Posynomial) -> bool:
    """Whether a term is quadratic in lengths, as attention scores are."""
    (monomial,) = term.terms
    powers = [power for atom, power in monomial if atom.is_Symbol and can_be(atom.name, "length")]
    return sum(powers) >= 2


def causal_whole(case: Case) -> Iterator[Hypothesis]:
    """A cost that consists of attention scores only, not halved (or halved) for the mask."""
    if not case.ratio:
        return
    lead = max(case.ratio.num, key=_length_power)
    if not _is_attention(lead) or any(_is_attention(t) for t in case.ratio.num if t != lead):
        return
    if len(case.ratio.num) > 1:
        text = f"counts every pair, {lead.scaled(2)}: under a causal mask half of them are left"
        whole = Ratio.of(lead.scaled(2), case.ratio.den)
        yield Hypothesis("causal-mask", text, whole, "2")
        return
    texts = {
        Fraction(2): "counts all scores: a causal mask leaves half of them",
        Fraction(1, 2): "is halved as for a causal mask",
    }
    for factor, text in texts.items():
        value = Ratio(case.ratio.num.scaled(factor), case.ratio.den)
        yield Hypothesis("causal-mask", text, value, str(factor))


def term_difference(case: Case) -> Iterator[Hypothesis]:
    """Formulas that share all terms but one: what became of that one."""
    if case.ratio is None or case.claim_ratio is None or case.printed is not None:
        return
    for ours, theirs, where in _parts(case.ratio, case.claim_ratio):
        lost, extra = _only_in(ours, theirs), _only_in(theirs, ours)
        if len(lost) == 1 and len(extra) == 1 and len(ours) > 1:
            yield from _changed(lost, extra, where)
        elif not lost and extra and len(ours) < len(theirs):
            yield from _added(extra, where)
        elif lost and not extra and len(lost) > 1:
            text = f"leaves out the terms {lost}{where}"
            yield Hypothesis("missing-term", text, None, str(lost))


def _parts(right: Ratio, claim: Ratio) -> Iterator[tuple[Posynomial, Posynomial, str]]:
    """Numerators over one denominator, denominators under one numerator."""
    if right.den == claim.den:
        yield right.num, claim.num, ""
    elif right.num == claim.num:
        yield right.den, claim.den, " in the denominator"
    else:
        # the fraction was reduced differently: bring both over the expectation's denominator
        whole = claim * Ratio.of(right.den)
        if whole.is_posynomial:
            yield right.num, whole.num, ""
        under = Ratio.of(right.num) / claim
        if under.is_posynomial:
            yield right.den, under.num, " in the denominator"


def _only_in(one: Posynomial, other: Posynomial) -> Posynomial:
    return Posynomial({m: c for m, c in one.terms.items() if other.terms.get(m) != c})


def _changed(lost: Posynomial, extra: Posynomial, where: str) -> Iterator[Hypothesis]:
    factor = extra / lost
    (monomial,) = factor.terms
    text = f"the term {lost} is written {extra}{where}"
    names = [(atom, power) for atom, power in monomial if atom.is_Symbol]
    if not monomial:
        value = factor.as_fraction()
        for kind, meaning in _meaning(lost, value):
            yield Hypothesis(kind, f"{text}: {meaning}", None, str(value))
        return
    many = [a.name for a, p in names if p > 0]
    few = [a.name for a, p in names if p < 0]
    for name in many + few:
        if role(name) == "layers":
            layers = f"{text}: it counts {'every layer' if name in many else 'one layer only'}"
            yield Hypothesis("layer-factor", layers, None, str(factor))
    if many and few:
        yield Hypothesis("wrong-dimension", f"{text}: wrong symbols", None, str(factor))
    elif many:
        yield Hypothesis("stray-symbol", f"{text}: {', '.join(many)} too many", None, str(factor))
    else:
        lack = f"{text}: it lacks the factor {ONE / factor}"
        yield Hypothesis("missing-symbol", lack, None, str(factor))


def _added(extra: Posynomial, where: str) -> Iterator[Hypothesis]:
    symbols = {atom for atom in extra.atoms if atom.is_Symbol}
    if len(extra) == 1 and any(can_be(s.name, "vocabulary") for s in symbols):
        text = f"counts {extra}{where}: a look-up in the embedding table multiplies nothing"
        yield Hypothesis("embedding-as-matmul", text, None, str(extra))
    yield Hypothesis("extra-term", f"has {extra}{where} too much", None, str(extra))


def _pairs_added(case: Case) -> Iterator[Hypothesis]:
    """``S + D`` where ``S*D`` belongs."""
    assert case.ratio is not None
    ((monomial, _),) = case.ratio.num.terms.items()
    symbols = [atom for atom, power in monomial if power == 1 and atom.is_Symbol]
    for one, other in combinations(symbols, 2):
        sizes = [case.values.get(s) for s in (one, other)]
        if case.printed is not None and _far_apart(sizes):
            continue  # the sum is then just the larger of the two
        value = case.ratio * as_ratio((one + other) / (one * other))
        text = f"adds {one} and {other}, which must be multiplied"
        yield Hypothesis("sum-for-product", text, value, f"{one} + {other}")


def _far_apart(sizes: list[Fraction | None]) -> bool:
    known = [size for size in sizes if size]
    return len(known) < 2 or max(known) > 100 * min(known)


def product_for_sum(case: Case) -> Iterator[Hypothesis]:
    """A product where a sum belongs, or the sum of what must be multiplied."""
    if case.ratio is None:
        return
    if len(case.ratio.num) == 2:
        first, second = case.ratio.num
        whole = first * second
        divisors = [ONE, *(Posynomial({((s, 1),): 1}) for s in case.inputs)]
        for divisor in divisors:
            value = Ratio.of(whole / divisor, case.ratio.den * case.ratio.den)
            text = f"multiplies where {first} and {second} must be added"
            yield Hypothesis("sum-for-product", text, value, f"{first} x {second}")
    elif len(case.ratio.num) == 1 and case.ratio.is_posynomial:
        ((monomial, coefficient),) = case.ratio.num.terms.items()
        yield from _pairs_added(case)
        sizes = [case.values.get(atom) for atom, _ in monomial]
        if case.printed is not None and _far_apart(sizes):
            return
        if len(monomial) > 1 and all(power == 1 for _, power in monomial):
            value = Ratio.of(Posynomial({((a, 1),): coefficient for a, _ in monomial}))
            names = ", ".join(str(a) for a, _ in monomial)
            text = f"adds {names}, which must be multiplied"
            yield Hypothesis("sum-for-product", text, value, names)
