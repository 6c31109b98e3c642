"""Reading exact numbers for names: ``C=1.97e14, W=8.2e11``, ``D=F=16384``, ``B=1:4096``."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from sympy import Expr

from symcost.errors import DuplicateNameError, InvalidValueError, NotationError, SymcostError
from symcost.notation.formulas import is_latex, scan
from symcost.notation.grammar import parse
from symcost.notation.limits import check_text, relocated
from symcost.notation.plain_tokens import plain_name
from symcost.notation.relations import Item, Statement, pieces, statements
from symcost.notation.tokens import Scope, Token, failure

Value: TypeAlias = int | Fraction | Expr

EXAMPLE = "write for example D=8192, F=8192"
SWEEP_EXAMPLE = "write for example B=1:4096"
_KEY = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)")


def read_numbers(
    text: str,
    *,
    integers: Collection[str] = (),
    formulas: bool = False,
    declared: Collection[str] = (),
    rates: Collection[str] = (),
) -> dict[str, Value]:
    """Read a list of names with their values.

    A value may be written with arithmetic; it is exact.

    >>> read_numbers("C=1.97e14, W=8.2e11")
    {'C': 197000000000000, 'W': 820000000000}
    >>> read_numbers("D=F=2^14; r=1/3")
    {'D': 16384, 'F': 16384, 'r': Fraction(1, 3)}
    >>> read_numbers("F=4*D", formulas=True)
    {'F': 4*D}

    Args:
        text: ``name = value`` items, separated by commas, semicolons or line ends.
        integers: names whose value must be a whole number (dimensions).
        formulas: whether a value may contain names.
        declared: names that are one symbol in a value; those that get a value are, too.
        rates: names that stand for a positive real in a value.

    Returns:
        The value of each name, an int or Fraction, or an expression when it contains names.

    Raises:
        NotationError: no list of names and values.
        InvalidValueError: a value that is zero, negative, not exact, or not whole.
        DuplicateNameError: a name that is given twice.
    """
    latex = is_latex(check_text(text, "a list of numbers"))
    scope = Scope.of({*declared, *_KEY.findall(text)}, rates)
    found: dict[str, Value] = {}
    for piece, offset in pieces(text):
        try:
            for statement in statements(scan(piece, scope, latex), piece, EXAMPLE):
                _store(statement, piece, integers, formulas, found)
        except SymcostError as error:
            raise relocated(error, text, offset) from None
    if not found:
        raise failure("no name with a value is found", text, 0, len(text), EXAMPLE)
    return found


def _store(
    statement: Statement,
    piece: str,
    integers: Collection[str],
    formulas: bool,
    found: dict[str, Value],
) -> None:
    for sign in statement.signs:
        if sign.value != "=":
            raise failure(
                f"= is expected, not {sign.value!r}", piece, sign.start, sign.end, EXAMPLE
            )
    *keys, item = [item for side in statement.sides for item in side]
    value = _value(item, piece, formulas)
    for key in keys:
        token = _key(key, piece)
        name, length = token.value, token.end - token.start
        if name in found:
            error = DuplicateNameError(f"{name} is given twice", repair="leave one out")
            raise error.at(piece, token.start, length)
        if isinstance(value, Expr) and name in {s.name for s in value.free_symbols}:
            raise failure(f"{name} is set to a formula of itself", piece, token.start, item[-1].end)
        if name in integers:
            _check_whole(name, value, piece, item)
        found[name] = value


def _key(item: Item, piece: str) -> Token:
    if len(item) != 1 or item[0].kind not in ("NAME", "RATE"):
        raise failure("a name is expected before =", piece, item[0].start, item[-1].end, EXAMPLE)
    return item[0]


def _value(item: Item, piece: str, formulas: bool) -> Value:
    expr = _positive(item, piece)
    return expr if formulas and expr.free_symbols else _number(expr, item, piece)


def _positive(item: Item, piece: str) -> Expr:
    expr = parse(item, piece, item[0].start, item[-1].end)
    if expr.is_nonpositive:
        what = "zero" if expr.is_zero else "a negative number"
        error = InvalidValueError(f"{what} is no size or rate", repair="give a positive number")
        raise _placed(error, item, piece)
    return expr


def _number(expr: Expr, item: Item, piece: str) -> int | Fraction:
    if expr.free_symbols:
        name = min(symbol.name for symbol in expr.free_symbols)
        problem = f"a number is expected, but {name} is a name"
        raise _placed(NotationError(problem, repair="write its value"), item, piece)
    if not expr.is_Rational:
        problem, repair = f"{expr} is no exact number", "give a fraction or a decimal"
        raise _placed(InvalidValueError(problem, repair=repair), item, piece)
    return int(expr.p) if expr.q == 1 else Fraction(int(expr.p), int(expr.q))


def _placed(error: SymcostError, item: Item, piece: str) -> SymcostError:
    return error.at(piece, item[0].start, item[-1].end - item[0].start)


def _check_whole(name: str, value: Value, piece: str, item: Item) -> None:
    if isinstance(value, Fraction):
        problem = f"the dimension {name} must be a whole number"
        raise _placed(InvalidValueError(problem, repair="give for example 8192"), item, piece)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The values of one name from ``start`` to ``stop``, both included; no step: all, or dense."""

    name: str
    start: int | Fraction
    stop: int | Fraction
    step: int | Fraction | None = None


def read_sweep(text: str, *, integers: bool = True) -> Sweep:
    """Read a range of values of one name.

    >>> read_sweep("B=1:4096")
    Sweep(name='B', start=1, stop=4096, step=None)
    >>> read_sweep("B = 8 : 2^10 : 8")
    Sweep(name='B', start=8, stop=1024, step=8)

    Args:
        text: ``name=first:last`` or ``name=first:last:step``.
        integers: whether the values must be whole numbers.

    Returns:
        The range.

    Raises:
        NotationError: the text is no range.
        InvalidValueError: a bound that is not positive or not whole, or an empty range.
    """
    word, _, bounds = check_text(text, "a range").partition("=")
    parts = bounds.split(":")
    if len(parts) not in (2, 3) or "=" in bounds:
        raise failure("a range of values is expected", text, 0, len(text), SWEEP_EXAMPLE)
    name = _sweep_name(word, text)
    values: list[int | Fraction] = []
    offset = len(word) + 1
    for part in parts:
        values.append(_bound(part, text, offset, integers))
        offset += len(part) + 1
    if values[0] > values[1]:
        raise InvalidValueError("the range is empty", repair="write the smaller bound first").at(
            text, len(word) + 1, len(bounds)
        )
    return Sweep(name, *values)


def _sweep_name(word: str, text: str) -> str:
    name = plain_name(word.strip() or "?")
    item = scan(word, Scope.of({name}))
    if len(item) != 1 or item[0].kind != "NAME":
        raise failure("a name is expected before =", text, 0, len(word), SWEEP_EXAMPLE)
    return item[0].value


def _bound(part: str, text: str, offset: int, integers: bool) -> int | Fraction:
    try:
        item = scan(part, Scope.of())
        if not item:
            raise failure("a number is missing here", part, 0, 1, SWEEP_EXAMPLE)
        value = _number(_positive(item, part), item, part)
        if integers and isinstance(value, Fraction):
            error = InvalidValueError("a whole number is expected", repair="write one")
            raise _placed(error, item, part)
    except SymcostError as error:
        raise relocated(error, text, offset) from None
    return value
