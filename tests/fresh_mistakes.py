"""Fresh wrong versions of published right ones, made by rules near the checker's own kinds.

Every right formula of the corpus is changed in one place, found by chance, by one of a few rules.
These call nothing of the checker, but each stands for mistakes that the kinds were written for
(a power, a factor, a lost term), so the counts measure the search, not how people err.
``fresh()`` is seeded.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from sympy import Add, Expr, Integer, Mul, Symbol

COUNT = 300
SEED = 20261130
PRIMES = tuple(map(Integer, (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59)))


@dataclass(frozen=True)
class Fresh:
    """A wrong version: the claim, the arguments of the check, the kinds that name it."""

    claim: str
    arguments: dict[str, Any]
    kinds: frozenset[str]


def fresh(right: list[Any], count: int = COUNT) -> list[Fresh]:
    """Seeded wrong versions of right claims that are formulas."""
    from symcost.checker import check
    from symcost.errors import SymcostError

    random = Random(SEED)
    found: dict[tuple[str, str], Fresh] = {}
    for _ in range(40 * count):
        if len(found) == count:
            break
        claimed = random.choice(right)
        try:
            report = check(claimed.claim, **claimed.arguments)
        except SymcostError:
            continue
        value = report.claimed
        if report.verdict != "exact" or not isinstance(value, Expr) or not value.free_symbols:
            continue
        made = random.choice(RULES)(value, random)
        if made is None or made[0] == value:
            continue
        wrong, kinds = made
        point = dict(
            zip(sorted(wrong.free_symbols | value.free_symbols, key=str), PRIMES, strict=False)
        )
        if wrong.xreplace(point).evalf(30) != value.xreplace(point).evalf(30):
            found[(str(wrong), claimed.case)] = Fresh(str(wrong), claimed.arguments, kinds)
    return list(found.values())


Made = tuple[Expr, frozenset[str]] | None


def _symbol(value: Expr, random: Random) -> Symbol:
    return random.choice(sorted(value.free_symbols, key=str))


def power(value: Expr, random: Random) -> Made:
    """One symbol with another power, everywhere it is multiplied."""
    symbol = _symbol(value, random)
    change = value * symbol ** random.choice((1, -1))
    names = {"wrong-power", "missing-symbol", "stray-symbol", "scope", "layer-factor", "dtype-size"}
    return change, frozenset(names)


def exchange(value: Expr, random: Random) -> Made:
    """One symbol for another one."""
    one, other = _symbol(value, random), _symbol(value, random)
    kinds = {"wrong-dimension", "query-heads-for-kv-heads", "all-experts", "wrong-power"}
    return value.xreplace({one: other}), frozenset(kinds)


def term(value: Expr, random: Random) -> Made:
    """One term of a sum lost."""
    sums = sorted(value.atoms(Add), key=str)
    if not sums:
        return None
    chosen = random.choice(sums)
    lost = random.choice(chosen.args)
    new = Add(*(arg for arg in chosen.args if arg != lost))
    kinds = {"missing-term", "missing-traffic", "no-write-back", "missing-factor", "off-by-one"}
    return value.xreplace({chosen: new}), frozenset(kinds)


def number(value: Expr, random: Random) -> Made:
    """The whole with a factor that people get wrong."""
    kinds: dict[Any, set[str]] = {
        Integer(2): {"factor-2", "mac-for-flop", "dtype-size", "all-reduce-passes", "causal-mask"},
        Integer(3): {"training-factor", "constant-factor"},
        Integer(8): {"bits-for-bytes", "constant-factor"},
        Integer(1000): {"power-of-ten", "unit-prefix"},
    }
    factor = random.choice(sorted(kinds, key=int))
    names = kinds[factor] | {"both-directions", "sparse-for-dense-peak", "sum-for-overlap"}
    turned = random.choice((1, -1))
    return value * factor**turned, frozenset(names)


def turned(value: Expr, random: Random) -> Made:
    """The whole upside down."""
    return 1 / value, frozenset({"inverted-ratio"})


def one(value: Expr, random: Random) -> Made:
    """A count that is off by one, once."""
    symbol = _symbol(value, random)
    return value.xreplace({symbol: symbol + random.choice((1, -1))}), frozenset({"off-by-one"})


def summed(value: Expr, random: Random) -> Made:
    """Two factors added."""
    products = [
        e for e in sorted(value.atoms(Mul), key=str) if sum(a.is_Symbol for a in e.args) > 1
    ]
    if not products:
        return None
    chosen = random.choice(products)
    a, b = random.sample([arg for arg in chosen.args if arg.is_Symbol], 2)
    return value.xreplace({chosen: chosen / a / b * (a + b)}), frozenset({"sum-for-product"})


RULES = (power, exchange, term, number, turned, one, summed)


def counts(right: list[Any], count: int = COUNT) -> Counter[str]:
    """How many fresh versions are missed, found, named, and named first."""
    from symcost.checker import check

    result: Counter[str] = Counter()
    for each in fresh(right, count):
        report = check(each.claim, **each.arguments)
        named = [d.kind for d in report.diagnosis]
        if report.holds or report.verdict == "undecided":
            result["missed"] += 1
        elif not set(named) & each.kinds:
            result["found"] += 1
        else:
            result["first" if named[0] in each.kinds else "named"] += 1
    return result
