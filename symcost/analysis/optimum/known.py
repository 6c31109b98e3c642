"""Conditions without roots and fractions, and what they say about the value of a case."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from sympy import Expr

from symcost.algebra import Maximum, Posynomial, Ratio, as_ratio
from symcost.algebra.ratio import content
from symcost.algebra.relation import Relation
from symcost.analysis.optimum.types import OptimumCase


def positive_content(value: Posynomial) -> Posynomial:
    """The positive monomial that divides all terms."""
    shared = content(value)
    return shared if min(shared.terms.values()) > 0 else -shared


def is_positive(value: Posynomial) -> Relation:
    """``value >= 0``, with the negative terms on the right."""
    plain = value / positive_content(value)
    right = Posynomial({m: -c for m, c in plain.terms.items() if c < 0})
    return Relation((plain + right).to_sympy(), ">=", right.to_sympy())


def decided_value(case: OptimumCase) -> Expr | None:
    """The value without arguments of a maximum that its conditions make the smaller ones."""
    if case.value is None or not case.when:
        return case.value
    known = [as_ratio(each.lhs) - as_ratio(each.rhs) for each in case.when]
    swap = {}
    for maximum in case.value.atoms(Maximum):
        kept = list(maximum.args)
        for small, large in permutations(maximum.args, 2):
            if small in kept and large in kept and _follows(large, small, known):
                kept.remove(small)
        swap[maximum] = Maximum(*kept)
    return case.value.xreplace(swap)


def _follows(large: Expr, small: Expr, known: Iterable[Ratio]) -> bool:
    """Whether ``large - small`` is a positive term times something known not to be negative."""
    difference = as_ratio(large) - as_ratio(small)
    for each in known:
        factor = difference / each if each else each
        if factor.is_posynomial and len(factor.num) == 1 and min(factor.num.terms.values()) > 0:
            return True
    return False
