"""Mesh axes on several axes of the hardware, each of which a run takes as an axis of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from symcost.algebra import as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.errors import InvalidValueError
from symcost.model.mesh import Mesh, MeshAxis
from symcost.plans.regions import Place, number


class Laid:
    """The hardware under a mesh: ``X=16 over ici*2`` is a torus of 4 by 4 devices.

    >>> mesh = Mesh(MeshAxis("X", as_posynomial(16), span=as_posynomial(2)))
    >>> Laid(mesh, mesh.axes).mesh
    mesh X__1=4, X__2=4

    Args:
        mesh: the mesh.
        axes: those that are taken apart.
    """

    def __init__(self, mesh: Mesh, axes: Sequence[MeshAxis]) -> None:
        self.by_name = {axis.name: _parts(axis) if axis in axes else [axis] for axis in mesh.axes}
        self.mesh = Mesh(*(part for parts in self.by_name.values() for part in parts))

    def parts(self, axis: MeshAxis) -> list[MeshAxis]:
        """The axes of the hardware under one of the mesh."""
        return self.by_name[axis.name]

    def place(self, place: Place) -> Place:
        """Where a device of the mesh stands."""
        found: list[int] = []
        for index, parts in zip(place, self.by_name.values(), strict=True):
            left = []
            for part in reversed(parts):
                index, here = divmod(index, number(part.size))
                left.append(here)
            found += left[::-1]
        return tuple(found)

    def together(self, names: Iterable[str]) -> dict[str, list[str]]:
        """The axes of the hardware by the axis of the mesh that they are under."""
        whole = {part.name: name for name, parts in self.by_name.items() for part in parts}
        found: dict[str, list[str]] = {}
        for name in names:
            found.setdefault(whole.get(name, name), []).append(name)
        return found


def _parts(axis: MeshAxis) -> list[MeshAxis]:
    if axis.span == ONE or axis.whole:
        return [axis]
    count, size = number(axis.span), number(axis.size)
    side = round(size ** (1 / count))
    if side**count != size:
        raise InvalidValueError(
            f"{size} devices are no {count} equal axes of the hardware",
            repair=f"declare each as an axis of the mesh instead of {axis.name}",
        )
    part = replace(axis, size=as_posynomial(side), span=ONE)
    return [replace(part, name=f"{axis.name}__{n}") for n in range(1, count + 1)]
