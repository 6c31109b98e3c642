"""What one device can send: a link's figure, in the directions and for the share of a mesh axis."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from symcost.errors import MissingRuleError
from symcost.hardware.figures import Figure, Link
from symcost.model.links import NETWORK_OF

_CHANNEL = re.compile(r"(?P<link>\w+)(\((?P<network>\w+)\))?(\[.*\])?\Z")
PAIR_FIGURES = ("per_link_one_way", "per_peer_one_way")


def axis_of(channel: str) -> tuple[str, str]:
    """The link of a channel and its network: ``ici(line)[X]`` is a line along X.

    >>> axis_of("ici(line)[X]"), axis_of("nvlink")
    (('ici', 'line'), ('nvlink', 'switch'))
    """
    match = _CHANNEL.match(channel)
    name = match["link"] if match else channel
    return name, (match and match["network"]) or NETWORK_OF.get(name, "switch")


def device_figure(link: Link, name: str, network: str, chip: str) -> Figure:
    """The figure of a link as a collective's bytes are counted; see ``Chip.device_figure``."""
    if not link.kind and not link.scope:  # given figures count what a device can send
        return link.one_way
    if network in ("ring", "line", "oneway"):
        return _of_axis(link, name, network, chip)
    if network == "pairs":
        return _of_pair(link)
    if link.shared_by:
        share = _times(link.one_way, Fraction(1, link.shared_by))
        return replace(share, note=f"a device, of {link.shared_by} that share it")
    return _one_way(link)


def _one_way(link: Link) -> Figure:
    return replace(link.one_way, note=", ".join(filter(None, ("one way", link.scope))))


def _of_axis(link: Link, name: str, network: str, chip: str) -> Figure:
    if link.axes is None:
        raise MissingRuleError(
            f"the figure of {name} on {chip} is {link.scope or 'for all links'}, not of one axis",
            repair=f'give it, as in "C=..., W_{name}=..."',
        )
    if network != "ring":
        return replace(link.one_way, note="one direction of one axis")
    both = link.more.get("both_ways") or _times(link.one_way, Fraction(2))
    return replace(both, note="both directions of one axis")


def _of_pair(link: Link) -> Figure:
    for key in PAIR_FIGURES:
        if key in link.more:
            return replace(link.more[key], note="one link between two devices, one way")
    if link.count:
        return replace(
            _times(link.one_way, Fraction(1, link.count)),
            note=f"one of {link.count} links, one way",
        )
    return _one_way(link)


def _times(figure: Figure, factor: Fraction) -> Figure:
    if isinstance(figure.value, str):
        return figure
    return replace(figure, value=figure.value * factor)
