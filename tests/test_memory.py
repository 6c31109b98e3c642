"""Memory: bytes by role, parameters, and the peak, against a machine that runs every step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symcost.algebra import Maximum, as_posynomial
from symcost.errors import UndecidedError, UnknownNameError
from symcost.model.builder import Graph
from symcost.model.lifetimes import common
from symcost.model.memory import peak
from symcost.model.programs import parse
from symcost.model.tensors import ONE
from symcost.symbols import dims

B, D, F, L, M, N, V = dims("B D F L M N V")

MLP = """x: bf16[B, D]; weight w1: bf16[D, F]; weight w2: bf16[F, D]
    h = x @ w1; g = gelu(h); y = g @ w2"""


@pytest.mark.parametrize(
    ("text", "weights", "total", "peak"),
    [
        ("weight W: int4[D, F]; x: bf16[B, D] @ W", D * F / 2, None, None),
        (MLP, 4 * D * F, 4 * B * D + 4 * B * F + 4 * D * F, None),
        # one layer: at first all weights with h, then w2 with both activations
        (MLP, 4 * D * F, None, Maximum(2 * B * D + 2 * B * F + 4 * D * F, 4 * B * F + 2 * D * F)),
        # what stays on chip takes nothing
        (
            "weight w: bf16[D, F]; fused f { h = x: bf16[B, D] @ w; y = gelu(h) }",
            2 * D * F,
            2 * B * D + 2 * D * F + 2 * B * F,
            2 * B * D + 2 * D * F + 2 * B * F,
        ),
        # the same memory under another shape, and rows written in place
        ("y: bf16[B, N, D] = reshape(x: bf16[B, N*D])", 0, 2 * B * N * D, 2 * B * N * D),
        (
            "y = scatter(E: bf16[V, D], i: int32[N], U: bf16[N, D], axis=V)",
            0,
            2 * V * D + 4 * N + 2 * N * D,
            2 * V * D + 4 * N + 2 * N * D,
        ),
        # what a repeated block declares is there for each run of it, what it only uses once
        ("repeat 3 { weight W: int8[D, D2]; x: int8[D] @ W }", 3 * D * dims("D2"), None, None),
        (
            "weight W: int8[D, F]; repeat L { x: int8[D] @ W }",
            D * F,
            D * F + D * L + F * L,
            Maximum(D * F + D * L + F, D * F + D + F * L),
        ),
        (
            "X: int8[N]; W: int8[N]; repeat L { Y = add(X, W) }",
            0,
            2 * N + L * N,
            Maximum(3 * N, 2 * N + L * N),
        ),
        (
            "X: int8[N]; repeat L { repeat M { weight W: int8[N]; Y = add(X, W) } }",
            L * N * dims("M"),
            N + 2 * L * N * dims("M"),
            None,
        ),
        ("a = relu(x: fp32[N]); b = relu(a); c = relu(b)", 0, 16 * N, 8 * N),
        ("x: fp32[N]; weight W: int8[D]", D, 4 * N + D, 4 * N + D),
    ],
)
def test_by_hand(text, weights, total, peak):
    cost = parse(text).cost()
    assert cost.memory("weights") == weights
    if total is not None:
        assert cost.memory() == total.expand()
        assert sum(cost.memory(f"{r}s") for r in ("input", "weight", "output", "intermediate")) == (
            cost.memory()
        )
    if peak is not None:
        assert cost.peak_memory() == peak


def test_parameters():
    cost = parse(f"{MLP}; repeat L {{ weight W: int8[N]; mul(W, v: int8[N]) }}").cost()
    assert cost.parameters() == 2 * D * F + L * N
    assert (3 * cost).parameters() == 6 * D * F + 3 * L * N
    assert (cost + cost).memory() == (2 * cost).memory() == 2 * cost.memory()


def test_places():
    text = """weight W: bf16[D, F]; A: bf16[B, D] on gpu0; C: bf16[B, D] on gpu1
        P = A @ W on gpu0; Q = C @ W on gpu1; send P to gpu1 over nvlink; R = add(P, Q) on gpu1"""
    cost = parse(text).cost()
    assert cost.memory("weights") == 4 * D * F  # a copy on each device
    assert cost.parameters() == D * F
    assert cost.memory(place="gpu0") == 2 * B * D + 2 * D * F + 2 * B * F
    assert cost.memory(place="gpu1") == 2 * B * D + 2 * D * F + 6 * B * F
    both = (2 * B * D + 2 * B * F + 2 * D * F, 6 * B * F)
    assert cost.peak_memory(place="gpu1") == Maximum(*both)
    with pytest.raises(UndecidedError) as caught:
        cost.peak_memory()
    assert str(caught.value) == (
        "this program uses 2 devices, gpu0, gpu1; ask peak_memory(place='gpu1')"
    )


def test_sharded():
    cost = parse("weight W: bf16[D_X, F]; relu(W)", mesh={"X": 4}).cost()
    assert cost.memory("weights") == D * F / 2
    assert cost.parameters() == D * F


def test_refused():
    cost = parse(MLP).cost()
    with pytest.raises(UnknownNameError) as caught:
        cost.memory("optimizer")
    assert str(caught.value) == (
        "unknown role 'optimizer'; roles are inputs, weights, intermediates, outputs"
    )
    with pytest.raises(UnknownNameError, match="unknown place 'gpu0'; this program uses the"):
        cost.memory(place="gpu0")
    with pytest.raises(UndecidedError, match="a part of a ledger has no memory of its own"):
        cost.where(name="hbm").memory()


# -- the peak against a machine ---------------------------------------------------------------


@st.composite
def programs(draw) -> Graph:
    """A random program: single steps, and blocks of 2 runs with an inner loop of 3 runs."""
    g = Graph()
    known = [g.input(f"x{n}", f"int8[{draw(st.integers(1, 20))}]") for n in range(3)]

    def steps(known: list) -> None:
        if draw(st.integers(1, 4)) == 1:
            known.append(g.input(f"x{len(g.tensors)}", f"int8[{draw(st.integers(1, 20))}]"))
        for _ in range(draw(st.integers(1, 3))):
            names = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True))
            known.append(g.op("mix", *names, out=f"int8[{draw(st.integers(1, 20))}]"))

    after: list = []  # results of a block, which single steps use once it is over
    for _ in range(draw(st.integers(1, 3))):
        single = known + after
        steps(single)
        known += single[len(known) + len(after) :]
        within = list(known)
        with g.repeat(2):
            steps(within)
            after += within[len(known) :]
            if draw(st.booleans()):
                with g.repeat(3):
                    steps(within)
                if draw(st.booleans()):
                    steps(within)
    if draw(st.booleans()):
        g.output(draw(st.sampled_from(known)))
    return g


@dataclass
class Execution:
    """One run of one step, and when the loops around it end."""

    step: int
    run: int
    pass_end: int = 0  # of this pass of the innermost loop
    inner_end: int = 0
    block_end: int = 0


def executions(repeats: list[int]) -> list[Execution]:
    """Each run of each step, in the order of the machine."""
    order: list[Execution] = []
    start = 0
    for stop in range(1, len(repeats) + 1):
        if stop < len(repeats) and repeats[stop] > 1 and repeats[start] > 1:
            continue
        block: list[Execution] = []
        for outer in range(min(repeats[start:stop])):
            one_pass: list[Execution] = []
            for several, group in groupby(range(start, stop), key=lambda n: repeats[n] // 2):
                members = list(group)
                times = max(several, 1)
                inner: list[Execution] = []
                for j in range(times):
                    inner += [Execution(n, outer * times + j) for n in members]
                    for each in inner[-len(members) :] if several > 1 else ():
                        each.pass_end = len(order) + len(block) + len(one_pass) + len(inner) - 1
                one_pass += inner
                for each in inner:
                    each.inner_end = len(order) + len(block) + len(one_pass) - 1
            block += one_pass
            for each in one_pass:
                each.pass_end = each.pass_end or len(order) + len(block) - 1
        order += block
        for each in block:
            each.block_end = len(order) - 1
        start = stop
    return order


def simulated_peak(graph) -> int:
    """The most bytes alive, with every instance of every buffer followed on its own."""
    repeats = [int(op.repeat.as_fraction()) for op in graph.ops]
    order = executions(repeats)
    sizes = {name: int(t.bytes.as_fraction()) for name, t in graph.tensors.items()}
    maker = {name: n for n, op in enumerate(graph.ops) for name in op.outputs}
    users = {name: [n for n, op in enumerate(graph.ops) if name in op.inputs] for name in sizes}
    born: dict[tuple[str, int], int] = {}
    dies: dict[tuple[str, int], int] = {}
    latest: dict[str, int] = {}
    for name in sizes:
        if name not in maker:
            count = int(graph.tensors[name].repeat.as_fraction())
            born |= {(name, i): 0 for i in range(count)}
            if not users[name]:
                dies |= {(name, i): len(order) for i in range(count)}
    counts = Counter(name for name, _ in born)
    superseded = {  # used less often than made: only the latest counts
        name for name, step in maker.items() if any(repeats[n] % repeats[step] for n in users[name])
    }
    for time, now in enumerate(order):
        step, run = now.step, now.run
        op = graph.ops[step]
        for name in op.inputs:
            instances = repeats[maker[name]] if name in maker else counts[name]
            deeper = repeats[step] % instances == 0
            if name not in maker and not deeper:  # of several inputs each run has its share
                each = instances // repeats[step]
                dies |= {
                    (name, run * each + i): max(time, dies.get((name, run * each + i), 0))
                    for i in range(each)
                }
                continue
            which = run * instances // repeats[step] if deeper else latest[name]
            shared = deeper and instances < repeats[step]
            end = time if not shared else now.inner_end if instances > 1 else now.block_end
            dies[name, which] = max(dies.get((name, which), 0), end)
        for name in op.outputs:
            born[name, run] = time
            latest[name] = run
            stays = graph.tensors[name].role == "output"
            own = now.pass_end if name in superseded else time
            dies[name, run] = len(order) if stays else own
    alive = [0] * (len(order) + 1)
    for (name, which), start in born.items():
        for time in range(start, min(dies[name, which], len(order) - 1) + 1):
            alive[time] += sizes[name]
    return max(alive)


@given(programs())
def test_the_peak_is_that_of_a_machine(g):
    graph = g.build()
    assert peak(((graph, ONE),), None) == simulated_peak(graph)


def test_two_steps_share_the_block_whose_runs_divide_both():
    """``L`` runs hold ``3*L*M``; a sum of runs is no product, so it holds only itself."""
    L, M = map(as_posynomial, dims("L M"))
    assert common(L, 3 * L * M) == common(3 * L * M, L) == L
    assert common(L + 1, L + 1) == L + 1
    assert common(L + 1, M) == common(M, L + 1) == common(2 * L, 3 * L) == ONE
