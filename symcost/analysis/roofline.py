"""Rooflines: the bounds on the time of a program, and what bounds the whole.

With perfect overlap a program takes the largest of its times (lower bound), without any the sum
(upper bound).

Source: S. Williams, A. Waterman, D. Patterson, Roofline, Communications of the ACM 52(4),
2009; the two bounds are those of J. Austin et al., How To Scale Your Model, part 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sympy import Add, Expr

from symcost.algebra import as_ratio
from symcost.algebra.dominance import largest
from symcost.algebra.exact import exact
from symcost.analysis.path import Latency, Path, Step, longest, steps_of
from symcost.analysis.times import Times, one_after_another, times_on
from symcost.analysis.values import numbers_for, put_in_numbers
from symcost.documents.blocks import Block, Prose, Quantity, Table, words
from symcost.errors import MissingRuleError, UndecidedError
from symcost.hardware import Chip
from symcost.hardware.placing import chip_of, placed
from symcost.model.at_sizes import at_shards
from symcost.model.data import check_whole
from symcost.model.entries import Resource
from symcost.model.ledger import Ledger
from symcost.model.programs import as_graph
from symcost.notation.border import Values
from symcost.render.shown import Displayed
from symcost.symbols import rate

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True, repr=False)
class Roofline(Times, Displayed):
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
    def latency(self) -> Latency:
        """Seconds of a hop on a channel."""
        return _latency(self.chip, self.t_hop)

    @property
    def totals(self) -> Expr:
        """The largest time of a unit or channel, seconds."""
        return largest(map(self.time, self.names))

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
        return largest(path.time.to_sympy() for path in self.paths)

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
        return Add(*map(self.time, self.names))

    @property
    def bound_by(self) -> str | None:
        """What takes longest, ``"matmul"`` or ``"hbm"``; ``None`` while symbols leave it open."""
        times = [self.time(name) for name in self.names]
        if not times or not all(t.is_number for t in times):
            return None
        most = max(range(len(times)), key=lambda i: times[i])
        waits = self.path.is_number and self.path > times[most]
        return "the longest path" if waits else self.names[most]

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
            known = rates.get((resource.name, resource.dtype))
            if known is None:
                raise MissingRuleError(f"{self.chip.title} gives no rate of {resource}")
            return known

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
        ledger, on = graph, chip_of(chip)
    else:
        built, on = placed(as_graph(graph), chip)
        ledger = built.cost()
    hop = rate(t_hop) if isinstance(t_hop, str) else None if t_hop is None else exact(t_hop)
    latency = _latency(on, hop)
    times, unknown = times_on(on, ledger, latency)
    rates = {(each.port.name, each.port.dtype): each.rate for each in times}
    steps = steps_of(ledger, lambda each: rates.get((each.name, each.dtype)), latency)
    if serial:
        times = one_after_another(times, steps, {*ledger.links})
    return Roofline(on, ledger, tuple(times), unknown, steps, hop, serial)


def _latency(chip: Chip, t_hop: Expr | None) -> Latency:
    """Seconds of a hop on a channel: what was asked for, or what the chip says."""
    return chip.latency if t_hop is None else lambda channel: t_hop
