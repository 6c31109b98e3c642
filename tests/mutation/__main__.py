"""Puts small faults into the code, one at a time, and lists those that no test notices.

``python tests/mutation --seed 1 --count 300`` needs the packages of the tests, and ``coverage``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from mutants import Mutant, sample
from named import named
from reach import Reach, measured

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ["algebra", "analysis", "notation", "model"]
SECONDS = 20  # of processor time for one mutant
BUDGET = 8.0  # seconds that its tests take without a fault
BROKEN = 70  # the exit code where pytest itself did not run
LONGEST = 10_000  # characters of the name of a test, which holds its input
UNCHANGED = 71  # the fault is not in a function that is loaded
PLAIN = ["-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
PLAIN += ["--hypothesis-seed=1"]
HEAVY = ("hypothesis", "matplotlib.pyplot", "networkx", "numpy", "sympy", "z3")
FATES = {0: "survived", 1: "killed", UNCHANGED: "unchanged"}


class Loaded:
    """A pytest plugin: after the collection a child for each mutant puts it in and runs tests."""

    def __init__(self, mutants: Mapping[int, Mutant], reach: Reach, told: Path) -> None:
        self.mutants, self.reach, self.told = mutants, reach, told
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        fates: dict[int, str] = {}
        killers: set[str] = set()
        for number, mutant in self.mutants.items():
            tests = self.reach.tests(mutant.file, mutant.line, BUDGET)
            fates[number], killer = ended(partial(self.run, tests, mutant))
            killers.add(killer)
            print(number, fates[number], killer or mutant.told, file=sys.stderr, flush=True)
        false = [each for each in sorted(killers - {""}) if ended(partial(self.run, [each]))[1]]
        self.told.write_text(json.dumps([fates, false]))
        return True

    def run(self, tests: list[str], mutant: Mutant | None = None) -> tuple[int, str]:
        """In a child: the tests, until the first that fails."""
        from living import put  # it needs sympy

        if mutant is not None and not put(ROOT, mutant):
            return UNCHANGED, ""
        items = [self.items[test] for test in tests if test in self.items]
        for at, item in enumerate(items):
            following = items[at + 1] if at + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return 1, self.failed
        return 0, ""


class Only:
    """A pytest plugin: the chosen tests, in their order."""

    def __init__(self, tests: list[str]) -> None:
        self.order = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.order]
        items.sort(key=lambda item: self.order[item.nodeid])


class Faulty(MetaPathFinder, Loader):
    """Loads the module that has a fault; all others are loaded as they are."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.file = ROOT / mutant.file

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        inside = [str(self.file.parent)] if self.file.stem == "__init__" else None
        return spec_from_file_location(
            name, self.file, loader=self, submodule_search_locations=inside
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.mutant.source(ROOT), str(self.file), "exec"), module.__dict__)


def anew(tests: list[str], mutant: Mutant) -> tuple[int, str]:
    """In a child that has loaded nothing of ours: the tests, until the first that fails."""
    sys.meta_path.insert(0, Faulty(mutant))
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    return min(1, int(pytest.main([*PLAIN, "-x", *files], plugins=[Only(tests)]))), ""


def ended(run: Callable[[], tuple[int, str]]) -> tuple[str, str]:
    """The fate of a mutant and the test that failed, from a child with bounded time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        code, killer = BROKEN, ""
        try:
            code, killer = run()
        except BaseException:
            killer = traceback.format_exc()
        os.write(writing, killer[-LONGEST:].encode())
        os._exit(code)
    os.close(writing)
    status = _status(child)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    if os.WIFSIGNALED(status):
        return "time", ""
    assert os.WEXITSTATUS(status) in FATES, said
    return FATES[os.WEXITSTATUS(status)], said


def _status(child: int) -> int:
    """The status of a child; one that sleeps for ever is ended."""
    deadline = time.monotonic() + 10 * SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def in_loaded(mutants: Mapping[int, Mutant], reach: Reach) -> dict[int, str]:
    """What comes of each mutant in code that is loaded once."""
    with tempfile.NamedTemporaryFile() as told:
        child = os.fork()
        if child == 0:
            files = sorted({test.partition("::")[0] for test in reach.seconds})
            plugin = Loaded(mutants, reach, Path(told.name))
            os._exit(int(pytest.main([*PLAIN, "-s", *files], plugins=[plugin])))
        os.waitpid(child, 0)
        fates, false = json.loads(told.read())
    assert not false, f"these tests fail without a fault: {false}"
    return {int(number): fate for number, fate in fates.items()}


def run(mutants: Mapping[int, Mutant], reach: Reach) -> Counter[str]:
    """Try each mutant, tell the fate of each that lives, and count."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    for name in HEAVY:
        importlib.import_module(name)
    fates = in_loaded(mutants, reach)
    for number, mutant in mutants.items():
        tests = reach.tests(mutant.file, mutant.line, BUDGET)
        if not tests:
            fates[number] = "untested"
        elif fates[number] in ("survived", "unchanged"):  # what ran at the import counts, too
            fates[number] = ended(partial(anew, tests, mutant))[0]
        if fates[number] in ("survived", "untested"):
            print(f"{number} {fates[number]} {mutant.told}", flush=True)
    return Counter(fates.values())


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
