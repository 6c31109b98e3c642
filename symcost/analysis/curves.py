"""What the plots show, computed exactly: throughput along a symbol, points under a roofline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key

from sympy import Expr, Symbol

from symcost.algebra import Maximum, as_ratio
from symcost.algebra.exact import exact
from symcost.algebra.reals import compare
from symcost.algebra.relation import Relation
from symcost.analysis.numeric.function import function
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.documents.drawings import Axis, Band, Curves, Series
from symcost.errors import InvalidValueError, UndecidedError
from symcost.hardware import Chip
from symcost.model.graph import ComputationGraph
from symcost.printing.numbers import decimal, quantity

SAMPLES = 600  # of a curve without a step
WIDE = 1000  # a range whose ends differ by more gets a logarithmic axis
MAX_STEPS = 100_000
DRAWN = 10**100  # the largest number that is drawn

Numbers = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Curve:
    """FLOP/s along a symbol with numbers for all others, and where it meets the roof."""

    label: str
    symbol: Symbol
    throughput: Expr
    peak: Expr
    unit: str
    rule: Threshold | None

    def meets(self, start: Expr, stop: Expr) -> Expr | None:
        """The value of the symbol from which the peak is reached, if it lies in the range."""
        if self.rule is None or self.rule.is_always:
            return start
        bound = self.rule.bound
        if bound is None or not bound.is_number or self.rule.relation not in (">", ">="):
            return None
        return bound if compare(bound, start) >= 0 >= compare(bound, stop) else None


@dataclass(frozen=True, slots=True)
class Point:
    """One algorithm under the roofline: its intensity, FLOP/s at each bandwidth, and its roof."""

    label: str
    intensity: Expr
    attained: tuple[Expr, ...]
    unit: str
    dtype: str
    peak: Expr


# -- throughput -------------------------------------------------------------------------


def throughput(
    graph: ComputationGraph,
    chips: Sequence[Chip],
    symbol: str,
    values: Sequence[Expr],
    at: Sequence[Numbers],
    *,
    log: bool | None = None,
) -> Curves:
    """FLOP/s against a swept symbol: a curve for each chip and each set of numbers.

    Args:
        graph: the program.
        chips: chips with numbers for their rates.
        symbol: name of the swept symbol.
        values: its first and last value, or every value at which the curves are computed.
        at: numbers for all other symbols, one mapping for each curve.
        log: a logarithmic axis across; by default over a range of more than 1 to 1000.
    """
    low, high = values[0], values[-1]
    if compare(low, high) >= 0:
        raise InvalidValueError(
            f"{symbol} runs from {low} to {high}, which is no range to draw",
            repair="give a larger last value, for example 512",
        )
    wide = compare(high, WIDE * low) > 0 if log is None else log
    grid = _grid(values, wide)
    series: list[Series] = []
    for chip in chips:
        curves = throughput_curves(graph, chip, symbol, at)
        named = f"{chip.title}: " if len(chips) > 1 else ""
        series += [_drawn(curve, named, grid, (low, high)) for curve in curves]
        for unit, peak in dict.fromkeys((curve.unit, curve.peak) for curve in curves):
            label = f"{named}{_peak_name(unit)} {quantity(peak, 'FLOP/s')}"
            level = number(peak)
            series.append(Series(label, ((grid[0], level), (grid[-1], level)), "roof"))
    title = "Throughput" if len(chips) > 1 else f"Throughput on {chips[0].title}"
    across = Axis(symbol, span=(grid[0], grid[-1]), log=wide)
    return Curves(title, across, Axis("throughput", "FLOP/s"), tuple(series))


def _grid(values: Sequence[Expr], log: bool) -> list[float]:
    import numpy as np

    places = [number(value) for value in values]
    if len(places) > 2:
        return places
    spaced = np.geomspace if log else np.linspace
    return [float(value) for value in spaced(places[0], places[1], SAMPLES)]


def steps(start: Expr, stop: Expr, step: Expr | None) -> list[Expr]:
    """The values of a sweep: both ends, or with a step all on the way, the last one included."""
    if step is None:
        return [start, stop]
    count = int((stop - start) // step)
    if count > MAX_STEPS:
        raise InvalidValueError(
            f"a sweep of more than {MAX_STEPS:,} steps", repair="give a larger step"
        )
    values = [start + index * step for index in range(count + 1)]
    return values if values[-1] == stop else [*values, stop]


def _drawn(curve: Curve, named: str, grid: list[float], ends: tuple[Expr, Expr]) -> Series:
    import numpy as np

    values = function(curve.throughput, [curve.symbol])(np.array(grid))
    meets, mark = curve.meets(*ends), None
    if meets is not None:
        said = f"roof at {curve.symbol} = {decimal(meets)}"
        mark = (number(meets), number(curve.peak))
    elif curve.rule is not None and curve.rule.is_never:
        said = "never meets the roof"
    else:
        said = "not within this range"
    label = named + ": ".join(filter(None, (curve.label, said)))
    rates = np.broadcast_to(values, len(grid))
    points = tuple((x, float(y)) for x, y in zip(grid, rates, strict=True))
    return Series(label, points, mark=mark)


def throughput_curves(
    graph: ComputationGraph, chip: Chip, symbol: str, at: Iterable[Numbers]
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
    roof = _priced(graph, chip)
    return tuple(_curve(roof, symbol, dict(values)) for values in list(at) or [{}])


def _priced(graph: ComputationGraph, chip: Chip, label: str = "the program") -> Roofline:
    """The times of a program with arithmetic, on a chip whose rates are numbers."""
    roof = roofline(graph, chip)
    if not roof.units:
        raise InvalidValueError(
            "; ".join(roof.unknown) or f"{label} has no arithmetic",
            repair="a point under a roofline needs FLOPs and a peak",
        )
    rates = sorted({s.name for t in roof.times for s in t.rate.free_symbols})
    if rates:
        raise InvalidValueError(
            f"{', '.join(rates)} of the chip {'has' if len(rates) == 1 else 'have'} no number",
            repair=f'give them, for example "{", ".join(f"{name}=1e12" for name in rates)}"',
        )
    return roof


def _curve(roof: Roofline, name: str, values: dict[str, object]) -> Curve:
    symbols = {s.name: s for s in roof.symbols}
    _check_curve(name, set(symbols), set(values))
    fixed = roof.at(values) if values else roof
    symbol, unit = symbols[name], fixed.units[0]
    others = [fixed.time(each) for each in (*fixed.units[1:], *fixed.channels)]
    relation = Relation(fixed.time(unit), ">=", Maximum(*others)) if others else None
    work, peak = fixed.work(unit), fixed.rate(unit)
    attained = (as_ratio(work) / as_ratio(fixed.lower)).to_sympy()
    if not peak.is_number:
        raise UndecidedError(
            f"the {unit} unit runs at several rates, whose mixture changes with {name}",
            repair="draw the operations one by one",
        )
    rule = None if relation is None else solved(relation, symbol)
    return Curve(_label(values), symbol, attained, peak, unit, rule)


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
    listed = list(names)
    verb = "does not occur here" if len(listed) == 1 else "do not occur here"
    return InvalidValueError(
        f"{', '.join(listed)} {verb}",
        repair=f"the symbols are {', '.join(sorted(symbols)) or 'none'}",
    )


def _label(values: Numbers) -> str:
    """The numbers of a curve, equal ones together: ``D = F = 1024``."""
    names: dict[object, list[str]] = {}
    for name, value in values.items():
        names.setdefault(value, []).append(name)
    return ", ".join(f"{' = '.join(each)} = {_size(value)}" for value, each in names.items())


def _size(value: object) -> str:
    return decimal(value) if isinstance(value, int | Fraction | float) else str(value)


def _peak_name(unit: str) -> str:
    return "peak" if unit == "matmul" else f"{unit} peak"


def number(value: Expr) -> float:
    """A number of a size that can be drawn."""
    if not -DRAWN <= value <= DRAWN:
        raise InvalidValueError(
            f"{decimal(value)} is too large to draw", repair="give smaller numbers"
        )
    return float(value)


# -- roofline ---------------------------------------------------------------------------


def roofs(
    graphs: Mapping[str, ComputationGraph],
    chips: Sequence[Chip],
    *,
    bandwidths: Mapping[str, object],
    at: Sequence[Numbers] = (),
    dtype: str | None = None,
) -> Curves:
    """The rooflines of chips with algorithms as points; with one chip and peak, its regions.

    Source: Williams, Waterman, Patterson (2009), figure 1.
    """
    series: list[Series] = []
    dots: list[Series] = []
    ridges: list[Expr] = []
    several = len(chips) > 1
    for chip in chips:
        lines = _bandwidths(chip, bandwidths)
        found = points(graphs, chip, lines.values(), at)
        unit, kind, peak = one_peak(found)
        if dtype is not None:
            kind, peak = dtype, chip.peak(dtype, unit)
        named = f"{chip.title}, " if several else ""
        ridges += [peak / width for width in lines.values()]
        series += [_roof(f"{named}{label}", width, peak) for label, width in lines.items()]
        dots += [_dot(point, named) for point in found]
    across = sorted([*(dot.points[0][0] for dot in dots), *map(number, ridges)])
    left, right = across[0] / 8, across[-1] * 8
    series = [_from(each, left, right) for each in series]
    places = sorted({number(ridge): decimal(ridge) for ridge in ridges}.items())
    edges = [left, places[0][0], places[-1][0], right]
    names = ("memory-bound", "depends on bandwidth", "compute-bound")
    bands = [Band(n, a, b) for n, a, b in zip(names, edges, edges[1:], strict=False) if a < b]
    title = f"Roofline of {', '.join(chip.title for chip in chips)}, {unit} {kind}"
    return Curves(
        title,
        Axis("arithmetic intensity", "FLOP/byte", (left, right), log=True),
        Axis("throughput", "FLOP/s", log=True),
        (*series, *dots),
        () if several else tuple(bands),
        tuple(places),
    )


def _bandwidths(chip: Chip, given: Mapping[str, object]) -> dict[str, Expr]:
    """The bandwidth of main memory and those given; one called hbm replaces it."""
    lines = {label: exact(value) for label, value in given.items()}
    if any(label.lower() == "hbm" for label in lines):
        return lines
    return {"hbm": chip.bandwidth("hbm"), **lines}


def _roof(label: str, width: Expr, peak: Expr) -> Series:
    ridge = peak / width
    text = f"{label}: {quantity(width, 'byte/s')}, critical intensity {decimal(ridge)}"
    return Series(text, ((number(ridge), number(peak)),), "roof")


def _from(roof: Series, left: float, right: float) -> Series:
    """A roof from one end of the axis over its corner to the other."""
    ((ridge, peak),) = roof.points
    return Series(roof.label, ((left, peak * left / ridge), (ridge, peak), (right, peak)), "roof")


def _dot(point: Point, named: str) -> Series:
    x = number(point.intensity)
    label = f"{named}{point.label}: {decimal(point.intensity)} FLOP/byte"
    rates = sorted({number(value) for value in point.attained})
    return Series(label, tuple((x, rate) for rate in rates), "points")


def points(
    graphs: Mapping[str, ComputationGraph],
    chip: Chip,
    bandwidths: Iterable[Expr],
    at: Sequence[Numbers] = (),
) -> tuple[Point, ...]:
    """Algorithms under a roofline: the FLOP/s of the main unit at each bandwidth of main memory.

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
    priced = {label: _priced(graph, chip, label) for label, graph in graphs.items()}
    known = {s.name for roof in priced.values() for s in roof.symbols}
    unknown = sorted({name for values in at for name in values} - known)
    if unknown:
        raise _absent(unknown, known)
    return tuple(
        _point(label, roof, widths, values)
        for label, roof in priced.items()
        for values in _numbers_of(roof, at)
    )


def _numbers_of(roof: Roofline, at: Sequence[Numbers]) -> list[dict[str, object]]:
    """The sets of numbers that are for symbols of this program, without repetition."""
    names = {s.name for s in roof.symbols}
    listed: list[dict[str, object]] = []
    for values in at:
        own = {name: value for name, value in values.items() if name in names}
        if own and own not in listed:
            listed.append(own)
    return listed or [{}]


def _point(label: str, roof: Roofline, widths: Sequence[Expr], values: Numbers) -> Point:
    if "hbm" not in roof.channels:
        raise InvalidValueError(
            f"{label} moves no bytes of hbm", repair="a point under a roofline needs some"
        )
    fixed = roof.at(dict(values))
    unit = fixed.units[0]
    missing = ", ".join(sorted(s.name for s in fixed.symbols))
    if missing:
        raise InvalidValueError(
            f"a point needs a number for {missing}", repair="give all its numbers in one --at"
        )
    work, moved = fixed.work(unit), fixed.work("hbm")
    others = [fixed.time(name) for name in (*fixed.units, *fixed.channels) if name != "hbm"]
    attained = tuple(
        work / max([*others, moved / width], key=cmp_to_key(compare)) for width in widths
    )
    kinds = {str(t.port.dtype): None for t in fixed.times if t.port.name == unit}
    said = ", ".join(filter(None, (label, _label(values))))
    return Point(said, work / moved, attained, unit, " and ".join(kinds), fixed.rate(unit))


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
