"""Conversions between layouts: the cheapest sequence of primitives, found by search.

As the sequence is the cheapest of all, going by way of a third layout is never cheaper. Sizes
that are symbols are compared at the usual sizes; the costs themselves stay exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from math import prod
from typing import NamedTuple, TypeAlias

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import MissingRuleError, SymcostError
from symcost.model.collectives.networks import networks
from symcost.model.collectives.several import moves_on
from symcost.model.layouts import Layout, usual_size
from symcost.model.mesh import Mesh, MeshAxis

Shape: TypeAlias = tuple[Posynomial, ...]
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
        return self.kind in ("slice", "spread")


@lru_cache(maxsize=4096)
def conversion(shape: Shape, source: Layout, target: Layout, mesh: Mesh) -> tuple[Step, ...]:
    """The cheapest primitives that take a tensor from one layout to another.

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
    return merged(_Search(shape, source, target, mesh).steps())


def distance(shape: Shape, source: Layout, target: Layout, mesh: Mesh) -> int:
    """The cost of the cheapest conversion at the usual sizes, in values over the slowest axis."""
    return 0 if source == target else _Search(shape, source, target, mesh).cost()


def merged(steps: list[Step]) -> tuple[Step, ...]:
    """Steps of a kind that follow each other, as one over several axes."""
    found: list[Step] = []
    for step in steps:
        joins = found and found[-1].kind == step.kind != "all_to_all"
        if joins:
            found[-1] = Step(step.kind, (*found[-1].axes, *step.axes), step.layout)
        else:
            found.append(step)
    return tuple(found)


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
        self.source, self.target, self.mesh = source, target, mesh
        self.sizes = {name: usual_size(mesh[name], mesh) for name in source.axes + target.axes}
        self.shape = [usual_size(size, mesh) for size in shape]
        self.fixed = [
            sum(1 for _ in _common(a, b))
            for a, b in zip(source.dims, target.dims, strict=True)
        ]
        self.wanted = dict(target.partial)
        self.places = self._places()
        self.prices = {
            (kind, name): price_per_value(kind, mesh.axis(name), self.sizes[name])
            for name in self.sizes
            for kind in ("all_gather", "reduce_scatter", "all_reduce", "all_to_all")
        }
        for name, operation in target.partial:
            if (name, operation) not in source.partial and name in source.axes:
                raise MissingRuleError(
                    f"what is split over {name} cannot become partial over it",
                    repair="gather it first",
                )

    def _places(self) -> list[int]:
        """Dimensions that an axis may go to: those of either layout, and one more to park it."""
        used = [d for d, (a, b) in enumerate(zip(self.source.dims, self.target.dims)) if a or b]
        spare = [d for d, size in enumerate(self.shape) if d not in used and size > 1]
        return used + spare[:1]

    def cost(self) -> int:
        """The cost of the cheapest sequence."""
        return self._run()[0]

    def steps(self) -> list[Step]:
        """The cheapest sequence."""
        return self._run()[1]

    def _run(self) -> tuple[int, list[Step]]:
        best: dict[Layout, tuple[int, int]] = {self.source: (0, 0)}
        came: dict[Layout, tuple[Layout, Step]] = {}
        queue: list[tuple[int, int, int, Layout]] = [(0, 0, 0, self.source)]
        count = 0
        while queue:
            cost, steps, _, layout = heappop(queue)
            if layout == self.target:
                return cost, _back(came, layout)
            if best[layout] < (cost, steps):
                continue
            if len(best) > MAX_STATES:
                break
            for step, price in self._next(layout):
                label = (cost + price, steps + 1)
                if step.layout not in best or label < best[step.layout]:
                    best[step.layout] = label
                    came[step.layout] = (layout, step)
                    count += 1
                    heappush(queue, (*label, count, step.layout))
        raise MissingRuleError(
            f"no conversion from {self.source} to {self.target} was found",
            repair="write an intermediate layout",
        )

    def _held(self, layout: Layout) -> int:
        return prod(
            -(-size // prod(self.sizes[axis] for axis in axes))
            for size, axes in zip(self.shape, layout.dims, strict=True)
        )

    def _next(self, layout: Layout) -> Iterator[tuple[Step, int]]:
        dims, partial = layout.dims, layout.partial
        held = self._held(layout)
        for d, axes in enumerate(dims):
            if len(axes) <= self.fixed[d]:
                continue
            axis = axes[-1]
            without = _put(dims, d, axes[:-1])
            yield self._step("all_gather", axis, layout, without, partial, held)
            for other in self.places:
                if other != d:
                    moved = _put(without, other, (*dims[other], axis))
                    yield self._step("all_to_all", axis, layout, moved, partial, held)
        for axis, operation in partial:
            if self.wanted.get(axis) == operation:
                continue
            rest = tuple(item for item in partial if item[0] != axis)
            share = -(-held // self.sizes[axis])
            yield self._step("all_reduce", axis, layout, dims, rest, share)
            for d in self.places:
                split = _put(dims, d, (*dims[d], axis))
                yield self._step("reduce_scatter", axis, layout, split, rest, share)
        for axis in self.sizes:
            if axis in layout.axes:
                continue
            for d in self.places:
                yield self._step("slice", axis, layout, _put(dims, d, (*dims[d], axis)), partial, 0)
            if axis in self.wanted:
                more = (*partial, (axis, self.wanted[axis]))
                yield self._step("spread", axis, layout, dims, more, 0)

    def _step(
        self,
        kind: str,
        axis: str,
        before: Layout,
        dims: tuple[tuple[str, ...], ...],
        partial: tuple[tuple[str, str], ...],
        shard: int,
    ) -> tuple[Step, int]:
        price = shard * self.prices[kind, axis] if shard else 0
        return Step(kind, (axis,), before.moved(dims, partial)), price


def _put(
    dims: tuple[tuple[str, ...], ...], place: int, axes: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    return (*dims[:place], axes, *dims[place + 1 :])


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> Iterator[str]:
    for x, y in zip(a, b, strict=False):
        if x != y:
            return
        yield x


def _back(came: dict[Layout, tuple[Layout, Step]], layout: Layout) -> list[Step]:
    steps = []
    while layout in came:
        layout, step = came[layout]
        steps.append(step)
    return steps[::-1]
