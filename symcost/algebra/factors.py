"""Factors of a posynomial: what it is a product of, over the rationals."""

from __future__ import annotations

from symcost.algebra.posynomial import ONE, Atom, Number, Posynomial
from symcost.algebra.ratio import content, is_positive_atom, normalized, polynomial_ring
from symcost.algebra.signs import Facts, possible_signs

MAX_FACTOR_TERMS = 60  # of a polynomial that is factored


def factors(value: Posynomial) -> list[Posynomial]:
    """Factors, repeated by multiplicity, whose product is the posynomial up to a positive monomial.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> sorted(factors(as_posynomial(D * B**2 - D**3)), key=str)
    [B + D, B - D]
    """
    if len(value) < 2 and all(map(is_positive_atom, value.atoms)):
        return [value]
    inner = normalized(value)
    ((monomial, _),) = content(inner).terms.items()  # of what may be zero or negative
    apart = [_power(atom, 1 if power % 2 else 2) for atom, power in monomial]
    inner = inner / Posynomial({monomial: 1})
    return [each for each in (*_of_sum(inner), *apart) if each != ONE] or [ONE]


def _power(atom: Atom, power: Number) -> Posynomial:
    return Posynomial({((atom, power),): 1})


def _of_sum(value: Posynomial) -> list[Posynomial]:
    if len(value) < 2 or len(value) > MAX_FACTOR_TERMS or _is_plainly_irreducible(value):
        return [value]
    to_poly, from_poly = polynomial_ring([value])
    constant, powers = to_poly(value).factor_list()
    result = [from_poly(factor) for factor, count in powers for _ in range(count)]
    if constant < 0:
        result[0] = -result[0]
    return sorted(result or [ONE], key=str, reverse=True)


def _is_plainly_irreducible(value: Posynomial) -> bool:
    """Linear in a symbol with one term beside it or before it: only a monomial divides both."""
    for atom in value.atoms:
        parts = value.coefficients(atom)
        if len(parts) == 2 and max(parts) - min(parts) == 1 and 1 in map(len, parts.values()):
            return True
    return False


def signs_by_factors(value: Posynomial, facts: Facts) -> frozenset[int]:
    """The signs that a posynomial may have, also from those of its factors."""
    signs = possible_signs(value, facts)
    parts = factors(value) if len(signs) > 1 else []
    if len(parts) < 2:
        return signs
    product = frozenset({1})
    for part in parts:
        product = frozenset(a * b for a in product for b in possible_signs(part, facts))
    return signs & product


def without_signed_factors(value: Posynomial, facts: Facts) -> Posynomial:
    """A posynomial of the same sign, without the factors that are positive or negative."""
    parts = factors(value)
    if len(parts) == 1:
        return value
    result = ONE
    for part in parts:
        signs = possible_signs(part, facts)
        if signs == {-1}:
            result = -result
        elif signs != {1}:
            result = result * part
    return result
