"""A link between every pair of devices: to one other a device has one link, not all of them.

Source: stas00/ml-engineering, network/README.md: a pair of MI300X has one of seven links.
"""

from __future__ import annotations

from symcost.algebra import Posynomial, as_posynomial
from symcost.model.collectives.networks import (
    Moves,
    Network,
    Round,
    Send,
    family,
    register_network,
    rounded_up,
)

ONE = as_posynomial(1)


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """Every link carries one shard each way."""
    return Moves(shard * (n - 1), shard, ONE)


def gather_rounds(n: int, shard: int) -> list[Round]:
    """One round."""
    every = [(i, j) for i in range(n) for j in range(n) if i != j]
    return [[Send(i, j, i * shard, (i + 1) * shard, ((i, j, 0),)) for i, j in every]]


def exchange(shard: Posynomial, n: Posynomial) -> Moves:
    """All-to-all: every link carries one chunk each way."""
    chunk = rounded_up(shard / n)
    return Moves(chunk * (n - 1), chunk, ONE)


def exchange_rounds(n: int, shard: int) -> list[Round]:
    """One round."""
    chunk = -(-shard // n)
    every = [(i, j, (i * n + j) * chunk) for i in range(n) for j in range(n) if i != j]
    return [[Send(i, j, a, a + chunk, ((i, j, 0),)) for i, j, a in every]]


def shift(shard: Posynomial, n: Posynomial) -> Moves:
    """Permute: one link of each device works."""
    return Moves(shard, shard, ONE)


def shift_rounds(n: int, shard: int) -> list[Round]:
    """One round, each to the next."""
    pairs = [(i, (i + 1) % n) for i in range(n)]
    return [[Send(i, j, i * shard, (i + 1) * shard, ((i, j, 0),)) for i, j in pairs]]


_costs, _schedules = family(gather, gather_rounds)
register_network(
    Network(
        name="pairs",
        title="link between every pair",
        source="stas00/ml-engineering, network/README.md",
        ways=1,
        counts="one link between two devices, one way",
        costs={**_costs, "all_to_all": exchange, "permute": shift},
        schedules={**_schedules, "all_to_all": exchange_rounds, "permute": shift_rounds},
    )
)
