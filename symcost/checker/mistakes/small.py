"""Small terms: a claim may leave them out and be wrong in another way besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symcost.algebra import Posynomial, Ratio
from symcost.algebra.posynomial import Monomial, times
from symcost.checker.case import Case

MAX_SINGLE = 6  # terms of a sum of which each is left out in turn


def without_small(value: Posynomial) -> tuple[Posynomial, Posynomial]:
    """The terms that no other one outgrows in every size, and the rest.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> without_small(as_posynomial(6 * B * D * F + B * F))
    (6*B*D*F, B*F)
    """
    small = [m for m in value.terms if any(_outgrows(other, m) for other in value.terms)]
    lost = Posynomial({m: value.terms[m] for m in small})
    return value - lost, lost


def _outgrows(large: Monomial, little: Monomial) -> bool:
    """Whether the quotient is a product of sizes without any below the line."""
    quotient = times(large, tuple((atom, -power) for atom, power in little))
    return bool(quotient) and all(power > 0 and atom.is_Symbol for atom, power in quotient)


def leading_case(case: Case) -> tuple[Case, str] | None:
    """The case with the leading terms as expectation, and what they leave out."""
    if case.ratio is None:
        return None
    num, small = without_small(case.ratio.num)
    den, below = without_small(case.ratio.den)
    if not (small or below):
        return None
    parts = [f"{each}{where}" for each, where in ((small, ""), (below, " below")) if each]
    value = Ratio.of(num, den)
    return _against(case, value), f"the small terms {' and '.join(parts)}"


def shorter_cases(case: Case) -> Iterator[tuple[Case, str]]:
    """The case with one term of a sum left out of the expectation."""
    terms = list(case.terms())
    if len(terms) > MAX_SINGLE:
        return
    for part, term in terms:
        value = case.with_term(part, term, Posynomial({}))
        if value:
            where = "" if part == "num" else " below"
            yield _against(case, value), f"the term {term}{where}"


def _against(case: Case, value: Ratio) -> Case:
    return replace(case, expected=value.to_sympy(), ledger=None)
