"""What a plot of a roofline shows, computed exactly: algorithms as points under the roofs of chips.

Source: S. Williams, A. Waterman, D. Patterson, Roofline, Communications of the ACM 52(4), 2009,
figure 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from sympy import Expr

from symcost.algebra.exact import exact
from symcost.algebra.reals import compare
from symcost.analysis.curves import Numbers, label_of, number, priced
from symcost.analysis.roofline import Roofline
from symcost.documents.drawings import Axis, Band, Curves, Series
from symcost.errors import InvalidValueError, UndecidedError
from symcost.hardware import Chip
from symcost.model.graph import ComputationGraph
from symcost.printing.numbers import decimal, quantity
from symcost.symbols import by_name


@dataclass(frozen=True, slots=True)
class Point:
    """One algorithm under the roofline: its intensity, FLOP/s at each bandwidth, and its roof."""

    label: str
    intensity: Expr
    attained: tuple[Expr, ...]
    unit: str
    dtype: str
    peak: Expr


def roofs(
    graphs: Mapping[str, ComputationGraph],
    chips: Sequence[Chip],
    *,
    bandwidths: Mapping[str, object],
    at: Sequence[Numbers] = (),
    dtype: str | None = None,
) -> Curves:
    """The rooflines of chips with algorithms as points; with one chip and peak, its regions."""
    series: list[Series] = []
    dots: list[Series] = []
    ridges: list[Expr] = []
    several = len(chips) > 1
    for chip in chips:
        lines = _bandwidths(chip, bandwidths)
        under = points(graphs, chip, lines.values(), at)
        unit, kind, peak = one_peak(under)
        if dtype is not None:
            kind, peak = dtype, chip.peak(dtype, unit)
        named = f"{chip.title}, " if several else ""
        ridges += [peak / width for width in lines.values()]
        series += [_roof(f"{named}{label}", width, peak) for label, width in lines.items()]
        dots += [_dot(point, named) for point in under]
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
    """
    widths = tuple(bandwidths)
    rooflines = {label: priced(graph, chip, label) for label, graph in graphs.items()}
    known = {s.name for roof in rooflines.values() for s in roof.symbols}
    by_name({name: None for values in at for name in values}, known)
    return tuple(
        _point(label, roof, widths, values)
        for label, roof in rooflines.items()
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
    others = [fixed.time(name) for name in fixed.names if name != "hbm"]
    attained = tuple(
        work / max([*others, moved / width], key=cmp_to_key(compare)) for width in widths
    )
    kinds = {str(t.port.dtype): None for t in fixed.times if t.port.name == unit}
    said = ", ".join(filter(None, (label, label_of(values))))
    return Point(said, work / moved, attained, unit, " and ".join(kinds), fixed.rate(unit))


def one_peak(dots: Sequence[Point]) -> tuple[str, str, Expr]:
    """The unit, dtype and peak under which all points lie.

    Raises:
        UndecidedError: they lie under several peaks, which one roof cannot show.
    """
    peaks = {(p.unit, p.peak): p for p in reversed(dots)}
    if len(peaks) > 1:
        parts = [f"{p.label} on the {p.unit} unit in {p.dtype}" for p in reversed(peaks.values())]
        raise UndecidedError(
            f"these programs lie under different peaks: {'; '.join(parts)}",
            repair="draw a plot for each peak",
        )
    first = dots[0]
    return first.unit, first.dtype, first.peak
