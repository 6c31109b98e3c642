"""The data of a graph: tensors and operations, checked once and then immutable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import (
    DuplicateNameError,
    InvalidValueError,
    NotationError,
    ShapeError,
    UnknownNameError,
)
from symcost.model.mesh import Mesh, as_mesh
from symcost.model.tensors import ONE, Tensor
from symcost.notation.slips import guarded
from symcost.registry import Immutable, Table

Attrs: TypeAlias = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Op:
    """One operation: what it is, what it consumes and produces, where and how often it runs.

    >>> Op("gelu", ("H",), ("G",))
    Op('gelu', ('H',), ('G',))

    Args:
        kind: name of the operation; rules for shapes and costs are found by it.
        inputs: names of the operands, in order.
        outputs: names of the results.
        attrs: parameters as pairs sorted by name; values are hashable.
        place: device on which it runs, ``""`` for the one device.
        group: fused group to which it belongs, ``""`` for none.
        repeat: how often it runs, or its fused group does; a number or an expression.
        inner: how often it runs within one run of its fused group.
        origin: where it came from, for messages; ignored in comparisons.
    """

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: Attrs = ()
    place: str = ""
    group: str = ""
    repeat: Posynomial = ONE
    inner: Posynomial = ONE
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for names in ((self.kind, self.place, self.group), self.inputs, self.outputs):
            if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
                raise InvalidValueError(
                    f"{names!r} names no part of an operation",
                    repair='write for example sc.Op("relu", ("X",), ("Y",))',
                )

    def __repr__(self) -> str:
        extras = [
            f"{name}={value!r}"
            for name, value, usual in (
                ("attrs", self.attrs, ()),
                ("place", self.place, ""),
                ("group", self.group, ""),
                ("repeat", self.repeat, ONE),
                ("inner", self.inner, ONE),
            )
            if value != usual
        ]
        return f"Op({', '.join([repr(self.kind), repr(self.inputs), repr(self.outputs), *extras])})"


class GraphData(Immutable):
    """Tensors and operations in program order; immutable, compared by structure.

    >>> from symcost.model.tensors import TensorType
    >>> tensors = [Tensor("H", TensorType("bf16", (8,))),
    ...            Tensor("G", TensorType("bf16", (8,)), "output")]
    >>> GraphData(tensors, [Op("gelu", ("H",), ("G",))]).consumers()
    {'H': [0], 'G': []}

    Args:
        tensors: every tensor that an operation names.
        ops: the operations, each after those whose results it uses.
        name: what the graph is called.
        mesh: the mesh over which tensors are split, or the size of each of its axes.

    Raises:
        UnknownNameError: an operation or sharding names something that was not declared.
        DuplicateNameError: a tensor is declared or produced twice.
        NotationError: a tensor is used before it is produced, or a fused group is torn.
    """

    __slots__ = ("_hash", "mesh", "name", "ops", "tensors")

    name: str
    tensors: Table[str, Tensor]
    ops: tuple[Op, ...]
    mesh: Mesh
    _hash: int | None

    @guarded
    def __init__(
        self,
        tensors: Iterable[Tensor],
        ops: Iterable[Op],
        *,
        name: str = "",
        mesh: Mapping[str, object] | None = None,
    ) -> None:
        sizes = as_mesh(mesh)
        by_name = _by_name(tensors)
        order = tuple(ops)
        _check_order(by_name, order)
        _check_groups(order)
        _check_senders(order, by_name)
        _check_mesh(by_name, sizes)
        _check_spelled(by_name.values(), order)
        self._set(name=name, tensors=Table(by_name), ops=order, mesh=sizes, _hash=None)

    def __reduce__(self) -> tuple[object, ...]:
        made = partial(type(self), name=self.name, mesh=self.mesh)
        return made, (list(self.tensors.values()), self.ops)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphData):
            return NotImplemented
        return (self.ops, self.tensors, self.mesh) == (other.ops, other.tensors, other.mesh)

    def __hash__(self) -> int:
        if self._hash is None:
            made = hash((self.ops, frozenset(self.tensors.values())))
            self._set(_hash=made)
            return made
        return self._hash

    def consumers(self) -> dict[str, list[int]]:
        """For each tensor the numbers of the operations that use it."""
        users: dict[str, list[int]] = {name: [] for name in self.tensors}
        for number, op in enumerate(self.ops):
            for name in op.inputs:
                users[name].append(number)
        return users


def _by_name(tensors: Iterable[Tensor]) -> dict[str, Tensor]:
    made: dict[str, Tensor] = {}
    for tensor in tensors:
        if tensor.name in made:
            raise DuplicateNameError(f"the tensor {tensor.name} is declared twice")
        made[tensor.name] = tensor
    return made


def _check_order(tensors: Mapping[str, Tensor], ops: tuple[Op, ...]) -> None:
    available = {name for name, t in tensors.items() if t.role in ("input", "weight")}
    for op in ops:
        for name in op.inputs:
            if name not in available:
                raise _not_available(op, name, name in tensors)
        for name in op.outputs:
            if name in available:
                raise DuplicateNameError(
                    f"the tensor {name} is produced twice", repair="give each result its own name"
                )
            if name not in tensors:
                raise _not_available(op, name, False)
            available.add(name)
    for name in tensors:
        if name not in available:
            raise UnknownNameError(f"the tensor {name} is produced by no operation")


def _not_available(op: Op, name: str, declared: bool) -> Exception:
    if declared:
        return NotationError(f"{op.kind} uses {name} before it is produced")
    return UnknownNameError(
        f"{op.kind} names the tensor {name}, which is unknown", repair="declare it first"
    )


def _check_groups(ops: tuple[Op, ...]) -> None:
    """A fused group is one run of operations of one place and one repeat."""
    closed: set[str] = set()
    previous: Op | None = None
    for op in ops:
        before = previous.group if previous else ""
        if before and before != op.group:
            closed.add(before)
        if op.group in closed:
            raise NotationError(f"the fused group {op.group!r} is torn by other operations")
        if previous and op.group and op.group == before:
            _check_same_run(previous, op)
        previous = op


def _check_same_run(first: Op, second: Op) -> None:
    if first.place != second.place:
        raise NotationError(f"the fused group {first.group!r} runs in two places")
    if first.repeat != second.repeat:
        raise NotationError(
            f"the fused group {first.group!r} runs {first.repeat} and {second.repeat} times",
            repair="say how often an operation runs within one run of the group by inner",
        )


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


def times_of(given: object, problem: str = "cannot repeat {} times") -> Posynomial:
    """How often something runs: a symbol, a sum of products, or a whole number from 1."""
    times = as_posynomial(given)
    number = times.as_fraction() if times.is_constant else None
    if number is not None and (number < 1 or number.denominator > 1):
        raise InvalidValueError(
            problem.format(times), repair="repeat at least once, a whole number"
        )
    return times


def check_whole(graph: GraphData, values: Mapping[Symbol, Expr]) -> None:
    """Refuse numbers at which a size or a repeat is a fraction, as ``D/3`` at ``D = 10``."""
    put = {symbol: as_posynomial(value) for symbol, value in values.items() if value.is_Rational}
    sizes = dict.fromkeys(size for tensor in graph.tensors.values() for size in tensor.shape)
    sizes |= dict.fromkeys(times for op in graph.ops for times in (op.repeat, op.inner))
    for size in sizes:
        at = sorted({*size.symbols}, key=str)
        number = size.substitute(put) if at and put.keys() >= {*at} else ONE
        if number.is_constant and number.as_fraction().denominator > 1:
            where = ", ".join(f"{symbol}={put[symbol]}" for symbol in at)
            raise ShapeError(
                f"{size} is {number} at {where}", repair="give sizes that make it a whole number"
            )


def frozen_value(value: object) -> object:
    """A parameter as hashable data: tuples, texts, ints, and posynomials for expressions."""
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
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


def spelled_splits(
    tensors: Iterable[Tensor],
) -> dict[str, tuple[Tensor, Posynomial, tuple[str, ...]]]:
    """The split dimensions as programs spell them, ``d_X``: in which tensor, of which size, how."""
    split: dict[str, tuple[Tensor, Posynomial, tuple[str, ...]]] = {}
    for tensor in tensors:
        if tensor.type.is_sharded:
            pairs = zip(tensor.shape, tensor.type.sharding, strict=True)
            split |= {f"{d}_{''.join(axes)}": (tensor, d, axes) for d, axes in pairs if axes}
    return split


def _check_spelled(tensors: Iterable[Tensor], ops: Iterable[Op]) -> None:
    """Refuse ``d_X`` for ``d`` split over X where a dimension has this very name."""
    tensors = tuple(tensors)
    split = spelled_splits(tensors)
    sizes = dict.fromkeys(size for tensor in tensors for size in tensor.shape)
    for op in ops if split else ():
        given = (v for _, each in op.attrs for v in (each if isinstance(each, tuple) else (each,)))
        sizes |= dict.fromkeys(v for v in given if isinstance(v, Posynomial))
        sizes |= dict.fromkeys((op.repeat, op.inner))
    names = {str(atom): size for size in sizes for atom in size.atoms} if split else {}
    for name in sorted(split.keys() & names.keys()):
        tensor, size, axes = split[name]
        over = ", ".join(axes)
        raise NotationError(
            f"{name} may mean {size} split over {over}, as in {tensor.label}, or one dimension, "
            f"as in {names[name]}",
            repair=f"write {size}@({over}) for the one, and name the other anew",
        )


def _check_mesh(tensors: Mapping[str, Tensor], mesh: Mesh) -> None:
    taken = set(mesh.wholes)
    for tensor in tensors.values():
        for axis in tensor.type.layout.axes if tensor.type.is_sharded else ():
            if axis not in mesh:
                raise UnknownNameError(
                    f"{tensor.label} is split over {axis}, which is no axis of the mesh",
                    repair=f"declare it, for example mesh {axis}=4",
                )
        clash = taken and {str(atom) for size in tensor.shape for atom in size.atoms} & taken
        if clash:
            axis = min(clash)
            raise NotationError(
                f"{axis} is a mesh axis and a dimension of {tensor.label}",
                repair="an axis's name is its size in formulas; rename the dimension",
            )
