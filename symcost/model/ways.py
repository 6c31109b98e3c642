"""The ways of an operation on a mesh: over which axes each of its dimensions is worked off.

An operation names each dimension of its operands and of its result by a letter. A way gives
every mesh axis to one letter, to none (then all devices along it do the same), or lets a partial
operand stay partial. Local work follows from it: a summed letter that is split leaves the result
partial. What the operands and the result need for it are conversions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product as every
from typing import TypeAlias

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import ZERO
from symcost.algebra.signs import possible_signs
from symcost.errors import MissingRuleError
from symcost.model.collectives.networks import rounded_up
from symcost.model.conversions import Shape, conversion, distance
from symcost.model.layouts import Layout, usual_size
from symcost.model.mesh import Mesh

Params: TypeAlias = tuple[tuple[str, object], ...]
Word: TypeAlias = tuple[str, ...]  # a letter for each dimension
NONE = ""  # the letter of an axis along which all devices do the same
WASTE = 16  # how much more is moved than is used
NEAR = 2  # a simpler way is taken if it sends at most so many times as much
MANY_AXES = 3  # beyond so many axes, each is given only to letters that it splits already


@dataclass(frozen=True, slots=True)
class Split:
    """How an operation may be split.

    >>> matmul = Split((("i", "j"), ("j", "k")), ("i", "k"), sums=(("j", "sum"),),
    ...                carries=((0,), (1,)))

    Args:
        operands: per operand a letter for each dimension; ``""`` for one that is not split.
        result: the letters of the result.
        sums: letters that the result lacks, each with what makes it whole again (``"sum"``).
        whole: letters along which the operation needs all values.
        carries: groups of operands that may be partial together, the result being so then.
        through: the kinds of partial values that it carries.
        sampled: operands of which only some values are used, so that moving all is waste.
        steps: the operation as smaller ones, for when a letter that it needs whole is split:
            kind, names of the operands (``"x0"``, ``"x1"``, ... or of a step) and parameters,
            by the name of its result; the last one gives the result.
        keeps: what the steps send of each shard, if they pay only for longer shards.
    """

    operands: tuple[Word, ...]
    result: Word
    sums: tuple[tuple[str, str], ...] = ()
    whole: frozenset[str] = frozenset()
    carries: tuple[tuple[int, ...], ...] = ()
    through: frozenset[str] = frozenset(["sum"])
    sampled: tuple[int, ...] = ()
    steps: tuple[tuple[str, str, tuple[str, ...], Params], ...] = ()
    keeps: Posynomial = ZERO

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that may be split, in order."""
        every_word = (*self.operands, self.result)
        present = dict.fromkeys(letter for word in every_word for letter in word if letter)
        return tuple(letter for letter in present if letter not in self.whole)

    def waste(self, operand: int) -> int:
        """How much a move of an operand counts."""
        return WASTE if operand in self.sampled else 1


@dataclass(frozen=True, slots=True)
class Placed:
    """An operation whose tensors lie on a mesh.

    Args:
        split: how it may be split.
        shapes, layouts: of the operands.
        result: shape of the result; ``target``: its layout, ``None`` where any will do.
        mesh: the mesh.
    """

    split: Split
    shapes: tuple[Shape, ...]
    layouts: tuple[Layout, ...]
    result: Shape
    target: Layout | None
    mesh: Mesh

    @property
    def is_taken_apart(self) -> bool:
        """Whether it is done in steps, as an operand is split where it is needed whole."""
        return bool(self.split.steps) and any(
            axes and letter in self.split.whole and self._pays(size, axes)
            for word, shape, layout in zip(
                self.split.operands, self.shapes, self.layouts, strict=True
            )
            for letter, size, axes in zip(word, shape, layout.dims, strict=True)
        )

    def _pays(self, size: Posynomial, axes: tuple[str, ...]) -> bool:
        """Whether a shard may be longer than what the steps send of it."""
        shard = rounded_up(size / self.mesh.count(axes))
        return not possible_signs(shard - self.split.keeps) <= {0, -1}

    @property
    def words(self) -> tuple[Word, ...]:
        """The letters of the operands and of the result."""
        return (*self.split.operands, self.split.result)

    @property
    def wanted(self) -> tuple[Layout, ...]:
        """The layouts of the operands, and of the result where it has one."""
        return (*self.layouts, self.target) if self.target else self.layouts

    def conversions(self, way: Way, result: Layout) -> list[tuple[Shape, Layout, Layout]]:
        """Shape, layout before and after: of each operand, and of the result of a way."""
        operands = zip(self.shapes, self.layouts, way.operands, strict=True)
        return [*operands, (self.result, way.result, result)]


@dataclass(frozen=True, slots=True)
class Way:
    """One way: what the operands must lie like, and how the result then lies.

    ``cost`` and ``work`` compare ways at the usual sizes: values sent over the slowest axis, and
    the size of the iteration space of a device.
    """

    operands: tuple[Layout, ...]
    result: Layout
    cost: int = 0
    work: int = 0
    given: tuple[tuple[str, str], ...] = field(default=(), compare=False)  # axis -> letter


@lru_cache(maxsize=1024)
def ways(op: Placed) -> tuple[Way, ...]:
    """Every way, by what it sends at the usual sizes.

    The one to take comes first: the simplest of those that send least, within a factor of two.
    Of ways that lay operands and result alike there is one.
    """
    known: dict[tuple[object, ...], Way] = {}
    for given in _assignments(op):
        way = _way(op, given)
        if way is None or (key := (way.operands, way.result)) in known:
            continue
        try:
            *operands, last = op.conversions(way, op.target or _summed(way.result))
            costs = {
                each: distance(*each, op.mesh) * op.split.waste(n)
                for n, each in enumerate(operands)
            }
            cost = sum(costs.values()) + distance(*last, op.mesh)
        except MissingRuleError:
            continue
        known[key] = replace(way, cost=cost, work=_work(op, given), given=tuple(given.items()))
    order = sorted(known.values(), key=lambda way: (way.cost, way.work, len(way.result.partial)))
    near = [way for way in order if way.cost <= NEAR * order[0].cost]
    first = min(near, key=lambda way: _collectives(op, way))
    return (first, *(way for way in order if way is not first))


def _collectives(op: Placed, way: Way) -> int:
    """How many collectives a way needs, those over several axes together counted once."""
    needed = dict.fromkeys(op.conversions(way, op.target or way.result))
    return sum(not step.is_free for each in needed for step in conversion(*each, op.mesh))


def _assignments(op: Placed) -> Iterator[dict[str, str]]:
    """Every choice of a letter, of none, or of what stays partial for each axis that is used."""
    split = op.split
    named = {axis for layout in op.wanted for axis in layout.axes}
    axes = [axis for axis in op.mesh if axis in named]
    choices = []
    for axis in axes:
        present = [
            letter
            for word, layout in zip(op.words, op.wanted, strict=False)
            for letter, names in zip(word, layout.dims, strict=True)
            if axis in names and letter in split.letters
        ]
        letters = split.letters if len(axes) <= MANY_AXES else tuple(dict.fromkeys(present))
        kinds = {k for layout in op.layouts for name, k in layout.partial if name == axis}
        carried = [f"{k}!{n}" for k in kinds & split.through for n in range(len(split.carries))]
        choices.append((*letters, NONE, *carried))
    for picked in every(*choices):
        yield dict(zip(axes, picked, strict=True))


def _way(op: Placed, given: Mapping[str, str]) -> Way | None:
    split, order = op.split, _order(op)
    by_letter: dict[str, tuple[str, ...]] = {}
    for letter in {*given.values()} & {*split.letters}:
        ranked = order.get(letter, tuple(op.mesh))
        by_letter[letter] = tuple(axis for axis in ranked if given.get(axis) == letter)
    carried = [(axis, *choice.split("!")) for axis, choice in given.items() if "!" in choice]
    operands = []
    for number, word in enumerate(split.operands):
        partial = tuple(
            (axis, kind) for axis, kind, group in carried if number in split.carries[int(group)]
        )
        operands.append(Layout(_dims(word, by_letter), tuple(sorted(partial))))
    summed = [(axis, kind) for letter, kind in split.sums for axis in by_letter.get(letter, ())]
    partial = tuple(sorted((*summed, *((axis, kind) for axis, kind, _ in carried))))
    kinds = {kind for _, kind in partial}
    if len(kinds) > 1:
        return None  # a maximum of sums is not a sum of maxima
    return Way(tuple(operands), Layout(_dims(split.result, by_letter), partial))


def _summed(layout: Layout) -> Layout:
    """Where a partial result may end up: split over the axes over which it was partial."""
    axes = tuple(axis for axis, _ in layout.partial)
    if not axes or not layout.dims:
        return Layout(layout.dims)
    return Layout(((*layout.dims[0], *axes), *layout.dims[1:]))


def _dims(word: Word, by_letter: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    return tuple(by_letter.get(letter, ()) if letter else () for letter in word)


def _order(op: Placed) -> dict[str, tuple[str, ...]]:
    """For each letter the axes in the order in which a tensor has them, then the mesh's."""
    order: dict[str, tuple[str, ...]] = {}
    for word, layout in zip(op.words, op.wanted, strict=False):
        for letter, axes in zip(word, layout.dims, strict=True):
            order[letter] = tuple(dict.fromkeys((*order.get(letter, ()), *axes)))
    return {letter: tuple(dict.fromkeys((*axes, *op.mesh))) for letter, axes in order.items()}


def _work(op: Placed, given: Mapping[str, str]) -> int:
    """The size of the iteration space that a device works off."""
    sizes: dict[str, Posynomial] = {}
    for word, shape in zip(op.words, (*op.shapes, op.result), strict=True):
        sizes.update(zip(word, shape, strict=True))
    work = 1
    for letter, size in sizes.items():
        share = usual_size(size, op.mesh)
        for axis, chosen in given.items():
            if chosen == letter and letter:
                share = -(-share // usual_size(op.mesh[axis], op.mesh))
        work *= share
    return work
