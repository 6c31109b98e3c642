"""From a digraph of networkx, ours or a user's, to a computation graph."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import InvalidValueError, NotationError, SymcostError, UnknownNameError
from symcost.model.builder import Graph, Scope
from symcost.model.data import Op, frozen_value, times_of
from symcost.model.graph import ComputationGraph
from symcost.model.sizes import parse_type
from symcost.model.tensors import ONE, ROLES, Tensor, TensorType

if TYPE_CHECKING:
    import networkx

    Data: TypeAlias = Mapping[str, object]

TYPE_KEYS = ("tensor", "type", "dtype", "shape")
OWN_KEYS = {
    *("op", "kind", "bipartite", "place", "group", "repeat", "inner", "origin", "inputs"),
    *("outputs", "flops", "bytes", "time", "label", "role", "name", *TYPE_KEYS),
}
TEXT_PARAMS = ("spec", "compute", "over", "to")


def from_networkx(
    graph: networkx.DiGraph, *, name: str = "", mesh: Mapping[str, object] | None = None
) -> ComputationGraph:
    """The computation graph of a networkx digraph.

    A node with ``kind`` (or ``op``, an :class:`Op`) is an operation; its further attributes are
    ``place``, ``group``, ``repeat`` and the parameters of the operation. A node with a type is a
    tensor: ``tensor`` (a :class:`Tensor`), or ``type``, ``"bf16[B, D]"``, or ``dtype`` and
    ``shape``, as texts or objects; ``role`` is found from the edges if not given. Operations may
    be joined directly; then the edge may carry the type, and what has none is found by the
    operation's shape rule. Operands stand in the order of the edges, or of their ``position``.

    >>> import networkx as nx, symcost as sc
    >>> G = nx.DiGraph()
    >>> G.add_node("x", dtype="bf16", shape="B, D")
    >>> G.add_node("w", dtype="int8", shape=sc.dims("D F"), role="weight")
    >>> G.add_node("up", kind="matmul")
    >>> G.add_node("act", kind="gelu")
    >>> G.add_edges_from([("x", "up"), ("w", "up"), ("up", "act")])
    >>> sc.from_networkx(G).cost().flops("matmul")
    2*B*D*F

    Args:
        graph: the digraph; of ours (``graph.digraph``, ``cost.digraph``), or a part of one, the
            graph comes back.
        name: what the graph is called; that of the digraph if not given.
        mesh: sizes of the mesh axes; those of the digraph if not given.

    Returns:
        The graph; its operations stand in the order of the nodes where that is possible.

    Raises:
        InvalidValueError: this is no directed networkx graph, it has a cycle, or a node or edge
            carries what it should not.
        UnknownNameError: an operation uses a tensor that is not in the graph.
        ShapeError: operands do not fit.
    """
    if not hasattr(graph, "is_directed") or not graph.is_directed():
        raise InvalidValueError(
            f"{type(graph).__name__} is no directed graph of networkx",
            repair="give a networkx.DiGraph",
        )
    own = graph.graph
    sizes = mesh if mesh is not None else own.get("mesh") or None
    return _Importer(graph, Graph(name or str(own.get("name", "")), sizes)).made()


def _size(value: object) -> Posynomial:
    """A size, given as a number, an expression or text."""
    if isinstance(value, str):
        return parse_type(f"int8[{value}]").shape[0]
    return as_posynomial(value)


class _Importer:
    """Walks the nodes in order and builds the graph: declares tensors, adds operations."""

    def __init__(self, graph: networkx.DiGraph, built: Graph) -> None:
        self.graph = graph
        self.built = built
        self.results: dict[Hashable, tuple[str, ...]] = {}  # of the operations so far
        self.is_op = {node: self._is_op(node, data) for node, data in graph.nodes(data=True)}
        tensors = graph.nodes(data="tensor")
        self.node_of = {t.name: node for node, t in tensors if isinstance(t, Tensor)}
        for source, target in graph.edges():
            if not self.is_op[source] and not self.is_op[target]:
                raise InvalidValueError(
                    f"the edge from {source!r} to {target!r} joins two tensors",
                    repair="put an operation between them",
                )

    def made(self) -> ComputationGraph:
        for node in _in_order(self.graph):
            if self.is_op[node]:
                self._operation(node, self.graph.nodes[node])
            elif not any(self.is_op[each] for each in self.graph.predecessors(node)):
                self._hold(node, ("input", "weight"))
        return self.built.build()

    def _nodes(self, names: tuple[str, ...]) -> list[Hashable]:
        """The nodes of the tensors that an operation of ours names; they may have been renamed."""
        return [self.node_of.get(name, name) for name in names]

    def _is_op(self, node: Hashable, data: Data) -> bool:
        """Whether it is an operation; an end of the graph whose edges carry a type is none."""
        if "op" in data or ("kind" in data and data["kind"] not in (*ROLES, "tensor")):
            return True
        if any(key in data for key in ("kind", "role", *TYPE_KEYS)):
            return False
        ends = [[*self.graph.in_edges(node, data=True)], [*self.graph.out_edges(node, data=True)]]
        typed = any(key in own for edges in ends for *_, own in edges for key in TYPE_KEYS)
        if all(ends) or not typed:
            raise InvalidValueError(
                f"the node {node!r} is neither an operation nor a tensor",
                repair='give it kind="gelu", or type="bf16[B, D]"',
            )
        return False

    # -- tensors ------------------------------------------------------------------------

    def _hold(self, node: Hashable, roles: tuple[str, str]) -> None:
        """Add the tensor of a node; one that nothing produces is there from the start."""
        data, type = self.graph.nodes[node], self._type(node)
        if type is None:
            raise InvalidValueError(
                f"the tensor {str(node)!r} has no type",
                repair='give its node type="bf16[B, D]"',
            )
        given = data.get("tensor")
        if not isinstance(given, Tensor):
            said = str(data.get("role") or data.get("kind"))
            repeat, place = _size(data.get("repeat", ONE)), str(data.get("place", ""))
            given = Tensor(str(node), type, said if said in ROLES else roles[0], place, repeat)
        role = given.role if given.role in roles else roles[0]
        self.built.hold(replace(given, name=str(node), role=role))

    def _type(self, node: Hashable) -> TensorType | None:
        """The type of a tensor: its node's, or that of an edge that carries it."""
        data = self.graph.nodes[node]
        own_type = not self.is_op[node] or "type" in data or {"dtype", "shape"} <= data.keys()
        places: list[tuple[object, Data]] = [(node, data)] if own_type else []
        edges = [*self.graph.out_edges(node, data=True)]
        if not self.is_op[node]:
            edges += self.graph.in_edges(node, data=True)
        places += [((source, target), own) for source, target, own in edges]
        known: TensorType | None = None
        for where, own in places:
            if not any(key in own for key in TYPE_KEYS):
                continue
            type = self._read_type(where, own)
            if known is not None and type is not known:
                raise InvalidValueError(
                    f"{node!r} is {known} in one place and {type} at {where!r}",
                    repair="give its type once",
                )
            known = type
        return known

    def _read_type(self, where: object, data: Data) -> TensorType:
        given = data.get("tensor", data.get("type"))
        try:
            if isinstance(given, Tensor):
                return given.type
            if isinstance(given, TensorType | str):
                return self.built.as_type(given)
            return self.built.as_type(_from_parts(data))
        except SymcostError as error:
            raise type(error)(f"at {where!r}: {error.problem}", repair=error.repair) from None

    # -- operations ---------------------------------------------------------------------

    def _operation(self, node: Hashable, data: Data) -> None:
        given = data.get("op")
        if isinstance(given, Op):
            operands, results = (self._nodes(names) for names in (given.inputs, given.outputs))
            for name, result in zip(given.outputs, results, strict=True):
                if result not in self.graph:
                    raise _lacks(node, name)
                self._hold(result, ("intermediate", "output"))
            names = self._check(node, tuple(map(str, operands)))
            self.results[node] = tuple(map(str, results))
            self.built.append(replace(given, inputs=names, outputs=self.results[node]))
            return
        inputs = self._check(node, self._inputs(node, data))
        tensors = [each for each in self.graph.successors(node) if not self.is_op[each]]
        if len(tensors) > 1:
            raise InvalidValueError(
                f"the operation {node!r} has {len(tensors)} results",
                repair="give it one, or give the node an sc.Op",
            )
        result = tensors[0] if tensors else node
        out = self._type(result)
        own = self.graph.nodes[result]
        problem = f"the operation {node!r} is repeated {{}} times"
        repeat, inner = (times_of(_size(data.get(k, ONE)), problem) for k in ("repeat", "inner"))
        kind, origin = str(data.get("kind", given)), str(data.get("origin") or f"node {node}")
        attrs = {str(k): _value(str(k), v) for k, v in data.items() if k not in OWN_KEYS}
        place = str(data.get("place") or ("" if kind == "send" else own.get("place", "")))
        try:
            if out is None and ("dtype" in data or "shape" in data):  # the rule gives the other
                _, type, _ = self.built.resolve(kind, inputs, attrs)
                out = self._read_type(node, {"dtype": type.dtype, "shape": type.shape, **data})
            with self.built.within(Scope(place, str(data.get("group", "")), repeat, inner)):
                made = self.built.add(kind, inputs, attrs, out, str(result), origin=origin)
        except SymcostError as error:
            problem = f"the operation {node!r}: {error.problem}"
            raise error.__class__(problem, repair=error.repair) from None
        if getattr(own.get("tensor"), "role", own.get("role")) == "output":
            self.built.output(made)
        self.results[node] = (made.name,)

    def _check(self, node: Hashable, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in self.built.tensors:
                raise _lacks(node, name)
        return names

    def _inputs(self, node: Hashable, data: Data) -> tuple[str, ...]:
        """The operands: as the node lists them, else in the order of the edges."""
        listed = data.get("inputs")
        if isinstance(listed, str):
            return tuple(name.strip() for name in listed.split(",") if name.strip())
        if isinstance(listed, Iterable):
            return tuple(map(str, listed))
        edges = enumerate(self.graph.in_edges(node, data=True))
        placed = [(at, n, s) for n, (s, _, own) in edges for at in _positions(own, n)]
        operands: list[str] = []
        for *_, source in sorted(placed, key=lambda item: item[:2]):
            operands += self.results[source] if self.is_op[source] else (str(source),)
        return tuple(operands)


def _from_parts(data: Data) -> str | TensorType:
    """A type of ``dtype`` and ``shape``, or its text."""
    if "dtype" not in data or "shape" not in data:
        missing = "dtype" if "shape" in data else "shape"
        raise NotationError(f"{missing} is missing", repair='give dtype="bf16", shape="B, D"')
    shape = data["shape"]
    whole = isinstance(shape, str | Posynomial)
    parts = list(shape) if isinstance(shape, Iterable) and not whole else [shape]
    if any(isinstance(part, str) for part in parts):
        text = ", ".join(map(str, parts)).strip().strip("[]()")
        return f"{data['dtype']}[{text}]"
    return TensorType(str(data["dtype"]), parts)


def _positions(edge: Data, number: int) -> list[int]:
    """Where the tensor of an edge stands among the operands, ``0`` or ``"0, 1"``."""
    given = edge.get("position", number)
    if isinstance(given, str) and re.fullmatch("[0-9]{1,9}(, *[0-9]{1,9}){0,99}", given):
        return [int(each) for each in given.split(",")]
    if isinstance(given, int):
        return [given]
    raise InvalidValueError(f"{given!r} is no position of an operand", repair="count from 0")


def _lacks(node: Hashable, name: str) -> UnknownNameError:
    return UnknownNameError(
        f"the tensor {name} of the operation {node!r} is not in the graph",
        repair="take the node of the tensor too",
    )


def _value(name: str, value: object) -> object:
    """A parameter: text as it is where it is text, otherwise numbers and sizes."""
    if isinstance(value, str) and value[:1] == '"':
        return value.strip('"')
    if isinstance(value, str) and name not in TEXT_PARAMS:
        words = [word.strip() for word in value.strip().strip("[]()").split(",") if word.strip()]
        read = tuple(_number(word) for word in words)
        return frozen_value(read if value.strip()[:1] in "[(" else read[0] if read else value)
    return frozen_value(value)


def _number(word: str) -> object:
    return int(word) if re.fullmatch(r"-?[0-9]{1,9}", word) else _size(word)


def _in_order(graph: networkx.DiGraph) -> list[Hashable]:
    """The nodes in an order of the data, as they were added where that is one."""
    import networkx

    number = {node: n for n, node in enumerate(graph)}
    try:
        return list(networkx.lexicographical_topological_sort(graph, key=number.__getitem__))
    except networkx.NetworkXUnfeasible:
        cycle = " -> ".join(str(source) for source, *_ in networkx.find_cycle(graph))
        raise InvalidValueError(
            f"the graph has a cycle, {cycle}", repair="a program uses what it made before"
        ) from None
