"""Building a graph in Python, step by step; the reader of programs builds with it as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypedDict, Unpack

from symcost.algebra import Posynomial
from symcost.errors import (
    DuplicateNameError,
    InvalidValueError,
    NotationError,
    UnknownNameError,
)
from symcost.model.data import Attrs, Op, frozen_value, times_of
from symcost.model.graph import ComputationGraph
from symcost.model.mesh_text import mesh_of
from symcost.model.ops import resolved
from symcost.model.sizes import parse_type
from symcost.model.tensors import ONE, Tensor, TensorType
from symcost.notation.slips import guarding
from symcost.render.shown import Typed

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


class Scope(NamedTuple):
    """What the blocks around a statement say of it: its device, its group, how often it runs."""

    place: str = ""
    group: str = ""
    repeat: Posynomial = ONE
    inner: Posynomial = ONE  # within one run of the fused group


@guarding
class Graph(Typed):
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
        self.scope = Scope()
        self._groups: set[str] = set()
        self._resolved: dict[object, tuple[str, TensorType, Attrs]] = {}

    def __repr__(self) -> str:
        return repr(self.build())

    # -- tensors ------------------------------------------------------------------------

    def input(self, name: str, type: TypeLike, *, place: str = "") -> Tensor:
        """Declare an input, ``g.input("x", "bf16[B, D]")``."""
        return self.declare(name, type, "input", place)

    def weight(self, name: str, type: TypeLike, *, place: str = "") -> Tensor:
        """Declare a weight, ``g.weight("w", "int8[D, F]")``."""
        return self.declare(name, type, "weight", place)

    def output(self, tensor: TensorLike, *, place: str = "") -> Tensor:
        """Mark a tensor as an output: it is written even when a fused group uses it up."""
        held = self.find(tensor, place) if place else self._get(_name_of(tensor))
        if held.role == "intermediate":
            held = replace(held, role="output")
            self.tensors[held.name] = held
        return held

    def declare(self, name: str, type: TypeLike, role: str, place: str = "") -> Tensor:
        """Add a tensor, with a hidden name if it has none; each run of a repeat has its own."""
        name, place = name or self._fresh(), place or self.scope.place
        return self.hold(Tensor(name, self.as_type(type), role, place, self.scope.repeat))

    def hold(self, tensor: Tensor, what: str = "tensor") -> Tensor:
        """Add a tensor that was made elsewhere."""
        if tensor.name in self.tensors:
            raise DuplicateNameError(
                f"the tensor {tensor.name} exists already", repair=f"give each {what} its own name"
            )
        self.tensors[tensor.name] = tensor
        return tensor

    def superseded(self, name: str) -> Tensor:
        """The tensor of this name under a hidden one, as another layout of it takes the name."""
        names = (f"{name}@before{number or ''}" for number in count())
        hidden = next(each for each in names if each not in self.tensors)
        self.tensors = {
            key if key != name else hidden: tensor if key != name else replace(tensor, name=hidden)
            for key, tensor in self.tensors.items()
        }
        swap = {name: hidden}
        self._ops = [
            replace(
                op,
                inputs=tuple([swap.get(each, each) for each in op.inputs]),
                outputs=tuple([swap.get(each, each) for each in op.outputs]),
            )
            for op in self._ops
        ]
        self._used = {swap.get(each, each) for each in self._used}
        return self.tensors[hidden]

    def as_type(self, type: TypeLike) -> TensorType:
        """A type, read from text if it is one."""
        if isinstance(type, TensorType):
            return type
        return parse_type(type, self.mesh)

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
        return self.add(kind, tensors, attrs, out, name, place, origin)

    def add(
        self,
        kind: str,
        tensors: Iterable[TensorLike],
        attrs: Mapping[str, object],
        out: TypeLike | None = None,
        name: str = "",
        place: str = "",
        origin: str = "",
    ) -> Tensor:
        """The same as :meth:`op` with parameters of any name."""
        where = place or self.scope.place
        inputs = tuple(self.find(tensor, where) for tensor in tensors)
        real, type, full = self.resolve(kind, inputs, attrs, out)
        holder = str(dict(full)["to"]) if real == "send" else where
        made = self.hold(Tensor(name or self._fresh(), type, "intermediate", holder), "result")
        names = tuple([tensor.name for tensor in inputs])
        origin = origin or f"operation {len(self._ops) + 1} of {self.name or 'the graph'}"
        scope = self.scope
        blocks = (scope.group, scope.repeat, scope.inner)
        self.append(Op(real, names, (made.name,), full, where, *blocks, origin))
        return made

    def append(self, op: Op) -> None:
        """Add an operation whose tensors are there."""
        self._ops.append(op)
        self._used.update(op.inputs)

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
        held = self.find(tensor, source) if source else self._get(_name_of(tensor))
        where = held.place or source or self.scope.place
        if where == to:
            raise NotationError(f"{held.label} is on {to} already")
        copy = f"{held.name.partition('@')[0]}@{to}"
        return self.add("send", (held,), {"over": over, "to": to}, None, copy, where, origin)

    # -- scopes -------------------------------------------------------------------------

    @contextmanager
    def within(self, scope: Scope) -> Iterator[None]:
        """Run the operations of the block as a scope says."""
        before, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = before

    def fused(self, name: str = "fused") -> AbstractContextManager[None]:
        """Keep what is produced and used up within the block on chip."""
        if self.scope.group:
            raise NotationError(f"a fused group inside the fused group {self.scope.group!r}")
        number, unique = 1, name
        while unique in self._groups:
            number += 1
            unique = f"{name}_{number}"
        self._groups.add(unique)
        return self.within(self.scope._replace(group=unique))

    def repeat(self, times: object) -> AbstractContextManager[None]:
        """Run the operations of the block so many times; a number or a symbol.

        Within a fused group only the arithmetic is repeated: what is read stays on chip.
        """
        factor = times_of(times)
        if self.scope.group:
            return self.within(self.scope._replace(inner=self.scope.inner * factor))
        return self.within(self.scope._replace(repeat=self.scope.repeat * factor))

    def on(self, place: str) -> AbstractContextManager[None]:
        """Run the operations of the block on a device."""
        return self.within(self.scope._replace(place=place))

    # -- results ------------------------------------------------------------------------

    def build(self) -> ComputationGraph:
        """The finished graph; a result that nothing uses is an output."""
        tensors = (
            replace(t, role="output")
            if t.role == "intermediate" and t.name not in self._used
            else t
            for t in self.tensors.values()
        )
        return ComputationGraph(tensors, self._ops, name=self.name, mesh=self.mesh)

    @property
    def digraph(self) -> networkx.DiGraph:
        """The networkx digraph of the graph as it is now."""
        return self.build().digraph

    def cost(self, count: str = "leading") -> Ledger:
        """The ledger of the graph as it is now."""
        return self.build().cost(count)

    # -- inside -------------------------------------------------------------------------

    def resolve(
        self,
        kind: str,
        tensors: Iterable[TensorLike],
        attrs: Mapping[str, object],
        out: TypeLike | None = None,
    ) -> tuple[str, TensorType, Attrs]:
        """What an operation is called, its result and all its parameters; it is not added.

        The answer of a shape rule is remembered for operands of the same types.
        """
        frozen = tuple(sorted((key, frozen_value(value)) for key, value in attrs.items()))
        types = tuple([self._get(_name_of(tensor)).type for tensor in tensors])
        given = None if out is None else self.as_type(out)
        key = (kind, types, frozen, given)
        if key not in self._resolved:
            real, type, full = resolved(kind, types, dict(frozen), given, self.mesh)
            self._resolved[key] = (real, type, tuple(sorted(full.items())))
        return self._resolved[key]

    def find(self, tensor: TensorLike, place: str = "") -> Tensor:
        """The tensor of this name, or its copy on a place or that of the current block."""
        name, place = _name_of(tensor), place or self.scope.place
        copy = self.tensors.get(f"{name}@{place}") if place else None
        held = copy or self._get(name)
        free = not held.place and held.role in ("input", "weight")
        if held.place != place and not free:
            raise NotationError(
                f"{held.label} is on {held.place or 'the unnamed device'}, "
                f"not on {place or 'the unnamed device'}",
                repair=f"send it first, for example send {name} to {place or 'gpu0'} over nvlink",
            )
        return held

    def _get(self, name: str) -> Tensor:
        held = self.tensors.get(name)
        if held is None:
            known = ", ".join(n for n in list(self.tensors)[:20] if n[0] != "_") or "none"
            raise UnknownNameError(
                f"unknown tensor {name!r}",
                repair=f"declare it, for example {name}: bf16[B, D] (declared: {known})",
            )
        return held

    def _fresh(self) -> str:
        """The next hidden name that is not taken."""
        while True:
            self._anonymous += 1
            if f"_{self._anonymous}" not in self.tensors:
                return f"_{self._anonymous}"


def _name_of(tensor: TensorLike) -> str:
    if isinstance(tensor, Tensor):
        return tensor.name
    if isinstance(tensor, str):
        return tensor
    raise InvalidValueError(
        f"{tensor!r} is no tensor of a graph",
        repair="give what input, weight or op returned, or its name",
    )
