"""Running programs with numpy: every operation against plain loops, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopnest import LOOPS
from loopnest import run as run_loops
from symcost.errors import SymcostError
from symcost.model.ops import operation, operations
from symcost.model.programs import parse
from symcost.model.run import run
from symcost.symbols import dim

KINDS = sorted({operations[name].name for name in operations} & set(LOOPS))
MORE = [
    "Z: bf16[B, D] = mul(X: bf16[B, D], c: bf16[B])",  # repeated along the axis that it lacks
    "Z = sub(X: bf16[B, D, F], c: bf16[F, B])",
    "Z = layernorm(X: bf16[B, D], g: bf16[B, D], c: bf16[D], axis=B)",
    "Z = softmax(X: bf16[B, D], axis=B)",
    "Z: bf16[D] = max(X: bf16[B, D], axis=B)",
    "Z: bf16[D, B, F] = transpose(X: bf16[B, D, F])",
    "Z: bf16[F, A] = X: bf16[A, B] @ Y: bf16[B, C] @ V: bf16[C, F]",
    "Z: bf16[1] = X: bf16[B] @ Y: bf16[B]",
    "H = relu(X: bf16[B, D] @ W: bf16[D, F]); Z = tanh(H @ V: bf16[F, G])",
]


def assert_agrees_with_loops(graph, sizes: dict[str, int]) -> None:
    """Every tensor of the graph is what the loops make of the same numbers."""
    looped = run_loops(graph, {dim(name): size for name, size in sizes.items()}).arrays
    arrays = {}
    for name, array in looped.items():
        arrays[name] = np.zeros(array.shape)
        for index, value in array.values.items():
            arrays[name][index] = value.number
    found = run(graph, arrays, sizes)
    for name in (name for op in graph.ops for name in op.outputs):
        array = looped[name]
        written = list(array.values)
        assert [found[name][index] for index in written] == pytest.approx(
            [array.values[index].number for index in written]
        ), name


@pytest.mark.parametrize("text", [*(operations[name].example for name in KINDS), *MORE])
@given(data=st.data())
def test_the_references_give_what_loops_give(text, data):
    graph = parse(text)
    names = sorted({s.name for t in graph.tensors.values() for n in t.shape for s in n.symbols})
    sizes = {name: data.draw(st.integers(1, 4), label=name) for name in names}
    if "V" in sizes and "ids" in graph.tensors:
        sizes["V"] += sizes.get("B", 1) * sizes["T"]
    assert_agrees_with_loops(graph, sizes)


def test_every_operation_that_computes_has_a_reference():
    assert [name for name in KINDS if operations[name].run is None] == []


def test_gather_and_scatter_along_an_inner_axis():
    table, ids = np.arange(24.0).reshape(2, 4, 3), np.array([[2, 0]])
    graph = parse("Y = gather(E: fp32[B, V, D], i: int32[S, T], axis=V)")
    assert np.array_equal(run(graph, {"E": table, "i": ids})["Y"], table[:, ids])
    graph = parse("Y = scatter_add(E: fp32[B, V, D], i: int32[S, T], U: fp32[B, S, T, D], axis=V)")
    updates = np.ones((2, 1, 2, 3))
    found = run(graph, {"E": table, "i": ids, "U": updates})["Y"]
    assert found.sum() == table.sum() + updates.sum()
    assert np.array_equal(found[:, 1], table[:, 1])


def test_integers_stay_whole():
    graph = parse("Z: int32[B] = mul(X: int8[B], Y: int8[B])")
    found = run(graph, {"X": [100, 7], "Y": [100, -3]})["Z"]
    assert found.dtype == np.int64
    assert found.tolist() == [10_000, -21]


def test_sizes_that_no_shape_tells():
    graph = parse("Y: fp32[N, D] = reshape(X: fp32[N*D])")
    assert run(graph, {"X": np.arange(6)}, {"N": 2, "D": 3})["Y"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("text", "arrays", "message"),
    [
        ("relu(X: fp32[B])", {}, "no array for X; give one for each of X"),
        (
            "relu(X: fp32[B])",
            {"X": [[1]]},
            "an array of shape (1, 1) does not fit X: fp32[B]",
        ),
        (
            "add(X: fp32[B], Y: fp32[B])",
            {"X": [1], "Y": [1, 2]},
            "an array of shape (2,) does not fit Y: fp32[B]",
        ),
        (
            "Y: fp32[N, D] = reshape(X: fp32[N*D])",
            {"X": [1]},
            'the shapes do not tell D, N; give it, sizes={"N": 4}',
        ),
        (
            "Z: fp32[B] = silent(X: fp32[B])",
            {"X": [1]},
            "no numpy reference for op kind 'silent'; "
            'give one with @sc.operation("silent", run=...)',
        ),
    ],
)
def test_refused(text, arrays, message, silent):
    with pytest.raises(SymcostError) as caught:
        run(parse(text), arrays)
    assert str(caught.value) == message


@pytest.fixture
def silent():
    """An operation without a reference, for as long as the test runs."""
    operation("silent")(lambda op: ())
    yield
    for table in (operations._items, operations._names, operations._main):
        del table["silent"]
    operations.version += 1
