"""Expressions as text, LaTeX and MathML: read back, they have the value of the expression."""

from __future__ import annotations

import ast
import math
import operator
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from sympy import (
    CRootOf,
    E,
    Expr,
    Integer,
    Mul,
    Pow,
    Rational,
    Symbol,
    ceiling,
    exp,
    floor,
    log,
    oo,
    pi,
    sqrt,
)

from readers import read_formula
from strategies import SYMBOLS, points, positive_coefficients
from symcost.algebra import Maximum, Minimum
from symcost.algebra.relation import Relation
from symcost.algebra.roots import PositiveRoot
from symcost.printing.latex import relation_latex, to_latex
from symcost.printing.layout import arrange
from symcost.printing.mathml import math_element, node_mathml
from symcost.printing.names import is_wide, label_latex, latex_escape, name_latex, name_mathml
from symcost.printing.text import relation_text, to_text
from symcost.symbols import dim, dims, rates

B, D, F, S = SYMBOLS
C, W = rates("C W_hbm")
x = Symbol("x")
QUOTIENT = Mul(989 * 10**12, Pow(Integer(335 * 10**10), -1, evaluate=False), evaluate=False)

leaves = st.one_of(
    st.sampled_from(SYMBOLS),
    positive_coefficients.map(lambda c: Rational(c.numerator, c.denominator)),
)


def larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Every kind of expression that a cost is made of."""
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda ab: ab[0] + ab[1]),
        pair.map(lambda ab: ab[0] - ab[1]),
        pair.map(lambda ab: ab[0] * ab[1]),
        pair.map(lambda ab: ab[0] / ab[1] if ab[1] != 0 else ab[0]),
        pair.map(lambda ab: Maximum(*ab)),
        pair.map(lambda ab: Minimum(*ab)),
        inner.map(ceiling),
        inner.map(floor),
        st.tuples(inner, st.integers(2, 3)).map(lambda be: be[0] ** be[1]),
    )


expressions = st.recursive(leaves, larger, max_leaves=12)

OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda base, exponent: base ** int(exponent),
}
FUNCTIONS = {
    "Max": max,
    "Min": min,
    "ceiling": lambda v: Fraction(math.ceil(v)),
    "floor": lambda v: Fraction(math.floor(v)),
}


def value_of(text: str, point: dict[str, Fraction]) -> Fraction:
    """The exact value of a printed text, by the operations that it may hold and no others."""

    def value(node: ast.expr) -> Fraction:
        match node:
            case ast.Constant(int(number)):
                return Fraction(number)
            case ast.Name(name):
                return point[name]
            case ast.UnaryOp(ast.USub(), inner):
                return -value(inner)
            case ast.BinOp(left, op, right):
                return OPERATIONS[type(op)](value(left), value(right))
            case ast.Call(ast.Name(name), args):
                return FUNCTIONS[name](*map(value, args))
        raise AssertionError(ast.dump(node))

    return value(ast.parse(text, mode="eval").body)


def exact_value(expr: Expr, point: dict) -> Fraction | None:
    found = expr.subs({s: Rational(v) for s, v in point.items()})
    return Fraction(int(found.p), int(found.q)) if found.is_Rational else None


@given(expressions, points)
def test_text_has_the_value_of_the_expression(expr, point):
    expected = exact_value(expr, point)
    if expected is not None:  # else a division by zero
        named = {symbol.name: Fraction(v) for symbol, v in point.items()}
        assert value_of(to_text(expr), named) == expected


@given(expressions, points)
def test_latex_reads_back(expr, point):
    expected = exact_value(expr, point)
    if expected is not None:
        assert exact_value(read_formula(to_latex(expr)).expr, point) == expected


# Powers with symbols above, and functions: their values are compared in decimals.
powers = st.recursive(
    leaves,
    lambda inner: st.one_of(
        larger(inner),
        st.tuples(st.sampled_from([B, D, Integer(2), Rational(1, 3)]), st.sampled_from(SYMBOLS),
                  st.integers(-2, 2)).map(lambda bek: bek[0] ** (bek[1] / 8 + bek[2])),
        inner.map(lambda e: log(1 + e * e)),
        inner.map(lambda e: sqrt(1 + e * e)),
        inner.map(lambda e: exp(Minimum(e, Integer(1)))),
    ),
    max_leaves=8,
)  # fmt: skip


@settings(deadline=None)
@given(powers, points, st.sampled_from([to_text, to_latex]))
@example(D - 2 * B - 2 * B * B ** (F + 1), dict(zip(SYMBOLS, (2, 3, 5, 7), strict=True)), to_text)
@example(D - B - B**2 * B**F, dict(zip(SYMBOLS, (2, 3, 5, 7), strict=True)), to_latex)
def test_what_is_printed_reads_back_as_what_it_is(expr, point, shown):
    numbers = {symbol: Integer(size) for symbol, size in point.items()}
    expected = expr.subs(numbers).evalf(30)
    assume(expected.is_Float or expected.is_Integer)
    assume(not any(each.args[0].has(exp) for each in expr.atoms(exp)))  # refused by the reader
    found = read_formula(shown(expr)).expr.subs(numbers).evalf(30)
    assert abs(found - expected) <= abs(expected) * 1e-20 + 1e-20


@given(expressions)
def test_mathml_is_well_formed(expr):
    root = ElementTree.fromstring(math_element(node_mathml(arrange(expr))))
    assert root.tag == "math"
    assert all(len(e) == 2 for e in root.iter() if e.tag in ("mfrac", "msup", "msub", "mover"))


@given(st.permutations([2 * B * D, -3 * D * F, B / F, -Integer(7), ceiling(S / 8), -B * S]))
def test_the_order_of_building_does_not_show(terms):
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    assert to_text(total) == "2*B*D + ceiling(S/8) + B/F - B*S - 3*D*F - 7"


CASES = [
    (2 * D * F + 2 * B * F + 2 * B * D, "2*B*D + 2*B*F + 2*D*F", "2 B D + 2 B F + 2 D F"),
    (
        19780 * D * F / (67 * D * F - 19780 * D - 19780 * F),
        "19780*D*F/(67*D*F - 19780*(D + F))",
        r"\frac{19780 D F}{67 D F - 19780 (D + F)}",
    ),
    (D * F - S * D / 2 - S * F / 2, "D*F - S*(D + F)/2", r"D F - \frac{S (D + F)}{2}"),
    (F * (-B - D), "-F*(B + D)", "-F (B + D)"),
    (2 * D - 1, "2*D - 1", "2 D - 1"),
    (D - B, "D - B", "D - B"),
    (-B, "-B", "-B"),
    (QUOTIENT, "989000000000000/3350000000000", r"\frac{9.89\times10^{14}}{3.35\times10^{12}}"),
    (B * 10**6, "1000000*B", r"10^{6}\, B"),
    (
        Maximum(2 * B / C, 4 * B / W),
        "Max(2*B/C, 4*B/W_hbm)",
        r"\max\left(\frac{2 B}{C}, \frac{4 B}{W_{\text{hbm}}}\right)",
    ),
    (
        8 * ceiling(B / 8),
        "8*ceiling(B/8)",
        r"8 \left\lceil \frac{B}{8} \right\rceil",
    ),
    (sqrt(B) / 3, "sqrt(B)/3", r"\frac{\sqrt{B}}{3}"),
    (1 / sqrt(B), "1/sqrt(B)", r"\frac{1}{\sqrt{B}}"),
    (B ** Rational(3, 2), "B**(3/2)", "B^{3/2}"),
    ((B + D) ** 2, "(B + D)**2", "(B + D)^{2}"),
    ((B / D + 1) ** 2, "(B/D + 1)**2", r"\left(\frac{B}{D} + 1\right)^{2}"),
    (2**B, "2**B", "2^{B}"),
    (log(B), "log(B)", r"\log(B)"),
    (oo, "oo", r"\infty"),
    (pi * B, "pi*B", r"\pi B"),
    (E, "exp(1)", r"\exp(1)"),
    (Fraction(-3, 2), "-3/2", r"-\frac{3}{2}"),
    (CRootOf(x**3 + x - 3, 0), "CRootOf(x**3 + x - 3, 0)", None),
    (dim("W10") + dim("W2"), "W2 + W10", "W_{2} + W_{10}"),
    (Relation(B, ">", D), "B > D", "B > D"),
    (B <= D, "B <= D", r"B \leq D"),
    (
        PositiveRoot.of(x**3 + x - D, x),
        "PositiveRoot(Lambda(x, x**3 + x - D))",
        r"\operatorname{root}_{x > 0}(x^{3} + x - D = 0)",
    ),
]


@pytest.mark.parametrize(("expr", "text", "latex"), CASES)
def test_forms(expr, text, latex):
    assert to_text(expr) == text
    if latex is not None:
        assert to_latex(expr) == latex
    ElementTree.fromstring(node_mathml(arrange(expr)))


def test_arranging_twice_gives_equal_trees():
    assert arrange(B * D + F) == arrange(F + D * B)


def test_relations():
    assert relation_text(B, ">=", D / 2) == "B >= D/2"
    assert relation_latex(B, "<<", D) == r"B \ll D"
    assert "<mo>≪</mo>" in node_mathml(arrange(Relation(B, "<<", D)))
    assert "<mo>&lt;</mo>" in node_mathml(arrange(Relation(B, "<", D)))


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("B", "B"),
        ("W_hbm", r"W_{\text{hbm}}"),
        ("d_model", r"d_{\text{model}}"),
        ("T_math", r"T_{\text{math}}"),
        ("T_math_hbm", r"T_{\text{math},\text{hbm}}"),
        ("W1", "W_{1}"),
        ("M_X", "M_{X}"),
        ("gpu0", r"\mathrm{gpu}_{0}"),
        ("HBM", r"\mathrm{HBM}"),
        ("alpha", r"\alpha"),
        ("lambda", r"\lambda"),
        ("beta1", r"\beta_{1}"),
        ("β", r"\beta"),
        ("x_alpha", r"x_{\alpha}"),
        ("Dtilde", r"\tilde{D}"),
        ("hat", r"\mathrm{hat}"),
        ("é", r"\text{e}"),
        ("中", r"\text{中}"),
        ("ж", r"\text{U+0436}"),
        ("a__b", "a_{b}"),
    ],
)
def test_names(name, latex):
    assert name_latex(name) == latex
    ElementTree.fromstring(name_mathml(name))


@pytest.mark.parametrize(
    "name",
    ["B", "W_hbm", "T_math_hbm", "x_a_b", "x_alpha_1", "beta_1", "d_" + "m" * 69],
)
def test_a_name_in_latex_reads_back(name):
    assert read_formula(name_latex(name) + r" \cdot D").expr == dim(name) * D


@given(st.text(max_size=20))
def test_any_label_is_safe_in_latex(label):
    shown = latex_escape(label) + label_latex(label)
    assert all(letter.isascii() or is_wide(letter) for letter in shown)


def test_multiplied_words_are_kept_apart():
    (h,) = (dims("HBM"),)
    assert to_latex(B * h * D) == r"B D\, \mathrm{HBM}"
