"""Symbols: one too many, one missing, one in the place of another, a wrong power."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.posynomial import power_of
from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.evidence import counts_bytes
from symcost.checker.mistakes.factors import TWICE
from symcost.checker.roles import can_be, role

_SCOPES = ("devices", "cores")
_USUAL = (1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 60, 1000, 10**6, 10**9)
CHANCE = 3  # ranks lost by a swap that is a factor of 2 where values have 2 bytes
_HEADS = ("query heads", "kv heads")


def from_quotient(case: Case) -> Iterator[Hypothesis]:
    """A formula that is off by a product of symbols: the quotient says which."""
    quotient = case.quotient
    if quotient is None or case.printed is not None:
        return
    if len(quotient.num) != 1 or len(quotient.den) != 1:
        return
    ((above, _),), ((below, _),) = quotient.num.terms.items(), quotient.den.terms.items()
    powers = dict(above) | {a: -p for a, p in below}
    if not powers or not all(atom.is_Symbol for atom in powers):
        return
    whole = quotient / Ratio.of(Posynomial({above: 1}), Posynomial({below: 1}))
    number = _usual(case, whole.num.as_fraction() / whole.den.as_fraction())
    if number is not None:
        yield from _explain(case, powers, str(number), str(quotient))


def _usual(case: Case, factor: Fraction) -> Fraction | None:
    """A factor besides that people get wrong, not just what is left over."""
    for number in _USUAL:
        for near in (Fraction(number), Fraction(1, number)):
            if abs(factor / near - 1) <= case.rounding:
                return near
    return None


def _explain(case: Case, powers: dict[Any, Any], number: str, shown: str) -> Iterator[Hypothesis]:
    many = [s for s, p in powers.items() if p > 0]
    few = [s for s, p in powers.items() if p < 0]
    extra = "" if number == "1" else f", besides a factor of {number}"
    swapped = len(many) == 1 and len(few) == 1 and powers[many[0]] == -powers[few[0]]
    if swapped and {many[0], few[0]} & case.claimed.free_symbols:
        yield from _in_place(case, many[0], few[0], shown, extra)
        return
    yield from _heads(many, few, shown, extra)
    for symbol, power in powers.items():
        yield _one_symbol(case, symbol, power, shown, extra)
    if many and few:
        yield Hypothesis(
            "wrong-dimension",
            f"{_names(many)} where {_names(few)} belongs{extra}",
            None,
            shown,
        )


def _heads(many: list[Any], few: list[Any], shown: str, extra: str) -> Iterator[Hypothesis]:
    """Query heads among what is too many, kv heads among what is missing."""
    query = [s.name for s in many if can_be(s.name, "query heads")]
    kv = [s.name for s in few if role(s.name) == "kv heads"]
    if query and kv:
        text = f"{query[0]} query heads where {kv[0]} key/value heads belong{extra}"
        yield Hypothesis("query-heads-for-kv-heads", text, None, shown)


def _names(symbols: list[Symbol]) -> str:
    return "*".join(sorted(s.name for s in symbols))


def _in_place(case: Case, there: Symbol, right: Symbol, shown: str, extra: str) -> Any:
    """One symbol stands where another belongs, above or below the line."""
    text = f"{there} stands where {right} belongs{extra}"
    for pair in ((there.name, right.name), (right.name, there.name)):
        if can_be(pair[0], "query heads") and can_be(pair[1], "kv heads"):
            yield Hypothesis(
                "query-heads-for-kv-heads",
                f"{text}: keys and values have {pair[1]} heads, queries {pair[0]}",
                None,
                shown,
            )
        if can_be(pair[0], "experts") and can_be(pair[1], "active experts"):
            yield Hypothesis(
                "all-experts",
                f"{text}: a token runs through {pair[1]} of the {pair[0]} experts",
                None,
                shown,
            )
    yield Hypothesis("wrong-dimension", text, None, shown)


def _one_symbol(case: Case, symbol: Symbol, power: Any, shown: str, extra: str) -> Hypothesis:
    """One symbol too many or too few, by name of what it usually stands for."""
    assert case.ratio is not None
    what = role(symbol.name)
    occurs = symbol in case.ratio.atoms
    claimed = case.claim_ratio.atoms if case.claim_ratio is not None else frozenset()
    if what == "layers":
        change = "multiplied by" if power > 0 else "not multiplied by"
        text = f"{change} {symbol}, the number of layers: one layer against the whole model"
        return Hypothesis("layer-factor", text + extra, None, shown)
    if what in _SCOPES and not (occurs and symbol in case.claimed.free_symbols):
        text = f"{symbol} is {'too many' if power > 0 else 'missing'}: a total and a share of it"
        return Hypothesis("scope", text + extra, None, shown)
    if what == "bytes per value":
        text = f"{symbol}, the bytes per value, is {'put in' if power > 0 else 'left out'}"
        return Hypothesis("dtype-size", text + extra, None, shown)
    if occurs and symbol in claimed:
        right = _power_in(case.ratio, symbol)
        text = f"{symbol} has power {right + power}, should be {right}"
        return Hypothesis("wrong-power", text + extra, None, shown)
    if not occurs:
        where = "it grows with" if power > 0 else "it is divided by"
        text = f"{symbol} does not belong in the formula: {where} {symbol}"
        return Hypothesis("stray-symbol", text + extra, None, shown)
    verb = "multiplied" if power < 0 else "divided"
    text = f"{symbol} is missing: it should be {verb} by {symbol}"
    return Hypothesis("missing-symbol", text + extra, None, shown)


def _power_in(ratio: Ratio, symbol: Symbol) -> Any:
    """The power of a symbol in the leading term above minus that below."""
    top = max((power_of(symbol, m) for m in ratio.num.terms), default=0)
    return top - max((power_of(symbol, m) for m in ratio.den.terms), default=0)


def with_numbers(case: Case) -> Iterator[Hypothesis]:
    """A number that follows when an input is used once more, once less, or for another."""
    if case.ratio is None or case.printed is None:
        return
    ratio = case.ratio
    for symbol in (*case.inputs, *case.others):
        if case.values.get(symbol, 1) in (1, 10, 100, 1000):
            continue
        for power in (1, -1):
            yield _once(symbol, power, ratio)
    pairs = [(a, b) for a in case.inputs for b in (*case.inputs, *case.others) if a != b]
    for right, there in pairs:
        if case.values.get(right) == case.values.get(there):
            continue
        yield from _swapped(case, right, there)


def _once(symbol: Symbol, power: int, ratio: Ratio) -> Hypothesis:
    value = ratio * as_ratio(symbol) ** power
    times = f"{'multiplied' if power > 0 else 'divided'} by {symbol} once too often"
    kind = {"layers": "layer-factor", "bytes per value": "dtype-size"}.get(role(symbol.name))
    scope = "scope" if role(symbol.name) in (*_SCOPES, *_HEADS) else "stray-symbol"
    return Hypothesis(kind or scope, times, value, f"{symbol}^{power}")


def _swapped(case: Case, right: Symbol, there: Symbol) -> Iterator[Hypothesis]:
    value = case.substituted({right: there})
    if value is None:
        return
    text = f"{there} used where {right} belongs"
    if can_be(there.name, "query heads") and can_be(right.name, "kv heads"):
        yield Hypothesis("query-heads-for-kv-heads", text, value, f"{there} for {right}")
    if can_be(there.name, "experts") and can_be(right.name, "active experts"):
        yield Hypothesis("all-experts", text, value, f"{there} for {right}")
    sizes = [case.values.get(symbol) for symbol in (there, right)]
    twice = sizes[0] and sizes[1] and sizes[0] / sizes[1] in TWICE
    doubt = CHANCE if case.printed is not None and twice and counts_bytes(case) else 0
    yield Hypothesis("wrong-dimension", text, value, f"{there} for {right}", doubt=doubt)


def in_one_place(case: Case) -> Iterator[Hypothesis]:
    """Another symbol in one term, or one symbol in place of another throughout a formula."""
    if case.ratio is None or case.printed is not None:
        return
    symbols = sorted(case.claimed.free_symbols | case.expected.free_symbols, key=lambda s: s.name)
    for right in case.inputs:
        for there in symbols:
            if there != right:
                yield from _swapped(case, right, there)
