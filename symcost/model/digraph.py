"""A graph as networkx sees it: a bipartite digraph of tensors and operations, with its costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from sympy import Expr, Integer

from symcost.algebra import Maximum, Posynomial, as_ratio
from symcost.model.blocks import Block
from symcost.model.data import GraphData, Op
from symcost.model.entries import HBM, Resource, link_of
from symcost.model.tensors import ONE, Tensor
from symcost.symbols import rate

if TYPE_CHECKING:
    import networkx

Rates: TypeAlias = Callable[[Resource], Expr]


def op_nodes(graph: GraphData) -> Iterator[str]:
    """The nodes of the operations, in program order: ``kind:number``."""
    return (f"{op.kind}:{number}" for number, op in enumerate(graph.ops))


def digraph_of(graph: GraphData) -> networkx.DiGraph:
    """The frozen digraph: a node for each tensor and operation, edges along the data."""
    import networkx

    return networkx.freeze(_bipartite(graph))


def _bipartite(graph: GraphData) -> networkx.DiGraph:
    import networkx

    made = networkx.DiGraph(name=graph.name, mesh=graph.mesh)
    made.add_nodes_from((name, {"tensor": t, "bipartite": 0}) for name, t in graph.tensors.items())
    for node, op in zip(op_nodes(graph), graph.ops, strict=True):
        made.add_node(node, op=op, bipartite=1)
        made.add_edges_from((name, node) for name in op.inputs)
        made.add_edges_from((node, name) for name in op.outputs)
    return made


def costed(graph: GraphData, blocks: tuple[Block, ...], rates: Rates) -> networkx.DiGraph:
    """The digraph with ``flops``, ``bytes`` and ``time`` on its nodes; tensors cost nothing.

    The time of an operation is that of its busiest unit or channel; a unit works off its dtypes
    one after the other. What a fused group saves is saved where it would have been moved.
    """
    import networkx

    made = _bipartite(graph)
    spent = _by_op(blocks)
    for number, node in enumerate(op_nodes(graph)):
        work = spent.get(number, {})
        flops = Posynomial.sum(amount for r, amount in work.items() if r.is_compute)
        moved = Posynomial.sum(amount for r, amount in work.items() if not r.is_compute)
        made.nodes[node].update(
            flops=flops.to_sympy(), bytes=moved.to_sympy(), time=_time(work, rates)
        )
    nothing = dict.fromkeys(("flops", "bytes", "time"), Integer(0))
    made.add_nodes_from(graph.tensors, **nothing)
    return networkx.freeze(made)


def _by_op(blocks: tuple[Block, ...]) -> dict[int, dict[Resource, Posynomial]]:
    """What each operation spends on each resource, over all its runs."""
    spent: dict[int, dict[Resource, Posynomial]] = {}
    for block in blocks:
        for entry in block.priced:
            amount = entry.quantity * block.factor
            for member in block.members:
                own = spent.setdefault(member.start + entry.step, {})
                before = own.get(entry.resource)
                own[entry.resource] = amount if before is None else before + amount
    return spent


def _time(work: dict[Resource, Posynomial], rates: Rates) -> Expr:
    times: dict[tuple[str, str, str], Expr] = {}
    for resource, amount in work.items():
        key = (resource.name, resource.place, resource.to)
        seconds = (as_ratio(amount.to_sympy()) / as_ratio(rates(resource))).to_sympy()
        times[key] = times.get(key, Integer(0)) + seconds
    return Maximum(*times.values()) if times else Integer(0)


def symbolic_rates(graph: GraphData) -> Rates:
    """Rates without numbers: ``C`` of every unit, ``W`` of main memory, ``W_nvlink`` of a link."""
    taken = {s.name for t in graph.tensors.values() for size in t.shape for s in size.symbols}

    def speed(resource: Resource) -> Expr:
        letter = "C" if resource.is_compute else "W"
        plain = resource.is_compute or resource.name == HBM
        name = letter if plain and letter not in taken else f"{letter}_{link_of(resource.name)}"
        return rate(name)

    return speed


def text_digraph(graph: networkx.DiGraph) -> networkx.DiGraph:
    """A copy of a digraph of ours whose attributes are texts, for files of any format.

    ``networkx.write_graphml`` and ``networkx.nx_pydot.write_dot`` take it, and
    ``from_networkx`` reads it back.

    >>> import symcost as sc
    >>> made = sc.text_digraph(sc.parse("H = relu(X: bf16[B])").digraph)
    >>> made.nodes["X"]
    {'type': 'bf16[B]', 'role': 'input', 'place': ''}

    Args:
        graph: the ``digraph`` of a graph or of a ledger.

    Returns:
        The copy.
    """
    import networkx

    mesh = graph.graph.get("mesh") or {}
    made = networkx.DiGraph(
        name=graph.graph.get("name", ""),
        mesh=", ".join(f"{axis}={size}" for axis, size in mesh.items()),
    )
    for node, data in graph.nodes(data=True):
        own = data["tensor"] if "tensor" in data else data["op"]
        costs = {key: str(data[key]) for key in ("flops", "bytes", "time") if key in data}
        texts = _tensor_texts(own) if isinstance(own, Tensor) else _op_texts(own)
        made.add_node(node, **texts, **costs)
    made.add_edges_from(graph.edges)
    return made


def _tensor_texts(tensor: Tensor) -> dict[str, str]:
    often = {} if tensor.repeat == ONE else {"repeat": str(tensor.repeat)}
    return {"type": str(tensor.type), "role": tensor.role, "place": tensor.place, **often}


def _op_texts(op: Op) -> dict[str, str]:
    shown = {name: str(getattr(op, name)) for name in ("kind", "place", "group", "origin")}
    often = {n: str(getattr(op, n)) for n in ("repeat", "inner") if getattr(op, n) != ONE}
    wires = {"inputs": ", ".join(op.inputs), "outputs": ", ".join(op.outputs)}
    return {**shown, **often, **wires, **{name: _listed(value) for name, value in op.attrs}}


def _listed(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_listed, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def graphml_text(graph: GraphData) -> str:
    """A graph as GraphML, which ``from_networkx`` reads back by way of networkx."""
    import networkx

    return "\n".join(networkx.generate_graphml(text_digraph(digraph_of(graph)))) + "\n"
