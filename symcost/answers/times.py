"""The times of a program along a symbol, such as the number of chips, and where they cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sympy import Expr, Integer, Symbol

from symcost.algebra import Maximum
from symcost.algebra.exact import exact
from symcost.algebra.reals import compare
from symcost.analysis import curves
from symcost.analysis.numeric.function import function
from symcost.analysis.regimes.breakpoints import breakpoints
from symcost.analysis.roofline import Roofline, roofline
from symcost.answers.measures import time_name
from symcost.documents.drawings import Axis, Curves, Series
from symcost.errors import InvalidValueError, UndecidedError
from symcost.hardware import Chip
from symcost.model.graph import ComputationGraph
from symcost.printing.numbers import decimal
from symcost.render.pictures import drawn
from symcost.symbols import is_dim

if TYPE_CHECKING:
    from symcost.render.figure import Figure

Numbers = Mapping[str, object]
Crossing = tuple[Expr, str]  # from where on, and what is the longest there
MOST = 10_000  # integers that are tried one by one
NEAR = 1e-9  # of two times, relative: they are compared exactly


def plot_times(
    graph: ComputationGraph,
    chip: Chip | str,
    symbol: str,
    span: tuple[object, object],
    at: Numbers | Sequence[Numbers] = (),
    *,
    log: bool | None = None,
) -> Figure:
    """T_math and T_comms against a swept symbol, with the values from which each is the longest.

    >>> import symcost as sc
    >>> layer = sc.parse("mesh X; A: bf16[I_X, J] @ B: bf16[J_X, K] -> C: bf16[I_X, K]")
    >>> sizes = {"I": 65536, "J": 8192, "K": 8192}
    >>> figure = sc.plot_times(layer, "tpu-v5p", "X", (2, 256), sizes)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['T_math: the longest up to X = 26.70', 'T_hbm', 'T_ici_X: the longest from X = 26.70']

    Args:
        graph: the program.
        chip: a chip with numbers, its name, or that of a cluster.
        symbol: name of the swept symbol, for instance of a mesh axis.
        span: its first and last value.
        at: numbers for the other symbols; of several mappings, each gives its own curves.
        log: a logarithmic axis across; by default over a range of more than 1 to 1000.

    Returns:
        A matplotlib figure; each crossing is marked, computed exactly.

    Raises:
        InvalidValueError: the range is a single value, the symbol does not occur, or a number
            is missing or too large to draw.
    """
    ends = [exact(end) for end in span]
    sets = [at] if isinstance(at, Mapping) else list(at)
    return drawn(times(graph, [chip], symbol, ends, sets, log=log))


def times(
    graph: ComputationGraph,
    chips: Sequence[Chip | str],
    symbol: str,
    values: Sequence[Expr],
    at: Sequence[Numbers],
    *,
    log: bool | None = None,
) -> Curves:
    """The times of every unit and channel: curves for each chip and each set of numbers."""
    grid, wide = curves.sweep_grid(symbol, values, log)
    roofs = [roofline(graph, chip) for chip in chips]
    series: list[Series] = []
    for roof in roofs:
        for numbers in list(at) or [{}]:
            named = [roof.chip.title] if len(roofs) > 1 else []
            named += [curves.label_of(numbers)] if len(at) > 1 else []
            swept = curves.along(roof, symbol, dict(numbers))
            series += _series(*swept, grid, values, named)
    title = "Times" if len(roofs) > 1 else f"Times on {roofs[0].chip.title}"
    across = Axis(symbol, span=(grid[0], grid[-1]), log=wide)
    return Curves(title, across, Axis("time", "s", log=True), tuple(series))


def _series(
    roof: Roofline, symbol: Symbol, grid: list[float], values: Sequence[Expr], named: list[str]
) -> list[Series]:
    import numpy as np

    if is_dim(symbol) and len(grid) > len(values):  # floors are for whole sizes
        grid = sorted({min(max(round(x), grid[0]), grid[-1]) for x in grid})
    names = roof.names
    seconds = {name: roof.time(name) for name in names}
    longest = longest_times(seconds, symbol, values[0], values[-1])
    made = []
    for name in names:
        time = function(seconds[name], [symbol])
        points = np.broadcast_to(time(np.array(grid)), len(grid))
        starts = [start for start, winner in longest[1:] if winner == name]
        mark = (curves.number(starts[0]), float(time(float(starts[0])))) if starts else None
        said = _said(name, symbol, longest)
        label = ": ".join(filter(None, (*named, time_name(roof, name), said)))
        drawn_at = tuple((x, float(y)) for x, y in zip(grid, points, strict=True))
        made.append(Series(label, drawn_at, mark=mark))
    return made


def _said(name: str, symbol: Symbol, longest: Sequence[Crossing]) -> str:
    """In which parts of the sweep a time is the longest."""
    if len(longest) == 1:
        return "the longest throughout" if longest[0][1] == name else ""
    ends = [start for start, _ in longest[1:]]
    parts = []
    for number, (start, winner) in enumerate(longest):
        if winner == name:
            low = f"from {symbol} = {decimal(start)}" if number else ""
            high = f"up to {symbol} = {decimal(ends[number])}" if number < len(ends) else ""
            parts.append(" ".join(filter(None, (low, high))))
    return f"the longest {', '.join(parts)}" if parts else ""


def longest_times(
    seconds: Mapping[str, Expr], symbol: Symbol, low: Expr, high: Expr
) -> list[Crossing]:
    """From where on which time is the longest: exactly, else integer by integer."""
    of = {value: name for name, value in reversed(list(seconds.items()))}
    value = Maximum(*of)
    if not value.has(symbol) or len(of) == 1 or not isinstance(value, Maximum):
        return [(low, of[value])]
    try:
        points = breakpoints(value, symbol, low, high)
    except UndecidedError:
        return _by_integers(of, symbol, low, high)
    return _joined([(each.low, of[each.winner]) for each in points.stretches])


def _by_integers(of: Mapping[Expr, str], symbol: Symbol, low: Expr, high: Expr) -> list[Crossing]:
    import numpy as np

    first, last = int(-(-low // 1)), int(high // 1)
    if last - first > MOST:
        raise InvalidValueError(
            f"more than {MOST:,} values of {symbol} are to be compared", repair="sweep fewer"
        )
    places = np.arange(first, last + 1)
    values = [np.broadcast_to(function(e, [symbol])(places), places.shape) for e in of]
    second, longest = np.sort(values, axis=0)[-2:]
    told = second < longest * (1 - NEAR)  # floats do not tell what is nearer
    ahead = (
        int(w) if far else None for w, far in zip(np.argmax(values, axis=0), told, strict=True)
    )
    crossings = []
    for place, winner in zip(map(Integer, places.tolist()), ahead, strict=True):
        at_place = _first_of(of, {symbol: place}) if winner is None else [*of.values()][winner]
        crossings.append((place, at_place))
    return _joined(crossings)


def _first_of(of: Mapping[Expr, str], at: Mapping[Symbol, Expr]) -> str:
    """The name of the largest expression at a number, the first of equal ones."""
    best, *others = of
    for each in others:
        if compare(each.xreplace(dict(at)), best.xreplace(dict(at))) > 0:
            best = each
    return of[best]


def _joined(crossings: list[Crossing]) -> list[Crossing]:
    """Neighbours with the same winner as one."""
    later = [b for a, b in pairwise(crossings) if a[1] != b[1]]
    return [*crossings[:1], *later]
