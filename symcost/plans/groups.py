"""One collective among virtual devices: values travel wire by wire, level by level.

A device's array is flattened, padded to the largest, and handed to the schedule of each network
in turn. On a torus the array is cut into as many parts as there are axes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import TypeAlias

import numpy as np

from symcost.model.collectives.networks import Places, Wire, networks
from symcost.model.collectives.several import as_one, levels, linked
from symcost.model.mesh import Mesh, MeshAxis
from symcost.plans.regions import Place, number
from symcost.plans.wires import Array, Traffic, carry_out

Blocks: TypeAlias = dict[Place, dict[Place, Array]]
Parcels: TypeAlias = dict[Place, dict[tuple[Place, Place], Array]]  # by origin and target
Level: TypeAlias = list[MeshAxis]
Hardware: TypeAlias = tuple[str, Place, tuple[int, ...]]  # axis, the others' indices, wire
COMBINE: dict[str, Callable[..., Array]] = {"sum": np.add, "max": np.maximum, "min": np.minimum}


@dataclass
class Group:
    """The devices that take part in one collective together, and what they move.

    Args:
        mesh: the mesh; ``places``: the devices; ``axes``: those along which they differ.
    """

    mesh: Mesh
    places: list[Place]
    axes: list[MeshAxis]
    wires: dict[str, dict[Hardware, int]] = field(default_factory=dict)
    steps: dict[tuple[str, str, int], int] = field(default_factory=dict)

    def hops(self, axis: str) -> int:
        """Hops one after another on an axis; the parts of a torus go at once."""
        kinds = {(name, kind) for name, kind, _ in self.steps if name == axis}
        return sum(
            max(hops for (name, kind, _), hops in self.steps.items() if (name, kind) == each)
            for each in kinds
        )

    def gather(self, shards: Mapping[Place, Array]) -> Blocks:
        """Every device gets the padded shard of every other."""
        state: Blocks = {p: {p: a} for p, a in shards.items()}
        for axes in linked(self.axes):
            state = self._together(state, levels(axes), self._gather_level)
        return state

    def scatter(
        self, addends: Mapping[Place, Mapping[Place, Array]], kind: str
    ) -> dict[Place, Array]:
        """Every device gets the combined, padded shard that is its own."""
        state: Blocks = {p: dict(each) for p, each in addends.items()}
        scattered = partial(self._scatter_level, kind=kind)
        for axes in reversed(linked(self.axes)):
            state = self._together(state, levels(axes)[::-1], scattered, first=-1)
        return {p: state[p][p] for p in self.places}

    def reduce(self, arrays: Mapping[Place, Array], kind: str) -> dict[Place, Array]:
        """Every device gets the combined array: by one schedule, or scattered and gathered."""
        if len(self._every_level()) == 1:
            return self.one_by_one("all_reduce", arrays, kind)
        n = len(self.places)
        size = _rounded_up(max(array.size for array in arrays.values()), n)
        pieces = {
            p: dict(zip(self.places, np.split(_padded(arrays[p], size), n), strict=True))
            for p in self.places
        }
        gathered = self.gather(self.scatter(pieces, kind))
        return {
            p: np.concatenate([blocks[q][: size // n] for q in self.places])
            for p, blocks in gathered.items()
        }

    def one_by_one(
        self, collective: str, arrays: Mapping[Place, Array], kind: str = "sum"
    ) -> dict[Place, Array]:
        """A collective of whole arrays, level after level: broadcast, reduce, all-reduce."""
        size = _rounded_up(max(array.size for array in arrays.values()), len(self.places))
        arrived = {place: _padded(array, size) for place, array in arrays.items()}
        for level in self._every_level():
            for members in self._subgroups(level):
                n = len(members)
                shard = -(-size // n)  # may be sent in two halves
                buffers = [_padded(arrived[m], n * (shard + shard % 2)) for m in members]
                self._carry(collective, shard, buffers, level, members, kind=kind)
                for member, buffer in zip(members, buffers, strict=True):
                    arrived[member] = buffer[:size]
        return arrived

    def swap(self, chunks: Mapping[Place, Mapping[Place, Array]]) -> Blocks:
        """Every device gets the padded chunks that are for it."""
        size = max(array.size for each in chunks.values() for array in each.values())
        state: Parcels = {
            p: {(p, q): _padded(array, size) for q, array in each.items()}
            for p, each in chunks.items()
        }
        for level in self._every_level():
            state = self._swap_level(state, level)
        return {q: {p: state[q][p, q] for p in self.places} for q in self.places}

    def handed_on(self, arrays: Mapping[Place, Array], places: Places) -> dict[Place, Array]:
        """Every device gets what the one so many places before it has, flat, all of one size."""
        received: dict[Place, Array] = {}
        (level,) = self._every_level()
        for members in self._subgroups(level):
            n, size = len(members), arrays[members[0]].size
            if len(places) == 2:
                origin = {number(places[1]): number(places[0])}
                collective = "point_to_point"
            else:
                by = number(places[0]) if places else 1
                origin, collective = {i: (i - by) % n for i in range(n)}, "permute"
            buffers = self._apart([arrays[m] for m in members])
            self._carry(collective, size, buffers, level, members, places=places)
            for i, member in enumerate(members):
                start = origin.get(i, i) * size
                received[member] = buffers[i][start : start + size]
        return received

    def to_neighbours(
        self, collective: str, pieces: Mapping[Place, Sequence[Array]]
    ) -> dict[Place, list[Array]]:
        """Every device gets the first piece of the one before, and the second of the next.

        Args:
            collective: ``halo_exchange`` of two pieces each.
            pieces: flat, all of one size.
        """
        received: dict[Place, list[Array]] = {}
        (level,) = self._every_level()
        for members in self._subgroups(level):
            n, k, size = len(members), len(pieces[members[0]]), pieces[members[0]][0].size
            buffers = self._apart([np.concatenate(pieces[m]) for m in members])
            self._carry(collective, size, buffers, level, members)
            for i, member in enumerate(members):
                starts = [(k * ((i + (-1, 1)[f]) % n) + f) * size for f in range(k)]
                received[member] = [buffers[i][start : start + size] for start in starts]
        return received

    def reorder(
        self,
        have: Mapping[Place, object],
        goal: Mapping[Place, object],
        held: Mapping[Place, Array],
    ) -> dict[Place, tuple[Place, Array]]:
        """Through a switch every device sends what it has to the one whose part that becomes."""
        axis = self.axes[0]
        counted = self.wires.setdefault(axis.name, {})
        senders = {p: next(q for q in self.places if have[q] == goal[p]) for p in self.places}
        for place, sender in senders.items():
            if sender != place:
                counted[axis.name, sender, (0, 1, 0)] = held[sender].size
                self.steps[axis.name, "permute", 0] = 1
        return {place: (sender, held[sender].ravel()) for place, sender in senders.items()}

    # -- levels -------------------------------------------------------------------------

    def _every_level(self) -> list[Level]:
        return [level for axes in linked(self.axes) for level in levels(axes)]

    def _together(
        self,
        state: Blocks,
        levels: list[Level],
        passed: Callable[[Blocks, Level, int], Blocks],
        first: int = 1,
    ) -> Blocks:
        """Levels on the same links: each part of the array begins with another one of them."""
        size = max(array.size for each in state.values() for array in each.values())
        share = -(-size // len(levels))
        parts = []
        for part in range(len(levels)):
            cut = slice(part * share, (part + 1) * share)
            pieces = {
                p: {q: _padded(array, share * len(levels))[cut] for q, array in each.items()}
                for p, each in state.items()
            }
            turn = first * part % len(levels)
            for level in levels[turn:] + levels[:turn]:
                pieces = passed(pieces, level, part)
            parts.append(pieces)
        return {
            p: {q: np.concatenate([part[p][q] for part in parts]) for q in parts[0][p]}
            for p in self.places
        }

    def _gather_level(self, state: Blocks, level: Level, part: int) -> Blocks:
        after: Blocks = {}
        for members in self._subgroups(level):
            origins = [origin for member in members for origin in state[member]]
            buffers = self._apart([np.concatenate([*state[m].values()]) for m in members])
            shard = buffers[0].size // len(members)
            self._carry("all_gather", shard, buffers, level, members, part)
            for member, buffer in zip(members, buffers, strict=True):
                blocks = np.split(buffer, len(origins))
                after[member] = dict(zip(origins, blocks, strict=True))
        return after

    def _scatter_level(self, state: Blocks, level: Level, part: int, kind: str) -> Blocks:
        after: Blocks = {}
        for members in self._subgroups(level):
            kept = [[q for q in state[members[0]] if self._alike(q, m, level)] for m in members]
            order = [q for each in kept for q in each]
            buffers = [np.concatenate([state[member][q] for q in order]) for member in members]
            shard = buffers[0].size // len(members)
            self._carry("reduce_scatter", shard, buffers, level, members, part, kind)
            for i, (member, buffer) in enumerate(zip(members, buffers, strict=True)):
                blocks = np.split(buffer[i * shard : (i + 1) * shard], len(kept[i]))
                after[member] = dict(zip(kept[i], blocks, strict=True))
        return after

    def _swap_level(self, state: Parcels, level: Level) -> Parcels:
        after: Parcels = {}
        for members in self._subgroups(level):
            n = len(members)
            bound = [
                [[key for key in state[m] if self._alike(key[1], to, level)] for to in members]
                for m in members
            ]
            rows = [
                np.concatenate([state[m][key] for keys in each for key in keys])
                for m, each in zip(members, bound, strict=True)
            ]
            buffers, chunk = self._apart(rows), rows[0].size // n
            self._carry("all_to_all", n * chunk, buffers, level, members)
            for j, member in enumerate(members):
                after[member] = {}
                for i, each in enumerate(bound):
                    start = (i * n + j) * chunk
                    blocks = np.split(buffers[j][start : start + chunk], len(each[j]))
                    after[member].update(zip(each[j], blocks, strict=True))
        return after

    def _alike(self, a: Place, b: Place, level: Level) -> bool:
        """Whether two devices have the same place on the axes of a level."""
        numbers = [list(self.mesh).index(axis.name) for axis in level]
        return all(a[n] == b[n] for n in numbers)

    def _apart(self, rows: Sequence[Array]) -> list[Array]:
        """A buffer for each device with its own row at its place; the others' come yet."""
        size = rows[0].size
        buffers = [np.full(len(rows) * size, np.nan) for _ in rows]
        for i, row in enumerate(rows):
            buffers[i][i * size : (i + 1) * size] = row
        return buffers

    def _subgroups(self, level: Level) -> list[list[Place]]:
        """The devices of the group that differ on these axes alone."""
        return apart(self.mesh, self.places, {axis.name for axis in level})

    # -- wires --------------------------------------------------------------------------

    def _carry(
        self,
        collective: str,
        shard: int,
        buffers: Sequence[Array],
        level: Level,
        members: Sequence[Place],
        part: int = 0,
        kind: str = "sum",
        places: Places = (),
    ) -> None:
        axis = as_one(level)
        network, combine = networks[axis.joined], COMBINE[kind]
        done: Traffic = carry_out(network, collective, shard, buffers, combine, places)
        counted = self.wires.setdefault(axis.name, {})
        for wire, values in done.wires.items():
            for hardware in self._hardware(wire, axis, level, members[0]):
                counted[hardware] = counted.get(hardware, 0) + values
        stride = 1 if axis.is_shared else number(axis.stride)
        self.steps[axis.name, collective, part] = done.hops * stride

    def _hardware(self, wire: Wire, axis: MeshAxis, level: Level, place: Place) -> list[Hardware]:
        """The wires of the hardware: a hop on a part of a ring is several on the ring."""
        parts = [p for p in self.mesh.axes if axis.whole and p.whole == axis.whole] or level
        fixed = {part.name for part in parts} | {each.name for each in level}
        pairs = list(zip(self.mesh, place, strict=True))
        across = tuple(c for name, c in pairs if name not in fixed)
        if not axis.whole or axis.is_shared:
            return [(axis.name, across, wire)]
        here = dict(pairs)
        start = sum(here[p.name] * number(p.stride) for p in parts if p.name != axis.name)
        size = prod(number(part.size) for part in parts)
        a, _, cable = wire
        step, stride = (1 if cable == a else -1), number(axis.stride)
        hops = [(start + a * stride + step * hop) % size for hop in range(stride)]
        return [(axis.whole, across, (hop, (hop + step) % size)) for hop in hops]


def apart(mesh: Mesh, places: Iterable[Place], names: Collection[str]) -> list[list[Place]]:
    """Groups of devices, each of those that differ on the named axes alone."""
    groups: dict[Place, list[Place]] = {}
    for place in places:
        key = tuple(c for c, name in zip(place, mesh, strict=True) if name not in names)
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def _rounded_up(size: int, n: int) -> int:
    """The next multiple of n."""
    return -(-size // n) * n


def _padded(array: Array, size: int) -> Array:
    made = np.zeros(size)
    made[: array.size] = array
    return made
