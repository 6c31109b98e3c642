"""A graph as networkx sees it: a bipartite digraph of tensors and operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from symcost.model.data import GraphData

if TYPE_CHECKING:
    import networkx


def op_nodes(graph: GraphData) -> Iterator[str]:
    """The nodes of the operations, in program order: ``kind:number``."""
    return (f"{op.kind}:{number}" for number, op in enumerate(graph.ops))


def digraph_of(graph: GraphData) -> networkx.DiGraph:
    """The digraph: a node for each tensor and operation, edges from operands and to results."""
    import networkx

    made = networkx.DiGraph(name=graph.name, mesh=graph.mesh)
    made.add_nodes_from((name, {"tensor": t, "bipartite": 0}) for name, t in graph.tensors.items())
    for node, op in zip(op_nodes(graph), graph.ops, strict=True):
        made.add_node(node, op=op, bipartite=1)
        made.add_edges_from((name, node) for name in op.inputs)
        made.add_edges_from((node, name) for name in op.outputs)
    return networkx.freeze(made)
