"""What authors leave to the reader: small parts behind ≈, rounded inputs, KB for KiB, units."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from sympy import Expr, Rational

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.monomials import Number
from symcost.algebra.posynomial import to_rational
from symcost.checker.claims import Side
from symcost.checker.rounding import BINARY, agrees, is_binary
from symcost.errors import SymcostError
from symcost.notation.unit_table import Dimension
from symcost.notation.units import Measure, Printed, read_measure, unit_size
from symcost.symbols import is_dim

NEARLY = Fraction(3, 100)  # what ≈ may leave out beside its digits
MAX_TERMS = 40  # of sums whose orders are compared
LONG_NUMBER = 10**6  # whole numbers from which trailing zeros are no digits
LONG = 3600  # seconds of a unit of time in which people count without saying so
Unit: TypeAlias = tuple[Fraction, Dimension]
_IN_FULL = re.compile(r"10\s*\^|\d[eE][+-]?\d|\d{7}|\\(?:text|mathrm)|[\d)}]\s*[A-Za-zµ]")
_AMOUNT = re.compile(
    r"(?<![\w.^])(?<!\^\{)(?:\d{1,3}(?:(?:,|\{,\}|\\,)\d{3})+|\d+\.?\d*)(?:[eE][+-]?\d{1,2})?"
    r"(?:\s*(?:\\times|\\cdot|×|·|\*)\s*10\s*\^\s*(?:\{[+-]?\d{1,2}\}|\d))?"
    r"(?:(?:\s|\\[,;: ]|~)*\\(?:text|mathrm)\s*\{[^{}]{1,20}\})?"
)

_UNIT_AT_END = re.compile(r"\d(?:\s|\\[,;: ]|~)*\\(?:text|mathrm)\s*\{\s*([A-Za-z/]+)\s*\}\s*$")
_UNIT = re.compile(r"(?:\s|\\[,;: ]|~)*\\(?:text|mathrm).*")


def loosely_equal(left: Side, right: Side, sign: str, value: Expr, claimed: Expr) -> str:
    """Why a number may stand for a value that it does not print as; "" if it may not.

    Args:
        left: the side that is computed; ``value`` is what it gives.
        right: the side that is claimed; ``claimed`` is what it gives.
        sign: ``=`` or ``≈``.
    """
    gap = _gap(value, claimed)
    if sign == "≈" and gap is None and is_of_first_order(value, claimed):
        return "what ≈ leaves out is of smaller order than every term that is kept"
    if gap is None:
        return ""
    if sign == "≈" and gap <= NEARLY:
        return "what ≈ leaves out is below 3 %"
    if gap <= _slack(left) + _slack(right):
        return "it holds within the rounding of the numbers put in"
    if not value.is_Rational:
        return ""
    exact = Fraction(int(value.p), int(value.q))
    if is_binary(right.measure, exact):
        return BINARY
    if _power(left, right.measure, exact) is not None:
        return "the numbers are counted in the unit at the end, or a prefix of it"
    return ""


def is_of_first_order(value: Expr, claimed: Expr) -> bool:
    """Whether the gap is smaller than each term of the claim where a size grows, or errors vanish.

    >>> from symcost.symbols import dims
    >>> n, D = dims("n D")
    >>> [is_of_first_order(D * n**2 / (n - 1) ** 2, D * (1 + k / n)) for k in (2, 3)]
    [True, False]
    """
    try:
        exact, said = as_ratio(value), as_ratio(claimed)
    except SymcostError:
        return False
    gap, symbols = exact - said, value.free_symbols | claimed.free_symbols
    if not 1 < len(said.num) <= MAX_TERMS or len(gap.num) > MAX_TERMS:
        return False
    small = {s for s in symbols if s.name.startswith(("epsilon", "delta"))}
    terms = [Ratio.of(part, said.den) for part in said.num]
    return any(
        all(_order(gap, group, sign) < _order(term, group, sign) for term in terms)
        for group, sign in [*(({s}, 1) for s in symbols if is_dim(s)), (small, -1)]
    )


def _order(ratio: Ratio, group: Collection[Expr], sign: int) -> Number:
    """How fast a ratio grows with the symbols of a group, or with their inverses."""
    return _degree(ratio.num, group, sign) - _degree(ratio.den, group, sign)


def _degree(part: Posynomial, group: Collection[Expr], sign: int) -> Number:
    return max(sign * sum(term.degree(s) for s in group) for term in part)


def _gap(value: Expr, claimed: Expr) -> Fraction | None:
    """How far two sides are apart, when one is a number times the other."""
    ratio = claimed / value if value else value
    number = ratio.evalf(20) if ratio.is_number and ratio.is_real else ratio
    if (not number.is_Float and not number.is_Rational) or not number:
        return None
    return abs(Fraction(str(number)) - 1)


def _slack(side: Side) -> Fraction:
    """How much a result may be off when its decimals are roundings of what was computed with."""
    if side.measure is not None:
        return _half(side.measure.printed)
    found = [n for n in amounts(side.text) if n.digits >= (2 if n.place < 1 else 3)]
    rounded = (n for n in found if n.place != 1 or (n.step != 1 and n.value >= LONG_NUMBER))
    return sum(map(_half, rounded), Fraction(0))


def _half(printed: Printed) -> Fraction:
    place = printed.step if printed.value >= LONG_NUMBER else printed.place
    return abs(place / printed.value) / 2 if printed.value else Fraction(0)


def in_one_unit(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The sides with the unit of the next one put to those that plainly are in it as well.

    >>> from symcost.checker.claim_reading import read_claim
    >>> [str(side.expr) for side in in_one_unit(read_claim("3.2 + 1.1 = 4.3 ms").sides)]
    ['43/10000', '43/10000']
    """
    found: list[Side] = []
    unit: Unit | None = None
    for side in reversed(sides):
        own = _unit(side)
        unit = unit if own is None else own
        if own is None and unit and found and _is_in(side, unit, found[-1]):
            side = _scaled(side, unit[0])
        found.append(side)
    return tuple(reversed(found))


def _unit(side: Side) -> Unit | None:
    """The size and the dimension of the unit at the end of a side."""
    if side.measure is not None:
        return (side.measure.size, side.measure.dimension) if side.measure.unit else None
    match = _UNIT_AT_END.search(side.text)
    with suppress(SymcostError):
        return unit_size(match[1]) if match else None
    return None


def _is_in(side: Side, unit: Unit, following: Side) -> bool:
    """Whether a number is in the unit that follows: near it, and not written in full."""
    if not side.expr.is_Rational or not following.expr.is_Rational or not following.expr:
        return False
    in_full = _IN_FULL.search(side.text) and not _is_long(unit)
    ratio = side.expr * to_rational(unit[0]) / following.expr
    return bool(not in_full and Rational(1, 2) < ratio < 2)


def _is_long(unit: Unit) -> bool:
    return dict(unit[1]) == {"second": 1} and unit[0] >= LONG


def _scaled(side: Side, size: Fraction) -> Side:
    measure = side.measure and replace(side.measure, printed=side.measure.printed.scaled(size))
    return replace(side, expr=side.expr * to_rational(size), measure=measure)


def _power(side: Side, last: Measure | None, value: Fraction) -> int | None:
    """By how many thousands a value without a unit is another prefix of the unit at the end.

    ``140/3.35 = 41.8 ms`` is in gigabytes and milliseconds, ``256 * 16 = 4 TB`` in gigabytes,
    ``5.6e15/5e12 = 1120 days`` in no unit that matters. Otherwise numbers in full, with powers of
    ten, are in base units, and ``ms`` behind their ``0.00389`` is a mistake.
    """
    if last is None or not last.unit or (side.measure is not None and side.measure.unit):
        return None
    own = last.printed.scaled(1 / last.size)
    long = _is_long((last.size, last.dimension))
    powers = range(1 if long or not last.dimension else 0 if _IN_FULL.search(side.text) else 5)
    return next((n for n in powers if agrees(own, value / 1000**n)), None)


def amounts(text: str) -> Iterator[Printed]:
    """The numbers in a text with powers of ten and units."""
    for match in _AMOUNT.finditer(text):
        for form in (match[0], _UNIT.sub("", match[0])):
            try:
                yield read_measure(form).printed
                break
            except SymcostError:
                continue
