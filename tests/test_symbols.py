"""Symbols from names: what is plainly meant is understood, the rest is refused by name."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sympy import Symbol

import symcost as sc
from symcost.errors import SymcostError
from symcost.notation.kinds import rates_among
from symcost.symbols import by_name, canonical, dim, dims, rate, rates


def test_one_name_is_a_symbol_and_several_are_a_tuple():
    assert dims("B") is dim("B")
    assert dims("B, D F") == (dim("B"), dim("D"), dim("F"))
    assert rates("C W") == (rate("C"), rate("W"))


def test_a_list_of_names_is_a_tuple_however_long():
    assert dims(["B"]) == (dim("B"),)
    assert rates(name for name in ("C", "W")) == (rate("C"), rate("W"))


@pytest.mark.parametrize("names", ["", " ", [], "1x", "B-D", ["B D"], 3, None, [3], [["B"]], b"B"])
@pytest.mark.parametrize("make", [sc.dims, sc.rates])
def test_what_is_no_name_is_refused(make, names):
    with pytest.raises(SymcostError):
        make(names)


def test_a_symbol_of_sympy_is_ours_of_the_same_name():
    foreign, positive = Symbol("B"), Symbol("C", positive=True)
    assert canonical([foreign, positive]) == {foreign: dim("B"), positive: rate("C")}
    assert canonical([foreign, dim("B")])[foreign] is dim("B")
    both = [Symbol("x", positive=True), Symbol("x")]
    assert set(canonical(both).values()) == {dim("x")}


def test_numbers_by_symbol_or_by_name():
    assert by_name({dim("B"): 64, "D": 8}, "BDF") == {"B": 64, "D": 8}
    with pytest.raises(SymcostError, match="Q does not occur here; the symbols are B, D"):
        by_name({"Q": 1}, "DB")


@pytest.mark.parametrize(
    ("value", "is_rate"),
    [(2, False), (2.0, False), (Fraction(4, 2), False), (2.5, True), (Fraction(1, 2), True)],
)
def test_a_number_that_is_not_whole_is_of_no_dimension(value, is_rate):
    assert rates_among(["x"], {"x": value}) == ({"x"} if is_rate else set())
