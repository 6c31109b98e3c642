"""Plots: throughput along a symbol, and the roofline with its regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, Any

from sympy import Expr

from symcost.analysis.curves import Curve, Point, one_peak, points, throughput_curves
from symcost.analysis.numeric.function import function
from symcost.errors import InvalidValueError
from symcost.hardware import Chip
from symcost.printing.numbers import decimal, quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
COLOURS = ("#0b6fa4", "#d1661f", "#3d8b37", "#7a4ea3", "#b3325f", "#5c5c5c")
REGIONS = (  # tint, colour of the name, name
    ("#fbe5e3", "#c9302c", "memory-bound"),
    ("#fff4c2", "#8a6d00", "depends on bandwidth"),
    ("#e3f3e4", "#2e7d32", "compute-bound"),
)
LETTER = 0.0125  # width of a letter of such a name, as a part of the axis
ROW = 0.2  # height of a row of a legend, inches
SAMPLES = 600
WIDE = 1000  # a range whose ends differ by more gets a logarithmic axis


def plot_throughput(
    graph: Any, chip: Chip, symbol: str, span: tuple[Any, Any], at: Sequence[Mapping[str, Any]]
) -> Figure:
    """FLOP/s against a swept symbol, one curve for each set of numbers.

    >>> import symcost as sc
    >>> matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
    >>> sizes = [{"D": 2048, "F": 2048}]
    >>> figure = sc.plot_throughput(matmul, sc.chip("h100-sxm"), "B", (1, 512), sizes)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['D = F = 2048: roof at B = 414.8']

    Args:
        graph: the program, with one compute unit and one channel.
        chip: a chip with numbers.
        symbol: name of the swept symbol.
        span: its first and last value.
        at: numbers for the other symbols, a mapping for each curve.

    Returns:
        A matplotlib figure; each curve is marked where it meets the roof, computed exactly.
        Over a range of more than 1 to 1000 the horizontal axis is logarithmic.

    Raises:
        InvalidValueError: the range is a single value, the symbol does not occur, or a number
            is missing.
    """
    if span[0] >= span[1]:
        raise InvalidValueError(
            f"{symbol} runs from {span[0]} to {span[1]}, which is no range to draw",
            repair="give a larger last value, for example 512",
        )
    curves = throughput_curves(graph, chip, symbol, at)
    figure, axes = _figure()
    drawn = zip(curves, _cycle(len(curves)), strict=True)
    tops = [_draw_curve(axes, curve, span, colour) for curve, colour in drawn]
    peak = float(curves[0].peak)
    axes.axhline(peak, color="black", linewidth=1, linestyle="--", zorder=1)
    text = f"{_peak_name(curves[0].unit)} {quantity(curves[0].peak, 'FLOP/s')}"
    axes.annotate(text, (float(span[0]), peak), (6, 4), textcoords="offset points")
    if _is_wide(span):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: decimal(value))
    axes.set(xlim=[float(end) for end in span], ylim=(0, peak * 1.15), xlabel=symbol)
    if min(tops) < peak / 50:  # such a curve would lie on the axis
        axes.set(yscale="log", ylim=(min(tops) / 10, peak * 3))
    _scale_rates(axes, curves[0].peak)
    axes.set_title(f"Throughput on {chip.title}", loc="left")
    axes.legend(loc="lower right", framealpha=1, edgecolor="none")
    return figure


def _draw_curve(axes: Axes, curve: Curve, span: tuple[Any, Any], colour: str) -> float:
    """Draw a curve with the point where it meets the roof; return its largest value."""
    import numpy as np

    spaced = np.geomspace if _is_wide(span) else np.linspace
    grid = spaced(float(span[0]), float(span[1]), SAMPLES)
    values = function(curve.throughput, [curve.symbol])(grid)
    low, high = (_exact(end) for end in span)
    meets = curve.meets(low, high)
    if meets is None:
        said = "never meets the roof" if curve.rule.is_never else "not within this range"
    else:
        said = f"roof at {curve.symbol} = {decimal(meets)}"
        axes.plot([float(meets)], [float(curve.peak)], "o", color=colour, markersize=6, zorder=3)
        axes.vlines(float(meets), 0, float(curve.peak), color=colour, linewidth=1, linestyle=":")
    axes.plot(grid, values, color=colour, label=": ".join(filter(None, (curve.label, said))))
    return float(np.max(values))


def _is_wide(span: tuple[Any, Any]) -> bool:
    return bool(span[1] > WIDE * span[0])


def _peak_name(unit: str) -> str:
    return "peak" if unit == "matmul" else f"{unit} peak"


def plot_roofline(
    graphs: Mapping[str, Any],
    chip: Chip,
    *,
    bandwidths: Mapping[str, Any] | None = None,
    at: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    dtype: str | None = None,
) -> Figure:
    """The roofline of a chip with algorithms as points, log-log.

    Left of the smallest critical intensity everything is bound by bandwidth (red), right of the
    largest by arithmetic (green); between them it depends on the bandwidth (yellow).

    >>> import symcost as sc
    >>> dot = sc.parse("x: bf16[N] @ y: bf16[N] -> bf16[1]")
    >>> figure = sc.plot_roofline({"dot product": dot}, sc.chip("h100-sxm"), at={"N": 4096})
    >>> figure.axes[0].get_legend().get_texts()[1].get_text()
    'dot product, N = 4096: 0.4999 FLOP/byte'

    Args:
        graphs: programs by label.
        chip: a chip with numbers.
        bandwidths: more bandwidths in bytes/s by label, beside that of the chip's main memory;
            one that is called hbm takes its place.
        at: numbers for the symbols of the programs; of several sets, each gives a point for
            each program that has its symbols.
        dtype: the dtype whose peak is the roof; that of the programs when left out.

    Returns:
        A matplotlib figure.

    Raises:
        InvalidValueError: a number is missing, or is for no symbol of any program.
        UndecidedError: the programs lie under different peaks, of two units or dtypes.
    """
    lines = _bandwidths(chip, bandwidths or {})
    sets = [at] if isinstance(at, Mapping) else list(at or ())
    found = points(graphs, chip, lines.values(), sets)
    unit, kind, peak = one_peak(found)
    if dtype is not None:
        kind, peak = dtype, chip.peak(dtype, unit)
    ridges = sorted(float(peak / width) for width in lines.values())
    left = min([*ridges, *(float(p.intensity) for p in found)]) / 8
    right = max([*ridges, *(float(p.intensity) for p in found)]) * 8
    figure, axes = _figure()
    axes.set(xscale="log", yscale="log", xlim=(left, right))
    _regions(axes, ridges, (left, right))
    _mark_ridges(axes, ridges, float(peak))
    for (label, width), style in zip(lines.items(), _styles(len(lines)), strict=True):
        _roof(axes, label, width, peak, (left, right), style)
    for point, colour in zip(found, _cycle(len(found)), strict=True):
        _draw_point(axes, point, colour)
    bottom = min(float(width) for width in lines.values()) * left
    axes.set_ylim(bottom, float(peak) * 4)
    axes.set_xlabel("arithmetic intensity (FLOP/byte)")
    axes.xaxis.set_major_formatter(lambda value, _: decimal(value))
    _scale_rates(axes, peak)
    axes.set_title(f"Roofline of {chip.title}, {unit} {kind}", loc="left")
    _legend_below(figure, axes)
    return figure


def _legend_below(figure: Figure, axes: Axes) -> None:
    """A legend under the axes, where it covers no point; the figure grows by its rows."""
    rows = len(axes.get_legend_handles_labels()[1])
    figure.set_figheight(figure.get_figheight() + ROW * rows)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.12), frameon=False, fontsize=9)


def _bandwidths(chip: Chip, given: Mapping[str, Any]) -> dict[str, Expr]:
    """The bandwidth of main memory and those given; one called hbm replaces it."""
    lines = {label: _exact(value) for label, value in given.items()}
    if any(label.lower() == "hbm" for label in lines):
        return lines
    return {"hbm": chip.bandwidth("hbm"), **lines}


def _regions(axes: Axes, ridges: list[float], span: tuple[float, float]) -> None:
    edges = [span[0], ridges[0], ridges[-1], span[1]]
    for (tint, colour, name), low, high in zip(REGIONS, edges, edges[1:], strict=False):
        if high <= low:
            continue
        axes.axvspan(low, high, color=tint, linewidth=0, zorder=0)
        middle = (low * high) ** 0.5
        narrow = log(high / low) < LETTER * len(name) * log(span[1] / span[0])
        height, va, turn = (0.5, "center", 90) if narrow else (0.97, "top", 0)
        axes.text(middle, height, name, ha="center", va=va, rotation=turn, color=colour,
                  fontweight="bold", fontsize=9, transform=axes.get_xaxis_transform())  # fmt: skip


def _mark_ridges(axes: Axes, ridges: list[float], peak: float) -> None:
    """Write each critical intensity at its corner of the roof, away from its neighbour."""
    for number, ridge in enumerate(ridges):
        last = number == len(ridges) - 1
        shift = (5, 5) if last else (-5, 5 + 11 * number)
        axes.axvline(ridge, color="black", linewidth=0.8, linestyle=":")
        axes.annotate(decimal(ridge), (ridge, peak), shift, textcoords="offset points",
                      ha="left" if last else "right", fontsize=9)  # fmt: skip


def _roof(
    axes: Axes, label: str, width: Expr, peak: Expr, span: tuple[float, float], style: str
) -> None:
    ridge = float(peak / width)
    axes.plot(
        [span[0], ridge, span[1]],
        [float(width) * span[0], float(peak), float(peak)],
        color="black",
        linestyle=style,
        label=f"{label}: {quantity(width, 'byte/s')}, critical intensity {decimal(peak / width)}",
    )


def _draw_point(axes: Axes, point: Point, colour: str) -> None:
    x = float(point.intensity)
    rates = sorted({float(value) for value in point.attained})
    axes.plot([x] * len(rates), rates, "o-", color=colour, markersize=7, zorder=3, linewidth=1,
              label=f"{point.label}: {decimal(point.intensity)} FLOP/byte")  # fmt: skip


def plot_format(path: str) -> str:
    """The format that a file's name asks for.

    Raises:
        InvalidValueError: it ends in none of .png, .svg, .pdf.
    """
    kind = path.rsplit(".", 1)[-1].lower() if "." in path else ""
    if kind not in FORMATS:
        raise InvalidValueError(f"cannot plot into {path!r}", repair="end it in .png, .svg or .pdf")
    return kind


def save(figure: Figure, path: str, kind: str) -> None:
    """Write a figure whole or not at all; equal figures give equal files."""
    import io

    from matplotlib import rc_context

    from symcost.files import write_bytes

    buffer = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    with rc_context({"svg.hashsalt": "symcost"}):
        figure.savefig(buffer, format=kind, metadata=metadata)
    write_bytes(path, buffer.getvalue())


def _figure() -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    return figure, axes


def _cycle(count: int) -> list[str]:
    return [COLOURS[index % len(COLOURS)] for index in range(count)]


def _styles(count: int) -> list[str]:
    return [("-", "--", "-.", ":")[index % 4] for index in range(count)]


def _scale_rates(axes: Axes, peak: Expr) -> None:
    """Rates on the vertical axis in the unit of the peak, TFLOP/s for 989 TFLOP/s."""
    axes.set_ylabel(quantity(peak, "FLOP/s").split()[-1])

    def shown(value: float, _: object) -> str:
        return quantity(value, "FLOP/s", beside=peak).split()[0]

    axes.yaxis.set_major_formatter(shown)
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log" and high < 100 * low:  # few decades: some ticks between as well
        axes.yaxis.set_minor_formatter(
            lambda value, place: shown(value, place) if f"{value:.0e}"[0] in "25" else ""
        )


def _exact(value: Any) -> Expr:
    from symcost.algebra.exact import exact

    return exact(value)
