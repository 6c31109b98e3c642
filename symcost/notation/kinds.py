"""Which names of a bare formula stand for a dimension, at least 1, and which for a rate.

A formula on the command line has no types, so its names say what they are: a peak, a
bandwidth, a time, a fraction is a positive real; any other name is a dimension. What is
said of a name otherwise, a value such as 0.1 or an assumption such as ``f < 1``, goes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from sympy import Expr

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.relation import Relation
from symcost.errors import SymcostError
from symcost.notation.plain_tokens import GREEK

_PEAK = re.compile(r"(?:[CWT](?:_\w+)?|t_\w+)\Z")
_STEM = re.compile(r"[a-z]+")
_SMALL = frozenset({"eps", "varepsilon", *(n for n in GREEK.values() if n.islower())})
_WORDS = frozenset(
    {
        *("latency", "delay", "overhead", "time", "seconds", "bandwidth", "rate", "ratio"),
        *("fraction", "frac", "share", "prob", "probability", "efficiency", "utilization"),
    }
)


def rates_among(
    names: Iterable[str], values: Mapping[str, object] | None = None, assume: str | None = None
) -> frozenset[str]:
    """The names that stand for a positive real, by convention or by what is said of them.

    >>> sorted(rates_among(["B", "eps", "W_hbm", "f", "x"], {"x": 0.5}, "f < 1"))
    ['W_hbm', 'eps', 'f', 'x']

    Args:
        names: the names of a formula.
        values: numbers for some of them; one that is not whole is no dimension.
        assume: assumptions; a lower-case name that is below 1 is no dimension.

    Returns:
        Those that are not at least 1.
    """
    listed = list(names)
    found = {name for name in listed if is_rate_name(name)}
    found |= {name for name, value in (values or {}).items() if _is_fraction(value)}
    if assume:
        found |= {name for name in _said_small(assume, listed) if name[0].islower()}
    return frozenset(found & {*listed})


def is_rate_name(name: str) -> bool:
    """Whether a name is by convention that of a peak, a bandwidth, a time or a fraction.

    >>> [is_rate_name(name) for name in ("C", "alpha_2", "hit_rate", "B", "d_model")]
    [True, True, True, False, False]
    """
    if _PEAK.match(name) or not _WORDS.isdisjoint(name.lower().split("_")):
        return True
    stem = _STEM.match(name)
    return stem is not None and stem.group() in _SMALL


def _is_fraction(value: object) -> bool:
    if isinstance(value, Expr):
        return bool(value.is_Rational and not value.is_Integer)
    return isinstance(value, Fraction | float) and value != int(value)


def _said_small(assume: str, names: list[str]) -> Iterator[str]:
    from symcost.notation.assumptions import read_assumptions

    try:
        found = read_assumptions(assume, names, names)
    except SymcostError:
        return  # what is wrong with them is said where they are used
    for each in found:
        symbol, number = _small_side(each)
        if symbol.is_Symbol and number.is_Rational and _is_small(each, number):
            yield symbol.name


def _small_side(each: Assumption) -> tuple[Expr, Expr]:
    """The symbol, and the number that it is compared with."""
    if isinstance(each, Equal):
        return each.symbol, each.expr
    if isinstance(each, MuchLess):
        return each.small, each.large
    sides = (each.lhs, each.rhs)
    return sides if each.lhs.is_Symbol else sides[::-1]


def _is_small(each: Assumption, number: Expr) -> bool:
    if isinstance(each, MuchLess):
        return True
    if isinstance(each, Relation):
        below = (each.op[0] == "<") == bool(each.lhs.is_Symbol)
        return bool(number <= 1 if below else 0 < number < 1)
    return not number.is_Integer
