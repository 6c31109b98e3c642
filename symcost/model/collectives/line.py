"""A line: neighbours are joined, the two ends are not, so the end waits for every other shard.

Source: J. Austin et al., How To Scale Your Model (2025), part 3: an axis without wrap-around.
"""

from __future__ import annotations

from dataclasses import replace

from symcost.algebra import Maximum, Posynomial, as_posynomial
from symcost.model.collectives.axis import BOTH, ONWARD, along, both_faces, on_axis, passed_on
from symcost.model.collectives.networks import (
    Algorithm,
    Moves,
    Network,
    Path,
    Route,
    family,
    floored,
    further,
    nearer,
    register_network,
    rounded_up,
)


def path(i: int, j: int, n: int) -> Path:
    """Straight there; after the last device comes the first."""
    j %= n
    return along(i, 1 if j > i else -1, abs(j - i), n)


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """Shards travel both ways; the wire into an end carries all but one of them."""
    sent = shard if n == 2 else shard * (n + 1)
    return Moves(sent, shard * (n - 1), n - 1, total=shard * n * (n - 1))


def both(shard: Posynomial, n: Posynomial) -> Moves:
    """All-reduce: a wire that is busy on the way there is the less so on the way back."""
    there, others = gather(shard, n), shard * (n - 1)
    sent, total = there.sent + others, others * n * 2
    return Moves(sent, shard * n, there.hops * 2, there.sent, there.busiest * 2, total)


def exchange(shard: Posynomial, n: Posynomial) -> Moves:
    """All-to-all: half of the devices send to the other half over the middle wire."""
    chunk = rounded_up(shard / n)
    total = chunk * n * (n * n - 1) / 3
    return Moves(chunk * (n - 1), chunk * floored(n * n / 4), n - 1, total=total)


def apart(source: Posynomial, target: Posynomial) -> Posynomial:
    """As many hops as there are places between them."""
    gap = (target - source).to_sympy()
    return as_posynomial(Maximum(gap, -gap))


def faces(shard: Posynomial, n: Posynomial) -> Moves:
    """Halo exchange: of two devices each has one neighbour."""
    moves = Moves(shard, shard, n - 1) if n == 2 else both_faces(shard, n)
    return replace(moves, total=shard * (n - 1) * 2)


_gathered = family(gather, passed_on(BOTH, lambda n: n - 1, wraps=False))
_gathered["all_reduce"] = Algorithm(both, _gathered["all_reduce"].schedule)
# of a shift, those at the end go all the way back
_route = Route(path, lambda places, n: (nearer(places, n), further(places, n)), apart)
register_network(
    Network(
        name="line",
        title="line without wrap-around",
        source="Austin et al., How To Scale Your Model (2025), part 3",
        counts="one direction of one axis",
        algorithms=on_axis(
            _gathered,
            ONWARD,
            exchange,
            lambda i, j, n: (path(i, j, n),),
            _route,
            faces=faces,
            wraps=False,
        ),
        route=_route,
    )
)
