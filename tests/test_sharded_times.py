"""Times of sharded programs: the longest path, hops, and collectives one after another."""

from __future__ import annotations

from fractions import Fraction

import networkx
import pytest

import symcost as sc
from symcost.cli import main

CHIP = "C=1e14, W=1e12, W_ici=1e11, W_nvlink=2e11, W_dcn=1e10"
GATHERS = "mesh X=8, Y=4; In: bf16[B_X, D_Y] @ W: bf16[D_X, F_Y] -> H: bf16[B_X, F_Y]"
LAYER = """mesh X=8, Y=4; x: bf16[B_X, D_Y]
h = x @ V: bf16[D_X, F_Y]
r: bf16[B_X, D_Y] = h @ U: bf16[F_Y, D_X]
z: bf16[B_X, D_Y] = add(r, x)"""
LEVELS = "mesh P=4 over dcn, X=8 over nvlink; x: bf16[B_PX, D] @ y: bf16[B_PX, F] -> w: bf16[D, F]"
REPEATED = """mesh X=4; x: bf16[B, D]
repeat 3 { h = x @ V: bf16[D, F_X]; y: bf16[B, D] = h @ U: bf16[F_X, D] }"""
BRANCHES = """mesh X=4; x: bf16[B_X, D]
q = x @ Q: bf16[D_X, F]; k = x @ K: bf16[D_X, F]; s = add(q, k)
t = gelu(x); u = x @ U: bf16[D, F]; o = mul(s, u)"""


@pytest.mark.parametrize("program", [GATHERS, LAYER, LEVELS, REPEATED, BRANCHES])
@pytest.mark.parametrize("sizes", [(64, 128, 256), (4096, 1024, 64), (32, 32, 8192)])
def test_the_longest_path_is_the_one_that_networkx_finds(program, sizes):
    at = dict(zip(("B", "D", "F"), sizes, strict=True))
    roof = sc.roofline(program, CHIP)
    graph = networkx.DiGraph(roof.digraph)
    for node, data in list(graph.nodes(data=True)):
        for successor in graph.successors(node):
            time = data["time"].subs({s: at[s.name] for s in data["time"].free_symbols})
            graph.edges[node, successor]["weight"] = Fraction(str(time))
    for node in [
        node for node in graph if not graph.out_degree(node)
    ]:  # tensors, which cost nothing
        assert graph.nodes[node]["time"] == 0
    there = roof.at(at)
    assert Fraction(str(there.path)) == networkx.dag_longest_path_length(graph)
    assert there.path <= there.lower <= there.upper
    assert there.lower == max(there.path, *(there.time(n) for n in (*there.units, *there.channels)))


def test_a_program_that_lies_on_no_mesh_waits_for_nothing():
    roof = sc.roofline("h = relu(x: bf16[B, D]); y = h @ W: bf16[D, F]", CHIP)
    assert roof.steps == ()
    assert roof.lower == roof.totals
    assert "t_path" not in roof.data()


def test_a_path_that_another_is_never_below_is_left_out():
    """1 for relu, 15 for a gather, 4 for relu and 6 for add, of B*D/10^12; without relu 15 + 6."""
    program = """mesh X=4; a: bf16[B_X, D]; b = relu(a); c: bf16[B, D] = all_gather(b)
    d = relu(c); e: bf16[B, D] = all_gather(a); f = add(d, e)"""
    (longest,) = sc.roofline(program, CHIP).paths
    assert str(longest.time) == "13*B*D/500000000000"


def test_a_path_is_left_out_where_too_many_may_be_the_longest():
    heads = "; ".join(f"G{n}: bf16[K{n}, J] = all_gather(A{n}: bf16[K{n}_X, J])" for n in range(17))
    roof = sc.roofline(f"mesh X=4; {heads}", CHIP)
    assert roof.steps
    assert roof.paths == ()
    said = sc.derive(f"mesh X=4; {heads}", CHIP).to_text()
    assert "T_path is left out: each of more than 16 paths may take longest; numbers" in said
    assert roof.at({f"K{n}": n + 1 for n in range(17)} | {"J": 4}).path > 0


# V bytes over W, and hops: of 2*4096*8192 bytes over 16 chips, with 1 us for a hop
HOPS = [
    ("mesh X=16", "G: bf16[I, J] = all_gather(A: bf16[I_X, J])", Fraction(15, 16), 8),
    ("mesh X=16", "G: bf16[I, J] = all_reduce(A: bf16[I, J]{U_X})", Fraction(15, 8), 16),
    ("mesh X=16", "G: bf16[I, J_X] = all_to_all(A: bf16[I_X, J])", Fraction(1, 4), 8),
    ("mesh X=16 over ici(line)", "bf16[I_X, J] -> bf16[I, J]", Fraction(15, 16), 15),
    ("mesh X=16 over nvlink", "G: bf16[I, J] = all_gather(A: bf16[I_X, J])", Fraction(15, 32), 1),
]  # fmt: skip


@pytest.mark.parametrize(("mesh", "program", "share", "hops"), HOPS)
def test_a_hop_takes_its_time(mesh, program, share, hops):
    whole = 2 * 4096 * 8192
    sent, waited = Fraction(whole, 10**11) * share, Fraction(hops, 10**6)
    for chip, hop in ((CHIP, Fraction(1, 10**6)), (f"{CHIP}, t_hop=1 us", None)):
        asked = {} if hop is None else {"t_hop": sc.chip("C, W, W_ici, t_hop=1 us").latency("ici")}
        roof = sc.roofline(f"{mesh}; {program}", chip, **asked).at(I=4096, J=8192)
        (time,) = [roof.time(name) for name in roof.channels if name != "hbm"]
        assert Fraction(str(time)) == sent + waited
        assert Fraction(str(roof.path)) >= sent + waited


def test_collectives_one_after_another_add_up():
    """As the mixed FSDP and tensor parallelism of the book, whose axes overlap otherwise."""
    at = {"B": 4096, "D": 8192, "F": 8192}
    roof = sc.roofline(GATHERS, CHIP, serial=True).at(at)
    apart = sc.roofline(GATHERS, CHIP).at(at)
    assert roof.time("links") == apart.time("ici[X]") + apart.time("ici[Y]")
    both = sc.roofline("mesh X=8, Y=4; A: bf16[I_XY, J] -> G: bf16[I, J]", CHIP, serial=True)
    assert str(both.work("links")) == "35*I*J/32"  # the axes of one collective still go at once
    levels = sc.roofline(LEVELS, CHIP, serial=True).at(B=64, D=1024, F=1024)
    alone = sc.roofline(LEVELS, CHIP).at(B=64, D=1024, F=1024)
    assert levels.time("links") == max(alone.time("nvlink"), alone.time("dcn"))


def test_what_the_command_line_says_of_waiting(capsys):
    asked = ("--on", CHIP, "--at", "t_hop=1 us, B=4096, D=8192, F=8192")
    assert main(["eval", GATHERS, *asked]) == 0
    said = capsys.readouterr().out
    # ici[X]: 7*8192*8192/16 bytes in 293.6 us and 4 hops; 17.18 GFLOP in 171.8 us
    assert "T_ici_X = 297.6 µs\n" in said
    assert "T_path = 469.4 µs" in said
    assert main(["eval", GATHERS, "--serial", *asked]) == 0
    assert "T_links = 362.5 µs\n" in capsys.readouterr().out
    assert (
        main(["derive", GATHERS, "--on", CHIP, "--solve", "B", "--serial", "--at", "t_hop=1 us"])
        == 0
    )
    said = capsys.readouterr().out
    assert "sending over links takes longer than its hops" in said
    assert "  *  In @ W -> H" in said
    assert main(["eval", "bf16[B, D] @ bf16[D, F] -> bf16[B, F]", "--serial"]) == 2
    assert capsys.readouterr().err == (
        "symcost: no collective is there to come after another; leave serial out\n"
    )


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (  # at the gather the shard and the whole of W live together
            "mesh X=8; W: bf16[D_X, F] -> G: bf16[D, F]",
            "A device holds 9*D*F/4 bytes in all, at one time at most 9*D*F/4 "
            "(at all_gather W over X).",
        ),
        (
            "mesh X=4; C: fp32[I, K]{U_X} -> R: fp32[I, K_X]; relu(R) -> Z: fp32[I, K_X]",
            "A device holds 6*I*K bytes in all, at one time at most 5*I*K "
            "(at reduce_scatter C over X).",
        ),
    ],
)
def test_a_plan_says_when_memory_is_fullest(program, line):
    assert line in sc.plan(program).to_text().splitlines()


# what all links of a channel carry together, and what all devices hold, of int8[I, J]
TOTALS = [
    # two groups of 4*3 shards; 16 chunks over one hop on average; 20 over a line's
    ("X=4, Y=2; A[I_X, J] -> G[I, J]", "ici[X]", "6*I*J", "10*I*J"),
    ("X=4; A[I_X, J] -> T[I, J_X]", "ici[X]", "I*J", "2*I*J"),
    ("X=4 over ici(line); A[I_X, J] -> T[I, J_X]", "ici(line)[X]", "5*I*J/4", "2*I*J"),
    ("X=8; A[I_X, J]; T = point_to_point(A, over=X, source=0, target=3)", "ici[X]", "3*I*J/8",
     "2*I*J"),
    ("X=8; A[I_X, J]; T = permute(A, over=X, by=3)", "ici[X]", "3*I*J", "2*I*J"),
    ("X=4; A[I, J]; T = broadcast(A, over=X)", "ici[X]", "3*I*J", "8*I*J"),
    ("X=4 over nvlink; C[I, J]{U_X} -> R[I, J]", "nvlink", "6*I*J", "8*I*J"),
    ("P=2 over dcn, X=4 over nvlink; A[I_PX, J] -> G[I, J]", "nvlink", "6*I*J", "9*I*J"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "channel", "carried", "held"), TOTALS)
def test_the_costs_of_all_devices_together(program, channel, carried, held):
    cost = sc.parse(f"mesh {program.replace('[', ': int8[')}").cost(total=True)
    assert (str(cost.bytes(channel)), str(cost.memory())) == (carried, held)


def test_work_that_all_devices_repeat_counts_for_each():
    graph = sc.parse("mesh X=4, Y=2; weight B: int8[J, K]; A: int8[I_X, J] @ B -> C: int8[I_X, K]")
    assert str(graph.cost(total=True).flops()) == "4*I*J*K"  # alike along Y
    assert str(graph.cost(total=True).parameters()) == "J*K"
    assert str((3 * graph.cost(total=True)).memory("weights")) == "24*J*K"
