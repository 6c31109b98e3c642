"""Stale numbers: the formula is right, but the number follows from another value of an input."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, Symbol, ceiling, floor

from symcost.algebra import Ratio, as_ratio
from symcost.analysis.check.case import Case, Hypothesis
from symcost.analysis.check.rounding import rounded
from symcost.errors import SymcostError

MAX_DIGITS = 3  # of another value that is believed to have been typed

Range = tuple[Fraction, Fraction]


def stale(case: Case) -> Iterator[Hypothesis]:
    """Each input in turn: the value that it must have had, if a short number has that value."""
    if case.printed is None:
        return
    for symbol in case.inputs:
        if symbol not in case.values:
            continue
        needed = implied(case, symbol)
        if needed is None:
            continue
        short = shortest(*needed)
        if short is None or short == case.values[symbol]:
            continue
        ours = case.values[symbol]
        text = f"the number follows from {symbol} = {_shown(short)}, not {_shown(ours)}"
        yield Hypothesis("stale-number", text, None, f"{symbol} = {_shown(short)}")


def complements(case: Case) -> Iterator[Hypothesis]:
    """A share taken for the rest: ``1 - s`` in place of ``s``."""
    for symbol in case.inputs:
        value = case.values.get(symbol)
        if value is not None and 0 < value < 1:
            text = f"takes 1 - {symbol} = {_shown(1 - value)}, the other part, for {symbol}"
            yield Hypothesis("complement", text, case.substituted({symbol: 1 - symbol}), "")


def limits(case: Case) -> Iterator[Hypothesis]:
    """A number that is the limit of the formula, used where the limit is far off."""
    if case.printed is None or case.ratio is None:
        return
    from symcost.analysis.check.discover import arrow_limits

    for text, value in arrow_limits(case.ratio, case.inputs):
        said = f"is the limit for {text}, which is not reached here: the limit form is {value}"
        yield Hypothesis("limit-outside-regime", said, value, text)


def _shown(value: Fraction) -> str:
    whole = value.denominator == 1 and abs(value) < 10**6
    return str(value) if whole else f"{float(value):.6g}"


def implied(case: Case, symbol: Symbol) -> Range | None:
    """The values of one input with which the expectation prints as the claim."""
    assert case.printed is not None
    bare, low, high = _without_rounding(case)
    try:
        ratio = as_ratio(bare)
        known = {s: as_ratio(_exact(v)) for s, v in case.values.items() if s != symbol}
        ratio = ratio.substitute({s: v for s, v in known.items() if s in ratio.atoms})
    except SymcostError:
        return None
    if ratio.atoms != {symbol}:
        return None
    ends = [_solve(ratio, symbol, end) for end in (low, high)]
    if ends[0] is None or ends[1] is None:
        return None
    first, last = sorted(end for end in ends if end is not None)
    return first, last


def _exact(value: Fraction) -> Expr:
    from sympy import Rational

    return Rational(value.numerator, value.denominator)


def _without_rounding(case: Case) -> tuple[Expr, Fraction, Fraction]:
    """The expectation without a floor or ceiling around it, and the range that the claim means."""
    assert case.printed is not None
    value, step = case.printed.value, case.printed.step
    if isinstance(case.expected, floor):
        return case.expected.args[0], value, value + step - step / 1000
    if isinstance(case.expected, ceiling):
        return case.expected.args[0], value - step + step / 1000, value
    slack = step if case.printed.digits > 2 else step / 2
    return case.expected, value - slack, value + slack


def _solve(ratio: Ratio, symbol: Symbol, target: Fraction) -> Fraction | None:
    """Where a ratio of polynomials takes a value, when that is one linear or monomial equation."""
    num, den = ratio.num.coefficients(symbol), ratio.den.coefficients(symbol)
    powers = sorted({*num, *den})
    values = {
        p: (num[p].as_fraction() if p in num else Fraction(0))
        - target * (den[p].as_fraction() if p in den else Fraction(0))
        for p in powers
    }
    powers = [p for p in powers if values[p]]
    if len(powers) != 2:
        return None
    low, high = powers
    quotient = -values[low] / values[high]
    if quotient <= 0:
        return None
    exponent = Fraction(1) / Fraction(high - low)
    if exponent == 1:
        return quotient
    return Fraction(float(quotient) ** float(exponent)).limit_denominator(10**12)


def shortest(low: Fraction, high: Fraction) -> Fraction | None:
    """A number of at most three digits in a range; the one with the fewest.

    >>> shortest(Fraction(49_800_000), Fraction(50_300_000))
    Fraction(50000000, 1)
    """
    middle = (low + high) / 2
    for digits in range(1, MAX_DIGITS + 1):
        near = rounded(middle, digits)
        if low <= near <= high:
            return near
    return None
