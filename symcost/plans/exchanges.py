"""What each collective does with the regions of a group of virtual devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from symcost.errors import InvalidValueError
from symcost.model.operations import Attrs
from symcost.model.ops.exchange_layouts import places_of
from symcost.plans.groups import Blocks, Group
from symcost.plans.regions import (
    Place,
    Region,
    common,
    number,
    put_together,
    shape_of,
    within,
)
from symcost.plans.wires import Array


@dataclass(frozen=True, slots=True)
class Exchange:
    """One collective of one group.

    Args:
        group: the devices, which count what they move.
        held: what each device has; ``have``: which region of the whole that is.
        goal: the region that it has afterwards.
        kind: how partial values become whole; ``attrs``: the parameters of the operation.
    """

    group: Group
    held: Mapping[Place, Array]
    have: Mapping[Place, Region]
    goal: Mapping[Place, Region]
    kind: str
    attrs: Attrs

    @property
    def flat(self) -> dict[Place, Array]:
        """What each device has, in a row."""
        return {place: array.ravel() for place, array in self.held.items()}

    def parts(self) -> Blocks:
        """What each device has of the region that every other gets."""
        return {p: {q: self._part(p, goal) for q, goal in self.goal.items()} for p in self.held}

    def _part(self, place: Place, goal: Region) -> Array:
        have = self.have[place]
        return self.held[place][within(common(goal, have), have)].ravel()


Done: TypeAlias = dict[Place, Array]


def all_gather(given: Exchange) -> Done:
    """Every device puts the shards of all together."""
    return _from_all(given, given.group.gather(given.flat))


def reduce_scatter(given: Exchange) -> Done:
    """Every device keeps the combined values of its new region."""
    return _of_one_shape(given, given.group.scatter(given.parts(), given.kind))


def all_to_all(given: Exchange) -> Done:
    """Every device gets its new region from the old regions of all."""
    return _from_all(given, given.group.swap(given.parts()))


def all_reduce(given: Exchange) -> Done:
    """Every device gets the combined values of all."""
    return _of_one_shape(given, given.group.reduce(given.flat, given.kind))


def broadcast(given: Exchange) -> Done:
    """The first device's values get to those that have none."""
    root = given.group.places[0]
    arrays = {p: a if p == root else np.full(a.shape, np.nan) for p, a in given.flat.items()}
    return _of_one_shape(given, given.group.one_by_one("broadcast", arrays))


def reduce(given: Exchange) -> Done:
    """The first device gets the combined values; the others are left with nothing of use."""
    done = _of_one_shape(given, given.group.one_by_one("reduce", given.flat, given.kind))
    root = given.group.places[0]
    return {p: a if p == root else np.full(a.shape, np.nan) for p, a in done.items()}


def permute(given: Exchange) -> Done:
    """Every device hands what it has to the next, or to the one whose region that becomes."""
    if given.have != given.goal:
        if any(region not in given.have.values() for region in given.goal.values()):
            raise _of_several_sizes("permute")
        moved = given.group.reorder(given.have, given.goal, given.held)
        return {p: put_together(given.goal[p], [(given.have[q], a)]) for p, (q, a) in moved.items()}
    return _handed_on(given, "permute")


def point_to_point(given: Exchange) -> Done:
    """One device gets what another one has; the others keep what they have."""
    return _handed_on(given, "point_to_point")


def _of_several_sizes(kind: str) -> InvalidValueError:
    return InvalidValueError(
        f"the shards that {kind} hands on are of several sizes",
        repair="choose a size that the mesh axis divides",
    )


def _handed_on(given: Exchange, kind: str) -> Done:
    if len({shape_of(region) for region in given.have.values()}) > 1:
        raise _of_several_sizes(kind)
    places = places_of(kind, given.attrs, given.group.axes)
    passed = given.group.handed_on(given.flat, places)
    return {p: a.reshape(given.held[p].shape) for p, a in passed.items()}


def halo_exchange(given: Exchange) -> Done:
    """Every device gets the borders of its neighbours beside what it has, which stays."""
    axis, width = given.attrs["axis"], number(given.attrs.get("width", 1))
    assert isinstance(axis, tuple)
    faces = {}
    for p, array in given.held.items():
        rows = np.moveaxis(array, axis, (0,))
        if len(rows) < width:
            raise InvalidValueError(f"a shard of {len(rows)} rows has no border of {width}")
        faces[p] = (rows[len(rows) - width :].ravel(), rows[:width].ravel())
    given.group.to_neighbours("halo_exchange", faces)
    return dict(given.held)


def scan(given: Exchange) -> Done:
    """Every device adds up its rows from the sum of all rows before them."""
    axis = _axis(given)
    sums = {p: a.sum(axis, keepdims=True) for p, a in given.held.items()}
    every = given.group.gather({p: a.ravel() for p, a in sums.items()})
    done = {}
    for p, blocks in every.items():
        start = np.zeros(sums[p].shape)
        for q, total in blocks.items():
            if _start(given, q) < _start(given, p):
                start += total[: start.size].reshape(start.shape)
        done[p] = given.held[p].cumsum(axis) + start
    return done


def select(given: Exchange) -> Done:
    """Every device gets the largest of the largest of every shard."""
    axis, k = _axis(given), number(given.attrs["k"])
    best = {p: _largest(a, axis, k) for p, a in given.held.items()}
    every = given.group.gather({p: a.ravel() for p, a in best.items()})
    return {
        p: _largest(
            np.concatenate(
                [a[: best[p].size].reshape(best[p].shape) for a in blocks.values()], axis
            ),
            axis,
            k,
        )
        for p, blocks in every.items()
    }


def _axis(given: Exchange) -> int:
    axis = given.attrs["axis"]
    assert isinstance(axis, tuple)
    return int(axis[0])


def _start(given: Exchange, place: Place) -> int:
    """Where the rows of a device begin; those that have none come last."""
    return int(given.have[place][_axis(given)].start)


def _largest(array: Array, axis: int, k: int) -> Array:
    """The largest k, the largest first; less than nothing where there are fewer."""
    short = [(0, 0)] * array.ndim
    short[axis] = (0, max(0, k - array.shape[axis]))
    padded = np.pad(array, short, constant_values=-np.inf)
    return np.flip(np.sort(padded, axis), axis).take(range(k), axis)


def _from_all(given: Exchange, blocks: Blocks) -> Done:
    return {
        p: put_together(goal, [(common(given.have[q], goal), a) for q, a in blocks[p].items()])
        for p, goal in given.goal.items()
    }


def _of_one_shape(given: Exchange, arrays: Mapping[Place, Array]) -> Done:
    return {p: put_together(given.goal[p], [(given.goal[p], a)]) for p, a in arrays.items()}


EXCHANGES: Mapping[str, Callable[[Exchange], Done]] = {
    **{rule.__name__: rule for rule in (all_gather, reduce_scatter, all_to_all, all_reduce)},
    **{rule.__name__: rule for rule in (broadcast, reduce, permute, point_to_point)},
    **{rule.__name__: rule for rule in (halo_exchange, scan, select)},
}
