"""A switch: every device reaches every other at its full egress, in one hop.

Source: J. Austin et al., How To Scale Your Model (2025), part on GPUs.
"""

from __future__ import annotations

from symcost.model.collectives.networks import SWITCH, Network, Path, register_network
from symcost.model.collectives.schedules import direct, direct_route


def through(i: int, j: int) -> Path:
    """Into the switch and out of it."""
    return ((i, SWITCH, i), (SWITCH, j, j))


register_network(
    Network(
        name="switch",
        title="switch",
        source="Austin et al., How To Scale Your Model (2025), part on GPUs",
        shared=True,
        algorithms=direct(through, shared=True),
        route=direct_route(through),
    )
)
