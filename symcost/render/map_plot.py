"""The map of regimes over two symbols: a region for each winner, labelled, and its borders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symcost.analysis.numeric.function import function
from symcost.analysis.regimes.regime_map import MapBorder, RegimeMap
from symcost.printing.latex import relation_latex, to_latex
from symcost.render.labels import label_regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAMPLES = 500  # along each axis
COLOURS = ("#9ecae1", "#fdd0a2", "#a1d99b", "#dadaeb", "#fcbba1", "#d9d9d9", "#c7e9b4", "#fde0dd")
LINES = ("#000000", "#c1121f", "#1d4ed8", "#7b2cbf", "#2d6a4f", "#b45309", "#0f766e", "#9d174d")
DASHES = ("-", "--", "-.", ":")  # a second round of the colours of lines has other dashes
ROW = 0.36  # height of a row of the legend, inches
FAR = 0.01  # from the closed forms, in logarithms: then a curve belongs to what has none
TOLERANCE = 1e-3  # of logarithms on a border, which is drawn through the grid


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
        A matplotlib figure; each region carries its winner, and the legend below tells the
        equation of each border.
    """
    import numpy as np
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure

    xs = np.geomspace(float(x_span[0]), float(x_span[1]), SAMPLES)
    ys = np.geomspace(float(y_span[0]), float(y_span[1]), SAMPLES)
    names = list(dict.fromkeys(found.winners))
    place = np.array([names.index(winner) for winner in found.winners])
    winners = place[np.argmax(_margins(found, xs[None, :], ys[:, None]), axis=0)]
    figure = Figure(figsize=(8, 6), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    colours = ListedColormap([COLOURS[i % len(COLOURS)] for i in range(len(names))])
    axes.pcolormesh(
        xs, ys, winners, cmap=colours, vmin=-0.5, vmax=len(names) - 0.5, shading="nearest"
    )
    axes.set(xscale="log", yscale="log", xlabel=found.x.name, ylabel=found.y.name)
    _draw_borders(axes, found, xs, ys)
    axes.set(xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    axes.set_title(f"The largest part over {found.x.name} and {found.y.name}", loc="left")
    texts = {index: _formula(to_latex(winner)) for index, winner in enumerate(names)}
    unlabelled = label_regions(figure, axes, winners, texts)
    _legend_below(figure, axes, [(texts[i], COLOURS[i % len(COLOURS)]) for i in unlabelled])
    return figure


def _margins(found: RegimeMap, x: Any, y: Any) -> Any:
    """For each winner the logarithm of the smallest ratio of its region: negative outside."""
    import numpy as np

    shape = np.broadcast_shapes(np.shape(x), np.shape(y))
    margins = np.full((len(found.regions), *shape), np.inf)
    for index, ratios in enumerate(found.regions):
        for values in function(tuple(ratios), [found.x, found.y])(x, y) if ratios else ():
            margins[index] = np.minimum(margins[index], np.log(values))
    return margins


def _draw_borders(axes: Axes, found: RegimeMap, xs: Any, ys: Any) -> None:
    """Each curve in a colour of its own, where the winners on its two sides are the largest."""
    styles: dict[str, int] = {}
    for border in found.borders:
        curves = [c for c in _curves(found, border, xs, ys) if len(c)]
        if not curves:
            continue
        label = _equation(border)
        known = label in styles
        style = styles.setdefault(label, len(styles))
        for at, (x, y) in enumerate(curve.T for curve in curves):
            axes.plot(
                x,
                y,
                color=LINES[style % len(LINES)],
                linestyle=DASHES[style // len(LINES) % len(DASHES)],
                linewidth=1.8,
                solid_capstyle="butt",
                label="_" if known or at else label,
            )


def _equation(border: MapBorder) -> str:
    if border.expr is None:
        return _formula(relation_latex(border.left, "=", border.right))
    return _formula(relation_latex(border.symbol, "=", border.expr))


def _formula(latex: str) -> str:
    """Between dollar signs, with fractions of full size."""
    return "$" + latex.replace(r"\frac", r"\dfrac") + "$"


def _curves(found: RegimeMap, border: MapBorder, xs: Any, ys: Any) -> list[Any]:
    """The polygons on which the ratio of a border is 1, as far as they are a border."""
    import numpy as np
    from contourpy import contour_generator

    ratio = function((border.ratio,), [found.x, found.y])(xs[None, :], ys[:, None])[0]
    heights = np.broadcast_to(np.log(ratio), (len(ys), len(xs)))
    lines: list[Any] = list(contour_generator(np.log(xs), np.log(ys), heights).lines(0.0))
    found_curves = []
    for line in (np.exp(each) for each in lines):
        margins = _margins(found, line[:, 0], line[:, 1])
        sides = [_best(found, margins, winner) for winner in (border.left, border.right)]
        active = (np.minimum(*sides) > -TOLERANCE) & _is_this(found, border, line)
        edges = np.flatnonzero(np.diff(active.astype(int))) + 1
        parts = np.split(np.arange(len(line)), edges)
        found_curves += [line[part] for part in parts if active[part[0]] and len(part) > 1]
    return found_curves


def _best(found: RegimeMap, margins: Any, winner: Any) -> Any:
    import numpy as np

    rows = [i for i, each in enumerate(found.winners) if each == winner]
    return np.max(margins[rows], axis=0)


def _is_this(found: RegimeMap, border: MapBorder, line: Any) -> Any:
    """Where a curve belongs to this one of several borders between the same winners."""
    import numpy as np

    pair = (border.left, border.right)
    same = [each for each in found.borders if (each.left, each.right) == pair]
    if len(same) == 1:
        return np.full(len(line), True)
    with np.errstate(all="ignore"):
        gaps = [_gap(found, each, line) for each in same]
    return np.argmin(gaps, axis=0) == same.index(border)


def _gap(found: RegimeMap, border: MapBorder, line: Any) -> Any:
    """How far, in logarithms, the points of a curve are from a solution."""
    import numpy as np

    if border.expr is None:
        return np.full(len(line), FAR)
    column = 0 if border.symbol == found.x else 1
    values = function((border.expr,), [found.x, found.y])(line[:, 0], line[:, 1])[0]
    gap = np.abs(np.log(np.broadcast_to(values, len(line))) - np.log(line[:, column]))
    return np.where(np.isnan(gap), np.inf, gap)


def _legend_below(figure: Figure, axes: Axes, unlabelled: list[tuple[str, str]]) -> None:
    """A legend under the axes, where it covers nothing; the figure grows by its rows."""
    from matplotlib.patches import Patch

    handles, labels = axes.get_legend_handles_labels()
    handles += [Patch(facecolor=colour) for _, colour in unlabelled]
    labels += [text for text, _ in unlabelled]
    if not handles:
        return
    columns = 2 if len(handles) > 3 and max(map(len, labels)) < 60 else 1
    figure.set_figheight(figure.get_figheight() + ROW * -(-len(handles) // columns))
    axes.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(0, -0.1),
        frameon=False,
        ncols=columns,
    )
