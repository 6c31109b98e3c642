"""Reading a mesh: ``X=16 over ici, Y over ici*2, P=2 over dcn, Z(Z1=8, Z2=2) over ici(line)``."""

from __future__ import annotations

from collections.abc import Iterable

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.model.collectives import networks
from symcost.model.mesh import Mesh, MeshAxis, as_mesh, cut
from symcost.model.sizes import size_of
from symcost.notation.limits import check_text, located
from symcost.notation.program_syntax import Axis
from symcost.notation.programs import parse_mesh
from symcost.notation.syntax import Syntax
from symcost.symbols import dim

LIMIT = 2000  # characters


def mesh_of(given: object) -> Mesh:
    """A mesh from its text, a mesh, or a mapping of sizes.

    >>> mesh_of("X=16 over ici, Y over ici*2, P=2 over dcn")
    mesh X=16 over ici, Y over ici*2, P=2 over dcn

    Raises:
        NotationError: the text is not understood.
    """
    if not isinstance(given, str):
        return as_mesh(given)
    checked, axes = parse_mesh(check_text(given, "a mesh", LIMIT))
    return mesh_from(axes, checked)


def mesh_from(axes: Iterable[Axis], text: str) -> Mesh:
    """A mesh from its syntax."""
    made: list[MeshAxis] = []
    for axis in axes:
        with located(text, axis.start, axis.end):
            made += _axes(axis, text)
            Mesh(*made)
    return Mesh(*made)


def _axes(axis: Axis, text: str) -> list[MeshAxis]:
    sizes = {name: _size(name, size, text) for name, size in axis.parts}
    size = _size(axis.name, axis.size, text)
    if sizes and axis.size is None:
        size = Posynomial.product(sizes.values())
    span = ONE if axis.span is None else size_of(axis.span, text)
    network = networks[axis.network].name if axis.network else ""
    made = MeshAxis(axis.name, size, axis.link, network, span)
    return list(cut(made, sizes)) if sizes else [made]


def _size(name: str, size: Syntax | None, text: str) -> Posynomial:
    """A size; one that is left out is a symbol of the same name."""
    return as_posynomial(dim(name)) if size is None else size_of(size, text)
