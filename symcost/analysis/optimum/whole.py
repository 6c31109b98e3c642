"""Whole values of dimensions that an equation ties to the one that is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from sympy import Integer, Symbol, divisors

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import power_of
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import is_dim

LARGEST = 10**15  # constant whose divisors are listed


def whole_candidates(
    symbol: Symbol, solved: Mapping[Symbol, Posynomial], among: Iterable[int] | None
) -> list[int] | None:
    """The integers for which every dimension that an equation fixes is whole, too.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> X, Y = dims("X Y")
    >>> whole_candidates(X, {Y: as_posynomial(12 / X)}, None)
    [1, 2, 3, 4, 6, 12]

    Args:
        symbol: the one symbol that is left to choose.
        solved: what the equations give for the others.
        among: the integers allowed; without them, divisors of a constant are found.

    Returns:
        The integers; ``None`` when all will do.

    Raises:
        InvalidValueError: no integer makes the others whole.
        UndecidedError: the candidates are not finitely many and none were given.
    """
    tied = {s: value for s, value in solved.items() if is_dim(s)}
    if among is None and all(_is_whole_product(value, symbol) for value in tied.values()):
        return None
    listed = _divisors(symbol, tied) if among is None else sorted(set(among))
    values = list(tied.values())
    found = [n for n in listed if n >= 1 and all(_is_whole(v, symbol, n) for v in values)]
    if not found:
        names = ", ".join(s.name for s in tied)
        raise InvalidValueError(f"no integer {symbol} makes {names or symbol} whole")
    return found


def _coefficient(value: Posynomial, symbol: Symbol) -> tuple[Fraction, Fraction] | None:
    """``(c, p)`` of ``c*symbol**p``; ``None`` when the coefficient is no fraction."""
    ((monomial, coefficient),) = value.terms.items()
    if any(atom != symbol for atom, _ in monomial):
        return None
    return Fraction(coefficient), Fraction(power_of(symbol, monomial))


def _is_whole_product(value: Posynomial, symbol: Symbol) -> bool:
    found = _coefficient(value, symbol)
    return found is not None and all(
        part.denominator == 1 and part >= 0 for part in (found[0], found[1])
    )


def _divisors(symbol: Symbol, tied: Mapping[Symbol, Posynomial]) -> Sequence[int]:
    """The divisors of the constant ``c`` in ``c/symbol**k``."""
    for value in tied.values():
        found = _coefficient(value, symbol)
        if found is None:
            continue
        c, power = found
        if power < 0 and power.denominator == 1 and c.numerator <= LARGEST:
            return [int(n) for n in divisors(c.numerator)]
    names = ", ".join(s.name for s in tied)
    raise UndecidedError(
        f"which integers {symbol} make {names} whole is not known",
        repair=f"list the candidates for {symbol}, in Python with among=",
    )


def _is_whole(value: Posynomial, symbol: Symbol, n: int) -> bool:
    return bool(value.to_sympy().xreplace({symbol: Integer(n)}).is_integer)
