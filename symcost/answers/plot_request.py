"""The plot that the command line asks for: texts in, a file out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symcost.errors import InvalidValueError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from symcost.hardware import Chip
    from symcost.model.graph import ComputationGraph

LONGEST = 48  # letters of a program that name a point


def plot_file(
    programs: Sequence[str],
    chip_name: str,
    path: str,
    *,
    sweeps: Sequence[str] = (),
    at: Sequence[Mapping[str, Any]] = (),
    bandwidths: Mapping[str, Any] | None = None,
) -> None:
    """Draw a roofline, or with a sweep throughput, and write it."""
    from symcost.hardware import chip
    from symcost.model.programs import parse
    from symcost.render.plot import plot_format, plot_roofline, save

    kind = plot_format(path)
    if sweeps:
        _check_sweep(programs, sweeps, bandwidths)
    graphs = [parse(program) for program in programs]
    found = chip(chip_name)
    if sweeps:
        figure = _throughput(graphs[0], found, sweeps[0], at)
    else:
        figure = plot_roofline(_labelled(graphs), found, bandwidths=bandwidths, at=at)
    save(figure, path, kind)


def _check_sweep(
    programs: Sequence[str], sweeps: Sequence[str], bandwidths: Mapping[str, Any] | None
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


def _throughput(
    graph: ComputationGraph, chip: Chip, sweep: str, at: Sequence[Mapping[str, Any]]
) -> Figure:
    from symcost.notation.numbers import read_sweep
    from symcost.render.plot import plot_throughput

    span = read_sweep(sweep)
    return plot_throughput(graph, chip, span.name, (span.start, span.stop), at)


def _labelled(graphs: Sequence[ComputationGraph]) -> dict[str, ComputationGraph]:
    """The programs by name; of those with the same name, the later ones are numbered."""
    found: dict[str, ComputationGraph] = {}
    for graph in graphs:
        name = label = _name(graph)
        number = 1
        while label in found:
            number += 1
            label = f"{name} ({number})"
        found[label] = graph
    return found


def _name(graph: ComputationGraph) -> str:
    """The name of a program, or the text of its first operation, shortened."""
    if graph.name or not graph.ops:
        return graph.name or "program"
    first = graph.ops[0]
    text = first.origin.partition(": ")[2] or first.kind
    cut = text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0] or text[:LONGEST]
    return cut if cut == text and len(graph.ops) == 1 else f"{cut} ..."
