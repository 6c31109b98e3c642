"""Which answers hold only because a dimension is at least 1, and the line that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TypeAlias

from sympy import Expr, Integer, Symbol

from symcost.documents.blocks import Inline, Link, Math, words
from symcost.errors import SymcostError
from symcost.printing.layout import arrange
from symcost.symbols import is_dim, rate

MAX_NAMES = 6  # up to which each is tried by itself

Answer: TypeAlias = Callable[[Mapping[Symbol, Symbol]], object]


def reliance(symbols: Iterable[Symbol], answer: Answer) -> tuple[Inline, ...]:
    """The line ``for all D, F >= 1`` of those dimensions without whose range the answer changes.

    >>> from sympy import Integer
    >>> from symcost.symbols import dim
    >>> D = dim("D")
    >>> reliance([D], lambda swap: bool(Integer(2) * D.xreplace(swap) > 1) is True)
    ('for all ', Math(left=D, links=(('>=', 1),)))

    Args:
        symbols: the symbols that the question has beside its unknown.
        answer: what is answered (plain data with expressions), some dimensions being rates.

    Returns:
        The line, or nothing where the answer is the same for all positive reals.
    """
    dims = sorted((s for s in symbols if is_dim(s)), key=lambda s: s.name)
    if not dims:
        return ()
    told = _form(answer({}))

    def matter(some: list[Symbol]) -> bool:
        try:
            return _form(answer({symbol: rate(symbol.name) for symbol in some})) != told
        except (SymcostError, TypeError):
            return True

    if not matter(dims):
        return ()
    single = [d for d in dims if matter([d])] if 1 < len(dims) <= MAX_NAMES else []
    first, *others = single or dims
    links: tuple[Link, ...] = (*((",", each) for each in others), (">=", Integer(1)))
    return words("for all ", Math(first, links))


def _form(value: object) -> object:
    """An answer by the form of its expressions, in which a symbol is its name and no more."""
    if isinstance(value, Expr):
        return arrange(value)
    if isinstance(value, tuple | list):
        return tuple(map(_form, value))
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), tuple(_form(getattr(value, each.name)) for each in fields(value))
    return value
