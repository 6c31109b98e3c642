"""What a factor of one term may mean."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symcost.algebra import Posynomial
from symcost.checker.case import Case
from symcost.checker.mistakes.evidence import counts_bytes, counts_flops, doubt
from symcost.checker.mistakes.factors import TWICE, of_right
from symcost.checker.mistakes.masks import is_masked_term
from symcost.checker.roles import can_be

Meaning = tuple[str, str, int]  # kind, text, ranks lost


def meanings(
    case: Case, term: Posynomial, shown: Posynomial, factor: Fraction
) -> Iterator[Meaning]:
    """The kinds of mistake that change one term by a factor, the term shown as it was written."""
    if factor < 0:
        yield "wrong-sign", f"the term {shown} has the wrong sign", 0
        factor = -factor
    if factor == 1:
        return
    yield from _mask(case, term, shown, factor)
    if factor == 2 and any(can_be(a.name, "vocabulary") for a in term.symbols):
        text = f"counts {shown} twice: a look-up in the embedding table multiplies nothing"
        yield "embedding-as-matmul", text, 0
    if factor == 2:
        yield "doubled-term", f"counts the term {shown} twice", 0
    elif counts_bytes(case) is not False and _has_bytes(term, factor):
        unsure = 5 if counts_bytes(case) is None else 0
        text = f"the term {shown} lacks its {1 / factor} bytes per value"
        yield "dtype-size", text, unsure
    yield from _training(case, term, shown, factor)
    yield "term-factor", f"the term {shown} is {of_right(factor)}", 0


def _mask(case: Case, term: Posynomial, shown: Posynomial, factor: Fraction) -> Iterator[Meaning]:
    if factor in TWICE and is_masked_term(case, term):
        text = (
            f"the term {shown} is not halved: a causal mask leaves half of the scores"
            if factor == 2
            else f"the term {shown} is halved as for a causal mask"
        )
        yield "causal-mask", text, -3 if counts_flops(case) else 0


def _has_bytes(term: Posynomial, factor: Fraction) -> bool:
    (coefficient,) = term.terms.values()
    whole = Fraction(coefficient) * factor
    return factor in (Fraction(1, 2), Fraction(1, 4)) and whole.denominator == 1


def _training(
    case: Case, term: Posynomial, shown: Posynomial, factor: Fraction
) -> Iterator[Meaning]:
    """Other recomputation in one term, where its coefficient is one of training."""
    if counts_flops(case) is False or case.quantity == "threshold" or len(term.symbols) < 2:
        return
    (coefficient,) = term.terms.values()
    divisor = {Fraction(4, 3): 6, Fraction(3, 4): 2}.get(factor)
    if divisor is not None and (Fraction(coefficient) / divisor).denominator == 1:
        text = f"the term {shown} has the factor {factor} of another recomputation"
        yield "recompute-factor", text, doubt(counts_flops(case))
