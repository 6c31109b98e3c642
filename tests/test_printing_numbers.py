"""Rounded numbers against the decimal module, and the forms they are shown in."""

from __future__ import annotations

import decimal
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import CRootOf, I, Rational, Symbol, oo, sqrt

from symcost.errors import InvalidValueError
from symcost.printing import numbers
from symcost.printing.numbers import (
    Shown,
    leading_digits,
    quantity,
    scientific,
    shown,
    shown_quantity,
)

x = Symbol("x")
rationals = st.builds(
    lambda p, q, k: Fraction(p, q) * Fraction(10) ** k,
    st.integers(-(10**12), 10**12),
    st.integers(1, 10**6),
    st.integers(-30, 30),
)
PREFIXES = {
    "f": -15, "p": -12, "n": -9, "µ": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12,
    "P": 15, "E": 18, "Z": 21, "Y": 24, "R": 27, "Q": 30,
}  # fmt: skip


def expected(value: Fraction, digits: int) -> decimal.Decimal:
    """The value rounded by the decimal module, with guard digits that cannot round up to a tie."""
    context = decimal.Context(prec=400, rounding=decimal.ROUND_DOWN, Emax=9999, Emin=-9999)
    long = context.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator))
    half_up = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_UP, Emax=9999, Emin=-9999)
    return half_up.plus(long)


@given(rationals, st.integers(2, 9))
@example(Fraction(99995, 10**5), 4)
@example(Fraction(99994999, 10**8), 4)
@example(Fraction(0), 4)
@example(Fraction(10**9) - Fraction(1, 10**6), 4)
def test_decimals_agree_with_the_decimal_module(value, digits):
    text = numbers.decimal(value, digits)
    whole = len(str(abs(int(value))))
    plain = not value or Fraction(1, 10**4) <= abs(value) < 10**9
    least = max(digits, whole) if plain else digits
    enough = (decimal.Decimal(text) == expected(value, n) for n in range(least, least + 8))
    assert next(n for n, equal in enumerate(enough) if equal) == 0 or whole >= digits
    assert ("e" in text) == (not plain)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(79120, 67), "1180.9"),
        (Fraction(123456789, 10), "12345678.9"),
        (Fraction(2000 * 10**6 + 1, 10**6), "2000.000001"),
        (2000 + Fraction(1, 10**12), "2000"),
        (1000 * sqrt(2), "1414.2"),
        (Fraction(118089, 100), "1180.9"),
        (1181, "1181"),
        (Fraction(9999, 10**4), "0.9999"),
        (Fraction(99999, 10**5), "1.000"),
    ],
)
def test_a_number_that_is_no_integer_does_not_look_like_one(value, text):
    assert numbers.decimal(value) == text


@given(rationals.filter(bool), st.sampled_from(["s", "byte", "byte/s", "FLOP", "FLOP/s"]))
@example(Fraction(99996, 100), "FLOP")
@example(Fraction(999949, 1000), "FLOP")
@example(Fraction(999999, 10**9), "s")
def test_a_quantity_keeps_its_value_and_stays_below_the_next_prefix(value, unit):
    number, shown = quantity(value, unit).split(" ")
    found = Fraction(decimal.Decimal(number))
    base = {"byte": "B", "byte/s": "B/s"}.get(unit, unit)
    prefix = "" if shown in (unit, "bytes") else shown.removesuffix(base)
    read = found * Fraction(10) ** PREFIXES[prefix]
    assert abs(read - value) <= abs(value) * Fraction(5, 10**4)
    inner = {"s": (-15, 0)}.get(unit, (0, 30))
    if inner[0] < PREFIXES[prefix] < inner[1]:
        assert 1 <= abs(found) < 1000


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (Fraction(10**12, 989 * 10**12), "s", "1.011 ms"),
        (989 * 10**12, "FLOP/s", "989 TFLOP/s"),
        (Rational(335, 100) * 10**12, "byte/s", "3.35 TB/s"),
        (Fraction(19780, 67), "FLOP/byte", "295.2 FLOP/byte"),
        (2**21, "byte", "2.097 MB"),
        (1, "byte", "1 byte"),
        (Fraction(1, 2), "byte", "0.5 bytes"),
        (512, "byte", "512 bytes"),
        (Fraction(99996, 100), "FLOP", "1.000 kFLOP"),
        (1000, "FLOP", "1 kFLOP"),
        (Fraction(40690, 10**9), "s", "40.69 µs"),
        (7200, "s", "7200 s"),
        (0, "s", "0 s"),
        (Fraction(-3, 2000), "s", "-1.5 ms"),
        (10**34, "byte", "10000 QB"),
        (Fraction(1, 10**20), "s", "1e-5 fs"),
        (3940 * 10**11, "op/s", "394 Top/s"),
        (0.1, "s", "100 ms"),
        (np.float64(2.5), "s", "2.5 s"),
        (np.int64(3), "FLOP", "3 FLOP"),
        (sqrt(2), "", "1.414"),
        (CRootOf(x**3 + x - 3, 0), "", "1.213"),
    ],
)
def test_quantities(value, unit, text):
    assert quantity(value, unit) == text


def test_two_times_can_share_a_prefix():
    long = Fraction(10**12, 989 * 10**12)
    assert quantity(Fraction(1, 3350), "s", beside=long) == "0.2985 ms"


def test_latex_and_mathml():
    assert shown_quantity(Fraction(1, 989), "s").latex() == r"1.011\text{ ms}"
    assert shown_quantity(Fraction(1, 10**5), "s").latex() == r"10\text{ $\mu$s}"
    assert shown(1234567890123).latex() == r"1.235\times10^{12}"
    assert shown(-(10**12)).latex() == "-10^{12}"
    assert shown(-(10**12)).mathml() == ("<mo>−</mo><msup><mn>10</mn><mn>12</mn></msup>")
    for value in (Fraction(-1, 10**9), 10**40, 3):
        ElementTree.fromstring(f"<m>{shown_quantity(value, 'x').mathml()}</m>")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), oo, I, x])
def test_what_is_no_finite_number_is_refused(value):
    with pytest.raises(InvalidValueError, match="is no finite"):
        quantity(value, "s")


def test_large_round_integers():
    assert scientific(989 * 10**12) == Shown("9.89", 14)
    assert scientific(10**6) == Shown("1", 6)
    assert scientific(123456789) is None
    assert scientific(989_000) is None
    assert leading_digits(7**300, 10) == ("3.383857020", 253)


def test_huge_numbers_are_quick():
    assert numbers.decimal(Fraction(10**5000 + 1, 3)) == "3.333e4999"
