"""Inequalities whose sides stay as they are: sympy would evaluate ``B > 0`` to true."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Symbol


@dataclass(frozen=True, slots=True)
class Relation:
    """``lhs op rhs`` with op one of ``>``, ``>=``, ``<``, ``<=``, ``=``, ``≈``.

    >>> from symcost.symbols import dims
    >>> Relation(dims("B"), ">", dims("B") - 1)
    B > B - 1
    """

    lhs: Expr
    op: str
    rhs: Expr

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The symbols of both sides."""
        return frozenset(self.lhs.free_symbols | self.rhs.free_symbols)

    def __repr__(self) -> str:
        return f"{self.lhs} {self.op} {self.rhs}"
