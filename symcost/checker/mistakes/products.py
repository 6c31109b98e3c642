"""A product where a sum belongs, and a sum where a product belongs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import prod

from sympy import Add, Expr

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import ONE
from symcost.checker.case import Case, Hypothesis

KIND = "sum-for-product"
CHANCE = 20  # ranks lost where a number, not a formula, is claimed: sums fit by chance
MAX_ARGUMENTS = 3  # of a sum that is replaced by its product


def product_for_sum(case: Case) -> Iterator[Hypothesis]:
    """A product where a sum belongs, or the sum of what must be multiplied."""
    if case.ratio is None:
        return
    yield from _inner_products(case)
    if len(case.ratio.num) == 2:
        first, second = case.ratio.num
        whole = first * second
        divisors = [ONE, *(Posynomial({((s, 1),): 1}) for s in case.inputs)]
        for divisor in divisors:
            value = Ratio.of(whole / divisor, case.ratio.den * case.ratio.den)
            text = f"multiplies where {first} and {second} must be added"
            yield Hypothesis(KIND, text, value, f"{first} x {second}")
    elif len(case.ratio.num) == 1 and case.ratio.is_posynomial:
        yield from _pairs_added(case)
        yield from _all_added(case)


def _inner_products(case: Case) -> Iterator[Hypothesis]:
    """A sum inside the formula, in brackets, taken for the product of its terms."""
    for each in sorted(case.expected.atoms(Add), key=str):
        if len(each.args) > MAX_ARGUMENTS or any(arg.is_number for arg in each.args):
            continue
        product: Expr = prod(each.args[1:], start=each.args[0])
        value = case.expected.xreplace({each: product})
        names = " and ".join(str(arg) for arg in each.args)
        yield Hypothesis(KIND, f"multiplies where {names} must be added", value, str(product))


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
        by_chance = CHANCE if case.printed is not None else 0
        yield Hypothesis(KIND, text, value, f"{one} + {other}", doubt=by_chance)


def _all_added(case: Case) -> Iterator[Hypothesis]:
    """The sum of all symbols where their product belongs."""
    assert case.ratio is not None
    ((monomial, coefficient),) = case.ratio.num.terms.items()
    sizes = [case.values.get(atom) for atom, _ in monomial]
    if case.printed is not None and _far_apart(sizes):
        return
    if len(monomial) > 1 and all(power == 1 for _, power in monomial):
        value = Ratio.of(Posynomial({((a, 1),): coefficient for a, _ in monomial}))
        names = ", ".join(str(a) for a, _ in monomial)
        text = f"adds {names}, which must be multiplied"
        yield Hypothesis(KIND, text, value, names)


def _far_apart(sizes: list[Fraction | None]) -> bool:
    known = [size for size in sizes if size]
    return len(known) < 2 or max(known) > 100 * min(known)
