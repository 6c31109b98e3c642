"""What the plots show, computed exactly: throughput along a symbol, points under a roofline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import as_ratio
from symcost.algebra.relation import Relation
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.thresholds.threshold import Threshold, threshold
from symcost.errors import InvalidValueError, UndecidedError
from symcost.hardware import Chip


@dataclass(frozen=True, slots=True)
class Curve:
    """FLOP/s along a symbol with numbers for all others, and where it meets the roof."""

    label: str
    symbol: Symbol
    throughput: Expr
    peak: Expr
    rule: Threshold

    def meets(self, start: Expr, stop: Expr) -> Expr | None:
        """The value of the symbol from which the peak is reached, if it lies in the range."""
        if self.rule.is_always:
            return start
        bound = self.rule.bound
        inside = bound is not None and bound.is_number and start <= bound <= stop
        return bound if inside and self.rule.relation in (">", ">=") else None


@dataclass(frozen=True, slots=True)
class Point:
    """One algorithm under the roofline: its intensity, and FLOP/s at each bandwidth."""

    label: str
    intensity: Expr
    attained: tuple[Expr, ...]


def throughput_curves(
    graph: Any, chip: Chip, symbol: str, at: Iterable[Mapping[str, Any]]
) -> tuple[Curve, ...]:
    """A curve for each set of numbers in ``at``.

    Args:
        graph: the program.
        chip: a chip with numbers for its rates.
        symbol: name of the swept symbol.
        at: numbers for all other symbols, one mapping for each curve.

    Returns:
        The curves, with the exact point at which each meets the roof.

    Raises:
        InvalidValueError: the symbol does not occur, or a number is missing.
    """
    roof = roofline(graph, chip)
    return tuple(_curve(roof, symbol, dict(values)) for values in list(at) or [{}])


def _curve(roof: Roofline, name: str, values: dict[str, Any]) -> Curve:
    fixed = roof.at(values) if values else roof
    symbols = {s.name: s for t in fixed.times for s in t.seconds.free_symbols}
    missing = sorted(set(symbols) - {name})
    if name not in symbols or missing:
        raise InvalidValueError(
            f"a curve along {name} needs a number for {', '.join(missing) or name}",
            repair=f"give them, for example at {missing[0] if missing else name}=1024",
        )
    symbol = symbols[name]
    channel = _slowest_memory(fixed)
    unit = fixed.units[0]
    peak = next(t.rate for t in fixed.times if t.port.name == unit)
    relation = Relation(fixed.time(unit), ">=", fixed.time(channel))
    work = fixed.work(unit)
    throughput = (as_ratio(work) / as_ratio(fixed.lower)).to_sympy()
    label = _label(values)
    return Curve(label, symbol, throughput, peak, threshold(relation, symbol))


def _label(values: Mapping[str, Any]) -> str:
    """The numbers of a curve, equal ones together: ``D = F = 1024``."""
    names: dict[Any, list[str]] = {}
    for name, value in values.items():
        names.setdefault(value, []).append(name)
    return ", ".join(f"{' = '.join(each)} = {value}" for value, each in names.items())


def _slowest_memory(roof: Roofline) -> str:
    if len(roof.channels) != 1 or len(roof.units) != 1:
        raise UndecidedError(
            f"this program uses {', '.join((*roof.units, *roof.channels))}",
            repair="a throughput curve compares one unit with one channel",
        )
    return roof.channels[0]


def points(
    graphs: Mapping[str, Any], chip: Chip, bandwidths: Iterable[Expr], at: Mapping[str, Any]
) -> tuple[Point, ...]:
    """Algorithms under a roofline: the smaller of peak and bandwidth times intensity.

    Source: Williams, Waterman, Patterson (2009), figure 1.
    """
    found = []
    widths = tuple(bandwidths)
    for label, graph in graphs.items():
        roof = roofline(graph, chip)
        names = {s.name for t in roof.times for s in t.seconds.free_symbols}
        fixed = roof.at({name: value for name, value in at.items() if name in names})
        intensity = fixed.intensity("hbm")
        if not intensity.is_number:
            missing = ", ".join(sorted(s.name for s in intensity.free_symbols))
            raise InvalidValueError(f"a point needs a number for {missing}", repair="use --at")
        peak = next(t.rate for t in fixed.times if t.port.name == fixed.units[0])
        attained = tuple(min(peak, width * intensity) for width in widths)
        found.append(Point(label, intensity, attained))
    return tuple(found)
