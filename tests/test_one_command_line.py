"""What a stranger types: one reader of names, numbers and figures in every verb."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from symcost.cli import main

LINES = [
    (["check", "295", "--against", "C/W", "--on", "h100"], "rounded: "),
    (["check", "590", "--against", "C/W", "--on", "h100"], "wrong: "),
    (["check", "590", "--against", "C/W", "--on", "C=989e12; W=1.675e12"], "rounded: "),
    (["check", "W_nvlink", "--against", "450 GB/s", "--on", "h100"], "exact: "),
    (["minimize", "x", "--over", "x", "--subject-to", "x > 3", "--integer"], "4 at x = 4"),
    (["minimize", "10/x", "--over", "x", "--subject-to", "x < 5", "--integer"], "5/2 (2.5) at x"),
    (["minimize", "10/x", "--over", "x", "--subject-to", "x <= 5", "--integer"], "2 at x = 5"),
    (
        ["minimize", "X + 2*Y", "--over", "X; Y", "--subject-to", "X*Y > 60; X <= 5", "--integer"],
        "31 at X = 5, Y = 13",
    ),
    (  # Y = 64/X, put in, keeps its symbol while X >= 1 is tried
        [
            *("minimize", "max(t_comms_ici_X, t_comms_ici_Y)", "--over", "X", "--on", "tpu-v5p"),
            *("--of", "mesh X, Y; I: bf16[B_X, D_Y] @ V: bf16[D_X, F_Y] -> bf16[B_X, F_Y]"),
            *("--where", "B=4096, D=8192, F=32768, Y=64/X"),
        ],
        "107.2 µs at X = 3*sqrt(233)/16 + 7/16 (3.300) (interior",
    ),
    (["minimize", "1/α + α", "--over", "α"], "2 at alpha = 1"),
    (["solve", "α*x > β", "--for", "α"], "alpha > beta/x\n"),
    (["solve", "T_{math} > T_{comms}", "--for", "T_{math}"], "T_math > T_comms\n"),
    (["solve", "-x > -5", "--for", "x"], "x < 5, largest integer 4\n"),
    (["eval", "-x", "--at", "x=3"], "-3\n"),
    (["eval", "6*N*T", "--at", "N=8B,T=15T"], "720000000000000000000000\n"),
    (["eval", "B*D", "--at", "B=8k, D=1Ki"], "8192000\n"),
    (["eval", "B*D", "--at", "B=D, D=3"], "9\n"),
    (["eval", "B*D", "--at", "B=2*F, D=F/4, F=8"], "32\n"),
    (["eval", "1e−3"], "1/1000 (0.001)\n"),
    (["regimes", "V/(8 GB/s) + 450 s"], "V/8000000000 dominates while V > 3.6 TB\n450 s dom"),
    (
        ["regimes", "V/(8 GB/s) + 450 s", "--sweep", "V=1:1e13"],
        "V from 1 byte to 3.6 TB (integers 1 to 3600000000000): 450 s\n",
    ),
    (
        ["minimize", "x^6/6 + x^2/2 - 100*x", "--over", "x"],
        "r**6/6 + r**2/2 - 100*r (-206.2) at x = r (2.499), where r is the positive root of "
        "x**5 + x - 100 in x",
    ),
    (["minimize", "(3 us)*x + (12 us)/x", "--over", "x"], "12 µs at x = 2"),
]

ASKED_OF = ["--of", "bf16[B, D] @ bf16[D, F] -> bf16[B, F]"]
LINES += [
    (["eval", "C/W", "--on", "8 x h100"], "19780/67 ≈ 295.2 FLOP/byte\n"),
    (["limit", "flops/bytes", *ASKED_OF, "--assume", "B << D, F"], "B\nrelative error: B/D + B/F"),
    (["regimes", "bytes", *ASKED_OF], "2*B*D bytes dominates while D > F and B > F\n"),
    (
        ["regimes", ASKED_OF[1], "--on", "h100", "--where", "D=4096, F=4096"],
        "8192*B/241455078125 s (compute-bound) dominates while B > 19780/67 (295.2)\n"
        "10.02 µs (memory-bound) dominates",
    ),
]

INTEGERS = [  # 10 B > 72 ceil(B/8): above 7.2 for B up to 8, 14.4 up to 16, 21.6 up to 24, ...
    ("even:40", "even integers from 1 to 40: 8, 16, 22 to 24, 30 to 32, 38 to 40"),
    ("pow2:2^6", "powers of two from 1 to 64: 8, 16, 32, 64"),
    ("pow2", "powers of two from 1 to 4096: 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096"),
    ("divides:45", "divisors of 45: 15, 45"),
]

LINES += [  # numbers under either name
    (
        ["solve", "B*D/(B+D) > 100", "--for", "B", "--at", "D=200"],
        "B > 200, smallest integer 201\n",
    ),
    (["minimize", "a*x + b/x", "--over", "x", "--at", "a=1,b=4"], "4 at x = 2 (interior"),
    (["regimes", "B^2 + B*D", "--at", "D=3"], "B**2 dominates while B > 3\n"),
    (["eval", "2*B", "--where", "B=3"], "6\n"),
    (["limit", "B*D/(B+D)", "--assume", "B << D", "--where", "B=1,D=100"], "B\nrelative error"),
]
LINES += [  # options piece by piece
    (["eval", "2*B*D", "--at", "B=3", "--at", "D=4"], "24\n"),
    (["eval", "2*B*D", "--at", "B=3", "--where", "D=4"], "24\n"),
    (["limit", "B*D*F/(B*D + D*F + B*F)", "--assume", "B << D", "--assume", "F = 4*D"], "B\n"),
    (
        ["minimize", "x + y", "--over", "x,y", "--subject-to", "x*y = 64", "--subject-to", "x<=4"],
        "20 at x = 4, y = 16",
    ),
]
ON = ["--on", "h100"]  # 989 TFLOP/s, 3.35 TB/s: 1e9/3.35e12 s, 2*128*4096^2/989e12 s
SIZED = ["--at", "B=128,D=4096,F=4096"]
LINES += [  # a chip's rates have units as written ones have; what they make a time is no size
    (["solve", "t = 2*B*D*F/C", "--for", "t", *ON, *SIZED], "t = 4.343 µs\n"),
    (["solve", "x > V/W", "--for", "x", *ON, "--at", "V=1GB"], "x > 298.5 µs\n"),
    (["solve", "x = V/W", "--for", "x", *ON, "--at", "V=1e9"], "x = 298.5 µs\n"),
    (["solve", "x > V/W + 3 us", "--for", "x", *ON, "--at", "V=1e9"], "x > 301.5 µs\n"),
    (["solve", "B > C/W", "--for", "B", *ON], "B > 19780/67 (295.2), smallest integer 296\n"),
    (["solve", "n*(1 ms) > 2*B*D*F/C", "--for", "n", *ON, *SIZED], "n > 8388608/1931640625 (0.0"),
    (["eval", "V/W", *ON, "--at", "V=1GB"], "298.5 µs\n"),
    (["eval", "V/W + 3 us", *ON, "--at", "V=1e9"], "301.5 µs\n"),
    (["eval", "2*B*D*F/C + 3 us", *ON, *SIZED], "7.343 µs\n"),
    (["eval", "2*B*D*F FLOP/(989 TFLOP/s)", *SIZED], "4.343 µs\n"),
    (["regimes", "V/W + 8 us", *ON], "V/3350000000000 dominates while V > 26.8 MB\n8 µs dom"),
]
LINES += [  # equations, and what a size cannot be
    (["solve", sides, "--for", sides[0]], f"{answer}\n")
    for sides, answer in [
        ("B = 300*D/(D-300)", "B = 300*D/(D - 300) if D > 300\notherwise never"),
        ("B == D", "B = D"),
        ("x^2 - 3x + 2 = 0", "x = 1 or x = 2"),
        ("x*2 = 7", "x = 7/2 (3.5), no integer fits"),
        ("x^2 + 3x + 2 = 0", "never"),
        ("t = 140 GB/(3.35 TB/s)", "t = 41.79 ms"),
        ("B = 100; B > D", "B = 100 if D < 100 (from B >= 100, up to B <= 100)\notherwise never"),
        ("B = 100; B = D", "B = 100 if D = 100 (from B >= 100, up to B <= 100)\notherwise never"),
        ("x = y; x = z", "x = y if z = y (from x >= y, up to x <= y)\notherwise never"),
        # y of at least 10, z below 10 and z = y contradict each other only together
        (
            "x = y; x = z; x < 10",
            "x = y if 10 > y and z = y (from x >= y, up to x <= y)\notherwise never",
        ),
        ("x = 3; x = 3", "x = 3"),
        ("x^2 - 3x + 2 > 0", "x > 2, smallest integer 3"),
        ("x^2 - 3x + 2 >= 0", "x <= 1 or x >= 2, smallest integer 1"),
        ("x*x - 5x + 6 < 0", "x > 2 and x < 3, no integer fits"),
        ("x^2 - 8x + 15 > 0", "x < 3 or x > 5, smallest integer 1"),
        ("W*W - 3W + 2 > 0", "W < 1 or W > 2"),  # a rate may be anything
    ]
]


@pytest.mark.parametrize(("arguments", "start"), LINES, ids=lambda each: str(each)[:60])
def test_the_answer(capsys, arguments, start):
    main(arguments)
    said = capsys.readouterr()
    assert said.out.startswith(start), said.out + said.err


@pytest.mark.parametrize("most", ["64", "2^6", "6.4e1"])
def test_a_bound_is_read_like_any_number(capsys, most):
    assert main(["solve", "B/8 > 3", "--for", "B", "--integers", most]) == 0
    assert "integers from 1 to 64: 25 to 64" in capsys.readouterr().out


@pytest.mark.parametrize(("asked", "said"), INTEGERS)
def test_integers_of_a_kind(capsys, asked, said):
    assert main(["solve", "10*B > 9*8*ceil(B/8)", "--for", "B", "--integers", asked]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == said


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["eval", "½*B", "--at", "B=4"], "'½' has no meaning in a formula"),
        (["eval", "2½"], "'½' has no meaning in a formula"),
        (["eval", "B*D", "--at", "B=D, D=B"], "B and D are set to formulas of each other"),
        (["eval", "T", "--at", "T=T"], "T is set to a formula of itself"),
        (["eval", "2*B", "--at", "B=1", "--where", "B=2"], "B is given twice"),
        (["regimes", "x + 9/x", "--sweep", "x=1:9", "--at", "x=3"], "x is swept and has a number"),
        (["eval", "V/W + 3 GB", *ON, "--at", "V=1GB"], "the units do not fit: they differ by"),
        (["regimes", ASKED_OF[1], *ASKED_OF], "--of names the program of a formula, but a program"),
        (["eval", ASKED_OF[1], *ASKED_OF], "--of names the program of a formula, but a program"),
    ],
)
def test_the_refusal(capsys, arguments, problem):
    assert main(arguments) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--for", "D"], ["--on", "h100"], ["--format", "json"]])
def test_one_thing_is_given_once(capsys, option):
    whole = ["solve", "B > D", "--for", "B", "--on", "C=1; W=1", "--format", "text", *option]
    with pytest.raises(SystemExit):
        main(whole)
    said = f"symcost solve: argument {option[0]}: given twice; leave one out; see symcost solve"
    assert capsys.readouterr().err.startswith(said)


def test_given_figures_that_no_time_uses_are_told(capsys):
    figures = "C=1e12; W=1e9; W_nvlink=3; C_fp8=3e12"
    assert main(["derive", ASKED_OF[1], "--on", figures]) == 0
    assert "  Not used of the given figures: C_fp8, W_nvlink.\n" in capsys.readouterr().out
    for more in (["--on", "C=1e12; W=1e9"], []):
        assert main(["derive", ASKED_OF[1], *more]) == 0
    assert main(["derive", "X: bf16[N] -> Y: bf16[N]"]) == 0  # a symbol is nobody's figure
    assert "Not used" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["-", *filter(os.path.exists, ["/dev/stdout"])])
def test_output_that_is_open_already_is_written_to(tmp_path, name):
    """What was written before and what comes after stay where they are."""
    path = tmp_path / "log"
    with path.open("w") as log:
        for text in ("1+1", "2+2"):
            command = [sys.executable, "-m", "symcost", "eval", text, "-o", name]
            subprocess.run(command, stdout=log, check=True)
        log.write("end\n")
    assert path.read_text() == "2\n4\nend\n"
    assert not os.path.exists("-")
