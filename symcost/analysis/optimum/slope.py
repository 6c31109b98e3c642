"""The minimum over one symbol of any quotient of sums, from the sign of its slope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sympy import Expr, Integer, Symbol

from symcost.algebra import Ratio, as_ratio
from symcost.algebra.relation import Relation
from symcost.algebra.signs import Facts
from symcost.analysis.optimum.constraints import Bounds, bounds_of, decided
from symcost.analysis.optimum.single import pruned, with_least_size
from symcost.analysis.optimum.types import OptimumCase
from symcost.analysis.proof.monotone import derivative
from symcost.analysis.thresholds.inequality import positive_ratio
from symcost.analysis.thresholds.sets import Case
from symcost.errors import UndecidedError


def minimum_by_slope(
    value: Expr, symbol: Symbol, constraints: Iterable[Relation]
) -> tuple[OptimumCase, ...]:
    """Minimize a quotient of sums that falls up to one point at most, and rises from there.

    Raises:
        UndecidedError: it falls and rises more than once, or its slope has too many roots.
    """
    bounds = with_least_size(bounds_of(constraints, symbol), symbol)
    ratio = as_ratio(value)
    slope = derivative(ratio.num, symbol) * ratio.den - ratio.num * derivative(ratio.den, symbol)
    rising = positive_ratio(Ratio.of(slope), symbol, Facts({symbol: 0}), True)
    found = [each for case in rising for each in _cases(value, symbol, case, bounds)]
    found.sort(key=lambda each: each.kind != "interior")
    return pruned(case.under(*bounds.when) for case in found)


def _cases(value: Expr, symbol: Symbol, rising: Case, bounds: Bounds) -> Iterator[OptimumCase]:
    when = tuple(condition.relation() for condition in rising.when)
    if len(rising.intervals) > 1 or (rising.intervals and rising.intervals[0].high is not None):
        raise UndecidedError(
            f"the objective falls and rises more than once with {symbol}",
            repair="give numbers for the other symbols",
        )
    turn = rising.intervals[0].low if rising.intervals else None
    if rising.is_always or rising.is_never:
        ends = bounds.low if rising.is_always else bounds.high
        if not ends:
            how = "falls towards 0" if rising.is_always else "grows"
            reason = f"the objective decreases for ever as {symbol} {how}"
            yield OptimumCase({}, None, "none", reason, when)
        for end in ends:
            yield _at(value, symbol, end, "border", _tightest(end, ends, rising.is_always)).under(
                *when
            )
        return
    assert turn is not None
    inside = [Relation(turn, ">=", low) for low in bounds.low]
    inside += [Relation(high, ">=", turn) for high in bounds.high]
    yield _at(value, symbol, turn, "interior", inside).under(*when)
    for end in bounds.low:
        beyond = [Relation(end, ">=", turn), *_tightest(end, bounds.low, True)]
        yield _at(value, symbol, end, "border", beyond).under(*when)
    for end in bounds.high:
        beyond = [Relation(turn, ">=", end), *_tightest(end, bounds.high, False)]
        yield _at(value, symbol, end, "border", beyond).under(*when)


def _tightest(end: Expr, ends: Iterable[Expr], low: bool) -> list[Relation]:
    others = [other for other in ends if other != end]
    return [Relation(end, ">=", o) if low else Relation(o, ">=", end) for o in others]


def _at(value: Expr, symbol: Symbol, at: Expr, kind: str, when: Iterable[Relation]) -> OptimumCase:
    least = kind == "border" and at == Integer(1)
    reason = {
        "interior": "the slope is zero there",
        "border": f"{symbol} is at the end of what the constraints allow",
    }[kind]
    reason = f"{symbol} is at its least value" if least else reason
    listed = tuple(each for each in when if decided(each) is not True)
    return OptimumCase({symbol: at}, value.xreplace({symbol: at}), kind, reason, listed)  # type: ignore[arg-type]
