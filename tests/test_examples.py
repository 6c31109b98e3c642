"""The examples run, and print what they printed when they were last looked at."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden" / "examples"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PLOTS = {
    "07_throughput_plot": "throughput.png",
    "08_roofline_plot": "roofline.png",
    "10_map_of_regimes": "regimes.png",
    "11_graph_from_networkx": "graph.png",
}


def stem(path: Path) -> str:
    return path.stem


def run(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(path), str(folder)])
    runpy.run_path(str(path), run_name="__main__")


@pytest.mark.parametrize("path", EXAMPLES, ids=stem)
def test_an_example_prints_what_is_recorded(path, capsys, monkeypatch, tmp_path, update_golden):
    run(path, tmp_path, monkeypatch)
    printed = capsys.readouterr().out
    golden = GOLDEN / f"{path.stem}.txt"
    if update_golden:
        golden.write_text(printed, encoding="utf-8")
    assert printed == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("example", PLOTS)
def test_a_plot_is_written_where_it_is_asked_for(example, monkeypatch, tmp_path):
    run(ROOT / "examples" / f"{example}.py", tmp_path, monkeypatch)
    made = (tmp_path / PLOTS[example]).read_bytes()
    committed = (ROOT / "docs" / "images" / PLOTS[example]).read_bytes()
    signature, width_and_height = made[:8], made[16:24]
    assert signature == b"\x89PNG\r\n\x1a\n"
    assert width_and_height == committed[16:24]
    assert len(committed) < 150_000


def test_examples_are_short_and_numbered_without_gaps():
    numbers = [int(re.match(r"\d+", path.stem)[0]) for path in EXAMPLES]
    assert numbers == list(range(1, len(EXAMPLES) + 1))
    assert all(len(path.read_text().splitlines()) <= 40 for path in EXAMPLES)


def test_nothing_is_recorded_for_an_example_that_is_gone():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {path.stem for path in EXAMPLES}
