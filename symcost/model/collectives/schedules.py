"""Schedules that follow from the wiring alone: from which wires lead from one device to another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import ONE
from symcost.model.collectives.networks import (
    Algorithm,
    Algorithms,
    Moves,
    Path,
    PathTo,
    Round,
    Route,
    Schedule,
    Send,
    family,
    followed,
    rounded_up,
    turned,
)

# from, to, of how many devices -> the ways there; over two, the first half takes the first
Paths: TypeAlias = Callable[[int, int, int], tuple[Path, ...]]


def sent(paths: Paths, i: int, j: int, n: int, start: int, size: int) -> Round:
    """So many values on their way from one device to another."""
    ways = paths(i, j, n)
    middle = start + (size if len(ways) == 1 else (size + 1) // 2)
    pieces = zip(ways, ((start, middle), (middle, start + size)), strict=False)
    return [Send(i, j, a, b, path) for path, (a, b) in pieces]


def exchanged(paths: Paths) -> Schedule:
    """All-to-all, all chunks at once; chunk (i, j) of device i is for device j."""

    def rounds(n: int, shard: int) -> list[Round]:
        chunk = -(-shard // n)
        every = [(i, j, (i * n + j) * chunk) for i in range(n) for j in range(n) if i != j]
        return [[send for i, j, a in every for send in sent(paths, i, j, n, a, chunk)]]

    return rounds


def faced(path: PathTo, wraps: bool = True) -> Schedule:
    """Halo exchange: device i holds the faces 2*i (for the next device) and 2*i + 1."""

    def rounds(n: int, shard: int) -> list[Round]:
        return [
            [
                Send(i, j % n, face * shard, (face + 1) * shard, path(i, j, n))
                for i in range(n)
                for j, face in ((i + 1, 2 * i), (i - 1, 2 * i + 1))
                if wraps or 0 <= j < n
            ]
        ]

    return rounds


def direct(path: Callable[[int, int], Path], shared: bool) -> Algorithms:
    """Where every device reaches every other in one hop: the algorithms and what they move.

    Broadcast deals out shards, then all gather (van de Geijn's scatter and collect); reduce is a
    reduce-scatter of which the first device collects the sums.

    Args:
        path: the wires from one device to another.
        shared: whether all that a device sends passes one wire, as into a switch; otherwise it
            has a wire to each of the others.
    """

    def once(sent: Posynomial, each: Posynomial) -> Moves:
        return Moves(sent, sent if shared else each, ONE)

    def gather(shard: Posynomial, n: Posynomial) -> Moves:
        return once(shard * (n - 1), shard)

    def exchange(shard: Posynomial, n: Posynomial) -> Moves:
        chunk = rounded_up(shard / n)
        return once(chunk * (n - 1), chunk)

    def faces(shard: Posynomial, n: Posynomial) -> Moves:
        return once(shard * 2, shard * 2 if n == 2 else shard)

    def spread(shard: Posynomial, n: Posynomial) -> Moves:
        return replace(gather(shard, n) + gather(shard, n), total=shard * (n * n - 1))

    def collect(shard: Posynomial, n: Posynomial) -> Moves:
        there = spread(shard, n)
        return replace(there, sent=shard * n, adds=shard * (n - 1))

    def gathered(n: int, shard: int) -> list[Round]:
        every = [(i, j) for i in range(n) for j in range(n) if i != j]
        return [[Send(i, j, i * shard, (i + 1) * shard, path(i, j)) for i, j in every]]

    def dealt(n: int, shard: int) -> list[Round]:
        return [[Send(0, j, j * shard, (j + 1) * shard, path(0, j)) for j in range(1, n)]]

    def collected(n: int, shard: int) -> list[Round]:
        return [[Send(j, 0, j * shard, (j + 1) * shard, path(j, 0)) for j in range(1, n)]]

    route = direct_route(path)
    return {
        **family(gather, gathered),
        "all_to_all": Algorithm(exchange, exchanged(lambda i, j, n: (path(i, j),))),
        "broadcast": Algorithm(spread, followed(dealt, gathered)),
        "reduce": Algorithm(collect, followed(turned(gathered), collected)),
        "permute": route.shift(),
        "point_to_point": route.send(),
        "halo_exchange": Algorithm(faces, faced(route.path)),
    }


def direct_route(path: Callable[[int, int], Path]) -> Route:
    """The wires to any other device, in one hop."""
    return Route(lambda i, j, n: path(i, j % n), lambda places, n: (ONE, ONE))
