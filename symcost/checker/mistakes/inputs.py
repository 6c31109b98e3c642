"""Wrong inputs: one search over everything that was put in, typed numbers included.

A kind says which other values inputs may have had. The search keeps those with which the right
formula gives the claim, and lists them, the plainest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any, NamedTuple

from sympy import Expr, Symbol, ceiling
from sympy import floor as floor_of

from symcost.algebra import Ratio, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.checker.case import Case
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import AGAINST, OPEN, SURE, Example, Proposal, mistake
from symcost.checker.mistakes.catalogue import figures, machines
from symcost.checker.rounding import rounded
from symcost.checker.said import Said, said
from symcost.errors import SymcostError
from symcost.notation.kinds import role
from symcost.printing.numbers import decimal
from symcost.symbols import is_dim

MAX_DIGITS = 3  # of another value that is believed to have been typed
MAX_COUNT = 10**6  # of things that are counted one by one
TOO_FAR = 1000  # times another value; nobody types that by mistake
FAR = 100  # times another value; beyond that it is unlikely
PLACES = 100  # last digits that a number must have to tell a chip
LISTED = 5  # inputs that a finding names
NEAR_SPARSE = Fraction(1, 500)
TYPED = "number"  # names of the symbols that stand for typed numbers
ROUNDED = Fraction(1, 20)  # error of an input that was rounded first

Range = tuple[Fraction, Fraction]


class Other(NamedTuple):
    """Other values of inputs, what is said of them, and how they rank, the plainest least."""

    put: Mapping[Symbol, Fraction]
    text: str
    evidence: str
    likely: float = 0
    rank: tuple[Any, ...] = ()


Others = Callable[[Case], Iterator[Other]]


def wrong_input(
    kind: str,
    says: str = "",
    *,
    specific: float = 5,
    listed: tuple[str, str] = ("", "; or "),
    needs: Callable[[Case], bool] = lambda case: case.printed is not None,
    example: Example | None = None,
) -> Callable[[Others], Others]:
    """Register which other values inputs may have had; ``listed`` stands before and between."""

    def register(others: Others) -> Others:
        def make(case: Case) -> Iterator[Proposal]:
            tried = list(others(case)) if case.is_computed else []
            fitting = sorted((o for o in tried if _gives(case, o.put)), key=lambda o: o.rank)
            if fitting:
                texts = list(dict.fromkeys(each.text for each in fitting))[:LISTED]
                text = said(listed[0] + listed[1].join(["{}"] * len(texts)), *texts)
                first = fitting[0]
                yield Proposal(None, text, first.evidence, first.likely, among=len(tried))

        mistake(kind, says, specific=specific, needs=needs, example=example)(make)
        return others

    return register


def _gives(case: Case, put: Mapping[Symbol, Fraction]) -> bool:
    """Whether the claim follows from other values of inputs."""
    if case.printed is not None:
        return case.fits_with(put)
    return case.explains(case.substituted(put))


@wrong_input(
    "stale-number",
    "the formula is right, the number follows from another input",
    specific=5.2,
    listed=("the number follows from ", "; or from "),
    example=Example("205", "C/W", "C=312e12, W=1.555e12"),
)
def stale(case: Case) -> Iterator[Other]:
    """A value that one input must have had, the most plausible of all."""
    for symbol, ours in case.typed.items():
        needed = implied(case, symbol) if ours else None
        for other in plausible(*needed, _is_count(symbol, ours)) if needed else ():
            near = other != ours and 1 / TOO_FAR <= other / ours <= TOO_FAR
            if near and _gives(case, {symbol: other}):
                yield _other(case, symbol, other, ours)
                break


def _other(case: Case, symbol: Symbol, other: Fraction, ours: Fraction) -> Other:
    """``N = 64, not 65``; a typed number stands for itself: ``64 for 65``."""
    far, digits = strangeness(other, ours)
    is_typed = symbol in case.numbers
    likely = SURE if digits <= 2 else 0
    if digits and not case.inputs:
        likely = OPEN  # a typed number that is no power of two
    evidence = said("{} for {}", decimal(other, 6), case.name(symbol))
    if not is_typed:
        evidence = _assigned(symbol, decimal(other, 6))
    text = evidence if is_typed else said("{}, not {}", evidence, decimal(ours, 6))
    rank = (far, digits, is_typed, case.name(symbol))
    return Other({symbol: other}, text, evidence, AGAINST if far else likely, rank)


def _assigned(symbol: Symbol, value: object) -> Said:
    return said("{} = {}", symbol, value)


def _is_count(symbol: Symbol, value: Fraction) -> bool:
    """Whether a symbol counts layers, devices or the like, so that it has whole values only."""
    counted = is_dim(symbol) or symbol.name.startswith(TYPED)
    return counted and value.denominator == 1 and 1 <= value < MAX_COUNT


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


def strangeness(other: Fraction, ours: Fraction) -> tuple[int, int]:
    """How unlikely another value of an input is: far away first, then of many digits."""
    far = not Fraction(1, FAR) <= other / ours <= FAR
    power = other.denominator == 1 and other.numerator.bit_count() == 1
    digits = len(str(other.numerator).rstrip("0")) if other.denominator == 1 else MAX_DIGITS + 1
    return int(far), 0 if power else digits


def short(low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Numbers of at most three digits in a range, those with the fewest first.

    >>> next(short(Fraction(49_800_000), Fraction(50_300_000)))
    Fraction(50000000, 1)
    """
    for digits in range(1, MAX_DIGITS + 1):
        near = rounded((low + high) / 2, digits)
        if low <= near <= high:
            yield near


@wrong_input("early-rounding")
def inputs_rounded(case: Case) -> Iterator[Other]:
    """An input that was rounded before it was used."""
    for symbol, value in case.typed.items():
        for digits in (3, 2, 1):
            near = rounded(value, digits) if value else value
            if near != value and abs(near / value - 1) <= ROUNDED:
                before, after = decimal(value, 6), decimal(near, 6)
                typed = symbol in case.numbers
                what = before if typed else _assigned(symbol, before)
                evidence = after if typed else _assigned(symbol, after)
                text = said("{} was rounded to {} first", what, after)
                yield Other({symbol: near}, text, str(evidence), rank=(digits, symbol.name))


@wrong_input(
    "other-dtype-peak",
    "the peak of another dtype",
    specific=6.7,
    needs=lambda case: case.chip is not None,
    example=Example(
        "B > 148",
        of="bf16[B, D] @ bf16[D, F] -> bf16[B, F]",
        quantity="threshold",
        chip="h100",
        symbol="B",
    ),
)
def other_dtypes(case: Case) -> Iterator[Other]:
    """The peak of the same chip at another dtype, or its vector unit."""
    chip, peaks = case.machine(), told.peaks(case)
    own = {case.values.get(symbol) for symbol in peaks}
    dtype = case.dtype or next((n for n, f in chip.matmul.items() if f.value in own), "")
    for unit, found in (("matmul", chip.matmul), ("vector", chip.vector)):
        for name, figure in found.items():
            if isinstance(figure.value, str) or (unit == "matmul" and name == dtype):
                continue
            value = Fraction(figure.value)
            text = (
                f"the {name} {unit} peak, {decimal(value)} FLOP/s, where {dtype or 'another'} runs"
            )
            for symbol in peaks:
                ours = case.values.get(symbol)
                is_twice = bool(ours) and abs(value / (2 * (ours or 1)) - 1) <= NEAR_SPARSE
                yield Other({symbol: value}, text, f"{name} {unit}", OPEN if is_twice else 0)


@wrong_input(
    "other-chip",
    "the figure of another chip",
    specific=7.5,
    listed=("the number follows from ", "; or "),
    example=Example("153", "C/W", "C=989e12, W=3.35e12"),
)
def other_chips(case: Case) -> Iterator[Other]:
    """Both figures of another chip, as they are or rounded; or one, of the same vendor first."""
    rates = [*told.peaks(case), *told.bandwidths(case)]
    known = [s for s in rates if case.values.get(s)]
    printed = case.printed
    is_telling = printed is not None and printed.value >= PLACES * printed.place
    if len(known) == len(rates) == 2 and is_telling:
        yield from _whole_machines(case, rates)
    for symbol in known:
        own, word = case.values[symbol], role(symbol.name)
        vendors = {f.vendor for f in figures(word) if f.value == own}
        for figure in figures(word):
            if abs(figure.value / own - 1) >= NEAR_SPARSE:
                what = f"the {figure.name} {word} of {figure.title}"
                assigned = _assigned(symbol, decimal(figure.value))
                is_other = figure.vendor not in vendors
                likely, rank = OPEN if is_other else 0, (1, is_other, what)
                yield Other({symbol: figure.value}, what, assigned, likely, rank)


def _whole_machines(case: Case, rates: list[Symbol]) -> Iterator[Other]:
    """The chips with both figures, those first of which nothing was rounded."""
    ours = [case.values[s] for s in rates]
    dtypes = [case.dtype] if case.dtype else [f.name for f, _ in machines() if f.value == ours[0]]
    for place, digits in enumerate(product((None, 2), repeat=2)):
        for peak, memory in machines():
            pair = (peak.value, memory)
            if peak.name not in dtypes or any(a == b for a, b in zip(pair, ours, strict=True)):
                continue
            near = [v if n is None else rounded(v, n) for v, n in zip(pair, digits, strict=True)]
            shown = (peak.name, *map(decimal, near), peak.title)
            text = said("the {} peak {} and the bandwidth {} of {}", *shown)
            put = dict(zip(rates, near, strict=True))
            yield Other(put, text, peak.title, SURE, (0, place))


def implied(case: Case, symbol: Symbol) -> Range | None:
    """The values of one input with which the expectation prints as the claim."""
    bare, low, high = _without_rounding(case)
    try:
        ratio = as_ratio(bare)
        known = {s: as_ratio(to_rational(v)) for s, v in case.typed.items() if s != symbol}
        ratio = ratio.substitute({s: v for s, v in known.items() if s in ratio.atoms})
    except SymcostError:
        return None
    if ratio.atoms != {symbol}:
        return None
    ends = [end for end in (_solve(ratio, symbol, t) for t in (low, high)) if end is not None]
    return (min(ends), max(ends)) if len(ends) == 2 else None


def _without_rounding(case: Case) -> tuple[Expr, Fraction, Fraction]:
    """The expectation without a floor or ceiling around it, and the range that the claim means."""
    assert case.printed is not None
    whole = case.formula
    value, step = case.printed.value, case.printed.step
    if isinstance(whole, floor_of):
        return whole.args[0], value, value + step - step / 1000
    if isinstance(whole, ceiling):
        return whole.args[0], value - step + step / 1000, value
    slack = step if case.printed.digits > 2 else step / 2
    return whole, value - slack, value + slack


def _solve(ratio: Ratio, symbol: Symbol, target: Fraction) -> Fraction | None:
    """Where a ratio of polynomials takes a value, when that is one linear or monomial equation."""
    num, den = ratio.num.coefficients(symbol), ratio.den.coefficients(symbol)
    gaps: dict[Any, Fraction] = {}
    for parts, scale in ((num, Fraction(1)), (den, -target)):
        for power, part in parts.items():
            gaps[power] = gaps.get(power, Fraction(0)) + scale * part.as_fraction()
    powers = sorted(p for p, value in gaps.items() if value)
    if len(powers) != 2:
        return None
    low, high = powers
    quotient = -gaps[low] / gaps[high]
    if quotient <= 0:
        return None
    exponent = Fraction(1) / Fraction(high - low)
    if exponent == 1:
        return quotient
    return Fraction(float(quotient) ** float(exponent)).limit_denominator(10**12)
