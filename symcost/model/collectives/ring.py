"""A ring used both ways at once: shards travel half around in each direction.

With an even number of devices the shard opposite is halved between the two directions, so an
all-gather moves V*(N-1)/N over what a device can send, and no piece goes further than N/2.

Source: J. Austin et al., How To Scale Your Model (2025), part 3, for the bandwidth-bound limit
V/W; the exact counts follow from the schedules below.
"""

from __future__ import annotations

from symcost.algebra import Posynomial
from symcost.model.collectives.axis import BOTH, along, on_axis, passed_on, wire
from symcost.model.collectives.networks import (
    Algorithm,
    Moves,
    Network,
    Path,
    Route,
    family,
    floored,
    halved,
    is_even,
    nearer,
    register_network,
    rounded_up,
)


def paths(i: int, j: int, n: int) -> tuple[Path, ...]:
    """The shorter way around; to the device opposite, both."""
    onward, back = (j - i) % n, (i - j) % n
    ways = (along(i, 1, onward, n), along(i, -1, back, n))
    return ways if onward == back else (ways[onward > back],)


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """Every shard goes half around both ways."""
    others = shard * (n - 1)
    busiest = others / 2
    if is_even(n):
        busiest = shard * (n / 2 - 1) + halved(shard)
    return Moves(others, busiest, floored(n / 2))


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
    return Moves(chunk * (n - 1), busiest, floored(n / 2), total=chunk * n * floored(n * n / 4))


# a single piece takes the shorter way, so that others who send as far do not meet it
_route = Route(
    lambda i, j, n: paths(i, j, n)[0], lambda places, n: (nearer(places, n), nearer(places, n))
)
_gathered = family(gather, passed_on(BOTH, lambda n: n // 2))
_gathered["all_reduce"] = Algorithm(both, _gathered["all_reduce"].schedule)
register_network(
    Network(
        name="ring",
        title="two-way ring",
        source="Austin et al., How To Scale Your Model (2025), part 3",
        ways=2,
        counts="both directions of one axis together",
        algorithms=on_axis(
            _gathered, BOTH, exchange, paths, _route, lambda i, j, n: (wire(i, j - i, n),)
        ),
        route=_route,
    )
)
