"""Numbers for symbols: the values a user gives, checked and put in, in one way everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.exact import exact
from symcost.algebra.ratio import content
from symcost.errors import InvalidValueError
from symcost.notation.border import AnExpr, Values, inputs
from symcost.notation.border import values as read_values
from symcost.symbols import by_name, is_dim


def numbers_for(
    values: Values | None,
    symbols: Iterable[Symbol],
    named: Mapping[str, object] | None = None,
    where: str = "here",
) -> dict[Symbol, Expr]:
    """The given numbers (or expressions) by symbol, each checked to fit what it stands for.

    >>> from symcost.symbols import dims
    >>> numbers_for("D = 2^10", dims("B D"), {"B": 4})
    {D: 1024, B: 4}

    Args:
        values: numbers by symbol or name, or text.
        symbols: those that occur.
        named: more numbers, by name.
        where: where the symbols occur, for the message.

    Raises:
        InvalidValueError: a name that does not occur, or a number that the symbol cannot be.
    """
    names = {symbol.name: symbol for symbol in symbols}
    told = {**read_values(values, names.values()), **read_values(named)}
    return {names[n]: fitting(names[n], value) for n, value in by_name(told, names, where).items()}


def fitting(symbol: Symbol, value: object) -> Expr:
    """The value as an exact expression; a number must be positive, and whole for a dimension.

    Raises:
        InvalidValueError: the symbol cannot be that.
    """
    number = exact(value)
    if number.is_nonpositive:
        raise InvalidValueError(f"{symbol} cannot be {number}", repair="give a positive number")
    if is_dim(symbol) and number.is_number and not number.is_Integer:
        raise InvalidValueError(
            f"{symbol} = {number} is no size of a dimension", repair="a size is a whole number"
        )
    return number


def put_in_numbers(value: Expr, given: Mapping[Symbol, Expr]) -> Expr:
    """The expression with numbers for some symbols, in normal form."""
    return as_ratio(value.xreplace(dict(given))).to_sympy()


def canonical_expr(value: AnExpr, assume: object = None) -> Expr:
    """A text, number or expression as one of our symbols; names of a text that assumes count."""
    stated = assume if isinstance(assume, str) else None
    return inputs(expressions=[value], assume=stated).expressions[0]


def with_numbers(values: Iterable[Expr], at: Values | None) -> list[Expr]:
    """The expressions with numbers (or expressions) for some of their symbols.

    Raises:
        InvalidValueError: a name does not occur, or a number is not positive.
    """
    listed = list(values)
    swap = numbers_for(at, {s for value in listed for s in value.free_symbols})
    return [value.xreplace(swap) for value in listed]


def check_open(name: str, given: Iterable[str]) -> None:
    """Refuse a number for what is swept."""
    if name in given:
        raise InvalidValueError(
            f"{name} is swept and has a number as well", repair=f"leave {name} out of the numbers"
        )


def check_only(values: Iterable[Expr], swept: Iterable[Symbol]) -> None:
    """Refuse symbols that neither vary nor have a number."""
    free = {symbol for value in values for symbol in value.free_symbols}
    missing = sorted(s.name for s in free - set(swept))
    if missing:
        raise InvalidValueError(
            f"no number was given for {', '.join(missing)}",
            repair=f"give {missing[0]} a number: --where {missing[0]}=..., in Python with at=",
        )


def without_common_factor(values: Iterable[Expr]) -> list[Expr]:
    """The values over the largest monomial in all of them: their order stays the same."""
    ratios = [as_ratio(value) for value in values]
    top = content(_sizes(ratio.num for ratio in ratios))
    bottom = content(_sizes(ratio.den for ratio in ratios))
    return [Ratio.of(ratio.num / top, ratio.den / bottom).to_sympy() for ratio in ratios]


def _sizes(parts: Iterable[Posynomial]) -> Posynomial:
    """A posynomial with the monomials of all parts, all positive."""
    return Posynomial({m: max(c, -c) for part in parts for m, c in part.terms.items()})


def occurring(symbol: object, value: Expr) -> Symbol:
    """The symbol of an expression that a name or symbol stands for."""
    name = str(getattr(symbol, "name", symbol))
    named = {s.name: s for s in value.free_symbols}
    if name not in named:
        raise InvalidValueError(
            f"{name} does not occur in {value}",
            repair=f"the symbols are {', '.join(sorted(named)) or 'none'}",
        )
    return named[name]
