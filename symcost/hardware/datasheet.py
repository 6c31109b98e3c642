"""A data sheet: the figures of one piece of hardware, and the questions formulas ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from symcost.errors import MissingRuleError, UnknownNameError
from symcost.hardware.egress import axis_of, device_figure
from symcost.hardware.figures import ANY, Figure, Link, matmul_peak, vector_peak
from symcost.model.dtypes import UNTYPED, DType
from symcost.model.dtypes import dtype as as_dtype
from symcost.model.links import HBM, UNITS
from symcost.notation.slips import guarding
from symcost.registry import Table, normal_form

if TYPE_CHECKING:
    from sympy import Expr


@guarding
@dataclass(frozen=True, slots=True, repr=False)
class Datasheet:
    """The figures of a chip; see :class:`symcost.Chip`."""

    name: str
    title: str
    vendor: str = ""
    year: Figure | None = None
    matmul: Mapping[str, Figure] = field(default_factory=Table)
    vector: Mapping[str, Figure] = field(default_factory=Table)
    memory_kind: str = ""
    memory_bandwidth: Figure | None = None
    capacities: tuple[Figure, ...] = ()
    caches: Mapping[str, Figure] = field(default_factory=Table)
    links: Mapping[str, Link] = field(default_factory=Table)
    notes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    not_supported: tuple[str, ...] = ()
    printed_ridge: Mapping[str, Fraction] = field(default_factory=Table)
    resolved_from: str = ""

    def __hash__(self) -> int:
        return hash((self.name, self.title, self.resolved_from))

    def peak_figure(self, dtype: str | DType, unit: str = "matmul") -> Figure:
        """The peak at a dtype with its source; its note says when another dtype stands in.

        >>> from symcost.hardware import chip
        >>> chip("h100").peak_figure("mxfp8").note
        'the fp8 rate'

        Args:
            dtype: name of a data type, or the type.
            unit: ``"matmul"`` or ``"vector"``; on the vector unit the next wider float stands in.

        Returns:
            The figure, FLOP/s.

        Raises:
            MissingRuleError: no figure is known; the message lists those that are.
            UnknownNameError: no such dtype or unit.
        """
        if unit not in UNITS:
            raise UnknownNameError(f"unknown unit {unit!r}", repair="units: matmul, vector")
        peaks = self.matmul if unit == "matmul" else self.vector
        own = _own_key(peaks, str(dtype))
        if own is not None:
            return peaks[own]
        kind = as_dtype(dtype)
        figure = (matmul_peak if unit == "matmul" else vector_peak)(peaks, kind)
        if figure is None:
            raise _missing_peak(self, kind, unit, peaks)
        return figure

    def peak(self, dtype: str | DType, unit: str = "matmul") -> Expr:
        """The peak at a dtype in FLOP/s, as a sympy Rational or a symbol; see ``peak_figure``.

        >>> from symcost.hardware import chip
        >>> chip("a100").peak("bf16"), chip("C, W").peak("bf16")
        (312000000000000, C)
        """
        return self.peak_figure(dtype, unit).to_sympy()

    @property
    def channels(self) -> dict[str, Figure]:
        """One-way bandwidths in bytes/s: main memory, links, and caches that have one."""
        figures = {} if self.memory_bandwidth is None else {HBM: self.memory_bandwidth}
        figures.update((name, link.figure()) for name, link in self.links.items())
        for key, figure in self.caches.items():
            if key.endswith("_bandwidth"):
                figures[key.removesuffix("_bandwidth")] = figure
        return figures

    def bandwidth_figure(self, channel: str = HBM) -> Figure:
        """The one-way bandwidth of a channel with its source; its note says what it counts.

        >>> from symcost.hardware import chip
        >>> chip("h100").bandwidth_figure("nvlink").note
        'per GPU, all links'

        Args:
            channel: ``"hbm"`` (main memory of any kind), ``"nvlink"``, ``"pcie"``, ``"ici"``, ...

        Returns:
            The figure, bytes/s.

        Raises:
            MissingRuleError: the chip has no such channel; the message lists those it has.
        """
        channels = self.channels
        own = _own_key(channels, channel)
        if own is None:
            raise _missing_channel(self, channel, channels)
        return channels[own]

    def device_figure(self, channel: str) -> Figure:
        """What one device can send on a mesh axis, or move over any other channel.

        >>> from symcost.hardware import chip
        >>> chip("tpu-v5p").device_figure("ici[X]").to_sympy()
        180000000000
        >>> chip("h100").device_figure("infiniband").note
        'a device, of 8 that share it'

        Args:
            channel: ``"ici[X]"``, ``"ici(line)[X]"``, ``"nvlink"``, ``"infiniband"``, ...

        Returns:
            The figure; its note says which directions and devices it counts.

        Raises:
            MissingRuleError: the chip has no such link, or no figure for one axis of it.
        """
        name, network = axis_of(channel)
        if name not in self.links:
            return self.bandwidth_figure(name)
        return device_figure(self.links[name], name, network, self.title)

    def latency(self, channel: str) -> Expr:
        """Seconds that a hop on a link takes, as sympy; 0 where nothing is known of it.

        >>> from symcost.hardware import chip
        >>> chip("C, W, W_ici, t_hop=1 us").latency("ici[X]"), chip("h100").latency("nvlink")
        (1/1000000, 0)
        """
        from sympy import Integer

        link = self.links.get(axis_of(channel)[0])
        known = link.more.get("latency") if link else None
        return known.to_sympy() if known else Integer(0)

    def bandwidth(self, channel: str = HBM) -> Expr:
        """The one-way bandwidth in bytes/s, as a sympy Rational or a symbol.

        >>> from symcost.hardware import chip
        >>> chip("h100").bandwidth(), chip("C, W").bandwidth()
        (3350000000000, W)
        """
        return self.bandwidth_figure(channel).to_sympy()

    def critical_intensity(
        self, dtype: str | DType, channel: str = HBM, unit: str = "matmul"
    ) -> Expr:
        """The ridge point: peak over bandwidth, in FLOP/byte.

        >>> from symcost.hardware import chip
        >>> chip("h100").critical_intensity("bf16"), chip("C, W").critical_intensity("bf16")
        (19780/67, C/W)

        Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009.
        """
        return self.peak(dtype, unit) / self.bandwidth(channel)

    def capacity(self) -> Expr:
        """Bytes of main memory, by the preferred reading; ``capacities`` has them all.

        >>> from symcost.hardware import chip
        >>> chip("h100").capacity() == 80 * 2**30
        True
        """
        if not self.capacities:
            raise MissingRuleError(f"no memory capacity is known for {self.title}")
        return self.capacities[0].to_sympy()

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Every figure with its place (``"matmul.bf16"``, ``"links.nvlink.one_way"``).

        The year is left out: it is no figure that a formula uses.
        """
        for unit in UNITS:
            peaks = self.matmul if unit == "matmul" else self.vector
            yield from ((f"{unit}.{key}", figure) for key, figure in peaks.items())
        if self.memory_bandwidth is not None:
            yield "memory.bandwidth", self.memory_bandwidth
        yield from (("memory.capacity", figure) for figure in self.capacities)
        yield from ((f"cache.{key}", figure) for key, figure in self.caches.items())
        for name, link in self.links.items():
            yield f"links.{name}.one_way", link.one_way
            yield from ((f"links.{name}.{key}", figure) for key, figure in link.more.items())


def _own_key(table: Mapping[str, Figure], name: str) -> str | None:
    wanted = normal_form(name)
    return next((key for key in table if normal_form(key) == wanted and key != ANY), None)


def _missing_peak(
    chip: Datasheet, kind: DType, unit: str, peaks: Mapping[str, Figure]
) -> MissingRuleError:
    repair = f"known: {', '.join(peaks)}" if peaks else "none is known; a chip file can give one"
    if unit == "matmul" and kind.name in chip.not_supported:
        return MissingRuleError(f"{chip.title} does not support {kind} matmuls", repair=repair)
    if kind.is_symbolic:
        problem = f"the dtype {kind} is a symbol, which has no {unit} peak on {chip.title}"
        if kind.name == UNTYPED:
            problem = f"tensors without a dtype have no {unit} peak on {chip.title}"
        how = "write one, as in X: bf16[B, D], or add how it is computed, with compute=bf16"
        return MissingRuleError(problem, repair=f"{how}; {repair}")
    return MissingRuleError(f"no {unit} peak for {kind} is known for {chip.title}", repair=repair)


def _missing_channel(
    chip: Datasheet, channel: str, channels: Mapping[str, Figure]
) -> MissingRuleError:
    known = ", ".join(channels) or "none"
    how = f'; give one with "C=..., W_{channel}=..."' if channel.isidentifier() else ""
    return MissingRuleError(
        f"no bandwidth of channel {channel[:40]!r} is known for {chip.title}",
        repair=f"known: {known}{how}",
    )
