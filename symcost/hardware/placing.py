"""A program on hardware: the chip of a name, and the mesh on its links or those of a cluster."""

from __future__ import annotations

from symcost.errors import InvalidValueError
from symcost.hardware.clusters import chip_in, cluster, is_cluster, linked
from symcost.hardware.model import Chip
from symcost.model.graph import ComputationGraph


def chip_of(chip: Chip | str) -> Chip:
    """The chip of a name.

    Raises:
        InvalidValueError: what was given is neither a chip nor a name.
    """
    if isinstance(chip, Chip):
        return chip
    if not isinstance(chip, str):
        raise InvalidValueError(f"{chip!r} is no chip", repair='give a name, as "h100-sxm"')
    return chip_in(chip)


def placed(graph: ComputationGraph, chip: Chip | str) -> tuple[ComputationGraph, Chip]:
    """A graph with its mesh on a chip's links, or on those of a cluster, and the chip.

    >>> from symcost.model.programs import parse
    >>> graph = parse("mesh X=8; A: bf16[I_X, J] -> B: bf16[I, J]")
    >>> placed(graph, "8 x h100")[0].mesh
    mesh X=8 over nvlink
    """
    if isinstance(chip, str) and is_cluster(chip):
        several = cluster(chip)
        on, mesh = several.chip, several.place(graph.mesh) if graph.mesh else graph.mesh
    else:
        on = chip_of(chip)
        mesh = linked(graph.mesh, on)
    if mesh == graph.mesh:
        return graph, on
    made = ComputationGraph(graph.tensors.values(), graph.ops, name=graph.name, mesh=mesh)
    return made, on
