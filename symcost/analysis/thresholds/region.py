"""The worst case of an inequality in a region of several parameters, one parameter at a time.

Where a margin moves one way with a parameter, its worst case is an end of the parameter's range,
and that may be a formula in the others: ``F >= 4*D`` leaves ``F = 4*D``. A margin that is a line
in a power of the parameter has its worst case at one of both ends, whichever way it moves.
Source: the elimination of J. Fourier and T. Motzkin; A. Schrijver, Theory of Linear and Integer
Programming (1986), section 12.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sympy import Expr, Integer, Symbol, nan, oo, zoo

from symcost.algebra import Posynomial, Ratio, as_posynomial, as_ratio
from symcost.algebra.dominance import unbeaten
from symcost.algebra.posynomial import ONE, ZERO
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import SIGNS, Condition
from symcost.algebra.signs import Facts, ratio_signs, sign
from symcost.analysis.facts import facts_from
from symcost.analysis.proof.monotone import DIRECTIONS, monotone, slope_signs
from symcost.errors import MissingRuleError, UndecidedError
from symcost.symbols import is_dim

MAX_CASES = 32  # that are followed to their ends
SECONDS = 2.0  # for each question that signs leave to z3

NEVER = Ratio(-ONE)


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The margin at one corner: it must be above zero, or with ``weak`` not below.

    ``at`` says where the parameters are (``oo`` where one grows without end), ``certain`` whether
    signs showed that no other place is worse.
    """

    margin: Ratio
    weak: bool
    at: Mapping[Symbol, Expr]
    certain: bool = True

    def placed(self, symbol: Symbol, value: Expr) -> WorstCase:
        """The case with one more parameter at its place."""
        moved = {s: e if e is oo else e.xreplace({symbol: value}) for s, e in self.at.items()}
        return replace(self, at={**moved, symbol: value})


@dataclass(frozen=True, slots=True)
class End:
    """An end of a parameter's range, and whether it is left out."""

    value: Ratio
    strict: bool


@dataclass(frozen=True, slots=True)
class Range:
    """What conditions leave to one parameter, and what they say of the others."""

    low: tuple[End, ...]
    high: tuple[End, ...]
    rest: tuple[Condition, ...]

    def at(self, end: End) -> tuple[Condition, ...]:
        """What must hold of the others where this end is the tightest on its side."""
        turn = 1 if end in self.low else -1
        same, opposite = (self.low, self.high) if turn > 0 else (self.high, self.low)
        tighter = (_at_least(end, other, turn) for other in same if other is not end)
        apart = (_at_least(end, other, -turn, apart=True) for other in opposite)
        return (*self.rest, *tighter, *apart)

    def projected(self) -> tuple[Condition, ...]:
        """What must hold of the others for some value to be left."""
        gaps = (_at_least(high, low, 1, apart=True) for high in self.high for low in self.low)
        return (*self.rest, *gaps)


def worst_cases(
    margin: Ratio, unknown: Symbol, conditions: Iterable[Condition], weak: bool
) -> list[WorstCase]:
    """The corners of a region, of which each may be the worst; none if the region is empty.

    Raises:
        UndecidedError: no corner is seen to be the worst.
    """
    symbols = {s for a in margin.atoms for s in a.free_symbols}
    known = [c for each in conditions for c in each.upward()]
    symbols = (symbols | {s for each in known for s in each.value.symbols}) - {unknown}
    dims = (as_posynomial(s) - 1 for s in sorted(symbols, key=str) if is_dim(s))
    listed = (*known, *(Condition(each, SIGNS[">="]) for each in dims))
    worst = _followed(WorstCase(margin, weak, {}), unknown, listed)
    if len(worst) > MAX_CASES:
        raise UndecidedError(f"the region has more than {MAX_CASES} corners")
    return worst


def _followed(
    case: WorstCase, unknown: Symbol, conditions: tuple[Condition, ...]
) -> list[WorstCase]:
    if not all(c.holds(c.value.as_fraction()) for c in conditions if c.value.is_constant):
        return []
    facts = facts_from(conditions)
    symbols = {s for a in case.margin.atoms for s in a.free_symbols} - {unknown}
    idle = {s for c in conditions for s in c.value.symbols} - symbols - {unknown}
    if idle:  # what only bounds others
        symbol = min(idle, key=str)
        return _followed(case, unknown, range_of(conditions, symbol, facts).projected())
    if not symbols:
        return [case]
    step = _step(case, unknown, conditions, sorted(symbols, key=str), facts)
    return [each for next_case, left in step for each in _followed(next_case, unknown, left)]


Steps = list[tuple[WorstCase, tuple[Condition, ...]]]


def _step(
    case: WorstCase,
    unknown: Symbol,
    conditions: tuple[Condition, ...],
    symbols: Sequence[Symbol],
    facts: Facts,
) -> Steps:
    """One parameter put where it is worst; the cases that follow, with what is left to know."""
    known = replace(facts, lower={unknown: 0, **facts.lower})
    for symbol in symbols:
        margin, signs = _moves(case.margin, symbol, known)
        if signs in DIRECTIONS:
            way, left = DIRECTIONS[signs], range_of(conditions, symbol, facts)
            return _moved(replace(case, margin=margin), symbol, left, way, 0 not in signs)
    for symbol in symbols:
        parts = _line(case.margin, symbol, known)
        if parts is not None:
            return _at_both(case, symbol, range_of(conditions, symbol, facts), parts)
    for symbol in symbols:
        way = _by_solver(case.margin, symbol, facts, unknown)
        if way in {"increasing", "decreasing"}:
            unsure = replace(case, certain=False)
            return _moved(unsure, symbol, range_of(conditions, symbol, facts), way, False)
    raise UndecidedError(
        f"the inequality gets neither easier nor harder everywhere with {symbols[0]}",
        repair=f"narrow the box, or give {symbols[0]} a number",
    )


def _moves(margin: Ratio, symbol: Symbol, facts: Facts) -> tuple[Ratio, frozenset[int]]:
    """How the margin moves; else the quotient of what is for and what is against it, less 1.

    Both have one sign. The quotient has a limit where the margin may grow either way without end.
    """
    signs = slope_signs(margin, symbol, facts)
    below = sign(margin.den, facts)
    if signs in DIRECTIONS or not below:
        return margin, signs
    above, against = Condition(margin.num.scaled(below), SIGNS[">="]).sides()
    if not above or not against:
        return margin, signs
    quotient = Ratio.of(above, against)
    return quotient - Ratio(ONE), slope_signs(quotient, symbol, facts)


def _moved(case: WorstCase, symbol: Symbol, left: Range, way: str, strict: bool) -> Steps:
    """The parameter at the end where the margin is smallest."""
    if way == "constant":  # any value will do
        end = next(iter((*left.low, *left.high)), End(Ratio.of(ONE), False))
        return [(_placed(case, symbol, end), left.projected())]
    ends = left.low if way == "increasing" else left.high
    if not ends and way == "increasing":
        ends = (_from_zero(case, symbol),)
    if not ends:
        limit = _limit(case.margin, symbol)
        beyond = replace(case, margin=limit, weak=case.weak or strict).placed(symbol, oo)
        return [(beyond, left.rest)]
    return [
        (
            _placed(replace(case, weak=case.weak or (end.strict and strict)), symbol, end),
            left.at(end),
        )
        for end in ends
    ]


def _from_zero(case: WorstCase, symbol: Symbol) -> End:
    """The end of a rate that no condition bounds below: it is above 0."""
    if case.margin.to_sympy().xreplace({symbol: Integer(0)}).has(zoo, nan):
        raise UndecidedError(
            f"{symbol} has no lower bound", repair=f"give one, such as {symbol} >= 1"
        )
    return End(Ratio.of(ZERO), True)


def _placed(case: WorstCase, symbol: Symbol, end: End) -> WorstCase:
    value = end.value.to_sympy()
    margin = as_ratio(case.margin.to_sympy().xreplace({symbol: value}))
    return replace(case, margin=margin).placed(symbol, value)


def _line(margin: Ratio, symbol: Symbol, facts: Facts) -> tuple[Posynomial, Posynomial] | None:
    """``a`` and ``b`` of a margin with the sign of ``a*symbol**p + b``, if it is such a line."""
    below = sign(margin.den, facts)
    if not below or any(symbol in a.free_symbols for a in margin.num.atoms if a != symbol):
        return None
    parts = margin.num.scaled(below).coefficients(symbol)
    if len(parts) != 2:
        return None
    return parts[max(parts)], parts[min(parts)]


def _at_both(
    case: WorstCase, symbol: Symbol, left: Range, parts: tuple[Posynomial, Posynomial]
) -> Steps:
    """Both ends; without an upper end the slope must not be negative."""
    if not left.low:
        raise UndecidedError(
            f"{symbol} has no lower bound", repair=f"give one, such as {symbol} >= 1"
        )
    steps = [(_placed(case, symbol, end), left.at(end)) for end in (*left.low, *left.high)]
    if not left.high:
        rising = replace(case, margin=Ratio.of(parts[0]), weak=True).placed(symbol, oo)
        steps.append((rising, left.rest))
    return steps


def _by_solver(margin: Ratio, symbol: Symbol, facts: Facts, unknown: Symbol) -> str:
    try:
        return monotone(margin, symbol, facts, SECONDS, free=unknown).answer
    except MissingRuleError:
        return "undecided"


def _limit(value: Ratio, symbol: Symbol) -> Ratio:
    """The limit as the symbol grows; below zero where the value falls without end."""
    inside = sorted(str(a) for a in value.atoms if a != symbol and symbol in a.free_symbols)
    if inside:
        raise UndecidedError(
            f"{symbol} grows without end inside {inside[0]}",
            repair=f"give {symbol} an upper bound",
        )
    num, den = value.num.coefficients(symbol), value.den.coefficients(symbol)
    top, bottom = max(num), max(den)
    if top > bottom:
        return NEVER
    return Ratio.of(num[top], den[bottom]) if top == bottom else Ratio(ZERO)


# -- the range of one parameter -----------------------------------------------------------


def range_of(conditions: Iterable[Condition], symbol: Symbol, facts: Facts) -> Range:
    low: dict[End, None] = {}
    high: dict[End, None] = {}
    rest: list[Condition] = []
    for each in conditions:
        if symbol not in each.value.symbols:
            rest.append(each)
            continue
        side, end = _end(each, symbol, facts)
        if end is not None:
            (low if side > 0 else high)[end] = None
    return Range(_tightest(low, 1, facts), _tightest(high, -1, facts), tuple(rest))


def _end(each: Condition, symbol: Symbol, facts: Facts) -> tuple[int, End | None]:
    """The bound that a condition is, and whether it is a lower (1) or an upper one (-1)."""
    parts = each.value.coefficients(symbol)
    inside = any(symbol in a.free_symbols for a in each.value.atoms if a != symbol)
    if inside or len(parts) > 2:
        raise UndecidedError(
            f"{each} is no plain bound of {symbol}", repair=f"give bounds of {symbol} itself"
        )
    if len(parts) == 1:
        return 0, None
    p, q = max(parts), min(parts)
    first, second = sign(parts[p], facts), sign(parts[q], facts)
    if first and first == second:
        return 0, None
    if not first or not second:
        raise UndecidedError(
            f"whether {each} bounds {symbol} from below or above is open",
            repair="relate single terms, as in D >= 4*F",
        )
    value = Ratio.of(-parts[q], parts[p]) ** Fraction(1, Fraction(p - q))
    return first, End(value, each.is_strict)


def _tightest(ends: Iterable[End], turn: int, facts: Facts) -> tuple[End, ...]:
    """The ends without those that another one on the same side always leaves behind."""

    def implies(other: End, end: End) -> bool:
        signs = ratio_signs(other.value - end.value, facts)
        return frozenset(s * turn for s in signs) <= ({1} if end.strict else {0, 1})

    return tuple(unbeaten(ends, implies))


def _at_least(large: End, small: End, turn: int, apart: bool = False) -> Condition:
    """That one end is at least another one (``turn`` 1), or at most (-1).

    Between ends that are ``apart`` some value must be left, beside one that is left out.
    """
    gap = large.value - small.value
    value = normalized(gap.num * gap.den)
    strict = apart and (large.strict or small.strict)
    return Condition(value if turn > 0 else -value, SIGNS[">" if strict else ">="])
