"""Reading assumptions: ``B << D, F``, ``N -> oo``, ``F = 4*D``, ``D >= 4096``.

Several stand in one text, separated by ``;``, a line end or ``and``, and by a comma where
only one reading is possible (see :mod:`symcost.notation.relations`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from sympy import Expr, Integer, Symbol

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.relation import Relation
from symcost.errors import AssumptionError
from symcost.notation.formulas import Parsed, each_statement, parsed
from symcost.notation.limits import part_of
from symcost.notation.relations import FAMILIES, Statement
from symcost.notation.tokens import Token, failure, typed
from symcost.symbols import is_dim

MAX_ASSUMPTIONS = 1_000
EXAMPLE = 'write for example "B << D, F" or "F = 4*D"'


@dataclass(frozen=True, slots=True)
class Stated:
    """One chain of relations as plain syntax: ``B << D, F`` has two sides and one sign.

    The right side of ``->`` is empty; ``goal`` is ``"oo"`` or ``"0"`` then.
    """

    sides: tuple[tuple[Parsed, ...], ...]
    ops: tuple[str, ...]
    typed: str
    whole: str  # the text in which it stands, and where
    start: int
    goal: str = ""
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, None]:
        """The names that occur."""
        return {name: None for side in self.sides for item in side for name in item.names}

    def assumptions(self, symbol: Callable[[str], Symbol]) -> list[Assumption]:
        """What it says, each name as the symbol it stands for.

        Raises:
            AssumptionError: it cannot hold, or sets what is no name.
        """
        with part_of(self.whole, self.start):
            values = [[item.value(symbol) for item in side] for side in self.sides]
        family = FAMILIES[self.ops[0]]
        if self.goal:
            return list(self._limits(values[0]))
        if family == "growth":
            return list(self._growth(values))
        return list(self._equalities(values) if family == "equality" else self._orders(values))

    def _refuse(self, problem: str, repair: str) -> NoReturn:
        error = AssumptionError(problem, repair=repair)
        begin = self.whole.find(self.typed, self.start)
        raise error.at(self.whole, max(begin, 0), len(self.typed))

    def _limits(self, values: Sequence[Expr]) -> Iterator[Assumption]:
        """``N -> oo`` is ``1 << N``; ``x -> 0`` is ``x << 1``."""
        one = Integer(1)
        for value in values:
            yield self._much_less(*((one, value) if self.goal == "oo" else (value, one)))

    def _growth(self, values: Sequence[Sequence[Expr]]) -> Iterator[Assumption]:
        """Each of a list against each of the next."""
        for op, left, right in zip(self.ops, values, values[1:], strict=False):
            smalls, larges = (left, right) if op == "<<" else (right, left)
            for small in smalls:
                for large in larges:
                    yield self._much_less(small, large)

    def _much_less(self, small: Expr, large: Expr) -> MuchLess:
        for side in (small, large):
            if side.is_nonpositive:
                self._refuse(f"{side} is not positive", "relate positive quantities")
        if (large / small).is_number:
            problem = f"{small} and {large} grow alike, so neither is much less"
            self._refuse(problem, "relate two different quantities")
        return MuchLess(small, large, self.typed)

    def _equalities(self, values: Sequence[Sequence[Expr]]) -> Iterator[Assumption]:
        """``D = F = 8192``: each name is set to the last side."""
        *symbols, expr = [value for side in values for value in side]
        if len(symbols) == 1 and expr.is_Symbol and not symbols[0].is_Symbol:
            symbols, expr = [expr], symbols[0]
        for symbol in symbols:
            if not symbol.is_Symbol:
                problem = f"{symbol} is no name, so it cannot be set to a value"
                self._refuse(problem, "write a name on the left of =, as in F = 4*D")
            if symbol in expr.free_symbols:
                self._refuse(f"{symbol} stands on both sides", "leave it out")
            self._check_value(symbol, expr)
            yield Equal(symbol, expr, self.typed)

    def _check_value(self, symbol: Symbol, expr: Expr) -> None:
        if expr.is_nonpositive:
            self._refuse(f"{symbol} must be positive", "give a positive value")
        if expr.is_number and is_dim(symbol) and not expr.is_Integer:
            self._refuse(f"{symbol} is a dimension", "give a whole number")

    def _orders(self, values: Sequence[Sequence[Expr]]) -> Iterator[Assumption]:
        for op, left, right in zip(self.ops, values, values[1:], strict=False):
            for lhs in left:
                for rhs in right:
                    if (lhs - rhs).is_number:
                        problem = f"{lhs} {op} {rhs} says nothing of a symbol"
                        self._refuse(problem, "relate two different quantities")
                    yield Relation(lhs, op, rhs, self.typed)


def _count(stated: Stated) -> int:
    if stated.goal:
        return len(stated.sides[0])
    sizes = [len(side) for side in stated.sides]
    return sum(a * b for a, b in pairwise(sizes))


def parse_assumptions(text: str, declared: Collection[str] = ()) -> tuple[Stated, ...]:
    r"""The assumptions of a text as plain syntax.

    >>> [each.ops for each in parse_assumptions(r"B << D, F; N -> oo; D \ge 4096")]
    [('<<',), ('->',), ('>=',)]

    Raises:
        NotationError: the text is no assumption, or could be read two ways.
        AssumptionError: it relates more pairs than are read.
    """

    def make(statement: Statement, piece: str, offset: int) -> Stated:
        return _stated(statement, piece, text, offset)

    chains = each_statement(text, "an assumption", EXAMPLE, make, declared, single=False)
    if not chains:
        raise failure("no assumption is found", text, 0, len(text), EXAMPLE)
    if sum(map(_count, chains)) > MAX_ASSUMPTIONS:
        problem = f"more than {MAX_ASSUMPTIONS:,} assumptions"
        raise AssumptionError(problem, repair="shorten it").at(text, chains[0].start)
    return tuple(chains)


def _stated(statement: Statement, piece: str, whole: str, offset: int) -> Stated:
    start, end = statement.start, statement.end
    ops = tuple(sign.value for sign in statement.signs)
    for sign in statement.signs:
        if sign.value == "≈":
            problem = f"{typed(sign, piece)} is no assumption"
            raise failure(problem, piece, start, end, "use =, <<, <, >, or ->")
    sides, goal = statement.sides, ""
    if ops[0] == "->":
        goal = _goal(sides[1][0], piece)
        sides = sides[:1]
    read = tuple(tuple(parsed(item, piece) for item in side) for side in sides)
    return Stated(read, ops, piece[start:end], whole, offset, goal, statement.notes)


def _goal(item: Sequence[Token], piece: str) -> str:
    """Where ``->`` leads to."""
    kinds = [(token.kind, token.value) for token in item]
    if kinds == [("NUMBER", "0")]:
        return "0"
    if len(kinds) == 1 and kinds[0][0] == "INF" and kinds[0][1].lower() != "nan":
        return "oo"
    place = (item[0].start, item[-1].end)
    raise failure("-> leads to oo or to 0", piece, *place, 'write "N -> oo"')
