"""Building a graph in Python, step by step; the reader of programs builds with it as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import (
    DuplicateNameError,
    InvalidValueError,
    NotationError,
    ShapeError,
    UnknownNameError,
)
from symcost.model.data import Attrs, Op
from symcost.model.graph import ComputationGraph
from symcost.model.mesh_text import mesh_of
from symcost.model.ops import resolved
from symcost.model.sizes import parse_type
from symcost.model.tensors import ONE, Tensor, TensorType

if TYPE_CHECKING:
    import networkx

    from symcost.model.ledger import Ledger

TypeLike: TypeAlias = TensorType | str
TensorLike: TypeAlias = Tensor | str


class Options(TypedDict, total=False):
    """What a product takes besides its operands, as :meth:`Graph.op` does."""

    out: TypeLike | None
    name: str
    place: str
    origin: str
    compute: str


class Graph:
    """A computation graph that grows; :meth:`build` gives the finished, immutable one.

    >>> g = Graph("mlp")
    >>> x = g.input("x", "bf16[B, D]")
    >>> h = g.op("gelu", g.matmul(x, g.weight("w1", "int8[D, F]")))
    >>> y = g.output(g.matmul(h, g.weight("w2", "int8[F, D]")))
    >>> y.type, g.cost().flops("matmul")
    (bf16[B, D], 4*B*D*F)

    Args:
        name: what the graph is called.
        mesh: size of each mesh axis over which tensors are sharded.
    """

    def __init__(self, name: str = "", mesh: Mapping[str, object] | None = None) -> None:
        self.name = name
        self.mesh = mesh_of(mesh)
        self.tensors: dict[str, Tensor] = {}
        self._ops: list[Op] = []
        self._used: set[str] = set()
        self._anonymous = 0
        self._repeat: Posynomial = ONE
        self._inner: Posynomial = ONE  # repeats within the fused group
        self._group = ""
        self._groups: set[str] = set()
        self._place = ""
        self._resolved: dict[object, tuple[str, TensorType, Attrs]] = {}

    # -- tensors ------------------------------------------------------------------------

    def input(self, name: str, type: TypeLike, *, place: str = "") -> Tensor:
        """Declare an input, ``g.input("x", "bf16[B, D]")``."""
        return self.declare(name, type, "input", place)

    def weight(self, name: str, type: TypeLike, *, place: str = "") -> Tensor:
        """Declare a weight, ``g.weight("w", "int8[D, F]")``."""
        return self.declare(name, type, "weight", place)

    def output(self, tensor: TensorLike, *, place: str = "") -> Tensor:
        """Mark a tensor as an output: it is written even when a fused group uses it up."""
        name = tensor if isinstance(tensor, str) else tensor.name
        found = self._find(name, place) if place else self._get(name)
        if found.role == "intermediate":
            found = Tensor(found.name, found.type, "output", found.place)
            self.tensors[found.name] = found
        return found

    def declare(self, name: str, type: TypeLike, role: str, place: str = "") -> Tensor:
        """Add a tensor; an empty name gives a hidden one."""
        if name in self.tensors:
            raise DuplicateNameError(
                f"the tensor {name} exists already", repair="give each tensor its own name"
            )
        made = Tensor(name or self._fresh(), self.as_type(type), role, place or self._place)
        self.tensors[made.name] = made
        return made

    def as_type(self, type: TypeLike) -> TensorType:
        """A type, read from text if it is one."""
        if isinstance(type, TensorType):
            return type
        return parse_type(type, self.mesh.wholes)

    # -- operations ---------------------------------------------------------------------

    def op(
        self,
        kind: str,
        *tensors: TensorLike,
        out: TypeLike | None = None,
        name: str = "",
        place: str = "",
        origin: str = "",
        **attrs: object,
    ) -> Tensor:
        """Add an operation and return its result.

        >>> g = Graph()
        >>> g.op("softmax", g.input("S", "fp32[B, T]"), axis=-1).type
        fp32[B, T]

        Args:
            kind: name of the operation, ``"gelu"``, ``"softmax"``, ``"contract"``, ...
            tensors: the operands, or their names.
            out: type of the result; found by the operation's shape rule if not given.
            name: name of the result; a hidden one if not given.
            place: device on which it runs.
            origin: where it came from, for messages.
            attrs: parameters of the operation, such as ``axis``.

        Returns:
            The result.

        Raises:
            ShapeError: the operands do not fit.
            UnknownNameError: no such operation, tensor or parameter.
        """
        where = place or self._place
        inputs = tuple(self._find(tensor, where) for tensor in tensors)
        given = None if out is None else self.as_type(out)
        real, type, full = self._resolve(kind, inputs, attrs, given)
        return self._add(real, inputs, type, full, name, where, origin)

    def matmul(self, x: TensorLike, w: TensorLike, **options: Unpack[Options]) -> Tensor:
        """Multiply; the last dimension of ``x`` is summed with the one of that name in ``w``."""
        return self.op("contract", x, w, **options)

    def contract(self, *tensors: TensorLike, **options: Unpack[Options]) -> Tensor:
        """Multiply any number of tensors by name; what ``out`` lacks is summed."""
        return self.op("contract", *tensors, **options)

    def einsum(self, spec: str, *tensors: TensorLike, **options: Unpack[Options]) -> Tensor:
        """Multiply tensors as einsum's letters say, ``g.einsum("ab,bc->ac", x, w)``."""
        return self.op("contract", *tensors, spec=spec, **options)

    def send(
        self, tensor: TensorLike, to: str, over: str, *, source: str = "", origin: str = ""
    ) -> Tensor:
        """Copy a tensor to another device over a link; there the same name means the copy."""
        name = tensor if isinstance(tensor, str) else tensor.name
        found = self._find(name, source) if source else self._get(name)
        where = found.place or source or self._place
        if where == to:
            raise NotationError(f"{found.label} is on {to} already")
        attrs = (("over", over), ("to", to))
        copy = f"{found.name.partition('@')[0]}@{to}"
        return self._add("send", (found,), found.type, attrs, copy, where, origin, to)

    # -- scopes -------------------------------------------------------------------------

    @contextmanager
    def fused(self, name: str = "fused") -> Iterator[None]:
        """Keep what is produced and used up within the block on chip."""
        if self._group:
            raise NotationError(f"a fused group inside the fused group {self._group!r}")
        number = 1
        unique = name
        while unique in self._groups:
            number += 1
            unique = f"{name}_{number}"
        self._groups.add(unique)
        self._group = unique
        try:
            yield
        finally:
            self._group = ""

    @contextmanager
    def repeat(self, times: object) -> Iterator[None]:
        """Run the operations of the block so many times; a number or a symbol.

        Within a fused group only the arithmetic is repeated: what is read stays on chip.
        """
        factor = as_posynomial(times)
        if factor.is_constant and (
            factor.as_fraction() < 1 or factor.as_fraction().denominator > 1
        ):
            raise InvalidValueError(f"cannot repeat {factor} times", repair="repeat at least once")
        before = self._repeat, self._inner
        if self._group:
            self._inner = self._inner * factor
        else:
            self._repeat = self._repeat * factor
        try:
            yield
        finally:
            self._repeat, self._inner = before

    @contextmanager
    def on(self, place: str) -> Iterator[None]:
        """Run the operations of the block on a device."""
        before, self._place = self._place, place
        try:
            yield
        finally:
            self._place = before

    # -- results ------------------------------------------------------------------------

    def build(self) -> ComputationGraph:
        """The finished graph; a result that nothing uses is an output."""
        tensors = (
            Tensor(t.name, t.type, "output", t.place)
            if t.role == "intermediate" and t.name not in self._used
            else t
            for t in self.tensors.values()
        )
        _check_senders(self._ops, self.tensors)
        return ComputationGraph(tensors, self._ops, name=self.name, mesh=self.mesh)

    @property
    def digraph(self) -> networkx.DiGraph:
        """The networkx digraph of the graph as it is now."""
        return self.build().digraph

    def cost(self, count: str = "leading") -> Ledger:
        """The ledger of the graph as it is now."""
        return self.build().cost(count)

    # -- inside -------------------------------------------------------------------------

    def _add(
        self,
        kind: str,
        inputs: tuple[Tensor, ...],
        type: TensorType,
        attrs: Attrs,
        name: str,
        place: str,
        origin: str,
        holder: str = "",
    ) -> Tensor:
        if name in self.tensors:
            raise DuplicateNameError(
                f"the tensor {name} exists already", repair="give each result its own name"
            )
        made = Tensor(name or self._fresh(), type, "intermediate", holder or place)
        names = tuple([tensor.name for tensor in inputs])
        where = origin or f"operation {len(self._ops) + 1} of {self.name or 'the graph'}"
        self._ops.append(
            Op(
                kind,
                names,
                (made.name,),
                attrs,
                place,
                self._group,
                self._repeat,
                self._inner,
                where,
            )
        )
        self._used.update(names)
        self.tensors[made.name] = made
        return made

    def _resolve(
        self,
        kind: str,
        inputs: tuple[Tensor, ...],
        attrs: Mapping[str, object],
        given: TensorType | None,
    ) -> tuple[str, TensorType, Attrs]:
        """The shape rule's answer, remembered for operands of the same types."""
        frozen = tuple(sorted((key, frozen_value(value)) for key, value in attrs.items()))
        types = tuple([tensor.type for tensor in inputs])
        key = (kind, types, frozen, given)
        if key not in self._resolved:
            real, type, full = resolved(kind, types, dict(frozen), given, self.mesh)
            self._resolved[key] = (real, type, tuple(sorted(full.items())))
        return self._resolved[key]

    def find(self, tensor: TensorLike) -> Tensor:
        """The tensor of this name, or its copy on the place of the current block."""
        return self._find(tensor, self._place)

    def _find(self, tensor: TensorLike, place: str) -> Tensor:
        """The tensor, or its copy on the place where it is used."""
        name = tensor if isinstance(tensor, str) else tensor.name
        copy = self.tensors.get(f"{name}@{place}") if place else None
        found = copy or self._get(name)
        free = not found.place and found.role in ("input", "weight")
        if found.place != place and not free:
            raise NotationError(
                f"{found.label} is on {found.place or 'the unnamed device'}, "
                f"not on {place or 'the unnamed device'}",
                repair=f"send it first, for example send {name} to {place or 'gpu0'} over nvlink",
            )
        return found

    def _get(self, name: str) -> Tensor:
        found = self.tensors.get(name)
        if found is None:
            known = ", ".join(n for n in list(self.tensors)[:20] if n[0] != "_") or "none"
            raise UnknownNameError(
                f"unknown tensor {name!r}",
                repair=f"declare it, for example {name}: bf16[B, D] (declared: {known})",
            )
        return found

    def _fresh(self) -> str:
        """The next hidden name that is not taken."""
        while True:
            self._anonymous += 1
            if f"_{self._anonymous}" not in self.tensors:
                return f"_{self._anonymous}"


def _check_senders(ops: Iterable[Op], tensors: Mapping[str, Tensor]) -> None:
    """An input that is on no device is sent by the one unnamed device, if there is but one more.

    Where several devices take part, each would send its own, over its own port.
    """
    sends = [op for op in ops if op.kind == "send" and not op.place]
    loose = [op for op in sends if tensors[op.inputs[0]].role in ("input", "weight")]
    if not loose:
        return
    named = {op.place for op in ops} | {t.place for t in tensors.values()}
    if len(named - {""}) > 1:
        name, to = loose[0].inputs[0], dict(loose[0].attrs)["to"]
        raise NotationError(
            f"{tensors[name].label} is on no device, so that it is not clear who sends it",
            repair=f"say where it is, {name}: {tensors[name].type} on gpu0, or write "
            f"send {name} from gpu0 to {to} over {dict(loose[0].attrs)['over']}",
        )


def frozen_value(value: object) -> object:
    """A parameter as hashable data: tuples, texts, ints, and posynomials for expressions."""
    if isinstance(value, list | tuple):
        return tuple(frozen_value(each) for each in value)
    if isinstance(value, str):
        return value
    try:
        size = as_posynomial(value)
    except InvalidValueError:
        raise ShapeError(f"{value!r} is no value for a parameter") from None
    whole = size.is_constant and size.as_fraction().denominator == 1
    return int(size.as_fraction()) if whole else size
