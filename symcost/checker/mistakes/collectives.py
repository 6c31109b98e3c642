"""Passes over a network: an all-reduce takes two, a gather or a reduce-scatter one."""

from __future__ import annotations

from collections.abc import Iterator

from symcost.algebra import as_ratio
from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.evidence import (
    SURE,
    bandwidths,
    channel,
    has_ring_factor,
    is_collective,
)
from symcost.checker.mistakes.evidence import doubt as doubt_of
from symcost.checker.mistakes.factors import TWICE, times

KIND = "all-reduce-passes"
ONE = "an all-reduce passes the data twice (reduce-scatter, then all-gather); one is counted"
TWO = "one pass over the data is counted as an all-reduce, which takes two"


def passes(case: Case) -> Iterator[Hypothesis]:
    """One pass counted for two, or two for one."""
    known = is_collective(case)
    if case.ratio is None or known is False:
        return
    sure = has_ring_factor(case) and not channel(case)
    doubt = SURE if sure else doubt_of(known)
    for factor in TWICE:
        value = times(case.ratio, factor)
        yield Hypothesis(KIND, ONE if factor < 1 else TWO, value, str(factor), doubt=doubt)
    yield from _beside_others(case, doubt)


def _beside_others(case: Case, doubt: int) -> Iterator[Hypothesis]:
    """What is divided by one bandwidth, beside latencies or a time of computation."""
    for symbol in bandwidths(case):
        for factor in TWICE:
            value = case.substituted({symbol: symbol / factor})
            text = f"{ONE if factor < 1 else TWO}, in what is divided by {symbol}"
            yield Hypothesis(KIND, text, value, str(factor), doubt=doubt)


def whole_all_reduce(case: Case) -> Iterator[Hypothesis]:
    """An all-reduce by sending and receiving, ``2(n - 1)/n``, where one pass suffices."""
    if case.ratio is None or not bandwidths(case):
        return
    for symbol in case.others:
        factor = as_ratio(2 * (symbol - 1) / symbol)
        text = f"an all-reduce that sends and receives, 2({symbol} - 1)/{symbol} passes, for one"
        yield Hypothesis(KIND, text, case.ratio * factor, f"2({symbol} - 1)/{symbol}")
