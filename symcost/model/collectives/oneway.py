"""A ring used one way only: every shard passes all the other devices.

Source: P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of
workstations, Journal of Parallel and Distributed Computing 69 (2009), section 3.
"""

from __future__ import annotations

from symcost.algebra import Posynomial
from symcost.model.collectives.axis import BACK, ONWARD, along, on_axis, passed_on
from symcost.model.collectives.networks import (
    Moves,
    Network,
    Path,
    Route,
    family,
    register_network,
    rounded_up,
)


def path(i: int, j: int, n: int) -> Path:
    """Onward, also to the device before."""
    return along(i, 1, (j - i) % n, n)


def gather(shard: Posynomial, n: Posynomial) -> Moves:
    """N - 1 rounds of one shard."""
    others = shard * (n - 1)
    return Moves(others, others, n - 1)


def exchange(shard: Posynomial, n: Posynomial) -> Moves:
    """All-to-all: chunks for 1, 2, .. N - 1 places away share every wire."""
    chunk = rounded_up(shard / n)
    busiest = chunk * n * (n - 1) / 2
    return Moves(chunk * (n - 1), busiest, n - 1, total=busiest * n)


def faces(shard: Posynomial, n: Posynomial) -> Moves:
    """Halo exchange: the face for the device before goes all the way around."""
    return Moves(shard * 2, shard * n, n - 1, total=shard * n * n)


_route = Route(path, lambda places, n: (places, places))
register_network(
    Network(
        name="oneway",
        title="one-way ring",
        source="Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms (2009), section 3",
        counts="one direction of one axis",
        algorithms=on_axis(
            # a reduction is mirrored first, so that its sums travel onward too
            family(gather, *(passed_on(way, lambda n: n - 1) for way in (ONWARD, BACK))),
            ONWARD,
            exchange,
            lambda i, j, n: (path(i, j, n),),
            _route,
            faces=faces,
        ),
        route=_route,
    )
)
