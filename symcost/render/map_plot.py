"""Drawing a map: a tint for each region with its name in it, and the borders between them."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch
from numpy import ndarray

from symcost.documents.drawings import Landscape
from symcost.printing.numbers import decimal
from symcost.render.figure import Figure
from symcost.render.labels import label_regions
from symcost.render.plot import plain

COLOURS = ("#9ecae1", "#fdd0a2", "#a1d99b", "#dadaeb", "#fcbba1", "#d9d9d9", "#c7e9b4", "#fde0dd")
LINES = ("#000000", "#c1121f", "#1d4ed8", "#7b2cbf", "#2d6a4f", "#b45309", "#0f766e", "#9d174d")
DASHES = ("-", "--", "-.", ":")  # a second round of the colours of lines has other dashes
ROW = 0.36  # height of a row of the legend, inches


def draw_map(shown: Landscape) -> Figure:
    """The map on logarithmic axes; the legend below tells the equation of each border."""
    figure = Figure(figsize=(8, 6), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    xs, ys, count = shown.xs, shown.ys, len(shown.names)
    colours = [COLOURS[i % len(COLOURS)] for i in range(count)]
    axes.pcolormesh(xs, ys, shown.regions, cmap=ListedColormap(colours), vmin=-0.5,
                    vmax=count - 0.5, shading="nearest")  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel=plain(shown.axes[0]), ylabel=plain(shown.axes[1]))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: decimal(value))
    for index, (label, lines) in enumerate(shown.borders.items()):
        _draw_border(axes, label, lines, index)
    axes.set(xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    axes.set_title(plain(shown.title), loc="left")
    texts = dict(enumerate(shown.names))
    unlabelled = label_regions(figure, axes, shown.regions, texts)
    _legend_below(figure, axes, [(texts[i], colours[i]) for i in unlabelled])
    return figure


def _draw_border(axes: Axes, label: str, lines: Sequence[ndarray], index: int) -> None:
    """The polygons of one equation, in a colour and dashes of their own."""
    for at, line in enumerate(lines):
        x, y = line.T
        axes.plot(
            x,
            y,
            color=LINES[index % len(LINES)],
            linestyle=DASHES[index // len(LINES) % len(DASHES)],
            linewidth=1.8,
            solid_capstyle="butt",
            label="_" if at else label,
        )


def _legend_below(figure: Figure, axes: Axes, unlabelled: list[tuple[str, str]]) -> None:
    """A legend under the axes, where it covers nothing; the figure grows by its rows."""
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
