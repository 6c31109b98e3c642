"""Minima tried at numbers before they are told: nothing near the point may be lower."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from sympy import Expr, Integer, Rational, Symbol

from symcost.algebra import Maximum, as_ratio
from symcost.algebra.factors import factors
from symcost.algebra.reals import sign_of
from symcost.algebra.relation import Relation
from symcost.algebra.signs import possible_signs
from symcost.analysis.facts import facts_from
from symcost.analysis.optimum.types import OptimumCase
from symcost.analysis.thresholds.threshold import solved
from symcost.errors import UndecidedError
from symcost.symbols import is_dim

Point = dict[Symbol, Expr]

SIZES = (1, 2, 3, 5, 20, 100, 5000, 10**6)
DRAWS = 24  # of sizes for the symbols without numbers
TRIED = 2  # of those at which a case applies
DIGITS = 40  # enough to notice a wrong minimum
STEPS = (Rational(9, 10), Rational(11, 10))


def check_minimum(
    value: Expr, constraints: Sequence[Relation], cases: Iterable[OptimumCase], *, near: bool
) -> None:
    """Refuse a minimum that the objective does not have at its point, or that is none.

    Args:
        value: the objective.
        constraints: what a point must satisfy.
        cases: the answers.
        near: whether points beside the minimum count, too; not where only integers do.

    Raises:
        UndecidedError: a case is wrong at some sizes.
    """
    for case in cases:
        if case.value is None:
            continue
        for sizes in islice(_sizes(value, case), TRIED):
            point = {symbol: at.xreplace(sizes) for symbol, at in case.point.items()}
            least, there = case.value.xreplace(sizes), value.xreplace({**sizes, **point})
            beside = _beside(point, sizes, constraints) if near else ()
            lower = (n for n in beside if _sign(least, value.xreplace({**sizes, **n})) > 0)
            if _sign(least, there) or next(lower, None):
                at = ", ".join(f"{s} = {v}" for s, v in (sizes | point).items())
                raise UndecidedError(
                    f"no minimum was found: the objective is {there} at {at}",
                    repair="give numbers for all symbols but one",
                )


def check_divisors(value: Expr, symbols: Sequence[Symbol], constraints: Sequence[Relation]) -> None:
    """Refuse a divisor that changes its sign within what is allowed: a cost has a pole there.

    Raises:
        UndecidedError: there is one; no valley beside a pole is the least value.
    """
    facts = facts_from([each.condition() for each in constraints])
    ratios = [as_ratio(each) for each in (value, *_arguments(value))]
    for factor in (factor for ratio in ratios for factor in factors(ratio.den)):
        mine = [symbol for symbol in symbols if symbol in factor.symbols]
        divisor = factor.to_sympy()
        if mine and {-1, 1} <= possible_signs(factor, facts) and _has_root(divisor, mine[0]):
            raise UndecidedError(
                f"the divisor {divisor} may be positive or negative, and the objective has no "
                "bound where it is 0",
                repair=f"add a constraint such as {divisor} > 0 or {divisor} < 0",
            )


def _has_root(divisor: Expr, symbol: Symbol) -> bool:
    """Whether a divisor may be zero for some value of a symbol."""
    cases = solved(Relation(divisor, ">", Integer(0)), symbol).cases
    return not all(case.is_always or case.is_never for case in cases)


def _arguments(value: Expr) -> list[Expr]:
    return [each for maximum in value.atoms(Maximum) for each in maximum.args]


def _sizes(value: Expr, case: OptimumCase) -> Iterator[Point]:
    """Sizes of the symbols that are not chosen, at which the conditions of a case hold."""
    symbols = value.free_symbols.union(*(each.free_symbols for each in case.when))
    others = sorted(symbols - {*case.point}, key=lambda s: s.name)
    draw = Random(0)
    for _ in range(DRAWS if others else 1):
        sizes = {symbol: Integer(draw.choice(SIZES)) for symbol in others}
        if _all_hold(case.when, sizes):
            yield sizes


def _beside(point: Point, sizes: Point, constraints: Sequence[Relation]) -> Iterator[Point]:
    """The points that are allowed when one symbol is a tenth larger or smaller."""
    for symbol, at in point.items():
        for step in STEPS:
            moved = {**point, symbol: at * step}
            fits = not is_dim(symbol) or _sign(at * step, Integer(1)) >= 0
            if fits and _all_hold(constraints, {**sizes, **moved}):
                yield moved


def _all_hold(relations: Iterable[Relation], point: Mapping[Symbol, Expr]) -> bool:
    try:
        return all(each.holds(point) for each in relations)
    except UndecidedError:
        return False


def _sign(left: Expr, right: Expr) -> int:
    """How two numbers compare; those that cannot be told apart are taken for equal."""
    try:
        return sign_of(left - right, DIGITS) or 0
    except UndecidedError:
        return 0
