"""Numbers for all symbols but some: the values a user gives, checked and put in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.exact import exact
from symcost.algebra.ratio import content
from symcost.errors import InvalidValueError
from symcost.symbols import by_name, canonical


def canonical_expr(value: Any) -> Expr:
    """A number or expression with our symbols in place of those of the same names."""
    expr = exact(value)
    return expr.xreplace(canonical(expr.free_symbols))


def with_numbers(values: Iterable[Expr], at: Mapping[Any, Any] | None) -> list[Expr]:
    """The expressions with numbers (or expressions) for some of their symbols.

    Raises:
        InvalidValueError: a name does not occur, or a number is not positive.
    """
    listed = list(values)
    names = {s.name: s for value in listed for s in value.free_symbols}
    given = {name: exact(number) for name, number in by_name(at, names).items()}
    for name, number in given.items():
        if number.is_nonpositive:
            raise InvalidValueError(f"{name} = {number} is no positive number")
    swap = {names[name]: number for name, number in given.items()}
    return [value.xreplace(swap) for value in listed]


def check_only(values: Iterable[Expr], swept: Iterable[Symbol]) -> None:
    """Refuse symbols that neither vary nor have a number."""
    found = {symbol for value in values for symbol in value.free_symbols}
    missing = sorted(s.name for s in found - set(swept))
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


def occurring(symbol: Any, value: Expr) -> Symbol:
    """The symbol of an expression that a name or symbol stands for."""
    name = str(getattr(symbol, "name", symbol))
    found = {s.name: s for s in value.free_symbols}
    if name not in found:
        raise InvalidValueError(
            f"{name} does not occur in {value}",
            repair=f"the symbols are {', '.join(sorted(found)) or 'none'}",
        )
    return found[name]
