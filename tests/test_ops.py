"""Every registered operation against an instrumented loop nest, and its rules of shape."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol

from loopnest import LOOPS, run, traffic
from symcost.errors import ShapeError, UnknownNameError
from symcost.model.ops import operation, operations
from symcost.model.programs import parse
from symcost.symbols import dim

ON_A_MESH = {name for name in operations if "mesh" in operations[name].example}
KINDS = sorted({operations[name].name for name in operations if name not in ON_A_MESH})
COUNTED = [kind for kind in KINDS if kind != "send"]


def as_fraction(expr) -> Fraction:
    return Fraction(int(expr.p), int(expr.q))


def assert_counts_agree(graph, sizes: dict[Symbol, int]) -> None:
    """Exact FLOPs and bytes are those of the loops."""
    machine = run(graph, sizes)
    cost = graph.cost(count="exact")
    assert as_fraction(cost.flops().subs(sizes)) == machine.flops
    moved = traffic(graph, machine.read) + traffic(graph, machine.written)
    assert as_fraction(cost.bytes("hbm").subs(sizes)) == moved


def random_sizes(graph, data, most: int = 9) -> dict[Symbol, int]:
    names = sorted({s.name for t in graph.tensors.values() for n in t.shape for s in n.symbols})
    sizes = {name: data.draw(st.integers(1, most), label=name) for name in names}
    if "V" in sizes:  # a table has a row for each index, so that each row is used once
        sizes["V"] += sizes.get("B", 1) * sizes["T"]
    return {dim(name): size for name, size in sizes.items()}


def test_every_kind_has_what_it_needs():
    for name in KINDS:
        kind = operations[name]
        assert kind.example
        assert kind.convention
        assert kind.source
        assert kind.shape
        assert kind.run
        assert any(op.kind == name for op in parse(kind.example).ops), name
    assert set(COUNTED) == set(LOOPS)


@pytest.mark.parametrize("name", COUNTED)
@given(data=st.data())
def test_exact_count_is_that_of_the_loops(name, data):
    graph = parse(operations[name].example)
    assert_counts_agree(graph, random_sizes(graph, data, most=5))


@pytest.mark.parametrize("name", COUNTED)
def test_leading_count_is_the_exact_one_at_large_sizes(name):
    graph = parse(operations[name].example)
    leading, exact = graph.cost().flops(), graph.cost(count="exact").flops()
    sizes = dict.fromkeys(leading.free_symbols | exact.free_symbols, 10**6)
    assert leading.subs(sizes) == pytest.approx(exact.subs(sizes), rel=1e-5)
    assert graph.cost().bytes() == graph.cost(count="exact").bytes()


@pytest.mark.parametrize(
    ("text", "leading", "exact"),
    [
        ("bf16[B, D] @ bf16[D, F] -> bf16[B, F]", "2*B*D*F", "2*B*D*F - B*F"),
        ("x • y: bf16[N], bf16[N] → bf16[1]", "2*N", "2*N - 1"),
        ("int8[B, D] *_D int8[B, D, F] -> int8[B, F]", "2*B*D*F", "2*B*D*F - B*F"),
        ("bf16[A, B] @ bf16[B, C] @ bf16[C, D] -> bf16[A, D]", "3*A*B*C*D", "3*A*B*C*D - A*D"),
        ("bf16[B] @ bf16[D] -> bf16[B, D]", "B*D", "B*D"),
        ("bf16[B] @ bf16[D] @ bf16[F] -> bf16[B, D, F]", "2*B*D*F", "2*B*D*F"),
        ("softmax(S: bf16[B, T], axis=T)", "5*B*T", "5*B*T - 2*B"),
        ("softmax(S: bf16[B, T], axis=B)", "5*B*T", "5*B*T - 2*T"),
        ("layernorm(X: bf16[B, D])", "5*B*D", "5*B*D + 2*B"),
        ("rmsnorm(X: bf16[B, D])", "3*B*D", "3*B*D + 2*B"),
        ("sum(X: bf16[B, D, F], axis=[D, F])", "B*D*F", "B*D*F - B"),
        ("mean(X: bf16[B, D], axis=0)", "B*D", "B*D"),
    ],
)
def test_flops_by_hand(text, leading, exact):
    graph = parse(text)
    assert str(graph.cost().flops()) == leading
    assert str(graph.cost(count="exact").flops()) == exact


def test_units():
    assert parse("bf16[B] @ bf16[D] -> bf16[B, D]").cost().units == ("vector",)
    assert parse("bf16[B] @ bf16[B] -> bf16[1]").cost().units == ("matmul",)
    assert parse("softmax(S: bf16[B, T])").cost().units == ("vector",)
    assert parse("Y = transpose(X: bf16[B, D])").cost().units == ()


@given(data=st.data())
def test_random_einsum(data):
    names = "ABCDE"
    axes = st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)
    operands = data.draw(st.lists(axes, min_size=2, max_size=3))
    present = sorted({name for operand in operands for name in operand})
    out = data.draw(st.lists(st.sampled_from(present), max_size=4, unique=True))
    missing = set(present) - set(out)
    lone = [sum(n in operand for operand in operands) == 1 for n in missing]
    owners = {
        i
        for i, o in enumerate(operands)
        for n in missing
        if sum(n in p for p in operands) == 1 and n in o
    }
    text = " @ ".join(f"int8[{', '.join(o)}]" for o in operands) + f" -> fp32[{', '.join(out)}]"
    if len(owners) > 1:
        assert any(lone)
        with pytest.raises(ShapeError, match="contracted dims differ"):
            parse(text)
        return
    graph = parse(text)
    assert_counts_agree(graph, random_sizes(graph, data, most=3))
    everything = 1
    for name in present:
        everything = everything * parse(f"int8[{name}]").tensors["_1"].size
    k = len(operands)
    assert graph.cost().flops() == (everything * (k if missing else k - 1)).to_sympy()


@pytest.mark.parametrize(
    ("left", "right", "out", "spec"),
    [
        ("8, 128", "128, 64", "8, 64", "ab,bc->ac"),
        ("8, 128", "128, 128", "8, 128", "ab,bc->ac"),
        ("8, 8", "8, 8", "8, 8", "ab,bc->ac"),
        ("8", "8", "1", "a,a->1"),
        ("1, 8", "8, 4", "1, 4", "1a,ab->1b"),
        ("B, 8, 128", "B, 128, 8", "B, 8, 8", "abc,acd->abd"),
        ("2, 8, 128", "2, 128, 8", "2, 8, 8", "abc,acd->abd"),
        ("B, T, 32, 128", "B, S, 32, 128", "B, T, S, 32", "abcd,aecd->abec"),
        ("8, 128", "8, 128, 64", "8, 64", "ab,abc->ac"),
        ("B, 4096", "4096, F", "B, F", "ab,bc->ac"),
    ],
)
def test_numbers_are_positional(left, right, out, spec):
    graph = parse(f"bf16[{left}] @ bf16[{right}] -> bf16[{out}]")
    assert dict(graph.ops[0].attrs)["spec"] == spec


def test_result_is_inferred():
    def result(text):
        return str(parse(text).tensors["Z"].type)

    assert result("Z = bf16[B, D] @ int8[D, F]") == "bf16[B, F]"
    assert result("Z = int8[B, D] @ int8[D, F]") == "int8[B, F]"
    assert result("Z = int8[B, D] *_D int8[B, D, F]") == "int8[B, F]"
    assert result("Z = bf16[B, H, T, K] @ bf16[B, H, K, S]") == "bf16[B, H, T, S]"
    assert result("Z = bf16[A, B] @ bf16[B, C] @ bf16[C, D]") == "bf16[A, D]"
    assert result("Z = bf16[8, 128] @ bf16[128, 128]") == "bf16[8, 128]"
    assert result("Z = add(b: bf16[F], X: fp32[B, F])") == "fp32[B, F]"
    assert result("Z = gather(E: bf16[V, D], i: int32[B, T])") == "bf16[B, T, D]"
    assert result("Z = transpose(X: bf16[B, T, D])") == "bf16[B, D, T]"
    assert result("Z = transpose(X: bf16[B, T, D], axes=[D, B, T])") == "bf16[D, B, T]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bf16[B, D] @ bf16[E, F] -> bf16[B, F]", "contracted dims differ: D (left) and E (right)"),
        ("bf16[B, D] @ bf16[E, F]", "contracted dims differ: D (left) and E (right)"),
        ("bf16[8, 128] @ bf16[64, 8]", "contracted dims differ: 128 (left) and 64 (right)"),
        ("bf16[B] @ bf16[B] -> bf16[B, E]", "the dimension E of the result occurs in no operand"),
        ("int8[B, D] *_F int8[B, D, F] -> int8[B, F]", "the product says that it sums F"),
        ("Z = add(X: bf16[B], Y: bf16[D])", "add cannot repeat bf16[D] to bf16[B]"),
        ("Z = softmax(S: bf16[B, T], axis=Q)", "bf16[B, T] has no axis Q"),
        ("Z = softmax(S: bf16[B, T], axis=2)", "bf16[B, T] has no axis 2"),
        ("Z: bf16[T] = softmax(S: bf16[B, T])", "softmax gives [B, T], not [T]"),
        ("Z: bf16[B] = sum(X: bf16[B, D], axis=B)", "sum over B of bf16[B, D] gives bf16[D]"),
        ("Z = reshape(X: bf16[B])", "reshape needs the shape of its result"),
        ("Z: bf16[B, C] = reshape(X: bf16[B, D])", "reshape cannot make bf16[B, C]"),
        ("Z = transpose(X: bf16[B, D], axes=D)", "transpose needs all 2 axes"),
        ("Z = gelu(X: bf16[B], Y: bf16[B])", "gelu takes 1 operand, not 2"),
        ("Z = add(X: bf16[B])", "add takes 2 operands, not 1"),
        ("Z = scatter(E: bf16[V, D], i: int32[T], U: bf16[V, D])", "updates bf16[V, D] do not fit"),
        ('Z = einsum(X: bf16[B, D], Y: bf16[E], spec="ab,b->a")', "the axis 'b' is D in one"),
        ('Z = einsum(X: bf16[B, D], Y: bf16[D], spec="ab,b->c")', "the output letter 'c'"),
        ('Z = einsum(X: bf16[B, D], Y: bf16[D], spec="ab->a")', "is no specification for 2"),
        ("Z = relu(X: bf16[B]) -> bf16[B, D]", "unexpected '->'"),
        ("relu(X: bf16[B]) -> bf16[B, D]", "relu gives bf16[B], not bf16[B, D]"),
    ],
)
def test_ill_shaped(text, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is compared below
        parse(text)
    assert message in str(caught.value)
    assert "^" in str(caught.value)


def test_unknown_parameter():
    with pytest.raises(UnknownNameError, match="softmax has no parameter 'axes'"):
        parse("Z = softmax(S: bf16[B, T], axes=T)")


def test_register_an_operation():
    kind = operations["relu"]
    operation("leaky", shape=kind.shape, operands=1, replace=True)(kind.cost)
    assert str(parse("Z = leaky(X: bf16[B])").cost().flops()) == "B"
