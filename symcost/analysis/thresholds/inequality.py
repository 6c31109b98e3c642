"""Where a ratio is positive: extrema are split by their arguments, products by their factors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial, reduce
from itertools import product
from operator import mul

from sympy import Expr, Pow, Symbol, exp, log

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio, as_posynomial, as_ratio
from symcost.algebra.assumptions import Equal
from symcost.algebra.budget import SAY_MORE
from symcost.algebra.factors import factors
from symcost.algebra.monomials import name_of
from symcost.algebra.posynomial import ZERO, Atom
from symcost.algebra.ratio import normalized, over_what_may_be_zero
from symcost.algebra.reals import compare
from symcost.algebra.relation import Condition, Relation
from symcost.algebra.signs import Facts, atom_signs, possible_signs, sign
from symcost.analysis.facts import MAX_JOINT
from symcost.analysis.thresholds.intervals import (
    EVERYTHING,
    NOTHING,
    Interval,
    MixedEndsError,
    complement,
    intersection,
    union,
)
from symcost.analysis.thresholds.logarithmic import inverted
from symcost.analysis.thresholds.polynomial_sign import positive_where
from symcost.analysis.thresholds.sets import Case, combined
from symcost.errors import SymcostError, UndecidedError

Cases = tuple[Case, ...]
MAX_CASES = 32  # of one answer, beyond which it helps nobody


def positive_ratio(difference: Ratio, unknown: Symbol, facts: Facts, strict: bool) -> Cases:
    """Where a ratio is positive (or zero, unless ``strict``), as cases that leave nothing out.

    Raises:
        UndecidedError: the unknown is inside a function, or has too many possible thresholds.
    """
    difference = over_what_may_be_zero(difference)
    unsettled = 0 in possible_signs(difference.den, facts)
    inside = (a for a in difference.den.atoms if unknown in a.free_symbols)
    if unsettled and not (strict and {*inside} == {unknown}):
        return _beside_poles(difference, unknown, facts, strict)
    extremum = next(
        (a for a in sorted(difference.atoms, key=name_of) if isinstance(a, Maximum | Minimum)), None
    )
    if extremum is not None:
        return _split(difference, extremum, unknown, facts, strict)
    value = cleared(difference, facts)
    for atom in sorted(value.atoms, key=name_of):
        if atom != unknown and unknown in atom.free_symbols:
            return (inverted(value, atom, unknown, facts, strict),)
    if not value:
        return (Case(NOTHING if strict else EVERYTHING),)
    parts = factors(value) if value.symbols != {unknown} else []
    if sum(unknown in part.atoms for part in parts) < 2:
        return positive_where(normalized(value), unknown, facts, strict)
    return _product(_odd(parts), unknown, facts, strict)


def _odd(parts: list[Posynomial]) -> list[Posynomial]:
    """Equal factors together, two of each at most, so that no root of odd order turns even."""
    odd = dict.fromkeys(parts)
    return [part for part in odd for _ in range(2 - parts.count(part) % 2)]


def _beside_poles(difference: Ratio, unknown: Symbol, facts: Facts, strict: bool) -> Cases:
    """Where a ratio is positive (or zero): both parts have one sign, and below there is no zero."""
    over, below = Ratio.of(difference.num), Ratio.of(difference.den)
    branches = [
        all_or_any(
            [
                positive_ratio(divisor, unknown, facts, True),
                positive_ratio(value, unknown, facts, strict),
            ],
            False,
            facts,
        )
        for value, divisor in ((over, below), (-over, -below))
    ]
    return all_or_any(branches, True, facts)


def cancelled_poles(
    relation: Relation, unknown: Symbol, equal: Iterable[Equal]
) -> tuple[Posynomial, ...]:
    """What a side divides by as it is written, and may be zero, though it cancels.

    >>> from symcost.symbols import dims
    >>> x = dims("x")
    >>> cancelled_poles(Relation((x**2 - 1) / (x - 1), ">=", x), x, ())
    (x - 1,)
    """
    whole = relation.substitute({each.symbol: each.expr for each in equal})
    sides = (whole.lhs, whole.rhs)
    powers = (power for side in sides for power in side.atoms(Pow))
    below = {*whole.divisors, *(power.base for power in powers if power.exp.is_negative)}
    below = {each for each in below if each.free_symbols and not each.is_Symbol}
    if not below:
        return ()
    gap = as_ratio(sides[0]) - as_ratio(sides[1])
    divisors = {atom for m in gap.num.terms for atom, power in m if power < 0}
    left = [*factors(gap.den), *map(as_posynomial, divisors)]
    poles = [part for each in below for part in factors(as_ratio(each).num)]
    zero_at = Facts({unknown: 0})
    return tuple(
        part
        for part in dict.fromkeys(poles)
        if 0 in possible_signs(part, zero_at) and part not in left and -part not in left
    )


def nonzero(value: Posynomial, unknown: Symbol, facts: Facts) -> Cases:
    """Where a posynomial is not zero."""
    sides = [positive_ratio(Ratio.of(each), unknown, facts, True) for each in (value, -value)]
    return all_or_any(sides, True, facts)


def cleared(difference: Ratio, facts: Facts) -> Posynomial:
    """A posynomial with the sign of the ratio."""
    below = sign(difference.den, facts)
    if below:
        return difference.num.scaled(below)
    signed = ((sign(factor, facts) or factor) for factor in factors(difference.den))
    return reduce(mul, signed, difference.num)


def _split(difference: Ratio, extremum: Atom, unknown: Symbol, facts: Facts, strict: bool) -> Cases:
    """A maximum that helps needs one argument to be large enough ("or"); one that hurts, all."""
    is_positive = atom_signs(extremum, facts) == {1}
    lowest = min(difference.num.coefficients(extremum))
    if lowest < 0 or (lowest and is_positive):  # a power below the fraction bar, or one to spare
        power = Posynomial({((extremum, -lowest),): 1})
        den = difference.den if is_positive else difference.den * power
        difference = Ratio(difference.num * power, den)
    if extremum in difference.den.atoms and not is_positive:
        return _beside_poles(difference, unknown, facts, strict)
    value = cleared(difference, facts)
    parts = value.coefficients(extremum)
    helps = sign(parts.get(1, ZERO), facts)
    if set(parts) - {0, 1} or helps is None:
        return _by_winner(value, extremum, unknown, facts, strict)
    either = (helps >= 0) == isinstance(extremum, Maximum)
    answers = [
        positive_ratio(_with(value, extremum, arg), unknown, facts, strict) for arg in extremum.args
    ]
    return all_or_any(answers, either, facts)


def _by_winner(
    value: Posynomial, extremum: Atom, unknown: Symbol, facts: Facts, strict: bool
) -> Cases:
    """One branch for each argument: where it is the extremum, put it in.

    The branches meet where arguments are equal, so they are closed sets; a strict inequality
    is the complement of the contrary one, which is not strict.
    """
    if strict:
        contrary = _by_winner(-value, extremum, unknown, facts, strict=False)
        return tuple(replace(case, intervals=complement(case.intervals)) for case in contrary)
    turn = 1 if isinstance(extremum, Maximum) else -1
    branches = []
    for winner in extremum.args:
        margins = [turn * (winner - other) for other in extremum.args if other != winner]
        where = [*(as_ratio(margin) for margin in margins), _with(value, extremum, winner)]
        answers = [positive_ratio(each, unknown, facts, strict) for each in where]
        branches.append(all_or_any(answers, False, facts))
    return all_or_any(branches, True, facts)


def _with(value: Posynomial, extremum: Atom, arg: Expr) -> Ratio:
    return Ratio.of(value).substitute({extremum: as_ratio(arg)})


def _product(parts: list[Posynomial], unknown: Symbol, facts: Facts, strict: bool) -> Cases:
    """A product is positive where both factors have one sign, factor by factor."""
    first, rest = parts[0], parts[1:]
    if not rest:
        return positive_ratio(Ratio.of(first), unknown, facts, strict)
    negated = [-rest[0], *rest[1:]]
    branches = [
        all_or_any(
            [
                positive_ratio(Ratio.of(head), unknown, facts, strict),
                _product(tail, unknown, facts, strict),
            ],
            False,
            facts,
        )
        for head, tail in ((first, rest), (-first, negated))
    ]
    return all_or_any(branches, True, facts)


def all_or_any(answers: list[Cases], either: bool, facts: Facts, by_roots: bool = False) -> Cases:
    """All answers together, one of which must hold (``either``) or each.

    With ``by_roots`` a condition may compare roots: a last resort, which few readers thank for.

    Raises:
        UndecidedError: more cases than anybody would read.
    """

    def both(left: Cases, right: Cases) -> Cases:
        cases: list[Case] = []
        for case in _together(left, right, either, facts, by_roots):
            if not _possible(case.when, facts):
                continue
            cases.append(_without_empty(case, facts))
            if len(cases) > MAX_CASES:
                raise UndecidedError(f"the answer has more than {MAX_CASES} cases", repair=SAY_MORE)
        return tuple(cases)

    return reduce(both, answers)


def _together(
    left: Cases, right: Cases, either: bool, facts: Facts, by_roots: bool
) -> Iterator[Case]:
    """Every pair of cases; where it matters which of two ends is larger, one case for each."""
    for a, b in product(left, right):
        if either:
            yield from combined((a,), (b,), union)
            continue
        known = facts.adding([*a.when, *b.when])
        try:
            yield from combined((a,), (b,), partial(intersection, order=partial(_order, known)))
        except MixedEndsError as mixed:
            yield from _by_order(a, b, mixed, facts, by_roots)


def _by_order(a: Case, b: Case, mixed: MixedEndsError, facts: Facts, by_roots: bool) -> Cases:
    """The three ways in which an open and a closed end may lie; each settles their order."""
    known = facts.adding([*a.when, *b.when])
    pairs = product(*map(_parts, mixed.ends))
    first, second = next(pair for pair in pairs if _order(known, *pair) is None)
    try:
        gap = as_ratio(first) - as_ratio(second)
        value = normalized(cleared(gap, known))
    except SymcostError:
        raise mixed from None
    if not by_roots and not all(atom.is_Symbol for atom in gap.atoms):
        raise mixed
    cases: list[Case] = []
    for signs in ({1}, {0}, {-1}):
        condition = Condition(value, frozenset(signs))
        if not possible_signs(value, known) & condition.signs:
            continue
        if _order(known.adding([condition]), first, second) is None:
            raise mixed
        narrowed = replace(a, when=(*a.when, condition))
        cases += _together((narrowed,), (b,), False, facts, by_roots)
    return tuple(cases)


def _parts(end: Expr) -> tuple[Expr, ...]:
    return end.args if isinstance(end, Maximum | Minimum) else (end,)


def _without_empty(case: Case, facts: Facts) -> Case:
    """The case without intervals whose lower end is, under its conditions, above the upper one."""
    known = facts.adding(case.when)
    kept = tuple(each for each in case.intervals if not _is_empty(each, known))
    return case if len(kept) == len(case.intervals) else replace(case, intervals=kept)


def _is_empty(interval: Interval, facts: Facts) -> bool:
    low, high = interval.low, interval.high
    if low is None or high is None or low == high:
        return interval.is_empty
    larger = _order(facts, low, high)
    return larger == 1 or (larger == 0 and not (interval.low_closed and interval.high_closed))


def _order(facts: Facts, first: Expr, second: Expr) -> int | None:
    """Which of two symbolic ends is larger, as far as signs tell."""
    if isinstance(first, Maximum | Minimum):
        orders = [_order(facts, part, second) for part in first.args]
        if first.sign in orders:
            return first.sign
        known = [each for each in orders if each is not None]
        return first.sign * max(first.sign * each for each in known) if known == orders else None
    if isinstance(second, Maximum | Minimum):
        turned = _order(facts, second, first)
        return None if turned is None else -turned
    try:
        if first.is_number and second.is_number:
            return compare(first, second)
        if all(isinstance(end, exp) or end.is_number for end in (first, second)):
            first, second = log(first), log(second)
        gap = as_ratio(first) - as_ratio(second)
        return sign(cleared(gap, facts), facts)
    except SymcostError:
        return None


def possible(cases: Cases, facts: Facts) -> Cases:
    """The cases whose conditions do not contradict each other, as far as signs tell."""
    return tuple(case for case in cases if _possible(case.when, facts, joint=True))


def _possible(when: tuple[Condition, ...], facts: Facts, *, joint: bool = False) -> bool:
    """Whether no condition contradicts another one; ``joint``: nor several others together."""
    for condition in when:
        others = [other for other in when if other is not condition]
        known = replace(facts.adding(others), joint=joint and 2 < len(when) <= MAX_JOINT)
        if not possible_signs(condition.value, known) & condition.signs:
            return False
    return True
