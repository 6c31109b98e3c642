"""The map of regimes over two symbols: a region for each winner, labelled, and its borders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symcost.analysis.numeric.function import function
from symcost.analysis.regimes.regime_map import MapBorder, RegimeMap
from symcost.printing.latex import relation_latex, to_latex

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLES = 500  # along each axis
COLOURS = ("#9ecae1", "#fdd0a2", "#a1d99b", "#dadaeb", "#fcbba1", "#d9d9d9", "#c7e9b4", "#fde0dd")


def plot_regimes(found: RegimeMap, x_span: tuple[Any, Any], y_span: tuple[Any, Any]) -> Figure:
    """Draw which part is the largest over two symbols, on logarithmic axes.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> figure = sc.plot_regimes(sc.regime_map(B**2 + B * D, B, D), (1, 100), (1, 100))
    >>> figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()
    ('B', 'D')

    Args:
        found: the map, with numbers for all other symbols.
        x_span: first and last value of the horizontal symbol.
        y_span: first and last value of the vertical symbol.

    Returns:
        A matplotlib figure; each region carries its winner, each border its equation.
    """
    import numpy as np
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure

    xs = np.geomspace(float(x_span[0]), float(x_span[1]), SAMPLES)
    ys = np.geomspace(float(y_span[0]), float(y_span[1]), SAMPLES)
    winners = _winners(found, xs, ys)
    figure = Figure(figsize=(8, 6), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    colours = ListedColormap([COLOURS[i % len(COLOURS)] for i in range(len(found.winners))])
    axes.pcolormesh(
        xs, ys, winners, cmap=colours, vmin=-0.5, vmax=len(found.winners) - 0.5, shading="nearest"
    )
    axes.set(xscale="log", yscale="log", xlabel=found.x.name, ylabel=found.y.name)
    for index, winner in enumerate(found.winners):
        _label(axes, winners == index, xs, ys, f"${to_latex(winner)}$")
    for border in found.borders:
        _draw_border(axes, found, border, xs, ys)
    axes.set(xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    if found.borders and axes.get_legend_handles_labels()[1]:
        axes.legend(loc="upper left", framealpha=0.9)
    axes.set_title(f"The largest part over {found.x.name} and {found.y.name}", loc="left")
    return figure


def _winners(found: RegimeMap, xs: Any, ys: Any) -> Any:
    """The index of the winner at each point of the grid; rows are values of y."""
    import numpy as np

    values = function(tuple(found.numeric), [found.x, found.y])(xs[None, :], ys[:, None])
    grid = [np.broadcast_to(value, (len(ys), len(xs))) for value in values]
    return np.argmax(grid, axis=0)


def _label(axes: Any, region: Any, xs: Any, ys: Any, text: str) -> None:
    """Write into a region, at its point that is deepest inside."""
    import numpy as np

    if region.mean() < 0.01:
        return
    rows, columns = np.nonzero(region)
    row, column = int(np.median(rows)), int(np.median(columns[rows == int(np.median(rows))]))
    axes.text(xs[column], ys[row], text, ha="center", va="center", fontsize=12)


def _draw_border(axes: Any, found: RegimeMap, border: MapBorder, xs: Any, ys: Any) -> None:
    """The part of a curve on which its two winners are the largest."""
    import numpy as np

    if border.expr is None:
        return
    label = f"${relation_latex(border.symbol, '=', border.expr)}$"
    if border.symbol == found.x:
        axes.axvline(float(border.expr), color="black", linewidth=1.2, label=label)
        return
    heights = np.broadcast_to(function(border.expr, [found.x])(xs), len(xs)).copy()
    left, right = (found.winners.index(each) for each in (border.left, border.right))
    parts = function(tuple(found.numeric), [found.x, found.y])(xs, heights)
    values = [np.broadcast_to(part, len(xs)) for part in parts]
    largest = np.max(values, axis=0)
    wins = np.minimum(values[left], values[right]) >= largest * (1 - 1e-9)
    inside = wins & (heights >= ys[0]) & (heights <= ys[-1])
    heights[~inside] = np.nan
    if inside.any():
        axes.plot(xs, heights, color="black", linewidth=1.4, label=label)
