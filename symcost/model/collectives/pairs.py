"""A link between every pair of devices: to one other a device has one link, not all of them.

Source: stas00/ml-engineering, network/README.md: a pair of MI300X has one of seven links.
"""

from __future__ import annotations

from symcost.model.collectives.networks import Network, Path, register_network
from symcost.model.collectives.schedules import direct, direct_route


def link(i: int, j: int) -> Path:
    """The link of the two."""
    return ((i, j, 0),)


register_network(
    Network(
        name="pairs",
        title="link between every pair",
        source="stas00/ml-engineering, network/README.md",
        counts="one link between two devices, one way",
        algorithms=direct(link, shared=False),
        route=direct_route(link),
    )
)
