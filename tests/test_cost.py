"""Ledgers: the published numbers, what each entry is for, units, fusion, repeats, ports."""

from __future__ import annotations

import pytest
from sympy import Rational

from loopnest import run, traffic
from symcost.errors import (
    DuplicateNameError,
    InvalidValueError,
    MissingRuleError,
    UndecidedError,
    UnknownNameError,
)
from symcost.model.builder import Graph
from symcost.model.entries import Resource, arithmetic, read, streamed, write
from symcost.model.ledger import Ledger
from symcost.model.loads import loads
from symcost.model.ops import operation, operations
from symcost.model.programs import parse
from symcost.symbols import dim, dims, rate

B, D, F, L, N = dims("B D F L N")

MATMUL = "X • Y: bf16[B, D], bf16[D, F] → Z: bf16[B, F]"
MLP = """H: bf16[B, F] = X: bf16[B, D] @ W1: int8[D, F]
         G = gelu(H)
         Z: bf16[B, D] = G @ W2: int8[F, D]"""
TWO_GPUS = """
    P0: bf16[B, F] = X0: bf16[B, D/2] @ W0: bf16[D/2, F] on gpu0
    P1: bf16[B, F] = X1: bf16[B, D/2] @ W1: bf16[D/2, F] on gpu1
"""
TO_A_THIRD = """send P0 to gpu2 over nvlink; send P1 to gpu2 over nvlink
    Z = add(P0, P1) on gpu2"""
EXCHANGE = """send P0 to gpu1 over nvlink; send P1 to gpu0 over nvlink
    Z0 = add(P0, P1) on gpu0; Z1 = add(P0, P1) on gpu1"""


@pytest.mark.parametrize(
    ("text", "count", "flops", "moved", "intensity"),
    [
        (
            MATMUL,
            "leading",
            2 * B * D * F,
            2 * B * D + 2 * D * F + 2 * B * F,
            B * D * F / (B * D + D * F + B * F),
        ),
        (
            "x • y: bf16[N], bf16[N] → bf16[1]",
            "exact",
            2 * N - 1,
            4 * N + 2,
            (2 * N - 1) / (4 * N + 2),
        ),
        (
            "bfloat16[B, D] * int8[D, F] -> bfloat16[B, F]",
            "leading",
            2 * B * D * F,
            2 * B * D + D * F + 2 * B * F,
            2 * B * D * F / (2 * B * D + D * F + 2 * B * F),
        ),
        (
            "int8[B, D] *_D int8[B, D, F] -> int8[B, F]",
            "leading",
            2 * B * D * F,
            B * D + B * D * F + B * F,
            2 * D * F / (D + D * F + F),
        ),
        (
            "bf16[B, D] @ w[D, F] -> bf16[B, F]",
            "leading",
            2 * B * D * F,
            2 * B * D + D * F * rate("w") + 2 * B * F,
            2 * B * D * F / (2 * B * D + D * F * rate("w") + 2 * B * F),
        ),
    ],
)
def test_published_numbers(text, count, flops, moved, intensity):
    cost = parse(text).cost(count=count)
    assert (cost.flops() - flops).expand() == 0
    assert (cost.bytes("hbm") - moved).expand() == 0
    assert cost.intensity("hbm") == cost.intensity()
    assert (cost.intensity() - intensity).together().as_numer_denom()[0].expand() == 0


def test_half_bytes_are_exact():
    assert parse("int4[N] @ int4[N] -> fp32[1]").cost().bytes() == N + 4
    assert parse("Z = relu(X: int4[3])").cost().bytes() == 3
    assert (
        parse("X: mxfp4[N] @ bf16[N] -> fp32[1]").cost().bytes() == N * Rational(17, 32) + 2 * N + 4
    )


def test_entries_say_what_they_are_for():
    entries = parse(MLP).cost().entries
    assert [(str(e.amount), str(e.resource), e.what) for e in entries] == [
        ("2*B*D*F", "matmul bf16", "multiply X, W1"),
        ("2*B*D", "hbm", "read X"),
        ("D*F", "hbm", "read W1"),
        ("2*B*F", "hbm", "write H"),
        ("5*B*F", "vector bf16", "gelu H"),
        ("2*B*F", "hbm", "read H"),
        ("2*B*F", "hbm", "write G"),
        ("2*B*D*F", "matmul bf16", "multiply G, W2"),
        ("2*B*F", "hbm", "read G"),
        ("D*F", "hbm", "read W2"),
        ("2*B*D", "hbm", "write Z"),
    ]
    assert entries[1].tensor == "X"
    assert entries[0].tensor == ""
    assert entries[4].origin == "statement 2: G = gelu(H)"


def test_totals_are_sums_over_the_entries():
    cost = parse(MLP).cost()
    hbm = sum(e.amount for e in cost.entries if e.resource.name == "hbm")
    flops = sum(e.amount for e in cost.entries if e.resource.is_compute)
    assert cost.bytes() == hbm
    assert cost.flops() == flops == cost.flops("matmul") + cost.flops("vector")


def test_units_are_kept_apart():
    cost = parse(MLP).cost()
    assert cost.units == ("matmul", "vector")
    assert cost.channels == ("hbm",)
    assert cost.flops("matmul", dtype="bf16") == 4 * B * D * F
    assert cost.flops(dtype="int8") == 0
    assert cost.intensity(unit="vector") == 5 * B * F / (4 * B * D + 8 * B * F + 2 * D * F)
    with pytest.raises(UndecidedError) as caught:
        cost.intensity()
    assert str(caught.value) == (
        'this graph uses two units, matmul and vector; ask intensity("hbm", unit="matmul")'
    )


def test_channels_are_kept_apart():
    cost = parse(TWO_GPUS + TO_A_THIRD).cost()
    assert cost.channels == ("hbm", "nvlink")
    with pytest.raises(UndecidedError) as caught:
        cost.bytes()
    assert str(caught.value) == 'this graph uses two channels, hbm and nvlink; ask bytes("hbm")'
    with pytest.raises(UndecidedError, match=r"two units, .* and two channels, hbm and nvlink"):
        cost.intensity()
    assert cost.intensity("nvlink", unit="matmul") == D / 2


def test_unknown_names():
    cost = parse(MATMUL).cost()
    assert cost.flops("vector") == 0
    assert cost.bytes("nvlink") == 0
    with pytest.raises(UnknownNameError, match="unknown unit 'tensor'; this graph uses matmul"):
        cost.flops("tensor")
    with pytest.raises(UnknownNameError, match="unknown channel 'hmb'; this graph uses hbm"):
        cost.bytes("hmb")
    with pytest.raises(UndecidedError, match="moves no bytes over nvlink"):
        cost.intensity("nvlink")
    with pytest.raises(InvalidValueError, match="use count='leading' or count='exact'"):
        parse(MATMUL).cost("roughly")


def test_arithmetic_dtype():
    def dtypes(text):
        return [r.dtype for r in parse(text).cost().resources if r.is_compute]

    assert dtypes("bf16[B, D] @ int8[D, F] -> bf16[B, F]") == ["bf16"]
    assert dtypes("int8[B, D] @ int8[D, F] -> bf16[B, F]") == ["int8"]
    assert dtypes("bf16[B, D] @ int8[D, F] -> bf16[B, F] with compute=int8") == ["int8"]
    assert dtypes("Z = softmax(S: bf16[B, T], compute=fp32)") == ["fp32"]


def test_two_gpus_to_a_third():
    cost = parse(TWO_GPUS + TO_A_THIRD).cost()
    sends = [e for e in cost.entries if e.resource.name == "nvlink"]
    assert [(e.resource, e.amount, e.what) for e in sends] == [
        (Resource("channel", "nvlink", place="gpu0", to="gpu2"), 2 * B * F, "send P0 to gpu2"),
        (Resource("channel", "nvlink", place="gpu1", to="gpu2"), 2 * B * F, "send P1 to gpu2"),
    ]
    for place in ("gpu0", "gpu1"):
        assert cost.where(place=place, kind="compute").flops("matmul") == B * D * F
    ports = {str(port): amount for port, amount in loads(cost).items()}
    assert ports["nvlink into gpu2"] == 4 * B * F
    assert ports["nvlink out of gpu0"] == 2 * B * F
    assert ports["matmul bf16 on gpu0"] == B * D * F
    assert ports["hbm on gpu2"] == 6 * B * F


def test_two_gpus_exchange():
    ports = {str(port): amount for port, amount in loads(parse(TWO_GPUS + EXCHANGE).cost()).items()}
    links = {name: amount for name, amount in ports.items() if "nvlink" in name}
    assert set(links) == {f"nvlink {way} gpu{n}" for way in ("into", "out of") for n in (0, 1)}
    assert all(amount == 2 * B * F for amount in links.values())


def test_mesh_costs_are_per_device():
    cost = parse("mesh X=4, Y; A[I_X, J] · B[J, K_Y] -> C[I_X, K_Y]").cost()
    i, j, k, y, b = dim("I"), dim("J"), dim("K"), dim("Y"), rate("b")
    assert cost.flops() == 2 * (i / 4) * j * (k / y)
    assert cost.bytes() == (b * (i * j / 4 + j * k / y + i * k / (4 * y))).expand()
    same = parse("A[I_X, J] · B[J, K_Y] -> C[I_X, K_Y]", mesh={"X": 4, "Y": y}).cost()
    assert same.flops() == cost.flops()


# -- fused groups and repeats ----------------------------------------------------------------


def on_chip_traffic(graph, sizes):
    """Bytes that cross the border of each fused group, from the loops."""
    machine = run(graph, sizes)
    group_of = {name: op.group for op in graph.ops for name in op.outputs}
    users = {name: {graph.ops[n].group for n in ns} for name, ns in graph.consumers().items()}

    def reads(name):
        return any(not group or group_of.get(name) != group for group in users[name])

    def writes(name):
        own = group_of[name]
        role = graph.tensors[name].role
        return role == "output" or not own or any(group != own for group in users[name])

    kept = {(n, i) for n, i in machine.read if reads(n)}
    return traffic(graph, kept) + traffic(graph, {(n, i) for n, i in machine.written if writes(n)})


FUSED = [
    "fused a { S = X: bf16[B, D] @ W: bf16[D, F]; P = softmax(S); Z = P @ V: bf16[F, D] }",
    "fused a { S = X: bf16[B, D] @ W: bf16[D, F]; P = add(S, S) }; Z = relu(P)",
    "fused a { S = relu(X: bf16[B, D]); P = add(S, X) }\nfused b { Q = relu(P); R = add(P, X) }",
    "fused a { S = relu(X: bf16[B, D]); P = relu(S) }; Z = add(S, P)",
    "fused a { S = relu(X: bf16[B, D]); P = relu(S) }; output S",
    "fused a { S = relu(X: bf16[B, H*K]); P: bf16[B, H, K] = reshape(S); Q = relu(P) }",
]


@pytest.mark.parametrize("text", FUSED)
def test_fused_groups_move_what_crosses_their_border(text):
    graph = parse(text)
    sizes = {dim(name): n for name, n in zip("BDFHK", (2, 3, 4, 2, 3), strict=True)}
    if "H" in text:  # the loops number axes by name
        assert graph.cost().bytes() == 4 * B * dim("H") * dim("K")
    elif "Q = relu" in text:  # X is read once in each of two groups
        assert graph.cost().bytes() == (2 + 2 + 2 + 2 + 2 + 2) * B * D
    else:
        assert graph.cost().bytes().subs(sizes) == on_chip_traffic(graph, sizes)


def test_reshape_inside_a_group_is_an_alias():
    text = "fused a {{ S: bf16[B, H, K] = reshape(X: bf16[B, H*K]); P = {0} }}"
    assert parse(text.format("relu(S)")).cost().bytes() == 4 * B * dim("H") * dim("K")
    escaping = "fused a { S = relu(X: bf16[B, H*K]); P: bf16[B, H, K] = reshape(S) }"
    assert parse(escaping).cost().bytes() == 4 * B * dim("H") * dim("K")


def test_gathers_of_one_table_in_a_group():
    text = "fused a { P = gather(E: bf16[V, D], i: int32[B]); Q = gather(E, j: int32[T]) }"
    reads = [e.what for e in parse(text).cost().entries if e.action == "read"]
    assert reads == ["read E", "read i", "read E", "read j"]


def test_equal_groups_merge():
    g = Graph()
    x = g.input("x", "bf16[B, D]")
    for _ in range(5):
        with g.fused("norm"):
            x = g.op("relu", g.op("rmsnorm", x))
    cost = g.cost()
    assert len(cost.blocks) == 1
    assert cost.flops() == 5 * 4 * B * D
    assert cost.bytes() == 5 * 4 * B * D
    assert [e.what for e in cost.entries if e.action == "read"][1:3] == ["read bf16[B, D]"] * 2


def test_the_same_tensor_twice_is_read_once():
    cost = parse("X: bf16[B]; Z = mul(X, X); Y = mul(X, V: bf16[B])").cost()
    assert [e.what for e in cost.entries] == [
        "mul X, X",
        "read X",
        "write Z",
        "mul X, V",
        "read X",
        "read V",
        "write Y",
    ]


def test_repeat():
    cost = parse("X: bf16[B, D]; repeat L { repeat 3 { Z = relu(X) } }; Y = relu(X)").cost()
    assert cost.flops() == 3 * L * B * D + B * D
    assert [str(e.amount) for e in cost.entries if e.resource.is_compute] == ["3*B*D*L", "B*D"]


def test_ledgers_add_and_multiply():
    one, two = parse(MATMUL).cost(), parse("Z = relu(X: bf16[B, D])").cost()
    both = one + two
    assert both.flops() == 2 * B * D * F + B * D
    assert (L * one).bytes() == (one * L).bytes() == (L * one.bytes()).expand()
    assert (12 * both).flops("vector") == 12 * B * D
    assert sum([one, one]).flops() == 4 * B * D * F
    assert (0 * one).flops() == 0
    assert len((12 * one).entries) == 4
    assert [e.what for e in both.entries][-1] == "write Z"
    assert Ledger().flops() == 0
    assert Ledger().entries == ()


def test_table():
    lines = repr(parse(MATMUL).cost()).splitlines()
    assert lines[0].split() == ["amount", "resource", "what"]
    assert lines[2].split() == ["2*B*D*F", "matmul", "bf16", "multiply", "X,", "Y"]
    assert lines[-1].split() == ["2*B*D", "+", "2*B*F", "+", "2*D*F", "hbm", "total"]


# -- rules -----------------------------------------------------------------------------------


def test_missing_rule():
    graph = parse("H = relu(X: bf16[B, D])\nZ: bf16[B, K] = wavelet(H, k=4)")
    with pytest.raises(MissingRuleError) as caught:
        graph.cost()
    assert str(caught.value) == (
        "no cost rule for op kind 'wavelet' (statement 2: Z: bf16[B, K] = wavelet(H, k=4)); "
        'add one with @sc.operation("wavelet")'
    )


def test_user_rule():
    @operation("sort_for_tests", replace=True)
    def rule(op):
        (x,) = op.inputs
        factor = op.attrs["k"] if op.exact else 1
        return (*arithmetic(op, x.size * factor), read(op, x), write(op, op.outputs[0], 7))

    graph = parse("Z: bf16[B] = sort_for_tests(X: bf16[B], k=4)")
    assert graph.cost().flops() == B
    assert graph.cost("exact").flops() == 4 * B
    assert graph.cost().bytes() == 2 * B + 7
    with pytest.raises(DuplicateNameError, match="pass replace=True"):
        operation("sort_for_tests")(rule)
    with pytest.raises(UnknownNameError, match="the shape that 'sort_for_tests' gives is unknown"):
        parse("Z = sort_for_tests(X: bf16[B], k=4)")


def test_a_built_in_rule_can_be_replaced():
    before = operations["softmax"].cost
    try:
        operation("softmax", replace=True)(lambda op: streamed(op, flops=9 * op.inputs[0].size))
        assert parse("Z = softmax(X: bf16[B])").cost().flops() == 9 * B
    finally:
        operation("softmax", replace=True)(before)
