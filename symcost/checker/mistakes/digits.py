"""Digits: an intermediate result rounded, a digit cut twice, a digit mistyped."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product

from symcost.algebra import Posynomial, Ratio
from symcost.checker.case import Case, Hypothesis
from symcost.checker.rounding import agrees, is_representable, rounded
from symcost.printing.numbers import decimal
from symcost.symbols import is_dim

MAX_ROUNDINGS = 400  # combinations of rounded intermediate results that are tried


def cut_twice(case: Case) -> Iterator[Hypothesis]:
    """A last digit that is one too small although the first cut was right, or one too large."""
    value = case.number(case.expected)
    if case.printed is None or value is None or case.printed.digits < 2:
        return
    if is_representable(case.printed, value):
        return
    gap = value - case.printed.value
    if 0 < abs(gap) < 2 * case.printed.step:
        down = "down" if gap > 0 else "up"
        text = f"rounded {down} more than once: the value is {decimal(value)}"
        yield Hypothesis("truncated-digit", text, None, f"{float(value):.6g}")


def early(case: Case) -> Iterator[Hypothesis]:
    """Which rounded intermediate results reproduce the printed digits."""
    if case.printed is None or case.ratio is None:
        return
    sides = [("num", t) for t in case.ratio.num] + [("den", t) for t in case.ratio.den]
    if len(sides) < 2 or len(sides) > 8:
        return
    choices = [[None, *_roundings(case, term)] for _, term in sides]
    for chosen in islice(product(*choices), MAX_ROUNDINGS):
        used = [each for each in chosen if each is not None]
        if not used:
            continue
        value = _value(case, sides, chosen)
        if value is not None and agrees(case.printed, value):
            shown = ", ".join(f"{decimal(a, 6)} rounded to {decimal(b, 6)}" for _, a, b in used)
            yield Hypothesis("early-rounding", f"an intermediate result: {shown}", None, shown)
            return


_Rounded = tuple[Fraction, Fraction, Fraction]  # whole term, the part before and after


def _roundings(case: Case, term: Posynomial) -> Iterator[_Rounded]:
    """The dimensions of a term multiplied together, or the whole term, rounded to 2 digits."""
    ((monomial, coefficient),) = term.terms.items()
    sizes = Fraction(coefficient)
    rest = Fraction(1)
    for atom, power in monomial:
        value = case.values.get(atom)
        if value is None or Fraction(power).denominator != 1:
            return
        if is_dim(atom) and value.denominator == 1:
            sizes *= value ** int(power)
        else:
            rest *= value ** int(power)
    for part, other in ((sizes, rest), (sizes * rest, Fraction(1))):
        for digits in (2, 3):
            for down in (False, True):
                near = rounded(part, digits, down)
                if near != part:
                    yield near * other, part, near


def _value(
    case: Case, sides: list[tuple[str, Posynomial]], chosen: tuple[_Rounded | None, ...]
) -> Fraction | None:
    totals = {"num": Fraction(0), "den": Fraction(0)}
    for (part, term), each in zip(sides, chosen, strict=True):
        value = each[0] if each is not None else case.number(Ratio.of(term))
        if value is None:
            return None
        totals[part] += value
    return totals["num"] / totals["den"] if totals["den"] else None


def inputs_rounded(case: Case) -> Iterator[Hypothesis]:
    """An input that was rounded before it was used."""
    if case.printed is None:
        return
    for symbol in case.inputs:
        value = case.values.get(symbol)
        for digits in (1, 2, 3):
            near = rounded(value, digits) if value else None
            if (
                value is None
                or near is None
                or near == value
                or abs(near / value - 1) > Fraction(1, 20)
            ):
                continue
            changed = Case(case.claimed, case.expected, {**case.values, symbol: near}, case.printed)
            if changed.explains(case.expected):
                text = f"{symbol} = {decimal(value, 6)} was rounded to {decimal(near, 6)} first"
                yield Hypothesis("early-rounding", text, None, f"{symbol} = {decimal(near, 6)}")
                break


def mistyped(case: Case) -> Iterator[Hypothesis]:
    """One digit changed, lost, added or exchanged with its neighbour."""
    value = case.number(case.expected)
    enough = case.printed is not None and (
        case.printed.digits >= 3
        or (
            case.printed.digits == 2 and value is not None and is_representable(case.printed, value)
        )
    )
    if enough and case.printed is not None and value is not None:
        ours = _digits(case.printed.value, case.printed.digits)
        for near in (
            rounded(value, case.printed.digits),
            rounded(value, case.printed.digits, True),
        ):
            if _close(_digits(near, case.printed.digits), ours):
                text = f"a digit is mistyped: {decimal(near, 8)} is right"
                yield Hypothesis("digit-slip", text, None, f"{decimal(near, 8)}")
                return
    yield from _constants(case)


def _constants(case: Case) -> Iterator[Hypothesis]:
    """A formula whose constant differs from the right one by one digit."""
    quotient = case.quotient
    if case.printed is not None or quotient is None or case.factor is None or case.ratio is None:
        return
    for ours, theirs in _coefficients(case):
        if ours != theirs and min(len(ours), len(theirs)) > 1 and _close(ours, theirs):
            text = f"the constant {ours} is written {theirs}"
            yield Hypothesis("digit-slip", text, None, f"{theirs} for {ours}")


def _coefficients(case: Case) -> Iterator[tuple[str, str]]:
    assert case.ratio is not None
    assert case.claim_ratio is not None
    if len(case.ratio.num) > 1 or len(case.ratio.den) > 1:
        return
    parts = [(case.ratio.num, case.claim_ratio.num), (case.ratio.den, case.claim_ratio.den)]
    for right, claim in parts:
        for a, b in zip(right.terms.values(), claim.terms.values(), strict=False):
            yield from (
                (str(x), str(y))
                for x, y in (
                    (Fraction(a).numerator, Fraction(b).numerator),
                    (Fraction(a).denominator, Fraction(b).denominator),
                )
            )


def _digits(value: Fraction, count: int) -> str:
    """The first significant digits, without sign and point."""
    scaled = abs(value)
    while scaled and scaled.denominator != 1:
        scaled *= 10
    return str(scaled.numerator)[:count].ljust(count, "0")


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


def wrong_arithmetic(case: Case) -> Iterator[Hypothesis]:
    """Two numbers without any symbol that differ: the arithmetic itself is wrong."""
    if case.printed is None or case.expected.free_symbols - set(case.values):
        return
    value = case.number(case.expected)
    if value is not None:
        text = f"the inputs give {decimal(value / case.unit_size, 6)}{_unit(case)}"
        yield Hypothesis("arithmetic", text, None, f"{float(value / case.unit_size):.6g}")


def _unit(case: Case) -> str:
    return f" {case.unit}" if case.unit else ""
