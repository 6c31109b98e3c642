"""Stale numbers: the formula is right, but the number follows from another value of an input."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from sympy import Add, Expr, Symbol, ceiling
from sympy import floor as floor_of

from symcost.algebra import Ratio, as_ratio
from symcost.checker.case import Case, Hypothesis
from symcost.checker.rounding import rounded
from symcost.errors import SymcostError
from symcost.symbols import is_dim

MAX_DIGITS = 3  # of another value that is believed to have been typed
MAX_COUNT = 10**6  # of things that are counted one by one
TOO_FAR = 1000  # times another value; nobody types that by mistake
FAR = 100  # times another value; beyond that it is unlikely

Range = tuple[Fraction, Fraction]


def stale(case: Case) -> Iterator[Hypothesis]:
    """The most plausible value that one of the inputs must have had."""
    if case.printed is None:
        return
    found = []
    for symbol in case.inputs:
        ours = case.values.get(symbol)
        needed = implied(case, symbol) if ours is not None else None
        if ours is None or needed is None:
            continue
        others = plausible(*needed, _is_count(symbol, ours))
        near = (o for o in others if o != ours and max(o / ours, ours / o) <= TOO_FAR)
        other = next((o for o in near if _gives(case, symbol, o)), None)
        if other is not None:
            found.append((_strangeness(other, ours), symbol.name, other, ours))
    if found:
        _, name, other, ours = min(found)
        text = f"the number follows from {name} = {_shown(other)}, not {_shown(ours)}"
        yield Hypothesis("stale-number", text, None, f"{name} = {_shown(other)}")


def _gives(case: Case, symbol: Symbol, value: Fraction) -> bool:
    """Whether the claimed digits follow from another value of an input."""
    return replace(case, values={**case.values, symbol: value}).explains(case.expected)


def _is_count(symbol: Symbol, value: Fraction) -> bool:
    """Whether a symbol counts layers, devices or the like, so that it has whole values only."""
    return is_dim(symbol) and value.denominator == 1 and 1 <= value < MAX_COUNT


def plausible(low: Fraction, high: Fraction, is_count: bool) -> Iterator[Fraction]:
    """The values in a range that somebody may have typed: a power of two, short numbers.

    >>> [str(n) for n in plausible(Fraction(29), Fraction(33), True)]
    ['32', '30', '31', '31', '29']
    """
    if not is_count:
        yield from short(low, high)
        return
    first, last = ceil(max(low, Fraction(1))), floor(high)
    if first > last:
        return
    power = Fraction(1 << (int(last).bit_length() - 1))
    if power >= first:
        yield power
    yield from (n for n in short(low, high) if n.denominator == 1)
    yield Fraction(int(first))


def _strangeness(other: Fraction, ours: Fraction) -> tuple[int, int]:
    """How unlikely another value of an input is: far away first, then of many digits."""
    far = not Fraction(1, FAR) <= other / ours <= FAR
    power = other.denominator == 1 and other.numerator.bit_count() == 1
    digits = len(str(other.numerator).rstrip("0")) if other.denominator == 1 else MAX_DIGITS + 1
    return int(far), 0 if power else digits


def complements(case: Case) -> Iterator[Hypothesis]:
    """A share taken for the rest: ``1 - s`` in place of ``s``."""
    for symbol in case.inputs:
        value = case.values.get(symbol)
        if (value is not None and 0 < value < 1) or (value is None and _is_share(case, symbol)):
            shown = f" = {_shown(1 - value)}" if value is not None else ""
            text = f"takes 1 - {symbol}{shown}, the other part, for {symbol}"
            yield Hypothesis("complement", text, case.substituted({symbol: 1 - symbol}), "")


def _is_share(case: Case, symbol: Symbol) -> bool:
    """Whether the rest of a symbol, ``1 - p``, is part of the formula."""
    return any(_is_rest(each, symbol) for each in case.expected.atoms(Add))


def _is_rest(value: Expr, symbol: Symbol) -> bool:
    return {1, -symbol} <= set(value.args)


def limits(case: Case) -> Iterator[Hypothesis]:
    """A number that is the limit of the formula, used where the limit is far off."""
    if case.printed is None or case.ratio is None:
        return
    from symcost.checker.discover import arrow_limits

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
    if isinstance(case.expected, floor_of):
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


def short(low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Numbers of at most three digits in a range, those with the fewest first.

    >>> next(short(Fraction(49_800_000), Fraction(50_300_000)))
    Fraction(50000000, 1)
    """
    middle = (low + high) / 2
    for digits in range(1, MAX_DIGITS + 1):
        near = rounded(middle, digits)
        if low <= near <= high:
            yield near
