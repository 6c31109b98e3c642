"""Thresholds: the values of one symbol for which an inequality holds, with their conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from sympy import Expr, Integer, Rel, Symbol
from sympy.logic.boolalg import BooleanAtom

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import Atom, exact
from symcost.algebra.signs import NO_FACTS, Facts, normalized, possible_signs, sign
from symcost.analysis.assume import Assumed, assumed
from symcost.analysis.polynomial_sign import positive_where
from symcost.analysis.sets import (
    EVERYTHING,
    NOTHING,
    Case,
    Interval,
    combined,
    intersection,
    union,
    with_otherwise,
)
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import canonical, is_dim

_FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


@dataclass(frozen=True, slots=True)
class Threshold:
    """The set of values of ``symbol`` for which ``lhs op rhs`` holds, case by case.

    ``form`` is ``"exact"``, or ``"limit"`` when an order of growth was assumed.
    """

    symbol: Symbol
    lhs: Expr
    op: str
    rhs: Expr
    cases: tuple[Case, ...]
    form: str = "exact"
    assume: str = ""
    facts: Facts = NO_FACTS

    @property
    def main(self) -> Case:
        """The case that matters: the first that is not "never"."""
        return next((case for case in self.cases if not case.is_never), self.cases[0])

    @property
    def is_always(self) -> bool:
        """Whether it holds for every value, without a condition."""
        return len(self.cases) == 1 and self.cases[0].is_always

    @property
    def is_never(self) -> bool:
        """Whether it holds for no value, without a condition."""
        return len(self.cases) == 1 and self.cases[0].is_never

    @property
    def relation(self) -> str:
        """How symbol and bound compare: a sign, ``"always"``, ``"never"`` or ``"between"``."""
        if self.main.is_always or self.main.is_never:
            return "always" if self.main.is_always else "never"
        interval = self._only_interval()
        if interval is None or (interval.low is not None and interval.high is not None):
            return "between"
        if interval.low is not None:
            return ">=" if interval.low_closed else ">"
        return "<=" if interval.high_closed else "<"

    @property
    def bound(self) -> Expr | None:
        """The one finite end of the main case's set, exact; ``None`` when there is not one."""
        interval = self._only_interval()
        if interval is None:
            return None
        ends = [end for end in (interval.low, interval.high) if end is not None]
        return ends[0] if len(ends) == 1 else None

    @property
    def smallest_integer(self) -> int | None:
        """The smallest integer that satisfies the main case, when its ends are numbers."""
        found = [interval.smallest_integer() for interval in self.main.intervals]
        known = [value for value in found if value is not None]
        return min(known) if known and is_dim(self.symbol) else None

    def _only_interval(self) -> Interval | None:
        return self.main.intervals[0] if len(self.main.intervals) == 1 else None

    def at(self, values: dict[Any, Any] | None = None, **named: Any) -> Threshold:
        """The same question with numbers (or expressions) for other symbols, answered anew.

        >>> from sympy import Rational
        >>> from symcost.symbols import dims
        >>> B, D = dims("B D")
        >>> threshold(B * D / (B + D) > 100, B).at(D=200).bound
        200
        """
        names = {s.name: s for s in self._symbols()}
        given = {**{getattr(k, "name", k): v for k, v in (values or {}).items()}, **named}
        unknown = sorted(set(given) - set(names))
        if unknown:
            raise InvalidValueError(
                f"{', '.join(unknown)} does not occur here",
                repair=f"the symbols are {', '.join(sorted(names))}",
            )
        swap = {names[name]: as_ratio(value) for name, value in given.items()}
        left, right = (as_ratio(side).substitute(swap).to_sympy() for side in (self.lhs, self.rhs))
        cases = _solve(left, self.op, right, self.symbol, self.facts)
        return replace(self, lhs=left, rhs=right, cases=cases)

    def _symbols(self) -> set[Symbol]:
        found: set[Symbol] = (self.lhs.free_symbols | self.rhs.free_symbols) - {self.symbol}
        return found

    def contains(self, value: int | Fraction | Expr) -> bool:
        """Whether a value satisfies the inequality; all other symbols must be numbers."""
        if any(case.when or case.otherwise for case in self.cases):
            raise UndecidedError(
                "the answer depends on other symbols", repair="give numbers for them with .at()"
            )
        return any(interval.contains(exact(value)) for interval in self.main.intervals)

    def supremum(self) -> Expr | None:
        """The least upper bound of ``lhs`` in the symbol, when it grows towards a limit.

        It is what "never" needs as a reason: the left side stays below it, whatever the symbol.
        """
        left = as_ratio(self.lhs)
        if self.symbol not in left.atoms:
            return None
        return _limit_at_infinity(left, self.symbol, self.facts)


def threshold(relation: Any, symbol: Symbol, assume: Any = None) -> Threshold:
    """Solve an inequality for one symbol, exactly, with the conditions under which it holds.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> threshold(B * D / (B + D) > 100, B).bound
    100*D/(D - 100)

    Args:
        relation: a sympy inequality (or a read one) between cost expressions.
        symbol: the unknown, a positive number; integers are taken only at the end.
        assume: assumptions, as text or read: ``F = 4*D`` is put in, ``B << D`` replaces both
            sides by their limits, ``D >= 4096`` decides signs.

    Returns:
        The set of values as cases, each with its conditions; ``repr`` is the rule.

    Raises:
        InvalidValueError: the symbol does not occur, or the relation is no inequality.
        UndecidedError: more sign changes than can be resolved with symbols.

    Source: Descartes' rule of signs decides the number of roots (R. Descartes, La Geometrie,
    1637, book 3); the matmul rule is J. Austin et al., How To Scale Your Model, part 1.
    """
    lhs, op, rhs = _sides(relation)
    given = assumed(assume, (lhs, rhs), extra=(symbol,))
    names = canonical(lhs.free_symbols | rhs.free_symbols | {symbol})
    unknown = names[symbol]
    left, right = (given.apply(side) for side in (lhs, rhs))
    if unknown not in left.free_symbols | right.free_symbols:
        return _without_unknown(left, op, right, unknown, given)
    cases = _solve(left, op, right, unknown, given.facts)
    return Threshold(unknown, left, op, right, cases, given.form, given.text, given.facts)


def _sides(relation: Any) -> tuple[Expr, str, Expr]:
    if isinstance(relation, BooleanAtom | bool):
        truth = Integer(1) if relation else Integer(0)
        return truth, ">", Integer(1) / 2
    lhs, op, rhs = (getattr(relation, name, None) for name in ("lhs", "op", "rhs"))
    if isinstance(relation, Rel):
        op = relation.rel_op
    if lhs is None or op not in _FLIPPED:
        raise InvalidValueError(
            f"{relation} is no inequality", repair="write one with >, >=, < or <="
        )
    return exact(lhs), op, exact(rhs)


def _without_unknown(
    left: Expr, op: str, right: Expr, unknown: Symbol, given: Assumed
) -> Threshold:
    difference = as_ratio(left) - as_ratio(right)
    value = difference.num * difference.den
    signs = possible_signs(value if op[0] == ">" else -value, given.facts)
    wanted = {1} if len(op) == 1 else {0, 1}
    if signs <= wanted or not signs & wanted:
        cases = (Case(EVERYTHING if signs <= wanted else NOTHING),)
        return Threshold(unknown, left, op, right, cases, given.form, given.text, given.facts)
    raise InvalidValueError(
        f"{unknown} does not occur in the inequality",
        repair=f"solve it for one of {', '.join(sorted(a.name for a in value.symbols))}",
    )


def _solve(left: Expr, op: str, right: Expr, unknown: Symbol, facts: Facts) -> tuple[Case, ...]:
    larger, smaller = (left, right) if op[0] == ">" else (right, left)
    difference = as_ratio(larger) - as_ratio(smaller)
    return with_otherwise(_where(difference, unknown, facts, strict=len(op) == 1))


def _where(difference: Ratio, unknown: Symbol, facts: Facts, strict: bool) -> tuple[Case, ...]:
    """Where a ratio is positive: its extrema are split, its denominator's sign is minded."""
    extremum = next(
        (a for a in sorted(difference.atoms, key=str) if isinstance(a, Maximum | Minimum)), None
    )
    if extremum is not None:
        return _split(difference, extremum, unknown, facts, strict)
    for atom in difference.atoms:
        if atom != unknown and unknown in atom.free_symbols:
            raise UndecidedError(
                f"cannot solve for {unknown} inside {atom}",
                repair=f"replace {atom} by a smooth form, for example its argument",
            )
    value = difference.num
    if sign(difference.den, facts) != 1:
        value = value * difference.den
    if not value:
        return (Case(NOTHING if strict else EVERYTHING),)
    return positive_where(normalized(value), unknown, facts, strict)


def _split(
    difference: Ratio, extremum: Atom, unknown: Symbol, facts: Facts, strict: bool
) -> tuple[Case, ...]:
    """A maximum that helps needs one argument to be large enough ("or"); one that hurts, all."""
    value: Posynomial = difference.num
    if sign(difference.den, facts) != 1:
        value = value * difference.den
    parts = value.coefficients(extremum)
    helps = sign(parts.get(1, Posynomial({})), facts)
    if set(parts) - {0, 1} or helps is None:
        raise UndecidedError(
            f"cannot tell whether {extremum} helps or hurts the inequality",
            repair="solve it for each argument of the maximum by itself",
        )
    either = (helps >= 0) == isinstance(extremum, Maximum)
    answers = [
        _where(Ratio.of(value).substitute({extremum: as_ratio(arg)}), unknown, facts, strict)
        for arg in extremum.args
    ]
    join = union if either else intersection
    return reduce(lambda a, b: combined(a, b, join), answers)


def _limit_at_infinity(value: Ratio, unknown: Symbol, facts: Facts) -> Expr | None:
    """The limit of a ratio as the unknown grows, if the ratio grows all the way to it."""
    num, den = (part.coefficients(unknown) for part in (value.num, value.den))
    top, bottom = max(num), max(den)
    if top != bottom or not _increases(num, den, facts):
        return None
    return Ratio.of(num[top], den[bottom]).to_sympy()


def _increases(num: dict[Any, Posynomial], den: dict[Any, Posynomial], facts: Facts) -> bool:
    """Whether ``num' * den - num * den'`` has coefficients that are nowhere negative."""
    slopes: dict[Any, Posynomial] = {}
    for p, a in num.items():
        for q, b in den.items():
            slope = (a * b).scaled(p - q)
            slopes[p + q] = slopes.get(p + q, Posynomial({})) + slope
    return all(possible_signs(slope, facts) <= {0, 1} for slope in slopes.values())
