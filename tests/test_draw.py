"""The picture of a graph: everything is there, nothing lies over another, arrows run rightwards."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import networkx
import pytest

import symcost as sc
from symcost.cli import main
from symcost.errors import InvalidValueError
from symcost.model.diagram import diagram
from symcost.model.ops import operations
from symcost.model.programs import parse
from symcost.render.graph_plot import _boxes

PROGRAMS = [
    "X: bf16[B, D] @ W: int8[D, F] -> Z: bf16[B, F]",
    """weight w1: bf16[D, F]; weight w2: bf16[F, D]
    fused mlp { h = x: bf16[B, D] @ w1; g = gelu(h) }
    repeat L { y = g @ w2 }
    z = add(y, x)""",
    """A: bf16[B, D] on gpu0; C: bf16[B, D] on gpu1; weight W: bf16[D, F]
    P = A @ W on gpu0; Q = C @ W on gpu1; send P to gpu1 over nvlink; R = add(P, Q) on gpu1""",
    "x: bf16[N]",
    *sorted({operations[name].example for name in operations if operations[name].example}),
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_nothing_lies_over_another(text):
    graph = parse(text)
    made = diagram(graph)
    assert {n.name for n in made.nodes if n.lines} == set(graph.digraph)
    assert {(way[0], way[-1]) for way in made.arrows} == set(graph.digraph.edges)
    boxes = _boxes(made)
    for (left, top, wide, high), (other, above, width, height) in combinations(boxes.values(), 2):
        apart = left + wide <= other or other + width <= left
        assert apart or top + high <= above or above + height <= top
    for way in made.arrows:
        for one, next_one in pairwise(way):
            assert boxes[one][0] + boxes[one][2] < boxes[next_one][0]
    for frame in made.frames:
        assert set(frame.nodes) <= set(boxes)


def test_what_is_written():
    figure = sc.draw(PROGRAMS[1])
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert {"w1\nbf16[D, F]", "gelu\n5*B*F FLOPs\n2*B*F bytes", "fused mlp"} <= texts
    assert "contract\nL times\n2*B*D*F*L FLOPs\n2*B*D*L + 2*B*F*L + 2*D*F*L bytes" in texts


def test_devices_are_frames():
    frames = {frame.name: frame.nodes for frame in diagram(parse(PROGRAMS[2])).frames}
    assert frames["gpu0"] == ("contract:0", "send:2", "A", "P")
    assert frames["gpu1"] == ("contract:1", "add:3", "C", "Q", "P@gpu1", "R")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files(tmp_path, ending):
    path = tmp_path / f"graph.{ending}"
    sc.draw(PROGRAMS[0]).savefig(path)
    assert path.stat().st_size > 2_000


def test_too_large():
    text = "\n".join(f"x{n + 1} = relu(x{n})" for n in range(200))
    with pytest.raises(InvalidValueError, match="a picture of 401 nodes cannot be read"):
        sc.draw("x0: bf16[N]\n" + text)


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "dot", "graphml"])
def test_the_command_line_draws(tmp_path, ending):
    path = tmp_path / f"graph.{ending}"
    program = "H = gelu(X: bf16[B, D] @ W: bf16[D, F])"
    assert main(["plot", program, "--graph", "-o", str(path)]) == 0
    content = path.read_bytes()
    if ending == "graphml":
        read = networkx.parse_graphml(content.decode())
        assert set(read) == set(parse(program).digraph)
    elif ending == "dot":
        arrows = re.findall(r'"(.*)" -> "(.*)";', content.decode())
        assert set(arrows) == set(parse(program).digraph.edges)
    else:
        assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending])


def test_a_plot_of_times_needs_a_chip(capsys, tmp_path):
    assert main(["plot", "H = gelu(X: bf16[B])", "-o", str(tmp_path / "x.png")]) == 2
    said = "a plot needs a chip; give --on CHIP; --graph draws the program without\n"
    assert capsys.readouterr().err == f"symcost: {said}"
