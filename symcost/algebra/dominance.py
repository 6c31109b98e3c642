"""Dominance: which monomials an assumption such as ``B << D, F`` allows to be dropped.

``x << y`` says that ``y/x`` grows without bound. A set of such statements generates a cone
of exponent vectors; ``m2`` dominates ``m1`` exactly when the exponent vector of ``m2/m1``
lies in that cone and uses at least one of the statements. Dimensions are at least 1, so
their unit vectors belong to the cone as *weak* generators: they may help, but alone they
do not make a ratio large. The order is partial: incomparable monomials are all kept.
Symbols that stand for a format or a machine (sizes of dtypes, rates, fractions), and those that
are ``held``, are fixed while sizes grow: their powers do not count unless a statement names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from sympy import Expr, Integer, Symbol

from symcost.algebra.extrema import Maximum
from symcost.algebra.linear import maximize
from symcost.algebra.monomials import name_of
from symcost.algebra.posynomial import Atom, Monomial, Posynomial, power_of, times
from symcost.algebra.signs import is_at_least, is_dim_atom
from symcost.errors import AssumptionError
from symcost.symbols import is_dim

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Growth:
    """An order of growth: ``strict`` ratios that go to infinity, each with its text."""

    strict: tuple[tuple[Monomial, str], ...] = ()
    weak: tuple[Monomial, ...] = ()
    held: frozenset[Symbol] = frozenset()

    def is_fixed(self, atom: Atom) -> bool:
        """Whether an atom neither grows nor falls: it consists of numbers, rates, held symbols."""
        moving = {s for each in self.atoms for s in each.free_symbols}
        return all((s in self.held or not is_dim(s)) and s not in moving for s in atom.free_symbols)

    @property
    def atoms(self) -> frozenset[Atom]:
        """The symbols and functions that the generators speak of."""
        ratios = (*(ratio for ratio, _ in self.strict), *self.weak)
        return frozenset(atom for ratio in ratios for atom, _ in ratio)

    def for_atoms(self, atoms: Iterable[Atom]) -> Growth:
        """The same order with the dimensions among the atoms as weak generators."""
        named = set(atoms).union(a for ratio, _ in self.strict for a, _ in ratio)
        dims = sorted((a for a in named if is_dim_atom(a)), key=name_of)
        return replace(self, weak=(*self.weak, *(((dim, 1),) for dim in dims)))


def check_consistent(growth: Growth) -> None:
    """Refuse assumptions that contradict each other, and name them.

    Raises:
        AssumptionError: a combination of the assumptions says that 1 << 1.
    """
    used = _combination((), growth.for_atoms(()))
    if used is None:
        return
    texts = list(dict.fromkeys(growth.strict[i][1] for i in used))
    if len(texts) == 1:
        raise AssumptionError(
            f"{texts[0]} contradicts that every dimension is at least 1",
            repair="turn it round, or leave it out",
        )
    raise AssumptionError(
        f"{' and '.join(texts)} contradict each other", repair="leave one of them out"
    )


def dominates(large: Monomial, small: Monomial, growth: Growth) -> bool:
    """Whether ``large / small`` grows without bound.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> order = Growth(strict=((((B, -1), (D, 1)), "B << D"),))
    >>> dominates(((D, 1),), ((B, 1),), order), dominates(((B, 1),), ((D, 1),), order)
    (True, False)
    """
    ratio = times(large, tuple((atom, -power) for atom, power in small))
    named = growth.atoms
    ratio = tuple(item for item in ratio if item[0] in named or not growth.is_fixed(item[0]))
    rest = tuple(item for item in ratio if item[0] in named)
    # What no assumption speaks of is a weak factor by itself: a dimension, not divided by.
    weak = all(atom in named or (power > 0 and is_dim_atom(atom)) for atom, power in ratio)
    return bool(rest) and weak and _combination(rest, growth.for_atoms(named)) is not None


def leading(value: Posynomial, growth: Growth) -> Posynomial:
    """The terms that no other term dominates."""
    kept = _undominated(tuple(value.terms), growth)
    return Posynomial({monomial: value.terms[monomial] for monomial in kept})


@lru_cache(maxsize=64)
def _undominated(monomials: tuple[Monomial, ...], growth: Growth) -> list[Monomial]:
    return unbeaten(monomials, lambda large, small: dominates(large, small, growth))


def unbeaten(items: Iterable[T], beats: Callable[[T, T], bool]) -> list[T]:
    """The items that no other one beats; of equals that beat each other, the first.

    >>> unbeaten([3, 5, 4, 5], lambda a, b: a >= b)
    [5]
    """
    kept: list[T] = []
    for item in dict.fromkeys(items):
        if not any(beats(other, item) for other in kept):
            kept = [*(other for other in kept if not beats(item, other)), item]
    return kept


def largest(values: Iterable[Expr]) -> Expr:
    """The maximum of expressions, without those that another one exceeds everywhere; 0 of none.

    >>> from symcost.symbols import dims
    >>> B, F = dims("B F")
    >>> largest([2 * B * F, 4 * B * F, B])
    4*B*F
    """
    kept = unbeaten(values, is_at_least)
    return Maximum(*kept) if kept else Integer(0)


def _combination(target: Monomial, growth: Growth) -> list[int] | None:
    """Which strict generators make up the target, with weak ones: None when it takes none."""
    generators = [ratio for ratio, _ in growth.strict] + list(growth.weak)
    if not growth.strict:
        return None
    atoms = sorted({a for m in (*generators, target) for a, _ in m}, key=name_of)
    strict = len(growth.strict)
    best = _most_strict(generators, target, atoms, strict)
    if best is None or not any(best):
        return None
    return [i for i, weight in enumerate(best) if weight]


def _most_strict(
    generators: Sequence[Monomial], target: Monomial, atoms: Sequence[Atom], strict: int
) -> tuple[Fraction, ...] | None:
    """The weights of the strict generators in a combination that uses them most.

    Consistent generators admit only bounded combinations of a point; for the zero target,
    which asks whether they *are* consistent, the sum of the weights is fixed to 1.
    """
    matrix: list[list[Fraction | int]] = [[power_of(atom, g) for g in generators] for atom in atoms]
    right = [power_of(atom, target) for atom in atoms]
    goal = [Fraction(int(i < strict)) for i in range(len(generators))]
    if not target:
        matrix.append([*goal])
        right.append(1)
    best = maximize(goal, matrix, right)
    return None if best is None else best.point[:strict]
