"""A ring used both ways at once: shards travel half around in each direction.

With an even number of devices the shard opposite is halved between the two directions, so an
all-gather moves V*(N-1)/N over what a device can send, and no piece goes further than N/2.

Source: J. Austin et al., How To Scale Your Model (2025), part 3, for the bandwidth-bound limit
V/W; the exact counts follow from the schedules below.
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
    halved,
    is_even,
    register_network,
    rounded_up,
    turned,
)


def right(device: int, n: int) -> Wire:
    """The wire to the next device."""
    return (device % n, (device + 1) % n, device % n)


def left(device: int, n: int) -> Wire:
    """The wire to the device before."""
    return (device % n, (device - 1) % n, (device - 1) % n)


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """Every shard goes half around both ways."""
    others = shard * (n - 1)
    busiest = others / 2
    if is_even(n):
        busiest = shard * (n / 2 - 1) + halved(shard)
    return Moves(others, busiest, floored(n / 2))


def gather_rounds(n: int, shard: int) -> list[Round]:
    """In round r the shards of r places away arrive from both sides."""
    rounds = []
    for r in range(1, n // 2 + 1):
        split = (shard + 1) // 2 if 2 * r == n else None
        sends = []
        for i in range(n):
            a, b = (i - r + 1) % n * shard, (i + r - 1) % n * shard
            to_right, from_left = a + (shard if split is None else split), b + (split or 0)
            sends.append(Send(i, (i + 1) % n, a, to_right, (right(i, n),)))
            sends.append(Send(i, (i - 1) % n, from_left, b + shard, (left(i, n),)))
        rounds.append(sends)
    return rounds


def both(shard: Posynomial, n: Posynomial) -> Moves:
    """All-reduce: the larger half of an odd shard goes one way there, the other way back."""
    there, others = gather(shard, n), shard * (n - 1)
    return Moves(others * 2, others, there.hops * 2, others, there.busiest * 2)


def exchange(shard: Posynomial, n: Posynomial) -> Moves:
    """All-to-all: every chunk takes the shorter way, the opposite one both."""
    chunk = rounded_up(shard / n)
    if is_even(n):
        busiest = chunk * (n / 2 - 1) * (n / 4) + halved(chunk) * (n / 2)
    else:
        busiest = chunk * floored(n * n / 4) / 2
    return Moves(chunk * (n - 1), busiest, floored(n / 2))


def exchange_rounds(n: int, shard: int) -> list[Round]:
    """All chunks at once; chunk (i, j) of device i is for device j."""
    chunk = -(-shard // n)
    sends = []
    for i in range(n):
        for distance in range(1, n):
            j = (i + distance) % n
            start = (i * n + j) * chunk
            for a, b, path in _ways(i, distance, n, start, chunk):
                sends.append(Send(i, j, a, b, path, len(path)))
    return [sends]


def _ways(
    i: int, distance: int, n: int, start: int, chunk: int
) -> list[tuple[int, int, tuple[Wire, ...]]]:
    onward = tuple(right(i + step, n) for step in range(distance))
    back = tuple(left(i - step, n) for step in range(n - distance))
    if 2 * distance == n:
        middle = start + (chunk + 1) // 2
        return [(start, middle, onward), (middle, start + chunk, back)]
    return [(start, start + chunk, onward if 2 * distance < n else back)]


def spread(shard: Posynomial, n: Posynomial) -> Moves:
    """Broadcast: half the array each way around, as n pieces that follow each other."""
    piece = halved(shard)
    return Moves(piece * n * 2, piece * n, n * 2 - 2, serial=piece * (n * 2 - 2))


def spread_rounds(n: int, shard: int) -> list[Round]:
    """Piece p is passed on from round p; the last device of either way passes nothing on."""
    piece = (shard + 1) // 2
    rounds: list[Round] = [[] for _ in range(2 * n - 2)]
    for p in range(n):
        for hop in range(n - 1):
            a, b = p * piece, (n + p) * piece
            rounds[p + hop] += [
                Send(hop, hop + 1, a, a + piece, (right(hop, n),)),
                Send(-hop % n, (-hop - 1) % n, b, b + piece, (left(-hop, n),)),
            ]
    return rounds


def collect(shard: Posynomial, n: Posynomial) -> Moves:
    """Reduce to one device: a broadcast backwards."""
    there = spread(shard, n)
    return Moves(there.sent, there.busiest, there.hops, there.sent, there.serial)


def shift(shard: Posynomial, n: Posynomial) -> Moves:
    """Permute: every device hands its shard to the next."""
    return Moves(shard, shard, as_posynomial(1))


def shift_rounds(n: int, shard: int) -> list[Round]:
    """One hop to the right."""
    return [[Send(i, (i + 1) % n, i * shard, (i + 1) * shard, (right(i, n),)) for i in range(n)]]


def faces(shard: Posynomial, n: Posynomial) -> Moves:
    """Halo exchange: a face of so many values to either neighbour."""
    return Moves(shard * 2, shard, as_posynomial(1))


def faces_rounds(n: int, shard: int) -> list[Round]:
    """Device i holds the faces 2*i (for the next device) and 2*i + 1 (for the one before)."""
    sends = []
    for i in range(n):
        a = 2 * i * shard
        sends.append(Send(i, (i + 1) % n, a, a + shard, (right(i, n),)))
        sends.append(Send(i, (i - 1) % n, a + shard, a + 2 * shard, (left(i, n),)))
    return [sends]


_costs, _schedules = family(gather, gather_rounds)
register_network(
    Network(
        name="ring",
        title="two-way ring",
        source="Austin et al., How To Scale Your Model (2025), part 3",
        ways=2,
        counts="both directions of one axis together",
        costs={
            **_costs,
            "all_reduce": both,
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
            "reduce": lambda n, shard: turned(spread_rounds(n, shard)),
            "permute": shift_rounds,
            "halo_exchange": faces_rounds,
        },
    )
)
