"""Entries of a ledger, and the words in which a cost rule makes them: read, write, arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, as_posynomial
from symcost.documents.blocks import Block, Prose, words
from symcost.errors import ShapeError, UnknownNameError
from symcost.model.collectives.networks import Moves
from symcost.model.dtypes import DType
from symcost.model.dtypes import dtype as find_dtype
from symcost.model.links import HBM, UNITS
from symcost.model.mesh import Mesh
from symcost.model.tensors import Tensor
from symcost.registry import Table
from symcost.render.shown import Displayed

NO_MESH = Mesh()


@dataclass(frozen=True, slots=True)
class Resource:
    """What time is spent on: a compute unit at a dtype, or a channel.

    >>> str(Resource("compute", "matmul", dtype="bf16")), str(Resource("channel", "hbm"))
    ('matmul bf16', 'hbm')
    >>> str(Resource("channel", "nvlink", place="gpu0", to="gpu2"))
    'nvlink gpu0 to gpu2'

    Args:
        kind: ``"compute"`` or ``"channel"``.
        name: the unit (``matmul``, ``vector``) or the channel (``hbm``, ``nvlink``, ...).
        dtype: name of the dtype the arithmetic runs in; ``""`` for a channel.
        place: the device, ``""`` for the one device; of a transfer, the sender.
        to: the receiver of a transfer, ``""`` for anything else.
    """

    kind: str
    name: str
    dtype: str = ""
    place: str = ""
    to: str = ""

    @property
    def is_compute(self) -> bool:
        """Whether the amount is FLOPs; otherwise it is bytes."""
        return self.kind == "compute"

    @property
    def is_transfer(self) -> bool:
        """Whether bytes go from one device to another."""
        return bool(self.to)

    def __str__(self) -> str:
        words = [self.name, self.dtype]
        if self.is_transfer:
            words += [self.place, "to", self.to]
        elif self.place:
            words += ["on", self.place]
        return " ".join(word for word in words if word)


def link_of(channel: str) -> str:
    """The link of a channel: of an axis of a mesh, what carries every axis of its kind.

    >>> link_of("ici(line)[X]"), link_of("hbm")
    ('ici', 'hbm')
    """
    return channel.partition("[")[0].partition("(")[0]


@dataclass(frozen=True, slots=True)
class Entry(Displayed):
    """One line of a ledger: so many FLOPs or bytes on a resource, and what for.

    >>> from symcost.symbols import dim
    >>> entry = Entry(Resource("channel", "hbm"), as_posynomial(2 * dim("B")), "read", ("X",))
    >>> entry.amount, entry.what, entry.tensor
    (2*B, 'read X', 'X')
    """

    resource: Resource
    quantity: Posynomial
    action: str
    subjects: tuple[str, ...] = ()
    origin: str = ""
    step: int = 0  # number of the operation within its fused group
    moves: Moves | None = None  # of a collective, in bytes: sent, busiest link, hops

    def blocks(self) -> tuple[Block, ...]:
        """How much, on what, and what for."""
        return (Prose(words(self.amount, f" on {self.resource}: {self.what}")),)

    def data(self) -> dict[str, object]:
        """The same by name."""
        return {"amount": self.amount, "resource": str(self.resource), "what": self.what}

    @property
    def amount(self) -> Expr:
        """FLOPs or bytes, as a sympy expression."""
        return self.quantity.to_sympy()

    @property
    def tensor(self) -> str:
        """The tensor that is moved; ``""`` for arithmetic."""
        return "" if self.resource.is_compute else self.subjects[0]

    @property
    def what(self) -> str:
        """What the amount is for, ``read W1``, ``multiply X, W1``, ``send P0 to gpu2``."""
        moved = f" to {self.resource.to}" if self.resource.is_transfer else ""
        return f"{self.action} {', '.join(self.subjects)}{moved}"


@dataclass(frozen=True, slots=True)
class OpView:
    """An operation as a cost rule sees it: its tensors resolved, per device if sharded.

    ``inputs`` and ``outputs`` are tensors with ``name``, ``dtype``, ``shape``, ``size`` and
    ``bytes``; ``attrs`` is a mapping; ``dtype`` is the widest operand's; ``count`` is
    ``"leading"`` or ``"exact"``; ``mesh`` has the devices. When it is run, ``sizes`` has a number
    for each dimension and ``shape`` is that of the result.
    """

    kind: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    attrs: Mapping[str, object]
    dtype: DType
    count: str = "leading"
    place: str = ""
    origin: str = ""
    sizes: Mapping[Symbol, int] = field(default_factory=Table)
    mesh: Mesh = NO_MESH

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result in numbers, when the operation is run."""
        return numbers(self.outputs[0].shape, self.sizes)

    @property
    def exact(self) -> bool:
        """Whether every single operation is to be counted."""
        return self.count == "exact"


def numbers(shape: tuple[Posynomial, ...], sizes: Mapping[Symbol, int]) -> tuple[int, ...]:
    """A shape in numbers.

    >>> from symcost.symbols import dim
    >>> numbers((as_posynomial(2 * dim("B")),), {dim("B"): 4})
    (8,)
    """
    put = {symbol: as_posynomial(size) for symbol, size in sizes.items()}
    values = [size.substitute(put).as_fraction() for size in shape]
    if any(value.denominator != 1 for value in values):
        raise ShapeError(f"a shape of {', '.join(map(str, values))} is not whole")
    return tuple(int(value) for value in values)


def streamed(
    op: OpView, flops: object = 0, unit: str = "vector", dtype: str | None = None
) -> tuple[Entry, ...]:
    """The entries of an operation that reads each operand once and writes each result once.

    >>> import symcost as sc
    >>> @sc.operation("streamed_example", replace=True)
    ... def streamed_example(op):
    ...     return sc.streamed(op, flops=3 * op.inputs[0].size)
    >>> sc.parse("Z: fp32[B] = streamed_example(X: fp32[B])").cost().intensity()
    3/8

    Args:
        op: the operation.
        flops: number of arithmetic operations.
        unit: the compute unit they run on, ``"vector"`` or ``"matmul"``.
        dtype: name of the dtype they run in; the widest operand's if not given.

    Returns:
        Arithmetic (unless it is zero), reads over HBM, writes over HBM.
    """
    reads = {tensor.name: tensor for tensor in op.inputs}
    return (
        *arithmetic(op, flops, unit, dtype),
        *(read(op, tensor) for tensor in reads.values()),
        *(write(op, tensor) for tensor in op.outputs),
    )


def arithmetic(
    op: OpView, flops: object, unit: str = "vector", dtype: str | None = None, action: str = ""
) -> tuple[Entry, ...]:
    """The entry of an operation's FLOPs; none when they are zero.

    >>> import symcost as sc
    >>> @sc.operation("arithmetic_example", replace=True)
    ... def arithmetic_example(op):
    ...     yield from sc.arithmetic(op, 2 * op.inputs[0].size, "matmul")
    ...     yield from sc.arithmetic(op, op.inputs[0].size, "vector", action="scale")
    >>> cost = sc.parse("Z: fp32[B] = arithmetic_example(X: fp32[B])").cost()
    >>> [(entry.action, entry.amount) for entry in cost.entries]
    [('arithmetic_example', 2*B), ('scale', B)]

    Args:
        op: the operation.
        flops: number of arithmetic operations.
        unit: the compute unit they run on, ``"matmul"`` or ``"vector"``.
        dtype: name of the dtype they run in; the widest operand's if not given.
        action: what is done, for the ledger; the operation's name if not given.

    Returns:
        One entry, or none.

    Raises:
        UnknownNameError: no such unit or dtype.
    """
    amount = as_posynomial(flops)
    if not amount:
        return ()
    if unit not in UNITS:
        raise UnknownNameError(f"unknown unit {unit!r}", repair=f"units are {' and '.join(UNITS)}")
    kind = dtype or op.attrs.get("compute")
    name = find_dtype(str(kind)).name if kind else op.dtype.name
    resource = _resource("compute", unit, name, op.place)
    names = tuple(tensor.name for tensor in op.inputs)
    return (Entry(resource, amount, action or op.kind, names, op.origin),)


def read(op: OpView, tensor: Tensor, amount: object = None) -> Entry:
    """The entry of reading a tensor (or ``amount`` bytes of it) over HBM.

    >>> import symcost as sc
    >>> @sc.operation("read_example", replace=True)
    ... def read_example(op):
    ...     return [sc.read(op, op.inputs[0])]
    >>> sc.parse("Z: fp32[B] = read_example(X: fp32[B])").cost().bytes()
    4*B
    """
    return _moved(op, tensor, amount, "read")


def write(op: OpView, tensor: Tensor, amount: object = None) -> Entry:
    """The entry of writing a tensor (or ``amount`` bytes of it) over HBM.

    >>> import symcost as sc
    >>> @sc.operation("write_example", replace=True)
    ... def write_example(op):
    ...     return [sc.write(op, op.outputs[0], 1)]
    >>> sc.parse("Z: fp32[B] = write_example(X: fp32[B])").cost().bytes()
    1
    """
    return _moved(op, tensor, amount, "write")


def transfer(op: OpView, tensor: Tensor, channel: str, to: str) -> Entry:
    """The entry of sending a tensor from the operation's place over a link."""
    resource = _resource("channel", channel, "", op.place, to)
    return Entry(resource, tensor.bytes, "send", (tensor.name,), op.origin)


def channel(name: str, place: str = "") -> Resource:
    """The resource of a channel."""
    return _resource("channel", name, "", place)


def free(op: OpView) -> tuple[Entry, ...]:
    """The rule of an operation that only renames its operand: no arithmetic, no traffic."""
    return ()


def _moved(op: OpView, tensor: Tensor, amount: object, action: str) -> Entry:
    quantity = tensor.bytes if amount is None else as_posynomial(amount)
    resource = _resource("channel", HBM, "", op.place)
    return Entry(resource, quantity, action, (tensor.name,), op.origin)


@lru_cache(maxsize=1024)
def _resource(kind: str, name: str, dtype: str = "", place: str = "", to: str = "") -> Resource:
    return Resource(kind, name, dtype, place, to)
