"""What one device can send: a link's figure, in the directions and for the share of a mesh axis."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from symcost.errors import MissingRuleError
from symcost.hardware.figures import Figure, Link
from symcost.model.links import NETWORK_OF

if TYPE_CHECKING:
    from symcost.hardware.model import Chip

_CHANNEL = re.compile(r"(?P<link>\w+)(\((?P<network>\w+)\))?(\[.*\])?\Z")
PAIR_FIGURES = ("per_link_one_way", "per_peer_one_way")


def device_figure(chip: Chip, channel: str) -> Figure:
    """The figure of a channel as a collective's bytes are counted; see ``Chip.device_figure``."""
    found = _CHANNEL.match(channel)
    link = chip.links.get(found["link"]) if found else None
    if found is None or link is None:
        return chip.bandwidth_figure(found["link"] if found else channel)
    network = found["network"] or NETWORK_OF.get(found["link"], "switch")
    if not link.kind and not link.scope:  # given figures count what a device can send
        return link.one_way
    if network in ("ring", "line", "oneway"):
        return _of_axis(chip, found["link"], link, network)
    if network == "pairs":
        return _of_pair(link)
    if link.shared_by:
        share = _times(link.one_way, Fraction(1, link.shared_by))
        return replace(share, note=f"a device, of {link.shared_by} that share it")
    return replace(link.one_way, note=", ".join(filter(None, ("one way", link.scope))))


def _of_axis(chip: Chip, name: str, link: Link, network: str) -> Figure:
    if link.axes is None:
        raise MissingRuleError(
            f"the figure of {name} on {chip.title} is {link.scope or 'for all links'}, "
            "not of one axis",
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
    return replace(link.one_way, note=", ".join(filter(None, ("one way", link.scope))))


def _times(figure: Figure, factor: Fraction) -> Figure:
    if isinstance(figure.value, str):
        return figure
    return replace(figure, value=figure.value * factor)
