"""Signs of posynomials that hold for all sizes, from their coefficients.

Rates are positive and dimensions are at least 1 (or at least a bound that is given), so a
posynomial in ``d = D - 1`` with coefficients of one sign has that sign everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from symcost.algebra.posynomial import (
    ZERO,
    Atom,
    Number,
    Posynomial,
    as_posynomial,
    monomial_order,
    power_of,
)
from symcost.algebra.ratio import content
from symcost.symbols import is_dim

MAX_SHIFT_DEGREE = 12  # of one dimension, beyond which D = 1 + d is not expanded
MAX_SHIFT_TERMS = 20_000  # of the expanded posynomial

ANY = frozenset({-1, 0, 1})


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known beyond positivity: lower bounds of symbols, and posynomials above zero."""

    lower: Mapping[Atom, Number] = field(default_factory=dict)
    positive: tuple[Posynomial, ...] = ()
    nonnegative: tuple[Posynomial, ...] = ()

    def least(self, atom: Atom) -> Number:
        """The largest known lower bound of an atom: 1 for a dimension, otherwise 0."""
        return self.lower.get(atom, 1 if is_dim_atom(atom) else 0)


NO_FACTS = Facts()


def sign(value: Posynomial, facts: Facts = NO_FACTS) -> int | None:
    """1, -1 or 0 when that is the sign for every positive rate and every dimension >= 1.

    >>> from symcost.symbols import dims
    >>> D, F = dims("D F")
    >>> [sign(as_posynomial(p)) for p in (2 * D - 1, 1 - D * F - F, D - F)]
    [1, -1, None]

    Returns:
        The sign, or ``None`` when the coefficients do not decide it.
    """
    possible = possible_signs(value, facts)
    return next(iter(possible)) if len(possible) == 1 else None


def possible_signs(value: Posynomial, facts: Facts = NO_FACTS) -> frozenset[int]:
    """The signs that the coefficients, the sizes and the facts leave open.

    >>> from symcost.symbols import dims
    >>> sorted(possible_signs(as_posynomial(dims("D") - 1)))
    [0, 1]
    """
    plain = coefficient_sign(value)
    if plain is not None:
        return frozenset({plain})
    return _shifted_signs(value, facts) & _known_signs(value, facts)


def coefficient_sign(value: Posynomial) -> int | None:
    """The sign when all coefficients share it: it then holds for all positive symbols."""
    if not value:
        return 0
    positive = {coefficient > 0 for coefficient in value.terms.values()}
    if len(positive) == 2:
        return None
    return 1 if positive.pop() else -1


def normalized(value: Posynomial) -> Posynomial:
    """The posynomial without the positive monomial that divides all its terms."""
    divisor = content(value)
    return value / (divisor if value.terms and _lead(divisor) > 0 else -divisor)


def _lead(value: Posynomial) -> Number:
    return value.terms[min(value.terms, key=monomial_order)]


def _known_signs(value: Posynomial, facts: Facts) -> frozenset[int]:
    """Compare with what is known: value >= fact > 0, or value <= -fact < 0."""
    ours = normalized(value)
    for known, signs in [(p, {1}) for p in facts.positive] + [
        (p, {0, 1}) for p in facts.nonnegative
    ]:
        fact = normalized(known)
        if ours == fact or coefficient_sign(ours - fact) == 1:
            return frozenset(signs if ours == fact else {1})
        if ours == -fact or coefficient_sign(ours + fact) == -1:
            return frozenset({-s for s in signs} if ours == -fact else {-1})
    return ANY


def _shifted_signs(value: Posynomial, facts: Facts) -> frozenset[int]:
    """Write each symbol as its lower bound plus d, d >= 0, and look at the coefficients again."""
    shifted = _from_lower_bounds(value, facts)
    if shifted is None:
        return ANY
    plain = coefficient_sign(shifted)
    if plain is None:
        return ANY
    bounded = {atom: ZERO for atom in shifted.atoms if facts.least(atom)}
    touches_zero = not shifted.substitute(bounded)
    return frozenset({plain, 0}) if touches_zero else frozenset({plain})


def _from_lower_bounds(value: Posynomial, facts: Facts) -> Posynomial | None:
    """The posynomial, times a positive monomial, in d = D - bound; None if that is too large."""
    powers = {
        atom: [power_of(atom, monomial) for monomial in value.terms]
        for atom in sorted(value.atoms, key=str)
        if facts.least(atom)
    }
    if not powers or any(Fraction(p).denominator != 1 for each in powers.values() for p in each):
        return None
    size = len(value)
    for each in powers.values():
        width = int(max(each) - min(each))
        size *= width + 1
        if width > MAX_SHIFT_DEGREE or size > MAX_SHIFT_TERMS:
            return None
    lowest = Posynomial({tuple((a, p) for a, each in powers.items() if (p := min(each))): 1})
    bounds = {atom: as_posynomial(atom) + facts.least(atom) for atom in powers}
    return (value / lowest).substitute(bounds)


def is_dim_atom(atom: Atom) -> bool:
    """Whether the atom is a dimension, so at least 1."""
    return bool(atom.is_Symbol) and is_dim(atom)
