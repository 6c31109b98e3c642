"""A line: neighbours are joined, the two ends are not, so the end waits for every other shard.

Source: J. Austin et al., How To Scale Your Model (2025), part 3: an axis without wrap-around.
"""

from __future__ import annotations

from symcost.algebra import Posynomial, as_posynomial
from symcost.model.collectives.networks import (
    Moves,
    Network,
    Round,
    Send,
    Wire,
    family,
    floored,
    register_network,
    rounded_up,
)


def _wires(i: int, j: int) -> tuple[Wire, ...]:
    step = 1 if j > i else -1
    return tuple((k, k + step, min(k, k + step)) for k in range(i, j, step))


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """Shards travel both ways; the wire into an end carries all but one of them."""
    sent = shard if n == 2 else shard * (n + 1)
    return Moves(sent, shard * (n - 1), n - 1)


def gather_rounds(n: int, shard: int) -> list[Round]:
    """In round r each device hands on what started r - 1 places before and after it."""
    rounds = []
    for r in range(1, n):
        sends = []
        for i in range(n):
            for j, owner in ((i + 1, i - r + 1), (i - 1, i + r - 1)):
                if 0 <= j < n and 0 <= owner < n:
                    a = owner * shard
                    sends.append(Send(i, j, a, a + shard, _wires(i, j)))
        rounds.append(sends)
    return rounds


def both(shard: Posynomial, n: Posynomial) -> Moves:
    """All-reduce: a wire that is busy on the way there is the less so on the way back."""
    there, others = gather(shard, n), shard * (n - 1)
    return Moves(there.sent + others, shard * n, there.hops * 2, there.sent, there.busiest * 2)


def exchange(shard: Posynomial, n: Posynomial) -> Moves:
    """All-to-all: half of the devices send to the other half over the middle wire."""
    chunk = rounded_up(shard / n)
    return Moves(chunk * (n - 1), chunk * floored(n * n / 4), n - 1)


def exchange_rounds(n: int, shard: int) -> list[Round]:
    """All chunks at once."""
    chunk = -(-shard // n)
    sends = []
    for i in range(n):
        for j in range(n):
            if i != j:
                start, path = (i * n + j) * chunk, _wires(i, j)
                sends.append(Send(i, j, start, start + chunk, path, len(path)))
    return [sends]


def faces(shard: Posynomial, n: Posynomial) -> Moves:
    """Halo exchange: a face to either neighbour."""
    return Moves(shard if n == 2 else shard * 2, shard, as_posynomial(1))


def faces_rounds(n: int, shard: int) -> list[Round]:
    """Device i holds the faces 2*i (for the next device) and 2*i + 1 (for the one before)."""
    sends = []
    for i in range(n):
        for j, face in ((i + 1, 2 * i), (i - 1, 2 * i + 1)):
            if 0 <= j < n:
                sends.append(Send(i, j, face * shard, (face + 1) * shard, _wires(i, j)))
    return [sends]


_costs, _schedules = family(gather, gather_rounds)
register_network(
    Network(
        name="line",
        title="line without wrap-around",
        source="Austin et al., How To Scale Your Model (2025), part 3",
        ways=1,
        counts="one direction of one axis",
        costs={**_costs, "all_reduce": both, "all_to_all": exchange, "halo_exchange": faces},
        schedules={**_schedules, "all_to_all": exchange_rounds, "halo_exchange": faces_rounds},
    )
)
