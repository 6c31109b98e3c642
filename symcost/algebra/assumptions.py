"""What can be assumed of symbols: an order of growth, an equality, an inequality."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from sympy import Expr, Integer, Symbol, oo

from symcost.algebra.relation import Relation


@dataclass(frozen=True, slots=True)
class MuchLess:
    """``small << large``: large/small grows without bound. ``N -> oo`` is ``1 << N``."""

    small: Expr
    large: Expr
    text: str = field(default="", compare=False)

    @property
    def sides(self) -> tuple[Expr, str, Expr]:
        """Left side, sign and right side: ``N -> oo`` where the other side is 1."""
        if self.small == 1:
            return self.large, "->", oo
        return (self.small, "->", Integer(0)) if self.large == 1 else (self.small, "<<", self.large)

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The symbols of both sides."""
        return frozenset(self.small.free_symbols | self.large.free_symbols)


@dataclass(frozen=True, slots=True)
class Equal:
    """``symbol = expr``: the symbol is replaced by the expression."""

    symbol: Symbol
    expr: Expr
    text: str = field(default="", compare=False)

    @property
    def sides(self) -> tuple[Expr, str, Expr]:
        """Left side, sign and right side."""
        return self.symbol, "=", self.expr

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The symbol and those of the expression."""
        return frozenset({self.symbol, *self.expr.free_symbols})


Assumption: TypeAlias = MuchLess | Equal | Relation
