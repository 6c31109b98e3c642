"""Symbols: one too many, one missing, one in the place of another; named by what they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio
from symcost.algebra.posynomial import power_of
from symcost.checker.case import Case
from symcost.checker.equality import ratio_of
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import OPEN, Example, Proposal, declare, mistake
from symcost.checker.mistakes.places import parts
from symcost.checker.mistakes.slips import Change, slip
from symcost.notation.kinds import can_be, role

SHARES = ("devices", "cores")
HEADS = ("query heads", "kv heads")
USUAL = (1, 2, 3, 4, 6, 8, 1024, 1000, 3600, 86400)  # factors that people get wrong besides


@slip(
    "wrong-dimension",
    "one symbol stands where another belongs",
    specific=7.5,
    example=Example("2*B*D*D", "2*B*D*F"),
)
def in_place(node: Expr, around: Expr | None, case: Case) -> Iterator[Change]:
    """One symbol in the place of another."""
    for there in (*case.inputs, *case.others) if isinstance(node, Symbol) else ():
        sizes = [case.values.get(s) for s in (there, node)]
        if there == node or (sizes[0] is not None and sizes[0] == sizes[1]):
            continue
        text = f"{there} stands where {node} belongs"
        for a, b in ((there.name, node.name), (node.name, there.name)):
            if can_be(a, "query heads") and can_be(b, "kv heads"):
                said = f"{text}: keys and values have {b} heads, queries {a}"
                yield there, said, 0, "query-heads-for-kv-heads"
            if can_be(a, "experts") and can_be(b, "active experts"):
                said = f"{text}: a token runs through {b} of the {a} experts"
                yield there, said, 0, "all-experts"
        yield there, text, 0 if case.printed is None else OPEN


@mistake("wrong-dimension")
def exchanged(case: Case) -> Iterator[Proposal]:
    """Two symbols that changed places."""
    for one, other in combinations(case.inputs, 2):
        value = case.substituted({one: other, other: one})
        if value not in (case.expected, case.ratio):
            kind = _kind_of_exchange(case, one, other)
            yield Proposal(
                value, f"{one} and {other} have changed places", f"{one}/{other}", kind=kind
            )


def _kind_of_exchange(case: Case, one: Symbol, other: Symbol) -> str:
    """A ratio is upside down where one stood above the line and the other below."""
    if case.ratio is None:
        return ""
    signs = [told.side_of(case, s) for s in (one, other)]
    return "inverted-ratio" if signs[0] * signs[1] < 0 else ""


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
declare("wrong-power", "a symbol has the wrong power", 7.7, "alpha^2/M", "alpha/M")
declare(
    "missing-symbol",
    "a symbol is missing",
    7.4,
    *("24*B*T*D^2 + 4*B*T*D", "24*B*T*D^2 + 4*B*T^2*D"),
)


@mistake("stray-symbol", "a symbol too many", specific=7.3, example=Example("V/(W*N)", "V/W"))
def once_more_or_less(case: Case) -> Iterator[Proposal]:
    """The whole, or one part, multiplied or divided by a symbol once too often."""
    for symbol in (*case.inputs, *case.others):
        if case.printed is not None and case.values.get(symbol, 1) in (1, 10, 100, 1000):
            continue
        for power in (1, -1):
            yield _named(case, symbol, power, case.expected * symbol**power, "")
            for part, put, where in parts(case.expected) if case.printed is None else ():
                said = f" in the term {part}{where}"
                changed = put(part * symbol**power)
                yield _named(case, symbol, power, changed, said, part)
                if power < 0 and symbol in part.free_symbols:
                    text = f"{symbol} is missing{said}"
                    yield Proposal(changed, text, str(symbol), -0.8, kind="missing-symbol")


def _named(
    case: Case, symbol: Symbol, power: int, value: object, where: str, part: Expr | None = None
) -> Proposal:
    """One symbol too many or too few, by name of what it usually stands for."""
    kind, text = _meaning(case, symbol, power, case.expected if part is None else part)
    by_chance = -0.6 if case.printed is not None else -1.2 if part is not None else 0
    if part is not None and kind in ("layer-factor", "scope", "missing-symbol"):
        by_chance = -0.3
    return Proposal(value, text + where, f"{symbol}^{power}", by_chance, kind=kind)


def _meaning(case: Case, symbol: Symbol, power: int, inside: Expr) -> tuple[str, str]:
    what = role(symbol.name)
    number = case.printed is not None
    if what == "layers":
        change = "multiplied by" if power > 0 else "not multiplied by"
        return "layer-factor", f"{change} {symbol}, the number of layers: one against all"
    occurs = symbol in inside.free_symbols
    if (what in SHARES or (number and what in HEADS) or _shares(case, symbol, inside)) and (
        number or not (occurs and symbol in case.claimed.free_symbols and inside == case.expected)
    ):
        return (
            "scope",
            f"{symbol} is {'too many' if power > 0 else 'missing'}: a total and a share of it",
        )
    if what == "bytes per value":
        return (
            "dtype-size",
            f"{symbol}, the bytes per value, is {'put in' if power > 0 else 'left out'}",
        )
    if number:
        verb = "multiplied" if power > 0 else "divided"
        return "", f"{verb} by {symbol} once too often"
    now = _power_in(inside, symbol)
    if occurs and now + power != 0:
        return "wrong-power", f"{symbol} has power {now + power}, should be {now}"
    if not occurs:
        verb = "grows with" if power > 0 else "is divided by"
        return "", f"{symbol} does not belong in the formula: it {verb} {symbol}"
    verb = "multiplied" if power < 0 else "divided"
    return "missing-symbol", f"{symbol} is missing: it should be {verb} by {symbol}"


def _shares(case: Case, symbol: Symbol, inside: Expr) -> bool:
    """Whether a symbol divides other parts of a sum, as a number of devices does."""
    if inside == case.expected or case.ratio is None:
        return False
    return told.side_of(case, symbol) < 0


def _power_in(value: Expr, symbol: Symbol) -> Any:
    """The power of a symbol in the leading term above minus that below."""
    ratio = ratio_of(value)
    if ratio is None:
        return 0
    top = max((power_of(symbol, m) for m in ratio.num.terms), default=0)
    return top - max((power_of(symbol, m) for m in ratio.den.terms), default=0)


@mistake("stray-symbol")
def by_the_quotient(case: Case) -> Iterator[Proposal]:
    """A formula that is off by a product of symbols, with a usual factor besides."""
    quotient = case.quotient
    if quotient is None or case.printed is not None or len(quotient.num) + len(quotient.den) != 2:
        return
    ((above, top),), ((below, bottom),) = quotient.num.terms.items(), quotient.den.terms.items()
    powers = dict(above) | {a: -p for a, p in below}
    if not powers or not all(atom.is_Symbol for atom in powers):
        return
    number = _usual(case, Fraction(top) / Fraction(bottom))
    if number is None:
        return
    many, few = ([s for s, p in powers.items() if p * sign > 0] for sign in (1, -1))
    extra = "" if number == 1 else f", besides a factor of {number}"
    query = [s.name for s in many if can_be(s.name, "query heads")]
    kv = [s.name for s in few if role(s.name) == "kv heads"]
    if query and kv:
        text = f"{query[0]} query heads where {kv[0]} key/value heads belong{extra}"
        yield Proposal(None, text, str(quotient), kind="query-heads-for-kv-heads")
    for symbol, power in powers.items():
        kind, text = _meaning(case, symbol, 1 if power > 0 else -1, case.expected)
        yield Proposal(None, text + extra, str(quotient), -0.1 * len(powers), kind=kind)
    if many and few:
        text = f"{_names(many)} where {_names(few)} belongs{extra}"
        yield Proposal(None, text, str(quotient), -0.1, kind="wrong-dimension")


def _usual(case: Case, factor: Fraction) -> Fraction | None:
    """A factor besides that people get wrong, not just what is left over."""
    for number in USUAL:
        for near in (Fraction(number), Fraction(1, number)):
            if abs(factor / near - 1) <= case.rounding:
                return near
    return None


def _names(symbols: list[Symbol]) -> str:
    return "*".join(sorted(s.name for s in symbols))


@mistake("scope")
def half_shared(case: Case) -> Iterator[Proposal]:
    """One term of the claim that is not divided, where the whole of one term should be."""
    if case.printed is not None or not case.claimed.is_Add:
        return
    for part, put, _ in parts(case.claimed):
        for symbol in case.inputs:
            meant = ratio_of(put(part / symbol))
            if meant is not None and meant == case.ratio:
                yield Proposal(None, f"the part {part} is not divided by {symbol}", f"{symbol}^-1")


@mistake("extra-term", "a term too many", specific=6.4, example=Example("6*N*D + 3*V", "6*N*D"))
def added(case: Case) -> Iterator[Proposal]:
    """Terms that the expectation does not have."""
    if case.printed is not None or case.ratio is None or case.claim_ratio is None:
        return
    for ours, theirs, where in _sides(case.ratio, case.claim_ratio):
        extra = theirs - ours
        kept = all(theirs.terms.get(m) == c for m, c in ours.terms.items())
        positive = all(c > 0 for c in extra.terms.values())
        if not kept or not positive or len(theirs) <= len(ours):
            continue
        vocabulary = any(can_be(a.name, "vocabulary") for a in extra.symbols)
        if len(extra) == 1 and vocabulary:
            text = f"counts {extra}{where}: a look-up in the embedding table multiplies nothing"
            yield Proposal(None, text, str(extra), kind="embedding-as-matmul")
        yield Proposal(None, f"has {extra}{where} too much", str(extra))


def _sides(right: Ratio, claim: Ratio) -> Iterator[tuple[Posynomial, Posynomial, str]]:
    """Numerators over one denominator, denominators under one numerator."""
    whole = claim * Ratio.of(right.den)
    if whole.is_posynomial:
        yield right.num, whole.num, ""
    under = Ratio.of(right.num) / claim
    if under.is_posynomial:
        yield right.den, under.num, " in the denominator"
