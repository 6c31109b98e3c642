"""Inequalities that are assumed, made into facts that decide signs, and checked as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from sympy import Integer, Symbol

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.assumptions import Equal
from symcost.algebra.consequences import contradiction
from symcost.algebra.posynomial import Atom, Number
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import SIGNS, Condition, Relation
from symcost.algebra.signs import Facts, sign
from symcost.analysis.equalities import put_in, texts_about
from symcost.errors import AssumptionError
from symcost.symbols import is_dim

MAX_JOINT = 8  # facts whose sums are tried


@dataclass(frozen=True, slots=True)
class _Fact:
    """A condition, and the assumptions that say so."""

    said: Condition
    texts: tuple[str, ...]


def facts_of(orders: Sequence[Relation], equal: Sequence[Equal], stated: Sequence[Equal]) -> Facts:
    """What inequalities say, with the (closed) equalities put in.

    Args:
        orders: the inequalities.
        equal: the equalities as a substitution.
        stated: the equalities as they were written, for messages.

    Raises:
        AssumptionError: they contradict each other, the equalities, or the sizes' being positive.
    """
    facts = [fact for each in orders if (fact := _fact(each, equal, stated)) is not None]
    _check_consistent(facts)
    return facts_from(fact.said for fact in facts)


def facts_from(conditions: Iterable[Condition]) -> Facts:
    """Conditions as facts: those of one symbol and a number are its bounds."""
    lower: dict[Atom, Number] = {}
    upper: dict[Atom, Number] = {}
    known = tuple(dict.fromkeys(conditions))
    for each in (upward for condition in known for upward in condition.upward()):
        bound = _bound(each.value)
        if bound is None:
            continue
        symbol, op, number = bound
        if op == ">":
            lower[symbol] = max(lower.get(symbol, 1 if is_dim(symbol) else 0), number)
        else:
            upper[symbol] = min(upper.get(symbol, number), number)
    return Facts(lower, upper, known, joint=0 < len(known) <= MAX_JOINT)


def _fact(each: Relation, equal: Sequence[Equal], stated: Sequence[Equal]) -> _Fact | None:
    """The inequality as a fact; none where the equalities make it true."""
    larger = each.upward()
    difference = put_in(larger.lhs, equal) - put_in(larger.rhs, equal)
    said = Condition(normalized(difference.num * difference.den), larger.signs)
    replaced = [e.symbol for e in equal if e.symbol in each.free_symbols]
    texts = (each.text, *(texts_about(replaced, stated) if replaced else ()))
    if not said.value.symbols:
        known = sign(said.value)
        if known is not None and known not in said.signs:
            raise _contradict(texts)
        return None
    bound = _bound(said.value)
    if bound is not None and is_dim(bound[0]):
        return _Fact(_whole(*bound, said.is_strict), texts)
    return _Fact(said, texts)


def _bound(value: Posynomial) -> tuple[Symbol, str, Fraction] | None:
    """``(D, ">", 8)`` for ``D - 8``, and with ``"<"`` for ``8 - D``."""
    symbols = value.symbols
    if len(symbols) != 1 or len(value.terms) != 2:
        return None
    (symbol,) = symbols
    slope, start = value.terms.get(((symbol, 1),)), value.terms.get(())
    if slope is None or start is None:
        return None
    return symbol, ">" if slope > 0 else "<", -Fraction(start) / Fraction(slope)


def _whole(symbol: Symbol, op: str, number: Fraction, strict: bool) -> Condition:
    """The bound of a dimension: the next whole number that it can reach."""
    number_of: Number
    if op == ">":
        number_of = floor(number) + 1 if strict else ceil(number)
        return Condition(as_posynomial(symbol) - number_of, SIGNS[">="])
    number_of = ceil(number) - 1 if strict else floor(number)
    return Condition(as_posynomial(number_of) - as_posynomial(symbol), SIGNS[">="])


def _check_consistent(facts: Sequence[_Fact]) -> None:
    symbols = {s for fact in facts for s in fact.said.value.symbols}
    dims = [Relation(s, ">=", Integer(1)) for s in sorted(symbols, key=str) if is_dim(s)]
    used = contradiction([*(fact.said for fact in facts), *(each.condition() for each in dims)])
    if used is None:
        return
    about = {s for i in used if i < len(facts) for s in facts[i].said.value.symbols}
    texts = tuple(dict.fromkeys(t for i in used if i < len(facts) for t in facts[i].texts))
    raise _contradict(texts, dimension=any(map(is_dim, about)))


def _contradict(texts: tuple[str, ...], dimension: bool = False) -> AssumptionError:
    if len(texts) > 1:
        return AssumptionError(
            f"{' and '.join(texts)} contradict each other", repair="leave one of them out"
        )
    what = "that every dimension is at least 1" if dimension else "that every size is positive"
    return AssumptionError(
        f"{texts[0]} contradicts {what}", repair="turn it round, or leave it out"
    )
