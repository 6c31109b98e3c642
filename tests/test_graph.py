"""Graphs and the builder: what is checked, what networkx sees, what is equal."""

from __future__ import annotations

import pickle

import networkx as nx
import pytest

from symcost.errors import (
    DuplicateNameError,
    InvalidValueError,
    NotationError,
    ShapeError,
    UnknownNameError,
)
from symcost.model.builder import Graph
from symcost.model.graph import ComputationGraph, Op
from symcost.model.programs import parse
from symcost.model.tensors import Tensor, TensorType
from symcost.symbols import dims

B, D, F, L, N = dims("B D F L N")
VECTOR = TensorType("bf16", (8,))


def mlp() -> Graph:
    g = Graph("mlp")
    x = g.input("x", "bf16[B, D]")
    h = g.op("gelu", g.matmul(x, g.weight("w1", "int8[D, F]")))
    g.output(g.matmul(h, g.weight("w2", "int8[F, D]")))
    return g


def test_builder_gives_the_graph_of_the_text():
    text = """weight w1: int8[D, F]; weight w2: int8[F, D]
        gelu(x: bf16[B, D] @ w1) @ w2"""
    assert mlp().build() == parse(text)
    assert hash(mlp().build()) == hash(parse(text))


def test_digraph_is_bipartite_and_frozen():
    graph = mlp().build()
    digraph = graph.digraph
    assert digraph is graph.digraph
    assert nx.is_directed_acyclic_graph(digraph)
    assert nx.bipartite.is_bipartite(digraph)
    assert nx.is_frozen(digraph)
    assert list(nx.topological_sort(digraph))[-1] == "_3"
    assert digraph.nodes["x"]["tensor"].type is TensorType("bf16", (B, D))
    assert digraph.nodes["gelu:1"]["op"].kind == "gelu"
    assert nx.has_path(digraph, "w1", "contract:2")
    assert [n for n, data in digraph.nodes(data=True) if data["bipartite"]] == [
        "contract:0",
        "gelu:1",
        "contract:2",
    ]


def test_immutable():
    graph = mlp().build()
    with pytest.raises(AttributeError, match="immutable"):
        graph.name = "other"
    with pytest.raises(AttributeError, match="immutable"):
        del graph.ops
    with pytest.raises(TypeError):
        graph.tensors["x"] = None
    assert pickle.loads(pickle.dumps(graph)) == graph


def test_roles():
    tensors = mlp().build().tensors
    assert {name: t.role for name, t in tensors.items()} == {
        "x": "input",
        "w1": "weight",
        "w2": "weight",
        "_1": "intermediate",
        "_2": "intermediate",
        "_3": "output",
    }


@pytest.mark.parametrize(
    ("tensors", "ops", "error", "message"),
    [
        ([("a", "input")], [("relu", "z", "b")], UnknownNameError, "relu names the tensor z"),
        ([("a", "input")], [("relu", "a", "b")], UnknownNameError, "relu names the tensor b"),
        (
            [("a", "input"), ("b", "output")],
            [("relu", "a", "b"), ("relu", "a", "b")],
            DuplicateNameError,
            "the tensor b is produced twice",
        ),
        (
            [("a", "input"), ("b", "intermediate"), ("c", "output")],
            [("relu", "b", "c"), ("relu", "a", "b")],
            NotationError,
            "relu uses b before it is produced",
        ),
        ([("a", "input"), ("a", "input")], [], DuplicateNameError, "a is declared twice"),
        ([("a", "output")], [], UnknownNameError, "a is produced by no operation"),
    ],
)
def test_checked_once(tensors, ops, error, message):
    made = [Tensor(name, VECTOR, role) for name, role in tensors]
    steps = [Op(kind, (source,), (target,)) for kind, source, target in ops]
    with pytest.raises(error, match=message):
        ComputationGraph(made, steps)


def test_torn_group():
    tensors = [Tensor("a", VECTOR)] + [Tensor(n, VECTOR, "output") for n in "bcd"]
    ops = [
        Op("relu", ("a",), ("b",), group="g"),
        Op("relu", ("a",), ("c",)),
        Op("relu", ("a",), ("d",), group="g"),
    ]
    with pytest.raises(NotationError, match="the fused group 'g' is torn by other operations"):
        ComputationGraph(tensors, ops)


def test_builder_refuses():
    g = Graph()
    x = g.input("x", "bf16[B, D]")
    with pytest.raises(DuplicateNameError, match="the tensor x exists already"):
        g.input("x", "bf16[B, D]")
    with pytest.raises(UnknownNameError, match="unknown tensor 'y'"):
        g.op("relu", "y")
    with pytest.raises(UnknownNameError, match="did you mean gelu"):
        g.op("gellu", x)
    with pytest.raises(ShapeError, match="contracted dims differ"):
        g.matmul(x, g.weight("w", "bf16[E, F]"))
    with pytest.raises(NotationError, match="this is no type"):
        g.input("z", "bf16")
    with pytest.raises(InvalidValueError, match="cannot repeat 0 times"), g.repeat(0):
        pass
    with pytest.raises(ShapeError, match="is no value for a parameter"):
        g.op("softmax", x, axis=object())


def test_builder_scopes():
    g = Graph()
    x = g.input("x", "bf16[B, D]")
    with g.repeat(L), g.repeat(2):
        for _ in range(2):
            with g.fused("attn"):
                x = g.op("relu", x)
    graph = g.build()
    assert [op.group for op in graph.ops] == ["attn", "attn_2"]
    assert [op.repeat for op in graph.ops] == [2 * L, 2 * L]
    assert g.cost().flops() == 4 * L * B * D


def test_a_repeat_inside_a_fused_group_repeats_the_arithmetic_alone():
    g = Graph()
    x, a = g.input("x", "fp32[N]"), g.input("a", "fp32[N]")
    with g.repeat(L), g.fused("f"), g.repeat(3):
        y = g.op("mul", x, a)
    with g.fused("g"):
        g.op("relu", y)
    (op, after) = g.build().ops
    assert (op.repeat, op.inner, after.inner) == (L, 3, 1)
    assert g.cost().flops("vector") == 3 * L * N + N
    assert g.cost().bytes() == 12 * L * N + 8 * N


def test_places_and_sends():
    g = Graph()
    x = g.input("x", "bf16[B]", place="gpu0")
    with g.on("gpu0"):
        y = g.op("relu", x)
    with pytest.raises(NotationError) as caught:
        g.op("relu", y, place="gpu1")
    assert str(caught.value) == (
        "bf16[B] is on gpu0, not on gpu1; send it first, for example send _1 to gpu1 over nvlink"
    )
    g.send(y, to="gpu1", over="nvlink")
    z = g.op("relu", y, place="gpu1", name="z")
    assert z.place == "gpu1"
    assert g.build().ops[-1].inputs == ("_1@gpu1",)
    with pytest.raises(DuplicateNameError):
        g.send(y, to="gpu1", over="nvlink")
    with pytest.raises(NotationError, match="is on gpu0 already"):
        g.send(y, to="gpu0", over="nvlink")


def test_einsum():
    g = Graph()
    x, w = g.input("x", "bf16[B, D]"), g.weight("w", "bf16[F, D]")
    assert g.einsum("bd,fd->bf", x, w).type is TensorType("bf16", (B, F))
    assert g.contract(x, w, out="fp32[F, B]").type is TensorType("fp32", (F, B))


def test_types_may_be_objects():
    g = Graph(mesh={"X": 4})
    x = g.input("x", TensorType("bf16", (B, 2 * D), (("X",), ())))
    assert x.type is g.input("y", "bf16[B_X, 2*D]").type


def test_who_sends_an_input_that_is_on_no_device():
    one = parse("input X: bf16[B]; send X to gpu1 over nvlink")
    assert one.cost().bytes("nvlink") == 2 * B
    twice = "send X from gpu0 to gpu1 over nvlink; send X from gpu1 to gpu2 over nvlink"
    assert [op.place for op in parse(f"input X: bf16[B]; {twice}").ops] == ["gpu0", "gpu1"]
    with pytest.raises(NotationError) as caught:
        parse(
            "input X: bf16[B]; input Y: bf16[B]\n"
            "send X to gpu1 over nvlink; send Y to gpu0 over nvlink"
        )
    assert caught.value.problem == "X is on no device, so that it is not clear who sends it"
    assert caught.value.repair == (
        "say where it is, X: bf16[B] on gpu0, or write send X from gpu0 to gpu1 over nvlink"
    )
