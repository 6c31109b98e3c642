"""One reader: what the public functions take, however it is given, becomes the same objects."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

import symcost as sc
from symcost.errors import InvalidValueError
from symcost.notation.border import inputs, relation, symbol, values

B, D = sc.dims("B D")
C = sc.rates("C")


@pytest.mark.parametrize("given", ["2*B*D/C", 2 * B * D / C, "2BD/C", r"\frac{2BD}{C}"])
def test_an_expression_is_the_same_however_it_is_given(given):
    assert sc.formula(given) == 2 * B * D / C


def test_a_symbol_that_was_made_in_sympy_is_ours():
    foreign = sympy.Symbol("B")
    assert sc.formula(foreign + 1) == B + 1
    assert relation(foreign > 3).lhs is B
    assert symbol(foreign) is B


def test_the_texts_of_one_question_declare_each_other():
    asked = inputs(relations="kB > 3", expressions="2*k", symbols="B")
    assert asked.symbols == (B,)
    assert asked.names["k"].is_integer


def test_a_value_says_what_a_name_stands_for():
    asked = inputs(expressions="B*f", values={"f": 0.5})
    assert asked.names["f"].is_integer is None
    assert asked.values == {"f": Fraction(1, 2)}
    assert values({B: 8}) == {"B": 8}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: inputs(relations=True), "True is no relation"),
        (lambda: inputs(symbols=3), "3 is no symbol"),
        (lambda: inputs(expressions=None), "None is no number or expression"),
        (lambda: inputs(values=3), "3 gives no values"),
        (lambda: inputs(assume=[3]), "3 is no assumption"),
    ],
)
def test_what_is_none_of_these_is_refused(call, message):
    with pytest.raises(InvalidValueError, match=message):
        call()
