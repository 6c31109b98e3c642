"""Plots: what is drawn against exact values, the words on them, and the files."""

from __future__ import annotations

import numpy as np
import pytest

import symcost as sc
from symcost.cli import main

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
DOT = "a: bf16[N] @ b: bf16[N] -> bf16[1]"
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
        bandwidths={"W1": 15 * 10**11, "W2": 335 * 10**10},
        at={"N": 10**6, "B": 256, "D": 8192, "F": 8192},
    )
    (axes,) = figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    said = " | ".join(words(axes))
    for word in ("memory-bound", "depends on bandwidth", "compute-bound", "295.2", "659.3",
                 "dot product", "matmul: 240.9"):  # fmt: skip
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
