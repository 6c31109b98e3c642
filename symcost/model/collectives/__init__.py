"""Collectives: networks with the cost and the schedule of each; importing registers them."""

from symcost.model.collectives import (
    doubling,
    line,
    oneway,
    pairs,
    reducing,
    ring,
    switch,
    tree,
)
from symcost.model.collectives.networks import (
    Moves,
    Network,
    Send,
    networks,
    register_network,
)

__all__ = [
    "Moves",
    "Network",
    "Send",
    "doubling",
    "line",
    "networks",
    "oneway",
    "pairs",
    "reducing",
    "register_network",
    "ring",
    "switch",
    "tree",
]
