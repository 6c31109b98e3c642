"""One collective among virtual devices: values travel wire by wire, level by level.

A device's array is flattened, padded to the largest, and handed to the schedule of each network
in turn. On a torus the array is cut into as many parts as there are axes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

import numpy as np

from symcost.algebra import as_posynomial
from symcost.errors import InvalidValueError
from symcost.model.collectives.networks import Wire, networks
from symcost.model.links import SHARED
from symcost.model.mesh import Mesh, MeshAxis
from symcost.plans.wires import Array, Traffic, carry_out

Place: TypeAlias = tuple[int, ...]  # a device: its index on each axis
Blocks: TypeAlias = dict[Place, dict[Place, Array]]
Level: TypeAlias = list[MeshAxis]
Hardware: TypeAlias = tuple[str, Place, tuple[int, ...]]  # axis, the others' indices, wire
COMBINE: dict[str, Callable[..., Array]] = {"sum": np.add, "max": np.maximum, "min": np.minimum}


def number(size: object) -> int:
    """A size as a whole number.

    Raises:
        InvalidValueError: it is a symbol.
    """
    value = as_posynomial(size)
    if not value.is_constant:
        raise InvalidValueError(f"{value} is no number", repair="give every size a number")
    return int(value.as_fraction())


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
        parts = []
        for part, (order, pieces) in enumerate(self._parts({p: {p: a} for p, a in shards.items()})):
            state = pieces
            for level in order:
                state = self._gather_level(state, level, part)
            parts.append(state)
        return {
            p: {q: np.concatenate([part[p][q] for part in parts]) for q in parts[0][p]}
            for p in self.places
        }

    def scatter(
        self, addends: Mapping[Place, Mapping[Place, Array]], kind: str
    ) -> dict[Place, Array]:
        """Every device gets the combined, padded shard that is its own."""
        parts = []
        for part, (order, pieces) in enumerate(self._parts(addends)):
            state = pieces
            for level in reversed(order):
                state = self._scatter_level(state, level, part, kind)
            parts.append(state)
        return {p: np.concatenate([part[p][p] for part in parts]) for p in self.places}

    def reduce(self, arrays: Mapping[Place, Array], kind: str) -> dict[Place, Array]:
        """Every device gets the combined array: by one schedule, or scattered and gathered."""
        n = len(self.places)
        shard = -(-max(array.size for array in arrays.values()) // n)
        levels = levels_of(self.axes)
        padded = {p: _padded(arrays[p], n * shard) for p in self.places}
        if len(levels) == 1:
            buffers = [padded[p] for p in self.places]
            self._carry("all_reduce", shard, buffers, levels[0], self.places, 0, kind)
            return dict(zip(self.places, buffers, strict=True))
        pieces = {
            p: dict(zip(self.places, np.split(array, n), strict=True))
            for p, array in padded.items()
        }
        gathered = self.gather(self.scatter(pieces, kind))
        return {
            p: np.concatenate([blocks[q][:shard] for q in self.places])
            for p, blocks in gathered.items()
        }

    def swap(self, chunks: Mapping[Place, Mapping[Place, Array]]) -> Blocks:
        """Every device gets the padded chunks that are for it."""
        n = len(self.places)
        chunk = max(array.size for each in chunks.values() for array in each.values())
        buffers = [np.full(n * n * chunk, np.nan) for _ in self.places]
        for i, p in enumerate(self.places):
            row = [_padded(chunks[p][q], chunk) for q in self.places]
            buffers[i][i * n * chunk : (i + 1) * n * chunk] = np.concatenate(row)
        self._carry("all_to_all", n * chunk, buffers, self.axes, self.places, 0)
        return {
            q: {
                p: buffers[j][(i * n + j) * chunk : (i * n + j + 1) * chunk]
                for i, p in enumerate(self.places)
            }
            for j, q in enumerate(self.places)
        }

    def permute(
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

    def _parts(
        self, blocks: Mapping[Place, Mapping[Place, Array]]
    ) -> list[tuple[list[Level], Blocks]]:
        """The parts of the array, each with the order in which it passes the levels."""
        levels = levels_of(self.axes)
        count = len(levels) if is_torus(self.axes) else 1
        size = max(array.size for each in blocks.values() for array in each.values())
        share = -(-size // count)
        found = []
        for part in range(count):
            cut = slice(part * share, (part + 1) * share)
            pieces = {
                p: {q: _padded(array, share * count)[cut] for q, array in each.items()}
                for p, each in blocks.items()
            }
            found.append((levels[part:] + levels[:part], pieces))
        return found

    def _gather_level(self, state: Blocks, level: Level, part: int) -> Blocks:
        after: Blocks = {}
        for members in self._subgroups(level):
            origins = [origin for member in members for origin in state[member]]
            flats = [np.concatenate([*state[member].values()]) for member in members]
            shard = flats[0].size
            buffers = [np.full(len(members) * shard, np.nan) for _ in members]
            for i, (buffer, flat) in enumerate(zip(buffers, flats, strict=True)):
                buffer[i * shard : (i + 1) * shard] = flat
            self._carry("all_gather", shard, buffers, level, members, part)
            for member, buffer in zip(members, buffers, strict=True):
                blocks = np.split(buffer, len(origins))
                after[member] = dict(zip(origins, blocks, strict=True))
        return after

    def _scatter_level(self, state: Blocks, level: Level, part: int, kind: str) -> Blocks:
        after: Blocks = {}
        numbers = [list(self.mesh).index(axis.name) for axis in level]
        for members in self._subgroups(level):
            targets = list(state[members[0]])
            kept = [[q for q in targets if all(q[n] == m[n] for n in numbers)] for m in members]
            order = [q for each in kept for q in each]
            buffers = [np.concatenate([state[member][q] for q in order]) for member in members]
            shard = buffers[0].size // len(members)
            self._carry("reduce_scatter", shard, buffers, level, members, part, kind)
            for i, (member, buffer) in enumerate(zip(members, buffers, strict=True)):
                blocks = np.split(buffer[i * shard : (i + 1) * shard], len(kept[i]))
                after[member] = dict(zip(kept[i], blocks, strict=True))
        return after

    def _subgroups(self, level: Level) -> list[list[Place]]:
        """The devices of the group that differ on these axes alone."""
        names = {axis.name for axis in level}
        found: dict[Place, list[Place]] = {}
        for place in self.places:
            key = tuple(c for c, name in zip(place, self.mesh, strict=True) if name not in names)
            found.setdefault(key, []).append(place)
        return list(found.values())

    # -- wires --------------------------------------------------------------------------

    def _carry(
        self,
        collective: str,
        shard: int,
        buffers: Sequence[Array],
        level: Level,
        members: Sequence[Place],
        part: int,
        kind: str = "sum",
    ) -> None:
        axis = level[0]
        done: Traffic = carry_out(networks[axis.joined], collective, shard, buffers, COMBINE[kind])
        counted = self.wires.setdefault(axis.name, {})
        for wire, values in done.wires.items():
            for hardware in self._hardware(wire, level, members[0]):
                counted[hardware] = counted.get(hardware, 0) + values
        stride = 1 if axis.counted in SHARED else number(axis.stride)
        self.steps[axis.name, collective, part] = done.hops * stride

    def _hardware(self, wire: Wire, level: Level, place: Place) -> list[Hardware]:
        """The wires of the hardware: a hop on a part of a ring is several on the ring."""
        axis = level[0]
        parts = [p for p in self.mesh.axes if axis.whole and p.whole == axis.whole] or level
        fixed = {part.name for part in parts} | {each.name for each in level}
        pairs = list(zip(self.mesh, place, strict=True))
        across = tuple(c for name, c in pairs if name not in fixed)
        if not axis.whole or axis.counted in SHARED:
            return [(axis.name, across, wire)]
        here = dict(pairs)
        start = sum(here[p.name] * number(p.stride) for p in parts if p.name != axis.name)
        size = prod(number(part.size) for part in parts)
        a, _, cable = wire
        step, stride = (1 if cable == a else -1), number(axis.stride)
        hops = [(start + a * stride + step * hop) % size for hop in range(stride)]
        return [(axis.whole, across, (hop, (hop + step) % size)) for hop in hops]


def levels_of(axes: Sequence[MeshAxis]) -> list[Level]:
    """Axes that work as one (all behind one switch) or by themselves; slow links first."""
    order = sorted(axes, key=lambda axis: (not axis.is_slow, axis.over, axis.counted))
    found: list[Level] = []
    for axis in order:
        same = bool(found) and _link(found[-1][0]) == _link(axis)
        if same and axis.counted in SHARED:
            found[-1].append(axis)
        else:
            found.append([axis])
    return found


def is_torus(axes: Sequence[MeshAxis]) -> bool:
    """Whether the axes work at once, each on a part of the array."""
    return len(axes) > 1 and len({*map(_link, axes)}) == 1 and axes[0].counted not in SHARED


def _link(axis: MeshAxis) -> tuple[str, str]:
    return axis.over, axis.counted


def _padded(array: Array, size: int) -> Array:
    made = np.zeros(size)
    made[: array.size] = array
    return made
