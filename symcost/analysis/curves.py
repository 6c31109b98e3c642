"""What the plots show, computed exactly: throughput along a symbol, points under a roofline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import as_ratio
from symcost.algebra.relation import Relation
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.errors import InvalidValueError, UndecidedError
from symcost.hardware import Chip


@dataclass(frozen=True, slots=True)
class Curve:
    """FLOP/s along a symbol with numbers for all others, and where it meets the roof."""

    label: str
    symbol: Symbol
    throughput: Expr
    peak: Expr
    unit: str
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
    """One algorithm under the roofline: its intensity, FLOP/s at each bandwidth, and its roof."""

    label: str
    intensity: Expr
    attained: tuple[Expr, ...]
    unit: str
    dtype: str
    peak: Expr


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
    symbols = _symbols(roof)
    _check_curve(name, set(symbols), set(values))
    fixed = roof.at(values) if values else roof
    symbol = symbols[name]
    channel = _slowest_memory(fixed)
    unit = fixed.units[0]
    peak = next(t.rate for t in fixed.times if t.port.name == unit)
    relation = Relation(fixed.time(unit), ">=", fixed.time(channel))
    work = fixed.work(unit)
    throughput = (as_ratio(work) / as_ratio(fixed.lower)).to_sympy()
    label = _label(values)
    return Curve(label, symbol, throughput, peak, unit, solved(relation, symbol))


def _symbols(roof: Roofline) -> dict[str, Symbol]:
    return {s.name: s for t in roof.times for s in t.seconds.free_symbols}


def _check_curve(name: str, symbols: set[str], given: set[str]) -> None:
    """The swept symbol occurs, has no number as well, and every other symbol has one."""
    if name not in symbols:
        raise _absent([name], symbols)
    if name in given:
        raise InvalidValueError(
            f"{name} is swept and has a number as well", repair=f"leave {name} out of the numbers"
        )
    missing = sorted(symbols - given - {name})
    if missing:
        raise InvalidValueError(
            f"a curve along {name} needs a number for {', '.join(missing)}",
            repair=f"give them, for example at {missing[0]}=1024",
        )


def _absent(names: Iterable[str], symbols: Iterable[str]) -> InvalidValueError:
    found = list(names)
    verb = "does not occur here" if len(found) == 1 else "do not occur here"
    return InvalidValueError(
        f"{', '.join(found)} {verb}",
        repair=f"the symbols are {', '.join(sorted(symbols)) or 'none'}",
    )


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
    graphs: Mapping[str, Any],
    chip: Chip,
    bandwidths: Iterable[Expr],
    at: Sequence[Mapping[str, Any]] = (),
) -> tuple[Point, ...]:
    """Algorithms under a roofline: the smaller of peak and bandwidth times intensity.

    Args:
        graphs: programs by label.
        chip: a chip with numbers.
        bandwidths: bandwidths in bytes/s.
        at: numbers for the symbols; a point for each program and each set with one of its symbols.

    Returns:
        The points, labelled with their numbers.

    Raises:
        InvalidValueError: a number is missing, or one is for no symbol of any program.

    Source: Williams, Waterman, Patterson (2009), figure 1.
    """
    widths = tuple(bandwidths)
    roofs = {label: roofline(graph, chip) for label, graph in graphs.items()}
    known = {name for roof in roofs.values() for name in _symbols(roof)}
    unknown = sorted({name for values in at for name in values} - known)
    if unknown:
        raise _absent(unknown, known)
    return tuple(
        _point(label, roof, widths, values)
        for label, roof in roofs.items()
        for values in _numbers_of(roof, at)
    )


def _numbers_of(roof: Roofline, at: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The sets of numbers that are for symbols of this program, without repetition."""
    names = _symbols(roof)
    found: list[dict[str, Any]] = []
    for values in at:
        own = {name: value for name, value in values.items() if name in names}
        if own and own not in found:
            found.append(own)
    return found or [{}]


def _point(label: str, roof: Roofline, widths: Sequence[Expr], values: dict[str, Any]) -> Point:
    _check_point(label, roof)
    fixed = roof.at(values)
    intensity = fixed.intensity("hbm")
    if not intensity.is_number:
        missing = ", ".join(sorted(s.name for s in intensity.free_symbols))
        raise InvalidValueError(
            f"a point needs a number for {missing}", repair="give all its numbers in one --at"
        )
    busy = next(t for t in fixed.times if t.port.name == fixed.units[0])
    attained = tuple(min(busy.rate, width * intensity) for width in widths)
    said = ", ".join(filter(None, (label, _label(values))))
    return Point(said, intensity, attained, busy.port.name, str(busy.port.dtype), busy.rate)


def _check_point(label: str, roof: Roofline) -> None:
    """A point has arithmetic at one rate, and bytes of main memory."""
    if not roof.units:
        raise InvalidValueError(
            "; ".join(roof.unknown) or f"{label} has no arithmetic",
            repair="a point under a roofline needs FLOPs and a peak",
        )
    if "hbm" not in roof.channels:
        raise InvalidValueError(
            f"{label} moves no bytes of hbm", repair="a point under a roofline needs some"
        )
    unit = roof.units[0]
    if len({t.rate for t in roof.times if t.port.name == unit}) > 1:
        raise UndecidedError(
            f"{label} runs at several peaks of the {unit} unit",
            repair="a point lies under one peak; draw its parts one by one",
        )


def one_peak(found: Sequence[Point]) -> tuple[str, str, Expr]:
    """The unit, dtype and peak under which all points lie.

    Raises:
        UndecidedError: they lie under several peaks, which one roof cannot show.
    """
    peaks = {(p.unit, p.peak): p for p in reversed(found)}
    if len(peaks) > 1:
        parts = [f"{p.label} on the {p.unit} unit in {p.dtype}" for p in reversed(peaks.values())]
        raise UndecidedError(
            f"these programs lie under different peaks: {'; '.join(parts)}",
            repair="draw a plot for each peak",
        )
    first = found[0]
    return first.unit, first.dtype, first.peak
