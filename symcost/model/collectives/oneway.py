"""A ring used one way only: every shard passes all the other devices.

Source: P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of
workstations, Journal of Parallel and Distributed Computing 69 (2009), section 3.
"""

from __future__ import annotations

from symcost.algebra import Posynomial
from symcost.model.collectives.networks import (
    Moves,
    Network,
    Round,
    Send,
    family,
    register_network,
    rounded_up,
)
from symcost.model.collectives.ring import left, right, shift, shift_rounds


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """N - 1 rounds of one shard."""
    others = shard * (n - 1)
    return Moves(others, others, n - 1)


def gather_rounds(n: int, shard: int) -> list[Round]:
    """In round r device i hands on the shard that started r - 1 places before it."""
    return [
        [
            Send(i, (i + 1) % n, a, a + shard, (right(i, n),))
            for i in range(n)
            for a in [(i - r + 1) % n * shard]
        ]
        for r in range(1, n)
    ]


def mirrored(n: int, shard: int) -> list[Round]:
    """The same to the left; backwards in time its sums travel to the right."""
    return [
        [
            Send(i, (i - 1) % n, a, a + shard, (left(i, n),))
            for i in range(n)
            for a in [(i + r - 1) % n * shard]
        ]
        for r in range(1, n)
    ]


def exchange(shard: Posynomial, n: Posynomial) -> Moves:
    """All-to-all: chunks for 1, 2, .. N - 1 places away share every wire."""
    chunk = rounded_up(shard / n)
    return Moves(chunk * (n - 1), chunk * n * (n - 1) / 2, n - 1)


def exchange_rounds(n: int, shard: int) -> list[Round]:
    """All chunks at once, each to the right."""
    chunk = -(-shard // n)
    sends = []
    for i in range(n):
        for distance in range(1, n):
            j, path = (i + distance) % n, tuple(right(i + k, n) for k in range(distance))
            start = (i * n + j) * chunk
            sends.append(Send(i, j, start, start + chunk, path, distance))
    return [sends]


_costs, _schedules = family(gather, gather_rounds, mirrored)
register_network(
    Network(
        name="oneway",
        title="one-way ring",
        source="Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms (2009), section 3",
        ways=1,
        counts="one direction of one axis",
        costs={**_costs, "all_to_all": exchange, "permute": shift},
        schedules={**_schedules, "all_to_all": exchange_rounds, "permute": shift_rounds},
    )
)
