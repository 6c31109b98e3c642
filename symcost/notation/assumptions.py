"""Reading assumptions: ``B << D, F``, ``N -> oo``, ``F = 4*D``, ``D >= 4096``.

Several stand in one text, separated by ``;``, a line end or ``and``, and by a comma where
only one reading is possible (see :mod:`symcost.notation.relations`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NoReturn

from sympy import Expr, Integer

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.relation import Relation
from symcost.errors import AssumptionError, SymcostError
from symcost.notation.formulas import is_latex, scan
from symcost.notation.grammar import parse
from symcost.notation.limits import check_text, relocated
from symcost.notation.relations import FAMILIES, Item, Statement, pieces, statements
from symcost.notation.tokens import Scope, Token, failure
from symcost.symbols import is_dim

MAX_ASSUMPTIONS = 1_000
EXAMPLE = 'write for example "B << D, F" or "F = 4*D"'


def read_assumptions(
    text: str, declared: Collection[str] = (), rates: Collection[str] = ()
) -> tuple[Assumption, ...]:
    r"""Read one or more assumptions in plain text or LaTeX.

    >>> read_assumptions("B << D, F")
    (MuchLess(small=B, large=D, text='B << D, F'), MuchLess(small=B, large=F, text='B << D, F'))
    >>> read_assumptions("N -> oo; F = 4*D")
    (MuchLess(small=1, large=N, text='N -> oo'), Equal(symbol=F, expr=4*D, text='F = 4*D'))
    >>> read_assumptions(r"D \ge 4096")
    (D >= 4096,)

    Args:
        text: the assumptions.
        declared: names that are one symbol.
        rates: names that stand for a positive real.

    Returns:
        One record for each pair that is related, with the text it came from.

    Raises:
        NotationError: the text is no assumption, or could be read two ways.
        AssumptionError: an assumption that cannot hold, such as ``B << B``.
    """
    latex = is_latex(check_text(text, "an assumption"))
    found: list[Assumption] = []
    for piece, offset in pieces(text):
        try:
            for assumption in _read(piece, Scope.of(declared, rates), latex):
                found.append(assumption)
                _check_count(found)
        except SymcostError as error:
            raise relocated(error, text, offset) from None
    if not found:
        raise failure("no assumption is found", text, 0, len(text), EXAMPLE)
    return tuple(found)


def _check_count(found: Sequence[Assumption]) -> None:
    if len(found) > MAX_ASSUMPTIONS:
        raise AssumptionError(f"more than {MAX_ASSUMPTIONS:,} assumptions", repair="shorten it")


def _read(piece: str, scope: Scope, latex: bool) -> Iterator[Assumption]:
    for statement in statements(scan(piece, scope, latex), piece, EXAMPLE):
        family = FAMILIES[statement.signs[0].value]
        if any(sign.value == "≈" for sign in statement.signs):
            problem = "≈ is no assumption"
            raise failure(problem, piece, statement.start, statement.end, "use =, <<, <, >, or ->")
        if statement.signs[0].value == "->":
            yield from _limits(statement, piece)
        elif family == "growth":
            yield from _growth(statement, piece)
        elif family == "equality":
            yield from _equalities(statement, piece)
        else:
            yield from _orders(statement, piece)


def _typed(statement: Statement, piece: str) -> str:
    return piece[statement.start : statement.end]


def _value(item: Item, piece: str) -> Expr:
    return parse(item, piece, item[0].start, item[-1].end)


def _refuse(problem: str, statement: Statement, piece: str, repair: str) -> NoReturn:
    error = AssumptionError(problem, repair=repair)
    raise error.at(piece, statement.start, statement.end - statement.start)


def _limits(statement: Statement, piece: str) -> Iterator[Assumption]:
    """``N -> oo`` is ``1 << N``; ``x -> 0`` is ``x << 1``."""
    left, ((*goal,),) = statement.sides
    grows, shrinks = _is_infinity(goal), _is_zero(goal)
    if not grows and not shrinks:
        raise failure(
            "-> leads to oo or to 0", piece, goal[0].start, goal[-1].end, 'write "N -> oo"'
        )
    for item in left:
        value = _value(item, piece)
        one = Integer(1)
        small, large = (one, value) if grows else (value, one)
        yield _much_less(small, large, statement, piece)


def _is_infinity(goal: Sequence[Token]) -> bool:
    return [token.kind for token in goal] == ["INF"] and goal[0].value.lower() != "nan"


def _is_zero(goal: Sequence[Token]) -> bool:
    return [(token.kind, token.value) for token in goal] == [("NUMBER", "0")]


def _growth(statement: Statement, piece: str) -> Iterator[Assumption]:
    """Each of a list against each of the next."""
    values = [[_value(item, piece) for item in side] for side in statement.sides]
    for sign, left, right in zip(statement.signs, values, values[1:], strict=False):
        smalls, larges = (left, right) if sign.value == "<<" else (right, left)
        for small in smalls:
            for large in larges:
                yield _much_less(small, large, statement, piece)


def _much_less(small: Expr, large: Expr, statement: Statement, piece: str) -> MuchLess:
    for side in (small, large):
        if side.is_nonpositive:
            _refuse(f"{side} is not positive", statement, piece, "relate positive quantities")
    if (large / small).is_number:
        problem = f"{small} and {large} grow alike, so neither is much less"
        _refuse(problem, statement, piece, "relate two different quantities")
    return MuchLess(small, large, _typed(statement, piece))


def _equalities(statement: Statement, piece: str) -> Iterator[Assumption]:
    """``D = F = 8192``: each name is set to the last side."""
    values = [_value(item, piece) for side in statement.sides for item in side]
    *symbols, expr = values
    if len(values) == 2 and expr.is_Symbol and not symbols[0].is_Symbol:
        symbols, expr = [expr], symbols[0]
    for symbol in symbols:
        if not symbol.is_Symbol:
            problem = f"{symbol} is no name, so it cannot be set to a value"
            _refuse(problem, statement, piece, "write a name on the left of =, as in F = 4*D")
        if symbol in expr.free_symbols:
            _refuse(f"{symbol} stands on both sides", statement, piece, "leave it out")
        _check_value(symbol, expr, statement, piece)
        yield Equal(symbol, expr, _typed(statement, piece))


def _check_value(symbol: Expr, expr: Expr, statement: Statement, piece: str) -> None:
    if expr.is_nonpositive:
        _refuse(f"{symbol} must be positive", statement, piece, "give a positive value")
    if expr.is_number and is_dim(symbol) and not expr.is_Integer:
        _refuse(f"{symbol} is a dimension", statement, piece, "give a whole number")


def _orders(statement: Statement, piece: str) -> Iterator[Assumption]:
    values = [[_value(item, piece) for item in side] for side in statement.sides]
    for sign, left, right in zip(statement.signs, values, values[1:], strict=False):
        for lhs in left:
            for rhs in right:
                if (lhs - rhs).is_number:
                    problem = f"{lhs} {sign.value} {rhs} says nothing of a symbol"
                    _refuse(problem, statement, piece, "relate two different quantities")
                yield Relation(lhs, sign.value, rhs, _typed(statement, piece))
