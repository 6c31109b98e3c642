"""The minimum over one symbol: where what rises with it balances what falls.

A posynomial is convex in the logarithm of its symbol, so it falls up to one point and rises
from there; a maximum of posynomials does as well. A constraint cuts the line, and if the point
lies beyond the cut, the cut is the minimum.

Source: S. Boyd, L. Vandenberghe, Convex Optimization (2004), section 4.5.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from sympy import Add, Expr, Integer, Symbol

from symcost.algebra import Posynomial, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.algebra.powers import product_of_powers
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import Relation
from symcost.algebra.signs import NO_FACTS
from symcost.analysis.optimum.constraints import Bounds, at_least, bounds_of, decided
from symcost.analysis.optimum.known import decided_value, is_positive
from symcost.analysis.optimum.types import OptimumCase, largest
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
        return at_least(self.at, low) if found is None else is_positive(-found)

    def below(self, high: Expr, symbol: Symbol) -> Relation:
        """That the balance is at most ``high``: the function rises there."""
        found = self._slope_at(high, symbol)
        return at_least(high, self.at) if found is None else is_positive(found)

    def _slope_at(self, end: Expr, symbol: Symbol) -> Posynomial | None:
        if self.slope is None:
            return None
        found = as_ratio(self.slope).substitute({symbol: as_ratio(end)})
        return found.num if found.is_posynomial else None


def minimum_over_one(
    parts: Sequence[Posynomial], symbol: Symbol, constraints: Iterable[Relation]
) -> tuple[OptimumCase, ...]:
    """Minimize the largest of some posynomials over one symbol, with symbols for the rest."""
    bounds = with_least_size(bounds_of(constraints, symbol), symbol)
    powers = [power for part in parts for power in part.coefficients(symbol)]
    if min(powers) >= 0 or max(powers) <= 0:
        found = _on_border(parts, symbol, bounds, rising=max(powers) > 0)
    else:
        found = [
            case
            for balance in balances(parts, symbol)
            for case in _clamped(parts, symbol, balance, bounds)
        ]
    cases = pruned(case.under(*bounds.when) for case in found)
    return tuple(replace(case, value=decided_value(case)) for case in cases)


def with_least_size(bounds: Bounds, symbol: Symbol) -> Bounds:
    """The bounds with the least size of a dimension, 1, and without bounds that others imply."""
    low = (*((Integer(1),) if is_dim(symbol) else ()), *bounds.low)
    low = tuple(a for a in dict.fromkeys(low) if not _implied(a, low, larger=True))
    high = tuple(a for a in bounds.high if not _implied(a, bounds.high, larger=False))
    for a, b in product(low, high):
        if decided(Relation(b, ">=", a)) is False:
            raise InvalidValueError(f"no {symbol} lies between {a} and {b}")
    return Bounds(low, high, bounds.when)


def balances(parts: Sequence[Posynomial], symbol: Symbol) -> list[Balance]:
    """The unbounded minima: one for a sum, one per pair of a rising and a falling term else.

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
    rising = [each for each in powers if max(each) > 0]
    falling = [each for each in powers if max(each) < 0]
    flat = [each[0].to_sympy() for each in powers if 0 in each]
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
    """The cases without conditions that always hold, and without those that never can.

    Raises:
        InvalidValueError: nothing is left.
    """
    kept = []
    for case in cases:
        known = [decided(each) for each in case.when]
        if False not in known:
            when = (c for c, k in zip(case.when, known, strict=True) if not k)
            kept.append(OptimumCase(case.point, case.value, case.kind, case.reason, tuple(when)))
    if not kept:
        raise InvalidValueError("no point satisfies the constraints")
    sure = [case for case in kept if not case.when]
    return tuple(sure[:1] or [case for i, case in enumerate(kept) if case not in kept[:i]])


def value_at(parts: Sequence[Posynomial], values: dict[Symbol, Expr]) -> Expr:
    """The largest part at a point."""
    return largest(part.to_sympy().xreplace(values) for part in parts)


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
    """``a*x**p`` and ``b/x**q`` are equal where their maximum is least."""
    ((up, a),), ((down, b),) = rising.items(), falling.items()
    p, q = Fraction(up), -Fraction(down)
    top, bottom = b.to_sympy(), a.to_sympy()
    at = product_of_powers([(top, 1 / (p + q)), (bottom, -1 / (p + q))])
    value = product_of_powers([(bottom, q / (p + q)), (top, p / (p + q))])
    return Balance(at, value, "the rising and the falling argument are equal there")


# -- on the border ------------------------------------------------------------------------


def _on_border(
    parts: Sequence[Posynomial], symbol: Symbol, bounds: Bounds, rising: bool
) -> list[OptimumCase]:
    ends = bounds.low if rising else bounds.high
    if not ends and any(symbol not in part.atoms for part in parts):
        raise UndecidedError(
            f"the minimum over {symbol} is level where a constant argument is the largest",
            repair="give numbers for the other symbols",
        )
    if not ends:
        how = "falls towards 0" if rising else "grows"
        reason = f"the objective decreases for ever as {symbol} {how}"
        return [OptimumCase({}, None, "none", reason)]
    return [_border_case(parts, symbol, end, bounds, rising) for end in ends]


def _clamped(
    parts: Sequence[Posynomial], symbol: Symbol, balance: Balance, bounds: Bounds
) -> list[OptimumCase]:
    """The balance if the bounds admit it, otherwise the bound that it lies beyond."""
    inside = [balance.above(low, symbol) for low in bounds.low]
    inside += [balance.below(high, symbol) for high in bounds.high]
    cases = [
        OptimumCase({symbol: balance.at}, balance.value, "interior", balance.reason, tuple(inside))
    ]
    for ends, rising in ((bounds.low, True), (bounds.high, False)):
        for end in ends:
            beyond = balance.below(end, symbol) if rising else balance.above(end, symbol)
            cases.append(_border_case(parts, symbol, end, bounds, rising).under(beyond))
    return [case.under(*balance.when) for case in cases]


def _border_case(
    parts: Sequence[Posynomial], symbol: Symbol, end: Expr, bounds: Bounds, rising: bool
) -> OptimumCase:
    """The value at one end, which must be the tightest on its side and meet the other side."""
    if rising:
        when = [at_least(end, other) for other in bounds.low if other != end]
        when += [at_least(high, end) for high in bounds.high]
    else:
        when = [at_least(other, end) for other in bounds.high if other != end]
        when += [at_least(end, low) for low in bounds.low]
    if rising and end == 1 and is_dim(symbol):
        reason = f"{symbol} is at its least value"
    else:
        reason = f"{symbol} is at the end of what the constraints allow"
    value = value_at(parts, {symbol: end})
    return OptimumCase({symbol: end}, value, "border", reason, tuple(when))


def _implied(end: Expr, ends: Sequence[Expr], larger: bool) -> bool:
    """Whether another end is always at least as tight."""
    pairs = ((other, end) if larger else (end, other) for other in ends if other != end)
    return any(decided(Relation(a, ">=", b)) is True for a, b in pairs)
