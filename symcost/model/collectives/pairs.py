"""A link between every pair of devices: to one other a device has one link, not all of them.

Source: stas00/ml-engineering, network/README.md: a pair of MI300X has one of seven links.
"""

from __future__ import annotations

from symcost.model.collectives.networks import Network, register_network
from symcost.model.collectives.schedules import direct

register_network(
    Network(
        name="pairs",
        title="link between every pair",
        source="stas00/ml-engineering, network/README.md",
        counts="one link between two devices, one way",
        algorithms=direct(lambda i, j: ((i, j, 0),), shared=False),
    )
)
