"""The picture of a graph: tensors and operations in columns, in the order of the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from symcost.documents.drawings import Diagram, Frame, Node
from symcost.errors import InvalidValueError
from symcost.model.builder import Graph
from symcost.model.data import Op
from symcost.model.digraph import op_nodes
from symcost.model.graph import ComputationGraph
from symcost.model.ledger import Ledger
from symcost.model.programs import as_graph
from symcost.model.tensors import ONE, Tensor
from symcost.printing.text import to_text
from symcost.render.pictures import drawn

if TYPE_CHECKING:
    import networkx

    from symcost.render.figure import Figure

MAX_NODES = 400  # more cannot be read
SWEEPS = 4  # passes that put each node beside its neighbours


def draw(graph: ComputationGraph | Graph | networkx.DiGraph | str) -> Figure:
    """The picture of a program, from left to right: tensors with their types, operations with
    their costs, fused groups and devices as frames.

    >>> import symcost as sc
    >>> figure = sc.draw("H = gelu(X: bf16[B, D] @ W: bf16[D, F])")
    >>> sorted(text.get_text() for text in figure.axes[0].texts)[0]
    'H\\nbf16[B, F]'

    Args:
        graph: a computation graph, a builder, a digraph of networkx, or the text of a program.

    Returns:
        A matplotlib figure; ``figure.savefig("graph.svg")`` writes it. For other programs there
        are ``text_digraph(graph.digraph)`` and the writers of networkx.

    Raises:
        InvalidValueError: the graph is too large to be read in a picture.
        NotationError: a text that is no program.
    """
    return drawn(diagram(as_graph(graph)))


def dot_text(graph: ComputationGraph) -> str:
    """The picture of a graph as text for Graphviz.

    >>> print(dot_text(as_graph("H = relu(X: bf16[B])")).splitlines()[-2])
      "X" -> "relu:0";
    """
    made = diagram(graph)
    boxes = [
        f"  {_quoted(node.name)} [label={_quoted(chr(10).join(node.lines))}];"
        for node in made.nodes
        if node.lines
    ]
    arrows = [
        f"  {_quoted(way[0])} -> {_quoted(way[-1])};" for way in sorted(made.arrows, reverse=True)
    ]
    head = ["digraph {", "  rankdir=LR;", "  node [shape=box];"]
    return "\n".join([*head, *boxes, *arrows, "}", ""])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def diagram(graph: ComputationGraph) -> Diagram:
    """What is drawn where, without drawing it.

    >>> made = diagram(as_graph("H = relu(X: bf16[B])"))
    >>> [(node.name, node.x) for node in made.nodes], made.nodes[-1].lines
    ([('X', 0), ('H', 2), ('relu:0', 1)], ('relu', 'B FLOPs', '4*B bytes'))
    """
    cost = graph.cost()
    digraph = graph.digraph
    if not digraph:
        raise InvalidValueError("the graph is empty", repair="declare a tensor")
    if len(digraph) > MAX_NODES:
        raise InvalidValueError(
            f"a picture of {len(digraph)} nodes cannot be read",
            repair=f"draw a part of at most {MAX_NODES}: "
            "sc.from_networkx(graph.digraph.subgraph(...))",
        )
    ops = dict(zip(op_nodes(graph), graph.ops, strict=True))
    column = _columns(digraph)
    place = {node: op.place for node, op in ops.items()}
    bands = _bands(digraph, place)
    bent, arrows = _bent(digraph, column, bands)
    row = _rows(bent, column, bands)
    nodes = [
        Node(name, _tensor_lines(tensor), tensor.role, column[name], row[name])
        for name, tensor in graph.tensors.items()
    ]
    costs = _costs(graph, cost)
    nodes += [
        Node(node, _op_lines(op, costs.get(number, ())), "operation", column[node], row[node])
        for number, (node, op) in enumerate(ops.items())
    ]
    nodes += [
        Node(bend, (), "bend", column[bend], row[bend]) for way in arrows for bend in way[1:-1]
    ]
    return Diagram(tuple(nodes), arrows, _frames(graph, ops), graph.name)


def _tensor_lines(tensor: Tensor) -> tuple[str, ...]:
    return (str(tensor.type),) if tensor.is_anonymous else (tensor.label, str(tensor.type))


def _op_lines(op: Op, costs: tuple[str, ...]) -> tuple[str, ...]:
    runs = op.repeat * op.inner
    often = () if runs == ONE else (f"{to_text(runs.to_sympy())} times",)
    return (op.kind, *often, *costs)


def _costs(graph: ComputationGraph, cost: Ledger) -> dict[int, tuple[str, ...]]:
    """The FLOPs and bytes of each operation in words; none of a program that is split up."""
    digraph = cost.digraph
    if set(digraph) != set(graph.digraph):
        return {}
    costs = {}
    for number, node in enumerate(op_nodes(graph)):
        data = digraph.nodes[node]
        words = (("flops", "FLOPs"), ("bytes", "bytes"))
        costs[number] = tuple(f"{to_text(data[key])} {word}" for key, word in words if data[key])
    return costs


def _columns(digraph: networkx.DiGraph) -> dict[str, int]:
    """Each node right of what it needs; what is there from the start just before its first use."""
    import networkx

    column: dict[str, int] = {}
    for number, generation in enumerate(networkx.topological_generations(digraph)):
        column.update(dict.fromkeys(generation, number))
    for node in digraph:
        if not digraph.in_degree(node) and digraph.out_degree(node):
            column[node] = min(column[after] for after in digraph.successors(node)) - 1
    return column


def _bent(
    digraph: networkx.DiGraph, column: dict[str, int], bands: dict[str, int]
) -> tuple[networkx.DiGraph, tuple[tuple[str, ...], ...]]:
    """The graph with a bend in every column that an edge passes, so that it goes round nodes."""
    import networkx

    bent = networkx.DiGraph()
    bent.add_nodes_from(digraph)
    arrows = []
    for start, end in digraph.edges:
        between = range(column[start] + 1, column[end])
        way = (start, *(f"{start} > {end} {n}" for n in between), end)
        for n, bend in zip(between, way[1:-1], strict=True):
            column[bend], bands[bend] = n, max(bands[start], bands[end])
        networkx.add_path(bent, way)
        arrows.append(way)
    return bent, tuple(arrows)


def _rows(
    digraph: networkx.DiGraph, column: Mapping[str, int], bands: Mapping[str, int]
) -> dict[str, float]:
    """The rows: a band for each device, and in each column every node near its neighbours."""
    members: dict[tuple[int, int], list[str]] = {}
    for node in digraph:
        members.setdefault((bands[node], column[node]), []).append(node)
    row = {node: float(n) for nodes in members.values() for n, node in enumerate(nodes)}
    for _ in range(SWEEPS):
        for nodes in members.values():
            near = {node: _mean(digraph, node, row) for node in nodes}
            nodes.sort(key=near.__getitem__)
            row.update(zip(nodes, _spread([near[node] for node in nodes]), strict=True))
    return _stacked(bands, row)


def _bands(digraph: networkx.DiGraph, place: Mapping[str, str]) -> dict[str, int]:
    """The band of each node: its device's; first what several devices use."""
    order = {name: n for n, name in enumerate(dict.fromkeys(place.values()))}
    band = {}
    for node, data in digraph.nodes(data=True):
        around = {place[each] for each in digraph.successors(node) if each in place}
        around = around or {place[each] for each in digraph.predecessors(node) if each in place}
        own = data["op"].place if node in place else data["tensor"].place
        shared = not own and len(around) > 1
        band[node] = -1 if shared else order.get(own or "".join(around), 0)
    return band


def _mean(digraph: networkx.DiGraph, node: str, row: Mapping[str, float]) -> float:
    around = [*digraph.predecessors(node), *digraph.successors(node)]
    return sum(row[each] for each in around) / len(around) if around else row[node]


def _spread(wanted: list[float]) -> list[float]:
    """Rows in the same order, at least one apart, about where they are wanted."""
    placed: list[float] = []
    for value in wanted:
        placed.append(max(value, placed[-1] + 1) if placed else value)
    shift = sum(wanted) / len(wanted) - sum(placed) / len(placed)
    return [value + shift for value in placed]


def _stacked(bands: Mapping[str, int], row: Mapping[str, float]) -> dict[str, float]:
    """The bands one below the other."""
    rows: dict[str, float] = {}
    top = 0.0
    for band in sorted(set(bands.values())):
        nodes = [node for node in bands if bands[node] == band]
        least = min(row[node] for node in nodes)
        rows.update({node: row[node] - least + top for node in nodes})
        top = max(rows[node] for node in nodes) + 1.5
    return rows


def _frames(graph: ComputationGraph, ops: Mapping[str, Op]) -> tuple[Frame, ...]:
    """Frames around fused groups with what stays inside, and around devices."""
    groups: dict[str, list[str]] = {}
    places: dict[str, list[str]] = {}
    users = graph.consumers()
    for node, op in ops.items():
        places.setdefault(op.place, []).append(node)
        if op.group:
            inside = groups.setdefault(f"fused {op.group}", [])
            inside.append(node)
            inside += [
                name
                for name in op.outputs
                if users[name] and all(graph.ops[n].group == op.group for n in users[name])
            ]
    for name, tensor in graph.tensors.items():
        if tensor.place:
            places.setdefault(tensor.place, []).append(name)
    frames = [Frame(name, tuple(nodes)) for name, nodes in groups.items()]
    return (*frames, *(Frame(place, tuple(n), 1) for place, n in places.items() if place))
