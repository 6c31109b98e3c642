"""Measuring: two things that take turns, peak memory, growth, and the table of ratios.

The machine may be busy, so a ratio is the median over rounds in which both take their turn.
"""

from __future__ import annotations

import gc
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sympy.core.cache import clear_cache

ROOT = Path(__file__).resolve().parents[2]
SHORTEST = 0.02  # seconds; what is quicker is repeated within a round


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: what, how much, and the most that it may be (``inf``: for information)."""

    what: str
    measured: float
    bound: float = math.inf

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.bound == math.inf or self.measured <= self.bound


def ratio(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int = 9, warm: bool = True
) -> float:
    """The time of one function over that of another, in one process: the median over rounds."""
    if warm:
        ours(), theirs()
    repeats = [_repeats(run) for run in (ours, theirs)]
    quotients = []
    for _ in range(rounds):
        first = _seconds(ours, repeats[0])
        quotients.append(first / _seconds(theirs, repeats[1]))
    return statistics.median(quotients)


def seconds(run: Callable[[], object], rounds: int = 5) -> float:
    """The median time of one call."""
    return statistics.median(_seconds(run, 1) for _ in range(rounds))


def cold(run: Callable[[], object]) -> Callable[[], object]:
    """The same, with nothing remembered by sympy from the call before."""

    def start() -> object:
        clear_cache()
        return run()

    return start


def _repeats(run: Callable[[], object]) -> int:
    return max(1, math.ceil(SHORTEST / max(_seconds(run, 1), 1e-6)))


def _seconds(run: Callable[[], object], repeats: int) -> float:
    gc.collect()
    start = time.process_time()  # of this process only: other work on the machine is left out
    for _ in range(repeats):
        run()
    return (time.process_time() - start) / repeats


def process_ratio(ours: Sequence[str], theirs: Sequence[str], rounds: int = 11) -> float:
    """The wall time of one command over that of another, as whole processes that take turns."""
    _wall(ours), _wall(theirs)  # bytecode is compiled, files are in memory
    return statistics.median(_wall(ours) / _wall(theirs) for _ in range(rounds))


def _wall(arguments: Sequence[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=_environment(), **_SILENT)
    return time.perf_counter() - start


_SILENT = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}


@cache
def _environment() -> dict[str, str]:
    """Bytecode is compiled once, as an installer does, into a directory of our own."""
    values = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**values, "PYTHONPYCACHEPREFIX": _bytecode().name}


@cache
def _bytecode() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="symcost-benchmarks-")


def growth(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The exponent with which time grows between the two largest sizes."""
    return math.log(times[-1] / times[-2]) / math.log(sizes[-1] / sizes[-2])


def peak_bytes(run: Callable[[], object]) -> int:
    """The most memory that is held at one time while the function runs."""
    return _traced(run)[1]


def held_bytes(run: Callable[[], object]) -> int:
    """The memory that is still held afterwards, for as long as the result lives."""
    return _traced(run)[0]


def _traced(run: Callable[[], object]) -> tuple[int, int]:
    gc.collect()
    tracemalloc.start()
    result = run()
    gc.collect()
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return held, peak


def show(rows: Iterable[Row]) -> bool:
    """Print each row as soon as it is measured; whether every bound holds."""
    print(f"{'':<70} {'measured':>9} {'at most':>8}")
    good = True
    for row in rows:
        bound = (
            "" if row.bound == math.inf else f"{row.bound:8.3g}  {'ok' if row.holds else 'OVER'}"
        )
        print(f"{row.what:<70} {row.measured:9.3f} {bound}".rstrip(), flush=True)
        good &= row.holds
    return good
