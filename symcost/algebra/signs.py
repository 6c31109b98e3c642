"""Signs of posynomials that hold for all sizes, from their coefficients.

Rates are positive and dimensions are at least 1 (or at least a bound that is given), so a
posynomial in ``d = D - 1`` with coefficients of one sign has that sign everywhere. A symbol
between two bounds is written as ``(low + high*t)/(1 + t)`` with ``t >= 0``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product

from sympy import Expr, Symbol, ceiling, floor, log

from symcost.algebra.budget import Kind, spend
from symcost.algebra.consequences import implied_signs
from symcost.algebra.extrema import Maximum, Minimum
from symcost.algebra.monomials import name_of
from symcost.algebra.posynomial import (
    ONE,
    Atom,
    Monomial,
    Number,
    Posynomial,
    as_posynomial,
    power_of,
    times,
)
from symcost.algebra.ratio import Ratio, as_ratio, is_positive_atom, normalized
from symcost.algebra.reals import sign_of
from symcost.algebra.relation import ANY, SIGNS, Condition, Relation
from symcost.errors import SymcostError
from symcost.symbols import is_dim

MAX_SHIFT_DEGREE = 12  # of one dimension, beyond which D = 1 + d is not expanded
MAX_SHIFT_TERMS = 20_000  # of the expanded posynomial
MAX_COMBINED_TERMS = 30  # of a posynomial that is compared with sums of facts
MAX_SIGN_CHOICES = 81  # of functions in one posynomial, whose signs are gone through

POSITIVE = frozenset({1})


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known beyond positivity: bounds of symbols, and signs of posynomials.

    With ``joint``, a sign may follow from several of them together, which takes longer to see.
    """

    lower: Mapping[Atom, Number] = field(default_factory=dict)
    upper: Mapping[Atom, Number] = field(default_factory=dict)
    known: tuple[Condition, ...] = ()
    joint: bool = False

    def least(self, atom: Atom) -> Number:
        """The largest known lower bound of an atom: 1 for a dimension, otherwise 0."""
        return self.lower.get(atom, 1 if is_dim_atom(atom) else 0)

    def listed(self, atoms: Iterable[Atom] = ()) -> list[Condition]:
        """What is known, with the bounds of these atoms, each in the simplest form."""
        each = list(self.known)
        at_least = SIGNS[">="]
        for atom in sorted({*atoms}.union(*(fact.value.atoms for fact in each)), key=name_of):
            if self.least(atom):
                each.append(Condition(as_posynomial(atom) - self.least(atom), at_least))
            if atom in self.upper:
                each.append(Condition(as_posynomial(self.upper[atom]) - atom, at_least))
        return [Condition(normalized(fact.value), fact.signs) for fact in each]

    def adding(self, conditions: Iterable[Condition]) -> Facts:
        """The facts with more conditions, of which none is tried together with others."""
        return replace(self, known=tuple(dict.fromkeys((*self.known, *conditions))), joint=False)


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
    spend(len(value) * (1 + len(facts.known)), Kind.SIGNS)
    if not value.symbols:
        return _numeric_signs(value)
    unsure = [atom for atom in sorted(value.atoms, key=name_of) if not is_positive_atom(atom)]
    if unsure:
        return _known_signs(value, facts) & _by_atoms(value, unsure, facts)
    signs = _shifted_signs(value, facts) & _known_signs(value, facts)
    if len(signs) == 1 or not facts.joint or len(value) > MAX_COMBINED_TERMS:
        return signs
    return signs & implied_signs(normalized(value), facts.listed(value.atoms))


def ratio_signs(value: Ratio, facts: Facts = NO_FACTS) -> frozenset[int]:
    """The signs that a ratio may have where it has a value."""
    above, below = possible_signs(value.num, facts), possible_signs(value.den, facts) - {0}
    return frozenset(a * b for a in above for b in below)


def decided(relation: Relation, facts: Facts = NO_FACTS) -> bool | None:
    """Whether a relation holds for all sizes, for none (false), or that is open.

    >>> from symcost.symbols import dims
    >>> D, F = dims("D F")
    >>> decided(Relation(D, ">=", 1)), decided(Relation(D, "<", 1)), decided(Relation(D, ">", F))
    (True, False, None)
    """
    if relation.lhs.is_number and relation.rhs.is_number:
        return relation.holds()
    try:
        signs = ratio_signs(as_ratio(relation.lhs) - as_ratio(relation.rhs), facts)
    except SymcostError:
        return None
    if signs <= relation.signs:
        return True
    return None if signs & relation.signs else False


def is_at_least(large: Expr, small: Expr) -> bool:
    """Whether one expression is at least another one for all sizes, as far as signs tell."""
    return decided(Relation(large, ">=", small)) is True


def atom_signs(atom: Atom, facts: Facts = NO_FACTS) -> frozenset[int]:
    """The signs of a symbol or function: those that the range of its argument gives.

    >>> from sympy import floor, log
    >>> from symcost.symbols import dims
    >>> D = dims("D")
    >>> sorted(atom_signs(log(D))), sorted(atom_signs(floor(D / 2))), sorted(atom_signs(floor(D)))
    ([0, 1], [0, 1], [1])
    """
    try:
        if isinstance(atom, log):
            return _signs_of(atom.args[0] - 1, facts)
        if isinstance(atom, floor):
            return _step_signs(atom.args[0], facts)
        if isinstance(atom, ceiling):
            return frozenset(-s for s in _step_signs(-atom.args[0], facts))
        if isinstance(atom, Maximum | Minimum):
            choose = max if isinstance(atom, Maximum) else min
            each = (_signs_of(arg, facts) for arg in atom.args)
            return frozenset(choose(signs) for signs in product(*each))
        if atom.is_Pow:
            return POSITIVE if _signs_of(atom.base, facts) == POSITIVE else ANY
    except SymcostError:
        return ANY
    return POSITIVE


def _signs_of(expr: Expr, facts: Facts) -> frozenset[int]:
    return ratio_signs(as_ratio(expr), facts)


def _step_signs(expr: Expr, facts: Facts) -> frozenset[int]:
    """The signs of a floor: negative below 0, positive from 1, zero between."""
    with_zero, with_one = _signs_of(expr, facts), _signs_of(expr - 1, facts)
    between = {0} if with_zero & {0, 1} and -1 in with_one else set()
    return frozenset((with_zero & {-1}) | ({1} if with_one & {0, 1} else set()) | between)


def _by_atoms(value: Posynomial, unsure: list[Atom], facts: Facts) -> frozenset[int]:
    """The signs for every choice of signs of the functions that may be zero or negative."""
    each = [atom_signs(a, facts) & _known_signs(Posynomial({((a, 1),): 1}), facts) for a in unsure]
    choices = list(product(*each))
    if len(choices) > MAX_SIGN_CHOICES:
        return ANY
    signs: set[int] = set()
    for choice in choices:
        parts = _with_signs(value, dict(zip(unsure, choice, strict=True)))
        if parts is None:
            return ANY
        signs |= possible_signs(parts, facts)
    return frozenset(signs)


def _with_signs(value: Posynomial, signs: Mapping[Atom, int]) -> Posynomial | None:
    """The posynomial with a positive symbol for the size of each function of known sign."""
    terms: dict[Monomial, Number] = {}
    for monomial, coefficient in value.terms.items():
        turn: Number = coefficient
        sized: Monomial = ()
        for atom, power in monomial:
            sign_of = signs.get(atom, 1)
            if sign_of < 1 and (power < 0 or power != int(power)):
                return None
            turn = turn * sign_of ** int(power) if sign_of < 1 else turn
            size = _put_for("size of", atom) if atom in signs else atom
            sized = times(sized, ((size, power),))
        terms[sized] = terms.get(sized, 0) + turn
    return Posynomial({m: c for m, c in terms.items() if c})


def _numeric_signs(value: Posynomial) -> frozenset[int]:
    """The sign of a number such as ``7 - sqrt(2)*log(3)``."""
    known = sign_of(value.to_sympy())
    return ANY if known is None else frozenset({known})


def coefficient_sign(value: Posynomial) -> int | None:
    """The sign when all coefficients share it: it then holds for all positive symbols."""
    if not value:
        return 0
    if not all(map(is_positive_atom, value.atoms)):
        return None
    positive = {coefficient > 0 for coefficient in value.terms.values()}
    if len(positive) == 2:
        return None
    return 1 if positive.pop() else -1


def _known_signs(value: Posynomial, facts: Facts) -> frozenset[int]:
    """Compare with what is known: value >= fact > 0, or value <= -fact < 0."""
    ours = normalized(value)
    result = ANY
    for each in facts.known:
        fact = Condition(normalized(each.value), each.signs)
        result &= _equal_signs(ours, fact)
        for above in fact.upward():
            result &= _compared(ours, above.value)
    return result


def _equal_signs(ours: Posynomial, fact: Condition) -> frozenset[int]:
    if ours == fact.value:
        return fact.signs
    return fact.turned().signs if ours == -fact.value else ANY


def _compared(ours: Posynomial, above_zero: Posynomial) -> frozenset[int]:
    if _exceeds(ours, above_zero, 1):
        return frozenset({1})
    return frozenset({-1}) if _exceeds(ours, above_zero, -1) else ANY


def _exceeds(ours: Posynomial, fact: Posynomial, turn: int) -> bool:
    """Whether ``turn*ours - fact`` has positive coefficients only, and some."""
    left, right = ours.terms, fact.terms
    if any(turn * c < 0 and m not in right for m, c in left.items()):  # as with most facts
        return False
    return coefficient_sign(ours.scaled(turn) - fact) == 1


def _shifted_signs(value: Posynomial, facts: Facts) -> frozenset[int]:
    """Write each symbol through its bounds with a d >= 0, and look at the coefficients again."""
    powers = _integer_powers(value, facts)
    if not powers:
        return ANY
    shifted, corners = _between_bounds(value, powers, facts)
    plain = coefficient_sign(shifted)
    if plain is None:
        return ANY
    touches_zero = any(not corner for corner in corners)
    return frozenset({plain, 0}) if touches_zero else frozenset({plain})


def _integer_powers(value: Posynomial, facts: Facts) -> dict[Atom, tuple[int, int]]:
    """Lowest and highest power of each bounded symbol; none if it cannot be expanded."""
    powers: dict[Atom, tuple[int, int]] = {}
    size = len(value)
    for atom in sorted(value.atoms, key=name_of):
        if not facts.least(atom) and atom not in facts.upper:
            continue
        each = [power_of(atom, monomial) for monomial in value.terms]
        if any(Fraction(power).denominator != 1 for power in each):
            return {}
        powers[atom] = (int(min(each)), int(max(each)))
        width = powers[atom][1] - powers[atom][0]
        size *= width + 1
        if width > MAX_SHIFT_DEGREE or size > MAX_SHIFT_TERMS:
            return {}
    return powers


def _between_bounds(
    value: Posynomial, powers: Mapping[Atom, tuple[int, int]], facts: Facts
) -> tuple[Posynomial, Iterator[Posynomial]]:
    """The posynomial, times a positive one, in d; and its values at the corners of the box."""
    low = {atom: as_posynomial(facts.least(atom)) for atom in powers}
    high = {atom: as_posynomial(facts.upper[atom]) for atom in powers if atom in facts.upper}
    whole = _homogeneous(value, powers)
    distance = {atom: as_posynomial(atom) for atom in powers}
    inside = {a: low[a] + distance[a] * high.get(a, ONE) for a in powers}
    weights = {_weight(a): distance[a] + 1 if a in high else ONE for a in powers}
    choices = [[low[a], high[a]] if a in high else [low[a]] for a in powers]
    ones = {_weight(a): ONE for a in powers}
    corners = (
        whole.substitute({**dict(zip(powers, ends, strict=True)), **ones})
        for ends in product(*choices)
    )
    return whole.substitute({**inside, **weights}), corners


def _homogeneous(value: Posynomial, powers: Mapping[Atom, tuple[int, int]]) -> Posynomial:
    """Each bounded symbol from power 0 on, filled up to its degree by powers of its weight."""
    result: dict[Monomial, Number] = {}
    for monomial, coefficient in value.terms.items():
        factor: Monomial = ()
        for atom, (low, high) in powers.items():
            power = power_of(atom, monomial)
            factor = times(factor, ((atom, -low),) if low else ())
            factor = times(factor, ((_weight(atom), high - power),) if high - power else ())
        result[times(monomial, factor)] = coefficient
    return Posynomial(result)


def _weight(atom: Atom) -> Symbol:
    return _put_for("weight of", atom)


@lru_cache(maxsize=4096)
def _put_for(what: str, atom: Atom) -> Symbol:
    return Symbol(f"{what} {name_of(atom)}", positive=True)


def is_dim_atom(atom: Atom) -> bool:
    """Whether the atom is a dimension, so at least 1."""
    return bool(atom.is_Symbol) and is_dim(atom)
