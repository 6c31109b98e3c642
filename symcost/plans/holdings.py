"""What every device holds of each tensor: its local shape, bytes, and how many have the same."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symcost.algebra import Posynomial
from symcost.documents.blocks import Code, Math, Quantity, Table
from symcost.model.data import GraphData
from symcost.model.layouts import replicas
from symcost.model.tensors import Tensor, TensorType, per_device


@dataclass(frozen=True, slots=True)
class Holding:
    """One tensor on the mesh.

    Args:
        tensor: the tensor; ``held``: what a device holds of it, the largest part.
        stored: bytes over all devices; ``replicas``: devices with the same.
    """

    tensor: Tensor
    held: TensorType
    stored: Posynomial
    replicas: Posynomial


def holdings(graph: GraphData) -> tuple[Holding, ...]:
    """What a device holds of each tensor of a program.

    >>> from symcost.model.programs import parse
    >>> (part,) = holdings(parse("mesh X=8, Y=2; A: fp32[1024_X, 4096]"))
    >>> part.held, part.held.bytes, part.stored, part.replicas
    (fp32[128, 4096], 2097152, 33554432, 2)

    Args:
        graph: a program whose tensors lie on a mesh.

    Returns:
        One row for each tensor, in the order of the program.
    """
    mesh, rows = graph.mesh, []
    for tensor in graph.tensors.values():
        kind = per_device(tensor.type, mesh)
        same = replicas(tensor.type.layout, mesh)
        rows.append(Holding(tensor, kind, kind.bytes * mesh.devices, same))
    return tuple(rows)


def holdings_table(graph: GraphData) -> Table:
    """The rows as a table: tensor, what a device holds, bytes there and over all, replicas."""
    head = ("tensor", "on each device", "bytes", "over all devices", "devices with the same")
    rows = (
        (
            (Code(each.tensor.label),),
            (Code(str(each.held)),),
            (Math(_value(each.held.bytes, "byte")),),
            (Math(_value(each.stored, "byte")),),
            (Math(_value(each.replicas)),),
        )
        for each in holdings(graph)
    )
    return Table(head, tuple(rows))


def holdings_data(graph: GraphData) -> list[dict[str, object]]:
    """The same for programs; what is a number is one."""
    return [
        {
            "tensor": each.tensor.label,
            "shape": [_value(size) for size in each.held.shape],
            "bytes": _value(each.held.bytes),
            "stored": _value(each.stored),
            "replicas": _value(each.replicas),
        }
        for each in holdings(graph)
    ]


def _value(amount: Posynomial, unit: str = "") -> Expr | Quantity:
    value = amount.to_sympy()
    return Quantity(value, unit) if amount.is_constant else value
