"""Collectives: networks with the cost and the schedule of each; importing registers them."""

from symcost.model.collectives import doubling, line, oneway, pairs, reducing, ring, switch, tree
from symcost.model.collectives.networks import Network, networks, register_network

__all__ = [
    "Network",
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
