"""A sum with maxima, branch by branch: on each, every maximum is one of its arguments.

Where a term beside a maximum is like a term inside it, ``max(x, y) + y``, the two add up only
where that argument is the maximum: the sum is ``2*y`` while ``y > x``, otherwise ``x + y``. Such
maxima are split; the terms of all others compete as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from sympy import Expr

from symcost.algebra import Maximum, Posynomial
from symcost.algebra.posynomial import Monomial
from symcost.analysis.regimes.terms import as_sum, pooled, pooled_term
from symcost.errors import UndecidedError

MAX_BRANCHES = 256


@dataclass(frozen=True, slots=True)
class Wall:
    """A ratio of terms that is at least 1, or above 1, on one side of a border."""

    ratio: Posynomial
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """The terms that compete where all of some ratios are at least 1."""

    terms: tuple[Posynomial, ...]
    within: tuple[Wall, ...] = ()

    def map(self, change: Callable[[Posynomial], Posynomial]) -> Branch:
        """The same with other terms and ratios."""
        walls = (replace(wall, ratio=change(wall.ratio)) for wall in self.within)
        return Branch(tuple(map(change, self.terms)), tuple(walls))


def branches(value: Posynomial) -> list[Branch]:
    """The branches of a sum of positive terms; one, unless like terms meet across a maximum.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import rates
    >>> x, y = rates("x y")
    >>> for branch in branches(as_posynomial(Maximum(x, y) + y)):
    ...     print(*branch.terms, [wall.ratio for wall in branch.within])
    x y [x/y]
    2*y [y/x]

    Raises:
        UndecidedError: too many maxima with like terms.
    """
    listed = []
    for branch in _split(value):
        listed.append(branch)
        if len(listed) > MAX_BRANCHES:
            raise UndecidedError(
                "too many maxima share like terms with the sum around them",
                repair="give numbers for some symbols, or compare the arguments one by one",
            )
    return listed


def _split(value: Posynomial) -> Iterator[Branch]:
    maximum = _clashing(value)
    if maximum is None:
        yield Branch(tuple(pooled(value)))
        return
    whole = value.to_sympy()
    for option, within in _options(maximum):
        for each in _split(as_sum(whole.xreplace({maximum: option}))):
            yield Branch(each.terms, (*within, *each.within))


def _clashing(value: Posynomial) -> Maximum | None:
    """A maximum whose terms add up with others, on one of its branches only; inner ones first."""
    seen: dict[Monomial, Posynomial] = {}
    for term in value:
        for maximum in _maxima(term):
            inner = [_clashing(as_sum(arg)) for arg in maximum.args]
            clash = next(filter(None, inner), maximum if _mixes(term, maximum) else None)
            if clash is not None:
                return clash
        for monomial in pooled_term(term).terms:
            earlier = seen.setdefault(monomial, term)
            clashing = _maxima(term, earlier) if earlier is not term else []
            if clashing:
                return clashing[0]
    return None


def _maxima(*terms: Posynomial) -> list[Maximum]:
    return sorted((a for t in terms for a in t.atoms if isinstance(a, Maximum)), key=str)


def _mixes(term: Posynomial, maximum: Maximum) -> bool:
    """Whether a sum among the arguments is multiplied out, by a whole power or a maximum."""
    power = dict(next(iter(term.terms))).get(maximum, 0)
    multiplied = power == int(power) and (power > 1 or len(_maxima(term)) > 1)
    return multiplied and any(len(as_sum(arg)) > 1 for arg in maximum.args)


def _options(maximum: Maximum) -> Iterator[tuple[Expr, tuple[Wall, ...]]]:
    """Each argument with the ratios that make it the maximum, by its largest term."""
    sums = [pooled(as_sum(arg)) for arg in maximum.args]
    shared = _shared(sums)
    rests = [each - shared for each in sums]
    for index, arg in enumerate(maximum.args):
        for term in rests[index]:
            yield arg, _walls(term, index, rests)


def _shared(sums: list[Posynomial]) -> Posynomial:
    """The terms that all sums have in common: they do not tell which is the largest."""
    common = set(sums[0].terms).intersection(*(each.terms for each in sums[1:]))
    return Posynomial({m: min(each.terms[m] for each in sums) for m in common})


def _walls(term: Posynomial, index: int, rests: Iterable[Posynomial]) -> tuple[Wall, ...]:
    """The term is at least all others, and of equal ones in different arguments the first."""
    return tuple(
        Wall(term / other, strict=position < index)
        for position, rest in enumerate(rests)
        for other in rest
        if position != index or other != term
    )
