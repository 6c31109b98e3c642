"""Meshes: named axes of devices, each with a size and the link that joins its devices.

An axis may span several hardware axes (``ici*2``) and may be cut into sub-axes, of which the
first strides over the later ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.errors import DuplicateNameError, InvalidValueError, NotationError, UnknownNameError
from symcost.model.collectives.networks import networks
from symcost.model.links import DEFAULT_LINK, MEMORIES, NETWORK_OF, SLOW
from symcost.notation.slips import guarding
from symcost.registry import Immutable
from symcost.render.shown import Typed
from symcost.symbols import dim

MAX_AXES = 16


@dataclass(frozen=True, slots=True)
class MeshAxis:
    """One axis of a mesh.

    >>> axis = MeshAxis("X", as_posynomial(16), "ici")
    >>> axis, axis.channel
    (X=16 over ici, 'ici[X]')

    Args:
        name: what layouts call it.
        size: how many devices it has.
        link: the channel that joins them, ``"ici"``, ``"nvlink"``, ...; ``""`` if it was not said.
        network: how they are joined, a registered network; ``""`` for what is usual for the link.
        span: how many hardware axes it lies on.
        whole: of a sub-axis, the axis that it is a part of; ``stride``: how many places its
            neighbours are apart on that axis; ``extent``: how many devices that one has.
    """

    name: str
    size: Posynomial
    link: str = ""
    network: str = ""
    span: Posynomial = ONE
    whole: str = ""
    stride: Posynomial = ONE
    extent: Posynomial = ONE

    def __post_init__(self) -> None:
        for what in ("size", "span", "stride", "extent"):
            object.__setattr__(self, what, _size(getattr(self, what)))
        for what in ("name", "link", "network", "whole"):
            if not isinstance(getattr(self, what), str):
                raise InvalidValueError(
                    f"{getattr(self, what)!r} is no {what} of a mesh axis", repair="give a text"
                )

    @property
    def over(self) -> str:
        """The link, or the usual one."""
        return self.link or DEFAULT_LINK

    @property
    def counted(self) -> str:
        """The network that its rate counts: the one that was said, or what the link usually is."""
        return self.network or NETWORK_OF.get(self.over, "switch")

    @property
    def joined(self) -> str:
        """The network of its devices: neighbours that are a part of a ring are a line."""
        part = self.counted == "ring" and self.whole and self.size != self.extent
        return "line" if part and self.stride == ONE else self.counted

    @property
    def channel(self) -> str:
        """The resource that carries its traffic; axes behind one switch share it."""
        usual = self.counted == NETWORK_OF.get(self.over, "switch")
        how = "" if usual else f"({self.counted})"
        own = "" if self.is_shared else f"[{self.whole or self.name}]"
        return f"{self.over}{how}{own}"

    @property
    def is_shared(self) -> bool:
        """Whether all axes on this link leave a device through one port, as into a switch."""
        return networks[self.counted].shared

    @property
    def is_slow(self) -> bool:
        """Whether it lies between nodes, so that it should carry shards rather than wholes."""
        return self.over in SLOW

    def __repr__(self) -> str:
        size = "" if self.size == as_posynomial(dim(self.name)) else f"={self.size}"
        over = f" over {self.link}" if self.link else ""
        how = f"({self.network})" if self.network and self.link else ""
        times = "" if self.span == ONE else f"*{self.span}"
        return f"{self.name}{size}{over}{how}{times}"


@guarding
class Mesh(Immutable, Typed, Mapping[str, Posynomial]):
    """Axes of devices in order; as a mapping, the size of each axis by name. Immutable.

    >>> mesh = Mesh(X=16, Y="Y")
    >>> mesh, mesh.devices, dict(mesh)
    (mesh X=16, Y, 16*Y, {'X': 16, 'Y': Y})

    ``usual`` are numbers at which the ways of an operation are compared, by the name of a size.

    Args:
        axes: axes with all that is known of them.
        sizes: further axes by name: a number, a symbol or its name.

    Raises:
        DuplicateNameError: two axes of one name.
        InvalidValueError: a size that is no positive whole number, or too many axes.
    """

    __slots__ = ("axes", "usual")
    axes: tuple[MeshAxis, ...]
    usual: tuple[tuple[str, int], ...]

    def __init__(self, *axes: MeshAxis, **sizes: object) -> None:
        every = (*axes, *(MeshAxis(name, _size(size)) for name, size in sizes.items()))
        names = [axis.name for axis in every]
        for axis in every:
            _check(axis)
            if names.count(axis.name) > 1:
                raise DuplicateNameError(f"the mesh axis {axis.name} is declared twice")
        if len(every) > MAX_AXES:
            raise InvalidValueError(f"a mesh of {len(every)} axes; at most {MAX_AXES}")
        self._set(axes=every, usual=())

    def compared_at(self, numbers: Mapping[str, int]) -> Mesh:
        """The same mesh, on which ways are compared at these sizes."""
        made = Mesh(*self.axes)
        made._set(usual=tuple(numbers.items()))
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Mesh, self.axes

    def __getitem__(self, name: str) -> Posynomial:
        return self.axis(name).size

    def __iter__(self) -> Iterator[str]:
        return (axis.name for axis in self.axes)

    def __len__(self) -> int:
        return len(self.axes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mesh):
            return (self.axes, self.usual) == (other.axes, other.usual)
        return dict(self) == other

    def __hash__(self) -> int:
        return hash((self.axes, self.usual))

    def __repr__(self) -> str:
        return f"mesh {mesh_text(self)}"

    @property
    def devices(self) -> Posynomial:
        """How many devices there are."""
        return self.count(self)

    def axis(self, name: str) -> MeshAxis:
        """The axis of this name.

        Raises:
            UnknownNameError: there is none.
        """
        for axis in self.axes:
            if axis.name == name:
                return axis
        known = ", ".join(self) or "none"
        raise UnknownNameError(f"the mesh has no axis {name}", repair=f"its axes are {known}")

    def count(self, names: Iterable[str]) -> Posynomial:
        """The number of devices along some axes together."""
        return Posynomial.product(self[name] for name in names)

    def expanded(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names with every cut axis replaced by its parts, the major one first."""
        parts = {axis.whole: () for axis in self.axes if axis.whole}
        by_whole = {
            whole: tuple(axis.name for axis in self.axes if axis.whole == whole) for whole in parts
        }
        return tuple(part for name in names for part in by_whole.get(name, (name,)))

    @property
    def wholes(self) -> tuple[str, ...]:
        """Names that a layout may use: the axes, and those that were cut into parts."""
        return (*self, *dict.fromkeys(axis.whole for axis in self.axes if axis.whole))


def as_mesh(given: object) -> Mesh:
    """A mesh from a mesh, a mapping of sizes, or nothing.

    >>> as_mesh({"X": 4, "Y": "n"})
    mesh X=4, Y=n
    """
    if isinstance(given, Mesh):
        return given
    if given is None:
        return Mesh()
    if isinstance(given, Mapping):
        return Mesh(**{str(name): size for name, size in given.items()})
    raise InvalidValueError(f"{given!r} is no mesh", repair="write for example sc.Mesh(X=4, Y=2)")


def cut(axis: MeshAxis, parts: Mapping[str, object]) -> tuple[MeshAxis, ...]:
    """The sub-axes of an axis, the major one first.

    >>> cut(MeshAxis("Y", as_posynomial(16), "ici"), {"Y1": 8, "Y2": 2})
    (Y1=8 over ici, Y2=2 over ici)

    Raises:
        InvalidValueError: the sizes of the parts do not multiply to that of the axis.
    """
    sizes = [_size(size) for size in parts.values()]
    if Posynomial.product(sizes) != axis.size:
        product = "*".join(f"{size}" for size in sizes)
        raise InvalidValueError(
            f"the parts of {axis.name} have {product} devices, not {axis.size}",
            repair="the sizes of the parts multiply to that of the axis",
        )
    made = []
    for number, (name, size) in enumerate(zip(parts, sizes, strict=True)):
        stride = Posynomial.product(sizes[number + 1 :])
        part = replace(axis, name=name, size=size, whole=axis.name, stride=stride)
        made.append(replace(part, extent=axis.size))
    return tuple(made)


def axes_named(words: Iterable[str], mesh: Mesh) -> tuple[str, ...]:
    """The axes that stand behind ``@``, in a partial sign or as ``over``: ``X``, ``XY``, ..."""
    named: list[str] = []
    for word in words:
        axes = axes_in(word, mesh)
        if not axes:
            raise NotationError(f"{word} is no axis of the mesh", repair=declare_it([word], mesh))
        named += axes
    return tuple(named)


def declare_it(axes: Iterable[str], mesh: Mesh) -> str:
    """The repair where axes are meant that the mesh does not have."""
    known = f"its axes are {', '.join(mesh.wholes)}; " if mesh else ""
    return f"{known}declare it, mesh {', '.join(f'{axis}=4' for axis in axes)}"


def axes_in(suffix: str, mesh: Mesh) -> tuple[str, ...]:
    """The mesh axes whose names make up the suffix, a cut one by its parts; none if they do not.

    Raises:
        NotationError: the suffix can be cut into names in two ways.
    """
    ways = _cuts(suffix, mesh.wholes)
    if len(ways) > 1:
        first, second = (", ".join(way) for way in ways[:2])
        raise NotationError(
            f"_{suffix} may mean the axes {first} or {second}",
            repair=f"write I@({first}) or I@({second})",
        )
    return mesh.expanded(ways[0]) if ways else ()


def _cuts(suffix: str, axes: Sequence[str]) -> list[tuple[str, ...]]:
    """The first two ways to cut a suffix into names."""
    ends: list[list[tuple[str, ...]]] = [[()], *([] for _ in suffix)]
    for end in range(1, len(suffix) + 1):
        for axis in dict.fromkeys(axes):
            if suffix[:end].endswith(axis):
                ends[end] += [(*way, axis) for way in ends[end - len(axis)]]
        del ends[end][2:]
    return ends[-1] if suffix else []


def mesh_text(mesh: Mesh) -> str:
    """The axes as a program declares them; a cut axis with its parts in brackets."""
    words = []
    for axis in mesh.axes:
        if not axis.whole:
            words.append(repr(axis))
        elif not any(word.startswith(f"{axis.whole}(") for word in words):
            parts = [part for part in mesh.axes if part.whole == axis.whole]
            inner = ", ".join(f"{part.name}={part.size}" for part in parts)
            over = repr(replace(axis, size=as_posynomial(dim(axis.name))))[len(axis.name) :]
            words.append(f"{axis.whole}({inner}){over}")
    return ", ".join(words)


def _size(given: object) -> Posynomial:
    return as_posynomial(dim(given) if isinstance(given, str) else given)


def _check(axis: MeshAxis) -> None:
    if not axis.name.isidentifier():
        raise NotationError(f"{axis.name!r} is no name for a mesh axis", repair="write mesh X=4")
    if axis.over in MEMORIES:
        raise InvalidValueError(
            f"{axis.over} is the main memory of one device and joins none",
            repair="name a link, as mesh X=4 over ici",
        )
    for what, size in (("size", axis.size), ("number of hardware axes", axis.span)):
        number = size.as_fraction() if size.is_constant else None
        if number is not None and (number < 1 or number.denominator != 1):
            raise InvalidValueError(
                f"the {what} of the mesh axis {axis.name} is {number}",
                repair="give a whole number, at least 1",
            )
