"""What facts say together: a sum of facts, each times a positive monomial, decides a sign.

A posynomial that is at least ``sum(w * m * fact)`` coefficient by coefficient, with weights
``w >= 0`` and monomials ``m``, is positive wherever the facts hold. The weights are a linear
program. Source: A. Schrijver, Theory of Linear and Integer Programming (1986), section 7.3
(the lemma of Farkas), with the monomials as the unknowns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symcost.algebra.budget import Kind, spend
from symcost.algebra.linear import maximize
from symcost.algebra.posynomial import Monomial, Number, Posynomial, times
from symcost.algebra.relation import ANY, Condition

MAX_PRODUCTS = 40  # of facts and monomials that are tried


def implied_signs(value: Posynomial, facts: Sequence[Condition]) -> frozenset[int]:
    """The signs that a weighted sum of the facts leaves open.

    >>> from symcost.algebra.relation import Relation
    >>> from symcost.symbols import dims
    >>> a, b, c = dims("a b c")
    >>> facts = [Relation(a, ">", b).condition(), Relation(b, ">=", c).condition()]
    >>> implied_signs(Relation(a, ">", c).condition().value, facts)
    frozenset({1})
    """
    facts = [above for fact in facts for above in fact.upward()]
    signs = ANY
    for turn in (1, -1):
        strict = _above_zero(value.scaled(turn), facts)
        if strict is not None:
            signs &= {turn} if strict else {0, turn}
    return signs


def contradiction(facts: Sequence[Condition]) -> list[int] | None:
    """Which of the facts (all ``> 0`` or ``>= 0``) have a weighted sum that is below zero.

    >>> from symcost.algebra.relation import Relation
    >>> from symcost.symbols import dims
    >>> a, b = dims("a b")
    >>> asked = [Relation(a, ">=", 1), Relation(a, ">", b), Relation(b, ">=", a)]
    >>> contradiction([each.condition() for each in asked])
    [1, 2]
    """
    if not facts:
        return None
    monomials = list(dict.fromkeys(m for fact in facts for m in fact.value.terms))
    matrix = _equations([fact.value for fact in facts], monomials)
    weights: list[Number] = [*(1 for _ in facts), *(0 for _ in monomials)]
    best = maximize(_goal(facts, monomials), [*matrix, weights], [0] * len(monomials) + [1])
    if best is None or best.value <= 0:
        return None
    return [index for index, weight in enumerate(best.point[: len(facts)]) if weight]


def _above_zero(value: Posynomial, facts: Sequence[Condition]) -> bool | None:
    """Whether the value is above zero (or at least not below it: false), as far as facts tell."""
    products = _products(value, facts)
    if not products:
        return None
    sums = [product.value for product in products]
    monomials = list(dict.fromkeys(m for each in (value, *sums) for m in each.terms))
    right = [value.terms.get(m, 0) for m in monomials]
    spend(len(sums) * len(monomials) // 4, Kind.SIGNS)
    matrix = _equations(sums, monomials)
    best = maximize(_goal(products, monomials), matrix, right)
    if best is None or not best.bounded:
        return None
    return best.value > 0


def _products(value: Posynomial, facts: Sequence[Condition]) -> list[Condition]:
    """The facts times monomials that cancel a negative term of the value or of another one."""
    wanted = [m for m, c in value.terms.items() if c < 0]
    made: dict[Posynomial, Condition] = {}
    for target in wanted:  # which grows
        for fact in facts:
            for product in _ending_in(target, fact.value):
                if product in made:
                    continue
                if len(made) == MAX_PRODUCTS:
                    return list(made.values())
                made[product] = Condition(product, fact.signs)
                wanted += [m for m, c in product.terms.items() if c > 0 and m not in wanted]
    return list(made.values())


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


def _goal(facts: Sequence[Condition], monomials: Sequence[Monomial]) -> list[int]:
    """What makes the sum strict: weights of strict facts, and terms that are left."""
    return [int(fact.is_strict) for fact in facts] + [1] * len(monomials)
