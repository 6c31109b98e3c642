"""A term in the form in which the expectation was written, not in that of its normal form."""

from __future__ import annotations

from functools import lru_cache

from sympy import Add, Expr

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.checker.case import Case
from symcost.errors import SymcostError


def as_written(case: Case, term: Posynomial, part: str) -> Posynomial:
    """The terms of a part of the normal form as they stand in a sum of the expectation.

    ``1/(1 - p + p/s)`` has the normal form ``s/(s - p*s + p)``; its last term was ``p/s``.
    """
    assert case.ratio is not None
    own, other = case.ratio.num, case.ratio.den
    if part == "den":
        own, other = other, own
    written = _written(case.expected)
    if len(other) != 1:
        return term
    ((monomial, coefficient),) = other.terms.items()
    scale, plain = Posynomial({monomial: coefficient}), Posynomial({monomial: 1})
    for each in (ONE, scale, plain, -scale, -plain, -ONE):
        if _are_in(own / each, written):
            return term / each
    return term


def _are_in(term: Posynomial, written: frozenset[Posynomial]) -> bool:
    return all(part in written for part in term)


@lru_cache(maxsize=64)
def _written(value: Expr) -> frozenset[Posynomial]:
    """The terms of all sums in an expression."""
    found = set()
    for each in value.atoms(Add):
        for arg in each.args:
            try:
                found.add(as_posynomial(arg))
            except SymcostError:
                continue
    return frozenset(found)
