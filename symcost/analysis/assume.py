"""Assumptions put to use: equalities are put in, growth makes limits, facts decide signs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, as_posynomial, as_ratio
from symcost.algebra.assumptions import Assumption, Equal, MuchLess, Order
from symcost.algebra.dominance import Growth, check_consistent, dominates
from symcost.algebra.leading import leading_ratio
from symcost.algebra.posynomial import Monomial
from symcost.algebra.signs import Facts
from symcost.errors import AssumptionError
from symcost.symbols import canonical, is_dim


@dataclass(frozen=True, slots=True)
class Assumed:
    """What a set of assumptions amounts to; ``form`` is ``"limit"`` if any orders growth."""

    text: str
    equal: tuple[Equal, ...]
    growth: Growth
    facts: Facts

    @property
    def form(self) -> str:
        """``"limit"`` when an order of growth is assumed, otherwise ``"exact"``."""
        return "limit" if self.growth.strict else "exact"

    def substituted(self, value: object) -> Expr:
        """The expression with the equalities put in."""
        ratio = as_ratio(value)
        for each in self.equal:
            ratio = ratio.substitute({each.symbol: as_ratio(each.expr)})
        return ratio.to_sympy()

    def apply(self, value: object) -> Expr:
        """The expression with the equalities put in, and its limit taken."""
        exact = self.substituted(value)
        if not self.growth.strict:
            return exact
        return leading_ratio(as_ratio(exact), self.growth).to_sympy()


def assumed(assume: Any, values: Iterable[Expr], extra: Iterable[Any] = ()) -> Assumed:
    """Read, check and sort assumptions about the symbols of some expressions.

    Raises:
        AssumptionError: they contradict each other, or name a symbol that does not occur.
    """
    if isinstance(assume, Assumed):
        return assume
    symbols = {s for value in (*values, *extra) for s in value.free_symbols}
    listed = tuple(_ours(each, symbols) for each in _listed(assume, [s.name for s in symbols]))
    _check_used(listed, {s.name for s in symbols})
    equal = tuple(each for each in listed if isinstance(each, Equal))
    strict = [row for each in listed if isinstance(each, MuchLess) for row in _ratios(each, equal)]
    growth = Growth(tuple(strict))
    check_consistent(growth)
    _check_orders(listed, growth)
    text = "; ".join(dict.fromkeys(each.text for each in listed))
    return Assumed(text, equal, growth, _facts(listed))


def _listed(assume: Any, declared: list[str]) -> tuple[Assumption, ...]:
    if not assume:
        return ()
    if isinstance(assume, str):
        from symcost.notation.assumptions import read_assumptions

        return read_assumptions(assume, declared)
    return tuple(assume) if isinstance(assume, Iterable) else (assume,)


def _ours(each: Assumption, symbols: Iterable[Symbol]) -> Assumption:
    """The assumption about the very symbols of the expressions, matched by name."""
    names = {s.name: s for s in canonical(symbols).values()}
    swap = {s: names[s.name] for s in each.free_symbols if names.get(s.name, s) != s}
    if not swap:
        return each
    sides = {
        f.name: value.xreplace(swap)
        for f in fields(each)
        if isinstance(value := getattr(each, f.name), Expr)
    }
    return replace(each, **sides)


def _check_used(listed: tuple[Assumption, ...], names: set[str]) -> None:
    known = set(names)
    for each in listed:
        if isinstance(each, Equal):
            known |= {s.name for s in each.expr.free_symbols}
    for each in listed:
        strange = sorted({s.name for s in each.free_symbols} - known)
        if strange:
            raise AssumptionError(
                f"the assumption {each.text} is not used: {strange[0]} does not occur",
                repair=f"the symbols here are {', '.join(sorted(names)) or 'none'}",
            )


def _check_orders(listed: tuple[Assumption, ...], growth: Growth) -> None:
    """Refuse ``B >= D`` beside ``B << D``: the order of growth says the contrary."""
    for each in listed:
        if not isinstance(each, Order):
            continue
        large, small = (each.lhs, each.rhs) if each.op[0] == ">" else (each.rhs, each.lhs)
        ratios = [as_ratio(side) for side in (large, small)]
        if not all(r.is_posynomial and len(r.num) == 1 for r in ratios):
            continue
        above, below = (_monomial(r.num) for r in ratios)
        if dominates(below, above, growth):
            texts = dict.fromkeys(text for _, text in growth.strict)
            raise AssumptionError(
                f"{each.text} contradicts {'; '.join(texts)}", repair="leave one of them out"
            )


def _ratios(each: MuchLess, equal: tuple[Equal, ...]) -> list[tuple[Monomial, str]]:
    """The ratios that grow: each term of the small side against the large side."""
    put = {e.symbol: as_posynomial(e.expr) for e in equal}
    large = as_posynomial(each.large).substitute(put)
    small = as_posynomial(each.small).substitute(put)
    clash = next((e for e in equal if e.symbol in each.free_symbols), None)
    if clash is not None and any((large / term).is_constant for term in small if len(large) == 1):
        raise AssumptionError(
            f"{each.text} and {clash.text} contradict each other",
            repair="leave one of them out",
        )
    if len(large) != 1:
        raise AssumptionError(
            f"{each.text} has a sum on its large side",
            repair="relate each term by itself: x << D + F as x << D; x << F",
        )
    return [(_monomial(large / term), each.text) for term in small]


def _monomial(value: Posynomial) -> Monomial:
    (monomial,) = value.terms
    return monomial


def _facts(listed: tuple[Assumption, ...]) -> Facts:
    orders = [each for each in listed if isinstance(each, Order)]
    lower: dict[Any, Any] = {}
    upper: dict[Any, Any] = {}
    positive: list[Posynomial] = []
    nonnegative: list[Posynomial] = []
    for each in orders:
        large, small = (each.lhs, each.rhs) if each.op[0] == ">" else (each.rhs, each.lhs)
        difference = as_ratio(large) - as_ratio(small)
        (positive if len(each.op) == 1 else nonnegative).append(difference.num * difference.den)
        if large.is_Symbol and small.is_Rational:
            value = as_posynomial(small).as_fraction()
            lower[large] = max(lower.get(large, 0), value, 1 if is_dim(large) else 0)
        elif small.is_Symbol and large.is_Rational:
            value = as_posynomial(large).as_fraction()
            upper[small] = min(upper.get(small, value), value)
    _check_bounds(lower, upper)
    return Facts(lower, tuple(positive), tuple(nonnegative), upper)


def _check_bounds(lower: dict[Any, Any], upper: dict[Any, Any]) -> None:
    for symbol, most in upper.items():
        least = lower.get(symbol, 1 if is_dim(symbol) else 0)
        if least > most or most <= 0:
            raise AssumptionError(
                f"no {symbol} is at least {least} and at most {most}",
                repair="leave one of the bounds out",
            )
