"""Drawing curves: their axes, lines, points, regions and legend."""

from __future__ import annotations

from itertools import cycle
from math import log

from matplotlib.axes import Axes
from matplotlib.text import Text

from symcost.documents.drawings import Axis, Band, Curves, Series
from symcost.printing.numbers import decimal, quantity
from symcost.render.figure import Figure
from symcost.render.values import printable

COLOURS = ("#0b6fa4", "#d1661f", "#3d8b37", "#7a4ea3", "#b3325f", "#5c5c5c")
DASHES = ("-", "--", ":")  # each round of the colours has dashes and markers of its own
MARKERS = ("o", "s", "^", "D", "v", "P")
ROOFS = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 4)), (0, (8, 4)))
REGIONS = {  # tint, colour of the name
    "memory-bound": ("#fbe5e3", "#c9302c"),
    "depends on bandwidth": ("#fff4c2", "#8a6d00"),
    "compute-bound": ("#e3f3e4", "#2e7d32"),
}
LETTER = 0.0125  # width of a letter of such a name, as a part of the axis
ROW = 0.2  # height of a row of a legend, inches
LEVEL = 0.04  # height of a row of names above the axes, as a part of them


def draw(curves: Curves) -> Figure:
    """A plot of curves; its legend stands below, where it covers nothing.

    >>> block = Curves("Growth", Axis("n"), Axis("time", "s"), (Series("a", ((1, 1), (2, 4))),))
    >>> draw(block).axes[0].get_legend().get_texts()[0].get_text()
    'a'
    """
    figure, axes = _figure()
    axes.set_xscale("log" if curves.across.log else "linear")
    lines = [each for each in curves.series if each.style != "roof"]
    roofs = [each for each in curves.series if each.style == "roof"]
    _set_height(axes, curves, lines, roofs)
    if curves.across.span:
        axes.set_xlim(curves.across.span)
    for band in curves.bands:
        _draw_band(axes, band, curves.across)
    for roof, dashes in zip(roofs, cycle(ROOFS)):
        x, y = zip(*roof.points, strict=True)
        axes.plot(x, y, color="black", linestyle=dashes, linewidth=1.2, label=plain(roof.label))
    for index, each in enumerate(lines):
        _draw_series(axes, each, index)
    axes.set_xlabel(plain(" ".join(filter(None, (curves.across.label, _unit(curves.across))))))
    axes.xaxis.set_major_formatter(lambda value, _: decimal(value))
    _scale(axes, curves)
    levels = _draw_ticks(figure, axes, curves.ticks)
    axes.set_title(plain(curves.title), loc="left", pad=8 + 13 * levels)
    rows = len(axes.get_legend_handles_labels()[1])
    figure.set_figheight(figure.get_figheight() + ROW * rows)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.12), frameon=False, fontsize=9)
    return figure


def _unit(axis: Axis) -> str:
    return f"({axis.unit})" if axis.unit else ""


def plain(text: str) -> str:
    """Text that matplotlib does not take for mathematics."""
    return printable(text).replace("$", r"\$")


def _set_height(axes: Axes, curves: Curves, lines: list[Series], roofs: list[Series]) -> None:
    """From zero, or on a logarithmic axis where a curve would lie on it otherwise."""
    tops = [max(y for _, y in each.points) for each in lines]
    most = max([*tops, *(y for each in roofs for _, y in each.points)])
    if curves.upward.log:
        lowest = min(y for each in curves.series for _, y in each.points)
        axes.set(yscale="log", ylim=(lowest, most * 4))
    elif min(tops) < most / 50:
        axes.set(yscale="log", ylim=(min(tops) / 10, most * 3))
    else:
        axes.set_ylim(0, most * 1.1)


def _draw_series(axes: Axes, series: Series, index: int) -> None:
    """A line or points, in a colour, dashes and marker that no other of eighteen has."""
    colour, turn = COLOURS[index % len(COLOURS)], index // len(COLOURS)
    marker = MARKERS[(index + turn) % len(MARKERS)]
    x, y = zip(*series.points, strict=True)
    label = plain(series.label)
    if series.style == "points":
        axes.plot(x, y, color=colour, marker=marker, markersize=7, linewidth=1, label=label,
                  zorder=3)  # fmt: skip
        return
    every = (len(x) // 40 * (index % 8 + 1), max(1, len(x) // 5))
    axes.plot(x, y, color=colour, linestyle=DASHES[turn % len(DASHES)], label=label,
              marker=marker, markevery=every, markersize=5)  # fmt: skip
    if series.mark is not None:
        place, level = series.mark
        axes.plot(place, level, "o", color=colour, markersize=8, markeredgecolor="white", zorder=3)
        axes.vlines(place, axes.get_ylim()[0], level, color=colour, linewidth=1, linestyle=":")


def _draw_band(axes: Axes, band: Band, across: Axis) -> None:
    """A tint with its name at the top, upright in a narrow band."""
    tint, colour = REGIONS.get(band.label, ("#eeeeee", "#444444"))
    axes.axvspan(band.low, band.high, color=tint, linewidth=0, zorder=0)
    low, high = across.span or (band.low, band.high)
    part = log(band.high / band.low) / log(high / low)
    if part < 2 * LETTER:  # not even upright
        axes.fill_between([], [], [], color=tint, label=plain(band.label))
        return
    narrow = part < LETTER * len(band.label)
    height, va, turn = (0.03, "bottom", 90) if narrow else (0.97, "top", 0)
    axes.text((band.low * band.high) ** 0.5, height, band.label, ha="center", va=va, rotation=turn,
              color=colour, fontweight="bold", fontsize=9,
              transform=axes.get_xaxis_transform())  # fmt: skip


def _draw_ticks(figure: Figure, axes: Axes, ticks: tuple[tuple[float, str], ...]) -> int:
    """Names of places above the axes, in as many rows as keep them apart; the number of rows."""
    figure.draw_without_rendering()
    rows: list[list[Text]] = []
    for place, name in ticks:
        axes.axvline(place, color="black", linewidth=0.8, linestyle=":")
        text = axes.text(place, 1.01, name, ha="center", va="bottom", fontsize=9,
                         transform=axes.get_xaxis_transform())  # fmt: skip
        box = text.get_window_extent().padded(4)
        row = next((r for r in rows if not box.overlaps(r[-1].get_window_extent())), None)
        if row is None:
            rows.append(row := [])
        row.append(text)
    for level, row in enumerate(rows):
        for text in row:
            text.set_y(1.01 + LEVEL * level)
    return len(rows)


def _figure() -> tuple[Figure, Axes]:
    figure = Figure(figsize=(8, 5), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    return figure, axes


def _scale(axes: Axes, curves: Curves) -> None:
    """The vertical axis in the unit of the largest roof, TFLOP/s for 989 TFLOP/s."""
    unit = curves.upward.unit
    most = max(y for each in curves.series for _, y in each.points)
    axes.set_ylabel(quantity(most, unit).split()[-1] if unit else curves.upward.label)

    def shown(value: float, _: object) -> str:
        return quantity(value, unit, beside=most).split()[0]

    axes.yaxis.set_major_formatter(shown)
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log" and high < 100 * low:  # few decades: some ticks between as well
        axes.yaxis.set_minor_formatter(
            lambda value, place: shown(value, place) if f"{value:.0e}"[0] in "25" else ""
        )
