"""Plain factors: 2 in its many meanings, 3, 4, 8, powers of 1000 and 1024, seconds an hour."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symcost.algebra import Ratio, as_ratio
from symcost.analysis.check.case import Case, Hypothesis
from symcost.analysis.check.roles import can_be

_COMPUTE = ("flops", "intensity", "t_math", "threshold", "")
_TRAFFIC = ("bytes", "t_comms", "intensity", "threshold", "")
_FACTORS = (  # factor, kind, what it says when the claim is that much larger, and smaller
    (
        Fraction(4, 3),
        "recompute-factor",
        "counts the forward pass again, as recomputation does (8 for 6, 96 for 72)",
        "leaves out the recomputed forward pass (6 for 8, 72 for 96)",
    ),
    (
        Fraction(3),
        "training-factor",
        "counts a training step, three times the forward pass",
        "counts the forward pass only, a third of a training step",
    ),
    (
        Fraction(4),
        "sum-for-overlap",
        "adds two balanced transfers that overlap: (2x)^2 in place of x^2",
        "overlaps two balanced transfers that run one after the other",
    ),
    (
        Fraction(3, 2),
        "write-allocate",
        "counts the line that a store reads first (write-allocate): 3 transfers for 2",
        "leaves out the line that a store reads first (write-allocate): 2 transfers for 3",
    ),
    (
        Fraction(4, 3),
        "write-allocate",
        "counts the line that a store reads first (write-allocate): 4 transfers for 3",
        "leaves out the line that a store reads first (write-allocate): 3 transfers for 4",
    ),
    (
        Fraction(8),
        "bits-for-bytes",
        "is in bits: 8 of them are a byte",
        "is divided by 8 as bits are",
    ),
)
_TIMES = (
    (3600, "an hour has 3600 seconds"),
    (60, "a minute has 60 seconds"),
    (86400, "a day has 86,400 seconds"),
    (24, "a day has 24 hours"),
    (365, "a year has 365 days"),
)


def twos(case: Case) -> Iterator[Hypothesis]:
    """A factor of 2: a MAC, two directions, two bytes, two passes, or just a 2."""
    if case.ratio is None:
        return
    for factor in (Fraction(2), Fraction(1, 2)):
        value = _times(case.ratio, factor)
        if not case.explains(value):
            continue
        shown = str(factor)
        for kind, text in _meanings(case, factor):
            yield Hypothesis(kind, text, value, shown)
        more = "2 times too large" if factor == 2 else "2 times too small"
        yield Hypothesis("factor-2", f"{more}: a factor of 2 is {_lost(factor)}", value, shown)


def _lost(factor: Fraction) -> str:
    return "counted twice" if factor == 2 else "missing"


def _meanings(case: Case, factor: Fraction) -> Iterator[tuple[str, str]]:
    names = {s.name for s in case.inputs}
    timed = any(can_be(n, "bandwidth") for n in names) and not any(can_be(n, "peak") for n in names)
    if case.quantity == "rate":
        return
    comms = case.quantity == "t_comms" or (case.quantity == "" and timed)
    bytes_only = case.quantity == "bytes" or comms
    if case.quantity in _COMPUTE and not bytes_only:
        yield (
            "mac-for-flop",
            "counts multiply-adds (MACs); one is two FLOPs"
            if factor < 1
            else "counts every multiply-add twice over: FLOPs are 2 x MACs, once",
        )
    if case.quantity in _TRAFFIC or bytes_only:
        if factor < 1 and _plain_coefficient(case):
            yield "dtype-size", "counts values, not bytes: 2 bytes per value are left out"
        elif factor > 1:
            yield "dtype-size", "the 2 bytes per value are put in twice"
    if comms:
        yield (
            "all-reduce-passes",
            "an all-reduce passes the data twice (reduce-scatter, then all-gather); one is counted"
            if factor < 1
            else "one pass over the data is counted as an all-reduce, which takes two",
        )


def _plain_coefficient(case: Case) -> bool:
    """Whether the claim has no factor 2 left that could be the bytes of a value."""
    if case.claim_ratio is None or case.printed is not None:
        return True
    coefficients = [Fraction(c) for c in case.claim_ratio.num.terms.values()]
    return any(c.numerator % 2 for c in coefficients)


def known_factors(case: Case) -> Iterator[Hypothesis]:
    """Factors with a meaning: recomputation, training, overlap, write-allocate, bits."""
    if case.ratio is None:
        return
    for factor, kind, larger, smaller in _FACTORS:
        yield Hypothesis(kind, larger, _times(case.ratio, factor), str(factor))
        yield Hypothesis(kind, smaller, _times(case.ratio, 1 / factor), str(1 / factor))


def value_sizes(case: Case) -> Iterator[Hypothesis]:
    """Values counted in place of bytes, for types of four and eight bytes."""
    if case.ratio is None or case.quantity not in ("bytes", "t_comms"):
        return
    for size in (4, 8):
        text = f"counts values, not bytes: {size} bytes per value are left out"
        yield Hypothesis("dtype-size", text, _times(case.ratio, Fraction(1, size)), f"1/{size}")


def passes(case: Case) -> Iterator[Hypothesis]:
    """An all-reduce by sending and receiving, ``2(n - 1)/n``, where one pass suffices."""
    if case.ratio is None or not any(can_be(s.name, "bandwidth") for s in case.inputs):
        return
    for symbol in case.others:
        factor = as_ratio(2 * (symbol - 1) / symbol)
        text = f"an all-reduce that sends and receives, 2({symbol} - 1)/{symbol} passes, for one"
        yield Hypothesis(
            "all-reduce-passes", text, case.ratio * factor, f"2({symbol} - 1)/{symbol}"
        )


def prefixes(case: Case) -> Iterator[Hypothesis]:
    """Powers of ten and of 1024/1000, and units of time."""
    if case.ratio is None:
        return
    for power in [p for p in range(-18, 19) if p]:
        value = _times(case.ratio, Fraction(10) ** power)
        for kind, text in _power_of_ten(case, power):
            yield Hypothesis(kind, text, value, f"10^{power}")
    binary = case.printed is None or case.quantity in ("bytes", "rate")
    for power in (1, 2, 3, 4, -1, -2, -3, -4) if binary else ():
        factor = Fraction(1024, 1000) ** power
        text = (
            f"powers of 1024 in place of 1000: {float(factor):.4g} times"
            if power > 0
            else f"powers of 1000 in place of 1024: {float(factor):.4g} times"
        )
        value = _times(case.ratio, factor)
        few = case.printed is not None and case.printed.digits == 1
        if few and case.printed is not None and case.number(value) != case.printed.value:
            continue  # one digit fits too easily
        yield Hypothesis("binary-prefix", text, value, f"1.024^{power}")
    for size, fact in _TIMES:
        for factor in (Fraction(size), Fraction(1, size)):
            text = f"is {factor} times what it should be: {fact}"
            yield Hypothesis("time-unit", text, _times(case.ratio, factor), str(factor))


def _power_of_ten(case: Case, power: int) -> Iterator[tuple[str, str]]:
    size = f"10^{abs(power)} times too {'large' if power > 0 else 'small'}"
    if case.unit and power % 3 == 0:
        yield "unit-prefix", f"{size}: the digits are right, the prefix of {case.unit!r} is not"
    yield "power-of-ten", f"{size}: the exponent is off by {power:+d}"


def any_factor(case: Case) -> Iterator[Hypothesis]:
    """A constant factor without a known meaning; only for formulas, where it is exact."""
    if case.factor is None or case.printed is not None or not case.claimed.free_symbols:
        return
    text = f"a constant factor of {case.factor} too {'large' if case.factor > 1 else 'small'}"
    yield Hypothesis("constant-factor", text, None, str(case.factor))


def _times(ratio: Ratio, factor: Fraction) -> Ratio:
    return Ratio(ratio.num.scaled(factor), ratio.den)
