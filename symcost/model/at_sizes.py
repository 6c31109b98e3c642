"""A program with numbers for some of its sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sympy import Expr

from symcost.algebra import Posynomial, as_posynomial
from symcost.model.data import Op
from symcost.model.graph import ComputationGraph
from symcost.model.mesh import Mesh
from symcost.model.tensors import TensorType


def at_sizes(graph: ComputationGraph, values: Mapping[str, Expr]) -> ComputationGraph:
    """The same program with numbers put in, so that shares are rounded up where they must be.

    >>> from symcost.model.programs import parse
    >>> at_sizes(parse("mesh X; A: bf16[B_X, D]"), {"B": 10, "X": 8})
    mesh X=8
    A: bf16[10_X, D]

    Args:
        graph: the program.
        values: numbers for sizes and mesh axes, by name; other names are passed over.
    """

    def put(size: Posynomial) -> Posynomial:
        known = {a: as_posynomial(values[str(a)]) for a in size.atoms if str(a) in values}
        return size.substitute(known) if known else size

    def attr(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(attr(each) for each in value)
        if isinstance(value, Posynomial | Expr):
            return put(as_posynomial(value)).to_sympy()
        return value

    def typed(kind: TensorType) -> TensorType:
        return TensorType(kind.dtype, map(put, kind.shape), kind.sharding, kind.partial)

    def op_at(op: Op) -> Op:
        attrs = tuple((name, attr(value)) for name, value in op.attrs)
        return replace(op, attrs=attrs, repeat=put(op.repeat), inner=put(op.inner))

    axes = (
        replace(axis, size=put(axis.size), span=put(axis.span), stride=put(axis.stride))
        for axis in graph.mesh.axes
    )
    tensors = (replace(tensor, type=typed(tensor.type)) for tensor in graph.tensors.values())
    return ComputationGraph(tensors, map(op_at, graph.ops), name=graph.name, mesh=Mesh(*axes))


def compared_at(graph: ComputationGraph, values: Mapping[str, Expr]) -> ComputationGraph:
    """The same program, whose ways on its mesh are those that send least at some sizes."""
    whole = {name: int(value) for name, value in values.items() if value.is_Integer}
    mesh = graph.mesh.compared_at(whole)
    return ComputationGraph(graph.tensors.values(), graph.ops, name=graph.name, mesh=mesh)
