"""The minimum over one symbol: where what rises with it balances what falls.

A posynomial is convex in the logarithm of its symbol, so it falls up to one point and rises
from there; a maximum of posynomials does as well. Any other quotient of sums is judged by the
sign of its slope. A constraint cuts the line, and if the point
lies beyond the cut, the cut is the minimum.

Source: S. Boyd, L. Vandenberghe, Convex Optimization (2004), section 4.5.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations, product

from sympy import Add, Expr, Symbol

from symcost.algebra import Maximum, Posynomial, Ratio, as_ratio
from symcost.algebra.dominance import largest
from symcost.algebra.posynomial import to_rational
from symcost.algebra.powers import product_of_powers
from symcost.algebra.ratio import normalized, without_roots_below
from symcost.algebra.relation import SIGNS, Condition, Relation
from symcost.algebra.signs import NO_FACTS, Facts, decided
from symcost.analysis.facts import facts_from
from symcost.analysis.optimum.constraints import Bounds, at_least, bounds_of
from symcost.analysis.optimum.types import OptimumCase, falls_for_ever
from symcost.analysis.proof.monotone import derivative
from symcost.analysis.thresholds.inequality import positive_ratio
from symcost.analysis.thresholds.polynomial_sign import positive_where
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import is_dim


@dataclass(frozen=True, slots=True)
class Balance:
    """Where a function of one symbol is least if nothing bounds the symbol, and under what."""

    at: Expr
    value: Expr
    reason: str
    when: tuple[Relation, ...] = ()
    slope: Posynomial | None = None  # with the same sign as the slope of the function

    def above(self, low: Expr, symbol: Symbol) -> Relation:
        """That the balance is at least ``low``: the function still falls there."""
        found = self._slope_at(low, symbol)
        return at_least(self.at, low) if found is None else _not_negative(-found)

    def below(self, high: Expr, symbol: Symbol) -> Relation:
        """That the balance is at most ``high``: the function rises there."""
        found = self._slope_at(high, symbol)
        return at_least(high, self.at) if found is None else _not_negative(found)

    def _slope_at(self, end: Expr, symbol: Symbol) -> Posynomial | None:
        if self.slope is None:
            return None
        found = as_ratio(self.slope).substitute({symbol: as_ratio(end)})
        return found.num if found.is_posynomial else None


def _not_negative(value: Posynomial) -> Relation:
    return Condition(normalized(value), SIGNS[">="]).relation()


def minimum_over_one(
    parts: Sequence[Posynomial], symbol: Symbol, constraints: Iterable[Relation]
) -> tuple[OptimumCase, ...]:
    """Minimize the largest of some posynomials over one symbol, with symbols for the rest."""
    line = _Line(tuple(part.to_sympy() for part in parts), symbol, bounds_of(constraints, symbol))
    powers = [power for part in parts for power in part.coefficients(symbol)]
    levels_off = max(powers) == 0 and len(parts) == len(powers) == 2 and not line.bounds.high
    if (min(powers) >= 0 or max(powers) <= 0) and not levels_off:
        found = line.on_border(rising=max(powers) > 0)
    else:
        found = [case for each in balances(parts, symbol) for case in line.clamped(each)]
    return tuple(replace(case, value=_decided_value(case)) for case in line.under(found))


def minimum_by_slope(
    value: Expr, symbol: Symbol, constraints: Iterable[Relation]
) -> tuple[OptimumCase, ...]:
    """Minimize a quotient of sums that falls up to one point at most, and rises from there.

    Raises:
        UndecidedError: it falls and rises more than once, or its slope has too many roots.
    """
    line = _Line((value,), symbol, bounds_of(constraints, symbol))
    ratio = as_ratio(value)
    slope = derivative(ratio.num, symbol) * ratio.den - ratio.num * derivative(ratio.den, symbol)
    found: list[OptimumCase] = []
    for rising in positive_ratio(Ratio.of(slope), symbol, Facts({symbol: 0}), False):
        if rising.is_always or rising.is_never:
            cases = line.on_border(rising.is_always)
        else:
            (first, *others) = rising.intervals
            if others or first.low is None or first.high is not None:
                raise UndecidedError(
                    f"the objective falls and rises more than once with {symbol}",
                    repair="give numbers for the other symbols",
                )
            turn = value.xreplace({symbol: first.low})
            cases = line.clamped(Balance(first.low, turn, "the slope is zero there"))
        when = [condition.relation() for condition in rising.when]
        found += [_shortened(case).under(*when) for case in cases]
    found.sort(key=lambda each: each.kind != "interior")
    return line.under(found)


def _shortened(case: OptimumCase) -> OptimumCase:
    if case.value is None:
        return case
    try:
        return replace(case, value=without_roots_below(as_ratio(case.value)).to_sympy())
    except InvalidValueError:  # a root of a polynomial is no cost expression
        return case


def balances(parts: Sequence[Posynomial], symbol: Symbol) -> list[Balance]:
    """The unbounded minima: one for a sum, one per pair of a rising and a falling term else.

    Beside one that falls, one that is level is as good as one that rises.

    Raises:
        UndecidedError: a maximum of sums, with symbols in them.
    """
    if len(parts) == 1:
        return [_stationary(parts[0], symbol)]
    powers = [part.coefficients(symbol) for part in parts]
    if any(len(each) > 1 for each in powers):
        raise UndecidedError(
            f"the minimum over {symbol} of a maximum of sums has no closed form here",
            repair="give numbers for the other symbols",
        )
    level = [each for each in powers if 0 in each]
    rising = [each for each in powers if max(each) > 0] or level
    falling = [each for each in powers if max(each) < 0]
    flat = [each[0].to_sympy() for each in level]
    pairs = [_crossing(up, down, symbol) for up, down in product(rising, falling)]
    return [
        Balance(
            pair.at,
            largest([pair.value, *flat]),
            pair.reason,
            tuple(at_least(pair.value, other.value) for other in pairs if other is not pair),
        )
        for pair in pairs
    ]


def pruned(cases: Iterable[OptimumCase]) -> tuple[OptimumCase, ...]:
    """The cases without conditions that follow from the others, and without those that never hold.

    Raises:
        InvalidValueError: nothing is left.
    """
    needed = ((case, _needed(case.when)) for case in cases)
    kept = [replace(case, when=when) for case, when in needed if when is not None]
    if not kept:
        raise InvalidValueError("no point satisfies the constraints")
    sure = [case for case in kept if not case.when]
    return tuple(sure[:1] or _united([case for i, case in enumerate(kept) if case not in kept[:i]]))


def _united(cases: list[OptimumCase]) -> list[OptimumCase]:
    """One case, if B, for two with one answer: if A, and if B but not A, where A says B."""
    for a, b in permutations(cases, 2):
        left_out = [each for each in b.when if each.negated() in a.when]
        if replace(a, when=()) != replace(b, when=()) or len(left_out) != 1:
            continue
        rest = tuple(each for each in b.when if each not in left_out)
        says = all(decided(each, _facts(a.when)) for each in rest)
        within = _facts((*rest, left_out[0].negated()))
        if says and all(decided(each, within) for each in a.when):
            others = [case for case in cases if case not in (a, b)]
            return _united([*others, replace(b, when=rest)])
    return cases


def _facts(when: Iterable[Relation]) -> Facts:
    conditions: list[Condition] = []
    for each in when:
        with suppress(InvalidValueError):  # a root of a polynomial is no cost expression
            conditions.append(each.condition())
    return facts_from(conditions)


def _needed(when: tuple[Relation, ...]) -> tuple[Relation, ...] | None:
    """The conditions that do not follow from the others; ``None`` where one of them cannot hold."""
    kept = list(when)
    for each in when:
        others = [other for other in kept if other is not each]
        known = decided(each, _facts(others))
        if known is False:
            return None
        if known:
            kept = others
    return tuple(kept)


# -- inside -------------------------------------------------------------------------------


def _stationary(part: Posynomial, symbol: Symbol) -> Balance:
    powers = part.coefficients(symbol)
    up = [power for power in powers if power > 0]
    down = [power for power in powers if power < 0]
    if len(up) == len(down) == 1:
        return _two_terms(powers, up[0], down[0])
    slope = Posynomial.sum(
        (coefficient * Posynomial({((symbol, power),): 1})).scaled(power)
        for power, coefficient in powers.items()
        if power
    )
    (case,) = positive_where(normalized(slope), symbol, NO_FACTS, strict=True)
    (interval,) = case.intervals
    value = part.to_sympy().xreplace({symbol: interval.low})
    return Balance(interval.low, value, "the slope is zero there", slope=slope)


def _two_terms(
    powers: dict[int | Fraction, Posynomial], up: int | Fraction, down: int | Fraction
) -> Balance:
    """``a*x**p + b/x**q``: at the minimum, p times the first term equals q times the second."""
    p, q = Fraction(up), -Fraction(down)
    a, b = powers[up].to_sympy(), powers[down].to_sympy()
    b = b * to_rational(q / p)
    at = product_of_powers([(b, 1 / (p + q)), (a, -1 / (p + q))])
    least = product_of_powers([(a, q / (p + q)), (b, p / (p + q))]) * to_rational(1 + p / q)
    constant = powers.get(0, Posynomial({})).to_sympy()
    reason = "the rising and the falling term balance"
    return Balance(at, Add(constant, least), reason)


def _crossing(
    rising: dict[int | Fraction, Posynomial],
    falling: dict[int | Fraction, Posynomial],
    symbol: Symbol,
) -> Balance:
    """``a*x**p`` and ``b/x**q`` are equal where their maximum is least; ``p`` may be 0."""
    ((up, a),), ((down, b),) = rising.items(), falling.items()
    p, q = Fraction(up), -Fraction(down)
    top, bottom = b.to_sympy(), a.to_sympy()
    at = product_of_powers([(top, 1 / (p + q)), (bottom, -1 / (p + q))])
    value = product_of_powers([(bottom, q / (p + q)), (top, p / (p + q))])
    which = "rising" if p else "level"
    return Balance(at, value, f"the {which} and the falling argument are equal there")


# -- on the border ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """The largest of some functions of one symbol, between bounds."""

    parts: tuple[Expr, ...]
    symbol: Symbol
    bounds: Bounds

    def under(self, cases: Iterable[OptimumCase]) -> tuple[OptimumCase, ...]:
        """The cases under the conditions of the bounds."""
        return pruned(case.under(*self.bounds.when) for case in cases)

    def on_border(self, rising: bool) -> list[OptimumCase]:
        """The ends towards which the function falls everywhere."""
        ends = self.bounds.low if rising else self.bounds.high
        if not ends and any(self.symbol not in part.free_symbols for part in self.parts):
            raise UndecidedError(
                f"the minimum over {self.symbol} is level where a constant argument is the largest",
                repair="give numbers for the other symbols",
            )
        if not ends:
            return [falls_for_ever(f"{self.symbol} {'falls towards 0' if rising else 'grows'}")]
        return [self._at_end(end, rising) for end in ends]

    def clamped(self, balance: Balance) -> list[OptimumCase]:
        """The balance if the bounds admit it, otherwise the bound that it lies beyond."""
        symbol, point = self.symbol, {self.symbol: balance.at}
        inside = [balance.above(low, symbol) for low in self.bounds.low]
        inside += [balance.below(high, symbol) for high in self.bounds.high]
        cases = [OptimumCase(point, balance.value, "interior", balance.reason, tuple(inside))]
        for low in self.bounds.low:
            cases.append(self._at_end(low, True).under(balance.below(low, symbol)))
        for high in self.bounds.high:
            cases.append(self._at_end(high, False).under(balance.above(high, symbol)))
        return [case.under(*balance.when) for case in cases]

    def _at_end(self, end: Expr, rising: bool) -> OptimumCase:
        """The value at one end, which must be the tightest on its side and meet the other side."""
        low, high = self.bounds.low, self.bounds.high
        pairs = [*((end, other) for other in low), *((other, end) for other in high)]
        least = rising and end == 1 and is_dim(self.symbol)
        where = "at its least value" if least else "at the end of what the constraints allow"
        value = largest(part.xreplace({self.symbol: end}) for part in self.parts)
        when = tuple(at_least(large, small) for large, small in pairs if large != small)
        return OptimumCase({self.symbol: end}, value, "border", f"{self.symbol} is {where}", when)


def _decided_value(case: OptimumCase) -> Expr | None:
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
