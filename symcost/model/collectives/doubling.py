"""Recursive doubling and halving on a switch: partners twice as far in every round.

Source: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations
in MPICH (2005), sections 4.1, 4.4 and 4.5 (Rabenseifner's all-reduce is the two together).
"""

from __future__ import annotations

from symcost.algebra import Posynomial
from symcost.model.collectives.networks import (
    Algorithm,
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
    return [
        [
            Send(i, i ^ step, start, start + step * shard, through(i, i ^ step))
            for i in range(n)
            for start in [i // step * step * shard]
        ]
        for step in _steps(n)
    ]


def whole(shard: Posynomial, n: Posynomial) -> Moves:
    """All-reduce of the whole array in every round: half the rounds, more bytes."""
    rounds = rounds_of_doubling(n)
    moved = shard * n * rounds
    return Moves(moved, moved, rounds, moved)


def whole_rounds(n: int, shard: int) -> list[Round]:
    """Partners swap everything and add."""
    return [
        [Send(i, i ^ step, 0, n * shard, through(i, i ^ step), adds=True) for i in range(n)]
        for step in _steps(n)
    ]


def _steps(n: int) -> list[int]:
    return [1 << r for r in range((n - 1).bit_length())]


_gathered = family(gather, gather_rounds)
for _name, _title, _algorithms in (
    ("doubling", "recursive halving and doubling", _gathered),
    (
        "swapping",
        "recursive doubling of whole arrays",
        {**_gathered, "all_reduce": Algorithm(whole, whole_rounds)},
    ),
):
    register_network(
        Network(
            name=_name,
            title=_title,
            source="Thakur, Rabenseifner, Gropp, Collective communication in MPICH (2005)",
            shared=True,
            algorithms=_algorithms,
            power_of_two=True,
        )
    )
