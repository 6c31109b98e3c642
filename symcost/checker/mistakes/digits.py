"""Digits: cut or rounded twice, mistyped, an intermediate result rounded; the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from math import floor, log10
from typing import TypeAlias

from sympy import Expr, Mul

from symcost.algebra.posynomial import to_rational
from symcost.checker.case import Case
from symcost.checker.mistakes.base import TOLD, Example, Proposal, mistake
from symcost.checker.rounding import agrees, is_representable, rounded
from symcost.printing.numbers import decimal
from symcost.symbols import is_dim

MAX_ROUNDINGS = 400  # combinations of rounded intermediate results that are tried
FAR = Fraction(1, 8)  # of the value; no rounding moves it further
MAX_PARTS = 8  # of a formula that may have been rounded


def _number(case: Case) -> bool:
    return case.printed is not None and case.number(case.expected) is not None


@mistake(
    "truncated-digit",
    "a digit was cut more than once",
    specific=6.6,
    needs=_number,
    example=Example("1.3 ms", "t", "t=1.46e-3"),
)
def cut_twice(case: Case) -> Iterator[Proposal]:
    """A last digit that is one too small although the first cut was right, or one too large."""
    value = case.number(case.expected)
    assert case.printed is not None
    assert value is not None
    if case.printed.digits < 2 or is_representable(case.printed, value):
        return
    gap = value - case.printed.value
    if 0 < abs(gap) < min(2 * case.printed.step, abs(value) * FAR):
        down = "down" if gap > 0 else "up"
        shown = decimal(value / case.unit_size)
        text = f"rounded {down} more than once: the value is {shown}{_unit(case)}"
        yield Proposal(None, text, f"{float(value / case.unit_size):.6g}")


@mistake(
    "early-rounding",
    "an intermediate result was rounded",
    specific=5.2,
    needs=_number,
    example=Example("1.2e6", "1234*1044"),
)
def early(case: Case) -> Iterator[Proposal]:
    """Which rounded intermediate results reproduce the printed digits."""
    assert case.printed is not None
    whole = case.formula
    steps = [(part, [None, *_roundings(case, part)]) for part in _intermediate(whole)[:MAX_PARTS]]
    for chosen in islice(product(*(choices for _, choices in steps)), MAX_ROUNDINGS):
        used = [(part, each) for (part, _), each in zip(steps, chosen, strict=True) if each]
        value = case.with_literals(_replaced(whole, {part: new for part, (new, _, _) in used}))
        if used and value is not None and agrees(case.printed, value, bare=False):
            told = (f"{decimal(a, 6)} rounded to {decimal(b, 6)}" for _, (_, a, b) in used)
            shown = ", ".join(told)
            yield Proposal(None, f"an intermediate result: {shown}", shown)
            return


Rounded: TypeAlias = tuple[Expr, Fraction, Fraction]  # what stands for a part; before and after


def _intermediate(whole: Expr) -> list[Expr]:
    """What is computed on the way: sums, their terms, and what stands above the line."""
    factors = Mul.make_args(whole)
    sums = [base for f in factors if (base := f.as_base_exp()[0]).is_Add]
    found = [*(term for each in sums for term in each.args if term.args), *sums]
    top = Mul(*(f for f in factors if not f.as_base_exp()[1].is_negative))
    if len(factors) > 1 and top.args and top != whole:
        found.append(top)
    return list(dict.fromkeys(found))


def _replaced(whole: Expr, swap: dict[Expr, Expr]) -> Expr:
    """The formula with parts put in; what stands above the line is a part, too."""
    for part, new in swap.items():
        changed = whole.xreplace({part: new})
        whole = changed if changed != whole else whole / part * new
    return whole


def _roundings(case: Case, part: Expr) -> Iterator[Rounded]:
    """A part, or the product of the sizes in it, rounded or cut to two or three digits."""
    factors = Mul.make_args(part)
    sizes = Mul(*(f for f in factors if f.is_Rational or (f.is_Symbol and is_dim(f))))
    for inner in dict.fromkeys((part, sizes) if sizes.free_symbols else (part,)):
        value = case.with_literals(inner) or Fraction(0)
        for digits, down in product((2, 3), (False, True)) if value else ():
            near = rounded(value, digits, down)
            if near != value:
                yield to_rational(near) * part / inner, value, near


@mistake(
    "digit-slip",
    "a digit is mistyped",
    specific=5.3,
    example=Example("9.98e14", "C", "C=9.89e14"),
)
def mistyped(case: Case) -> Iterator[Proposal]:
    """One digit changed, lost, added or exchanged with its neighbour."""
    value = case.number(case.expected)
    if case.printed is not None and value is not None:
        count = case.printed.digits
        if count < 3 and not (count == 2 and is_representable(case.printed, value)):
            return
        typed, right = (each / case.unit_size for each in (case.printed.value, value))
        for near in (rounded(right, count), rounded(right, count, True)):
            alike = _decade(near) == _decade(typed)
            if alike and _close(_digits(near, count), _digits(typed, count)):
                shown = decimal(near, 8)
                text = f"a digit is mistyped: {shown}{_unit(case)} is right"
                yield Proposal(None, text, str(shown))
                return
    elif case.factor:
        yield from _constants(case)


def _constants(case: Case) -> Iterator[Proposal]:
    """A formula whose constant differs from the right one by one digit."""
    assert case.ratio is not None
    assert case.claim_ratio is not None
    if len(case.ratio.num) + len(case.ratio.den) > 2:
        return
    for right, claim in (
        (case.ratio.num, case.claim_ratio.num),
        (case.ratio.den, case.claim_ratio.den),
    ):
        ((_, a), *_), ((_, b), *_) = right.terms.items(), claim.terms.items()
        for x, y in zip(
            Fraction(a).as_integer_ratio(), Fraction(b).as_integer_ratio(), strict=True
        ):
            ours, theirs = str(x), str(y)
            if ours != theirs and min(len(ours), len(theirs)) > 1 and _close(ours, theirs):
                text = f"the constant {ours} is written {theirs}"
                yield Proposal(None, text, f"{theirs} for {ours}")


def _decade(value: Fraction) -> int:
    return floor(log10(abs(value))) if value else 0


def _digits(value: Fraction, count: int) -> str:
    """The first significant digits, without sign and point."""
    scaled = abs(value) * Fraction(10) ** (count - 1 - _decade(value))
    return str(floor(scaled)).ljust(count, "0")


def _close(one: str, other: str) -> bool:
    """Whether two digit strings differ by one typing slip, not in the last digit only."""
    if one == other:
        return False
    if len(one) == len(other):
        differing = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(differing) == 1:
            return differing[0] < len(one) - 1
        exchanged = len(differing) == 2 and differing[1] == differing[0] + 1
        i = differing[0]
        return exchanged and one[i : i + 2] == other[i : i + 2][::-1]
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(longer) == len(shorter) + 1 and any(
        longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer))
    )


@mistake(
    "arithmetic",
    "the arithmetic is wrong",
    specific=3,
    needs=_number,
    example=Example("8*128*4 = 4048"),
)
def wrong_arithmetic(case: Case) -> Iterator[Proposal]:
    """What the inputs give: the arithmetic itself is wrong."""
    value = case.number(case.expected)
    assert value is not None
    if not case.is_computed:
        return
    shown = value / case.unit_size
    simple = TOLD if case.is_plain_arithmetic else 0
    text = f"the inputs give {decimal(shown, 6)}{_unit(case)}"
    yield Proposal(None, text, f"{float(shown):.6g}", simple)


def _unit(case: Case) -> str:
    return f" {case.unit}" if case.unit else ""
