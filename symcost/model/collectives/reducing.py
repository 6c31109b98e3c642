"""A switch that adds: every device sends its addends once and the switch returns their sum.

An all-reduce moves V*(N+1)/N: the addends of all N shards, and the one shard that a device
owns once more, which the switch multiplies to all.

Source: R. Graham et al., Scalable Hierarchical Aggregation Protocol (SHArP) (2016); the exact
count follows from the schedule below.
"""

from __future__ import annotations

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.model.collectives.networks import (
    SWITCH,
    Algorithm,
    Moves,
    Network,
    Round,
    Send,
    followed,
    networks,
    register_network,
)


def scatter(shard: Posynomial, n: Posynomial) -> Moves:
    """Every device sends all its addends; each sum comes back to its owner."""
    return Moves(shard * n, shard * n, ONE)


def scatter_rounds(n: int, shard: int) -> list[Round]:
    """Into the switch from all; out of it once for each owner."""
    sends = []
    for j in range(n):
        for i in range(n):
            out = ((SWITCH, j, j),) if i == 0 else ()
            path = ((i, SWITCH, i), *out)
            sends.append(Send(i, j, j * shard, (j + 1) * shard, path, adds=True))
    return [sends]


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """Every device sends its shard once; the switch multiplies it to all."""
    return Moves(shard, shard * n, ONE)


def gather_rounds(n: int, shard: int) -> list[Round]:
    """Into the switch once, out of it to all, the sender as well."""
    sends = []
    for i in range(n):
        for j in range(n):
            into = ((i, SWITCH, i),) if j == 0 else ()
            sends.append(Send(i, j, i * shard, (i + 1) * shard, (*into, (SWITCH, j, j))))
    return [sends]


def both(shard: Posynomial, n: Posynomial) -> Moves:
    """All-reduce: the two together; either direction carries V and one shard."""
    moved = shard * (n + 1)
    return Moves(moved, moved, as_posynomial(2), serial=moved)


register_network(
    Network(
        name="reducing",
        title="switch that reduces",
        source="Graham et al., Scalable Hierarchical Aggregation Protocol (2016)",
        shared=True,
        algorithms={
            "all_reduce": Algorithm(both, followed(scatter_rounds, gather_rounds)),
            "reduce_scatter": Algorithm(scatter, scatter_rounds),
            "all_gather": Algorithm(gather, gather_rounds),
            "all_to_all": networks["switch"].algorithms["all_to_all"],
        },
        reduces=True,
    )
)
