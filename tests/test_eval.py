"""``symcost eval`` and ``--at``: numbers with units, and the same as JSON numbers."""

from __future__ import annotations

import json

import pytest

from symcost.cli import main

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
SIZES = "B=64, D=8192, F=8192"
FLOPS, BYTES = 2 * 64 * 8192 * 8192, 2 * (64 * 8192 + 8192 * 8192 + 64 * 8192)


def run(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def data(capsys, *arguments: str) -> dict:
    return json.loads(run(capsys, *arguments, "--format", "json"))


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["2*3/7"], ["6/7 (0.8571)"]),
        (["140 GB / (3.35 TB/s)"], ["41.79 ms"]),
        (["2*B*D", "--at", "B=3"], ["6*D", "note: no number is given for D"]),
        (["989e12/C", "--on", "h100-sxm"], ["1 s", "note: C = 989 TFLOP/s on H100 SXM5 80GB"]),
        (
            ["2*B*D*F/C", "--on", "h100-sxm", "--at", SIZES.replace(" ", "")],
            ["8.685 µs", "note: C = 989 TFLOP/s on H100 SXM5 80GB"],
        ),
        (["B*C + B/C", "--on", "C=2", "--at", "B=3"], ["15/2 (7.5)"]),  # no one unit
        (
            ["B/W", "--on", "W=2, W_vmem=3", "--at", "B=3"],
            ["1.5 s", "note: W = 2 byte/s on given figures", "note: W_vmem of --on is not used"],
        ),
        (
            ["memory/capacity", "--of", MATMUL, "--on", "h100-sxm", "--at", SIZES],
            ["13/8192 (0.001587)"],
        ),
        (["C_fp8/C", "--on", "h100-sxm"], ["1979/989 (2.001)"]),
        (["X/2", "--at", "X=3*Y"], ["3*Y/2", "note: no number is given for Y"]),
    ],
)
def test_a_formula_in_numbers(capsys, arguments, lines):
    assert run(capsys, "eval", *arguments).splitlines()[: len(lines)] == lines


AT = ["--at", "B=64, D=4096, F=4096"]
SAID = {  # of the matmul: 2*64*4096**2 FLOPs, 2*(2*64*4096 + 4096**2) bytes
    ("memory", "tpu-v5e"): ["34.60 MB"],
    ("flops", "tpu-v5e"): ["2.147 GFLOP"],
    ("t_math", "tpu-v5e"): ["10.90 µs"],
    ("t_comms", "tpu-v5e"): ["42.25 µs"],
    ("max(t_math, t_comms)", "tpu-v5e"): ["42.25 µs"],
    ("intensity", "tpu-v5e"): ["2048/33 ≈ 62.06 FLOP/byte"],
    ("intensity*W/C", "h100"): ["34304/163185 (0.2102)"],
    ("flops/t_math", "tpu-v5e"): ["197 TFLOP/s"],
    ("flops/C + bytes/W", "tpu-v5e"): ["53.15 µs"],
    ("t_math + 2*B*D*F/C", "tpu-v5e"): ["21.80 µs"],
    ("memory + 3 GB", "tpu-v5e"): ["3.035 GB"],
    ("memory + 2*B*D", "tpu-v5e"): ["35.13 MB"],
    ("memory/(100 GB/s)", "tpu-v5e"): ["346.0 µs"],
    ("parameters", "tpu-v5e"): [
        "0",
        "note: no tensor of the program is declared a weight, as in weight W: bf16[D, F]",
    ],
}


@pytest.mark.parametrize("case", SAID, ids=lambda case: case[0])
def test_a_quantity_of_a_program_has_its_unit(capsys, case):
    formula, chip = case
    said = run(capsys, "eval", formula, "--of", MATMUL, "--on", chip, *AT).splitlines()
    assert said[: len(SAID[case])] == SAID[case]


@pytest.mark.parametrize(
    ("formula", "sizes", "value"),
    [
        ("max(B, D)", "B=3, D=4", "4"),
        ("ceil(B/D)", "B=7, D=4", "2"),
        ("floor(B/D) + min(B, D)", "B=7, D=4", "5"),
        ("log2(B)", "B=8", "3"),
        ("sqrt(B + D)", "B=5, D=4", "3"),
    ],
)
def test_numbers_reach_into_functions(capsys, formula, sizes, value):
    assert run(capsys, "eval", formula, "--at", sizes) == f"{value}\n"


@pytest.mark.parametrize("formula", ["memory + t_math", "memory + 3 us", "max(flops, bytes)"])
def test_quantities_of_different_kinds_are_not_added(capsys, formula):
    assert main(["eval", formula, "--of", MATMUL, *AT]) == 2
    assert "the units do not fit" in capsys.readouterr().err


def test_a_program_of_numbers_has_no_names_to_give(capsys):
    assert main(["eval", "bf16[8, 16] @ bf16[16, 4] -> bf16[8, 4]", "--at", "B=8"]) == 2
    assert capsys.readouterr().err == (
        "symcost: B does not occur in the program, whose sizes are all numbers; "
        "the symbols are C, W\n"
    )


def test_a_program_in_numbers(capsys):
    assert run(capsys, "eval", MATMUL, "--on", "h100-sxm", "--at", SIZES).splitlines() == [
        "FLOPs (matmul) = 8.590 GFLOP",
        "bytes (hbm) = 136.3 MB",
        "intensity (matmul, hbm) = 4096/65 ≈ 63.02 FLOP/byte",
        "memory = 136.3 MB",
        "T_math = 8.685 µs",
        "T_comms = 40.69 µs",
        "T_lower = 40.69 µs    (hbm bounds it)",
        "T_upper = 49.38 µs",
    ]


@pytest.mark.parametrize(
    ("program", "sizes", "line"),
    [
        ("weight W: bf16[70e9]", "", "memory = 140 GB    (the chip holds 85.90 GB)"),
        ("weight W: bf16[P]", "P=70e9", "memory = 140 GB    (the chip holds 85.90 GB)"),
        ("weight W: bf16[P]", "P=7e9", "memory = 14 GB"),
    ],
)
def test_memory_beside_what_the_chip_holds(capsys, program, sizes, line):
    at = ["--at", sizes] if sizes else []
    assert run(capsys, "eval", program, "--on", "h100", *at).splitlines()[0] == line


@pytest.mark.parametrize(
    ("program", "sizes", "message"),
    [
        ("relu(X: bf16[D/3])", "D=10", "D/3 is 10/3 at D=10"),
        ("relu(X: bf16[B*D/3, 2])", "B=2,D=4", "B*D/3 is 8/3 at B=2, D=4"),
        ("repeat L/2 { relu(X: bf16[D]) }", "D=10,L=3", "L/2 is 3/2 at L=3"),
    ],
)
def test_a_size_that_is_no_whole_number_is_refused(capsys, program, sizes, message):
    whole = f"symcost: {message}; give sizes that make it a whole number\n"
    for verb in ("eval", "derive"):
        assert main([verb, program, "--on", "h100", "--at", sizes]) == 2
        assert capsys.readouterr().err == whole


def test_a_program_without_a_chip_has_no_times(capsys):
    out = run(capsys, "eval", MATMUL, "--at", "B=64")
    assert "FLOPs (matmul) = 128*D*F" in out
    assert "No number is given for D, F." in out
    assert "T_" not in out


SHARDS = {  # a tensor, a mesh and sizes -> local shape, bytes there, bytes over all, copies
    ("A: bf16[I_X, J]", "X=4", "I=8, J=8"): ([2, 8], 32, 128, 1),
    ("A: bf16[I_X, J]", "X=4, Y=2", "I=8, J=8"): ([2, 8], 32, 256, 2),
    ("A: bf16[I_XY, J]", "X=4, Y=2", "I=8, J=8"): ([1, 8], 16, 128, 1),
    ("A: int4[I_Y, J_X]", "X=4, Y=2", "I=8, J=8"): ([4, 2], 4, 32, 1),
    ("A: bf16[I_X, J]", "X=4", "I=10, J=8"): ([3, 8], 48, 192, 1),  # rounded up
    ("A: bf16[I_X, J]", "X", "I=12, J=8, X=3"): ([4, 8], 64, 192, 1),
    ("A: bf16[I_X, J]", "X=4", "J=8"): (["I/4", 8], "4*I", "16*I", 1),
}


@pytest.mark.parametrize("case", SHARDS)
def test_what_a_device_holds(capsys, case):
    program, mesh, sizes = case
    (found,) = data(capsys, "eval", program, "--mesh", mesh, "--at", sizes)["tensors"]
    assert tuple(found[key] for key in ("shape", "bytes", "stored", "replicas")) == SHARDS[case]


WEIGHTS = "weight W: int8[L, D, F]; cache: bf16[B, L, S, H]"
SHAPE = {"L": 64, "D": 8192, "F": 28672, "S": 8192, "H": 1024}


def test_what_fits(capsys):
    """The largest batch beside the weights: counted by hand, one more no longer fits."""
    shape = ",".join(f"{name}={size}" for name, size in SHAPE.items())
    found = data(capsys, "solve", "memory <= capacity", "--of", WEIGHTS, "--on", "h100-sxm",
                 "--for", "B", "--where", shape)  # fmt: skip
    batch = found["largest_integer"]
    weights = SHAPE["L"] * SHAPE["D"] * SHAPE["F"]
    cache = 2 * SHAPE["L"] * SHAPE["S"] * SHAPE["H"]
    assert weights + batch * cache <= 80 * 2**30 < weights + (batch + 1) * cache
    half = data(capsys, "solve", "memory <= capacity/2", "--of", WEIGHTS, "--on", "h100-sxm",
                "--for", "B", "--where", shape)["largest_integer"]  # fmt: skip
    assert weights + half * cache <= 40 * 2**30 < weights + (half + 1) * cache


def test_the_quantities_of_a_program_in_a_formula(capsys):
    by_name = run(capsys, "solve", "t_math > t_comms", "--of", MATMUL, "--on", "h100-sxm",
                  "--for", "B", "--assume", "B << D, F")  # fmt: skip
    assert by_name.splitlines()[0] == "B > 19780/67 (295.2), smallest integer 296"
    assert main(["solve", "B > 3", "--of", MATMUL, "--for", "B"]) == 2
    assert capsys.readouterr().err == (
        "symcost: nothing of the program is asked for; name one of its quantities, memory, "
        "parameters, capacity, flops, bytes, hops, intensity, t_math, t_comms, t_path, t_lower, "
        "t_upper\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["8.685 us", "--against", "2*B*D*F/C", "--on", "h100", "--where", SIZES], 0),
        (["295", "--against", "C/W", "--on", "h100"], 0),
        (["B > 295", "--against", "B > C/W", "--on", "h100"], 0),
        (["B > 295", "--against", "B > C/W", "--on", "h100", "--where", "C=2e15"], 1),
        (["2*B*D + 2*D*F + 2*B*F", "--of", MATMUL, "--quantity", "memory"], 0),
        (["3*D*F", "--of", MATMUL, "--quantity", "memory"], 1),
        (["D*F", "--of", "weight W: bf16[D, F]; X: bf16[B, D] @ W", "--quantity", "parameters"], 0),
        (["2*B*D*F/X", "--of", "A: bf16[B_X, D] @ W: bf16[D, F] -> Z: bf16[B_X, F]",
          "--quantity", "flops", "--mesh", "X"], 0),
    ],
)  # fmt: skip
def test_what_a_claim_is_checked_against(capsys, arguments, code):
    assert main(["check", *arguments]) == code


def test_a_mesh_without_a_program_is_refused(capsys):
    assert main(["eval", "2*B", "--mesh", "X=4"]) == 2
    assert capsys.readouterr().err == (
        "symcost: --mesh is for the tensors of a program; leave it out\n"
    )


@pytest.mark.parametrize("verb", ["derive", "eval"])
def test_numbers_in_json_are_those_of_the_sizes(capsys, verb):
    found = data(capsys, verb, MATMUL, "--on", "h100-sxm", "--at", SIZES)
    there = found["at"] if verb == "derive" else found
    assert found["schema"] == 1
    assert there["values"] == {"B": 64, "D": 8192, "F": 8192}
    assert there["flops"] == there["flops_by_unit"]["matmul"] == FLOPS
    assert there["bytes"] == {"hbm": BYTES}
    assert there["memory"] == BYTES
    assert there["intensity"]["hbm"] == pytest.approx(FLOPS / BYTES)
    assert there["t_math"] == there["t_by_unit"]["matmul"] == pytest.approx(FLOPS / 989e12)
    assert there["t_comms"]["hbm"] == there["t_lower"] == pytest.approx(BYTES / 3.35e12)
    assert there["t_upper"] == pytest.approx(FLOPS / 989e12 + BYTES / 3.35e12)
    assert there["bound_by"] == "hbm"


def test_a_formula_that_is_a_number_has_it_beside(capsys):
    found = data(
        capsys, "solve", "B*D/(B+D) > C/W", "--for", "B", "--on", "h100-sxm", "--where", "D=512"
    )
    assert found["bound_numeric"] == pytest.approx(295.2239 * 512 / (512 - 295.2239), rel=1e-4)
    value = data(capsys, "eval", "140 GB / (3.35 TB/s)")
    assert value == {"schema": 1, "value": "14/335", "value_numeric": 14 / 335, "unit": "s"}


KEYS = {
    "derive": (
        [MATMUL, "--on", "h100-sxm", "--assume", "B << D, F", "--solve", "B", "--at", SIZES],
        "schema flops flops_by_unit bytes intensity limit t_math t_by_unit t_comms memory "
        "parameters at thresholds",
    ),
    "check": (
        ["B*D", "--of", MATMUL, "--quantity", "flops"],
        "schema verdict expected claimed ratio counterexample diagnosis assume",
    ),
    "solve": (
        ["B*D/(B+D) > 100", "--for", "B"],
        "schema cases bound bound_numeric smallest_integer largest_integer",
    ),
    "limit": (["B*D/(B+D)", "--assume", "B << D"], "schema value relative_error dropped assume"),
    "eval": (["2*3"], "schema value unit"),
    "regimes": (["B**2 + B*D"], "schema regimes never rules"),
    "minimize": (["a*x + b/x", "--over", "x"], "schema cases"),
    "chips": ([], "schema chips"),
}


@pytest.mark.parametrize("verb", KEYS)
def test_the_keys_of_the_interface(capsys, verb):
    arguments, keys = KEYS[verb]
    main([verb, *arguments, "--format", "json"])
    assert set(keys.split()) <= set(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("verb", KEYS)
@pytest.mark.parametrize("form", ["markdown", "latex", "html", "json", "text", "math"])
def test_every_verb_has_every_format(capsys, verb, form):
    arguments, _ = KEYS[verb]
    assert main([verb, *arguments, "--format", form]) in (0, 1)
    assert capsys.readouterr().out.strip()
