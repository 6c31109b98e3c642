"""The ways of an operation on a mesh: over which axes each of its dimensions is worked off.

An operation names each dimension of its operands and of its result by a letter. A way gives
every mesh axis to one letter, to none (then all devices along it do the same), or lets a partial
operand stay partial. Local work follows from it: a summed letter that is split leaves the result
partial. What the operands and the result need for it are conversions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product as every
from typing import TypeAlias

from symcost.algebra import Posynomial
from symcost.errors import MissingRuleError
from symcost.model.conversions import Shape, conversion, distance
from symcost.model.layouts import Layout, usual_size, whole
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
    """

    operands: tuple[Word, ...]
    result: Word
    sums: tuple[tuple[str, str], ...] = ()
    whole: frozenset[str] = frozenset()
    carries: tuple[tuple[int, ...], ...] = ()
    through: frozenset[str] = frozenset(["sum"])
    sampled: tuple[int, ...] = ()
    steps: tuple[tuple[str, str, tuple[str, ...], Params], ...] = ()

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that may be split, in order."""
        every_word = (*self.operands, self.result)
        found = dict.fromkeys(letter for word in every_word for letter in word if letter)
        return tuple(letter for letter in found if letter not in self.whole)

    def waste(self, operand: int) -> int:
        """How much a move of an operand counts."""
        return WASTE if operand in self.sampled else 1


def whole_enough(split: Split, layouts: Sequence[Layout]) -> bool:
    """Whether no operand is split along a letter that the operation needs whole."""
    pairs = zip(split.operands, layouts, strict=True)
    return not any(
        axes and letter in split.whole
        for word, layout in pairs
        for letter, axes in zip(word, layout.dims, strict=True)
    )


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


def best_way(
    split: Split,
    shapes: tuple[Shape, ...],
    layouts: tuple[Layout, ...],
    result: Shape,
    target: Layout | None,
    mesh: Mesh,
) -> Way:
    """The simplest of the ways that send least, within a factor of two; see :func:`ways`."""
    return ways(split, shapes, layouts, result, target, mesh)[0]


@lru_cache(maxsize=1024)
def ways(
    split: Split,
    shapes: tuple[Shape, ...],
    layouts: tuple[Layout, ...],
    result: Shape,
    target: Layout | None,
    mesh: Mesh,
) -> tuple[Way, ...]:
    """Every way, by what it sends at the usual sizes; the one to take comes first.

    Args:
        split: how the operation may be split.
        shapes, layouts: of the operands.
        result: shape of the result; ``target``: its layout, ``None`` where any will do.
        mesh: the mesh.

    Returns:
        The ways, without those that lay operands and result alike.
    """
    found: dict[tuple[object, ...], Way] = {}
    for given in _assignments(split, layouts, target, mesh):
        way = _way(split, given, layouts, target, mesh)
        if way is None or (key := (way.operands, way.result)) in found:
            continue
        try:
            operands = zip(shapes, layouts, way.operands, strict=True)
            costs = {
                (shape, old, new): distance(shape, old, new, mesh) * split.waste(n)
                for n, (shape, old, new) in enumerate(operands)
            }
            cost = sum(costs.values())
            cost += distance(result, way.result, target or _summed(way.result), mesh)
        except MissingRuleError:
            continue
        work = _work(split, shapes, result, given, mesh)
        found[key] = Way(way.operands, way.result, cost, work, tuple(given.items()))
    order = sorted(found.values(), key=lambda way: (way.cost, way.work, len(way.result.partial)))
    near = [way for way in order if way.cost <= NEAR * order[0].cost]
    first = min(near, key=lambda way: _collectives(way, shapes, layouts, result, target, mesh))
    return (first, *(way for way in order if way is not first))


def _collectives(
    way: Way,
    shapes: tuple[Shape, ...],
    layouts: tuple[Layout, ...],
    result: Shape,
    target: Layout | None,
    mesh: Mesh,
) -> int:
    """How many collectives a way needs, those over several axes together counted once."""
    needed = [*zip(shapes, layouts, way.operands, strict=True)]
    needed.append((result, way.result, target or way.result))
    steps = [step for each in dict.fromkeys(needed) for step in conversion(*each, mesh)]
    return sum(not step.is_free for step in steps)


def _assignments(
    split: Split, layouts: tuple[Layout, ...], target: Layout | None, mesh: Mesh
) -> Iterator[dict[str, str]]:
    named = [axis for layout in (*layouts, *([target] if target else [])) for axis in layout.axes]
    axes = [axis for axis in mesh if axis in named]
    words = (*split.operands, split.result)
    all_layouts = (*layouts, target or whole(len(split.result)))
    choices = []
    for axis in axes:
        present = [
            word[d]
            for word, layout in zip(words, all_layouts, strict=True)
            for d, names in enumerate(layout.dims)
            if axis in names and word[d] in split.letters
        ]
        letters = split.letters if len(axes) <= MANY_AXES else tuple(dict.fromkeys(present))
        kinds = {k for layout in layouts for name, k in layout.partial if name == axis}
        carried = [f"{k}!{n}" for k in kinds & split.through for n in range(len(split.carries))]
        choices.append((*letters, NONE, *carried))
    for picked in every(*choices):
        yield dict(zip(axes, picked, strict=True))


def _way(
    split: Split,
    given: Mapping[str, str],
    layouts: tuple[Layout, ...],
    target: Layout | None,
    mesh: Mesh,
) -> Way | None:
    words = (*split.operands, split.result)
    order = _order(words, (*layouts, *([target] if target else [])), mesh)
    by_letter: dict[str, tuple[str, ...]] = {}
    for letter in {*given.values()} & {*split.letters}:
        ranked = order.get(letter, tuple(mesh))
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


def _order(
    words: Sequence[Word], layouts: Sequence[Layout], mesh: Mesh
) -> dict[str, tuple[str, ...]]:
    """For each letter the axes in the order in which a tensor has them, then the mesh's."""
    found: dict[str, tuple[str, ...]] = {}
    for word, layout in zip(words, layouts, strict=False):
        for letter, axes in zip(word, layout.dims, strict=True):
            found[letter] = tuple(dict.fromkeys((*found.get(letter, ()), *axes)))
    return {letter: tuple(dict.fromkeys((*axes, *mesh))) for letter, axes in found.items()}


def _work(
    split: Split,
    shapes: tuple[Shape, ...],
    result: Shape,
    given: Mapping[str, str],
    mesh: Mesh,
) -> int:
    """The size of the iteration space that a device works off."""
    sizes: dict[str, Posynomial] = {}
    for word, shape in zip((*split.operands, split.result), (*shapes, result), strict=True):
        sizes.update(zip(word, shape, strict=True))
    work = 1
    for letter, size in sizes.items():
        share = usual_size(size, mesh)
        for axis, chosen in given.items():
            if chosen == letter and letter:
                share = -(-share // usual_size(mesh[axis], mesh))
        work *= share
    return work
