"""The graph is networkx's: there and back, with costs, in parts, through files, and refused."""

from __future__ import annotations

import io
from contextlib import suppress

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcost as sc
from symcost.algebra import Maximum
from symcost.errors import SymcostError
from symcost.model.ops import operations
from symcost.model.programs import parse
from symcost.symbols import dims

B, D, F, N = dims("B D F N")
C, W = sc.rates("C W")

PROGRAMS = [
    "X: bf16[B, D] @ W: int8[D, F] -> Z: bf16[B, F]",
    "y = mul(x: fp32[N], x)",
    """weight w1: bf16[D, F]; weight w2: bf16[F, D]
    repeat L { fused mlp { h = x: bf16[B, D] @ w1; repeat 3 { g = gelu(h) }; y = g @ w2 } }
    z = softmax(y, axis=D)""",
    """A: bf16[B, D] on gpu0; P = relu(A) on gpu0; send P to gpu1 over nvlink; Q = exp(P) on gpu1
    output P""",
    "y: bf16[D, 8, B] = transpose(x: bf16[B, D, 8])",
    "mesh X=4, Y; relu(A: bf16[B_X, D_Y])",
]
EXAMPLES = sorted({operations[name].example for name in operations if operations[name].example})


@pytest.mark.parametrize("text", [*PROGRAMS, *EXAMPLES])
def test_there_and_back(text):
    graph = parse(text)
    assert sc.from_networkx(graph.digraph) == graph
    assert sc.from_networkx(graph.digraph).cost().by_resource() == graph.cost().by_resource()


@pytest.mark.parametrize("text", PROGRAMS)
def test_through_a_file(text):
    graph = parse(text)
    file = io.BytesIO()
    nx.write_graphml(sc.text_digraph(graph.digraph), file)
    file.seek(0)
    assert sc.from_networkx(nx.read_graphml(file)) == graph


@pytest.mark.parametrize("text", PROGRAMS[:-1])
def test_the_costs_of_the_nodes_are_those_of_the_ledger(text):
    cost = parse(text).cost()
    nodes = cost.digraph.nodes
    assert sum(data["flops"] for _, data in nodes(data=True)).expand() == cost.flops()
    moved = sum(cost.bytes(channel) for channel in cost.channels)
    assert sum(data["bytes"] for _, data in nodes(data=True)).expand() == moved


def test_times():
    cost = parse("h = x: bf16[B, D] @ w: bf16[D, F]; y: bf16[B, F] = gelu(h)").cost()
    nodes = cost.digraph.nodes
    moved = 2 * B * D / W + 2 * B * F / W + 2 * D * F / W
    assert nodes["contract:0"]["time"] == Maximum(2 * B * D * F / C, moved)
    assert nodes["gelu:1"]["time"] == Maximum(5 * B * F / C, 4 * B * F / W)
    assert nodes["h"]["time"] == 0


def test_the_critical_path_is_networkx_s():
    graph = parse("a = exp(x: fp32[64]); b = a @ w: fp32[64, 9]; c = relu(a); d = b @ v: fp32[9]")
    digraph = graph.cost().digraph
    weighted = nx.DiGraph(
        (source, target, {"weight": float(digraph.nodes[target]["bytes"])})
        for source, target in digraph.edges
    )
    path = nx.dag_longest_path(weighted)
    assert [node for node in path if ":" in node] == ["exp:0", "contract:1", "contract:3"]


def test_a_part_has_a_cost():
    cost = parse("h = x: bf16[B, D] @ w: bf16[D, F]; g = gelu(h); y = g @ v: bf16[F, D]").cost()
    digraph = cost.digraph
    part = digraph.subgraph({"g"} | nx.ancestors(digraph, "g"))
    assert sc.from_networkx(part).cost().flops("matmul") == 2 * B * D * F
    last = digraph.subgraph(["g", "v", "contract:2", "y"])
    made = sc.from_networkx(last)
    assert {name: t.role for name, t in made.tensors.items()} == {
        "g": "input",
        "v": "input",
        "y": "output",
    }
    assert made.cost().flops() == 2 * B * D * F


def user_graph() -> nx.DiGraph:
    """Operations as nodes, shapes on the edges."""
    G = nx.DiGraph(name="mlp")
    G.add_node("x", kind="input")
    G.add_node("w", kind="weight", dtype="int8", shape=(D, F))
    G.add_node("up", kind="matmul")
    G.add_node("act", kind="gelu", group="f")
    G.add_node("norm", kind="softmax", axis="F", repeat="L")
    G.add_node("y", kind="output")
    G.add_edge("w", "up", position=1)
    G.add_edge("x", "up", dtype="bf16", shape="B, D", position=0)
    G.add_edge("up", "act", type="bf16[B, F]")
    G.add_edge("act", "norm")
    G.add_edge("norm", "y", dtype="fp32", shape=["B", F])
    return G


def test_operations_as_nodes():
    graph = sc.from_networkx(user_graph())
    assert str(graph) == (
        "weight w: int8[D, F]\n"
        "up: bf16[B, F] = x: bf16[B, D] @ w\n"
        "fused f {\n"
        "    act = gelu(up)\n"
        "}\n"
        "repeat L {\n"
        "    y: fp32[B, F] = softmax(act, axis=F)\n"
        "}"
    )
    assert graph.name == "mlp"
    assert [op.origin for op in graph.ops] == ["node up", "node act", "node norm"]
    assert sc.from_networkx(graph.digraph) == graph


def test_the_ends_may_say_nothing_where_their_edges_do():
    G = user_graph()
    for node in ("x", "y"):
        G.nodes[node].clear()
    assert sc.from_networkx(G) == sc.from_networkx(user_graph())


def test_any_order_of_nodes_and_edges():
    G = nx.DiGraph()
    G.add_edge("b", "c")
    G.add_edge("a", "b")
    G.add_edge("x", "a")
    for node in "abc":
        G.nodes[node]["kind"] = "relu"
    G.nodes["x"].update(type=sc.TensorType("bf16", (N,)))
    assert [op.outputs for op in sc.from_networkx(G).ops] == [("a",), ("b",), ("c",)]


def broken(change) -> nx.DiGraph:
    G = user_graph()
    change(G)
    return G


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph(), "Graph is no directed graph of networkx; give a networkx.DiGraph"),
        ({}, "dict is no directed graph of networkx; give a networkx.DiGraph"),
        (
            broken(lambda G: G.add_edge("norm", "up")),
            "the graph has a cycle, up -> act -> norm; a program uses what it made before",
        ),
        (
            broken(lambda G: G.add_node("odd")),
            "the node 'odd' is neither an operation nor a tensor; "
            'give it kind="gelu", or type="bf16[B, D]"',
        ),
        (
            broken(lambda G: G.edges["x", "up"].clear()),
            "the tensor 'x' has no type; give its node type=\"bf16[B, D]\"",
        ),
        (
            broken(lambda G: G.nodes["x"].update(type="bf16[B, F]")),
            "'x' is bf16[B, F] in one place and bf16[B, D] at ('x', 'up'); give its type once",
        ),
        (
            broken(lambda G: G.nodes["w"].pop("dtype")),
            'at \'w\': dtype is missing; give dtype="bf16", shape="B, D"',
        ),
        (
            broken(lambda G: G.nodes["act"].update(kind="gellu")),
            "the operation 'act': unknown operation 'gellu'; "
            "did you mean gelu or relu or gelu_tanh?",
        ),
        (
            broken(lambda G: G.nodes["norm"].update(axis="Q")),
            "the operation 'norm': bf16[B, F] has no axis Q; "
            "name one of its dimensions, or a position from 0 or -1",
        ),
        (
            broken(lambda G: G.add_edge("x", "w")),
            "the edge from 'x' to 'w' joins two tensors; put an operation between them",
        ),
        (
            parse("h = relu(x: bf16[B]); y = exp(h)").digraph.subgraph(["exp:1", "y"]),
            "the tensor h of the operation 'exp:1' is not in the graph; "
            "take the node of the tensor too",
        ),
    ],
)
def test_refused(graph, message):
    with pytest.raises(SymcostError) as caught:
        sc.from_networkx(graph)
    assert str(caught.value) == message


WORDS = st.sampled_from(
    ["bf16[B, D]", "bf16", "B, D", "", "[", "relu", "matmul", "input", 3, None, (B,), 0.5, {}]
)
KEYS = st.sampled_from(
    ["kind", "type", "dtype", "shape", "role", "axis", "repeat", "place", "inputs", "position"]
)


@given(
    st.lists(st.dictionaries(KEYS, WORDS, max_size=3), min_size=1, max_size=4),
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.dictionaries(KEYS, WORDS, max_size=2))
    ),
)
def test_any_digraph_gives_a_graph_or_one_clear_error(nodes, edges):
    G = nx.DiGraph()
    G.add_nodes_from(enumerate(nodes))
    G.add_edges_from((a, b, data) for a, b, data in edges if max(a, b) < len(nodes))
    with suppress(SymcostError):
        assert isinstance(sc.from_networkx(G), sc.ComputationGraph)


def _one(**attributes: object) -> nx.DiGraph:
    made = nx.DiGraph()
    made.add_node("x", type="bf16[B, D]")
    made.add_node("w", type="bf16[D, F]")
    made.add_node("m", **attributes)
    made.add_edges_from([("x", "m"), ("w", "m")])
    return made


def test_the_type_of_an_operation_is_that_of_its_result():
    assert str(sc.from_networkx(_one(kind="matmul", type="fp32[B, F]")).tensors["m"].type) == (
        "fp32[B, F]"
    )
    assert sc.from_networkx(_one(op="matmul")) == sc.from_networkx(_one(kind="matmul"))


def test_no_operation_is_repeated_less_than_once():
    with pytest.raises(SymcostError, match="'m' is repeated 0 times; repeat at least once"):
        sc.from_networkx(_one(kind="matmul", repeat=0))


def renamed(digraph: nx.DiGraph) -> nx.DiGraph:
    return nx.relabel_nodes(digraph, {node: f"blk.0/{node}" for node in digraph})


@pytest.mark.parametrize("text", PROGRAMS[:-1])
@pytest.mark.parametrize("change", [renamed, nx.convert_node_labels_to_integers])
def test_renamed_nodes_are_the_same_program(text, change):
    """As a program it prints with words, whatever the nodes are called, and reads back."""
    graph = parse(text)
    for digraph in (graph.digraph, sc.text_digraph(graph.digraph)):
        made = sc.from_networkx(change(digraph))
        assert made.cost().by_resource() == graph.cost().by_resource()
        again = parse(str(made))
        assert str(again) == str(made)
        assert again.cost().by_resource() == graph.cost().by_resource()


@pytest.mark.parametrize(
    ("name", "word"),
    [("blk.0/x", "blk_0_x"), (3, "n3"), ("x²", "x"), ("", "t"), ("α", "alpha"), (("a", 1), "a_1")],
)
def test_a_name_that_is_no_word_is_printed_as_one(name, word):
    G = nx.DiGraph()
    G.add_node(name, type="bf16[B]")
    G.add_node("y", kind="relu")
    G.add_edge(name, "y")
    made = sc.from_networkx(G)
    assert str(made) == f"y = relu({word}: bf16[B])" == str(parse(str(made)))


def test_names_that_would_print_alike_stay_apart():
    g = sc.Graph()
    g.op("sub", g.input("a.b", "bf16[B]"), g.input("a_b", "bf16[B]"), name="a/b")
    assert str(g) == "a_b_3 = sub(a_b_2: bf16[B], a_b: bf16[B])"


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g.nodes["X"].update(tensor=None),
        lambda g: g.nodes["relu:0"].clear(),
        lambda g: g.edges["X", "relu:0"].update(weight=1),
        lambda g: g.adj["X"]["relu:0"].update(weight=1),
        lambda g: g.graph.update(mesh=None),
        lambda g: nx.set_node_attributes(g, 1, "weight"),
    ],
)
def test_the_attributes_of_a_graph_are_frozen(change):
    graph = parse("H = relu(X: bf16[B])")
    for digraph in (graph.digraph, graph.cost().digraph):
        before = dict(digraph.nodes["X"])
        with pytest.raises(TypeError, match="this table is immutable"):
            change(digraph)
        assert digraph.nodes["X"] == before
        own = digraph.copy()
        change(own)  # a copy is the user's own


def test_a_digraph_of_a_user_as_texts_and_as_a_picture():
    texts = sc.text_digraph(user_graph())
    assert texts.nodes["w"] == {"kind": "weight", "dtype": "int8", "shape": "D, F"}
    assert sc.from_networkx(texts) == sc.from_networkx(user_graph())
    assert sc.draw(user_graph()).axes


@pytest.mark.parametrize(
    ("attributes", "result"),
    [
        ({"kind": "matmul", "dtype": "fp32"}, "fp32[B, F]"),
        ({"kind": "matmul", "shape": "B, F"}, "bf16[B, F]"),
        ({"kind": "matmul", "dtype": "fp32", "shape": ("B", F)}, "fp32[B, F]"),
    ],
)
def test_an_operation_s_dtype_or_shape_is_that_of_its_result(attributes, result):
    assert str(sc.from_networkx(_one(**attributes)).tensors["m"].type) == result


def test_a_rate_is_not_called_like_a_size():
    text = "H: bf16[{0}, F] = X: bf16[{0}, D] @ W1: bf16[D, F]"
    names = {}
    for size in "BCW":
        (time,) = (t for _, t in sc.parse(text.format(size)).cost().digraph.nodes(data="time") if t)
        names[size] = {str(symbol) for symbol in time.free_symbols} - {size, "D", "F"}
    assert names == {"B": {"C", "W"}, "C": {"C_matmul", "W"}, "W": {"C", "W_hbm"}}
