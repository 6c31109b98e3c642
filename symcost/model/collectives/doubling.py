"""Recursive doubling and halving on a switch: partners twice as far in every round.

Source: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations
in MPICH (2005), sections 4.1, 4.4 and 4.5 (Rabenseifner's all-reduce is the two together).
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
    rounds_of_doubling,
)
from symcost.model.collectives.switch import through


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """What one has doubles in every round."""
    others = shard * (n - 1)
    return Moves(others, others, rounds_of_doubling(n))


def gather_rounds(n: int, shard: int) -> list[Round]:
    """In round r partners differ in bit r, and swap their runs of 2**r shards."""
    rounds, step = [], 1
    while step < n:
        size = step * shard
        rounds.append(
            [
                Send(i, i ^ step, a, a + size, through(i, i ^ step))
                for i in range(n)
                for a in [i // step * size]
            ]
        )
        step *= 2
    return rounds


def whole(shard: Posynomial, n: Posynomial) -> Moves:
    """All-reduce of the whole array in every round: half the rounds, more bytes."""
    rounds = rounds_of_doubling(n)
    moved = shard * n * rounds
    return Moves(moved, moved, rounds, moved)


def whole_rounds(n: int, shard: int) -> list[Round]:
    """Partners swap everything and add."""
    steps = [1 << r for r in range((n - 1).bit_length())]
    size = n * shard
    return [
        [Send(i, i ^ s, 0, size, through(i, i ^ s), adds=True) for i in range(n)] for s in steps
    ]


_costs, _schedules = family(gather, gather_rounds)
for _name, _title, _more, _rounds in (
    ("doubling", "recursive halving and doubling", {}, {}),
    (
        "swapping",
        "recursive doubling of whole arrays",
        {"all_reduce": whole},
        {"all_reduce": whole_rounds},
    ),
):
    register_network(
        Network(
            name=_name,
            title=_title,
            source="Thakur, Rabenseifner, Gropp, Collective communication in MPICH (2005)",
            ways=1,
            counts="all that a device sends into the switch",
            costs={**_costs, **_more},
            schedules={**_schedules, **_rounds},
            power_of_two=True,
        )
    )
