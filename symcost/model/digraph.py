"""A graph as networkx sees it: a bipartite digraph of tensors and operations, with its costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from sympy import Expr, Integer

from symcost.algebra import Maximum, Posynomial, as_ratio
from symcost.model.blocks import Block
from symcost.model.data import GraphData, Op
from symcost.model.entries import Resource, link_of
from symcost.model.links import HBM
from symcost.model.tensors import ONE, Tensor
from symcost.registry import Table
from symcost.symbols import rate

if TYPE_CHECKING:
    import networkx

Rates: TypeAlias = Callable[[Resource], Expr]


def op_nodes(graph: GraphData) -> Iterator[str]:
    """The nodes of the operations, in program order: ``kind:number``."""
    return (f"{op.kind}:{number}" for number, op in enumerate(graph.ops))


def digraph_of(graph: GraphData) -> networkx.DiGraph:
    """The frozen digraph: a node for each tensor and operation, edges along the data."""
    return _frozen(_bipartite(graph))


def _frozen(made: networkx.DiGraph) -> networkx.DiGraph:
    """The digraph, of which neither the nodes nor what they carry can be changed."""
    import networkx

    nothing: Table[str, object] = Table()
    made.graph = Table(made.graph)
    made._node.update({node: Table(data) for node, data in made.nodes(data=True)})
    for ways in (*made._succ.values(), *made._pred.values()):
        ways.update(dict.fromkeys(ways, nothing))
    return networkx.freeze(made)


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
    return _frozen(made)


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
    """A copy of a digraph whose attributes are texts, for files of any format.

    ``networkx.write_graphml`` and ``networkx.nx_pydot.write_dot`` take it, and
    ``from_networkx`` reads it back.

    >>> import symcost as sc
    >>> made = sc.text_digraph(sc.parse("H = relu(X: bf16[B])").digraph)
    >>> made.nodes["X"]
    {'type': 'bf16[B]', 'role': 'input', 'place': ''}

    Args:
        graph: the ``digraph`` of a graph or of a ledger, or one that ``from_networkx`` reads.

    Returns:
        The copy; the ``position`` of an edge is that of the operand.
    """
    import networkx

    made = networkx.DiGraph(**{"name": "", **_texts(graph.graph)})
    for node, data in graph.nodes(data=True):
        made.add_node(node, **_texts(data))
    for source, target, data in graph.edges(data=True):
        op, tensor = graph.nodes[target].get("op"), graph.nodes[source].get("tensor")
        order: dict[str, object] = {}
        if isinstance(op, Op) and isinstance(tensor, Tensor):
            order["position"] = [n for n, name in enumerate(op.inputs) if name == tensor.name]
        made.add_edge(source, target, **_texts({**order, **data}))
    return made


def _texts(data: Mapping[str, object]) -> dict[str, str]:
    """Attributes as texts; those of a tensor or an operation one by one."""
    texts: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, Tensor):
            texts |= _tensor_texts(value)
        elif isinstance(value, Op):
            texts |= _op_texts(value)
        elif isinstance(value, Mapping):
            texts[key] = ", ".join(f"{axis}={size}" for axis, size in value.items())
        elif isinstance(value, tuple | list):
            texts[key] = ", ".join(map(str, value))
        elif key != "bipartite":
            texts[key] = str(value)
    return texts


def _tensor_texts(tensor: Tensor) -> dict[str, str]:
    often = {} if tensor.repeat == ONE else {"repeat": str(tensor.repeat)}
    return {"type": str(tensor.type), "role": tensor.role, "place": tensor.place, **often}


def _op_texts(op: Op) -> dict[str, str]:
    shown = {name: str(getattr(op, name)) for name in ("kind", "place", "group", "origin")}
    often = {n: str(getattr(op, n)) for n in ("repeat", "inner") if getattr(op, n) != ONE}
    return {**shown, **often, **{name: _listed(value) for name, value in op.attrs}}


def _listed(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_listed, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def graphml_text(graph: GraphData) -> str:
    """A graph as GraphML, which ``from_networkx`` reads back by way of networkx."""
    import networkx

    return "\n".join(networkx.generate_graphml(text_digraph(digraph_of(graph)))) + "\n"
