"""A binomial tree on a switch: in every round each device that has the array sends it to one more.

Source: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations
in MPICH (2005), sections 4.2 and 4.5.
"""

from __future__ import annotations

from dataclasses import replace

from symcost.algebra import Posynomial
from symcost.model.collectives.networks import (
    Algorithm,
    Moves,
    Network,
    Round,
    Send,
    followed,
    register_network,
    rounds_of_doubling,
    turned,
)
from symcost.model.collectives.switch import through


def spread(shard: Posynomial, n: Posynomial) -> Moves:
    """Broadcast: the first device sends the whole array in every round."""
    rounds = rounds_of_doubling(n)
    whole = shard * n * rounds
    return Moves(whole, whole, rounds, total=shard * n * (n - 1))


def spread_rounds(n: int, shard: int) -> list[Round]:
    """Device i + 2**r gets it in round r from device i."""
    rounds, step = [], 1
    while step < n:
        pairs = [(i, i + step) for i in range(step) if i + step < n]
        rounds.append([Send(i, j, 0, n * shard, through(i, j)) for i, j in pairs])
        step *= 2
    return rounds


def collect(shard: Posynomial, n: Posynomial) -> Moves:
    """Reduce: a broadcast backwards; every device sends once, the first adds in every round."""
    there = spread(shard, n)
    return replace(there, sent=shard * n, adds=there.busiest)


def both(shard: Posynomial, n: Posynomial) -> Moves:
    """All-reduce: to the first device, and back; the two load other directions."""
    there = spread(shard, n)
    total, twice = shard * n * (n - 1) * 2, there.busiest * 2
    return Moves(there.sent, there.busiest, there.hops * 2, there.busiest, twice, total)


_back = turned(spread_rounds)
register_network(
    Network(
        name="tree",
        title="binomial tree on a switch",
        source="Thakur, Rabenseifner, Gropp, Collective communication in MPICH (2005), section 4",
        shared=True,
        algorithms={
            "broadcast": Algorithm(spread, spread_rounds),
            "reduce": Algorithm(collect, _back),
            "all_reduce": Algorithm(both, followed(_back, spread_rounds)),
        },
    )
)
