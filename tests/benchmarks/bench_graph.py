"""Costs of large graphs: against one networkx topological sort, and against sympy's ``Add``.

Run ``python tests/benchmarks/bench_graph.py``; each row is a ratio and its limit.
"""

from __future__ import annotations

import gc
import math
import time
import tracemalloc
from collections.abc import Callable, Iterator

import networkx as nx
from sympy import Add
from sympy.core.cache import clear_cache

from symcost.builder import Graph
from symcost.graph import ComputationGraph
from symcost.symbols import dim
from symcost.tensors import TensorType

SIZES = (100, 1_000, 10_000)
Row = tuple[str, float, float]  # what, measured, limit


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


def interleaved(first: Callable[[], object], second: Callable[[], object], rounds: int = 7):
    """The best time of each of two functions that take turns."""
    best = [math.inf, math.inf]
    for _ in range(rounds):
        for number, run in enumerate((first, second)):
            start = time.process_time()
            run()
            best[number] = min(best[number], time.process_time() - start)
    return best


def totals(graph: ComputationGraph) -> None:
    cost = graph.cost()
    cost.flops()
    cost.bytes("hbm")


def repeated_rows() -> Iterator[Row]:
    times = []
    for size in SIZES:
        graph = repeated_shapes(size).build()
        digraph = graph.digraph
        ours, theirs = interleaved(
            lambda graph=graph: totals(graph),
            lambda digraph=digraph: list(nx.topological_sort(digraph)),
        )
        times.append(ours)
        limit = 3.0 if size == SIZES[-1] else math.inf
        yield f"repeated shapes, {size} operations: cost / topological sort", ours / theirs, limit
    growth = math.log(times[-1] / times[-2]) / math.log(SIZES[-1] / SIZES[-2])
    yield "repeated shapes: growth exponent, 1,000 to 10,000", growth, 1.1


def memory_rows() -> Iterator[Row]:
    size = SIZES[-1]
    gc.collect()
    tracemalloc.start()
    graph = repeated_shapes(size).build()
    cost = graph.cost()
    cost.flops()
    gc.collect()
    without = tracemalloc.get_traced_memory()[0] / size
    nodes = len(graph.digraph)
    everything = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    yield "memory, kB an operation, graph and ledger", without / 1000, 3.0
    yield "memory, kB a node, with the networkx digraph", everything / nodes / 1000, 3.0


def distinct_rows() -> Iterator[Row]:
    for size in SIZES[1:]:
        graph = distinct_shapes(size).build()
        cost = graph.cost()
        terms = [e.amount for e in cost.entries if e.resource.name == "hbm"]

        def add(terms=terms) -> None:
            clear_cache()  # sympy remembers the sum otherwise
            Add(*terms)

        ours, theirs = interleaved(
            lambda cost=cost: cost.total(lambda r: r.name == "hbm"), add, rounds=5
        )
        limit = 0.1 if size == SIZES[-1] else math.inf
        yield f"distinct shapes, {size} operations: total / sympy Add", ours / theirs, limit
        priced, theirs = interleaved(graph.cost, add, rounds=3)
        yield f"distinct shapes, {size} operations: pricing / sympy Add", priced / theirs, math.inf


def building_rows() -> Iterator[Row]:
    times = []
    for size in SIZES[1:]:
        start = time.process_time()
        repeated_shapes(size).build()
        times.append(time.process_time() - start)
    yield "building: growth exponent, 1,000 to 10,000", math.log10(times[1] / times[0]), 1.1
    yield "building: microseconds an operation", times[1] / SIZES[-1] * 1e6, math.inf


def rows() -> Iterator[Row]:
    """Every measurement with its limit."""
    yield from repeated_rows()
    yield from memory_rows()
    yield from distinct_rows()
    yield from building_rows()


def main() -> None:
    for what, measured, limit in rows():
        verdict = (
            "" if limit == math.inf else f"<= {limit}  {'ok' if measured <= limit else 'OVER'}"
        )
        print(f"{what:<62} {measured:8.3f}  {verdict}".rstrip())


if __name__ == "__main__":
    main()
