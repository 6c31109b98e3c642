"""Sharded programs on virtual devices: the result of the whole, and the wires of the ledger."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Integer

from symcost.errors import InvalidValueError, ShapeError
from symcost.model.at_sizes import at_shards, at_sizes
from symcost.model.data import GraphData
from symcost.model.graph import ComputationGraph
from symcost.model.mesh_text import mesh_of
from symcost.model.programs import parse
from symcost.model.tensors import Tensor
from symcost.plans.devices import Run, run_on_devices
from symcost.plans.groups import Group

MATMUL = "mesh {mesh}; A: fp32[{a}] @ B: fp32[{b}] -> C: fp32[{c}]"
LAYOUTS = [  # of A[8, 12], B[12, 16], C[8, 16] on X=4
    ("8_X, 12", "12, 16", "8_X, 16"),
    ("8, 12_X", "12, 16", "8, 16"),
    ("8, 12_X", "12_X, 16", "8, 16"),
    ("8, 12_X", "12_X, 16", "8, 16_X"),
    ("8, 12_X", "12_X, 16", "8_X, 16"),
    ("8_X, 12", "12, 16_X", "8_X, 16"),
    ("8_X, 12", "12, 16_X", "8, 16_X"),
    ("8_X, 12", "12, 16_X", "8, 16"),
    ("8, 12", "12, 16", "8, 16_X"),
    ("8_X, 12", "12_X, 16", "8, 16"),
]
ON_TWO = [
    ("8_X, 12_Y", "12_Y, 16", "8_X, 16"),
    ("8_XY, 12", "12, 16", "8, 16"),
    ("8_XY, 12", "12, 16", "8_YX, 16"),
    ("8_X, 12_Y", "12_X, 16_Y", "8_X, 16_Y"),
    ("8, 12_X", "12_Y, 16", "8, 16"),
    ("8, 12_XY", "12_XY, 16", "8, 16"),
    ("8, 12_XY", "12_XY, 16", "8_X, 16_Y"),
    ("8_X, 12_Y", "12, 16_X", "8_Y, 16_X"),
]
MESHES = ["X=4", "X=3", "X=4 over nvlink", "X=4 over ici(line)", "X=2 over xgmi", "X=5 over ici"]
PAIRS = [
    "X=2, Y=2",
    "X=2, Y=4",
    "X=3, Y=2 over dcn",
    "X=2 over nvlink, Y=4 over nvlink",
    "X=2 over nvlink, Y=2 over infiniband",
    "Z(Y=2, X=4) over ici",
]
OTHERS = [
    "mesh X=4; C: fp32[8, 16]{U_X} = A: fp32[8, 12_X] @ B: fp32[12_X, 16]; "
    "D: fp32[8, 16] = relu(C)",
    "mesh X=4; S: fp32[8, 12_X]; P = softmax(S, axis=1)",
    "mesh X=4; S: fp32[6, 10_X]; P = softmax(S, axis=1)",
    "mesh X=4; S: fp32[8, 12_X]; g: fp32[12]; P = rmsnorm(S, g, axis=1)",
    "mesh X=4; S: fp32[8, 12_X]; P = layernorm(S, axis=1)",
    "mesh X=4; S: fp32[8, 12_X]; M = max(S, axis=1); R = relu(M)",
    "mesh X=4; S: fp32[8, 12_X]; M = mean(S, axis=1); R = relu(M)",
    "mesh X=4; S: fp32[8_X, 12] -> T: fp32[12, 8]",
    "mesh X=4; S: fp32[12_X, 16]; T: fp32[3, 4, 16] = reshape(S); U = relu(T)",
    "mesh X=4; E: fp32[20_X, 6]; ids: int32[5]; Y = gather(E, ids, axis=0); Z = relu(Y)",
    "mesh X=4; E: fp32[20, 8_X]; ids: int32[5]; Y = gather(E, ids, axis=0); Z = relu(Y)",
    "mesh X=4; A: fp32[8, 12_X] @ B: fp32[12_X, 16] -> C: fp32[8, 16]{U_X}; D: fp32[16]; "
    "E = add(C, D); F = gelu(E)",
    "mesh X=4; A: fp32[8, 12_X] @ B: fp32[12_X, 16] -> C: fp32[8, 16]{U_X}; "
    "R: fp32[8, 16_X] = reduce_scatter(C); G: fp32[8, 16] = all_gather(R)",
    "mesh X=2, Y=2; In: fp32[8_X, 6_Y]; H = In @ W1: fp32[6_X, 10_Y]; G = gelu(H); "
    "Out: fp32[8_X, 6_Y] = G @ W2: fp32[10_Y, 6_X]",
    "mesh X=4; A: fp32[8_X, 6]; C: fp32[5, 6]; Y = concat(A, C, axis=0); Z = relu(Y)",
    "mesh X=4; A: fp32[8_X, 6]; C: fp32[8_X, 3]; Y = concat(A, C, axis=1); Z = relu(Y)",
    "mesh X=4; A: fp32[8, 6_X]; Y: fp32[10, 6] = pad(A, starts=[1, 0]); Z = relu(Y)",
    "mesh X=4; A: fp32[8_X, 6]; Y: fp32[10, 6] = pad(A, starts=[1, 0]); Z = relu(Y)",
    "mesh X=4; A: fp32[8_X, 6]; Y = cumsum(A, axis=1); Z = cumsum(Y, axis=0)",
    "mesh X=4; A: fp32[8, 12_X]; Y: fp32[8, 2] = top_k(A, axis=1); Z = relu(Y)",
    "mesh X=4; A: fp32[8_X, 12]; Y: fp32[8_X, 2] = top_k(A, axis=1); Z = relu(Y)",
    "mesh X=4; A: fp32[10_X, 6]; Y = cumsum(A, axis=0); Z = relu(Y)",
    "mesh X=3; A: fp32[7_X, 6]; Z: fp32[7, 6] = cumsum(A, axis=0)",
    "mesh X=2, Y=3; A: fp32[4_X, 12_Y]; Z = cumsum(A, axis=1)",
    "mesh X=2, Y=3; A: fp32[13_XY, 5]; Z = cumsum(A, axis=0)",
    "mesh X=2, Y=3; A: fp32[13_YX, 5]; Z = cumsum(A, axis=0)",
    "mesh X=2, Y=3; A: fp32[12_X, 5]{U_Y}; Z = cumsum(A, axis=0)",
    "mesh X=4 over nvlink; A: fp32[5, 12_X]; Z = cumsum(A, axis=1)",
    "mesh X=4; A: fp32[4_X, 6]; Z = cumsum(A, axis=0)",
    "mesh X=4; A: fp32[8, 12_X]; Z: fp32[8, 5] = top_k(A, axis=1)",
    "mesh X=4; A: fp32[8, 10_X]; Z: fp32[8_X, 2] = top_k(A, axis=1)",
    "mesh X=2, Y=3; A: fp32[8_X, 13_Y]; Z = top_k(A, k=2)",
    "mesh X=2, Y=2; A: fp32[5, 16_XY]; Z = top_k(A, k=3)",
    "mesh X=2, Y=2; A: fp32[5, 16_X]{U_Y}; Z = top_k(A, k=3)",
    "mesh X=4; A: fp32[10_X, 6] @ B: fp32[6, 7] -> C: fp32[10, 7]",
    "mesh X=4; A: fp32[10, 6_X] @ B: fp32[6_X, 7] -> C: fp32[10, 7_X]",
    # several axes at once, and the parts of a ring that are all of it
    "mesh X=2, Y=3; A: fp32[12_XY, 12] -> G: fp32[12, 12_XY]",
    "mesh X=4, Y=4; A: fp32[16_X, 16_Y] -> G: fp32[16_Y, 16_X]",
    "mesh X=2 over infiniband, Y=4 over nvlink; A: fp32[16_XY, 16] -> G: fp32[16, 16_XY]",
    "mesh Z(Y=2, X=3), W=2; A: fp32[12_ZW, 12] -> G: fp32[12, 12_ZW]",
    "mesh Z(Y=2, X=3), W=2; A: fp32[12_ZW, 12] -> G: fp32[12, 12]",
    "mesh Z(Y=2, X=3), W=2; A: fp32[12, 12]{U_ZW}; H = relu(A)",
    "mesh X=2 over nvlink, Y=4 over nvlink; A: fp32[10_XY, 7] -> G: fp32[10_Y, 7_X]",
    "mesh X=2 over nvlink, Y=4 over nvlink; A: fp32[16_XY, 8] -> G: fp32[16_YX, 8]",
    # on two axes of the hardware, and three
    "mesh X=4 over ici*2; A: fp32[16_X, 8] -> G: fp32[16, 8_X]",
    "mesh X=9 over ici*2; A: fp32[18, 6]{U_X}; H = relu(A)",
    "mesh X=8 over ici(line)*3; A: fp32[24_X, 6] -> G: fp32[24, 6]",
]
PROGRAMS = [
    *(MATMUL.format(mesh=m, a=a, b=b, c=c) for m in MESHES for a, b, c in LAYOUTS),
    *(MATMUL.format(mesh=m, a=a, b=b, c=c) for m in PAIRS for a, b, c in ON_TWO),
    *OTHERS,
]


def on_one_device(graph: ComputationGraph) -> GraphData:
    """The same program without layouts."""
    tensors = [Tensor(t.name, t.type.laid(None), t.role) for t in graph.tensors.values()]
    return GraphData(tensors, graph.ops, mesh={"one": 1})


def arrays_for(graph: GraphData) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    found = {}
    for tensor in graph.tensors.values():
        if tensor.role in ("input", "weight"):
            shape = [int(size.as_fraction()) for size in tensor.shape]
            low, high = (0, 20) if tensor.dtype.name == "int32" else (-4, 5)
            found[tensor.name] = rng.integers(low, high, shape)
    return found


def ledger_moves(graph: ComputationGraph) -> list[tuple[str, int, int]]:
    """Each collective of the ledger on each axis: values on the busiest link, and hops."""
    moved = [e for e in graph.cost(count="exact").entries if e.moves is not None]
    values = [(e.action, e.moves.busiest / 4, e.moves.hops) for e in moved]  # all are fp32
    return [(kind, int(a.as_fraction()), int(b.as_fraction())) for kind, a, b in values]


def ran(text: str) -> tuple[ComputationGraph, Run, dict[str, np.ndarray]]:
    graph = parse(text)
    arrays = arrays_for(graph)
    return graph, run_on_devices(graph, arrays), arrays


def ledger_totals(graph: ComputationGraph) -> list[tuple[str, int]]:
    """Each collective of the ledger on each axis: values that all links carry."""
    moved = [(e.action, e.moves) for e in graph.cost(count="exact").entries if e.moves is not None]
    devices = graph.mesh.devices
    return [(kind, int((each.over_all(devices) / 4).as_fraction())) for kind, each in moved]


UNEVEN_ROWS = "mesh X=3, Y=2 over dcn; A: fp32[8_X, 12_Y] @ B: fp32[{}] -> C: fp32[8_X, {}]"
TURNED = "mesh X=2 over nvlink, Y=4 over nvlink; A: fp32[{}] "
LESS = {  # what all links carry where the ledger counts more: 3 rows on the device with 2
    UNEVEN_ROWS.format("12_Y, 16", "16"): [("all_reduce", (3 + 3 + 2) * 16 * 2)],
    UNEVEN_ROWS.format("12_X, 16_Y", "16_Y"): [
        ("all_gather", (3 + 3 + 2) * 6 * 2),
        ("all_gather", 6 * 64),
    ],
    # devices (0, 0) and (1, 3) keep their 16 values
    TURNED.format("8_XY, 12") + "@ B: fp32[12, 16] -> C: fp32[8_YX, 16]": [("permute", 6 * 16)],
    TURNED.format("16_XY, 8") + "-> G: fp32[16_YX, 8]": [("permute", 6 * 16)],
}


def test_what_the_ledger_counts_above_what_is_carried():
    told = [sum(total for _, total in ledger_totals(parse(text))) for text in LESS]
    assert told == [6 * 48, 6 * 18 + 6 * 64, 8 * 16, 8 * 16]
    assert set(LESS) <= set(PROGRAMS)


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_sharded_program_gives_the_result_and_the_bytes(text):
    graph, done, arrays = ran(text)
    whole = run_on_devices(on_one_device(graph), arrays)
    for name, array in whole.results.items():
        assert done.results[name] == pytest.approx(array, abs=1e-5), name
    counted = sorted((m.op, m.busiest, m.hops) for m in done.moves)
    assert counted == sorted(ledger_moves(graph))
    carried = sorted((m.op, m.total) for m in done.moves)
    assert carried == sorted(LESS.get(text) or ledger_totals(graph))


UNEVEN = [  # sizes that the mesh does not divide; the ways are those of the symbols
    ("mesh X=4; A: fp32[I, J_X] @ B: fp32[J_X, K] -> C: fp32[I, K]", {"I": 8, "J": 10, "K": 16}),
    ("mesh X; A: fp32[I, J_X] @ B: fp32[J_X, K] -> C: fp32[I, K_X]",
     {"I": 4, "J": 10, "K": 7, "X": 4}),
    ("mesh X=3, Y=2; A: fp32[I_X, J_Y] @ B: fp32[J_Y, K] -> C: fp32[I_X, K]",
     {"I": 7, "J": 5, "K": 6}),
    ("mesh X=8; A: fp32[I_X, J]; G = all_gather(A)", {"I": 10, "J": 4}),
    ("mesh X=4; S: fp32[B, T_X]; P = softmax(S, axis=T)", {"B": 6, "T": 10}),
    ("mesh X=4; A: fp32[I_X, J]; T: fp32[I, J_X] = all_to_all(A)", {"I": 6, "J": 9}),
    ("mesh X(P, Q) over ici; A: fp32[I_X, J]; G = all_gather(A)",
     {"P": 2, "Q": 3, "I": 10, "J": 4}),
    ("mesh X(P, Q) over ici; A: fp32[I_Q, J]; G = all_gather(A)",
     {"P": 1, "Q": 6, "I": 10, "J": 4}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sizes"), UNEVEN)
def test_uneven_sizes_cost_what_the_worst_device_does(text, sizes):
    """The ledger of the symbols, at numbers: the bytes of virtual devices with such shards."""
    graph = parse(text)
    numbers = {name: Integer(size) for name, size in sizes.items()}
    there = at_shards(graph.cost("exact"), numbers)
    ((local, _),) = there.programs
    made = at_sizes(graph, numbers)
    arrays = arrays_for(made)
    done, whole = run_on_devices(local, arrays), run_on_devices(on_one_device(made), arrays)
    for name, array in whole.results.items():
        assert done.results[name] == pytest.approx(array, abs=1e-5), name
    moved = [(e.action, e.moves.busiest / 4, e.moves.hops) for e in there.entries if e.moves]
    assert sorted((kind, int(a.as_fraction()), int(b.as_fraction())) for kind, a, b in moved) == (
        sorted((m.op, m.busiest, m.hops) for m in done.moves)
    )


def test_64_devices():
    text = "mesh X=4, Y=4, Z=4; A: fp32[8_X, 16_YZ] @ B: fp32[16_YZ, 12] -> C: fp32[8_X, 12_Y]"
    graph, done, arrays = ran(text)
    assert done.results["C"] == pytest.approx(arrays["A"] @ arrays["B"])
    assert sorted((m.op, m.busiest, m.hops) for m in done.moves) == sorted(ledger_moves(graph))


KEEPING = [  # collectives that leave the layout as it is
    "broadcast(A: fp32[{rows}, 5], over={every})",
    "reduce(A: fp32[{rows}, 5]{{U_{every}}}, over={every})",
    "permute(A: fp32[12_X, 5], over=X)",
    "halo_exchange(A: fp32[12_X, 5], over=X, axis=0, width=2)",
    "halo_exchange(A: fp32[12_X, 5], over=X)",
]


@pytest.mark.parametrize(
    "mesh", [*MESHES[:5], "X=4 over ici*2", "X=2, Y=3", "X=2 over nvlink, Y=2 over dcn"]
)
@pytest.mark.parametrize("rows", [8, 7])
@pytest.mark.parametrize("text", KEEPING)
def test_a_collective_that_keeps_the_layout(text, mesh, rows):
    """Who has nothing yet holds no numbers, so that what comes out came over the wires."""
    every = "".join(name for name in "XY" if f"{name}=" in mesh)
    graph, done, arrays = ran(f"mesh {mesh}; T = {text.format(rows=rows, every=every)}")
    shift = 12 // int(mesh[2]) if "permute" in text else 0
    assert (done.results["T"] == np.roll(arrays["A"], shift, axis=0)).all()
    assert sorted((m.op, m.busiest, m.hops) for m in done.moves) == sorted(ledger_moves(graph))
    assert sorted((m.op, m.total) for m in done.moves) == sorted(ledger_totals(graph))


@pytest.mark.parametrize("link", ["ici", "ici(line)", "ici(oneway)", "nvlink", "xgmi"])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_what_is_handed_on_over_several_hops(link, n):
    """Rolled by so many shards, or one shard put over another, and as many wires as were passed."""
    rows = np.arange(6 * n).reshape(2 * n, 3)
    goals = {f"permute(A, over=X, by={by})": np.roll(rows, 2 * by, axis=0)
             for by in (-1, 0, 1, 2, 3, n - 1, n + 1)}  # fmt: skip
    for source in range(n):
        for target in range(n):
            goal = rows.copy()
            goal[2 * target : 2 * target + 2] = rows[2 * source : 2 * source + 2]
            goals[f"point_to_point(A, over=X, source={source}, target={target})"] = goal
    for said, goal in goals.items():
        graph = parse(f"mesh X={n} over {link}; A: fp32[{2 * n}_X, 3]; T = {said}")
        done = run_on_devices(graph, {"A": rows})
        assert (done.results["T"] == goal).all(), said
        moved = [(m.op, m.busiest, m.hops) for m in done.moves if m.hops]
        assert moved == ledger_moves(graph), said


HANDED_ON = [  # on X devices: values on the busiest wire, and hops
    ("ici", "permute(A, over=X, by=3)", "I*J*Min(3, X - 3)/X", "Min(3, X - 3)"),
    ("ici", "permute(A, over=X, by=k)", "I*J*Min(k, X - k)/X", "Min(k, X - k)"),
    ("ici", "permute(A, over=X)", "I*J/X", "1"),
    ("ici(line)", "permute(A, over=X)", "I*J/X", "X - 1"),
    ("ici(oneway)", "permute(A, over=X, by=-1)", "I*J - I*J/X", "X - 1"),
    ("ici", "point_to_point(A, over=X, source=0, target=5)", "I*J/X", "Min(5, X - 5)"),
    ("ici(line)", "point_to_point(A, over=X, source=7, target=2)", "I*J/X", "5"),
    ("nvlink", "point_to_point(A, over=X, source=7, target=2)", "I*J/X", "1"),
    ("ici*2", "permute(A, over=X)", "I*J/X", "1"),  # a ring through all the hardware
]


@pytest.mark.parametrize(("link", "said", "busiest", "hops"), HANDED_ON)
def test_how_far_something_is_handed_on_over_a_symbolic_axis(link, said, busiest, hops):
    cost = parse(f"mesh X over {link}; A: int8[I_X, J]; T = {said}").cost()
    (moves,) = [entry.moves for entry in cost.entries if entry.moves]
    assert (str(moves.busiest.to_sympy()), str(moves.hops.to_sympy())) == (busiest, hops)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("", "between which devices point_to_point sends is not said"),
        (", source=0, target=4", "the mesh axis X has no device 4"),
        (", source=-1, target=2", "the mesh axis X has no device -1"),
    ],
)
def test_a_send_is_between_two_devices(said, problem):
    with pytest.raises(ShapeError, match=problem):
        parse(f"mesh X=4; A: fp32[8_X, 5]; T = point_to_point(A, over=X{said})")


def test_borders_come_from_both_neighbours():
    mesh = mesh_of("X=4")
    group = Group(mesh, [(i,) for i in range(4)], list(mesh.axes))
    faces = {(i,): (np.array([10.0 * i]), np.array([10.0 * i + 1])) for i in range(4)}
    got = group.to_neighbours("halo_exchange", faces)
    assert {p[0]: (a.item(), b.item()) for p, (a, b) in got.items()} == {
        i: (10 * ((i - 1) % 4), 10 * ((i + 1) % 4) + 1) for i in range(4)
    }


def test_shards_of_several_sizes_are_not_handed_on():
    with pytest.raises(InvalidValueError, match="are of several sizes"):
        ran("mesh X=4; A: fp32[10_X, 5]; T = permute(A, over=X)")
    # the way for symbols, a permute between eighths, at a size that eight does not divide
    mesh = "mesh X=4 over nvlink, Y=2 over nvlink; "
    graph = parse(mesh + "A: fp32[I, J_Y] -> G: fp32[I, J_X]")
    ((local, _),) = at_shards(graph.cost("exact"), {"I": 17, "J": 28}).programs
    with pytest.raises(InvalidValueError, match="are of several sizes"):
        run_on_devices(local, arrays_for(local))
