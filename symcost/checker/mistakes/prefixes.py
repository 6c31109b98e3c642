"""Powers of ten and of 1024/1000, and units of time."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symcost.checker.case import Case, Hypothesis
from symcost.checker.mistakes.evidence import is_ridge
from symcost.checker.mistakes.factors import times

_TIMES = (
    (3600, "an hour has 3600 seconds"),
    (60, "a minute has 60 seconds"),
    (86400, "a day has 86,400 seconds"),
    (24, "a day has 24 hours"),
    (365, "a year has 365 days"),
)


def tens(case: Case) -> Iterator[Hypothesis]:
    """A wrong prefix of a unit, or a wrong exponent of ten."""
    if case.ratio is None:
        return
    for power in [p for p in range(-18, 19) if p]:
        value = times(case.ratio, Fraction(10) ** power)
        for kind, text in _power_of_ten(case, power):
            yield Hypothesis(kind, text, value, f"10^{power}")


def _power_of_ten(case: Case, power: int) -> Iterator[tuple[str, str]]:
    size = f"10^{abs(power)} times too {'large' if power > 0 else 'small'}"
    if case.unit and power % 3 == 0:
        yield "unit-prefix", f"{size}: the digits are right, the prefix of {case.unit!r} is not"
    yield "power-of-ten", f"{size}: the exponent is off by {power:+d}"


def binary(case: Case) -> Iterator[Hypothesis]:
    """Powers of 1024 in place of powers of 1000, or the reverse."""
    if case.ratio is None or not (case.printed is None or case.quantity in ("bytes", "rate")):
        return
    for power in (1, 2, 3, 4, -1, -2, -3, -4):
        factor = Fraction(1024, 1000) ** power
        used, right = (1024, 1000) if power > 0 else (1000, 1024)
        text = f"powers of {used} in place of {right}: {float(factor):.4g} times"
        value = times(case.ratio, factor)
        few = case.printed is not None and case.printed.digits == 1
        if few and case.printed is not None and case.number(value) != case.printed.value:
            continue  # one digit fits too easily
        yield Hypothesis("binary-prefix", text, value, f"1.024^{power}")


def time_units(case: Case) -> Iterator[Hypothesis]:
    """Seconds for hours, hours for days."""
    if case.ratio is None or case.quantity in ("threshold", "intensity", "bytes"):
        return
    if is_ridge(case) and case.quantity != "rate":
        return
    for size, fact in _TIMES:
        for factor in (Fraction(size), Fraction(1, size)):
            text = f"is {factor} times what it should be: {fact}"
            yield Hypothesis("time-unit", text, times(case.ratio, factor), str(factor))
