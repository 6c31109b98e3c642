"""Symbols that a cost rises or falls with everywhere are put at the end of their range at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sympy import Expr, Symbol

from symcost.algebra import as_posynomial, as_ratio
from symcost.algebra.relation import SIGNS, Condition, Relation
from symcost.analysis.facts import facts_from
from symcost.analysis.proof.monotone import DIRECTIONS, slope_signs
from symcost.analysis.thresholds.region import Range, range_of
from symcost.errors import SymcostError
from symcost.symbols import is_dim


@dataclass(frozen=True, slots=True)
class Settled:
    """What is left of a question: an objective over fewer symbols, and where the others are."""

    value: Expr
    symbols: tuple[Symbol, ...]
    constraints: tuple[Relation, ...]
    placed: Mapping[Symbol, Expr]


def settled(
    value: Expr, symbols: Sequence[Symbol], constraints: Sequence[Relation], least: int = 1
) -> Settled:
    """Place symbols one by one, while more than ``least`` are left and one has a single end.

    >>> from symcost.algebra import Maximum
    >>> from symcost.symbols import dims
    >>> x, y = dims("x y")
    >>> settled(Maximum(9 * y / x, y + x * y), [x, y], []).placed
    {y: 1}
    """
    placed: dict[Symbol, Expr] = {}
    left, conditions = list(symbols), [each.condition() for each in constraints]
    while len(left) > least:
        found = _next(value, left, conditions)
        if found is None:
            break
        symbol, end, kept = found
        value = as_ratio(value.xreplace({symbol: end})).to_sympy()
        placed = {s: e.xreplace({symbol: end}) for s, e in placed.items()} | {symbol: end}
        left.remove(symbol)
        conditions = list(kept)
    if not placed:
        return Settled(value, tuple(symbols), tuple(constraints), {})
    return Settled(value, tuple(left), tuple(c.relation() for c in conditions), placed)


def _next(
    value: Expr, symbols: Sequence[Symbol], conditions: Sequence[Condition]
) -> tuple[Symbol, Expr, tuple[Condition, ...]] | None:
    facts = facts_from(conditions)
    for symbol in sorted(symbols, key=lambda s: s.name, reverse=True):
        way = DIRECTIONS.get(slope_signs(as_ratio(value), symbol, facts))
        if way not in {"increasing", "decreasing"}:
            continue
        try:
            around = _range(symbol, conditions)
        except SymcostError:
            continue
        ends = around.low if way == "increasing" else around.high
        if len(ends) == 1 and not ends[0].strict:
            return symbol, ends[0].value.to_sympy(), around.at(ends[0])
    return None


def _range(symbol: Symbol, conditions: Sequence[Condition]) -> Range:
    listed = list(conditions)
    if is_dim(symbol):
        listed.append(Condition(as_posynomial(symbol) - 1, SIGNS[">="]))
    return range_of(listed, symbol, facts_from(conditions))
