"""A switch: every device reaches every other at its full egress, in one hop.

Source: J. Austin et al., How To Scale Your Model (2025), part on GPUs.
"""

from __future__ import annotations

from symcost.algebra import Posynomial, as_posynomial
from symcost.model.collectives.networks import (
    SWITCH,
    Moves,
    Network,
    Round,
    Send,
    Wire,
    family,
    register_network,
    rounded_up,
    turned,
)

ONE = as_posynomial(1)


def through(i: int, j: int) -> tuple[Wire, ...]:
    """Into the switch and out of it."""
    return ((i, SWITCH, i), (SWITCH, j, j))


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """Every device sends its shard to all others."""
    others = shard * (n - 1)
    return Moves(others, others, ONE)


def gather_rounds(n: int, shard: int) -> list[Round]:
    """One round."""
    every = [(i, j) for i in range(n) for j in range(n) if i != j]
    return [[Send(i, j, i * shard, (i + 1) * shard, through(i, j)) for i, j in every]]


def exchange(shard: Posynomial, n: Posynomial) -> Moves:
    """All-to-all: every device sends all but one of its chunks."""
    chunk = rounded_up(shard / n)
    return Moves(chunk * (n - 1), chunk * (n - 1), ONE)


def exchange_rounds(n: int, shard: int) -> list[Round]:
    """One round."""
    chunk = -(-shard // n)
    every = [(i, j, (i * n + j) * chunk) for i in range(n) for j in range(n) if i != j]
    return [[Send(i, j, a, a + chunk, through(i, j)) for i, j, a in every]]


def spread(shard: Posynomial, n: Posynomial) -> Moves:
    """Broadcast: the first device deals out shards, then all gather."""
    dealt = Moves(shard * (n - 1), shard * (n - 1), ONE)
    both = dealt + gather(shard, n)
    return Moves(both.sent, both.busiest, both.hops)


def spread_rounds(n: int, shard: int) -> list[Round]:
    """Source of the two phases: van de Geijn's scatter and collect."""
    dealt = [Send(0, j, j * shard, (j + 1) * shard, through(0, j)) for j in range(1, n)]
    return [dealt, *gather_rounds(n, shard)]


def collect(shard: Posynomial, n: Posynomial) -> Moves:
    """Reduce to one device: each device adds up a shard, the first collects them."""
    there = spread(shard, n)
    return Moves(shard * n, there.busiest, there.hops, shard * (n - 1))


def collect_rounds(n: int, shard: int) -> list[Round]:
    """A reduce-scatter, then every sum to the first device."""
    last = [Send(j, 0, j * shard, (j + 1) * shard, through(j, 0)) for j in range(1, n)]
    return [*turned(gather_rounds(n, shard)), last]


def shift(shard: Posynomial, n: Posynomial) -> Moves:
    """Permute: every device hands its shard to one other."""
    return Moves(shard, shard, ONE)


def shift_rounds(n: int, shard: int) -> list[Round]:
    """One round, each to the next."""
    pairs = [(i, (i + 1) % n) for i in range(n)]
    return [[Send(i, j, i * shard, (i + 1) * shard, through(i, j)) for i, j in pairs]]


def faces(shard: Posynomial, n: Posynomial) -> Moves:
    """Halo exchange: two faces leave a device."""
    return Moves(shard * 2, shard * 2, ONE)


def faces_rounds(n: int, shard: int) -> list[Round]:
    """Device i holds the faces 2*i (for the next device) and 2*i + 1 (for the one before)."""
    sends = []
    for i in range(n):
        for j, face in (((i + 1) % n, 2 * i), ((i - 1) % n, 2 * i + 1)):
            sends.append(Send(i, j, face * shard, (face + 1) * shard, through(i, j)))
    return [sends]


_costs, _schedules = family(gather, gather_rounds)
register_network(
    Network(
        name="switch",
        title="switch",
        source="Austin et al., How To Scale Your Model (2025), part on GPUs",
        ways=1,
        counts="all that a device sends into the switch",
        costs={
            **_costs,
            "all_to_all": exchange,
            "broadcast": spread,
            "reduce": collect,
            "permute": shift,
            "halo_exchange": faces,
        },
        schedules={
            **_schedules,
            "all_to_all": exchange_rounds,
            "broadcast": spread_rounds,
            "reduce": collect_rounds,
            "permute": shift_rounds,
            "halo_exchange": faces_rounds,
        },
    )
)
