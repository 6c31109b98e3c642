"""A program with numbers for some of its sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from sympy import Expr

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.exact import exact
from symcost.algebra.posynomial import ONE
from symcost.model.data import GraphData, Op
from symcost.model.graph import ComputationGraph
from symcost.model.layouts import conditions
from symcost.model.ledger import Ledger, cost_of
from symcost.model.mesh import Mesh
from symcost.model.tensors import TensorType

AGraph = TypeVar("AGraph", bound=GraphData)


def at_sizes(graph: AGraph, values: Mapping[str, Expr]) -> AGraph:
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
        replace(
            axis,
            size=put(axis.size),
            span=put(axis.span),
            stride=put(axis.stride),
            extent=put(axis.extent),
        )
        for axis in graph.mesh.axes
    )
    tensors = (replace(tensor, type=typed(tensor.type)) for tensor in graph.tensors.values())
    return type(graph)(tensors, map(op_at, graph.ops), name=graph.name, mesh=Mesh(*axes))


def at_shards(ledger: Ledger, values: Mapping[str, object]) -> Ledger:
    """The costs of the largest shards, where a mesh axis does not divide one of the sizes.

    >>> from symcost.model.programs import parse
    >>> ledger = parse("mesh X=4; A: bf16[B_X, D]").cost()
    >>> at_shards(ledger, {"B": 12}).memory(), at_shards(ledger, {"B": 10}).memory()
    (B*D/2, 6*D)

    Args:
        ledger: the costs of whole programs.
        values: numbers for sizes and mesh axes, by name; other names are passed over.

    Returns:
        The ledger with the numbers put in; as it is where its formulas hold at them.
    """
    numbers = {name: exact(value) for name, value in values.items()}
    whole = {name: number for name, number in numbers.items() if number.is_Integer}
    there = [(at_sizes(graph, whole), times) for graph, times in ledger.programs if graph.mesh]
    if not any(uneven(graph) for graph, _ in there):
        return ledger
    count = ledger.blocks[0].count if ledger.blocks else "leading"
    total = ledger.devices != ONE
    costs = (cost_of(graph, count, total=total) * times for graph, times in there)
    return sum(costs, Ledger())


def uneven(graph: GraphData) -> tuple[tuple[Posynomial, Posynomial], ...]:
    """Numbers of devices, each with a number that it ought to divide and does not."""
    return tuple(p for p in must_divide(graph) if p[0].is_constant and p[1].is_constant)


def must_divide(graph: GraphData) -> tuple[tuple[Posynomial, Posynomial], ...]:
    """Numbers of devices, each with a size that it ought to divide and is not known to."""
    tensors = graph.tensors.values()
    pairs = (pair for t in tensors for pair in conditions(t.shape, t.type.layout, graph.mesh))
    return tuple(dict.fromkeys(pairs))


def compared_at(graph: ComputationGraph, values: Mapping[str, Expr]) -> ComputationGraph:
    """The same program, whose ways on its mesh are those that send least at some sizes."""
    whole = {name: int(value) for name, value in values.items() if value.is_Integer}
    mesh = graph.mesh.compared_at(whole)
    return ComputationGraph(graph.tensors.values(), graph.ops, name=graph.name, mesh=mesh)
