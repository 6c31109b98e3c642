"""Claims about programs on a mesh: what is sent over an axis, and the slips that are made there."""

from __future__ import annotations

import json

import pytest

import symcost as sc
from symcost.cli import main
from symcost.errors import NotationError, UnknownNameError

SUM = "mesh X; A: bf16[I, J_X] @ B: bf16[J_X, K] -> C: bf16[I, K]"
GATHER = "mesh X; A: bf16[I_X, J] -> G: bf16[I, J]"
OF_TWO = "mesh X, Y; A: bf16[I_X, J_Y] -> G: bf16[I, J_Y]"
NUMBERS = "mesh X=8, Y=4; A: bf16[I_X, J_Y] -> G: bf16[I, J_Y]"
SWITCH = "mesh X over nvlink; A: bf16[I_X, J] -> T: bf16[I, J_X]"
APART = "mesh X, Y; A: int8[I_X, J] -> G: int8[I, J]; B: int8[K_Y, J] -> H: int8[K, J]"
TORUS = "mesh X=4, Y=4; A: bf16[I_XY, J] -> T: bf16[I, J_XY]"
PARTS = "mesh X(M=2, N=2); A: bf16[I_X, J] -> G: bf16[I, J]"

RIGHT = [
    (SUM, "4*I*K*(X - 1)/(X*W_ici)", "ici"),
    (SUM, "4*I*K*(X - 1)/(X*W_ici)", "ici[X]"),
    (GATHER, "2*I*J*(X - 1)/(X*W_ici)", "ici"),
    (OF_TWO, "2*I*J*(X - 1)/(X*Y*W_ici)", "ici"),
    (SWITCH, "2*I*J*(X - 1)/(X^2*W_nvlink)", "nvlink"),
    (APART, "Max(I*J*(X - 1)/X, K*J*(Y - 1)/Y)/W_ici", "ici"),
    (APART, "K*J*(Y - 1)/(Y*W_ici)", "ici[Y]"),
    (TORUS, "2*I*J*4/(4*16*W_ici)", "ici"),  # V max(X, Y)/(4 X Y W), as is published
    (PARTS, "2*I*J*3/(4*W_ici)", "ici"),  # the parts of a ring together are the ring
]
SLIPS = [
    (SUM, "2*I*K*(X - 1)/(X*W_ici)", "ici", "all-reduce-passes"),
    (GATHER, "4*I*J*(X - 1)/(X*W_ici)", "ici", "all-reduce-passes"),
    (GATHER, "2*I*J*X/((X - 1)*W_ici)", "ici", "ring-factor"),
    (GATHER, "2*I*J*(X - 1)^2/(X^2*W_ici)", "ici", "ring-factor"),
    (OF_TWO, "2*I*J*(Y - 1)/(X*Y*W_ici)", "ici", "wrong-mesh-axis"),
    (OF_TWO, "2*I*J*(X*Y - 1)/(X*Y^2*W_ici)", "ici", "wrong-group-size"),
    (OF_TWO, "2*I*J*(X*Y - 1)/(X*Y*W_ici)", "ici", "wrong-mesh-axis"),
    (NUMBERS, "2*I*J*31/32/W_ici", "ici", "wrong-mesh-axis"),
    (NUMBERS, "2*I*J*3/4/(4*W_ici)", "ici", "wrong-group-size"),
    (NUMBERS, "2*I*J*31/32/(4*W_ici)", "ici", "wrong-group-size"),
    (NUMBERS, "2*I*J*3/32/W_ici", "ici", "wrong-mesh-axis"),
    (NUMBERS, "2*I*J*8/7/4/W_ici", "ici", "ring-factor"),
    (SWITCH, "2*I*J*(X - 1)/(X*W_nvlink)", "nvlink", "other-collective"),
    (SWITCH, "2*I*J/(X^2*W_nvlink)", "nvlink", "other-network"),
]
UNEVEN = [  # 10 rows on 4 devices: the largest shard has 3
    ("A: bf16[I_X, J]", "memory", "18", "I=10, J=3", "exact"),
    ("A: bf16[I_X, J]", "memory", "15", "I=10, J=3", "wrong"),
    ("A: bf16[I_X, J]", "memory", "18", "I=12, J=3", "exact"),
    ("x: bf16[B, D_X] @ W: bf16[D_X, F] -> z: bf16[B, F]", "flops", "768", "B=8, D=10, F=16",
     "exact"),
    ("x: bf16[B, D_X] @ W: bf16[D_X, F] -> z: bf16[B, F]", "flops", "2*B*F*ceil(D/4)", "D=10",
     "exact"),
    ("x: bf16[B, D_X] @ W: bf16[D_X, F] -> z: bf16[B, F]", "flops", "B*D*F/2", "D=10", "wrong"),
    ("x: bf16[B, D_X] @ W: bf16[D_X, F] -> z: bf16[B, F]", "flops", "B*D*F/2", "D=12", "exact"),
    ("A: bf16[I_X, J] -> T: bf16[I, J_X]", "bytes", "2*3*6*4", "I=10, J=24", "exact"),
]  # fmt: skip
ON_A_CHIP = [  # 2550 tokens a chip on v5p: the rate counts both directions of an axis
    ("B > 2550*X", "limit", ""),
    ("B > 5100*X", "wrong", "both-directions"),
]


@pytest.mark.parametrize(("program", "claim", "channel"), RIGHT)
def test_what_is_right(program, claim, channel):
    assert sc.check(claim, program, quantity="t_comms", channel=channel).verdict == "exact"


@pytest.mark.parametrize(("program", "claim", "channel", "kind"), SLIPS)
def test_slips_are_named(program, claim, channel, kind):
    report = sc.check(claim, program, quantity="t_comms", channel=channel)
    assert report.verdict == "wrong"
    assert report.diagnosis[0].kind == kind, report


@pytest.mark.parametrize(("program", "quantity", "claim", "sizes", "verdict"), UNEVEN)
def test_sizes_that_do_not_divide_are_those_of_the_largest_shard(
    program, quantity, claim, sizes, verdict
):
    asked = {"unit": "matmul"} if quantity == "flops" else {}
    asked |= {"channel": "ici"} if quantity == "bytes" else {}
    report = sc.check(claim, f"mesh X=4; {program}", quantity=quantity, where=sizes, **asked)
    assert report.verdict == verdict, report


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            ["solve", "flops < 1000", "--for", "B", "--where", "D=10"],
            "B < 250/27 (9.259), largest integer 9",
        ),
        (["eval", "flops", "--at", "B=8, D=10"], "864"),
        (["eval", "flops", "--at", "B=8, D=12"], "864"),
    ],
)
def test_uneven_sizes_in_a_formula(capsys, line, told):
    program = "mesh X=4; x: bf16[B, D_X] @ W: bf16[D_X, 16] -> z: bf16[B, 16]"
    assert main([*line, "--of", program]) == 0
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(("claim", "verdict", "kind"), ON_A_CHIP)
def test_the_rate_of_a_chip_counts_what_a_device_sends_on_an_axis(claim, verdict, kind):
    layer = "mesh X; In: bf16[B_X, D] @ W: bf16[D_X, F] -> H: bf16[B_X, F]"
    asked = {"quantity": "threshold", "channel": "ici", "symbol": "B", "assume": "X -> oo"}
    report = sc.check(claim, layer, chip="tpu-v5p", **asked)
    assert report.verdict == verdict
    assert kind in ("", *(each.kind for each in report.diagnosis))


def test_a_number_on_a_cluster():
    """2 * 2048 * 8192 bytes over an open line of 4: 3/4 of them at 45 GB/s are 559 us."""
    program = "mesh X=8, Y=4; A: bf16[2048_Y, 8192] -> G: bf16[2048, 8192]"
    report = sc.check("559.2 us", program, quantity="t_comms", chip="32 x tpu-v5e", channel="ici")
    assert report.verdict in ("exact", "rounded")


def test_a_link_stands_for_its_busiest_axis():
    cost = sc.parse(APART).cost()
    assert str(cost.bytes("ici")) == "Max(I*J - I*J/X, J*K - J*K/Y)"
    assert str(cost.bytes("ici[Y]")) == "J*K - J*K/Y"
    with pytest.raises(UnknownNameError, match="unknown channel 'xgmi'"):
        cost.bytes("xgmi")


UNEVEN = "mesh X; A: bf16[B_X, D]; W: bf16[D, F]; Z = A @ W"


def test_shares_at_given_sizes_are_those_of_the_largest_shard(capsys):
    """10 rows on 8 devices: two on the fullest, so 2*16 + 16*32 + 2*32 values of 2 bytes."""
    assert main(["eval", UNEVEN, "--at", "B=10, D=16, F=32, X=8", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["memory"], data["flops"]) == (1216, 2 * 2 * 16 * 32)
    assert [held["bytes"] for held in data["tensors"]] == [64, 1024, 128]
    assert data["tensors"][0]["shape"] == [2, 16]
    at = json.loads(sc.derive(UNEVEN, at={"B": 10, "D": 16, "F": 32, "X": 8}).to_json())["at"]
    assert at["memory"] == 1216


@pytest.mark.parametrize(
    ("sizes", "kinds"),
    [  # gather B: 2JK(X - 1)/X; or A, and swap C: 2IJ(X - 1)/X + 2IK X/4
        ("I=1048576, J=16, K=16, X=8", ["all_gather"]),
        ("I=16, J=16, K=1048576, X=8", ["all_gather", "all_to_all"]),
    ],
)
def test_the_way_is_the_one_that_sends_least_at_the_given_sizes(sizes, kinds):
    program = "mesh X; A: bf16[I_X, J] @ B: bf16[J, K_X] -> C: bf16[I_X, K]"
    ledger = sc.derive(program, at=sizes).answer.ledger
    assert [entry.action for entry in ledger.entries if entry.moves] == kinds


HOPS = [  # 2*I*8192*15/16 bytes at 180 GB/s against 8 us; a line has 15 hops, one way each
    ("mesh X=16; A: bf16[I_X, J] -> G: bf16[I, J]", "X", 94),
    ("mesh X=16 over ici(line); A: bf16[I_X, J] -> G: bf16[I, J]", "line_X", 88),
]


@pytest.mark.parametrize(("program", "axis", "least"), HOPS)
def test_the_size_at_which_latency_stops_mattering(capsys, program, axis, least):
    asked = ["solve", f"t_comms_ici_{axis} > hops*t_hop", "--for", "I", "--of", program]
    where = ["--on", "tpu-v5p", "--where", "J=8192, t_hop=1 us", "--format", "json"]
    assert main([*asked, *where]) == 0
    assert json.loads(capsys.readouterr().out)["smallest_integer"] == least


def test_costs_of_all_devices():
    graph = sc.parse("mesh X=4, Y=2; A: bf16[8_X, 6] @ B: bf16[6, 10] -> C: bf16[8_X, 10]")
    assert (graph.cost().flops(), graph.cost(total=True).flops()) == (2 * 2 * 60, 8 * 2 * 2 * 60)


def test_a_name_that_an_assumption_defines_may_be_solved_for():
    """Weights gathered over X: 2DF/Y against 2BDF/(XY) FLOPs, so B/N = C/W (1/Y - 1/(XY))."""
    layer = "mesh X, Y; In: bf16[B_X, D_Y] @ W: bf16[D_X, F_Y] -> H: bf16[B_X, F_Y]"
    found = sc.derive(layer, "tpu-v5p", solve_for="B/N", assume="N = X*Y").answer
    rule = next(c.exact_rule for c in found.channels if c.channel == "ici[X]")
    assert str(rule.shown) == "B/N"
    assert rule.bound.subs({s: {"X": 8, "Y": 4}[s.name] for s in rule.bound.free_symbols}) == (
        2550 * (sc.formula("1/4") - sc.formula("1/32"))
    )


SPELLED = "{} may mean d split over {}, as in {}, or one dimension, as in {}"


@pytest.mark.parametrize(
    ("program", "parts"),
    [
        ("repeat d_X { A: bf16[d_X, J] @ W: bf16[J, K] -> C: bf16[d_X, K] }",
         ("d_X", "X", "C", "d_X")),
        ("A: bf16[d_X, J]; T = top_k(A, k=d_X)", ("d_X", "X", "T", "d_X")),
        ("A: bf16[d_model, J]; T: bf16[d_model/2, J]", ("d_model", "model", "A", "d_model/2")),
        ("A: bf16[d_XY, J]; T: bf16[d_XY + 1, J]", ("d_XY", "X, Y", "A", "d_XY + 1")),
    ],
)  # fmt: skip
def test_a_dimension_that_is_spelled_like_a_split_is_refused(program, parts):
    with pytest.raises(NotationError) as caught:
        sc.parse(program, mesh="X=4, Y=2, model=4")
    assert caught.value.problem == SPELLED.format(*parts)
    assert caught.value.repair == f"write d@({parts[1]}) for the one, and name the other anew"


@pytest.mark.parametrize("mesh", ["Z(X=2, Y=4) over ici", "X=2, Y=4", "X=2 over nvlink, Y=4"])
def test_no_other_way_is_told_of_what_goes_the_cheapest(mesh):
    assert not sc.plan(f"mesh {mesh}; A: fp32[8, 16_X] -> G: fp32[8, 16_Y]").alternatives
