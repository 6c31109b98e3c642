"""The built-in chips: every figure of each, what stands in for what, a light list."""

from __future__ import annotations

import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Integer, Rational

from symcost.errors import (
    MissingRuleError,
    SymcostError,
    UnknownNameError,
)
from symcost.hardware import (
    chip,
    chip_names,
    chip_rows,
    source_texts,
)
from symcost.hardware.index import index_text, listed_dtype
from symcost.hardware.listing import INDEX

NAMES = chip_names()


def test_the_catalogue_is_complete() -> None:
    files = {path.stem for path in Path(INDEX).parent.glob("*.toml")}
    assert len(NAMES) == 41
    assert set(NAMES) == files
    assert sum(len(list(chip(name).figures())) for name in NAMES) == 548


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_positive_and_sourced(name: str) -> None:
    made = chip(name)
    assert made.name == name
    assert all((made.title, made.vendor, made.memory_kind, made.matmul, made.capacities))
    texts = source_texts()
    assert made.year is not None
    for place, figure in (("year", made.year), *made.figures()):
        assert isinstance(figure.value, Fraction), place
        assert figure.value > 0, place
        assert figure.source, place
        assert all(key in texts for key in figure.source), place


@pytest.mark.parametrize("name", NAMES)
def test_ridge_points_agree_with_the_printed_ones(name: str) -> None:
    made = chip(name)
    assert set(made.printed_ridge) == set(made.matmul)
    for dtype, printed in made.printed_ridge.items():
        ridge = made.critical_intensity(dtype)
        assert abs(Fraction(ridge.p, ridge.q) - printed) <= Fraction(1, 200), dtype


@pytest.mark.parametrize("name", NAMES)
def test_links_are_one_way(name: str) -> None:
    for channel, link in chip(name).links.items():
        assert all((link.kind, link.scope)), channel
        if "both_ways" in link.more:
            both = link.more["both_ways"].value
            assert both == 2 * Fraction(link.one_way.value), channel
        if "per_link_one_way" in link.more and link.count:
            one = link.more["per_link_one_way"].value
            assert link.count * Fraction(one) == link.one_way.value, channel


def test_the_index_is_what_the_files_say() -> None:
    assert Path(INDEX).read_text(encoding="utf-8") == index_text(), "python -m symcost.hardware"


@pytest.mark.parametrize("row", chip_rows(), ids=lambda row: row.name)
def test_rows_agree_with_the_chips(row: object) -> None:
    made = chip(row.name)  # type: ignore[attr-defined]
    expected = made.critical_intensity(listed_dtype(made))
    assert Rational(row.critical_intensity) == expected  # type: ignore[attr-defined]


def test_the_h100_to_the_digit() -> None:
    h100 = chip("h100-sxm")
    assert h100.peak("bf16") == 989 * 10**12
    assert h100.bandwidth() == 335 * 10**10
    assert h100.bandwidth("nvlink") == 450 * 10**9
    assert h100.critical_intensity("bf16") == Rational(19780, 67)
    assert h100.capacity() == 80 * 2**30
    assert [figure.value for figure in h100.capacities] == [80 * 2**30, 80 * 10**9]
    assert h100.peak("fp32", "vector") == Integer(669) * 10**11


def test_published_figures_beside_the_printed_ridges() -> None:
    assert chip("tpu-v5e").critical_intensity("bf16") == Rational(197000, 819)
    assert chip("tpu-v5e").bandwidth("ici") == 45 * 10**9
    assert chip("mi300x").bandwidth("xgmi") == 7 * 64 * 10**9
    assert chip("a100").peak("fp64", "vector") * 2 == chip("a100").peak("fp64")


def test_a_chip_is_immutable_and_can_be_pickled() -> None:
    h100 = chip("h100")
    assert pickle.loads(pickle.dumps(h100)) == h100
    assert hash(h100) == hash(chip("h100"))
    with pytest.raises(AttributeError):
        h100.name = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        h100.matmul["bf16"] = h100.matmul["fp8"]  # type: ignore[index]


def test_figures_from_memory_say_so() -> None:
    assert chip("rtx5090").peak_figure("bf16").from_memory
    assert not chip("h100").peak_figure("bf16").from_memory
    assert source_texts()["memory"] == "from memory, to be confirmed"
    row = next(row for row in chip_rows() if row.name == "tpu-v2")
    assert row.shows_memory
    assert row.from_memory == 3


@pytest.mark.parametrize(
    ("name", "dtype", "same"),
    [
        ("h100", "bfloat16", "bf16"),
        ("h100", "fp8_e4m3", "fp8"),
        ("h100", "e5m2", "fp8"),
        ("h100", "mxfp8", "fp8"),
        ("h100", "mxint8", "int8"),
        ("b200", "nvfp4", "fp4"),
        ("b200", "mxfp4", "fp4"),
        ("b200", "mxfp6", "fp6"),
    ],
)
def test_dtypes_that_share_a_rate(name: str, dtype: str, same: str) -> None:
    assert chip(name).peak(dtype) == chip(name).matmul[same].to_sympy()


@pytest.mark.parametrize(
    ("name", "dtype", "expected", "note"),
    [
        ("v100", "bf16", 157 * 10**11, "the fp32 rate: no figure for bf16"),
        ("v100", "fp64", None, ""),
        ("h200", "fp8_e4m3", 67 * 10**12, "the fp32 rate: no figure for fp8_e4m3"),
        ("a100", "fp8", 39 * 10**12, "the bf16 rate: no figure for fp8"),
        ("a100", "tf32", 195 * 10**11, "the fp32 rate: no figure for tf32"),
        ("h100", "int8", None, ""),
    ],
)
def test_the_vector_unit_falls_back_to_wider_floats(
    name: str, dtype: str, expected: int | None, note: str
) -> None:
    if expected is None:
        with pytest.raises(MissingRuleError):
            chip(name).peak(dtype, "vector")
        return
    figure = chip(name).peak_figure(dtype, "vector")
    assert figure.value == expected
    assert figure.note.startswith(note)


def test_accumulation_in_16_bits_is_a_peak_of_its_own() -> None:
    assert chip("4090").peak("fp16_acc16") == Rational(3303 * 10**11)
    assert chip("4090").peak("fp16") == Rational(1652 * 10**11)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (
            lambda: chip("t4").peak("bf16"),
            MissingRuleError,
            "Tesla T4 16GB does not support bf16 matmuls; known: fp32, fp16, int8, int4",
        ),
        (
            lambda: chip("l4").peak("fp4"),
            MissingRuleError,
            "no matmul peak for fp4 is known for L4 24GB; known: fp32, tf32, bf16, fp16, fp8, int8",
        ),
        (
            lambda: chip("tpu-v4").peak("bf16", "vector"),
            MissingRuleError,
            "no vector peak for bf16 is known for Cloud TPU v4 (chip); "
            "none is known; a chip file can give one",
        ),
        (
            lambda: chip("h100").bandwidth("ici"),
            MissingRuleError,
            "no bandwidth of channel 'ici' is known for H100 SXM5 80GB; known: hbm, nvlink, "
            'pcie, infiniband, l2; give one with "C=..., W_ici=..."',
        ),
        (
            lambda: chip("h100").peak("bf16", "tensor"),
            UnknownNameError,
            "unknown unit 'tensor'; units: matmul, vector",
        ),
        (
            lambda: chip("h100").peak("bf17"),
            UnknownNameError,
            "unknown dtype 'bf17'; did you mean bf16?",
        ),
        (
            lambda: chip("C, W").capacity(),
            MissingRuleError,
            "no memory capacity is known for given figures",
        ),
    ],
)
def test_missing_figures(ask: object, error: type[SymcostError], message: str) -> None:
    with pytest.raises(error) as caught:
        ask()  # type: ignore[operator]
    assert str(caught.value) == message


PROBE = """
import sys
from symcost.hardware import chip_rows{more}
rows = [row.critical_intensity for row in chip_rows()]
assert len(rows) == 41
{run}
print(*sorted({{"sympy", "networkx", "lark", "tomllib"}} & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("more", "run", "loaded"),
    [
        ("", "", ""),
        (", chip", 'chip("h100").peak_figure("bf16")', "tomllib"),
        (", chip", 'chip("h100").peak("bf16")', "sympy tomllib"),  # the probe can see sympy
    ],
)
def test_listing_imports_no_sympy(more: str, run: str, loaded: str) -> None:
    code = PROBE.format(more=more, run=run)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == loaded


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("C=4e14, W=1e12", "critical intensity, any over hbm: 400 FLOP/byte"),
        ("C, W", "critical intensity, any: C/W"),
        ("C_fp8=1e15, W=2e12", "critical intensity, fp8 over hbm: 500 FLOP/byte"),
        ("W=2e12", "memory.bandwidth  2 TB/s  given"),
        ("C=3e14", "matmul.any  300 TFLOP/s  given"),
    ],
)
def test_a_chip_of_given_figures_in_every_format(given, line):
    made = chip(given)
    assert line in made.to_text().splitlines()
    for shown in (made.to_markdown(), made.to_latex(), made.to_html(), made.to_json()):
        assert "given figures" in shown
