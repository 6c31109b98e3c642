"""Puts small faults into the code, one at a time, and lists those that no test notices.

``python tests/mutation --seed 1 --count 300`` needs the packages of the tests, and ``coverage``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import pytest
from mutants import Mutant, sample
from named import named
from reach import Reach, measured

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ["algebra", "analysis", "notation", "model"]
SECONDS = 20  # of processor time for one mutant
BUDGET = 8.0  # seconds that its tests take without a fault
BROKEN = 70  # the exit code where pytest itself did not run
PLAIN = ["-x", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
HEAVY = ("hypothesis", "matplotlib.pyplot", "networkx", "numpy", "sympy", "z3")


class Only:
    """A pytest plugin: the chosen tests, in their order; the first that fails is written down."""

    def __init__(self, tests: list[str], failed: Path) -> None:
        self.order = {test: place for place, test in enumerate(tests)}
        self.failed = failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.write_text(report.nodeid)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.order]
        items.sort(key=lambda item: self.order[item.nodeid])


def fate(copy: Path, mutant: Mutant, tests: list[str]) -> str:
    """``killed``, ``time`` (a loop without an end), ``survived`` or ``untested``."""
    changed = copy / mutant.file
    kept = changed.read_text()
    changed.write_text(mutant.source(ROOT))
    try:
        return outcome(copy, tests) if tests else "untested"
    finally:
        changed.write_text(kept)


def outcome(copy: Path, tests: list[str]) -> str:
    """What comes of some tests in the copy as it is."""
    child = os.fork()
    if child == 0:
        _run(copy, tests)
    status = _ended(child)
    if os.WIFSIGNALED(status):
        return "time"
    assert os.WEXITSTATUS(status) != BROKEN, (copy / "output.txt").read_text()
    return "killed" if os.WEXITSTATUS(status) else "survived"


def _run(copy: Path, tests: list[str]) -> None:
    """In the child: the tests against the copy, until the first that fails."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    silent = os.open(copy / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    code = BROKEN
    try:
        plugin = Only(tests, copy / "failed.txt")
        code = int(pytest.main([*PLAIN, "--hypothesis-seed=1", *files], plugins=[plugin]))
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _ended(child: int) -> int:
    """The status of a child; one that sleeps for ever is ended."""
    deadline = time.monotonic() + 10 * SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def copied(folder: Path) -> Path:
    """A throwaway copy of what the tests need."""
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "dist", "*.egg-info")
    return Path(shutil.copytree(ROOT, folder / "copy", ignore=left_out))


def run(mutants: dict[int, Mutant], reach: Reach) -> Counter[str]:
    """Try each mutant, tell the fate of each that lives, and count."""
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for name in HEAVY:
        importlib.import_module(name)
    fates: Counter[str] = Counter()
    killers: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        failed = copy / "failed.txt"
        os.environ["PYTHONPATH"] = str(copy)
        for number, mutant in mutants.items():
            failed.write_text("")
            told = fate(copy, mutant, reach.tests(mutant.file, mutant.line, BUDGET))
            fates[told] += 1
            killers.add(failed.read_text())
            if told in ("survived", "untested"):
                print(f"{number} {told} {mutant.told}", flush=True)
        false = [test for test in killers - {""} if outcome(copy, [test]) != "survived"]
        assert not false, f"these tests fail without a fault: {false}"
    return fates


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--count", type=int, default=300, help="how many mutants")
    parser.add_argument("--numbers", type=int, nargs="+", help="only these of the sample")
    parser.add_argument("--rooms", nargs="+", default=ROOMS, help="folders of symcost")
    parser.add_argument(
        "--reach",
        type=Path,
        default=Path(tempfile.gettempdir()) / "symcost-reach",
        help="where it is kept which tests run which lines (delete it when the code has changed)",
    )
    parser.add_argument("--named", action="store_true", help="those that lived once, instead")
    asked = parser.parse_args()
    mutants = named(ROOT) if asked.named else sample(ROOT, asked.rooms, asked.seed, asked.count)
    numbered = dict(enumerate(mutants, 1))
    chosen = {number: numbered[number] for number in asked.numbers or numbered}
    fates = run(chosen, measured(ROOT, asked.reach))
    total = sum(fates.values())
    noticed = fates["killed"] + fates["time"]
    which = "named" if asked.named else f"seed {asked.seed}"
    print(f"{which}: {noticed} of {total} noticed; {dict(fates)}")


if __name__ == "__main__":
    main()
