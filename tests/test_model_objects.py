"""Objects of the model: copied, sent to other processes, never changed; registries; rules."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest

import symcost as sc
from symcost.errors import NotationError, SymcostError, UnknownNameError
from symcost.model.dtypes import dtypes
from symcost.model.loads import Port
from symcost.model.ops import operation, operations
from symcost.model.programs import parse
from symcost.registry import Table
from symcost.symbols import dims

B, D, K, N, V = dims("B D K N V")
GRAPH = parse("H = relu(X: bf16[B, D]); Z = H @ W: int8[D, K]")


@pytest.fixture(autouse=True)
def registries_stay_as_they_are():
    before = [(dict(t._items), dict(t._names), dict(t._main)) for t in (dtypes, operations)]
    yield
    for table, parts in zip((dtypes, operations), before, strict=True):
        table._items, table._names, table._main = parts
        table.version += 1


@pytest.mark.parametrize(
    "value",
    [
        GRAPH,
        GRAPH.tensors,
        GRAPH.ops[1],
        GRAPH.tensors["X"],
        GRAPH.tensors["X"].type,
        GRAPH.cost().entries[0],
        sc.chip("h100"),
        Table({"a": 1}),
        Port("compute", "matmul", "bf16"),
    ],
)
def test_copies_are_equal(value):
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
    assert copy.copy(value) == value


def test_errors_survive_a_process():
    with pytest.raises(NotationError) as caught:
        parse("Z = (X")
    for twin in (pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
        assert type(twin) is type(caught.value)
        assert str(twin) == str(caught.value)
        assert twin.place == caught.value.place


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (GRAPH, "ops"),
        (GRAPH.ops[0], "kind"),
        (GRAPH.tensors["X"], "role"),
        (GRAPH.tensors["X"].type, "shape"),
        (GRAPH.cost(), "blocks"),
        (GRAPH.cost().entries[0], "quantity"),
        (sc.chip("h100"), "name"),
        (sc.dtype("bf16"), "bits"),
    ],
)
def test_nothing_can_be_set(value, name):
    before = getattr(value, name)
    with pytest.raises(AttributeError):
        setattr(value, name, None)
    with pytest.raises(AttributeError):
        delattr(value, name)
    assert getattr(value, name) is before


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.update(a=2),
        lambda table: table.pop("a"),
        lambda table: table.setdefault("b", 2),
        lambda table: table.clear(),
        lambda table: table.popitem(),
        lambda table: table.__setitem__("a", 2),
        lambda table: table.__delitem__("a"),
        lambda table: table.__ior__({"a": 2}),
    ],
)
def test_tables_refuse_changes(change):
    table = Table({"a": 1})
    with pytest.raises(TypeError, match="this table is immutable"):
        change(table)
    assert table == {"a": 1}


@pytest.mark.parametrize(
    "mapping",
    [
        sc.minimize("B + 1/B", "B").point,
        sc.feasible("B > 3; B < 9", "B").constraints,
        sc.derive(GRAPH, at={"B": 3}).answer.values,
        sc.check("B", against="2*B").counterexample.values,
    ],
)
def test_the_mappings_of_results_are_read_only(mapping):
    with pytest.raises(TypeError, match="this table is immutable"):
        mapping["D"] = 3


# -- dtypes ------------------------------------------------------------------------------------


def test_a_dtype_runs_at_the_rate_of_another():
    sc.register_dtype("block8", bits=9, runs_at="fp8")
    h100 = sc.chip("h100-sxm")
    assert h100.peak("block8") == h100.peak("fp8")
    assert h100.peak_figure("block8").note == "the fp8 rate"
    sc.register_dtype("blocky8", bits=10, runs_at="block8")
    assert h100.peak("blocky8") == h100.peak("fp8")
    assert sc.roofline("X: blocky8[B, D] @ W: blocky8[D, K]", h100).t_math == (
        2 * B * D * K / h100.peak("fp8")
    )
    with pytest.raises(UnknownNameError, match="unknown dtype 'fp9'"):
        sc.register_dtype("odd", bits=9, runs_at="fp9")


def test_a_replaced_dtype_is_used_at_once():
    sc.register_dtype("odd", bits=8)
    text = "relu(X: odd[N])"
    assert parse(text).cost().bytes() == 2 * N
    sc.register_dtype("odd", bits=16, replace=True)
    assert parse(text).cost().bytes() == 4 * N


def test_an_alias_is_one_name():
    sc.register_dtype("odd", bits=8, aliases="xyz")
    assert sc.dtype("xyz").name == "odd"
    assert sc.dtype("x").is_symbolic
    sc.register_dtype("odd", bits=4, replace=True)
    assert sc.dtype("xyz").bits == 4  # the alias follows its name


# -- operations --------------------------------------------------------------------------------


def test_an_operation_in_under_ten_lines():
    @sc.operation(
        "entropy",
        shape=lambda types, attrs, given: sc.TensorType("fp32", types[0].shape[:-1]),
        run=lambda op, p: -(p * p).sum(axis=-1),
        operands=1,
    )
    def entropy(op):
        return sc.streamed(op, flops=3 * op.inputs[0].size)

    graph = parse("H = entropy(P: fp32[B, V])")
    assert str(graph.tensors["H"].type) == "fp32[B]"
    assert graph.cost().flops("vector") == 3 * B * V
    with pytest.raises(SymcostError, match=r"entropy gives \[B\], not \[V\]"):
        parse("H: fp32[V] = entropy(P: fp32[B, V])")
    with pytest.raises(SymcostError, match="entropy takes 1 operand, not 2"):
        parse("entropy(P: fp32[B, V], Q: fp32[B, V])")


def test_a_part_that_is_replaced_leaves_the_others():
    for name in ("all_gather", "scatter", "softmax"):
        before = operations[name]
        operation(name, replace=True)(lambda op: sc.streamed(op, flops=op.inputs[0].size))
        assert replace(operations[name], cost=before.cost) == before
    assert parse("softmax(X: bf16[B, V])").cost().flops() == B * V
    operation("softmax", replace=True, example="x", source="y", convention="z")(before.cost)
    after = operations["softmax"]
    assert (after.example, after.source, after.convention) == ("x", "y", "z")


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda op: None, "the cost rule of 'odd' returned None, which is no list of entries; "),
        (lambda op: op.inputs[0].size, "the cost rule of 'odd' returned N, which is no list of"),
        (lambda op: [3], "the cost rule of 'odd' returned [3], which is no list of entries; "),
        (
            lambda op: sc.arithmetic(op, 3, unit="tensor"),
            "the cost rule of 'odd' fails: unknown unit 'tensor'; units are matmul and vector",
        ),
        (
            lambda op: sc.arithmetic(op, 3, dtype="bf17"),
            "the cost rule of 'odd' fails: unknown dtype 'bf17'; did you mean bf16?",
        ),
        (
            lambda op: sc.streamed(op, flops="many"),
            "the cost rule of 'odd' fails: ",
        ),
    ],
)
def test_what_a_cost_rule_does_wrong_is_told_with_its_name(rule, message):
    operation("odd")(rule)
    graph = parse("Z: bf16[N] = odd(X: bf16[N])")
    with pytest.raises(SymcostError) as caught:
        graph.cost()
    assert message in str(caught.value)


def test_entries_in_a_list():
    operation("odd")(lambda op: [sc.arithmetic(op, N), sc.read(op, op.inputs[0])])
    cost = parse("Z: bf16[N] = odd(X: bf16[N])").cost()
    assert (cost.flops(), cost.bytes()) == (N, 2 * N)


# -- meaning -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "flops", "moved", "dtype"),
    [
        ("X: bf16[N] -> Y: bf16[N]", 0, 4 * N, None),
        ("Y = cast(X: bf16[N])", 0, 4 * N, None),
        ("X: int4[N] -> Y: bf16[N]", N, 5 * N / 2, "bf16"),
        ("Y: int8[N] = cast(X: fp32[N])", N, 5 * N, "fp32"),
        ("X: fp32[B, D] -> Y: bf16[D, B]", B * D, 6 * B * D, "fp32"),
        ("X: bf16[B, D] -> Y: bf16[D, B]", 0, 4 * B * D, None),
        ("X: int8[B, D, 8] -> Y: int8[D, 8, B]", 0, 16 * B * D, None),
        ("X: int8[B, 8, 8] -> Y: int8[8, 8, B]", 0, 128 * B, None),
        ("fused f { repeat 3 { y = mul(x: fp32[N], a: fp32[N]) } }", 3 * N, 12 * N, "fp32"),
        # of a full and a partial read of one tensor the full one stays
        (
            "fused f { Y = gather(E: bf16[V, D], i: int32[N], axis=V); Z = relu(E) }",
            V * D,
            2 * V * D + 4 * N + 2 * N * D + 2 * V * D,
            "bf16",
        ),
        (
            "fused f { Z = relu(E: bf16[V, D]); Y = gather(E, i: int32[N], axis=V) }",
            V * D,
            2 * V * D + 4 * N + 2 * N * D + 2 * V * D,
            "bf16",
        ),
    ],
)
def test_costs_by_hand(text, flops, moved, dtype):
    cost = parse(text).cost()
    assert cost.flops() == flops
    assert cost.bytes() == moved
    assert [r.dtype for r in cost.resources if r.is_compute] == ([dtype] if dtype else [])


def test_a_filtered_ledger_has_the_rows_that_are_accepted():
    weights = "; ".join(f"{n} = x @ W{n}: bf16[D, K]" for n in "qkv")
    cost = parse(f"x: bf16[B, D]; {weights}").cost()
    kept = cost.filtered(lambda entry: entry.tensor == "Wk")
    assert [entry.what for entry in kept.entries] == ["read Wk"]
    assert kept.bytes() == 2 * D * K
    assert cost.filtered(lambda e: "Wv" in e.subjects and e.resource.is_compute).flops() == (
        2 * B * D * K
    )
    assert cost.filtered(lambda entry: True).by_resource() == cost.by_resource()
    assert cost.filtered(lambda entry: False).entries == ()
