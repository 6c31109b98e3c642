"""Where each term of a branched sum is the largest: convex pieces in logarithms, and who is beside.

A sum of one branch has one cell per term (see ``cells``). With several branches a term competes
within each of them, so its piece there is cut off by the border of the branch as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd

from symcost.algebra import Posynomial
from symcost.algebra.budget import Kind, budget
from symcost.algebra.polyhedron import Dictionary, Row
from symcost.algebra.reals import compare
from symcost.analysis.regimes.branches import Branch, Wall
from symcost.analysis.regimes.cells import Bound, Cell, Space, cells, space_of
from symcost.analysis.regimes.terms import log_term

MAX_WORK = 10_000_000  # numbers of the tableaus of one question: about two seconds

Key = tuple[tuple[int, ...], tuple[Fraction, ...]]  # one per side of a border


@dataclass(frozen=True, slots=True)
class Side:
    """A border of a piece: ``ratio`` is above 1 inside; beyond are the pieces listed."""

    ratio: Posynomial
    beyond: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a branch's space in which one of its terms is the largest."""

    branch: int
    term: int
    sides: tuple[Side, ...]
    cell: Cell


def pieces(listed: Sequence[Branch], bounds: Sequence[Bound] = ()) -> tuple[Piece, ...]:
    """All pieces with room inside, each with its borders and neighbours.

    Args:
        listed: what competes on each branch; where terms are equal, the first wins.
        bounds: monomials that are at least 1 everywhere.
    """
    with budget(MAX_WORK, Kind.CELLS):
        if len(listed) == 1 and not listed[0].within:
            return _of_cells(listed[0].terms, bounds)
        return _of_branches(listed, bounds)


def _of_branches(listed: Sequence[Branch], bounds: Sequence[Bound]) -> tuple[Piece, ...]:
    rivals = [(i, k, walls) for i, each in enumerate(listed) for k, walls in _rivals(each)]
    ratios = list(dict.fromkeys(wall.ratio for *_, walls in rivals for wall in walls))
    field = _Field(ratios, space_of([log_term(ratio) for ratio in ratios], bounds))
    possible = [(i, k, cut) for i, k, walls in rivals if (cut := field.cut(walls)) is not None]
    cuts = [cut for *_, cut in possible]
    return tuple(
        Piece(i, k, field.sides(at, cuts), cut.cell) for at, (i, k, cut) in enumerate(possible)
    )


def _of_cells(terms: Sequence[Posynomial], bounds: Sequence[Bound]) -> tuple[Piece, ...]:
    """The pieces of one branch, of terms of which some may differ by a number only."""
    logs = [log_term(term) for term in terms]
    best: dict[object, int] = {}
    for index, log in enumerate(logs):
        other = best.setdefault(log.powers, index)
        if other != index and compare((terms[index] / terms[other]).to_sympy(), 1) > 0:
            best[log.powers] = index
    order = list(best.values())
    listed = cells([logs[index] for index in order], bounds)
    place = {cell.index: at for at, cell in enumerate(listed)}
    return tuple(
        Piece(
            0,
            order[cell.index],
            tuple(
                Side(terms[order[cell.index]] / terms[order[other]], (place[other],))
                for other in cell.neighbours
            ),
            replace(cell, index=order[cell.index]),
        )
        for cell in listed
    )


def _rivals(each: Branch) -> Iterator[tuple[int, tuple[Wall, ...]]]:
    """Each term with the ratios that must be at least 1 for it to be the largest."""
    for index, term in enumerate(each.terms):
        others = (
            Wall(term / other, strict=position < index)
            for position, other in enumerate(each.terms)
            if position != index
        )
        yield index, (*others, *each.within)


@dataclass(frozen=True, slots=True)
class _Cut:
    """The borders of a piece, by key, as ratios that are above 1 inside."""

    sides: Mapping[Key, int]
    cell: Cell


@dataclass(frozen=True, slots=True)
class _Field:
    """Ratios of terms as linear functions of the logarithms."""

    ratios: Sequence[Posynomial]
    space: Space

    def cut(self, walls: Sequence[Wall]) -> _Cut | None:
        """The piece that some walls leave; ``None`` when it has no room inside."""
        tightest: dict[tuple[int, ...], tuple[Key, int]] = {}
        for wall in walls:
            index = self.ratios.index(wall.ratio)
            key = self._key(index)
            if not any(key[0]):
                sign = self._sign(key[1])
                if sign < 0 or (sign == 0 and wall.strict):
                    return None
                continue
            old = tightest.setdefault(key[0], (key, index))
            if self._sign([a - b for a, b in zip(key[1], old[0][1], strict=True)]) < 0:
                tightest[key[0]] = (key, index)
        kept = dict(tightest.values())
        corner = self._corner(kept.values())
        if not corner.make_feasible():
            return None
        borders = corner.borders(kept.values())
        sides = {key: index for key, index in kept.items() if index in borders}
        return _Cut(sides, self.space.cell(corner))

    def sides(self, at: int, cuts: Sequence[_Cut]) -> tuple[Side, ...]:
        """The borders of one piece, each with the pieces beyond it."""
        own = cuts[at]
        sides = []
        for key, index in own.sides.items():
            back = _opposite(key)
            beyond = (
                other
                for other, cut in enumerate(cuts)
                if back in cut.sides and self._meet(own, cut, key)
            )
            sides.append(Side(self.ratios[index], tuple(beyond)))
        return tuple(sides)

    def _meet(self, one: _Cut, other: _Cut, key: Key) -> bool:
        """Whether both pieces, without the border between them, share room on both its sides."""
        back = _opposite(key)
        rest = {index for k, index in one.sides.items() if k != key}
        rest |= {index for k, index in other.sides.items() if k != back}
        across = (one.sides[key], other.sides[back])
        return all(self._corner({*rest, index}).make_feasible() for index in across)

    def _corner(self, indices: Iterable[int]) -> Dictionary:
        width = len(self.space.symbols)
        lifted = ((index, self.space.lifted[index]) for index in sorted(indices))
        return self.space.within(
            Row(index, tuple(vector[:width]), tuple(vector[width:])) for index, vector in lifted
        )

    def _key(self, index: int) -> Key:
        """The powers over their greatest common divisor, and the logarithm over the same."""
        vector = self.space.lifted[index]
        width = len(self.space.symbols)
        powers, constant = vector[:width], vector[width:]
        size = gcd(*powers) or 1
        return tuple(p // size for p in powers), tuple(Fraction(c, size) for c in constant)

    def _sign(self, constant: Sequence[Fraction]) -> int:
        return self.space.base.sign_of_fractions(constant)


def _opposite(key: Key) -> Key:
    return tuple(-p for p in key[0]), tuple(-c for c in key[1])
