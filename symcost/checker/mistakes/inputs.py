"""Wrong inputs: one search over everything that was put in, typed numbers included.

Every value of one input with which the right formula prints as the claim is looked at: the
peak of another dtype, the figure of another chip, the input rounded, a short number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

from sympy import Expr, Symbol, ceiling
from sympy import floor as floor_of

from symcost.algebra import Ratio, as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.checker.case import Case
from symcost.checker.discover import arrow_limits
from symcost.checker.mistakes import evidence as told
from symcost.checker.mistakes.base import AGAINST, OPEN, SURE, Example, Proposal, mistake
from symcost.checker.mistakes.catalogue import figures, is_known_memory, machines, vendor_of
from symcost.checker.rounding import agrees, rounded
from symcost.errors import SymcostError
from symcost.hardware.model import Chip
from symcost.notation.kinds import role
from symcost.printing.numbers import decimal
from symcost.symbols import is_dim

MAX_DIGITS = 3  # of another value that is believed to have been typed
MAX_COUNT = 10**6  # of things that are counted one by one
TOO_FAR = 1000  # times another value; nobody types that by mistake
FAR = 100  # times another value; beyond that it is unlikely
PLACES = 100  # last digits that a number must have to tell a chip
TELLING = 3  # digits from which on a number is told from others
LISTED = 5  # inputs that a finding names
NEAR_SPARSE = Fraction(1, 500)
TYPED = "number"  # names of the symbols that stand for typed numbers
ROUNDED = Fraction(1, 20)  # error of an input that was rounded first

Range = tuple[Fraction, Fraction]


def _number(case: Case) -> bool:
    return case.printed is not None


@mistake(
    "stale-number",
    "the formula is right, the number follows from another input",
    specific=4.6,
    needs=_number,
    example=Example("205", "C/W", "C=312e12, W=1.555e12"),
)
def stale(case: Case) -> Iterator[Proposal]:
    """The values that one input each must have had, the most plausible first."""
    found = []
    for symbol, ours in case.typed.items() if case.is_computed else ():
        needed = implied(case, symbol)
        if needed is None or not ours:
            continue
        others = plausible(*needed, _is_count(symbol, ours))
        near = (o for o in others if o != ours and 1 / TOO_FAR <= o / ours <= TOO_FAR)
        other = next((o for o in near if _gives(case, symbol, o)), None)
        if other is not None:
            rank = (*strangeness(other, ours), symbol in case.numbers, case.name(symbol))
            found.append((rank, other, ours))
    if found:
        found.sort()
        texts = list(dict.fromkeys(_told(rank[-1], other, ours) for rank, other, ours in found))
        text = f"the number follows from {'; or from '.join(texts[:LISTED])}"
        (far, digits, _, name), other, _ = found[0]
        likely = SURE if digits <= 2 else 0
        if digits and not case.inputs:
            likely = OPEN  # a typed number that is no power of two
        if far:
            likely = AGAINST
        yield Proposal(None, text, _assigned(name, other), likely)


def _told(name: str, other: Fraction, ours: Fraction) -> str:
    typed = name[0].isdigit()
    return _assigned(name, other) + ("" if typed else f", not {_shown(ours)}")


def _assigned(name: str, value: Fraction) -> str:
    """``N = 64``; a typed number stands for itself: ``64 for 65``."""
    return f"{_shown(value)} for {name}" if name[0].isdigit() else f"{name} = {_shown(value)}"


def _gives(case: Case, symbol: Symbol, value: Fraction) -> bool:
    """Whether the claimed digits follow from another value of an input."""
    return case.fits_with({symbol: value})


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


@mistake("early-rounding", needs=_number)
def inputs_rounded(case: Case) -> Iterator[Proposal]:
    """An input that was rounded before it was used."""
    for symbol, value in case.typed.items():
        for digits in (1, 2, 3):
            near = rounded(value, digits) if value else value
            if near == value or abs(near / value - 1) > ROUNDED:
                continue
            if case.fits_with({symbol: near}):
                equals = "" if symbol in case.numbers else f"{symbol} = "
                text = f"{equals}{decimal(value, 6)} was rounded to {decimal(near, 6)} first"
                yield Proposal(None, text, f"{equals}{decimal(near, 6)}")
                break


def _has_chip(case: Case) -> bool:
    return case.chip is not None


@mistake(
    "other-dtype-peak",
    "the peak of another dtype",
    specific=6.7,
    needs=_has_chip,
    example=Example(
        "B > 148",
        of="bf16[B, D] @ bf16[D, F] -> bf16[B, F]",
        quantity="threshold",
        chip="h100",
        symbol="B",
    ),
)
def other_dtypes(case: Case) -> Iterator[Proposal]:
    """The peak of the same chip at another dtype, or its vector unit."""
    dtype = case.dtype or _dtype_in_use(case)
    for unit in ("matmul", "vector"):
        for name, figure in getattr(case.machine(), unit).items():
            if isinstance(figure.value, str) or (unit == "matmul" and name == dtype):
                continue
            value = Fraction(figure.value)
            for symbol in told.peaks(case):
                runs = f"where {dtype or 'another'} runs"
                text = f"the {name} {unit} peak, {decimal(value)} FLOP/s, {runs}"
                ours = case.values.get(symbol)
                twice = bool(ours) and ours is not None and abs(value / ours / 2 - 1) <= NEAR_SPARSE
                changed = case.substituted({symbol: value})
                yield Proposal(changed, text, f"{name} {unit}", OPEN if twice else 0)


def _dtype_in_use(case: Case) -> str:
    """The dtype whose peak on this chip is the value of the case's peak."""
    values = {case.values.get(symbol) for symbol in told.peaks(case)}
    return next((n for n, figure in case.machine().matmul.items() if figure.value in values), "")


@mistake(
    "other-chip",
    "the figure of another chip",
    specific=5.1,
    needs=_number,
    example=Example("153", "C/W", "C=989e12, W=3.35e12"),
)
def other_chips(case: Case) -> Iterator[Proposal]:
    """Both figures of another chip, as they are or rounded; or one, of the same vendor first."""
    rates = [*told.peaks(case), *told.bandwidths(case)]
    machine = next(_whole_machines(case, rates), None)
    if machine is not None:
        yield Proposal(None, *machine, SURE)
        return
    for symbol in rates:
        needed, own = implied(case, symbol), case.values.get(symbol)
        if needed is None or not own:
            continue
        vendors = vendor_of(own, role(symbol.name))
        fitting = [
            (vendor_of(title).isdisjoint(vendors), f"the {what} of {title}", figure)
            for title, what, figure in figures(role(symbol.name))
            if needed[0] <= figure <= needed[1] and abs(figure / own - 1) >= NEAR_SPARSE
        ]
        if fitting:
            names = "; or ".join(name for _, name, _ in sorted(fitting)[:LISTED])
            is_other, _, figure = min(fitting)
            text = f"{symbol} = {decimal(figure)} is {names}"
            yield Proposal(None, text, f"{symbol} = {float(figure):.4g}", OPEN if is_other else 0)


def _whole_machines(case: Case, rates: list[Symbol]) -> Iterator[tuple[str, str]]:
    """The chips of which both figures give the claim, those first that nothing was rounded of."""
    printed, value = case.printed, case.number(case.expected)
    if (
        printed is None
        or value is None
        or len(rates) != 2
        or printed.value < PLACES * printed.place
    ):
        return
    ours = [case.values[s] for s in rates]
    dtypes = [case.dtype] if case.dtype else [each[1] for each in machines() if each[2] == ours[0]]
    for digits in product((None, 2), repeat=2):
        for title, dtype, *pair in machines():
            near = [v if n is None else rounded(v, n) for v, n in zip(pair, digits, strict=True)]
            if dtype not in dtypes or any(a == b for a, b in zip(pair, ours, strict=True)):
                continue
            other = case.number(case.substituted(dict(zip(rates, near, strict=True))))
            if other is not None and abs(other - printed.value) <= printed.place:
                peak, bandwidth = map(decimal, near)
                yield f"the {dtype} peak {peak} and the bandwidth {bandwidth} are {title}'s", title


def _typed(kind: str, figures_of: Callable[[Chip], Mapping[str, Any]], said: str) -> None:
    """Register a number typed in the claim that is twice a figure of the chip."""

    @mistake(kind, needs=lambda case: _has_chip(case) and bool(case.literals))
    def make(case: Case) -> Iterator[Proposal]:
        for name, figure in figures_of(case.machine()).items():
            if isinstance(figure.value, str) or is_known_memory(Fraction(figure.value)):
                continue
            for number in case.literals:
                is_rate = number.digits >= TELLING or kind == "both-directions"
                if is_rate and number.value >= 10**9 and agrees(number, 2 * Fraction(figure.value)):
                    shown = f"{float(number.value):.4g} is {said.format(name)}"
                    yield Proposal(None, shown, "2")


_typed("sparse-for-dense-peak", lambda chip: chip.matmul, "twice the dense {} peak")
_typed("both-directions", lambda chip: chip.channels, "both directions of {}")


@mistake(
    "limit-outside-regime",
    "the limit form used where the limit is far off",
    specific=7.6,
    needs=_number,
    example=Example("B > 295", "B > 295*D/(D - 295)", "D=512", symbol="B"),
)
def limits(case: Case) -> Iterator[Proposal]:
    """A number that is the limit of the formula, used where the limit is far off."""
    for text, value in arrow_limits(case.ratio, case.inputs) if case.ratio is not None else ():
        said = f"is the limit for {text}, which is not reached here: the limit form is {value}"
        yield Proposal(value, said, text)


def _shown(value: Fraction) -> str:
    whole = value.denominator == 1 and abs(value) < 10**6
    return str(value) if whole else f"{float(value):.6g}"


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
