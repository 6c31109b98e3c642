"""Reading exact numbers for names: ``C=1.97e14, W=8.2e11``, ``D=F=16384``, ``B=1:4096``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, TypeAlias

from sympy import Expr, Symbol

from symcost.errors import DuplicateNameError, InvalidValueError, NotationError, SymcostError
from symcost.notation.formulas import Parsed, each_statement, parsed, read
from symcost.notation.limits import check_text, located, part_of
from symcost.notation.plain_tokens import scan_plain
from symcost.notation.relations import Item, Statement
from symcost.notation.tokens import Token, failure, typed
from symcost.symbols import dim, is_dim

Value: TypeAlias = int | Fraction | Expr

EXAMPLE = "write for example D=8192, F=8192"
SWEEP_EXAMPLE = "write for example B=1:4096"


@dataclass(frozen=True, slots=True)
class Given:
    """One ``name = value`` as plain syntax, and where it stands in the text."""

    name: str
    parsed: Parsed
    whole: str
    offset: int

    def refuse(self, problem: str) -> NoReturn:
        """Raise an error about the value."""
        with part_of(self.whole, self.offset):
            raise _placed(InvalidValueError(problem, repair="give a plain number"), self.parsed)

    def value(self, symbol: Callable[[str], Symbol], *, formulas: bool = False) -> Value:
        """The exact value; an expression only where ``formulas`` allows names.

        Raises:
            InvalidValueError: zero, negative, or not exact.
        """
        with part_of(self.whole, self.offset):
            expr = _positive(self.parsed, symbol)
            if not formulas or not expr.free_symbols:
                return _number(expr, self.parsed)
            if self.name in {s.name for s in expr.free_symbols}:
                problem = f"{self.name} is set to a formula of itself"
                raise _placed(NotationError(problem), self.parsed)
            return expr


def parse_values(text: str, declared: Collection[str] = ()) -> tuple[Given, ...]:
    """The names and values of a text as plain syntax.

    Raises:
        NotationError: no list of names and values.
        DuplicateNameError: a name that is given twice.
    """
    values: dict[str, Given] = {}

    def store(statement: Statement, piece: str, offset: int) -> None:
        _store(statement, piece, text, offset, values)

    each_statement(text, "a list of numbers", EXAMPLE, store, declared)
    if not values:
        raise failure("no name with a value is found", text, 0, len(text), EXAMPLE)
    return tuple(values.values())


def _store(
    statement: Statement, piece: str, text: str, offset: int, values: dict[str, Given]
) -> None:
    for sign in statement.signs:
        if sign.value != "=":
            problem = f"= is expected, not {typed(sign, piece)!r}"
            raise failure(problem, piece, sign.start, sign.end, EXAMPLE)
    *keys, item = [item for side in statement.sides for item in side]
    value = parsed(item, piece, statement.notes)
    for key in keys:
        token = _key(key, piece)
        if token.value in values:
            with located(piece, token.start, token.end):
                raise DuplicateNameError(f"{token.value} is given twice", repair="leave one out")
        values[token.value] = Given(token.value, value, text, offset)


def _key(item: Item, piece: str) -> Token:
    if len(item) != 1 or item[0].kind != "NAME":
        raise failure("a name is expected before =", piece, item[0].start, item[-1].end, EXAMPLE)
    return item[0]


def _positive(parsed: Parsed, symbol: Callable[[str], Symbol]) -> Expr:
    expr = parsed.value(symbol)
    if expr.is_nonpositive:
        what = "zero" if expr.is_zero else "a negative number"
        error = InvalidValueError(f"{what} is no size or rate", repair="give a positive number")
        raise _placed(error, parsed)
    return expr


def _number(expr: Expr, parsed: Parsed) -> int | Fraction:
    if expr.free_symbols:
        name = min(symbol.name for symbol in expr.free_symbols)
        problem = f"a number is expected, but {name} is a name"
        raise _placed(NotationError(problem, repair="write its value"), parsed)
    if not expr.is_Rational:
        problem, repair = f"{expr} is no exact number", "give a fraction or a decimal"
        raise _placed(InvalidValueError(problem, repair=repair), parsed)
    return plain_number(expr)


def plain_number(value: Expr) -> int | Fraction:
    """A rational of sympy as a number of Python."""
    return int(value.p) if value.q == 1 else Fraction(int(value.p), int(value.q))


def _placed(error: SymcostError, parsed: Parsed) -> SymcostError:
    start, end = _span(parsed)
    return error.at(parsed.text, start, end - start)


def _span(parsed: Parsed) -> tuple[int, int]:
    """Where the syntax stands."""
    waiting = [parsed.syntax]
    start, end = parsed.syntax.start, parsed.syntax.end
    while waiting:
        part = waiting.pop()
        start, end = min(start, part.start), max(end, part.end)
        waiting += getattr(part, "parts", ())
    return start, end


@dataclass(frozen=True, slots=True)
class Sweep:
    """The values of one name from ``start`` to ``stop``, both included; no step: all, or dense."""

    name: str
    start: int | Fraction
    stop: int | Fraction
    step: int | Fraction | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the ends and the step are whole numbers."""
        return not any(isinstance(each, Fraction) for each in (self.start, self.stop, self.step))

    def check(self, symbols: Iterable[Symbol]) -> None:
        """Refuse a fraction for a symbol that is a dimension."""
        if not self.is_whole and any(is_dim(s) for s in symbols if s.name == self.name):
            problem = f"{self.name} is a dimension, so a whole number is expected"
            raise InvalidValueError(problem, repair="sweep it in whole numbers")


def read_sweep(text: str) -> Sweep:
    """Read a range of values of one name.

    >>> read_sweep("B=1:4096")
    Sweep(name='B', start=1, stop=4096, step=None)
    >>> read_sweep("B = 8 : 2^10 : 8")
    Sweep(name='B', start=8, stop=1024, step=8)

    Args:
        text: ``name=first:last`` or ``name=first:last:step``.

    Returns:
        The range.

    Raises:
        NotationError: the text is no range.
        InvalidValueError: a bound that is not positive, or an empty range.
    """
    word, _, bounds = check_text(text, "a range").partition("=")
    parts = bounds.split(":")
    if len(parts) not in (2, 3) or "=" in bounds:
        raise failure("a range of values is expected", text, 0, len(text), SWEEP_EXAMPLE)
    name = _sweep_name(word, text)
    values: list[int | Fraction] = []
    offset = len(word) + 1
    for part in parts:
        values.append(_bound(part, text, offset))
        offset += len(part) + 1
    if values[0] > values[1]:
        raise InvalidValueError("the range is empty", repair="write the smaller bound first").at(
            text, len(word) + 1, len(bounds)
        )
    return Sweep(name, *values)


def _sweep_name(word: str, text: str) -> str:
    tokens = scan_plain(word)
    if len(tokens) != 1 or tokens[0].kind != "WORD":
        raise failure("a name is expected before =", text, 0, len(word), SWEEP_EXAMPLE)
    return tokens[0].value


def _bound(part: str, text: str, offset: int) -> int | Fraction:
    with part_of(text, offset):
        if not part.strip():
            raise failure("a number is missing here", part, 0, 1, SWEEP_EXAMPLE)
        parsed = read(part, bare=True)
        return _number(_positive(parsed, dim), parsed)
