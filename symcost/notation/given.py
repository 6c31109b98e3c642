"""What a public function was given that is no text: numbers, sympy and lists become ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sympy import Expr, Symbol

from symcost.algebra.exact import exact, shown
from symcost.algebra.relation import Relation
from symcost.errors import InvalidValueError
from symcost.notation.numbers import Value, plain_number
from symcost.notation.tokens import plain_name
from symcost.symbols import canonical

if TYPE_CHECKING:
    from symcost.notation.border import ASymbol


def listed(given: object) -> tuple[object, ...]:
    """One thing or several, as a tuple."""
    if isinstance(given, str | Relation) or not isinstance(given, Iterable):
        return (given,)
    return tuple(given)


def with_ours(expr: Expr, symbol: Callable[[str], Symbol]) -> Expr:
    """The expression with our symbols of the same names."""
    swap = {s: ours for s in expr.free_symbols if (ours := symbol(s.name)) != s}
    return expr.xreplace(swap) if swap else expr


def symbol_names(symbols: ASymbol | Iterable[ASymbol]) -> tuple[ASymbol, ...]:
    if isinstance(symbols, str):
        symbols = symbols.replace(",", " ").split()
    several = listed(symbols)
    for each in several:
        if not isinstance(each, str | Symbol):
            raise InvalidValueError(
                f"{shown(each)} is no symbol", repair='give its name, as "B", or a symbol'
            )
    return tuple(plain_name(each) if isinstance(each, str) else each for each in several)


def known_symbols(given: Iterable[object], wanted: Iterable[ASymbol]) -> dict[str, Symbol]:
    """The symbols of what was given as sympy, as ours."""
    symbols = {each for each in wanted if isinstance(each, Symbol)}
    for each in given:
        if not isinstance(each, str):
            symbols |= getattr(each, "free_symbols", set())
    return {s.name: s for s in canonical(symbols).values()}


def relation_of(given: object) -> Relation:
    if isinstance(given, Relation):
        return given
    op = getattr(given, "rel_op", None)
    if op is None:
        raise InvalidValueError(
            f"{shown(given)} is no relation",
            repair='write for example "B*D > 300", or x > y of sympy',
        )
    left, right = (exact(getattr(given, side)) for side in ("lhs", "rhs"))
    return Relation(left, "=" if op == "==" else str(op), right)


def number_of(name: str, given: object) -> Value:
    value = exact(given)
    if value.is_nonpositive:
        raise InvalidValueError(f"{name} cannot be {value}", repair="give a positive number")
    return plain_number(value) if value.is_Rational else value


def put_into_each_other(
    values: dict[str, Value], symbol: Callable[[str], Symbol]
) -> dict[str, Value]:
    """The values without the names of others: ``B=D, D=3`` sets both to 3."""
    swap = {symbol(name): exact(value) for name, value in values.items()}
    open_: set[str] = set()
    for _ in values:
        open_ = {name for name, v in values.items() if getattr(v, "free_symbols", set()) & {*swap}}
        if not open_:
            return values
        values = {n: exact(v).xreplace(swap) if n in open_ else v for n, v in values.items()}
    raise InvalidValueError(
        f"{' and '.join(sorted(open_))} are set to formulas of each other",
        repair="give one of them a number",
    )
