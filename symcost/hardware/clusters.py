"""Clusters: how many chips there are, how they are joined level by level, and meshes on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from symcost.algebra.posynomial import ONE
from symcost.errors import InvalidValueError, NotationError
from symcost.hardware.catalogue import chip
from symcost.hardware.listing import DATA
from symcost.hardware.model import Chip
from symcost.notation.limits import located

if TYPE_CHECKING:
    from symcost.model.mesh import Mesh, MeshAxis

_TEXT = re.compile(
    r"\s*((?P<groups>\d{1,9})\s+(?P<word>[a-z]+)\s+of\s+)?(?P<count>\d{1,9})\s*[x×*]\s*(?P<chip>.+?)\s*\Z"
)
HOW = 'write "256 x tpu-v5p" or "32 nodes of 8 x h100"'


@dataclass(frozen=True, slots=True)
class Level:
    """One level: the chips of a node, rack or slice, or such groups among themselves.

    Args:
        name: what it is called; ``link``: the channel that joins its members.
        devices: how many chips it has at most; ``None`` for no limit.
        axes: of a torus, how many axes.
        wrap: an axis is closed to a ring when its size is a multiple of it.
        least: how many chips a slice has at least for that.
        source: a key of ``data/sources.toml``.
    """

    name: str
    link: str
    devices: int | None = None
    axes: int | None = None
    wrap: int | None = None
    least: int = 1
    source: str = ""


@dataclass(frozen=True, slots=True)
class Cluster:
    """So many chips of a kind with the links between them, the inner level first.

    >>> cluster("32 nodes of 8 x h100")
    Cluster(256 x h100-sxm, groups of 8)
    """

    chip: Chip
    count: int
    group: int
    levels: tuple[Level, ...]

    def __repr__(self) -> str:
        groups = f", groups of {self.group}" if self.group != self.count else ""
        return f"Cluster({self.count} x {self.chip.name}{groups})"

    def place(self, mesh: Mesh) -> Mesh:
        """The mesh on this cluster: every axis with its link, and a ring only where there is one.

        >>> from symcost.model.mesh import Mesh
        >>> cluster("16 x tpu-v5e").place(Mesh(X=4, Y=4))
        mesh X=4 over ici(line), Y=4 over ici(line)

        Raises:
            InvalidValueError: the mesh has another number of devices, an axis is longer than its
                level, or it is not clear on which level an axis lies.
        """
        from symcost.model.mesh import Mesh

        devices = mesh.devices
        if devices.is_constant and devices.as_fraction() != self.count:
            raise InvalidValueError(
                f"the mesh has {devices} devices and the cluster {self.count}",
                repair="give axes whose sizes multiply to the number of chips",
            )
        held = 1
        placed: list[MeshAxis] = []
        shown = repr(mesh)
        for axis in reversed(mesh.axes):
            size = int(axis.size.as_fraction()) if axis.size.is_constant else None
            start = next((m.start() for m in re.finditer(rf"\b{axis.name}\b", shown)), 0)
            with located(shown, start, start + len(axis.name)):
                level = self._level(axis, size, held)
            held *= size or 1
            made = replace(axis, link=level.link)
            if level.wrap and size is not None and not made.network:
                rings = size % level.wrap == 0 and self.group >= level.least
                made = made if rings else replace(made, network="line")
            placed.append(made)
        return Mesh(*(_apart(axis, placed) for axis in reversed(placed)))

    def _level(self, axis: MeshAxis, size: int | None, held: int) -> Level:
        """The level of an axis: the one of its link, or the first that has room for it."""
        if axis.link:
            named = next((level for level in self.levels if level.link == axis.link), None)
            if named is None:
                known = ", ".join(level.link for level in self.levels)
                raise InvalidValueError(
                    f"no {axis.link} joins {self.chip.title}", repair=f"its links are {known}"
                )
            return named
        if len(self.levels) == 1 or self.group == self.count:
            return self.levels[0]
        if size is None:
            raise InvalidValueError(
                f"over which link the mesh axis {axis.name} lies is not clear",
                repair=f"write {axis.name} over {self.levels[0].link}",
            )
        if held * size <= self.group:
            return self.levels[0]
        if held < self.group:
            raise InvalidValueError(
                f"the mesh axis {axis.name} crosses the border of a {self.levels[0].name}",
                repair=f"cut it, for example {axis.name}({axis.name}1={held * size // self.group}, "
                f"{axis.name}2={self.group // held})",
            )
        return self.levels[1]


def _apart(axis: MeshAxis, placed: Iterable[MeshAxis]) -> MeshAxis:
    """The axis; a part of one that was cut, where the parts lie on several links, is its own."""
    links = {each.link for each in placed if each.whole == axis.whole}
    return axis if len(links) == 1 else replace(axis, whole="", stride=ONE)


def is_cluster(text: str) -> bool:
    """Whether a text names several chips.

    >>> is_cluster("256 x tpu-v5p"), is_cluster("h100")
    (True, False)
    """
    return _TEXT.match(text) is not None


def chip_in(text: str) -> Chip:
    """The chip of a name or of given figures, or the one that a cluster has many of.

    >>> chip_in("8 x h100").name
    'h100-sxm'
    """
    return cluster(text).chip if is_cluster(text) else chip(text)


def cluster(text: str) -> Cluster:
    """Read a number of chips, ``"256 x tpu-v5p"`` or ``"32 nodes of 8 x h100"``.

    Raises:
        NotationError: the text is not of this form.
        UnknownNameError: no such chip.
        InvalidValueError: nothing is known of how such chips are joined, or a group is too large.
    """
    match = _TEXT.match(text)
    if match is None:
        raise NotationError(f"{text[:60]!r} names no cluster", repair=HOW)
    one = chip(match["chip"])
    levels = known_levels().get(one.name)
    if levels is None:
        raise InvalidValueError(
            f"nothing is known of how several {one.title} are joined",
            repair=f"known: {', '.join(sorted(known_levels()))}",
        )
    group, groups = int(match["count"]), int(match["groups"] or 1)
    if not group or not groups:
        raise InvalidValueError("a cluster has at least one chip", repair=HOW)
    most = levels[0].devices
    if most is not None and len(levels) == 1 and group * groups > most:
        raise InvalidValueError(
            f"how more than the {most} chips of a {levels[0].name} of {one.title} are joined is "
            "not known",
            repair=f'without a number of chips a mesh says it: --on {one.name} and "mesh P=2 over '
            f'dcn, X={most} over {levels[0].link}"',
        )
    if most is not None and group > most:
        if match["groups"] or group % most:
            raise InvalidValueError(
                f"a {levels[0].name} of {one.title} has {most} chips at most, not {group}",
                repair=f'write for example "{-(-group // most)} {levels[-1].name} of {most} x '
                f'{one.name}"',
            )
        group, groups = most, group // most
    return Cluster(one, group * groups, group, levels)


@lru_cache(maxsize=1)
def known_levels() -> Mapping[str, tuple[Level, ...]]:
    """The levels of each chip's clusters, by the name of the chip."""
    import tomllib

    files = [path.read_text("utf-8") for path in sorted(Path(DATA, "clusters").glob("*.toml"))]
    clusters = map(tomllib.loads, files)
    return {data["chip"]: tuple(Level(**each) for each in data["levels"]) for data in clusters}


def linked(mesh: Mesh, one: Chip) -> Mesh:
    """The mesh with the usual link of a chip for axes of which no link was said.

    >>> from symcost.model.mesh import Mesh
    >>> linked(Mesh(X=8), chip("h100"))
    mesh X=8 over nvlink
    """
    from symcost.model.mesh import Mesh

    levels = known_levels().get(one.name)
    if not levels or all(axis.link for axis in mesh.axes):
        return mesh
    first = levels[0].link
    return Mesh(*(axis if axis.link else replace(axis, link=first) for axis in mesh.axes))
