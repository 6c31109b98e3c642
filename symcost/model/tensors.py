"""Tensors: a type is a dtype and a shape of exact sizes, with an optional sharding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from weakref import WeakValueDictionary

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import InvalidValueError, ShapeError
from symcost.model.dtypes import DType
from symcost.model.dtypes import dtype as as_dtype
from symcost.model.layouts import (
    Layout,
    Partial,
    Sharding,
    check_layout,
    local_shape,
    partial_text,
)
from symcost.model.mesh import as_mesh
from symcost.notation.slips import guarded
from symcost.registry import Immutable
from symcost.render.shown import Typed
from symcost.symbols import rate

ONE = as_posynomial(1)
MAX_RANK = 64
ROLES = ("input", "weight", "intermediate", "output")


_SLOTS = ("dtype", "shape", "sharding", "partial")


class TensorType(Immutable, Typed):
    """A dtype and a shape; equal types are one object, so that comparing them is cheap.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> kind = TensorType("bf16", (B, D / 2))
    >>> kind, kind.size, kind.bytes
    (bf16[B, D/2], B*D/2, B*D)
    >>> kind is TensorType("bfloat16", (B, D / 2))
    True

    Args:
        dtype: a data type or its name.
        shape: the size of each axis: ints, sympy expressions or posynomials.
        sharding: per axis the names of the mesh axes over which it is split.
        partial: pairs of a mesh axis over which the values are partial and how they become whole,
            ``("X", "sum")``.

    Raises:
        ShapeError: a size that is no positive whole number, a symbolic size that occurs twice,
            or a mesh axis that is used twice.
    """

    __slots__ = ("__weakref__", "_bytes", "_size", *_SLOTS)

    dtype: DType
    shape: tuple[Posynomial, ...]
    sharding: Sharding
    partial: Partial
    _size: Posynomial | None  # found when somebody asks, then always the same object
    _bytes: Posynomial | None

    @guarded
    def __new__(
        cls,
        dtype: DType | str,
        shape: Iterable[object] = (),
        sharding: Sharding | None = None,
        partial: Partial = (),
    ) -> TensorType:
        kind = as_dtype(dtype)
        sizes = tuple(as_posynomial(size) for size in shape)
        split = sharding if sharding and any(sharding) else ((),) * len(sizes)
        known = _types.get((kind, sizes, split, partial))
        if known is not None:
            return known
        _check_axes(split, partial)
        _check_sharding(split, sizes)
        check_layout(Layout(split, partial))
        _check_sizes(kind, sizes)
        return cls._made((kind, sizes, split, partial))

    @classmethod
    def _made(cls, key: Key) -> TensorType:
        """The type of these parts, which were checked or follow from some that were."""
        if (known := _types.get(key)) is not None:
            return known
        self = object.__new__(cls)
        self._set(**dict(zip(_SLOTS, key, strict=True)), _size=None, _bytes=None)
        return _types.setdefault(key, self)

    def __reduce__(self) -> tuple[object, ...]:
        return TensorType._made, ((self.dtype, self.shape, self.sharding, self.partial),)

    @property
    def size(self) -> Posynomial:
        """Number of values, over all devices."""
        if self._size is None:
            object.__setattr__(self, "_size", Posynomial.product(self.shape))
        assert self._size is not None
        return self._size

    @property
    def bytes(self) -> Posynomial:
        """Size in bytes, over all devices; exact, so a half byte is possible."""
        if self._bytes is None:
            self._set(_bytes=self.size * bytes_per_value(self.dtype))
        assert self._bytes is not None
        return self._bytes

    @property
    def rank(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @classmethod
    def held(cls, kind: TensorType, shape: tuple[Posynomial, ...]) -> TensorType:
        """The part that a device holds, of a shape that follows from the whole's."""
        return cls._made((kind.dtype, shape, ((),) * len(shape), ()))

    @property
    def layout(self) -> Layout:
        """How it lies on the mesh."""
        return Layout(self.sharding, self.partial)

    @property
    def is_sharded(self) -> bool:
        """Whether some axis is split over a mesh, or the values are partial."""
        return any(self.sharding) or bool(self.partial)

    def laid(self, layout: Layout | None) -> TensorType:
        """The same type with another layout; without one every device has all of it."""
        if layout is None:
            return TensorType(self.dtype, self.shape)
        return TensorType(self.dtype, self.shape, layout.dims, layout.partial)

    def of_dtype(self, dtype: DType) -> TensorType:
        """The same type with values of another size."""
        return TensorType(dtype, self.shape, self.sharding, self.partial)

    def __repr__(self) -> str:
        return f"{self.dtype}[{shape_text(self)}]{partial_text(self.partial)}"


Key = tuple[DType, tuple[Posynomial, ...], Sharding, Partial]
_types: WeakValueDictionary[Key, TensorType]
_types = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class Tensor(Typed):
    """A named tensor of a graph: its type, its role and, if it is tied to one, its place.

    >>> Tensor("W", TensorType("int8", (8, 8)), "weight").bytes
    64

    ``role`` is ``"input"``, ``"weight"``, ``"intermediate"`` or ``"output"``. An input or
    weight without a place is present wherever it is used; one that a repeated block declares is
    there ``repeat`` times, once for each run of the block.
    """

    name: str
    type: TensorType
    role: str = "input"
    place: str = ""
    repeat: Posynomial = field(default=ONE, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.role, str) or self.role not in ROLES:
            raise InvalidValueError(
                f"{self.role!r} is no role", repair=f"roles are {', '.join(ROLES)}"
            )
        if not isinstance(self.name, str) or not isinstance(self.place, str):
            raise InvalidValueError(
                f"{self.name!r} on {self.place!r} is no tensor", repair="give both names as texts"
            )
        if not isinstance(self.type, TensorType):
            raise InvalidValueError(
                f"{self.type!r} is no type of a tensor", repair='write sc.TensorType("bf16", (8,))'
            )

    @property
    def dtype(self) -> DType:
        """Data type of the values."""
        return self.type.dtype

    @property
    def shape(self) -> tuple[Posynomial, ...]:
        """Size of each axis."""
        return self.type.shape

    @property
    def size(self) -> Posynomial:
        """Number of values."""
        return self.type.size

    @property
    def bytes(self) -> Posynomial:
        """Size in bytes."""
        return self.type.bytes

    @property
    def is_anonymous(self) -> bool:
        """Whether the name is a hidden one such as ``_1``."""
        name = self.name.partition("@")[0]
        return name[:1] == "_" and name[1:].isdigit()

    @property
    def label(self) -> str:
        """What a reader calls the tensor: its name (also of a copy), or its type if it has none."""
        return repr(self.type) if self.is_anonymous else self.name.partition("@")[0]


def bytes_per_value(kind: DType) -> Posynomial:
    """Size of one value in bytes: a fraction, or the symbol of a symbolic dtype.

    >>> bytes_per_value(as_dtype("int4")), bytes_per_value(as_dtype("w"))
    (1/2, w)
    """
    if kind.bits is None:
        return as_posynomial(rate(kind.name))
    return as_posynomial(Fraction(kind.bits) / 8)


def per_device(kind: TensorType, mesh: Mapping[str, Posynomial]) -> TensorType:
    """The part of a sharded tensor that one device holds.

    >>> from symcost.symbols import dim
    >>> whole = TensorType("bf16", (dim("I"), 8), (("X",), ()))
    >>> per_device(whole, {"X": as_posynomial(4)})
    bf16[I/4, 8]
    """
    if not kind.is_sharded:
        return kind
    shape = local_shape(kind.shape, kind.layout, as_mesh(mesh))
    return TensorType.held(kind, shape)


def widest(kinds: Iterable[DType]) -> DType:
    """The dtype in which mixed operands are computed: floats before ints, then the most bits.

    >>> str(widest([as_dtype("int8"), as_dtype("bf16")]))
    'bf16'
    """
    rank = {"any": 0, "bool": 1, "int": 2, "float": 3}
    return max(kinds, key=lambda kind: (rank.get(kind.kind, 3), kind.bits or 0))


def shape_text(kind: TensorType) -> str:
    """The sizes as a program writes them, ``I_X, J`` for an axis that is split."""
    return ", ".join(
        f"{size}_{''.join(axes)}" if axes else f"{size}"
        for size, axes in zip(kind.shape, kind.sharding, strict=True)
    )


def _check_sizes(kind: DType, sizes: tuple[Posynomial, ...]) -> None:
    seen: set[Posynomial] = set()
    for size in sizes:
        if size.is_constant:
            _check_number(size.as_fraction())
        elif size in seen:
            raise _repeated(kind, size)
        elif all(coefficient < 0 for coefficient in size.terms.values()):
            raise ShapeError(f"the size {size} is negative", repair="a size is at least 1")
        seen.add(size)


def _check_number(value: Fraction) -> None:
    if value < 1 or value.denominator != 1:
        raise ShapeError(
            f"{value} is no size of an axis", repair="a size is a whole number, at least 1"
        )


def _repeated(kind: DType, size: Posynomial) -> ShapeError:
    other = chr(ord(str(size)) + 1) if str(size) in "ABCDEFGHIJKLMNOPQRSTUVWXY" else f"{size}2"
    if not other.isidentifier():
        other = "E"
    return ShapeError(
        f"the dimension {size} occurs twice in one tensor",
        repair=f"name the two axes apart, for example {kind}[{size}, {other}], "
        f"and assume {other} = {size}",
    )


def _check_axes(split: Sharding, partial: Partial) -> None:
    for row in (*split, *partial):
        named = isinstance(row, tuple) and all(isinstance(text, str) for text in row)
        if not named or (row in partial and len(row) != 2):
            raise ShapeError(
                "a layout names the mesh axes of each dimension, and pairs for partial values",
                repair='write (("X",), ()), and (("Y", "sum"),)',
            )


def _check_sharding(split: Sharding, sizes: tuple[Posynomial, ...]) -> None:
    if len(sizes) > MAX_RANK:
        raise ShapeError(f"a tensor of {len(sizes)} axes has too many; at most {MAX_RANK}")
    if len(split) != len(sizes):
        raise ShapeError(f"a sharding of {len(split)} axes does not fit {len(sizes)} axes")
