"""The integers that satisfy an inequality, up to a bound: exact, with ceilings and floors kept.

Ranges of integers are decided as a whole by interval arithmetic and halved where it does not
decide. Source: R. Moore, R. Kearfott, M. Cloud, Introduction to Interval Analysis (2009),
chapters 5 and 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from sympy import Expr, Integer, Symbol, divisors

from symcost.algebra.enclosures import Enclosing, Enclosure
from symcost.algebra.reals import compare
from symcost.algebra.relation import Relation
from symcost.analysis.thresholds.asking import question
from symcost.analysis.thresholds.inequality import cancelled_poles
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.analysis.values import canonical_expr
from symcost.documents.blocks import Block, Math, Prose, Told
from symcost.errors import InvalidValueError, UndecidedError
from symcost.notation.border import AnExpr, ARelation, ASymbol
from symcost.render.shown import Displayed

MAX_DIGITS = 15  # of a number whose divisors are listed
MAX_RANGES = 12_000  # that are decided or halved, a second or two
DIGITS = 24  # of the ends of a range

Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, repr=False)
class IntegerSet(Displayed):
    """The integers from 1 to ``up_to`` that satisfy an inequality, as ranges with both ends.

    ``smooth`` is the threshold with ``ceiling(x)`` and ``floor(x)`` replaced by ``x``.

    >>> import symcost as sc
    >>> from sympy import ceiling
    >>> B = sc.dim("B")
    >>> sc.integer_set(8 * ceiling(B / 8) <= 2 * B, B, up_to=20).ranges
    ((4, 20),)
    """

    symbol: Symbol
    ranges: tuple[tuple[int, int], ...]
    up_to: int
    smooth: Threshold | None

    def __contains__(self, value: object) -> bool:
        return any(low <= value <= high for low, high in self.ranges)  # type: ignore[operator]

    def __iter__(self) -> Iterator[int]:
        return (value for low, high in self.ranges for value in range(low, high + 1))

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    @property
    def smallest(self) -> int | None:
        """The smallest integer of the set."""
        return self.ranges[0][0] if self.ranges else None

    @property
    def holds_from(self) -> int | None:
        """The integer from which on all integers up to the bound belong to the set."""
        return self.ranges[-1][0] if self.ranges and self.ranges[-1][1] == self.up_to else None

    def blocks(self) -> tuple[Block, ...]:
        """The integers, as ranges."""
        said = Told((f"{ranges_text(self.ranges)} (of 1 to {self.up_to})",))
        return (Prose((Math(self.symbol, (("=", said),)),)),)

    def data(self) -> dict[str, object]:
        """The ranges, with both ends."""
        return {"symbol": self.symbol.name, "integers": self.ranges, "up_to": self.up_to}


def ranges_text(ranges: Iterable[Range], step: int = 1) -> str:
    """Ranges of integers in a line; of those that lie ``step`` apart all are meant.

    >>> ranges_text([(1, 4), (8, 8)]), ranges_text([(2, 2), (4, 4), (6, 6), (10, 10)], 2)
    ('1 to 4, 8', '2 to 6, 10')
    """
    runs = _joined(ranges, step)
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in runs) or "none"


def integer_set(
    relation: ARelation,
    symbol: ASymbol,
    up_to: int,
    among: str | Iterable[int] | None = None,
) -> IntegerSet:
    """Every integer from 1 to a bound that satisfies an inequality, exactly.

    >>> from sympy import ceiling
    >>> from symcost.symbols import dims
    >>> B = dims("B")
    >>> integer_set(10 * B > 12 * 8 * ceiling(B / 8), B, up_to=40)
    B = none (of 1 to 40)
    >>> integer_set(10 * B > 9 * 8 * ceiling(B / 8), B, up_to=40)
    B = 8, 15 to 16, 22 to 24, 29 to 32, 37 to 40 (of 1 to 40)

    Args:
        relation: an inequality; its only symbol is the unknown.
        symbol: the unknown.
        up_to: the largest integer that is asked about.
        among: ``"even"``, ``"pow2"`` (powers of two), ``"divides:N"``, or a list, to ask about
            these only.

    Returns:
        The set as ranges, beside the smooth threshold.

    Raises:
        UndecidedError: other symbols have no number, or an irrational number decides.
    """
    asked = question(relation, symbol)
    up_to = _whole(up_to)
    upward, unknown = asked.relation.upward(), asked.unknown
    poles = tuple(pole.to_sympy() for pole in cancelled_poles(asked.relation, unknown, ()))
    wanted = _Wanted(upward.lhs - upward.rhs, unknown, upward.is_strict, poles)
    wanted.check()
    listed = _listed(among, up_to)
    if listed is None:
        stretches = _joined(_search(wanted, up_to))
    else:
        stretches = [(n, n) for n in listed if wanted.holds(n, n)]
    return IntegerSet(unknown, tuple(stretches), up_to, _smooth(asked.relation, unknown))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """That a difference is above zero (or not below it, unless ``strict``), and no pole is zero."""

    difference: Expr
    unknown: Symbol
    strict: bool
    poles: tuple[Expr, ...]

    def check(self) -> None:
        """Refuse other symbols."""
        occurring = self.difference.free_symbols.union(*(e.free_symbols for e in self.poles))
        others = sorted(s.name for s in occurring - {self.unknown})
        if others:
            raise UndecidedError(
                f"the integers depend on {', '.join(others)}", repair="give numbers for them"
            )

    def holds(self, low: int, high: int) -> bool | None:
        """Whether all of a range satisfies it, or none does; ``None`` where that is open."""
        if low == high:
            return self._holds_at(Integer(low))
        enclosing = Enclosing(DIGITS, {self.unknown: Enclosure(Decimal(low), Decimal(high))})
        try:
            gap = enclosing.enclose(self.difference)
            beside = all(enclosing.enclose(pole).sign for pole in self.poles)
        except ArithmeticError:  # a pole, or an end that decides nothing
            return None
        if gap.high < 0 or (gap.high == 0 and self.strict):
            return False
        return (beside and (gap.low > 0 or (gap.low == 0 and not self.strict))) or None

    def _holds_at(self, number: Expr) -> bool:
        """Whether it holds at one integer; where it has no value it does not."""
        value, *poles = (e.xreplace({self.unknown: number}) for e in (self.difference, *self.poles))
        if not (value.is_finite and value.is_real and all(poles)):
            return False
        return compare(value, 0) >= int(self.strict)


def _smooth(relation: Relation, unknown: Symbol) -> Threshold | None:
    try:
        return solved(relation, unknown)
    except UndecidedError:
        return None


def _listed(among: str | Iterable[int] | None, up_to: int) -> Iterable[int] | None:
    """The integers that are asked about; ``None``: all up to the bound."""
    if among is None:
        return None
    if not isinstance(among, str):
        return sorted({n for n in map(_whole, among) if n <= up_to})
    kind, _, number = among.partition(":")
    if kind == "pow2" and not number:
        return [2**k for k in range(up_to.bit_length())]
    if kind == "even" and not number:
        if up_to > 2 * MAX_RANGES:
            raise UndecidedError(
                f"more than {MAX_RANGES:,} even numbers", repair="ask for a smaller bound"
            )
        return range(2, up_to + 1, 2)
    if kind == "divides" and number.isdecimal() and 0 < len(number) <= MAX_DIGITS:
        return [int(n) for n in divisors(int(number)) if n <= up_to]
    raise InvalidValueError(
        f"{among!r} names no integers", repair='write "even", "pow2" or "divides:4096"'
    )


def _whole(given: AnExpr) -> int:
    number = canonical_expr(given)
    if not (number.is_Integer and number.is_positive):
        raise InvalidValueError(f"the bound {number} is no positive integer")
    return int(number)


def _search(wanted: _Wanted, high: int) -> Iterator[Range]:
    """Ranges that satisfy it: those that are decided as a whole, and halves of the others."""
    waiting, tried = [(1, high)], 0
    while waiting:
        low, high = waiting.pop()
        tried += 1
        if tried > MAX_RANGES:
            raise UndecidedError(
                f"the set changes too often: {MAX_RANGES:,} ranges were tried up to {low:,}",
                repair="ask for a smaller bound",
            )
        holds = wanted.holds(low, high)
        if holds:
            yield low, high
        elif holds is None and low < high:
            middle = (low + high) // 2
            waiting += [(middle + 1, high), (low, middle)]  # the lower one is taken first


def _joined(ranges: Iterable[Range], step: int = 1) -> list[Range]:
    result: list[tuple[int, int]] = []
    for low, high in ranges:
        if result and result[-1][1] + step == low:
            result[-1] = (result[-1][0], high)
        else:
            result.append((low, high))
    return result
