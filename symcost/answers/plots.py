"""Plots: what is asked for as figures, and what the command line asks for as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from symcost.algebra.exact import exact
from symcost.analysis import curves, roofs
from symcost.analysis.regimes.map_lines import border_lines, winners_on
from symcost.analysis.told import Units
from symcost.answers.times import times as all_times
from symcost.documents.drawings import Curves, Landscape
from symcost.errors import InvalidValueError
from symcost.hardware import Chip
from symcost.hardware.placing import chip_of, placed
from symcost.model.graph import ComputationGraph
from symcost.notation.numbers import read_sweep
from symcost.printing.latex import to_latex
from symcost.render.formulas import math_latex
from symcost.render.pictures import drawn

if TYPE_CHECKING:
    from numpy import ndarray
    from sympy import Expr

    from symcost.analysis.regimes.regime_map import RegimeMap
    from symcost.render.figure import Figure

Numbers = Mapping[str, object]
SAMPLES = 500  # of a map along each axis
LONGEST = 48  # letters of a program that name a point


def plot_throughput(
    graph: ComputationGraph,
    chip: Chip | Sequence[Chip],
    symbol: str,
    span: tuple[object, object],
    at: Numbers | Sequence[Numbers] = (),
    *,
    step: object = None,
    log: bool | None = None,
) -> Figure:
    """FLOP/s against a swept symbol, one curve for each chip and each set of numbers.

    >>> import symcost as sc
    >>> matmul = sc.parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]")
    >>> sizes = [{"D": 2048, "F": 2048}]
    >>> figure = sc.plot_throughput(matmul, sc.chip("h100-sxm"), "B", (1, 512), sizes)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()][1]
    'D = F = 2048: roof at B = 414.8'

    Args:
        graph: the program; its curve is that of its main unit while all others work as well.
        chip: a chip with numbers, or several.
        symbol: name of the swept symbol.
        span: its first and last value.
        at: numbers for the other symbols, a mapping for each curve.
        step: compute the curves at every such step only.
        log: a logarithmic axis across; by default over a range of more than 1 to 1000.

    Returns:
        A matplotlib figure; each curve is marked where it meets the roof, computed exactly.

    Raises:
        InvalidValueError: the range is a single value, the symbol does not occur, or a number
            is missing or too large to draw.
    """
    values = _values(span, step)
    return drawn(curves.throughput(graph, _chips(chip), symbol, values, _sets(at), log=log))


def plot_roofline(
    graphs: Mapping[str, ComputationGraph],
    chip: Chip | Sequence[Chip],
    *,
    bandwidths: Mapping[str, object] | None = None,
    at: Numbers | Sequence[Numbers] | None = None,
    dtype: str | None = None,
) -> Figure:
    """The roofline of a chip, or of several, with algorithms as points, log-log.

    With one chip, left of the smallest critical intensity everything is bound by bandwidth (red),
    right of the largest by arithmetic (green); between them it depends on the bandwidth (yellow).

    >>> import symcost as sc
    >>> dot = sc.parse("x: bf16[N] @ y: bf16[N] -> bf16[1]")
    >>> figure = sc.plot_roofline({"dot product": dot}, sc.chip("h100-sxm"), at={"N": 4096})
    >>> figure.axes[0].get_legend().get_texts()[1].get_text()
    'dot product, N = 4096: 0.4999 FLOP/byte'

    Args:
        graphs: programs by label.
        chip: a chip with numbers, or several.
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
    more = bandwidths or {}
    return drawn(
        roofs.roofs(graphs, _chips(chip), bandwidths=more, at=_sets(at or ()), dtype=dtype)
    )


def plot_regimes(
    found: RegimeMap,
    x_span: tuple[object, object],
    y_span: tuple[object, object],
    *,
    names: Mapping[Expr, str] | None = None,
) -> Figure:
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
        names: words for parts, such as "compute-bound"; others are named by their formula.

    Returns:
        A matplotlib figure; each region carries its winner, and the legend below tells the
        equation of each border.
    """
    return drawn(landscape(found, (x_span, y_span), names or {}))


def landscape(
    regimes: RegimeMap, spans: Sequence[tuple[object, object]], names: Mapping[Expr, str]
) -> Landscape:
    """The map of regimes over the spans of both symbols."""
    import numpy as np

    ends = [[curves.number(exact(end)) for end in span] for span in spans]
    xs, ys = (np.geomspace(low, high, SAMPLES) for low, high in ends)
    borders: dict[str, list[ndarray]] = {}
    for border in regimes.borders:
        lines = [line for line in border_lines(regimes, border, xs, ys) if len(line)]
        if lines:
            borders.setdefault(_formula(math_latex(border.math)), []).extend(lines)
    name = Units(names=names).name
    winners = dict.fromkeys(regimes.winners)
    parts = tuple(name(part) or _formula(to_latex(part)) for part in winners)
    what = "What binds" if names else "The largest part"
    title = f"{what} over {regimes.x.name} and {regimes.y.name}"
    regions = winners_on(regimes, xs, ys)
    labels = (regimes.x.name, regimes.y.name)
    facts = {"title": title, **regimes.data(), "names": parts}
    return Landscape(title, labels, xs, ys, regions, parts, borders, facts)


def _formula(latex: str) -> str:
    """Between dollar signs, with fractions of full size."""
    return "$" + latex.replace(r"\frac", r"\dfrac") + "$"


def _chips(chip: Chip | Sequence[Chip]) -> Sequence[Chip]:
    return [chip] if isinstance(chip, Chip) else chip


def _sets(at: Numbers | Sequence[Numbers]) -> Sequence[Numbers]:
    return [at] if isinstance(at, Mapping) else list(at)


def plotted(
    graphs: Sequence[ComputationGraph],
    names: Sequence[str],
    *,
    sweeps: Sequence[str] = (),
    times: bool = False,
    at: Sequence[Numbers] = (),
    bandwidths: Numbers,
    log: bool | None = None,
) -> Curves:
    """A roofline of chips or clusters, or with a sweep throughput or times."""
    if times and not sweeps:
        raise InvalidValueError(
            "--times draws along a symbol, and no --sweep is given", repair="write --sweep X=1:64"
        )
    if len(names) == 1:  # on a cluster, the axes on its links
        graphs = [placed(graph, names[0])[0] for graph in graphs]
    chips = [chip_of(name) for name in names]
    if not sweeps:
        return roofs.roofs(_labelled(graphs), chips, bandwidths=bandwidths, at=at)
    _check_sweep(graphs, sweeps, bandwidths)
    span = read_sweep(sweeps[0])
    span.check(s for t in graphs[0].tensors.values() for s in t.size.symbols)
    values = _values((span.start, span.stop), span.step)
    if times:
        return all_times(graphs[0], chips, span.name, values, at, log=log)
    return curves.throughput(graphs[0], chips, span.name, values, at, log=log)


def _values(span: tuple[object, object], step: object) -> Sequence[Expr]:
    start, stop = (exact(end) for end in span)
    return curves.steps(start, stop, None if step is None else exact(step))


def _check_sweep(
    programs: Sequence[ComputationGraph], sweeps: Sequence[str], bandwidths: Numbers | None
) -> None:
    if len(sweeps) > 1:
        raise InvalidValueError(
            f"a curve runs along one symbol, but --sweep is given {len(sweeps)} times",
            repair="give one --sweep, and the other symbols with --at, a curve each",
        )
    if len(programs) > 1:
        raise InvalidValueError(
            f"--sweep draws one program, but {len(programs)} are given",
            repair="draw a plot for each program",
        )
    if bandwidths:
        raise InvalidValueError(
            "--bandwidth adds a roof to a roofline, and --sweep draws none",
            repair="leave one of them out",
        )


def _labelled(graphs: Sequence[ComputationGraph]) -> dict[str, ComputationGraph]:
    """The programs by name; of those with the same name, the later ones are numbered."""
    labelled: dict[str, ComputationGraph] = {}
    for graph in graphs:
        name = label = _name(graph)
        number = 1
        while label in labelled:
            number += 1
            label = f"{name} ({number})"
        labelled[label] = graph
    return labelled


def _name(graph: ComputationGraph) -> str:
    """The name of a program, or the text of its first operation, shortened."""
    if graph.name or not graph.ops:
        return graph.name or "program"
    first = graph.ops[0]
    text = first.origin.partition(": ")[2] or first.kind
    cut = text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0] or text[:LONGEST]
    return cut if cut == text and len(graph.ops) == 1 else f"{cut} ..."
