"""Reading a mesh: ``X=16 over ici, Y over ici*2, P=2 over dcn, Z(Z1=8, Z2=2) over ici(line)``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import InvalidValueError, NotationError, SymcostError
from symcost.model.collectives import networks
from symcost.model.mesh import ONE, Mesh, MeshAxis, as_mesh, cut
from symcost.notation import border
from symcost.symbols import dim

LIMIT = 2000  # characters
_AXIS = re.compile(
    r"\s*(?P<name>\w+)\s*(\((?P<parts>[^()]*)\)\s*)?(=(?P<size>.*?))?"
    r"(\s*\bover\s+(?P<link>[^\W\d]\w*)\s*(\((?P<how>[^()]*)\))?\s*(\*(?P<span>.*))?)?\s*\Z",
    re.DOTALL,
)


def mesh_of(given: object) -> Mesh:
    """A mesh from its text, a mesh, or a mapping of sizes.

    >>> mesh_of("X=16 over ici, Y over ici*2, P=2 over dcn")
    mesh X=16 over ici, Y over ici*2, P=2 over dcn

    Raises:
        NotationError: the text is not understood.
    """
    return read_mesh(given) if isinstance(given, str) else as_mesh(given)


def read_mesh(text: str) -> Mesh:
    """A mesh from its text, with the place of what is wrong."""
    if len(text) > LIMIT:
        raise NotationError(f"{len(text):,} characters are too many for a mesh")
    axes: list[MeshAxis] = []
    for start, part in _parts(text):
        try:
            axes += _axes(part)
            Mesh(*axes)
        except SymcostError as error:
            error.place = None
            blank = len(part) - len(part.lstrip())
            raise error.at(text, start + blank, max(1, len(part.strip()))) from None
    return Mesh(*axes)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """What stands between commas outside brackets."""
    depth = start = 0
    for place, char in enumerate(f"{text},"):
        depth += (char == "(") - (char == ")")
        if char == "," and depth <= 0:
            yield start, text[start:place]
            start = place + 1
    if start <= len(text):
        yield start, text[start:]


def _axes(part: str) -> list[MeshAxis]:
    found = _AXIS.match(part)
    if found is None or not found["name"].isidentifier():
        raise NotationError(
            f"{part.strip()!r} declares no mesh axis",
            repair="write mesh X=4, Y=2 over ici, Z over ici*2",
        )
    name = found["name"]
    sizes = dict(_sized(inner) for inner in (found["parts"] or "").split(",") if inner.strip())
    size = _number(found["size"] or name, name)
    if sizes and not found["size"]:
        size = ONE
        for each in sizes.values():
            size = size * each
    span = _number(found["span"], name) if found["span"] else ONE
    axis = MeshAxis(name, size, found["link"] or "", _network(found["how"]), span)
    return list(cut(axis, sizes)) if sizes else [axis]


def _sized(text: str) -> tuple[str, Posynomial]:
    name, _, size = (word.strip() for word in text.partition("="))
    if not name.isidentifier():
        raise NotationError(f"{text.strip()!r} names no part of a mesh axis", repair="write Y1=8")
    return name, _number(size or name, name)


def _network(text: str | None) -> str:
    name = (text or "").strip()
    return networks[name].name if name else ""


def _number(text: str, axis: str) -> Posynomial:
    """A size: a number or an expression of dimensions."""
    try:
        if "over" in text.split():
            raise NotationError("no link is named after over")
        size = as_posynomial(border.expression(text.strip()))
    except (InvalidValueError, SymcostError):
        raise NotationError(
            f"{text.strip()!r} is no size of the mesh axis {axis}",
            repair="write a whole number or a name, for example X=16",
        ) from None
    return size.substitute({atom: as_posynomial(dim(str(atom))) for atom in size.symbols})
