"""Loads: how much each unit, memory and link port has to do.

One unit works off its dtypes one after the other, each at its own rate: see ``Port.physical``.
Two transfers that end at one device share its port, whoever sent them; the two directions of
a link are separate, so an exchange loads each direction once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from symcost.algebra import Posynomial
from symcost.model.entries import Resource
from symcost.model.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Port:
    """Something that works on one thing at a time: a unit, a memory, one way of a link.

    ``kind`` is ``"compute"``, ``"memory"`` or ``"link"``; ``direction`` is ``"out"`` or
    ``"in"`` for a link, otherwise ``""``.
    """

    kind: str
    name: str
    dtype: str = ""
    place: str = ""
    direction: str = ""

    @property
    def physical(self) -> Port:
        """What does the work, whatever the dtype: the loads of one such port are worked off one
        after the other, each at the rate of its dtype, so that their times add up.

        >>> Port("compute", "matmul", "fp8", "gpu0").physical
        Port(kind='compute', name='matmul', dtype='', place='gpu0', direction='')
        """
        return replace(self, dtype="")

    def __str__(self) -> str:
        where = {"": f"on {self.place}", "out": f"out of {self.place}", "in": f"into {self.place}"}
        words = (self.name, self.dtype, where[self.direction] if self.place else "")
        return " ".join(word for word in words if word)


def loads(ledger: Ledger) -> dict[Port, Posynomial]:
    """The FLOPs or bytes on each port; a transfer loads the sender's and the receiver's.

    >>> from symcost.model.programs import parse
    >>> graph = parse('''X: bf16[B, F] on gpu0; Y: bf16[B, F] on gpu1
    ...     send X to gpu2 over nvlink; send Y to gpu2 over nvlink''')
    >>> {str(port): amount for port, amount in loads(graph.cost()).items()}
    {'nvlink out of gpu0': 2*B*F, 'nvlink into gpu2': 4*B*F, 'nvlink out of gpu1': 2*B*F}

    Args:
        ledger: the costs of a graph.

    Returns:
        For each port its load, in the order of first use.
    """
    carried: dict[Port, Posynomial] = {}
    for resource, amount in ledger.by_resource().items():
        for port in ports(resource):
            carried[port] = carried[port] + amount if port in carried else amount
    return carried


def word(name: str) -> str:
    """The name of a unit or channel as a part of a symbol's name: ``ici[X]`` is ``ici_X``.

    >>> word("ici(line)[X]")
    'ici_line_X'
    """
    return re.sub(r"\W+", "_", name).strip("_")


def ports(resource: Resource) -> tuple[Port, ...]:
    """The ports that work on a resource loads: two for a transfer, otherwise one."""
    if resource.is_transfer:
        return (
            Port("link", resource.name, place=resource.place, direction="out"),
            Port("link", resource.name, place=resource.to, direction="in"),
        )
    kind = "compute" if resource.is_compute else "memory"
    return (Port(kind, resource.name, resource.dtype, resource.place),)
