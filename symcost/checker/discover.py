"""Finding the order of growth under which a claim is the limit of what is derived.

The claim must consist of terms of the expectation, up to a common factor. Every term that it
leaves out must be dominated by one that it keeps; the ratio of the two is the assumption.
Source: design of the dominance cone in ``symcost.algebra.dominance``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice, product
from typing import Any

from symcost.algebra import Posynomial, Ratio
from symcost.algebra.dominance import Growth, check_consistent
from symcost.algebra.leading import leading_ratio
from symcost.algebra.monomials import monomial_order
from symcost.algebra.posynomial import Monomial, power_of, times
from symcost.algebra.ratio import content
from symcost.algebra.signs import is_dim_atom
from symcost.checker.rounding import agrees
from symcost.errors import SymcostError
from symcost.notation.units import Printed

MAX_COMBINATIONS = 64  # ways of assigning dropped terms to kept ones that are tried
MAX_CHOICES = 8  # kept terms that a dropped one is compared with
NEAR = Fraction(3, 100)  # how near a printed number must come to a limit that nobody stated
MAX_GROUPS = 100  # sets of growing dimensions that are tried


@dataclass(frozen=True, slots=True)
class Regime:
    """An order of growth, its text, and what it comes to.

    ``is_halfway`` marks that a term is left out on one side of the line which stays on the other.
    """

    growth: Growth
    text: str
    value: Ratio
    is_halfway: bool = False

    @property
    def only_arrows(self) -> bool:
        """Whether it only says that symbols grow, and relates none to another."""
        return "<<" not in self.text


def discover(claimed: Ratio, expected: Ratio) -> Regime | None:
    """The shortest order of growth under which ``expected`` becomes ``claimed``.

    >>> from symcost.algebra import as_ratio
    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> discover(as_ratio(B), as_ratio(B * D * F / (B * D + D * F + B * F))).text
    'B << D, F'
    """
    if not claimed or not expected:
        return None
    found = [regime for kept in _kept(claimed, expected) for regime in _regimes(kept, expected)]
    fitting = [regime for regime in found if regime.value == claimed]
    return min(fitting, key=lambda r: (r.text.count("<<"), len(r.text), r.text), default=None)


def discover_number(printed: Printed, expected: Ratio) -> Regime | None:
    """The order of growth under which ``expected`` tends to a printed number."""
    for monomial, top in expected.num.terms.items():
        bottom = expected.den.terms.get(monomial)
        if bottom is None:
            continue
        value = Fraction(top) / Fraction(bottom)
        if agrees(printed, value) and abs(printed.value - value) <= NEAR * value:
            regime = discover(Ratio.of(Posynomial({(): value})), expected)
            if regime is not None:
                return regime
    return None


def arrow_limits(expected: Ratio, symbols: Iterable[Any]) -> Iterator[tuple[str, Ratio]]:
    """The limits in which one, two or all of the dimensions grow beyond all others."""
    dims = [s for s in symbols if is_dim_atom(s)]
    groups = [(s,) for s in dims] + list(combinations(dims, 2)) + [tuple(dims)]
    for group in groups[:MAX_GROUPS] if dims else []:
        parts = (_where_grows(part, group, dims) for part in (expected.num, expected.den))
        value = Ratio.of(*parts)
        if value != expected:
            yield f"{', '.join(s.name for s in group)} -> oo", value


def _where_grows(part: Posynomial, group: Sequence[Any], dims: Sequence[Any]) -> Posynomial:
    """The terms that no other one leaves behind when only the dimensions of a group grow."""
    powers = {m: {s: power_of(s, m) for s in dims} for m in part.terms}
    kept = [
        m
        for m in part.terms
        if not any(_outgrows(powers[other], powers[m], group) for other in part.terms)
    ]
    return Posynomial({m: part.terms[m] for m in kept})


def _outgrows(large: Mapping[Any, Any], small: Mapping[Any, Any], group: Sequence[Any]) -> bool:
    """Whether the surplus of growing dimensions makes up for what is lost of the others."""
    gain = [large[s] - small[s] for s in group]
    lost = sum(max(small[s] - large[s], 0) for s in large if s not in group)
    return bool(min(gain) >= 0 and sum(gain) > 0 and sum(gain) >= lost)


@dataclass(frozen=True, slots=True)
class _Kept:
    num: frozenset[Monomial]
    den: frozenset[Monomial]


def _kept(claimed: Ratio, expected: Ratio) -> Iterator[_Kept]:
    """The terms of the expectation that the claim consists of, for each common factor."""
    lead = min(claimed.num.terms, key=monomial_order)
    seen = set()
    for monomial, coefficient in expected.num.terms.items():
        factor = Posynomial({monomial: coefficient}) / Posynomial({lead: claimed.num.terms[lead]})
        num, den = claimed.num * factor, claimed.den * factor
        if _within(num, expected.num) and _within(den, expected.den):
            kept = _Kept(frozenset(num.terms), frozenset(den.terms))
            if kept not in seen:
                seen.add(kept)
                yield kept


def _within(part: Posynomial, whole: Posynomial) -> bool:
    return all(whole.terms.get(monomial) == c for monomial, c in part.terms.items())


def _regimes(kept: _Kept, expected: Ratio) -> Iterator[Regime]:
    choices: list[list[Monomial]] = []
    lost: set[Monomial] = set()
    beside: set[Monomial] = set()  # what stays as one term of several
    for part, stay in ((expected.num, kept.num), (expected.den, kept.den)):
        (common,) = content(part).terms
        for monomial in part.terms:
            bare = _over(monomial, common)
            if monomial not in stay:
                lost.add(bare)
                ratios = sorted((_over(k, monomial) for k in stay), key=_length)
                choices.append(ratios[:MAX_CHOICES])
            elif len(stay) > 1:
                beside.add(bare)
    if not choices:
        return
    for combination in islice(product(*choices), MAX_COMBINATIONS):
        regime = _regime(set(combination), expected)
        if regime is not None:
            yield replace(regime, is_halfway=not lost.isdisjoint(beside))


def _regime(ratios: set[Monomial], expected: Ratio) -> Regime | None:
    ordered = sorted(ratios, key=_length)
    if any(not ratio or all(power < 0 for _, power in ratio) for ratio in ordered):
        return None
    growth = Growth(tuple((ratio, "") for ratio in ordered))
    try:
        check_consistent(growth)
        return Regime(growth, _text(ordered), leading_ratio(expected, growth))
    except SymcostError:
        return None


def _over(large: Monomial, small: Monomial) -> Monomial:
    return times(large, tuple((atom, -power) for atom, power in small))


def _length(ratio: Monomial) -> tuple[int, str]:
    return len(ratio), str(ratio)


def _text(ratios: Iterable[Monomial]) -> str:
    """``B << D, F``; ``D, F -> oo``."""
    groups: dict[str, list[str]] = {}
    for ratio in ratios:
        small = _product((atom, -power) for atom, power in ratio if power < 0)
        large = _product((atom, power) for atom, power in ratio if power > 0)
        if not small and len(ratio) == 1:
            large = str(ratio[0][0])  # D**2 grows exactly when D does
        groups.setdefault(small, []).append(large)
    parts = [
        f"{', '.join(sorted(large))} -> oo" if not small else f"{small} << {', '.join(large)}"
        for small, large in groups.items()
    ]
    return "; ".join(parts)


def _product(powers: Iterable[tuple[object, object]]) -> str:
    return "*".join(str(a) if power == 1 else f"{a}**{power}" for a, power in powers)
