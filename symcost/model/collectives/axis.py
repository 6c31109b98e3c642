"""Devices in a row, each joined to its neighbours: the schedules of rings and lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import ONE
from symcost.model.collectives.networks import (
    Algorithm,
    Algorithms,
    Cost,
    Moves,
    Path,
    PathTo,
    Round,
    Route,
    Schedule,
    Send,
    Wire,
    halved,
    turned,
)
from symcost.model.collectives.schedules import Paths, exchanged, faced

BOTH, ONWARD, BACK = (1, -1), (1,), (-1,)  # the directions that are used


def wire(device: int, way: int, n: int) -> Wire:
    """The wire from a device to its neighbour, onward (1) or back (-1)."""
    cable = device if way == 1 else device - 1
    return (device % n, (device + way) % n, cable % n)


def along(device: int, way: int, steps: int, n: int) -> Path:
    """So many wires one after another."""
    return tuple(wire(device + way * step, way, n) for step in range(steps))


def both_faces(shard: Posynomial, n: Posynomial) -> Moves:
    """Halo exchange: a face to either neighbour."""
    return Moves(shard * 2, shard, ONE)


def passed_on(ways: tuple[int, ...], reach: Callable[[int], int], wraps: bool = True) -> Schedule:
    """All-gather: in round r a shard is handed on to the device r places from where it began.

    Where it gets to the device opposite both ways, each carries half of it.
    """

    def rounds(n: int, shard: int) -> list[Round]:
        return [
            [send for owner in range(n) for way in ways for send in handed(owner, way, r, n, shard)]
            for r in range(1, reach(n) + 1)
        ]

    def handed(owner: int, way: int, r: int, n: int, shard: int) -> Round:
        i, j, start = owner + way * (r - 1), owner + way * r, owner * shard
        if not wraps and not 0 <= j < n:
            return []
        stop, half = start + shard, start + (shard + 1) // 2
        if wraps and len(ways) == 2 and 2 * r == n:
            start, stop = (start, half) if way == 1 else (half, stop)
        return [Send(i % n, j % n, start, stop, (wire(i, way, n),))]

    return rounds


def streamed(ways: tuple[int, ...]) -> Schedule:
    """Broadcast: the array in n pieces for each way, of which piece p sets off in round p."""

    def rounds(n: int, shard: int) -> list[Round]:
        piece = -(-shard // len(ways))
        sends: list[Round] = [[] for _ in range(2 * n - 2)]
        for p in range(n):
            for hop in range(n - 1):
                for number, way in enumerate(ways):
                    a, i = (number * n + p) * piece, way * hop
                    path = (wire(i, way, n),)
                    sends[p + hop].append(Send(i % n, (i + way) % n, a, a + piece, path))
        return sends

    return rounds


def on_axis(
    gathered: Algorithms,
    ways: tuple[int, ...],
    exchange: Cost,
    paths: Paths,
    route: Route,
    neighbour: PathTo | None = None,
    faces: Cost = both_faces,
    wraps: bool = True,
) -> Algorithms:
    """All algorithms of an axis, from how it gathers, and the wires between two devices.

    Args:
        gathered: the family of its all-gather.
        ways: the directions in which a broadcast is streamed.
        exchange, faces: the cost of an all-to-all, a halo exchange.
        paths: the ways from one device to another; ``route``: the one that a single piece takes;
            ``neighbour``: the one to a device beside it, if that is another.
        wraps: whether the ends are joined.
    """

    def spread(shard: Posynomial, n: Posynomial) -> Moves:
        piece = halved(shard) if len(ways) == 2 else shard
        whole, rounds = piece * n * len(ways), n * 2 - 2
        return Moves(whole, piece * n, rounds, serial=piece * rounds, total=whole * (n - 1))

    def collect(shard: Posynomial, n: Posynomial) -> Moves:
        there = spread(shard, n)
        return replace(there, adds=there.sent)

    back = ways if len(ways) == 2 or not wraps else BACK  # sums travel the other way
    return {
        **gathered,
        "all_to_all": Algorithm(exchange, exchanged(paths)),
        "broadcast": Algorithm(spread, streamed(ways)),
        "reduce": Algorithm(collect, turned(streamed(back))),
        "permute": route.shift(),
        "point_to_point": route.send(),
        "halo_exchange": Algorithm(faces, faced(neighbour or route.path, wraps)),
    }
