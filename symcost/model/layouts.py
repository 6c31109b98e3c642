"""Layouts: over which mesh axes each dimension of a tensor is split, and what is still partial.

A dimension is split over its axes in order, the first the major one. Over an axis that is
partial every device holds a whole-shaped addend (or candidate, for a maximum).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import ShapeError
from symcost.model.collectives.networks import rounded_up
from symcost.model.mesh import Mesh

Sharding = tuple[tuple[str, ...], ...]
Partial = tuple[tuple[str, str], ...]  # axis and operation ("sum", "max"), sorted by axis

PARTIAL_SIGNS = {"sum": "U", "max": "max", "min": "min"}
USUAL_SIZE = 2**20  # what a symbolic dimension is taken to be where ways are compared
USUAL_AXIS = 16  # and a symbolic mesh axis


@dataclass(frozen=True, slots=True)
class Layout:
    """How a tensor lies on a mesh.

    >>> Layout((("X", "Y"), ()), (("Z", "sum"),))
    [_XY, _]{U_Z}

    Args:
        dims: for each dimension the axes that split it.
        partial: the axes over which it is partial, each with its operation.
    """

    dims: Sharding
    partial: Partial = ()

    def __repr__(self) -> str:
        inner = ", ".join("_" + "".join(axes) for axes in self.dims)
        return f"[{inner}]{partial_text(self.partial)}"

    @property
    def axes(self) -> tuple[str, ...]:
        """Every axis that it names."""
        return (*(axis for axes in self.dims for axis in axes), *(axis for axis, _ in self.partial))


def whole(rank: int) -> Layout:
    """The layout of a tensor that every device has."""
    return Layout(((),) * rank)


def alike(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """With how many of the same axes two dimensions begin."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((n for n, (x, y) in pairs if x != y), min(len(a), len(b)))


def partial_text(partial: Partial) -> str:
    """``{U_XY}`` for partial sums over X and Y, ``{max_X}`` for partial maxima."""
    by_operation: dict[str, str] = {}
    for axis, operation in partial:
        by_operation[operation] = by_operation.get(operation, "") + axis
    return "".join(f"{{{PARTIAL_SIGNS[kind]}_{axes}}}" for kind, axes in by_operation.items())


def check_layout(layout: Layout) -> None:
    """Refuse a mesh axis that a tensor uses twice."""
    for axis in layout.axes:
        if layout.axes.count(axis) > 1:
            raise ShapeError(
                f"the mesh axis {axis} splits one tensor twice",
                repair="a mesh axis may split one axis of a tensor",
            )


def local_shape(shape: Sequence[Posynomial], layout: Layout, mesh: Mesh) -> tuple[Posynomial, ...]:
    """The shape that one device holds, the largest; a number that does not divide is rounded up.

    The parts of a part are rounded up again, so that gathering one axis gives a split over the
    others.

    >>> local_shape([as_posynomial(10)], Layout((("X",),)), Mesh(X=8))
    (2,)
    """
    sizes = []
    for size, axes in zip(shape, layout.dims, strict=True):
        for axis in axes:
            size = rounded_up(size / mesh[axis])
        sizes.append(size)
    return tuple(sizes)


def replicas(layout: Layout, mesh: Mesh) -> Posynomial:
    """How many devices hold the same values."""
    return mesh.count(axis for axis in mesh if axis not in layout.axes)


def conditions(
    shape: Sequence[Posynomial], layout: Layout, mesh: Mesh
) -> tuple[tuple[Posynomial, Posynomial], ...]:
    """Pairs of which the first must divide the second for the shards to be even."""
    pairs = []
    for size, axes in zip(shape, layout.dims, strict=True):
        count = mesh.count(axes)
        if axes and not _divides(count, size):
            pairs.append((count, size))
    return tuple(pairs)


def _divides(count: Posynomial, size: Posynomial) -> bool:
    """Whether it is plain from the expression, as 2*X divides 4*X*B."""
    coefficients = (size / count).terms.values()
    powers = [power for term in (size / count).terms for _, power in term]
    return all(Fraction(c).denominator == 1 for c in coefficients) and all(
        power >= 0 for power in powers
    )


def usual_size(size: Posynomial, mesh: Mesh) -> int:
    """A number for a size where ways are compared: what is given, or a usual one.

    Mesh axes usually have 16 devices, other sizes are 2**20.
    """
    if size.is_constant:
        return int(size.as_fraction())
    usual = dict.fromkeys(map(str, size.atoms), USUAL_SIZE)
    usual |= {str(atom): USUAL_AXIS for axis in mesh.axes for atom in axis.size.atoms}
    usual |= mesh.usual
    value = size.substitute({atom: as_posynomial(usual[str(atom)]) for atom in size.atoms})
    return max(1, round(value.as_fraction())) if value.is_constant else USUAL_SIZE
