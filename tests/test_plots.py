"""Plots: what is drawn against exact values, the words on them, and the files."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from sympy import Integer, Rational, floor

import symcost as sc
from readers import read_formula
from symcost.answers.times import longest_times
from symcost.cli import main
from symcost.documents.drawings import Axis, Curves, Series
from symcost.render.figure import Figure
from symcost.render.plot import draw

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
DOT = "a: bf16[N] @ b: bf16[N] -> bf16[1]"
VECTOR = "a: bf16[N] * b: bf16[N] -> bf16[N]"
H100 = sc.chip("h100-sxm")
PEAK, BANDWIDTH = 989e12, 3.35e12


def words(axes) -> list[str]:
    legend = axes.get_legend()
    texts = [*axes.texts, *(legend.get_texts() if legend else [])]
    return [text.get_text() for text in texts]


def test_throughput_curves_are_the_roofline():
    at = [{"D": size, "F": size} for size in (1024, 2048, 16384)]
    (axes,) = sc.plot_throughput(sc.parse(MATMUL), H100, "B", (1, 512), at).axes
    curves = [line for line in axes.lines if len(line.get_xdata()) > 100]
    assert len(curves) == 3
    for line, size in zip(curves, (1024, 2048, 16384), strict=True):
        b, rates = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        intensity = b * size * size / (2 * b * size + size * size)
        expected = np.minimum(PEAK, BANDWIDTH * intensity)
        np.testing.assert_allclose(rates, expected, rtol=1e-9)
    said = " | ".join(words(axes))
    assert "D = F = 1024: not within this range" in said
    assert "D = F = 2048: roof at B = 414.8" in said
    assert "D = F = 16384: roof at B = 306.3" in said


def test_a_roofline_has_both_roofs_both_points_and_its_regions():
    figure = sc.plot_roofline(
        {"dot product": sc.parse(DOT), "matmul": sc.parse(MATMUL)},
        H100,
        bandwidths={"W1": 15 * 10**11},
        at={"N": 10**6, "B": 256, "D": 8192, "F": 8192},
    )
    (axes,) = figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    said = " | ".join(words(axes))
    for word in ("memory-bound", "depends on bandwidth", "compute-bound", "295.2", "659.3",
                 "dot product, N = 1000000: 0.5", "matmul, B = 256, D = F = 8192: 240.9",
                 "hbm: 3.35 TB/s", "W1: 1.5 TB/s"):  # fmt: skip
        assert word in said
    xs = {round(float(x), 1) for line in axes.lines for x in np.atleast_1d(line.get_xdata())}
    assert {0.5, 240.9, 295.2, 659.3} <= xs


def test_every_tick_of_the_rates_is_in_the_unit_of_the_axis():
    sizes = {"B": 512, "D": 4096, "F": 4096}
    (axes,) = sc.plot_roofline({"matmul": sc.parse(MATMUL)}, H100, at=sizes).axes
    axes.figure.draw_without_rendering()
    ticks = {t.label2.get_text() or t.label1.get_text() for t in axes.yaxis.get_minor_ticks()}
    assert axes.get_ylabel() == "TFLOP/s"
    assert {"200", "500", "2000"} <= ticks
    assert not [text for text in ticks if "10" in text]


def test_a_map_labels_its_regions_and_borders():
    B, D, S = sc.dims("B D S")
    found = sc.regime_map(24 * B * S * D**2 + 4 * B * S**2 * D, D, S, at={B: 1})
    (axes,) = sc.plot_regimes(found, (128, 16384), (128, 10**6)).axes
    assert set(words(axes)) == {"$4 B D S^{2}$", "$24 B D^{2} S$", "$S = 6 D$"}
    (line,) = axes.lines
    x, y = (np.asarray(data, float) for data in line.get_data())
    inside = ~np.isnan(y)
    np.testing.assert_allclose(y[inside], 6 * x[inside])


MAPS = [
    ("24*B*S*D^2 + 4*B*S^2*D + 2*B*S*D*V", {"B": 1, "V": 128000}, "S", "D", 10**6, 10**5),
    ("x**2 + y**2 + 100 + x*y*3", {}, "x", "y", 100, 100),
    ("max(x*y, 30 + x + y)", {}, "x", "y", 100, 100),
    ("max(x**2 + 100/y, 30 + x*y, y**2 + 3)", {}, "x", "y", 100, 100),
    ("max(2*x*y/8, 2*y) + y", {}, "x", "y", 100, 100),
    ("max(x**2 + 5, 6*x + y/1000)", {}, "x", "y", 100, 10**4),
    ("max(x*y, 30 + x) + x", {}, "x", "y", 100, 100),
    ("max(x*y/(x + y), 9)", {}, "x", "y", 100, 100),
    ("max(x*y + x**2/9, 30 + 3*y, x**2/20 + 60/y**2) + 4*x", {}, "x", "y", 100, 100),
]


def map_of(formula, at, x, y, right, top):
    expr = read_formula(formula).expr
    found = sc.regime_map(expr, x, y, at=at)
    return found, sc.plot_regimes(found, (1, right), (1, top)).axes[0]


@pytest.mark.parametrize(("formula", "at", "x", "y", "right", "top"), MAPS)
def test_borders_are_drawn_just_where_the_winner_changes(formula, at, x, y, right, top):
    """A step to either side of each drawn point there are two winners, and no border is missing."""
    found, axes = map_of(formula, at, x, y, right, top)
    drawn = [np.column_stack(line.get_data()) for line in axes.lines]
    for line in drawn:
        for (a, b), (c, d) in zip(line[1:-2:40], line[2:-1:40], strict=True):
            along = np.log([c / a, d / b])
            step = np.exp(0.05 * np.array([along[1], -along[0]]) / np.hypot(*along))
            sides = {found.winner_at(*map(Fraction, (a, b) * step**k)) for k in (1, -1)}
            assert len(sides) == 2, (a, b)
    points = np.log(np.concatenate(drawn))
    for b in np.geomspace(1.5, top / 1.5, 9):
        across = [Fraction(v) for v in np.geomspace(1, right, 60)]
        winners = [found.winner_at(a, Fraction(b)) for a in across]
        for i in (i for i in range(59) if winners[i] != winners[i + 1]):
            middle = np.log([float(across[i] + across[i + 1]) / 2, b])
            assert np.hypot(*(points - middle).T).min() < np.log(right) / 59


def test_each_border_has_a_style_of_its_own_below_the_map():
    formula = "x**2/5 + y*10 + 100/x + 3*y**2/x + x*y + x**3/y**2/9 + 17 + 800/y**2/x"
    _, axes = map_of(formula, {}, "x", "y", 1000, 1000)
    styles = {(line.get_color(), line.get_linestyle()) for line in axes.lines}
    assert len(styles) == len(axes.lines) == len(axes.get_legend().get_texts()) > 8
    axes.figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().y1 < axes.get_window_extent().y0
    boxes = [text.get_window_extent() for text in axes.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize(
    ("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_plot_files_are_written_and_repeatable(tmp_path, capsys, kind, start):
    paths = [tmp_path / f"{name}.{kind}" for name in ("one", "two")]
    for path in paths:
        arguments = [MATMUL, "--on", "h100", "--sweep", "B=1:512", "--at", "D=F=2048"]
        assert main(["plot", *arguments, "-o", str(path)]) == 0
    one, two = (path.read_bytes() for path in paths)
    assert one.startswith(start)
    assert one == two
    assert "wrote" in capsys.readouterr().out


def test_a_map_from_the_command_line(tmp_path):
    path = tmp_path / "map.png"
    sweeps = ["--sweep", "D=128:16384", "--sweep", "S=128:1000000"]
    formula = "24*B*S*D^2 + 4*B*S^2*D"
    assert main(["regimes", formula, *sweeps, "--where", "B=1", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert main(["regimes", formula, *sweeps]) == 2


def test_what_a_plot_needs_is_said(capsys):
    assert main(["plot", MATMUL, "--on", "h100", "--sweep", "B=1:512", "-o", "x.png"]) == 2
    assert "a curve along B needs a number for D, F" in capsys.readouterr().err
    assert main(["plot", MATMUL, "--on", "h100", "-o", "x.png"]) == 2
    assert "a point needs a number for B, D, F" in capsys.readouterr().err


def points_of(figure) -> dict[str, tuple[float, float]]:
    """The points of a roofline: intensity and FLOP/s by label."""
    (axes,) = figure.axes
    marked = [line for line in axes.lines if line.get_marker() != "None"]
    return {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0]) for line in marked}


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """Run the plot verb and return the figure that it saves."""

    def run(*arguments: str):
        figures = []
        content = Figure.content
        monkeypatch.setattr(
            Figure, "content", lambda self, kind: figures.append(self) or content(self, kind)
        )
        path = tmp_path / "plot.png"
        assert main(["plot", *arguments, "-o", str(path)]) == 0
        assert path.read_bytes().startswith(b"\x89PNG")
        return figures[0]

    return run


def test_each_set_of_numbers_is_a_point_of_each_program(drawn):
    sizes = ["--at", "B=64,D=F=4096", "--at", "B=512,D=F=4096", "--at", "N=4096"]
    figure = drawn(MATMUL, DOT, "--on", "h100-sxm", *sizes)
    found = points_of(figure)
    assert len(found) == 3
    (axes,) = figure.axes
    figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().y1 < axes.get_window_extent().y0  # covers none
    for batch in (64, 512):
        (label,) = [each for each in found if f"B = {batch}, D = F = 4096" in each]
        intensity = batch * 4096 / (2 * batch + 4096)
        assert label.startswith("X: bf16[B, D] @ W")
        assert found[label] == pytest.approx((intensity, min(PEAK, BANDWIDTH * intensity)))
    assert any("N = 4096: 0.4999 FLOP/byte" in label for label in found)


def test_a_bandwidth_is_one_more_roof_unless_it_is_called_hbm(drawn):
    arguments = [MATMUL, "--on", "h100", "--at", "B=D=F=512"]
    said = " | ".join(words(drawn(*arguments, "--bandwidth", "L2=5.5e12").axes[0]))
    assert "hbm: 3.35 TB/s" in said
    assert "L2: 5.5 TB/s" in said
    said = " | ".join(words(drawn(*arguments, "--bandwidth", "hbm=2e12").axes[0]))
    assert "hbm: 2 TB/s" in said
    assert "3.35" not in said


def test_a_wide_sweep_is_logarithmic(drawn):
    arguments = [MATMUL, "--on", "h100", "--at", "D=F=8192", "--sweep"]
    (axes,) = drawn(*arguments, "B=1:1001").axes
    assert axes.get_xscale() == "log"
    (b,) = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) > 100]
    np.testing.assert_allclose(b[1:] / b[:-1], 1001 ** (1 / (len(b) - 1)))
    (axes,) = drawn(*arguments, "B=1:1000").axes
    assert axes.get_xscale() == "linear"


def test_vector_programs_lie_under_the_vector_peak(drawn):
    vector = float(H100.peak("bf16", "vector"))
    (axes,) = (figure := drawn(VECTOR, "--on", "h100", "--at", "N=4096")).axes
    assert "vector" in axes.get_title(loc="left")
    roof = next(line for line in axes.lines if str(line.get_label()).startswith("hbm"))
    assert max(roof.get_ydata()) == vector < PEAK
    ((intensity, rate),) = points_of(figure).values()
    assert rate == pytest.approx(min(vector, BANDWIDTH * intensity))


def test_points_have_the_names_of_their_programs(drawn):
    sizes = ["--on", "h100", "--at", "N=64"]
    labels = [each.split(", N")[0] for each in points_of(drawn(DOT, DOT, *sizes))]
    assert labels == [DOT, f"{DOT} (2)"]
    wide = MATMUL.replace("B", "Batch")
    (label,) = points_of(drawn(wide, "--on", "h100", "--at", "Batch=D=F=8"))
    assert label.startswith("X: bf16[Batch, D] @ W: bf16[D, F] -> Z: ..., Batch = D = F = 8: ")
    two = f"{DOT.replace('->', '-> s:')}; t: bf16[1] = relu(s)"
    (label,) = points_of(drawn(two, "--on", "h100", "--at", "N=8"))
    assert label.startswith("a: bf16[N] @ b: bf16[N] -> s: bf16[1] ..., N = 8: ")


REFUSED = [
    (["--sweep", "B=1:1", "--at", "D=F=64"], "B runs from 1 to 1, which is no range to draw"),
    (["--sweep", "Q=1:512", "--at", "D=F=64"], "Q does not occur here; the symbols are B, D, F"),
    (["--sweep", "B=1:512", "--at", "B=2,D=F=64"], "B is swept and has a number as well"),
    (["--sweep", "B=1:9", "--sweep", "D=1:9"], "a curve runs along one symbol, but --sweep is"),
    ([DOT, "--sweep", "B=1:9"], "--sweep draws one program, but 2 are given"),
    (["--sweep", "B=1:9", "--bandwidth", "L2=5e12"], "--bandwidth adds a roof to a roofline"),
    (["--at", "B=D=F=64,Q=1"], "Q does not occur here; the symbols are B, D, F"),
    ([VECTOR, "--at", "B=D=F=N=64"], "these programs lie under different peaks: X: bf16"),
]


@pytest.mark.parametrize(("arguments", "problem"), REFUSED)
@pytest.mark.filterwarnings("error")
def test_what_cannot_be_drawn_is_refused_in_one_message(arguments, problem, tmp_path, capsys):
    path = tmp_path / "x.png"
    assert main(["plot", MATMUL, *arguments, "--on", "h100", "-o", str(path)]) == 2
    said = capsys.readouterr().err
    assert problem in said
    assert not path.exists()


MLP = ("H: bf16[B, F] = X: bf16[B, D] @ W1: bf16[D, F]; G = gelu(H); "
       "Z: bf16[B, D] = G @ W2: bf16[F, D]")  # fmt: skip


def styles(axes) -> list[tuple]:
    named = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    return [(line.get_color(), line.get_linestyle(), line.get_marker()) for line in named]


def test_twelve_curves_have_twelve_styles(drawn):
    sizes = [part for k in range(12) for part in ("--at", f"D=F={256 * (k + 2)}")]
    (axes,) = drawn(MATMUL, "--on", "h100", "--sweep", "B=1:64", "--log", *sizes).axes
    assert axes.get_xscale() == "log"
    assert len(set(styles(axes))) == 13  # with the roof


def test_every_chip_is_drawn(drawn):
    on = ["--on", "h100-sxm", "--on", "tpu-v5p"]
    (axes,) = drawn(MATMUL, *on, "--sweep", "B=1:512", "--at", "D=F=2048").axes
    said = words(axes)
    assert [text.split(":")[0] for text in said] == [
        "H100 SXM5 80GB", "Cloud TPU v5p (chip)", "H100 SXM5 80GB", "Cloud TPU v5p (chip)",
    ]  # fmt: skip
    assert len(points_of(drawn(MATMUL, *on, "--at", "B=D=F=512"))) == 2


def test_a_step_is_honoured(drawn):
    (axes,) = drawn(MATMUL, "--on", "h100", "--sweep", "B=8:100:24", "--at", "D=F=2048").axes
    assert [8, 32, 56, 80, 100] in [list(line.get_xdata()) for line in axes.lines]


def test_all_units_work_beside_the_main_one(drawn):
    sizes = {"B": 1024, "D": 64, "F": 8192}
    roof = sc.roofline(sc.parse(MLP), H100).at(sizes)
    at = ",".join(f"{name}={size}" for name, size in sizes.items())
    ((_, rate),) = points_of(drawn(MLP, "--on", "h100", "--at", at)).values()
    assert rate == pytest.approx(float(roof.work("matmul") / roof.lower))
    (axes,) = drawn(MLP, "--on", "h100", "--sweep", "B=1:1024", "--at", "D=64,F=8192").axes
    (line,) = [line for line in axes.lines if len(line.get_xdata()) > 100]
    assert line.get_ydata()[-1] == pytest.approx(rate)


def test_a_map_of_a_program_says_what_binds(capsys, tmp_path):
    sweeps = ["--sweep", "B=1:4096", "--sweep", "D=64:16384", "--where", "F=8192"]
    assert main(["regimes", MATMUL, "--on", "h100", *sweeps, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["title"] == "What binds over B and D"
    assert sorted(found["names"]) == ["compute-bound", "memory-bound"]
    assert len(found["winners"]) >= 2
    assert found["borders"]


def test_a_figure_is_a_picture_in_a_notebook():
    figure = sc.plot_roofline({"dot": sc.parse(DOT)}, H100, at={"N": 4096})
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_page_holds_its_picture(tmp_path):
    path = tmp_path / "plot.html"
    arguments = [MATMUL, "--on", "h100", "--at", "B=D=F=512", "--format", "html"]
    assert main(["plot", *arguments, "-o", str(path)]) == 0
    (source,) = re.findall('<img src="data:image/svg[+]xml;base64,([^"]*)"', path.read_text())
    assert b64decode(source).startswith(b"<?xml")


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_an_answer_that_draws_nothing_has_no_picture(kind, capsys):
    assert main(["eval", "1+1", "--format", kind]) == 2
    said = f"symcost: nothing is drawn in this answer, so there is no {kind} of it\n"
    assert capsys.readouterr().err == said


def test_no_label_is_over_another(drawn):
    more = "L2=5.5e12,mid=3e12,slow=4.5e11"
    figure = drawn(MATMUL, "--on", "h100", "--at", "B=D=F=512", "--bandwidth", more)
    figure.draw_without_rendering()
    (axes,) = figure.axes
    boxes = [text.get_window_extent() for text in axes.texts]
    boxes += [axes._left_title.get_window_extent()]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--on", "C, W", "--at", "B=D=F=8"], "C, W of the chip have no number"),
        (["--on", "h100", "--sweep", "B=1:1e400", "--at", "D=F=8"], "1e400 is too large to draw"),
        (["--on", "h100", "--sweep", "B=1:1000000:1", "--at", "D=F=8"], "more than 100,000 steps"),
    ],
)
def test_numbers_that_are_missing_or_too_large_are_named(arguments, problem, tmp_path, capsys):
    assert main(["plot", MATMUL, *arguments, "-o", str(tmp_path / "x.png")]) == 2
    assert problem in capsys.readouterr().err


def test_dollars_are_no_mathematics():
    block = Curves("$x_$", Axis("B$"), Axis("", "FLOP/s"), (Series("a $b", ((1, 1), (2, 3))),))
    figure = draw(block)
    figure.draw_without_rendering()  # raises where text is taken for mathematics
    (axes,) = figure.axes
    assert (axes.get_title(loc="left"), axes.get_xlabel()) == (r"\$x_\$", r"B\$")


# -- times -----------------------------------------------------------------------------------------

LAYER = "mesh X; A: bf16[I_X, J] @ B: bf16[J_X, K] -> C: bf16[I_X, K]"
V5P = {"C": 459e12, "W": 180e9, "hbm": 2.765e12}


def test_times_against_chips_cross_where_the_rule_says():
    """I/X = 2550 tokens a chip, but for the shard that a chip has: X - 1 = 65536/2550."""
    sizes = {"I": 65536, "J": 8192, "K": 8192}
    (axes,) = sc.plot_times(sc.parse(LAYER), "tpu-v5p", "X", (2, 256), sizes).axes
    x, seconds = (np.asarray(data, float) for data in axes.lines[0].get_data())
    np.testing.assert_allclose(seconds, 2 * 65536 * 8192**2 / (x * V5P["C"]), rtol=1e-9)
    sent = next(line for line in axes.lines if line.get_label().startswith("T_ici_X"))
    x, seconds = (np.asarray(data, float) for data in sent.get_data())
    np.testing.assert_allclose(seconds, 2 * 8192**2 * (x - 1) / (x * V5P["W"]), rtol=1e-9)
    assert (x == x.round()).all()
    mark = next(line for line in axes.lines if len(line.get_xdata()) == 1)
    assert mark.get_xdata()[0] == pytest.approx(1 + 65536 / 2550)


def test_times_with_floors_are_compared_size_by_size():
    """A goes all to all, 20/81 of it on a ring of 9 and 16/64 on one of 8; B is gathered."""
    program = "mesh X; A: bf16[I, J_X] @ B: bf16[J, K_X] -> C: bf16[I_X, K]"
    sizes = {"I": 65536, "J": 8192, "K": 8192}
    (axes,) = sc.plot_times(sc.parse(program), "tpu-v5p", "X", (2, 64), sizes).axes
    assert "T_ici_X: the longest from X = 9" in words(axes)


def test_times_that_floats_do_not_tell_apart_are_compared_exactly():
    """``x - 1`` and a little is the longer one at odd sizes only."""
    x = sc.dim("x")
    seconds = {"a": 2 * floor(x / 2), "b": x - 1 + Rational(1, 10**20)}
    stretches = longest_times(seconds, x, Integer(2), Integer(6))
    assert stretches == [(2, "a"), (3, "b"), (4, "a"), (5, "b"), (6, "a")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--times"], "--times draws along a symbol, and no --sweep is given"),
        (["--times", "--sweep", "X=4:4"], "X runs from 4 to 4, which is no range to draw"),
        (["--times", "--sweep", "Q=1:4"], "Q"),
        (["--times", "--sweep", "X=1:4", "--at", "I=8,J=8"], "a curve along X needs a number for"),
    ],
)
def test_times_that_cannot_be_drawn(capsys, tmp_path, arguments, message):
    line = ["plot", LAYER, "--on", "tpu-v5p", *arguments, "-o", str(tmp_path / "a.png")]
    assert main(line) == 2
    assert message in capsys.readouterr().err


def test_a_plot_on_a_cluster_lies_on_its_links(capsys, tmp_path):
    """A v5e slice closes an axis of 16, not one of 8."""
    program = "mesh X=8, Y=4; A: bf16[I_X, J] @ B: bf16[J_Y, K] -> C: bf16[I_X, K]"
    line = ["plot", program, "--on", "32 x tpu-v5e", "--times", "--sweep", "I=8:4096"]
    assert main([*line, "--at", "J=512,K=512", "-o", str(tmp_path / "a.svg")]) == 0
    assert (
        main([*line[:4], "--sweep", "I=8:64", "--at", "J=512,K=512", "-o", str(tmp_path / "b.svg")])
        == 0
    )


def test_a_picture_of_layouts_has_the_mesh_blocks_and_an_arrow_for_each_step():
    text = "mesh X=2, Y=2; A: bf16[I_X, J_Y] @ B: bf16[J_Y, K] -> C: bf16[I_X, K]"
    figure = sc.draw_layouts(sc.plan(text))
    titled = {axes.get_title().split()[0]: axes for axes in figure.axes if axes.get_title()}
    assert [*titled] == ["mesh", "A", "B", "C{U_Y}", "C"]
    (devices,) = titled["mesh"].lines
    assert len(devices.get_xdata()) == 4
    assert [len(titled[name].patches) for name in ("A", "B", "C")] == [4, 2, 2]
    assert [text.get_text() for text in titled["A"].texts][1] == "X=0\nY=1"
    assert len(figure.artists) == 2
    assert "all_reduce C over Y" in [text.get_text() for text in titled["C"].texts]


PICTURE = ["plot", "relu(X: bf16[B, D])", "--on", "h100", "--sweep", "B=1:64", "--at", "D=4096"]
MAP = ["regimes", "B^2 + B*D", "--sweep", "B=1:10", "--sweep", "D=1:10"]


def test_a_picture_in_json_is_its_points(capsys, tmp_path):
    assert main([*PICTURE, "--format", "json", "-o", str(tmp_path / "points.json")]) == 0
    found = json.loads((tmp_path / "points.json").read_text())
    capsys.readouterr()
    assert found["schema"] == 1
    assert (found["across"]["label"], found["upward"]["unit"]) == ("B", "FLOP/s")
    points = dict(map(tuple, found["series"][0]["points"]))
    rate = Fraction(335 * 10**10, 4)  # two bytes read and two written for each FLOP
    assert all(y == pytest.approx(float(rate)) for y in points.values())
    assert main([*MAP, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["winners"], found["borders"]) == (["B**2", "B*D"], ["D = B"])


@pytest.mark.parametrize(("form", "line"), [("markdown", "- $B^{2}$"), ("latex", r"\item $B^{2}$")])
def test_a_map_in_words_names_its_regions(capsys, form, line):
    assert main([*MAP, "--format", form]) == 0
    assert line in capsys.readouterr().out.splitlines()
