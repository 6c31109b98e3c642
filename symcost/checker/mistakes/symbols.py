"""Symbols: one too many, one missing, one in the place of another; named by what they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra.posynomial import power_of
from symcost.checker.case import Case
from symcost.checker.equality import ratio_of
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import AGAINST, OPEN, Example, Proposal, declare, mistake
from symcost.checker.mistakes.places import Change, Place, slip
from symcost.checker.said import Said, said
from symcost.notation.kinds import can_be, role

SHARES = ("devices", "cores")
HEADS = ("query heads", "kv heads")
USUAL = (1, 2, 3, 4, 6, 8, 1024, 1000, 3600, 86400)  # factors that people get wrong besides
ROUND = (1, 10, 100, 1000)  # values that only move the point of a number


@slip(
    "wrong-dimension",
    "one symbol stands where another belongs",
    specific=7.5,
    example=Example("2*B*D*D", "2*B*D*F"),
)
def in_place(place: Place, case: Case) -> Iterator[Change]:
    """One symbol in the place of another."""
    node = place.node
    for there in (*case.inputs, *case.others) if isinstance(node, Symbol) else ():
        sizes = [case.values.get(s) for s in (there, node)]
        if there == node or (sizes[0] is not None and sizes[0] == sizes[1]):
            continue
        text = said("{} stands where {} belongs", there, node)
        for a, b in ((there, node), (node, there)):
            if can_be(a.name, "query heads") and can_be(b.name, "kv heads"):
                heads = said("{}: keys and values have {} heads, queries {}", text, b, a)
                yield there, heads, 0, "query-heads-for-kv-heads"
            if can_be(a.name, "experts") and can_be(b.name, "active experts"):
                experts = said("{}: a token runs through {} of the {} experts", text, b, a)
                yield there, experts, 0, "all-experts"
        yield there, text, 0 if case.printed is None else OPEN


@mistake("wrong-dimension")
def exchanged(case: Case) -> Iterator[Proposal]:
    """Two symbols that changed places; a ratio of them is upside down."""
    for one, other in combinations(case.inputs, 2):
        value = case.substituted({one: other, other: one})
        if value not in (case.expected, case.ratio):
            is_ratio = told.side_of(case, one) * told.side_of(case, other) < 0
            text = said("{} and {} have changed places", one, other)
            kind = "inverted-ratio" if is_ratio else ""
            yield Proposal(value, text, said("{}", one / other), kind=kind)


declare(
    "query-heads-for-kv-heads",
    "query heads where key/value heads belong, or the reverse",
    8.2,
    *("4*S*N*d", "4*S*K*d"),
)
declare("all-experts", "all experts where only the active ones run", 8.2, "E*F*D", "k*F*D")
declare(
    "layer-factor",
    "one layer and the whole model mixed up",
    7.2,
    *("12*L*D^2 + 13*D", "12*L*D^2 + 13*L*D"),
)
declare(
    "scope",
    "a total and a share (per device, per shard, per core) mixed up",
    7.2,
    *("4*P + 12*P", "4*P + 12*P/N"),
)
declare("wrong-power", "a symbol has the wrong power", 7.2, "alpha^2/M", "alpha/M")
declare(
    "missing-symbol",
    "a symbol is missing",
    7.4,
    *("24*B*T*D^2 + 4*B*T*D", "24*B*T*D^2 + 4*B*T^2*D"),
)


@slip("scope", of_claim=True)
def half_shared(place: Place, case: Case) -> Iterator[Change]:
    """One term of the claim that is not divided, where the whole of one term should be."""
    for symbol in (*case.inputs, *case.others) if place.is_part else ():
        yield place.node / symbol, said("the part {} is not divided by {}", place.node, symbol)


@slip("stray-symbol", "a symbol too many", specific=7.3, example=Example("V/(W*N)", "V/W"))
def once_more_or_less(place: Place, case: Case) -> Iterator[Change]:
    """The whole, or one part, multiplied or divided by a symbol once too often."""
    node, number = place.node, case.printed is not None
    if not (place.around is None or (place.is_part and not number)):
        return
    for symbol in (*case.inputs, *case.others):
        if number and case.values.get(symbol, 1) in ROUND:
            continue
        for power in (1, -1):
            kind, text = _meaning(case, symbol, power, node)
            likely = OPEN if number else 0
            if place.is_part:
                text = said("{} in the term {}{}", text, node, place.where)
                likely = OPEN if kind in ("layer-factor", "scope", "missing-symbol") else AGAINST
                if power < 0 and symbol in node.free_symbols:
                    missing = said("{} is missing in the term {}{}", symbol, node, place.where)
                    yield node / symbol, missing, AGAINST, "missing-symbol"
            yield node * symbol**power, text, likely, kind


def _meaning(case: Case, symbol: Symbol, power: int, inside: Expr) -> tuple[str, Said]:
    """One symbol too many or too few, by name of what it usually stands for."""
    what, number, more = role(symbol.name), case.printed is not None, power > 0
    if what == "layers":
        change = "multiplied by" if more else "not multiplied by"
        return "layer-factor", said(f"{change} {{}}, the number of layers: one against all", symbol)
    occurs = symbol in inside.free_symbols
    shares = inside != case.expected and told.side_of(case, symbol) < 0
    if (what in SHARES or (number and what in HEADS) or shares) and (
        number or not (occurs and symbol in case.claimed.free_symbols and inside == case.expected)
    ):
        change = "too many" if more else "missing"
        return "scope", said(f"{{}} is {change}: a total and a share of it", symbol)
    if what == "bytes per value":
        change = "put in" if more else "left out"
        return "dtype-size", said(f"{{}}, the bytes per value, is {change}", symbol)
    if number:
        return "", said(f"{'multiplied' if more else 'divided'} by {{}} once too often", symbol)
    now = _power_in(inside, symbol)
    if occurs and now + power != 0:
        return "wrong-power", said("{} has power {}, should be {}", symbol, now + power, now)
    if not occurs:
        verb = "grows with" if more else "is divided by"
        return "", said(f"{{}} does not belong in the formula: it {verb} {{}}", symbol, symbol)
    verb = "divided" if more else "multiplied"
    return "missing-symbol", said(f"{{}} is missing: it should be {verb} by {{}}", symbol, symbol)


def _power_in(value: Expr, symbol: Symbol) -> Any:
    """The power of a symbol in the leading term above minus that below."""
    ratio = ratio_of(value)
    if ratio is None:
        return 0
    top, below = (
        max((power_of(symbol, m) for m in part.terms), default=0) for part in (ratio.num, ratio.den)
    )
    return top - below


@mistake("stray-symbol")
def by_the_quotient(case: Case) -> Iterator[Proposal]:
    """A formula that is off by a product of symbols, with a usual factor besides."""
    quotient = case.quotient
    if quotient is None or case.printed is not None or len(quotient.num) + len(quotient.den) != 2:
        return
    ((above, top),), ((below, bottom),) = quotient.num.terms.items(), quotient.den.terms.items()
    powers = dict(above) | {a: -p for a, p in below}
    number = _usual(case, Fraction(top) / Fraction(bottom))
    if not powers or number is None or not all(atom.is_Symbol for atom in powers):
        return
    many, few = ([s for s, p in powers.items() if p * sign > 0] for sign in (1, -1))
    extra = "" if number == 1 else f", besides a factor of {number}"
    shown = said("{}", quotient)
    query = [s for s in many if can_be(s.name, "query heads")]
    kv = [s for s in few if role(s.name) == "kv heads"]
    if query and kv:
        text = said("{} query heads where {} key/value heads belong{}", query[0], kv[0], extra)
        yield Proposal(None, text, shown, kind="query-heads-for-kv-heads")
    if many and few and not case.is_second:
        product = [said("*".join(["{}"] * len(some)), *_sorted(some)) for some in (many, few)]
        text = said("{} where {} belongs{}", *product, extra)
        yield Proposal(None, text, shown, kind="wrong-dimension")
    for symbol, power in powers.items():
        kind, text = _meaning(case, symbol, 1 if power > 0 else -1, case.expected)
        yield Proposal(None, said("{}{}", text, extra), shown, kind=kind)


def _sorted(symbols: list[Symbol]) -> list[Symbol]:
    return sorted(symbols, key=lambda s: s.name)


def _usual(case: Case, factor: Fraction) -> Fraction | None:
    """A factor besides that people get wrong, not just what is left over."""
    usual = (near for n in USUAL for near in (Fraction(n), Fraction(1, n)))
    fitting = (near for near in usual if abs(factor / near - 1) <= case.rounding)
    return None if case.is_second and factor != 1 else next(fitting, None)
