"""Assumptions put to use: equalities are put in, growth makes limits, facts decide signs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.dominance import Growth, check_consistent, dominates
from symcost.algebra.leading import leading_ratio
from symcost.algebra.posynomial import Monomial
from symcost.algebra.relation import Relation
from symcost.algebra.signs import NO_FACTS, Facts
from symcost.analysis.equalities import closed, put_in
from symcost.analysis.facts import facts_of
from symcost.errors import AssumptionError
from symcost.notation.border import assumptions
from symcost.symbols import canonical


@dataclass(frozen=True, slots=True)
class Assumed:
    """What a set of assumptions amounts to; ``form`` is ``"limit"`` if any orders growth."""

    text: str
    equal: tuple[Equal, ...]
    growth: Growth
    facts: Facts
    stated: tuple[Assumption, ...] = ()

    @property
    def form(self) -> str:
        """``"limit"`` when an order of growth is assumed, otherwise ``"exact"``."""
        return "limit" if self.growth.strict else "exact"

    def holding(self, symbol: Symbol) -> Assumed:
        """The same for a rule about a symbol: what is asked for neither grows nor falls."""
        return replace(self, growth=replace(self.growth, held=frozenset({symbol})))

    def exactly(self) -> Assumed:
        """The equalities and facts, without the orders of growth."""
        kept = tuple(each for each in self.stated if not isinstance(each, MuchLess))
        return replace(self, text=_text(kept), growth=Growth(), stated=kept)

    def substituted(self, value: object) -> Expr:
        """The expression with the equalities put in."""
        return put_in(value, self.equal).to_sympy()

    def apply(self, value: object) -> Expr:
        """The expression with the equalities put in, and its limit taken."""
        exact = self.substituted(value)
        if not self.growth.strict:
            return exact
        return leading_ratio(as_ratio(exact), self.growth).to_sympy()


NOTHING_ASSUMED = Assumed("", (), Growth(), NO_FACTS)


def assumed(assume: Any, values: Iterable[Expr], extra: Iterable[Any] = ()) -> Assumed:
    """Read, check and sort assumptions about the symbols of some expressions.

    Raises:
        AssumptionError: they contradict each other, or name a symbol that does not occur.
    """
    if isinstance(assume, Assumed):
        return assume
    symbols = {s for value in (*values, *extra) for s in value.free_symbols}
    listed = tuple(_ours(each, symbols) for each in assumptions(assume, symbols))
    _check_used(listed, {s.name for s in symbols})
    stated = tuple(each for each in listed if isinstance(each, Equal))
    equal = closed(stated)
    strict = [row for each in listed if isinstance(each, MuchLess) for row in _ratios(each, equal)]
    growth = Growth(tuple(strict))
    check_consistent(growth)
    orders = [each for each in listed if isinstance(each, Relation)]
    _check_orders(orders, equal, growth)
    return Assumed(_text(listed), equal, growth, facts_of(orders, equal, stated), listed)


def _text(listed: Iterable[Assumption]) -> str:
    return "; ".join(dict.fromkeys(each.text for each in listed))


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
    grown = [each for each in listed if isinstance(each, MuchLess)]
    smalls = {s.name for each in grown for s in each.small.free_symbols}
    known |= smalls & {s.name for each in grown for s in each.large.free_symbols}  # B << S << D
    for each in listed:
        strange = sorted({s.name for s in each.free_symbols} - known)
        if strange:
            raise AssumptionError(
                f"the assumption {each.text} is not used: {strange[0]} does not occur",
                repair=f"the symbols here are {', '.join(sorted(names)) or 'none'}",
            )


def _check_orders(orders: Iterable[Relation], equal: tuple[Equal, ...], growth: Growth) -> None:
    """Refuse ``B >= D`` beside ``B << D``: the order of growth says the contrary."""
    for each in orders:
        larger = each.upward()
        ratios = [put_in(side, equal) for side in (larger.lhs, larger.rhs)]
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
    large, small = (_sum(put_in(side, equal), each) for side in (each.large, each.small))
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


def _sum(value: Ratio, each: MuchLess) -> Posynomial:
    if not value.is_posynomial:
        raise AssumptionError(
            f"{each.text} relates a ratio of sums here", repair="relate products, as in B*S << D*F"
        )
    return value.num


def _monomial(value: Posynomial) -> Monomial:
    (monomial,) = value.terms
    return monomial
