"""Every threshold that a test produces is proved when the test ends; a refuted one fails it.

Thresholds are recorded where they are made, whoever makes them. Each distinct one is proved
once in a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import pytest

from symcost.analysis.proof.proof import Proof
from symcost.analysis.proving import prove
from symcost.analysis.thresholds.threshold import Threshold

TIMEOUT = 5.0  # seconds for one threshold

made: dict[Any, Threshold] = {}
known: set[Any] = set()
counts: Counter[str] = Counter()
paused: list[bool] = []
_make = Threshold.__init__


def _recording(self: Threshold, *args: Any, **named: Any) -> None:
    _make(self, *args, **named)
    if not paused:
        key = _key(self)
        if key not in known:
            made[key] = self


def _key(rule: Threshold) -> Any:
    facts = rule.facts
    bounds = (tuple(facts.lower.items()), tuple(facts.upper.items()))
    return (rule.symbol, rule.lhs, rule.op, rule.rhs, rule.cases, bounds, facts.known)


Threshold.__init__ = _recording  # type: ignore[method-assign]


@contextmanager
def not_proved() -> Iterator[None]:
    """Thresholds that are made wrong on purpose are not recorded."""
    paused.append(True)
    try:
        yield
    finally:
        paused.pop()


def prove_made() -> list[Proof]:
    """Prove what was made since the last call; return what was refuted."""
    refuted = []
    started = perf_counter()
    while made:
        key, rule = made.popitem()
        known.add(key)
        proof = prove(rule, TIMEOUT)
        counts[f"{proof.status} by {proof.method}"] += 1
        if proof.status == "refuted":
            refuted.append(proof)
    counts["seconds"] += perf_counter() - started  # type: ignore[assignment]
    return refuted


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Prove after the test's own assertions have passed."""
    made.clear()
    result = yield
    if find_spec("z3") is not None:
        refuted = prove_made()
        if refuted:
            pytest.fail("\n".join(map(str, refuted)), pytrace=False)
    return result


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """How many thresholds were proved, by what, and in which time."""
    if counts:
        seconds = counts.pop("seconds")
        listed = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
        terminalreporter.write_line(f"thresholds: {listed} ({seconds:.1f} s)")
