"""What every device holds of each tensor: its local shape, bytes, and how many have the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Expr

from symcost.algebra import Posynomial, as_posynomial
from symcost.documents.blocks import Code, Inline, Math, Quantity, Table
from symcost.model.data import GraphData
from symcost.model.layouts import local_shape, replicas
from symcost.model.tensors import Tensor, TensorType, bytes_per_value


@dataclass(frozen=True, slots=True)
class Holding:
    """One tensor on the mesh.

    Args:
        tensor: the tensor; ``shape``: what a device holds of it, the largest part.
        bytes: of that part; ``stored``: over all devices; ``replicas``: devices with the same.
    """

    tensor: Tensor
    shape: tuple[Posynomial, ...]
    bytes: Posynomial
    stored: Posynomial
    replicas: Posynomial


def holdings(graph: GraphData, values: Mapping[str, object] | None = None) -> tuple[Holding, ...]:
    """What a device holds of each tensor of a program, at some sizes.

    >>> from symcost.model.programs import parse
    >>> (held,) = holdings(parse("mesh X=8, Y=2; A: fp32[1024_X, 4096]"))
    >>> held.shape, held.bytes, held.stored, held.replicas
    ((128, 4096), 2097152, 33554432, 2)

    Args:
        graph: a program whose tensors lie on a mesh.
        values: numbers for sizes and mesh axes, by name.

    Returns:
        One row for each tensor, in the order of the program.
    """
    numbers = values or {}

    def put(size: Posynomial) -> Posynomial:
        known = {a: as_posynomial(numbers[str(a)]) for a in size.atoms if str(a) in numbers}
        return size.substitute(known)

    mesh = type(graph.mesh)(**{name: put(size) for name, size in graph.mesh.items()})
    found = []
    for tensor in graph.tensors.values():
        shape = local_shape([put(size) for size in tensor.shape], tensor.type.layout, mesh)
        size = as_posynomial(1)
        for each in shape:
            size = size * each
        held = size * bytes_per_value(tensor.dtype)
        same = replicas(tensor.type.layout, mesh)
        found.append(Holding(tensor, shape, held, held * mesh.devices, same))
    return tuple(found)


def holdings_table(graph: GraphData, values: Mapping[str, object]) -> Table:
    """The rows as a table: tensor, what a device holds, bytes there and over all, replicas."""
    head = ("tensor", "on each device", "bytes", "over all devices", "devices with the same")
    rows = []
    for each in holdings(graph, values):
        kind = TensorType.held(each.tensor.type, each.shape)
        rows.append(
            (
                (Code(each.tensor.label),),
                (Code(str(kind)),),
                (_amount(each.bytes),),
                (_amount(each.stored),),
                (Math(each.replicas.to_sympy()),),
            )
        )
    return Table(head, tuple(rows))


def holdings_data(graph: GraphData, values: Mapping[str, object]) -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "tensor": each.tensor.label,
            "shape": [size.to_sympy() for size in each.shape],
            "bytes": each.bytes.to_sympy(),
            "stored": each.stored.to_sympy(),
            "replicas": each.replicas.to_sympy(),
        }
        for each in holdings(graph, values)
    ]


def _amount(amount: Posynomial) -> Inline:
    value: Expr = amount.to_sympy()
    return Math(Quantity(value, "byte") if amount.is_constant else value)
