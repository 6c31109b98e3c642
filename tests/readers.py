"""One text at a time, through the parser that reads all texts of a question."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sympy import Expr

from symcost.algebra.assumptions import Assumption
from symcost.algebra.relation import Relation
from symcost.notation.assumptions import parse_assumptions
from symcost.notation.border import relation, values
from symcost.notation.formulas import Parsed, read, read_sides, symbols_of
from symcost.notation.numbers import Value
from symcost.notation.syntax import is_latex
from symcost.symbols import rate

Names = Collection[str]


class Formula(NamedTuple):
    expr: Expr
    names: set[str]
    notes: tuple[str, ...]


class Chain(NamedTuple):
    sides: tuple[Expr, ...]
    ops: tuple[str, ...]
    notes: tuple[str, ...]


def read_formula(text: str, declared: Names = (), rates: Names = ()) -> Formula:
    return _valued(read(text, {*declared, *rates}), rates)


def read_latex(text: str, declared: Names = ()) -> Formula:
    return _valued(read(text if is_latex(text) else f"${text}$", declared), ())


def _valued(found: Parsed, rates: Names) -> Formula:
    expr = found.value(symbols_of(rates))
    return Formula(expr, {s.name for s in expr.free_symbols}, found.notes)


def read_chain(text: str, declared: Names = (), rates: Names = ()) -> Chain:
    found = read_sides(text, {*declared, *rates})
    sides = tuple(side.value(symbols_of(rates)) for side in found.sides)
    return Chain(sides, found.ops, found.notes)


def read_relation(text: str, rates: Names = ()) -> Relation:
    return relation(text, [rate(name) for name in rates])


def read_numbers(text: str, *, formulas: bool = False) -> dict[str, Value]:
    return values(text, formulas=formulas)


def read_assumptions(text: str, declared: Names = (), rates: Names = ()) -> tuple[Assumption, ...]:
    symbol = symbols_of(rates)
    stated = parse_assumptions(text, {*declared, *rates})
    return tuple(said for each in stated for said in each.assumptions(symbol))
