"""What facts say together: a sum of facts, each times a positive monomial, decides a sign.

A posynomial that is at least ``sum(w * m * fact)`` coefficient by coefficient, with weights
``w >= 0`` and monomials ``m``, is positive wherever the facts hold. The weights are a linear
program. Source: A. Schrijver, Theory of Linear and Integer Programming (1986), section 7.3
(the lemma of Farkas), with the monomials as the unknowns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symcost.algebra.linear import maximize
from symcost.algebra.posynomial import Monomial, Number, Posynomial, times

MAX_PRODUCTS = 40  # of facts and monomials that are tried

Fact = tuple[Posynomial, bool]  # what is above zero, or not below it; whether strictly


def implied_signs(value: Posynomial, facts: Sequence[Fact]) -> frozenset[int]:
    """The signs that a weighted sum of the facts leaves open.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> a, b, c = map(as_posynomial, dims("a b c"))
    >>> implied_signs(a - c, [(a - b, True), (b - c, False)])
    frozenset({1})
    """
    found = frozenset({-1, 0, 1})
    for turn in (1, -1):
        strict = _above_zero(value.scaled(turn), facts)
        if strict is not None:
            found &= {turn} if strict else {0, turn}
    return found


def contradiction(facts: Sequence[Fact]) -> list[int] | None:
    """Which of the facts cannot hold together, because a weighted sum of them is below zero.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> a, b = map(as_posynomial, dims("a b"))
    >>> contradiction([(a - 1, False), (a - b, True), (b - a, False)])
    [1, 2]
    """
    if not facts:
        return None
    monomials = list(dict.fromkeys(m for fact, _ in facts for m in fact.terms))
    matrix = _equations([fact for fact, _ in facts], monomials)
    weights: list[Number] = [*(1 for _ in facts), *(0 for _ in monomials)]
    best = maximize(_goal(facts, monomials), [*matrix, weights], [0] * len(monomials) + [1])
    if best is None or best.value <= 0:
        return None
    return [index for index, weight in enumerate(best.point[: len(facts)]) if weight]


def _above_zero(value: Posynomial, facts: Sequence[Fact]) -> bool | None:
    """Whether the value is above zero (or at least not below it: false), as far as facts tell."""
    products = _products(value, facts)
    if not products:
        return None
    monomials = list(dict.fromkeys(m for p in (value, *(p for p, _ in products)) for m in p.terms))
    right = [value.terms.get(m, 0) for m in monomials]
    matrix = _equations([product for product, _ in products], monomials)
    best = maximize(_goal(products, monomials), matrix, right)
    if best is None or not best.bounded:
        return None
    return best.value > 0


def _products(value: Posynomial, facts: Sequence[Fact]) -> list[Fact]:
    """The facts times monomials that cancel a negative term of the value or of another one."""
    wanted = [m for m, c in value.terms.items() if c < 0]
    found: dict[Posynomial, bool] = {}
    for target in wanted:  # which grows
        for fact, strict in facts:
            for product in _ending_in(target, fact):
                if product in found:
                    continue
                if len(found) == MAX_PRODUCTS:
                    return list(found.items())
                found[product] = strict
                wanted += [m for m, c in product.terms.items() if c > 0 and m not in wanted]
    return list(found.items())


def _ending_in(target: Monomial, fact: Posynomial) -> Iterable[Posynomial]:
    """The fact times each monomial that makes one of its negative terms the target."""
    for monomial, coefficient in fact.terms.items():
        if coefficient < 0:
            factor = times(target, tuple((atom, -power) for atom, power in monomial))
            if all(power > 0 for _, power in factor):
                yield fact * Posynomial({factor: 1})


def _equations(rows: Sequence[Posynomial], monomials: Sequence[Monomial]) -> list[list[Number]]:
    """Per monomial: the weighted sum and what is left, which is not negative."""
    count = len(monomials)
    return [
        [*(row.terms.get(m, 0) for row in rows), *(int(i == j) for j in range(count))]
        for i, m in enumerate(monomials)
    ]


def _goal(facts: Sequence[Fact], monomials: Sequence[Monomial]) -> list[int]:
    """What makes the sum strict: weights of strict facts, and terms that are left."""
    return [int(strict) for _, strict in facts] + [1] * len(monomials)
