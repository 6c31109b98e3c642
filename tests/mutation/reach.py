"""Which tests run which lines, and how long each takes: measured once, over the whole suite."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import pytest
from coverage import Coverage, CoverageData
from living import forget


@dataclass(frozen=True, slots=True)
class Reach:
    """The lines of each file with the tests that run them; of each test its seconds and breadth."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]
    breadth: dict[str, int]

    def tests(self, file: Path, line: int, budget: float) -> list[str]:
        """Tests that run a line, the quick ones first that run few other lines, up to a time."""
        slow = budget / 8
        known = self.lines.get(str(file), {})
        reaching = known.get(line) or sorted({test for tests in known.values() for test in tests})
        chosen = []
        for test in sorted(
            reaching, key=lambda test: (self.seconds[test] > slow, self.breadth[test], test)
        ):
            budget -= self.seconds[test]
            if budget < 0 and chosen:
                break
            chosen.append(test)
        return chosen


class Recorder:
    """A pytest plugin: one coverage context a test, and the seconds of those that pass."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        forget()  # else the first test that reads TiB is the only one
        self.coverage.switch_context(item.nodeid)
        started = process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = process_time() - started
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.seconds.pop(report.nodeid, None)


def measured(root: Path, kept: Path) -> Reach:
    """What was measured before in ``kept``, or a run of the whole suite."""
    if not kept.exists():
        subprocess.run([sys.executable, __file__, str(kept)], cwd=root, check=True)
    seconds: dict[str, float] = {}
    data = CoverageData(no_disk=True)
    for part in sorted(kept.glob("*.json")):
        seconds |= json.loads(part.read_text())
        more = CoverageData(str(part.with_suffix(".lines")))
        more.read()
        data.update(more)
    lines: dict[str, dict[int, list[str]]] = {}
    breadth = dict.fromkeys(seconds, 0)
    for file in data.measured_files():
        of_file = {
            line: [test for test in tests if test in seconds]
            for line, tests in data.contexts_by_lineno(file).items()
        }
        lines[str(Path(file).relative_to(root))] = of_file
        for tests in of_file.values():
            for test in tests:
                breadth[test] += 1
    return Reach(lines, seconds, breadth)


def main(kept: Path, files: list[str]) -> None:
    """Run the suite in this folder, or some of its files, and keep what was measured."""
    kept.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(Path.cwd()))
    part = kept / (Path(files[0]).stem if files else "all")
    lines = str(part.with_suffix(".lines"))
    coverage = Coverage(data_file=lines, source=["symcost"], config_file=False)
    recorder = Recorder(coverage)
    coverage.start()
    pytest.main(["-p", "no:cacheprovider", "--hypothesis-seed=1", *files], plugins=[recorder])
    coverage.stop()
    coverage.save()
    part.with_suffix(".json").write_text(json.dumps(recorder.seconds))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
