"""Virtual wires: a schedule is carried out on numpy arrays and every directed link counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from symcost.model.collectives import Network
from symcost.model.collectives.networks import Places, Send, Wire

Array: TypeAlias = NDArray[np.float64]


@dataclass
class Traffic:
    """What was counted, in values: sends of each device, values on each wire, rounds and hops."""

    sent: Counter[int] = field(default_factory=Counter)
    wires: Counter[Wire] = field(default_factory=Counter)
    adds: Counter[int] = field(default_factory=Counter)
    hops: int = 0
    serial: int = 0

    @property
    def busiest(self) -> int:
        """The values on the busiest directed wire."""
        return max(self.wires.values(), default=0)


def carry_out(
    network: Network,
    collective: str,
    shard: int,
    buffers: Sequence[Array],
    combine: Callable[[Array, Array], Array] = np.add,
    places: Places = (),
) -> Traffic:
    """Run a schedule in place on the flat buffers of the devices.

    >>> from symcost.model.collectives import networks
    >>> buffers = [np.array([1.0, 0.0]), np.array([0.0, 2.0])]
    >>> carry_out(networks["ring"], "all_gather", 1, buffers).hops, buffers[0]
    (1, array([1., 2.]))

    Args:
        network: how the devices are joined.
        collective: which schedule.
        shard: values of one shard.
        buffers: per device all values that it may send or receive, at their places.
        combine: how partial values become whole.
        places: of a permute how far, of a send from where to where.

    Returns:
        What was sent over which wire.
    """
    counted = Traffic()
    for sends in network.algorithm(collective, places).schedule(len(buffers), shard):
        taken = [buffers[send.source][send.start : send.stop].copy() for send in sends]
        load: Counter[Wire] = Counter()
        for send, values in zip(sends, taken, strict=True):
            size = send.stop - send.start
            load.update(dict.fromkeys(send.path, size))
            if any(wire[0] == send.source for wire in send.path):
                counted.sent[send.source] += size
            if send.source != send.target:
                _arrive(buffers[send.target], send, values, combine)
                counted.adds[send.target] += size * (send.adds and not network.reduces)
        counted.wires.update(load)
        counted.serial += max(load.values(), default=0)
        counted.hops += max((send.hops for send in sends if send.path), default=0)
    return counted


def _arrive(
    buffer: Array, send: Send, values: Array, combine: Callable[[Array, Array], Array]
) -> None:
    place = slice(send.start, send.stop)
    buffer[place] = combine(buffer[place], values) if send.adds else values
