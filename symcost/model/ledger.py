"""The ledger: every cost of a graph with what it is for, and the totals over it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sympy import Expr

from symcost.algebra import Maximum, Posynomial, Ratio, as_posynomial
from symcost.algebra.posynomial import ZERO
from symcost.documents.blocks import Document, Section, Table, words
from symcost.errors import UndecidedError, UnknownNameError
from symcost.model.blocks import Block, priced, sums
from symcost.model.data import GraphData
from symcost.model.digraph import Rates, costed, symbolic_rates
from symcost.model.entries import Entry, Resource, link_of
from symcost.model.lifetimes import Program
from symcost.model.links import UNITS
from symcost.model.local import localized
from symcost.model.memory import held, parameters, peak, undominated
from symcost.model.tensors import ONE
from symcost.render.shown import Rendered

if TYPE_CHECKING:
    import networkx

CHANNELS = ("hbm", "nvlink", "ici", "pcie", "dcn")
ROWS = 40  # entries that a printed ledger shows


@dataclass(frozen=True, slots=True, repr=False)
class Ledger(Rendered):
    """The costs of a graph: entries, and totals that are sums over them.

    >>> from symcost.model.programs import parse
    >>> cost = parse("bf16[B, D] @ bf16[D, F] -> bf16[B, F]").cost()
    >>> cost.flops(), cost.bytes(), cost.intensity()
    (2*B*D*F, 2*B*D + 2*B*F + 2*D*F, B*D*F/(B*D + B*F + D*F))

    Ledgers add up (``cost + cost``) and multiply (``12 * cost``, ``L * cost``).
    """

    blocks: tuple[Block, ...] = ()
    programs: tuple[Program, ...] = ()  # whole graphs and how often; a part of a ledger has none
    devices: Posynomial = ONE  # of which these are the costs together; memory is that of each

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in program order, with ``resource``, ``amount`` and ``what``."""
        numbered = [
            (number, start, entry)
            for number, block in enumerate(self.blocks)
            for start, entry in block.expanded()
        ]
        graphs = {id(block.graph): n for n, block in reversed(list(enumerate(self.blocks)))}
        numbered.sort(key=lambda item: (graphs[id(self.blocks[item[0]].graph)], item[1]))
        return tuple(entry for *_, entry in numbered)

    @property
    def resources(self) -> tuple[Resource, ...]:
        """The units and channels that are used, in the order of first use."""
        by_id = {id(e.resource): e.resource for block in self.blocks for e in block.priced}
        return tuple(dict.fromkeys(by_id.values()))

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the compute units that are used, ``matmul`` and ``vector``."""
        return tuple(dict.fromkeys(r.name for r in self.resources if r.is_compute))

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels that are used, ``hbm``, ``nvlink``, ..."""
        return tuple(dict.fromkeys(r.name for r in self.resources if not r.is_compute))

    @property
    def links(self) -> tuple[str, ...]:
        """Names of the channels over which collectives go, ``ici[X]``."""
        moved = (e for block in self.blocks for e in block.priced if e.moves is not None)
        return tuple(dict.fromkeys(entry.resource.name for entry in moved))

    def flops(self, unit: str | None = None, dtype: str | None = None) -> Expr:
        """FLOPs, of all units or one, of all dtypes or one.

        >>> from symcost.model.programs import parse
        >>> cost = parse("H = X: bf16[B, D] @ W: bf16[D, F]; relu(H) -> R").cost()
        >>> cost.flops(), cost.flops("vector")
        (2*B*D*F + B*F, B*F)

        Args:
            unit: ``"matmul"`` or ``"vector"``; all if not given.
            dtype: name of the dtype the arithmetic runs in; all if not given.

        Returns:
            The number of operations; a multiply-add is two.

        Raises:
            UnknownNameError: no such unit.
        """
        return self._flops(unit, dtype).to_sympy()

    def bytes(self, channel: str | None = None) -> Expr:
        """Bytes over a channel; the name may be left out when only one is used.

        >>> from symcost.model.programs import parse
        >>> gather = parse("mesh X=4, Y=8; A: int8[I_X] -> G: int8[I]; B: int8[K_Y] -> H: int8[K]")
        >>> gather.cost().bytes("ici[X]"), gather.cost().bytes("ici")
        (3*I/4, Max(3*I/4, 7*K/8))

        Args:
            channel: ``"hbm"``, ``"nvlink"``, ``"ici[X]"``, or ``"ici"`` for its busiest axis.

        Returns:
            The traffic in bytes, over all places.

        Raises:
            UndecidedError: several channels are used and none was named.
            UnknownNameError: no such channel.
        """
        return self._bytes(self._one_channel(channel)).to_sympy()

    def hops(self, channel: str) -> Expr:
        """Links passed one after another, which take at least so many times that of a hop.

        >>> from symcost.model.programs import parse
        >>> parse("mesh X; A: bf16[I_X, J] -> G: bf16[I, J]").cost().hops("ici[X]")
        floor(X/2)

        Args:
            channel: ``"ici[X]"``, ``"nvlink"``, or ``"ici"`` for all its axes.
        """
        names = self.members(channel)
        return Posynomial.sum(
            entry.moves.hops * block.times
            for block in self.blocks
            for entry in block.priced
            if entry.moves is not None and entry.resource.name in names
        ).to_sympy()

    def intensity(self, channel: str | None = None, unit: str | None = None) -> Expr:
        """Arithmetic intensity: FLOPs of a unit over bytes of a channel, reduced.

        Args:
            channel: the channel; may be left out when only one is used.
            unit: the compute unit; may be left out when only one is used.

        Returns:
            FLOPs per byte.

        Raises:
            UndecidedError: several units or channels are used and none was named, or nothing
                is moved over the channel.
            UnknownNameError: no such unit or channel.
        """
        return self.intensity_ratio(channel, unit).to_sympy()

    def intensity_ratio(self, channel: str | None = None, unit: str | None = None) -> Ratio:
        """The same as a ratio of posynomials, for analyses."""
        asked = (("units", unit, self.units), ("channels", channel, self.channels))
        problems = [_several(n, what) for what, one, n in asked if one is None and len(n) > 1]
        if problems:
            raise UndecidedError(
                f"this graph uses {' and '.join(problems)}",
                repair=f'ask intensity("{channel or self.channels[0]}", '
                f'unit="{unit or self.units[0]}")',
            )
        work, moved = self._flops(unit), self._bytes(self._one_channel(channel))
        if not moved:
            raise UndecidedError(f"this graph moves no bytes over {channel or 'any channel'}")
        return Ratio.of(work, moved)

    def memory(self, role: str | None = None, *, place: str | None = None) -> Expr:
        """Bytes that the tensors take, all of them together.

        What a repeated block declares or makes is there once for each run of it (the weights of
        every layer), what it only uses is there once; what stays on chip within a fused group
        takes nothing, nor does a result that lives in its operand's memory. Of a sharded
        program: bytes per device.

        >>> from symcost.model.programs import parse
        >>> cost = parse("x: bf16[B, D]; repeat L { x @ W: bf16[D, F] }").cost()
        >>> cost.memory("inputs"), cost.memory()
        (2*B*D + 2*D*F*L, 2*B*D + 2*B*F*L + 2*D*F*L)

        Args:
            role: ``"weights"``, ``"inputs"``, ``"outputs"`` or ``"intermediates"``; all together
                if not given.
            place: one device; all together if not given.

        Returns:
            The bytes.

        Raises:
            UnknownNameError: no such role or place.
            UndecidedError: this is a part of a ledger.
        """
        return (held(self._whole(), role, place) * self.devices).to_sympy()

    def parameters(self) -> Expr:
        """How many values the weights have; what a repeated block declares counts for each run.

        >>> from symcost.model.programs import parse
        >>> parse("weight W: int8[D, F]; X: bf16[B, D] @ W -> Z: bf16[B, F]").cost().parameters()
        D*F
        """
        return parameters(self._whole()).to_sympy()

    def peak_memory(self, *, place: str | None = None) -> Expr:
        """The most bytes at one time, if every buffer is freed after its last use.

        Inputs and weights are there from the start, outputs until the end; operations run in
        program order, a repeated block run by run, a fused group as one. What all runs of a
        block share stays until the block is over.

        >>> from symcost.model.programs import parse
        >>> parse("a = relu(x: bf16[N]); b = relu(a); c = relu(b)").cost().peak_memory()
        4*N

        Args:
            place: the device; may be left out when only one is used.

        Returns:
            The bytes, a maximum where sizes decide at which point they are most.

        Raises:
            UnknownNameError: no such place.
            UndecidedError: several devices are used and none was named, this is a part of a
                ledger, or the program is too long for an exact answer.
        """
        most = peak(self._whole(), place)
        return most if self.devices == ONE else (as_posynomial(most) * self.devices).to_sympy()

    @property
    def digraph(self) -> networkx.DiGraph:
        """The networkx digraph of the program with costs on its nodes, as exact expressions.

        Nodes are those of ``graph.digraph``, with ``flops``, ``bytes`` (over all channels) and
        ``time`` at symbolic rates: ``C`` of a unit, ``W`` of main memory, ``W_nvlink`` of a link
        (a roofline's ``digraph`` has the rates of its chip). Tensors cost nothing.

        >>> from symcost.model.programs import parse
        >>> nodes = parse("H = relu(X: bf16[B]); Z = exp(H)").cost().digraph.nodes
        >>> nodes["relu:0"]["flops"], nodes["exp:1"]["bytes"], nodes["exp:1"]["time"]
        (B, 4*B, Max(B/C, 4*B/W))

        Raises:
            UndecidedError: the ledger is a sum of several programs, or a part of one.
        """
        return self.timed_digraph(None)

    def timed_digraph(self, rates: Rates | None) -> networkx.DiGraph:
        """The same at given rates, a function from a resource to FLOP/s or bytes/s."""
        if len(self._whole()) != 1:
            raise UndecidedError(
                f"a ledger of {len(self.programs)} programs has no one graph",
                repair="ask each program's own ledger",
            )
        ((graph, _),) = self.programs
        return costed(graph, self.blocks, rates or symbolic_rates(graph))

    def _whole(self) -> tuple[Program, ...]:
        if self.blocks and not self.programs:
            raise UndecidedError(
                "a part of a ledger has no memory of its own",
                repair="ask the whole ledger, with a role or a place",
            )
        return self.programs

    def where(self, **fields: str) -> Ledger:
        """The part of the ledger whose resources have the given fields.

        >>> from symcost.model.programs import parse
        >>> cost = parse("bf16[B, D] @ bf16[D, F] -> bf16[B, F]").cost()
        >>> [entry.what for entry in cost.where(name="hbm").entries]
        ['read bf16[B, D]', 'read bf16[D, F]', 'write bf16[B, F]']

        Args:
            fields: ``kind``, ``name``, ``dtype``, ``place`` or ``to`` with the value wanted.

        Returns:
            A ledger with the entries that have them all.
        """
        wanted = {r for r in self.resources if all(getattr(r, k) == v for k, v in fields.items())}
        return self.filtered(lambda entry: entry.resource in wanted)

    def filtered(self, keep: Callable[[Entry], bool]) -> Ledger:
        """The part of the ledger whose entries the predicate accepts, each with its own names.

        >>> from symcost.model.programs import parse
        >>> cost = parse("q = x: bf16[B, D] @ Wq: bf16[D, K]; v = x @ Wv: bf16[D, K]").cost()
        >>> cost.filtered(lambda entry: entry.what == "read Wq").bytes()
        2*D*K
        """
        return Ledger(tuple(part for block in self.blocks for part in block.selected(keep)))

    def total(self, keep: Callable[[Resource], bool] = lambda _: True) -> Posynomial:
        """The sum of the amounts on the resources that are kept."""
        amounts = list(sums(self.blocks, keep).values())
        return amounts[0] if len(amounts) == 1 else Posynomial.sum(amounts)

    def by_resource(self) -> dict[Resource, Posynomial]:
        """The total of each resource."""
        return sums(self.blocks)

    def __add__(self, other: object) -> Ledger:
        if other == 0:  # so that sum(ledgers) works
            return self
        if not isinstance(other, Ledger):
            return NotImplemented
        devices = self.devices if self.programs else other.devices
        return Ledger(self.blocks + other.blocks, self.programs + other.programs, devices)

    __radd__ = __add__

    def __mul__(self, factor: object) -> Ledger:
        if isinstance(factor, Ledger):
            return NotImplemented
        by = as_posynomial(factor)
        return Ledger(
            tuple(replace(block, factor=block.factor * by) for block in self.blocks),
            tuple((graph, times * by) for graph, times in self.programs),
            self.devices,
        )

    __rmul__ = __mul__

    def document(self) -> Document:
        """The entries as a table, then one total for each resource."""
        entries = self.entries
        facts = {
            "flops": self.flops(),
            "flops_by_unit": {unit: self.flops(unit) for unit in self.units},
            "bytes": {channel: self.bytes(channel) for channel in self.channels},
            "entries": [
                {"amount": e.amount, "resource": str(e.resource), "what": e.what} for e in entries
            ],
        }
        rows = [(words(e.amount), str(e.resource), e.what) for e in entries[:ROWS]]
        if len(entries) > ROWS:
            rows.append((words(f"... {len(entries) - ROWS} more"), "", ""))
        totals = self.by_resource().items()
        foot = tuple((words(total.to_sympy()), str(r), "total") for r, total in totals)
        table = Table(("amount", "resource", "what"), tuple(rows), foot)
        return Document("", (Section("", (table,)),), data=facts)

    def _one_channel(self, channel: str | None) -> str | None:
        if channel is not None:
            known = (*CHANNELS, *self.channels, *map(link_of, self.channels))
            _check_name(channel, known, "channel", self.channels)
            return channel
        if len(self.channels) > 1:
            raise UndecidedError(
                f"this graph uses {_several(self.channels, 'channels')}",
                repair=f'ask bytes("{self.channels[0]}")',
            )
        return self.channels[0] if self.channels else None

    def _flops(self, unit: str | None, dtype: str | None = None) -> Posynomial:
        if unit is not None:
            _check_name(unit, (*UNITS, *self.units), "unit", self.units)
        return self.total(
            lambda r: r.is_compute and unit in (None, r.name) and dtype in (None, r.dtype)
        )

    def _bytes(self, channel: str | None) -> Posynomial:
        """Of one channel; of ``ici``, on a mesh, of the axis over which most is sent."""
        totals = dict.fromkeys(self.members(channel), ZERO)
        for resource, amount in self.by_resource().items():
            if not resource.is_compute and resource.name in totals:
                totals[resource.name] += amount
        kept = undominated(totals.values())
        if len(kept) > 1:
            return as_posynomial(Maximum(*(each.to_sympy() for each in kept)))
        return kept[0] if kept else ZERO

    def members(self, channel: str | None) -> tuple[str, ...]:
        """The channels that are meant by a name: itself, or all axes on links of that kind."""
        own = tuple(name for name in self.channels if name == channel)
        return own or tuple(name for name in self.channels if link_of(name) == channel)


def cost_of(graph: GraphData, count: str = "leading", *, total: bool = False) -> Ledger:
    """The ledger of a graph, on a mesh with the collectives it needs; see ``graph.cost()``."""
    local = localized(graph)
    blocks, devices = priced(local, count), local.mesh.devices if total else ONE
    if devices != ONE:
        blocks = tuple(replace(b, priced=_of_all(b.priced, devices)) for b in blocks)
    return Ledger(blocks, ((local, ONE),), devices)


def _of_all(entries: Iterable[Entry], devices: Posynomial) -> tuple[Entry, ...]:
    """The entries of all devices together; of a collective what all links carry."""

    def whole(entry: Entry) -> Posynomial:
        carried = entry.moves.total if entry.moves else None
        return entry.quantity * devices if carried is None else carried

    return tuple(replace(entry, quantity=whole(entry)) for entry in entries)


def _check_name(name: str, known: Iterable[str], what: str, used: tuple[str, ...]) -> None:
    if name not in known:
        raise UnknownNameError(
            f"unknown {what} {name!r}", repair=f"this graph uses {_listed(used) or 'none'}"
        )


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _several(names: tuple[str, ...], what: str) -> str:
    count = {2: "two", 3: "three", 4: "four"}.get(len(names), len(names))
    return f"{count} {what}, {_listed(names)}"
