"""Costs of large graphs: against one networkx topological sort, and against sympy's ``Add``.

All-distinct shapes are the hard case: no two operations share a price, no two terms add up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import networkx as nx
from harness import Row, cold, growth, held_bytes, ratio, seconds
from sympy import Add, Expr, Mul

from symcost.model.builder import Graph
from symcost.model.graph import ComputationGraph
from symcost.model.tensors import TensorType
from symcost.symbols import dim

SIZES = (100, 1_000, 10_000)


def repeated_shapes(operations: int) -> Graph:
    """Matrix products and elementwise operations that take turns, of few shapes."""
    g = Graph("repeated")
    x = g.input("x", "bf16[B, D]")
    up, down = g.weight("up", "bf16[D, F]"), g.weight("down", "bf16[F, D]")
    for _ in range(operations // 4):
        x = g.op("relu", g.matmul(g.op("gelu", g.matmul(x, up)), down))
    return g


def distinct_shapes(operations: int) -> Graph:
    """The same with a dimension of its own for every product."""
    g = Graph("distinct")
    x = g.input("x", TensorType("bf16", (dim("B"), dim("D0"))))
    for n in range(operations // 2):
        w = g.weight(f"w{n}", TensorType("bf16", (dim(f"D{n}"), dim(f"D{n + 1}"))))
        x = g.op("relu", g.matmul(x, w))
    return g


def totals(graph: ComputationGraph) -> None:
    """Price a graph and add up its FLOPs and its bytes."""
    cost = graph.cost()
    cost.flops()
    cost.bytes("hbm")


def rows() -> Iterator[Row]:
    """Every measurement with its bound."""
    yield from repeated_rows()
    yield from memory_rows()
    yield from distinct_rows()
    yield from building_rows()


def repeated_rows() -> Iterator[Row]:
    """Pricing and totals of repeated shapes against one pass of networkx over the same graph."""
    times = []
    for size in SIZES:
        graph = repeated_shapes(size).build()
        digraph = graph.digraph
        took = ratio(
            lambda graph=graph: totals(graph),
            lambda digraph=digraph: list(nx.topological_sort(digraph)),
        )
        bound = 3.0 if size == SIZES[-1] else math.inf
        yield Row(f"repeated shapes, {size} operations: cost / topological sort", took, bound)
        times.append(seconds(lambda graph=graph: totals(graph)))
    yield Row("repeated shapes: growth exponent, 1,000 to 10,000", growth(SIZES, times), 1.1)


def memory_rows() -> Iterator[Row]:
    """What a graph and its ledger hold, without and with the networkx digraph."""
    size = SIZES[-1]
    nodes = len(repeated_shapes(size).build().digraph)

    def priced() -> object:
        graph = repeated_shapes(size).build()
        return graph, graph.cost()

    def with_digraph() -> object:
        graph = repeated_shapes(size).build()
        return graph, graph.cost(), graph.digraph

    yield Row("memory, kB a node: graph and ledger", held_bytes(priced) / nodes / 1000, 3.0)
    yield Row("memory, kB a node: digraph too", held_bytes(with_digraph) / nodes / 1000, 3.0)


def distinct_rows() -> Iterator[Row]:
    """Totals, and pricing with totals, against sympy with the same terms, none remembered."""
    times = []
    for size in SIZES[1:]:
        graph = distinct_shapes(size).build()
        cost = graph.cost()
        moved = [e.quantity for e in cost.entries if e.resource.name == "hbm"]
        terms = [quantity.to_sympy() for quantity in moved]
        took = ratio(
            lambda cost=cost: cost.total(lambda r: r.name == "hbm"),
            cold(lambda terms=terms: Add(*terms)),
        )
        bound = 0.1 if size == SIZES[-1] else math.inf
        yield Row(f"distinct shapes, {size} operations: total / sympy Add(*terms)", took, bound)
        took = ratio(
            lambda graph=graph: totals(graph), cold(lambda graph=graph: by_sympy(graph)), rounds=3
        )
        yield Row(f"distinct shapes, {size} operations: cost / the same in sympy", took)
        times.append(seconds(lambda graph=graph: totals(graph)))
    yield Row("distinct shapes: growth exponent, 1,000 to 10,000", growth(SIZES, times))


def by_sympy(graph: ComputationGraph) -> tuple[Expr, Expr]:
    """FLOPs and bytes with a sympy product for each operation and tensor, and one sum of them."""
    flops, moved = [], []
    for op in graph.ops:
        left = [size.to_sympy() for size in graph.tensors[op.inputs[0]].shape]
        out = [size.to_sympy() for size in graph.tensors[op.outputs[0]].shape]
        flops.append(Mul(2, *left, out[-1]) if op.kind == "contract" else Mul(*out))
        for name in (*op.inputs, *op.outputs):
            moved.append(Mul(2, *(size.to_sympy() for size in graph.tensors[name].shape)))
    return Add(*flops), Add(*moved)


def building_rows() -> Iterator[Row]:
    """Making the graph itself."""
    times = [seconds(lambda size=size: repeated_shapes(size).build()) for size in SIZES]
    yield Row("building: growth exponent, 1,000 to 10,000", growth(SIZES, times), 1.1)
    yield Row("building: microseconds an operation", times[-1] / SIZES[-1] * 1e6)
