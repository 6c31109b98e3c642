"""A time over the wrong resource: FLOPs over a bandwidth, bytes over a peak, the other time."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr, Symbol

from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.evidence import channel
from symcost.checker.roles import role

KIND = "wrong-resource"


def resources(case: Case) -> Iterator[Hypothesis]:
    """What is divided, and by which rate, against what belongs there."""
    if case.whole is None or case.quantity not in ("t_math", "t_comms"):
        return
    for work, amount in _amounts(case):
        for rate in _rates(case):
            value = amount / rate
            if value == case.expected:
                continue
            word = "peak" if role(rate.name) == "peak" else "bandwidth"
            text = f"divides the {work} by {rate}, a {word}: {case.expected} is asked for"
            yield Hypothesis(KIND, text, value, f"{work}/{rate}")


def _amounts(case: Case) -> Iterator[tuple[str, Expr]]:
    yield "FLOPs", case.whole.flops()
    name = channel(case)
    if name in case.whole.channels:
        yield "bytes", case.whole.bytes(name)


def _rates(case: Case) -> list[Symbol]:
    known = {*case.inputs, *case.others}
    found = [s for s in known if role(s.name) in ("peak", "bandwidth")]
    return sorted(found, key=lambda s: s.name)
