"""Which answers hold only because a dimension is at least 1, and the line that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sympy import Symbol

from symcost.errors import SymcostError
from symcost.symbols import is_dim, rate

MAX_NAMES = 6  # up to which each is tried by itself

Answer = Callable[[Mapping[Symbol, Symbol]], str]


def reliance(symbols: Iterable[Symbol], answer: Answer) -> str:
    """The line ``for all D, F >= 1`` of those dimensions without whose range the answer changes.

    >>> from sympy import Integer
    >>> from symcost.symbols import dim
    >>> D = dim("D")
    >>> reliance([D], lambda swap: str(Integer(2) * D.xreplace(swap) > 1))
    'for all D >= 1'

    Args:
        symbols: the symbols that the question has beside its unknown.
        answer: the answer as text, with some dimensions replaced by rates of the same name.

    Returns:
        The line, or an empty text where the answer is the same for all positive reals.
    """
    dims = sorted((s for s in symbols if is_dim(s)), key=lambda s: s.name)
    if not dims:
        return ""
    told = answer({})

    def matter(some: list[Symbol]) -> bool:
        try:
            return answer({symbol: rate(symbol.name) for symbol in some}) != told
        except SymcostError:
            return True

    if not matter(dims):
        return ""
    single = [d for d in dims if matter([d])] if 1 < len(dims) <= MAX_NAMES else []
    return f"for all {', '.join(d.name for d in single or dims)} >= 1"
