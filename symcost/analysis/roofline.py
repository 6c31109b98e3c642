"""Rooflines: the time on every unit and channel, the bounds, and what bounds the whole.

``T_math = FLOPs / peak`` and ``T_comms = bytes / bandwidth``; with perfect overlap a program
takes the largest of its times (lower bound), without any the sum (upper bound).

Source: S. Williams, A. Waterman, D. Patterson, Roofline, Communications of the ACM 52(4),
2009; the two bounds are those of J. Austin et al., How To Scale Your Model, part 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sympy import Add, Expr, Integer, S, Symbol

from symcost.algebra import Maximum, Posynomial, as_posynomial, as_ratio
from symcost.algebra.dominance import unbeaten
from symcost.algebra.exact import exact
from symcost.algebra.signs import is_at_least
from symcost.analysis.path import Latency, Path, Step, longest, longest_of, steps_of
from symcost.analysis.values import numbers_for, put_in_numbers
from symcost.documents.blocks import Block, Prose, Quantity, Table, words
from symcost.errors import InvalidValueError, MissingRuleError, UndecidedError
from symcost.hardware import Chip, Figure
from symcost.hardware.clusters import chip_in, cluster, is_cluster, linked
from symcost.model.at_sizes import at_shards
from symcost.model.data import check_whole
from symcost.model.entries import Resource
from symcost.model.graph import ComputationGraph
from symcost.model.ledger import Ledger
from symcost.model.loads import Port, loads, word
from symcost.model.programs import as_graph
from symcost.notation.border import Values
from symcost.render.shown import Displayed
from symcost.symbols import rate

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True)
class Time:
    """The time one unit or channel is busy, in seconds: ``amount / rate``, and its hops."""

    port: Port
    amount: Expr
    rate: Expr
    note: str = ""
    delay: Expr = S.Zero

    @property
    def seconds(self) -> Expr:
        """The time as an exact expression."""
        sent = as_ratio(self.amount) / as_ratio(self.rate)
        return (sent + as_ratio(self.delay) if self.delay else sent).to_sympy()


@dataclass(frozen=True, slots=True, repr=False)
class Roofline(Displayed):
    """The times of a ledger on a chip.

    ``times`` has an entry per unit, memory and port of a link; ``unknown`` says which resources
    the chip gives no rate for; ``steps`` are those of a sharded program, which wait for each
    other. ``t_hop`` and ``serial`` are what was asked for.

    >>> import symcost as sc
    >>> matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
    >>> sc.roofline(matmul, sc.chip("h100-sxm")).at(B=64, D=8192, F=8192)
    times on H100 SXM5 80GB
    matmul bf16  8.685 µs
    hbm          40.69 µs
    lower bound  40.69 µs
    upper bound  49.38 µs
    bound by hbm
    """

    chip: Chip
    ledger: Ledger
    times: tuple[Time, ...]
    unknown: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    t_hop: Expr | None = None
    serial: bool = False

    def blocks(self) -> tuple[Block, ...]:
        """The times, the bounds, and what bounds the whole."""
        times = [(str(t.port), t.seconds) for t in self.times]
        times += [("longest path", self.path)] if self.paths else []
        times += [("lower bound", self.lower), ("upper bound", self.upper)]
        rows = tuple((name, words(Quantity(seconds, "s"))) for name, seconds in times)
        below = [f"left out: {text}" for text in self.unknown]
        below += [f"bound by {self.bound_by}"] if self.bound_by is not None else []
        return (Prose(f"times on {self.chip.title}"), Table((), rows), *map(Prose, below))

    def data(self) -> dict[str, object]:
        """The times under the keys of the JSON interface."""
        return {
            "chip": self.chip.name,
            "t_math": self.t_math,
            "t_by_unit": {unit: self.time(unit) for unit in self.units},
            "t_comms": self.t_comms,
            **({"t_path": self.path} if self.paths else {}),
            "t_lower": self.lower,
            "t_upper": self.upper,
            "bound_by": self.bound_by,
            "unknown": list(self.unknown),
        }

    @property
    def units(self) -> tuple[str, ...]:
        """The compute units that work, the matmul unit first."""
        names = {t.port.name for t in self.times if t.port.kind == "compute"}
        return tuple(sorted(names, key=lambda name: (name != "matmul", name)))

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that carry bytes, main memory first."""
        names = {t.port.name for t in self.times if t.port.kind != "compute"}
        return tuple(sorted(names, key=lambda name: (name != "hbm", name)))

    @property
    def t_math(self) -> Expr:
        """Time of the busiest compute unit of the main kind, seconds."""
        return self.time(self.units[0]) if self.units else Integer(0)

    @property
    def t_comms(self) -> dict[str, Expr]:
        """Time of the busiest memory or port, per channel, seconds."""
        return {channel: self.time(channel) for channel in self.channels}

    def time(self, name: str) -> Expr:
        """Time of the busiest of the units or ports of this name, seconds.

        A unit works off its dtypes one after the other, each at its own rate.
        """
        return largest(Add(*(t.seconds for t in times)) for times in self._places(name))

    def work(self, name: str) -> Expr:
        """FLOPs or bytes of the busiest of the units or ports of this name."""
        return largest(Add(*(t.amount for t in times)) for times in self._places(name))

    def _places(self, name: str) -> list[list[Time]]:
        """The times of a unit or channel, those of one device and direction together."""
        meant = {name, *(() if name in self.units else self.ledger.members(name))}
        found: dict[tuple[str, str, str], list[Time]] = {}
        for each in self.times:
            port = each.port
            if port.name in meant:
                found.setdefault((port.name, port.place, port.direction), []).append(each)
        return list(found.values())

    def intensity(self, channel: str) -> Expr:
        """FLOPs of the busiest main unit per byte of the busiest port of a channel."""
        return (as_ratio(self.work(self._unit)) / as_ratio(self.work(channel))).to_sympy()

    def critical_intensity(self, channel: str) -> Expr:
        """Peak of the main unit over the channel's bandwidth, FLOP/byte.

        Where dtypes run at several peaks, the peak is what the program's mixture attains.
        """
        return (as_ratio(self.rate(self._unit)) / as_ratio(self.rate(channel))).to_sympy()

    @property
    def _unit(self) -> str:
        """The main unit."""
        if not self.units:
            raise UndecidedError(
                "the program has no FLOPs, so no intensity decides its time",
                repair="ask for bytes or t_comms",
            )
        return self.units[0]

    def rate(self, name: str) -> Expr:
        """The rate of a unit or channel, FLOP/s or byte/s: work over time where there are several.

        Raises:
            UndecidedError: nothing of this name is used.
        """
        rates = {time.rate for times in self._places(name) for time in times}
        if not rates:
            raise UndecidedError(
                f"{name} is not used here", repair=f"use one of {', '.join(self._names)}"
            )
        if len(rates) == 1:
            return rates.pop()
        return (as_ratio(self.work(name)) / as_ratio(self.time(name))).to_sympy()

    @property
    def symbols(self) -> frozenset[Symbol]:
        """The symbols of all times."""
        return frozenset(s for t in self.times for s in t.seconds.free_symbols)

    @property
    def latency(self) -> Latency:
        """Seconds of a hop on a channel."""
        return _latency(self.chip, self.t_hop)

    @property
    def totals(self) -> Expr:
        """The largest time of a unit or channel, seconds."""
        return largest(map(self.time, self._names))

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths of steps of which each takes longest somewhere; none where that is open."""
        try:
            return longest(self.steps)
        except UndecidedError:
            return ()

    @property
    def path(self) -> Expr:
        """The longest path of steps that wait for each other, seconds."""
        return longest_of(path.time.to_sympy() for path in self.paths).to_sympy()

    @property
    def lower(self) -> Expr:
        """The lower bound: everything overlaps that need not wait for another; seconds.

        The largest total of a unit or channel, or the longest path of a sharded program.
        """
        for path in self.paths:
            if len(path.steps) == len(self.steps):  # every total is a part of it
                return path.time.to_sympy()
        return largest([self.totals, self.path]) if self.steps else self.totals

    @property
    def upper(self) -> Expr:
        """The upper bound: nothing overlaps; seconds."""
        return Add(*map(self.time, self._names))

    @property
    def _names(self) -> tuple[str, ...]:
        return (*self.units, *self.channels)

    @property
    def bound_by(self) -> str | None:
        """What takes longest, ``"matmul"`` or ``"hbm"``; ``None`` while symbols leave it open."""
        times = [self.time(name) for name in self._names]
        if not times or not all(t.is_number for t in times):
            return None
        most = max(range(len(times)), key=lambda i: times[i])
        waits = self.path.is_number and self.path > times[most]
        return "the longest path" if waits else self._names[most]

    @property
    def throughput(self) -> Expr:
        """FLOP/s of the main unit when everything overlaps."""
        work = self.ledger.flops(self.units[0])
        return (as_ratio(work) / as_ratio(self.lower)).to_sympy()

    @property
    def digraph(self) -> networkx.DiGraph:
        """The networkx digraph of the program with ``flops``, ``bytes`` and ``time`` on its nodes.

        >>> import symcost as sc
        >>> roof = sc.roofline("H = relu(X: bf16[B])", sc.chip("C, W"))
        >>> roof.digraph.nodes["relu:0"]["time"]
        Max(B/C, 4*B/W)
        """
        rates = {(t.port.name, t.port.dtype): t.rate for t in self.times}

        def speed(resource: Resource) -> Expr:
            found = rates.get((resource.name, resource.dtype))
            if found is None:
                raise MissingRuleError(f"{self.chip.title} gives no rate of {resource}")
            return found

        return self.ledger.timed_digraph(speed)

    def at(self, values: Values | None = None, **named: object) -> Roofline:
        """The same roofline with numbers (or expressions) for symbols.

        Raises:
            InvalidValueError: a name that does not occur.
            ShapeError: a size is no whole number then.
        """
        swap = numbers_for(values, self.symbols, named)
        for graph, _ in self.ledger.programs:
            check_whole(graph, swap)
        ledger, worst = at_shards(self.ledger, {s.name: value for s, value in swap.items()}), self
        if ledger is not self.ledger:
            worst = roofline(ledger, self.chip, t_hop=self.t_hop, serial=self.serial)
        amounts = {each.port: each.amount for each in worst.times}
        times = tuple(
            replace(
                each,
                amount=put_in_numbers(amounts[each.port], swap),
                rate=put_in_numbers(each.rate, swap),
                delay=put_in_numbers(each.delay, swap),
            )
            for each in self.times
        )
        steps = tuple(each.at(lambda value: put_in_numbers(value, swap)) for each in worst.steps)
        return replace(self, times=times, steps=steps)


def roofline(
    graph: object, chip: Chip | str, *, t_hop: object = None, serial: bool = False
) -> Roofline:
    """The times of a program on a chip, per unit and channel.

    >>> import symcost as sc
    >>> matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
    >>> sc.roofline(matmul, sc.chip("C, W")).t_math
    2*B*D*F/C
    >>> gather = "mesh X=8; A: bf16[I_X, J] -> G: bf16[I, J]"
    >>> sc.roofline(gather, "C, W, W_ici", t_hop="t_hop").t_comms["ici[X]"]
    7*I*J/(4*W_ici) + 4*t_hop

    Args:
        graph: a computation graph, program text, a builder, or a ledger.
        chip: a chip with numbers or symbols for its rates, or its name.
        t_hop: seconds of a hop, a number or a name; of a link whose latency the chip gives, that
            one if it is left out, and of any other none.
        serial: whether collectives come one after another, as one channel ``links``, whatever
            mesh axes they go over.

    Returns:
        The roofline; ``repr`` is its table.

    Raises:
        MissingRuleError: the chip gives no rate for the matmul unit or a channel that is used.
    """
    if isinstance(graph, Ledger):
        ledger, found = graph, chip_of(chip)
    else:
        built, found = placed(as_graph(graph), chip)
        ledger = built.cost()
    hop = rate(t_hop) if isinstance(t_hop, str) else None if t_hop is None else exact(t_hop)
    latency = _latency(found, hop)
    times: list[Time] = []
    unknown: list[str] = []
    carried = loads(ledger)
    taken = {s.name for amount in carried.values() for s in amount.symbols}
    for port, amount in carried.items():
        try:
            speed, note = rate_of(found, port)
        except MissingRuleError as error:
            if port.name != "vector":
                raise
            unknown.append(error.problem)
            continue
        delay = ledger.hops(port.name) * latency(port.name) if port.kind == "memory" else S.Zero
        times.append(Time(port, amount.to_sympy(), _apart(speed, port, taken), note, delay))
    rates = {(each.port.name, each.port.dtype): each.rate for each in times}
    steps = steps_of(ledger, lambda each: rates.get((each.name, each.dtype)), latency)
    if serial:
        times = _one_after_another(times, steps, {*ledger.links})
    return Roofline(found, ledger, tuple(times), tuple(dict.fromkeys(unknown)), steps, hop, serial)


def _latency(chip: Chip, t_hop: Expr | None) -> Latency:
    """Seconds of a hop on a channel: what was asked for, or what the chip says."""
    return chip.latency if t_hop is None else lambda channel: t_hop


def _one_after_another(times: list[Time], steps: Iterable[Step], links: set[str]) -> list[Time]:
    """All links as one channel: of each collective the time of the link that takes longest.

    Raises:
        InvalidValueError: the program has no collectives.
    """
    of_links = [each for each in times if each.port.name in links]
    if not of_links:
        raise InvalidValueError(
            "no collective is there to come after another", repair="leave serial out"
        )
    first = of_links[0]
    sent = Posynomial.sum(step.sending for step in steps) * as_posynomial(first.rate)
    delay = Add(*(step.delay for step in steps))
    note = f"as {first.port.name}, one collective after another"
    whole = Time(Port("memory", "links"), sent.to_sympy(), first.rate, note, delay)
    return [*(each for each in times if each not in of_links), whole]


def chip_of(chip: Chip | str) -> Chip:
    """The chip of a name.

    Raises:
        InvalidValueError: what was given is neither a chip nor a name.
    """
    if isinstance(chip, Chip):
        return chip
    if not isinstance(chip, str):
        raise InvalidValueError(f"{chip!r} is no chip", repair='give a name, as "h100-sxm"')
    return chip_in(chip)


def placed(graph: ComputationGraph, chip: Chip | str) -> tuple[ComputationGraph, Chip]:
    """A graph with its mesh on a chip's links, or on those of a cluster, and the chip.

    >>> from symcost.model.programs import parse
    >>> graph = parse("mesh X=8; A: bf16[I_X, J] -> B: bf16[I, J]")
    >>> placed(graph, "8 x h100")[0].mesh
    mesh X=8 over nvlink
    """
    if isinstance(chip, str) and is_cluster(chip):
        several = cluster(chip)
        found, mesh = several.chip, several.place(graph.mesh) if graph.mesh else graph.mesh
    else:
        found = chip_of(chip)
        mesh = linked(graph.mesh, found)
    if mesh == graph.mesh:
        return graph, found
    made = ComputationGraph(graph.tensors.values(), graph.ops, name=graph.name, mesh=mesh)
    return made, found


def rate_of(chip: Chip, port: Port) -> tuple[Expr, str]:
    """What a chip's unit or channel does in a second, and what to say beside it."""
    if port.kind == "compute":
        figure = chip.peak_figure(port.dtype, port.name)
        return chip.peak(port.dtype, port.name), _note(figure)
    known = chip.bandwidth_figure if port.direction else chip.device_figure
    figure = known(port.name)
    return figure.to_sympy(), _note(figure)


def _apart(speed: Expr, port: Port, taken: set[str]) -> Expr:
    """A symbolic rate under another name where a dimension of the program has the same."""
    clashes = speed.is_Symbol and speed.name in taken
    return rate(f"{speed.name}_{word(port.name)}") if clashes else speed


def _note(figure: Figure) -> str:
    """What to say beside a figure; one that nobody has looked up says so."""
    parts = [figure.note, "from memory, to be confirmed" if figure.from_memory else ""]
    return "; ".join(part for part in parts if part)


def largest(values: Iterable[Expr]) -> Expr:
    """The maximum of expressions, without those that another one exceeds everywhere.

    >>> from symcost.symbols import dims
    >>> B, F = dims("B F")
    >>> largest([2 * B * F, 4 * B * F, B])
    4*B*F
    """
    kept = unbeaten(values, is_at_least)
    return Maximum(*kept) if kept else Integer(0)
