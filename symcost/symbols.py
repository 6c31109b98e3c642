"""Symbols: one per name. Dimensions are positive integers, rates and sizes positive reals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar, overload

from sympy import Symbol

from symcost.errors import InvalidValueError, NotationError

if TYPE_CHECKING:

    class Symbols(Symbol):  # type: ignore[misc]  # sympy has no types
        """What ``dims`` returns: whether it is one symbol or several, only its text tells."""

        def __iter__(self) -> Iterator[Symbol]: ...
        def __getitem__(self, index: int) -> Symbol: ...
        def __len__(self) -> int: ...


T = TypeVar("T")
_WORD = re.compile(r"[^\W\d]\w*\Z")


@lru_cache(maxsize=4096)
def dim(name: str) -> Symbol:
    """The dimension called ``name``: a symbol that stands for a positive integer.

    >>> dim("B").is_integer, dim("S") is dim("S")
    (True, True)
    """
    return Symbol(_checked(name), integer=True, positive=True)


@lru_cache(maxsize=4096)
def rate(name: str) -> Symbol:
    """The rate or size called ``name``: a symbol that stands for a positive real.

    >>> rate("W_hbm").is_positive, rate("W_hbm").is_integer is None
    (True, True)
    """
    return Symbol(_checked(name), positive=True)


@overload
def dims(names: str) -> Symbols: ...
@overload
def dims(names: Iterable[str | Symbol]) -> tuple[Symbol, ...]: ...
def dims(names: str | Iterable[str | Symbol]) -> Symbol | tuple[Symbol, ...]:
    """Make dimensions from names that are separated by blanks or commas.

    >>> B, D, F = dims("B D F")
    >>> B * D * F
    B*D*F

    Args:
        names: one or more names, ``"B D F"`` or ``"B, D, F"``, or a list of names or symbols.

    Returns:
        One symbol for one name, otherwise a tuple of symbols; for a list always a tuple.

    Raises:
        NotationError: a name is no word.
    """
    return _each(names, dim)


@overload
def rates(names: str) -> Symbols: ...
@overload
def rates(names: Iterable[str | Symbol]) -> tuple[Symbol, ...]: ...
def rates(names: str | Iterable[str | Symbol]) -> Symbol | tuple[Symbol, ...]:
    """Make rates and sizes (FLOP/s, bytes/s, seconds, bytes) from their names.

    >>> C, W = rates("C W")
    >>> C / W
    C/W

    Args:
        names: one or more names, ``"C W"`` or ``"C, W"``, or a list of names or symbols.

    Returns:
        One symbol for one name, otherwise a tuple of symbols; for a list always a tuple.

    Raises:
        NotationError: a name is no word.
    """
    return _each(names, rate)


def is_dim(symbol: Symbol) -> bool:
    """Whether the symbol stands for a positive integer, so is at least 1."""
    return bool(symbol.is_integer and symbol.is_positive)


def canonical(symbols: Iterable[Symbol]) -> dict[Symbol, Symbol]:
    """Map each symbol to ours of the same name, whatever assumptions it was made with.

    A name that stands for a dimension anywhere is a dimension everywhere; a symbol that is
    positive but not integer is a rate; any other is taken for a dimension.

    >>> foreign = Symbol("B")
    >>> canonical([foreign])[foreign] is dim("B")
    True
    """
    kinds: dict[str, Symbol] = {}
    symbols = list(symbols)
    for symbol in symbols:
        ours = rate(symbol.name) if symbol == Symbol(symbol.name, positive=True) else None
        if ours is None or symbol.name not in kinds:
            kinds[symbol.name] = ours or dim(symbol.name)
    return {symbol: kinds[symbol.name] for symbol in symbols}


def by_name(
    values: Mapping[str, T] | Mapping[Symbol, T] | None, known: Iterable[str], where: str = "here"
) -> dict[str, T]:
    """Numbers by the name of their symbol, each of a name that occurs.

    >>> by_name({dim("B"): 64, "D": 8}, ["B", "D", "F"])
    {'B': 64, 'D': 8}

    Args:
        values: numbers (or expressions) by symbol or by name.
        known: the names that occur.
        where: where they occur, for the message.

    Returns:
        The same numbers by name.

    Raises:
        InvalidValueError: a name that does not occur.
    """
    given = {str(getattr(key, "name", key)): value for key, value in (values or {}).items()}
    names = sorted(known)
    strange = sorted(set(given) - set(names))
    if strange:
        raise InvalidValueError(
            f"{', '.join(strange)} does not occur {where}",
            repair=f"the symbols are {', '.join(names) or 'none'}",
        )
    return given


def _each(
    names: str | Iterable[str | Symbol], make: Callable[[str], Symbol]
) -> Symbol | tuple[Symbol, ...]:
    if isinstance(names, Symbol):
        names = names.name
    if not isinstance(names, Iterable):
        raise InvalidValueError(f"{names!r} is no name", repair='write for example dims("B D F")')
    words = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    if not words:
        raise NotationError("no name was given", repair='write for example dims("B D F")')
    made = tuple(make(_checked(getattr(word, "name", word))) for word in words)
    return made[0] if isinstance(names, str) and len(made) == 1 else made


def _checked(name: str) -> str:
    if not (isinstance(name, str) and _WORD.match(name)):
        raise NotationError(
            f"{name!r} is no name for a symbol",
            repair="a name starts with a letter and holds letters, digits and underscores",
        )
    return name
