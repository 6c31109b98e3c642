"""Reading a program: each statement of the text is one step of the builder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from symcost.errors import InvalidValueError, NotationError
from symcost.model.builder import Graph
from symcost.model.dtypes import dtypes
from symcost.model.graph import ComputationGraph
from symcost.model.importer import from_networkx
from symcost.model.mesh import Mesh
from symcost.model.mesh_text import mesh_of
from symcost.model.operations import operations
from symcost.model.reading import Reader
from symcost.notation.limits import check_text, located
from symcost.notation.program_tokens import PROGRAM_LIMIT
from symcost.notation.programs import parse_program


def parse(
    text: str, *, mesh: str | Mapping[str, object] | None = None, name: str = ""
) -> ComputationGraph:
    """Read a tensor program.

    >>> parse("X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]").cost().flops()
    2*B*D*F
    >>> parse("H: bf16[B, F] = X: bf16[B, D] @ W1: int8[D, F]; G = gelu(H)")
    H: bf16[B, F] = X: bf16[B, D] @ W1: int8[D, F]
    G = gelu(H)

    Args:
        text: statements, one a line or separated by ``;``.
        mesh: sizes of the mesh axes over which tensors are split, ``{"X": 4}`` or
            ``"X=4, Y"``; programs can declare them as well, ``mesh X=4, Y``.
        name: what the graph is called.

    Returns:
        The computation graph.

    Raises:
        NotationError: the text is not understood; the message shows where and the repair.
        ShapeError: shapes do not fit.
        UnknownNameError: an unknown dtype, operation or tensor.
    """
    sizes = mesh_of(mesh)
    known = (dtypes.version, operations.version)  # what is registered decides what is read
    return _parse(check_text(text, "a program", PROGRAM_LIMIT), sizes, name, known)


@lru_cache(maxsize=256)
def _parse(text: str, mesh: Mesh, name: str, known: tuple[int, int]) -> ComputationGraph:
    program = parse_program(text)
    reader = Reader(program, mesh, name)
    with located(text, 0, 1):
        graph = reader.graph.build()
    if not graph.tensors:
        raise NotationError("the program has no statement")
    return graph


def as_graph(program: object) -> ComputationGraph:
    """The graph of a program, however it is given: as text, a graph, a builder, a digraph.

    >>> as_graph("bf16[N] @ bf16[N] -> bf16[1]").cost().flops()
    2*N

    Raises:
        InvalidValueError: it is none of these.
        NotationError: a text that is no program.
    """
    if isinstance(program, ComputationGraph):
        return program
    if isinstance(program, str):
        return parse(program)
    if isinstance(program, Graph):
        return program.build()
    if hasattr(program, "is_directed"):
        return from_networkx(program)
    raise InvalidValueError(
        f"{program!r} is no program", repair="give its text, sc.parse(...) or an sc.Graph"
    )
