"""What a plot of throughput shows, computed exactly: FLOP/s along a symbol, up to the roof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra import Maximum, as_ratio
from symcost.algebra.reals import compare
from symcost.algebra.relation import Relation
from symcost.analysis.numeric.function import function
from symcost.analysis.roofline import Roofline, roofline
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.analysis.values import check_open
from symcost.documents.drawings import Axis, Curves, Series
from symcost.errors import InvalidValueError, UndecidedError
from symcost.hardware import Chip
from symcost.model.graph import ComputationGraph
from symcost.printing.numbers import decimal, quantity
from symcost.symbols import by_name

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
    grid, wide = sweep_grid(symbol, values, log)
    series: list[Series] = []
    for chip in chips:
        curves = throughput_curves(graph, chip, symbol, at)
        named = f"{chip.title}: " if len(chips) > 1 else ""
        series += [_drawn(curve, named, grid, (values[0], values[-1])) for curve in curves]
        for unit, peak in dict.fromkeys((curve.unit, curve.peak) for curve in curves):
            label = (
                f"{named}{'' if unit == 'matmul' else unit + ' '}peak {quantity(peak, 'FLOP/s')}"
            )
            level = number(peak)
            series.append(Series(label, ((grid[0], level), (grid[-1], level)), "roof"))
    title = "Throughput" if len(chips) > 1 else f"Throughput on {chips[0].title}"
    across = Axis(symbol, span=(grid[0], grid[-1]), log=wide)
    return Curves(title, across, Axis("throughput", "FLOP/s"), tuple(series))


def sweep_grid(symbol: str, values: Sequence[Expr], log: bool | None) -> tuple[list[float], bool]:
    """Where curves are computed, and whether the axis across is logarithmic."""
    low, high = values[0], values[-1]
    if compare(low, high) >= 0:
        raise InvalidValueError(
            f"{symbol} runs from {low} to {high}, which is no range to draw",
            repair="give a larger last value, for example 512",
        )
    wide = compare(high, WIDE * low) > 0 if log is None else log
    return _grid(values, wide), wide


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
    roof = priced(graph, chip)
    return tuple(_curve(roof, symbol, dict(values)) for values in list(at) or [{}])


def priced(graph: ComputationGraph, chip: Chip, label: str = "the program") -> Roofline:
    """The times of a program with arithmetic, on a chip whose rates are numbers."""
    roof = roofline(graph, chip)
    if not roof.units:
        raise InvalidValueError(
            "; ".join(roof.unknown) or f"{label} has no arithmetic",
            repair="a point under a roofline needs FLOPs and a peak",
        )
    _check_rates(roof)
    return roof


def _check_rates(roof: Roofline) -> None:
    """Refuse to draw what has a symbol for a rate."""
    rates = sorted({s.name for t in roof.times for s in t.rate.free_symbols})
    if rates:
        raise InvalidValueError(
            f"{', '.join(rates)} of the chip {'has' if len(rates) == 1 else 'have'} no number",
            repair=f'give them, for example "{", ".join(f"{name}=1e12" for name in rates)}"',
        )


def along(roof: Roofline, name: str, values: dict[str, object]) -> tuple[Roofline, Symbol]:
    """The times with numbers for all symbols but the swept one, and that symbol."""
    _check_rates(roof)
    symbols = {s.name: s for s in roof.symbols}
    _check_curve(name, symbols, values)
    return (roof.at(values) if values else roof), symbols[name]


def _curve(roof: Roofline, name: str, values: dict[str, object]) -> Curve:
    fixed, symbol = along(roof, name, values)
    unit = fixed.units[0]
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
    return Curve(label_of(values), symbol, attained, peak, unit, rule)


def _check_curve(name: str, symbols: Iterable[str], given: Iterable[str]) -> None:
    """The swept symbol occurs, has no number as well, and every other symbol has one."""
    by_name({name: None}, symbols)
    check_open(name, given)
    missing = sorted({*symbols} - {*given, name})
    if missing:
        raise InvalidValueError(
            f"a curve along {name} needs a number for {', '.join(missing)}",
            repair=f"give them, for example at {missing[0]}=1024",
        )


def label_of(values: Numbers) -> str:
    """The numbers of a curve, equal ones together: ``D = F = 1024``."""
    names: dict[object, list[str]] = {}
    for name, value in values.items():
        names.setdefault(value, []).append(name)
    return ", ".join(f"{' = '.join(each)} = {_size(value)}" for value, each in names.items())


def _size(value: object) -> str:
    return decimal(value) if isinstance(value, int | Fraction | float) else str(value)


def number(value: Expr) -> float:
    """A number of a size that can be drawn."""
    if not -DRAWN <= value <= DRAWN:
        raise InvalidValueError(
            f"{decimal(value)} is too large to draw", repair="give smaller numbers"
        )
    return float(value)
