"""Conversions between layouts: the cheapest sequence of primitives, found by search.

As the sequence is the cheapest of all, going by way of a third layout is never cheaper. Sizes
that are symbols are compared at the usual sizes; the costs themselves stay exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from itertools import permutations
from math import prod
from typing import NamedTuple, TypeAlias

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import MissingRuleError, SymcostError
from symcost.model.collectives.networks import networks
from symcost.model.collectives.several import moves_on
from symcost.model.layouts import Layout, Partial, Sharding, alike, usual_size
from symcost.model.mesh import Mesh, MeshAxis

Shape: TypeAlias = tuple[Posynomial, ...]
State: TypeAlias = tuple[Sharding, Partial]
Axes: TypeAlias = tuple[str, ...]
Move: TypeAlias = tuple[str, Axes, Sharding, Partial, int]
SLOWER = 10  # a link between nodes, where no figure is known
MAX_STATES = 20_000


class Step(NamedTuple):
    """One primitive: what is done over which axes, and the layout after it."""

    kind: str
    axes: tuple[str, ...]
    layout: Layout

    @property
    def is_free(self) -> bool:
        """Whether nothing is sent."""
        return self.kind in ("local_slice", "local_addend")


@lru_cache(maxsize=4096)
def conversion(shape: Shape, source: Layout, target: Layout, mesh: Mesh) -> tuple[Step, ...]:
    """The cheapest primitives that take a tensor from one layout to another.

    Axes that neither layout names are left alone.

    >>> I, J = as_posynomial(1024), as_posynomial(1024)
    >>> x = Layout((("X",), ())), Layout(((), ("X",)))
    >>> [step.kind for step in conversion((I, J), *x, Mesh(X=4))]
    ['all_to_all']

    Args:
        shape: the whole tensor's shape.
        source, target: the layouts.
        mesh: the mesh.

    Returns:
        The steps; gathers and reductions that follow each other are one step over several axes.

    Raises:
        MissingRuleError: the target is partial where the source is split.
    """
    return merged(_Search(shape, source, target, mesh).run()[1])


def distance(shape: Shape, source: Layout, target: Layout, mesh: Mesh) -> int:
    """The cost of the cheapest conversion at the usual sizes, in values over the slowest axis."""
    return 0 if source == target else _Search(shape, source, target, mesh).run()[0]


def merged(steps: list[Step]) -> tuple[Step, ...]:
    """Steps of a kind that follow each other, as one over several axes."""
    joined: list[Step] = []
    for step in steps:
        joins = joined and joined[-1].kind == step.kind != "all_to_all"
        if joins:
            joined[-1] = Step(step.kind, (*joined[-1].axes, *step.axes), step.layout)
        else:
            joined.append(step)
    return tuple(joined)


@lru_cache(maxsize=1024)
def price_per_value(kind: str, axis: MeshAxis, devices: int) -> int:
    """A millionth of the time that a value of a shard takes in a collective, as a whole number."""
    numeric = MeshAxis("_", as_posynomial(devices), axis.link, axis.network)
    try:
        ((_, moves),) = moves_on(kind, as_posynomial(devices * 4), [numeric])
    except SymcostError:
        return 10**15  # this network has no schedule for it
    span = axis.span.as_fraction() if axis.span.is_constant else 1
    load = moves.lasting.as_fraction() * networks[axis.counted].ways / span
    weight = SLOWER if axis.is_slow else 1
    return int(load * 10**6 * weight / (devices * 4))


class _Search:
    """Dijkstra's search over layouts; what both layouts begin with stays where it is."""

    def __init__(self, shape: Shape, source: Layout, target: Layout, mesh: Mesh) -> None:
        for name, operation in target.partial:
            if (name, operation) not in source.partial and name in source.axes:
                raise MissingRuleError(
                    f"what is split over {name} cannot become partial over it",
                    repair="gather it first",
                )
        self.source, self.target = source, target
        self.sizes = {name: usual_size(mesh[name], mesh) for name in source.axes + target.axes}
        self.shape = [usual_size(size, mesh) for size in shape]
        self.fixed = [alike(a, b) for a, b in zip(source.dims, target.dims, strict=True)]
        self.wanted = dict(target.partial)
        self.stays = {name for axes in target.dims for name in axes}
        self.places = self._places()
        self.prices = {
            kind: {
                name: price_per_value(kind, mesh.axis(name), n) for name, n in self.sizes.items()
            }
            for kind in ("all_gather", "reduce_scatter", "all_reduce", "all_to_all", "permute")
        }
        self.slow = {name for name in self.sizes if mesh.axis(name).is_slow}
        shared = (axis for axis in mesh.axes if axis.name in self.sizes and axis.is_shared)
        self.switch = {axis.name: axis.channel for axis in shared}
        self.known: dict[Sharding, int] = {}

    def _places(self) -> list[int]:
        """Dimensions that an axis may go to: those of either layout, and one more to park it."""
        pairs = zip(self.source.dims, self.target.dims, strict=True)
        used = [d for d, (a, b) in enumerate(pairs) if a or b]
        spare = [d for d, size in enumerate(self.shape) if d not in used and size > 1]
        return used + spare[:1]

    def run(self) -> tuple[int, list[Step]]:
        """The cost of the cheapest sequence, and its steps."""
        start: State = (self.source.dims, self.source.partial)
        goal: State = (self.target.dims, self.target.partial)
        best: dict[State, tuple[int, int]] = {start: (0, 0)}
        came: dict[State, tuple[State, str, Axes]] = {}
        queue = [(0, 0, start)]
        while queue and len(best) < MAX_STATES:
            cost, steps, state = heappop(queue)
            steps = -steps
            if state == goal:
                return cost, _back(came, state)
            if best[state] < (cost, steps):
                continue
            held = self._held(state[0])
            for kind, axes, dims, partial, shard in self._next(*state, held):
                price = cost + (shard and self._price(kind, axes, shard))
                label, after = (price, steps + 1), (dims, partial)
                if after not in best or label < best[after]:
                    best[after] = label
                    came[after] = (state, kind, axes)
                    heappush(queue, (price, -steps - 1, after))
        raise MissingRuleError(
            f"no conversion from {self.source} to {self.target} was found",
            repair="write an intermediate layout",
        )

    def _held(self, dims: Sharding) -> int:
        held = self.known.get(dims)
        if held is None:
            held = 1
            for size, axes in zip(self.shape, dims, strict=True):
                for axis in axes:
                    size = -(-size // self.sizes[axis])
                held *= size
            self.known[dims] = held
        return held

    def _next(self, dims: Sharding, partial: Partial, held: int) -> Iterator[Move]:
        """What can be done: kind, axes, what results, and the values of a shard."""
        free = {*self.sizes}
        for d, axes in enumerate(dims):
            free.difference_update(axes)
            if len(axes) > self.fixed[d]:
                yield from self._unsplit(d, axes, dims, partial, held)
        for axis, _ in partial:
            free.discard(axis)
            rest = tuple(item for item in partial if item[0] != axis)
            share = -(-held // self.sizes[axis])
            yield "all_reduce", (axis,), dims, rest, share
            for d in self.places:
                split = _put(dims, d, (*dims[d], axis))
                yield "reduce_scatter", (axis,), split, rest, share
        gone = [(axis, kind) for axis, kind in partial if axis not in self.wanted]
        if len(gone) > 1 and len({kind for _, kind in gone}) == 1:
            axes = tuple(axis for axis, _ in gone)
            rest = tuple(item for item in partial if item not in gone)
            yield "all_reduce", axes, dims, rest, -(-held // prod(self.sizes[a] for a in axes))
        if self.slow:
            yield from self._together(dims, partial, held)
        for axis in free:
            for d in self.places:
                yield "local_slice", (axis,), _put(dims, d, (*dims[d], axis)), partial, 0
            if axis in self.wanted:
                more = tuple(sorted((*partial, (axis, self.wanted[axis]))))
                yield "local_addend", (axis,), dims, more, 0

    def _unsplit(
        self, d: int, axes: Axes, dims: Sharding, partial: Partial, held: int
    ) -> Iterator[Move]:
        """What takes the last axis from a dimension."""
        axis, without = axes[-1], _put(dims, d, axes[:-1])
        yield "all_gather", (axis,), without, partial, held
        for other in self.places:
            if other != d:
                moved = _put(without, other, (*dims[other], axis))
                yield "all_to_all", (axis,), moved, partial, held
                for first in range(self.fixed[d], len(axes) - 1):  # several keep their order
                    if self.stays.isdisjoint(axes[first:]):
                        continue  # what is only gathered need not move
                    moved = _put(_put(dims, d, axes[:first]), other, dims[other] + axes[first:])
                    yield "all_to_all", axes[first:], moved, partial, held
        switches = {self.switch.get(name, "") for name in axes}
        even = not self.shape[d] % prod(self.sizes[name] for name in axes)
        if even and len(axes) > 1 and len(switches) == 1 and "" not in switches:
            for order in permutations(axes):
                if order != axes:
                    yield "permute", (axis,), _put(dims, d, order), partial, held

    def _together(self, dims: Sharding, partial: Partial, held: int) -> Iterator[Move]:
        """Over a slow axis and others at once, so that the slow one carries shards."""
        for d, axes in enumerate(dims):
            for first in range(self.fixed[d], len(axes) - 1):
                if not self.slow.isdisjoint(axes[first:]):
                    yield "all_gather", axes[first:], _put(dims, d, axes[:first]), partial, held
        for one, kind in partial:
            for other, same in partial:
                if one not in self.slow or other in self.slow or kind != same:
                    continue
                rest = tuple(item for item in partial if item[0] not in (one, other))
                shard = -(-held // (self.sizes[one] * self.sizes[other]))
                for d in self.places:
                    split = _put(dims, d, (*dims[d], one, other))
                    yield "reduce_scatter", (one, other), split, rest, shard

    def _price(self, kind: str, axes: Axes, shard: int) -> int:
        """The price over some axes, the slow ones first; gathered shards grow."""
        total = 0
        for axis in sorted(axes, key=lambda axis: axis not in self.slow):
            total += shard * self.prices[kind][axis]
            shard *= 1 if kind == "all_to_all" else self.sizes[axis]
        return total


def _put(dims: Sharding, place: int, axes: tuple[str, ...]) -> Sharding:
    return (*dims[:place], axes, *dims[place + 1 :])


def _back(came: dict[State, tuple[State, str, Axes]], state: State) -> list[Step]:
    steps = []
    while state in came:
        before, kind, axes = came[state]
        if kind == "permute":
            pairs = zip(before[0], state[0], strict=True)
            axes = tuple(name for a, b in pairs if a != b for name in a)
        steps.append(Step(kind, axes, Layout(*state)))
        state = before
    return steps[::-1]
