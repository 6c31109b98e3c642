"""The time on every compute unit, memory and port of a link: its work over its rate.

``T_math = FLOPs / peak`` and ``T_comms = bytes / bandwidth``, and the hops of a link where their
latency is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Add, Expr, Integer, S, Symbol

from symcost.algebra import Posynomial, as_posynomial, as_ratio
from symcost.algebra.dominance import largest
from symcost.analysis.path import Latency, Step
from symcost.errors import InvalidValueError, MissingRuleError, UndecidedError
from symcost.hardware import Chip, Figure
from symcost.model.ledger import Ledger
from symcost.model.loads import Port, loads, word
from symcost.symbols import rate


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
class Times:
    """The times of a ledger on a chip, by the names of units and channels.

    ``times`` has an entry per unit, memory and port of a link; ``unknown`` says which resources
    the chip gives no rate for.
    """

    chip: Chip
    ledger: Ledger
    times: tuple[Time, ...]
    unknown: tuple[str, ...] = ()

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

        Raises:
            UndecidedError: nothing of this name is used.
        """
        return largest(Add(*(t.seconds for t in times)) for times in self._used(name))

    def work(self, name: str) -> Expr:
        """FLOPs or bytes of the busiest of the units or ports of this name.

        Raises:
            UndecidedError: nothing of this name is used.
        """
        return largest(Add(*(t.amount for t in times)) for times in self._used(name))

    def _used(self, name: str) -> list[list[Time]]:
        places = self._places(name)
        if not places:
            raise UndecidedError(
                f"{name} is not used here", repair=f"use one of {', '.join(self.names)}"
            )
        return places

    def _places(self, name: str) -> list[list[Time]]:
        """The times of a unit or channel, those of one device and direction together."""
        meant = {name, *(() if name in self.units else self.ledger.members(name))}
        together: dict[tuple[str, str, str], list[Time]] = {}
        for each in self.times:
            port = each.port
            if port.name in meant:
                together.setdefault((port.name, port.place, port.direction), []).append(each)
        return list(together.values())

    def intensity(self, channel: str) -> Expr:
        """FLOPs of the busiest main unit per byte of the busiest port of a channel, FLOP/byte.

        Raises:
            UndecidedError: the program has no FLOPs, or does not use the channel.
        """
        return (as_ratio(self.work(self._unit)) / as_ratio(self.work(channel))).to_sympy()

    def critical_intensity(self, channel: str) -> Expr:
        """Peak of the main unit over the channel's bandwidth, FLOP/byte.

        Where dtypes run at several peaks, the peak is what the program's mixture attains.

        Raises:
            UndecidedError: the program has no FLOPs, or does not use the channel.
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

    def dtypes_apart(self, unit: str) -> tuple[str, ...]:
        """The dtypes of a unit, where they run at different rates."""
        rates = {t.port.dtype: t.rate for t in self.times if t.port.name == unit}
        return tuple(rates) if len({*rates.values()}) > 1 else ()

    def rate(self, name: str) -> Expr:
        """The rate of a unit or channel, FLOP/s or byte/s: work over time where there are several.

        Raises:
            UndecidedError: nothing of this name is used.
        """
        rates = {time.rate for times in self._used(name) for time in times}
        if len(rates) == 1:
            return rates.pop()
        return (as_ratio(self.work(name)) / as_ratio(self.time(name))).to_sympy()

    @property
    def symbols(self) -> frozenset[Symbol]:
        """The symbols of all times."""
        return frozenset(s for t in self.times for s in t.seconds.free_symbols)

    @property
    def names(self) -> tuple[str, ...]:
        """Those of all units and channels."""
        return (*self.units, *self.channels)


def times_on(chip: Chip, ledger: Ledger, latency: Latency) -> tuple[list[Time], tuple[str, ...]]:
    """The times of a ledger, and what the chip gives no rate for.

    Args:
        chip: a chip with numbers or symbols for its rates.
        ledger: what is done and moved.
        latency: seconds of a hop on a channel.

    Raises:
        MissingRuleError: the chip gives no rate for the matmul unit or a channel that is used.
    """
    times: list[Time] = []
    unknown: list[str] = []
    carried = loads(ledger)
    taken = {s.name for amount in carried.values() for s in amount.symbols}
    for port, amount in carried.items():
        try:
            speed, note = rate_of(chip, port)
        except MissingRuleError as error:
            if port.name != "vector":
                raise
            unknown.append(error.problem)
            continue
        delay = ledger.hops(port.name) * latency(port.name) if port.kind == "memory" else S.Zero
        times.append(Time(port, amount.to_sympy(), _apart(speed, port, taken), note, delay))
    return times, tuple(dict.fromkeys(unknown))


def one_after_another(times: list[Time], steps: Iterable[Step], links: set[str]) -> list[Time]:
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
