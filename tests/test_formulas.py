"""Reading of formulas, relations and numbers: what is understood, how, and what is refused."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Expr, Rational, ceiling, exp, floor, log, sqrt

from readers import read_chain, read_formula, read_latex, read_numbers, read_relation
from strategies import often
from symcost.algebra import Maximum, Minimum
from symcost.analysis.values import numbers_for
from symcost.errors import (
    DuplicateNameError,
    InvalidValueError,
    NotationError,
    SymcostError,
)
from symcost.notation.limits import check_text, relocated
from symcost.notation.numbers import Sweep, read_sweep
from symcost.notation.syntax import is_latex
from symcost.symbols import dim, rate

B, D, F, N, S, E, Q = (dim(name) for name in "BDFNSEQ")
a, b, c = (dim(name) for name in "abc")

PLAIN: list[tuple[str, object]] = [
    # products without a sign
    ("2BDF", 2 * B * D * F),
    ("2 B D F", 2 * B * D * F),
    ("2(B+D)F", 2 * F * (B + D)),
    ("(B+D)(B-D)", (B + D) * (B - D)),
    ("BD^2", B * D**2),
    ("B^2D", B**2 * D),
    ("B²D", B**2 * D),
    ("B⁻¹", 1 / B),
    # signs in Unicode
    ("2·B•D×F∙a⋅b", 2 * B * D * F * a * b),
    ("B÷D − F", B / D - F),
    ("α β1 + Ω", dim("alpha") * dim("beta1") + dim("Omega")),
    ("√(B) + √D", sqrt(B) + sqrt(D)),
    ("⌈B/8⌉ ⌊D/8⌋", ceiling(B / 8) * floor(D / 8)),
    # numbers
    ("1.97e14", Rational(197 * 10**12)),
    ("1_000 + 1,000,000", Rational(1_001_000)),
    (".5B", B / 2),
    ("1.5e-3", Rational(3, 2000)),
    ("2^-1", Rational(1, 2)),
    # order of operations
    ("-B^2", -(B**2)),
    ("2^3^2", Rational(512)),
    ("2*-B", -2 * B),
    ("B - -D", B + D),
    ("B ** 2", B**2),
    ("a/b*c", a / b * c),
    ("a/b/c", a / b / c),
    ("[B + {D}](F)", (B + D) * F),
    # functions
    ("max(B, D) + Max(D, B)", 2 * Maximum(B, D)),
    ("MIN(B, D, 3)", Minimum(B, D, 3)),
    ("max(2, 7)", Rational(7)),
    ("ceil(B/8) + ceiling(D/8)", ceiling(B / 8) + ceiling(D / 8)),
    ("floor(7/2)", Rational(3)),
    ("sqrt(B)", sqrt(B)),
    ("log2(8) + log10(1000)", Rational(6)),
    ("log_2(B)", log(B) / log(2)),
    ("N log N", N * log(N)),
    ("ln(B)", log(B)),
    ("exp(B - D) + exp(0)", exp(B - D) + 1),
    # names that sympy would take for something else
    ("N S E Q", N * S * E * Q),
    ("beta + lambda + gamma + pi + zeta", sum(map(dim, ("beta", "lambda", "gamma", "pi", "zeta")))),
    ("I*O*C", dim("I") * dim("O") * dim("C")),
    ("T_math + W_{hbm}", dim("T_math") + dim("W_hbm")),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN, ids=[text for text, _ in PLAIN])
def test_plain_text_reads_as_people_mean_it(text: str, expected: object) -> None:
    assert read_formula(text).expr == expected


WORDS: list[tuple[str, set[str], set[str], tuple[str, ...]]] = [
    ("2BDF", set(), {"B", "D", "F"}, ("BDF was read as B*D*F",)),
    ("2BDF", {"BDF"}, {"BDF"}, ()),
    ("MB", {"MB"}, {"MB"}, ()),
    ("MBF", {"MB"}, {"M", "B", "F"}, ("MBF was read as M*B*F",)),
    ("tm", set(), {"tm"}, ()),
    ("d_model", set(), {"d_model"}, ()),
    ("W1 W2", set(), {"W1", "W2"}, ()),
    ("Bd", set(), {"Bd"}, ()),
    ("MAX", {"MAX"}, {"MAX"}, ()),
    ("inf", {"inf"}, {"inf"}, ()),
    ("αB", set(), {"alpha", "B"}, ()),
    ("größe", {"größe"}, {"größe"}, ()),
]


@pytest.mark.parametrize(("text", "declared", "names", "notes"), WORDS)
def test_words_split_by_the_rule(
    text: str, declared: set[str], names: set[str], notes: tuple[str, ...]
) -> None:
    formula = read_formula(text, declared)
    assert formula.names == names
    assert formula.notes == notes


DIVISIONS: list[tuple[str, Expr, tuple[str, ...]]] = [
    ("a/2b", a / (2 * b), ("/2b was read as /(2b)",)),
    ("1/2 b", b / 2, ("only 2 is under the / in '/ 2 b...'",)),
    ("a/(b)(c)", a / (b * c), ("/(b)(c) was read as /((b)(c))",)),
    ("a / b + c", a / b + c, ()),
    ("a/(b c)", a / (b * c), ()),
    (r"a/2b\,c", a * c / (2 * b), (r"only 2b is under the / in '/ 2b c...'",)),
]


@pytest.mark.parametrize(("text", "expected", "notes"), DIVISIONS)
def test_a_division_before_a_product_is_noted(
    text: str, expected: Expr, notes: tuple[str, ...]
) -> None:
    formula = read_formula(text)
    assert (formula.expr, formula.notes) == (expected, notes)


def test_rates_and_dimensions_are_kept_apart():
    formula = read_formula("2BDF/C", rates={"C"})
    assert formula.expr == 2 * B * D * F / rate("C")


def test_a_power_of_a_sum_stays_a_power():
    assert read_formula("(a+b)^50").expr == (a + b) ** 50


PAIRS = [
    (r"\frac{2BDF}{B+D}", "2*B*D*F/(B+D)"),
    (r"\dfrac{1}{2} B", "B/2"),
    (r"\frac12 B", "B/2"),
    (r"$2 \cdot B \times D \ast F$", "2*B*D*F"),
    (r"$$B$$", "B"),
    (r"\[ B \]", "B"),
    (r"\left( B + \left[D\right] \right) \{F\}", "(B+D)*F"),
    (r"T_\text{math} + T_{math}", "2*T_math"),
    (r"W_{\mathrm{hbm}}^{2}", "W_hbm^2"),
    (r"d_{model}\,d_\mathrm{ff}", "d_model*d_ff"),
    (r"\mathrm{HBM} \cdot \text{tm}", "HBM*tm"),
    (r"T_{\text{lower bound}}", "T_lower_bound"),
    (r"BD_F", "B*D_F"),
    (r"\beta_1 x_\alpha", "beta_1*x_alpha"),
    (r"\max(a, b)", "max(a, b)"),
    (r"\max\left(\frac{a}{b}, c\right)", "max(a/b, c)"),
    (r"\operatorname{max}\{a, b\}", "max(a, b)"),
    (r"\min(a,b) \text{min}(a,b)", "min(a,b)^2"),
    (r"\lceil \frac{B}{8} \rceil \cdot \left\lfloor D/8 \right\rfloor", "ceil(B/8)*floor(D/8)"),
    (r"\log_2 N + \log_{2}(N)", "2*log2(N)"),
    (r"N \ln N + \log_{10} N", "N*log(N) + log10(N)"),
    (r"\sqrt{B} + \sqrt[3]{D}", "sqrt(B) + D^(1/3)"),
    (r"10^{12} B^2 F^{-1}", "10^12*B^2/F"),
    (r"1{,}000\,B\cdot\quad 1\,000~", "1000*B*1000"),
    (r"xy W1 \,", "x*y*W1"),
    (r"\varepsilon \div \Omega", "epsilon/Omega"),
    (r"B & D \\ F", "B*D*F"),
]


@pytest.mark.parametrize(("latex", "plain"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_latex_agrees_with_plain_text(latex: str, plain: str) -> None:
    declared = {"HBM"}
    assert read_latex(latex, declared).expr == read_formula(plain, declared).expr
    if is_latex(latex):
        assert read_formula(latex, declared).expr == read_latex(latex, declared).expr


def test_adjacent_letters_in_latex_are_a_product_and_lower_case_ones_are_noted():
    formula = read_latex(r"tm \cdot BDF")
    assert formula.names == {"t", "m", "B", "D", "F"}
    assert formula.notes == (r"tm was read as t*m; one name is \text{tm}",)
    assert read_latex("tm", {"tm"}).names == {"tm"}


MALFORMED: list[tuple[str, str]] = [
    # each is a neighbour of something valid
    ("", "a formula is expected, but the text is empty"),
    (" \n ", "a formula is expected, but the text is empty"),
    ("B +", "a number, a name or '(' is expected at the end"),
    ("* B", "a number, a name or '(' is expected, not '*'"),
    ("B ** ** 2", "a number, a name or '(' is expected, not '**'"),
    ("()", "a number, a name or '(' is expected, not ')'"),
    ("(B", "'(' is never closed"),
    ("B)", "')' closes nothing"),
    ("[B)", "'[' is closed by ')'"),
    ("2 3", "an operator is missing before 3"),
    ("B 3", "an operator is missing before 3"),
    ("1.2.3", "the number is not well formed"),
    ("1_", "the number is not well formed"),
    ("0x10", "a number is written in decimal"),
    ("B, D", "a comma stands only between the arguments of max and min"),
    ("(B, D)", "a comma stands only between the arguments of max and min"),
    ("max(1,000, B)", "'1,000' may be one number or several arguments"),
    ("max()", "a number, a name or '(' is expected, not ')'"),
    ("max(B D", "'(' is never closed"),
    ("max B", "max is a function"),
    ("ceil(B, D)", "ceil takes one argument, not 2"),
    ("sin(B)", "unknown function 'sin'"),
    ("exp(2, B)", "exp takes one argument, not 2"),
    ("exp(exp(B))", "exp stands inside exp"),
    ("exp(10^6)", "a number of more than 1,000 digits"),
    ("log N D", "it is unclear where the argument of log ends"),
    ("2^BD", "it is unclear whether all of 'BD' is the exponent"),
    ("T_", "'T_' is no name"),
    ("B > D", "a formula is expected, not a relation with '>'"),
    ("B = D", "a formula is expected, not a relation with '='"),
    ("nan", "nan is no number here"),
    ("2*inf", "inf is no number here"),
    ("oo + 1", "oo is no number here"),
    ("∞", "∞ is no number here"),
    ("1/0", "division by zero"),
    ("1/(B-B)", "division by zero"),
    ("0^-1", "division by zero"),
    ("1/(log(4)/log(2) - 2)", "division by zero"),
    ("0^0", "0^0 has no value"),
    ("(-1)**(1/2)", "a root or fractional power of a negative number is no real number"),
    ("sqrt(-B)", "a root or fractional power of a negative number is no real number"),
    ("log(0)", "the logarithm of zero or less is no real number"),
    ("log(-B)", "the logarithm of zero or less is no real number"),
    ("9**9**9", "the exponent is out of bounds (a number is raised to at most 1000)"),
    ("10^1e9", "the exponent is out of bounds (a number is raised to at most 1000)"),
    ("B^65", "the exponent is out of bounds (a symbol is raised to at most 64)"),
    ("B^64*B", "the exponent is out of bounds (a symbol is raised to at most 64)"),
    ("1e999999999", "a number of more than 1,000 digits"),
    ("((10^64)^64)", "a number of more than 1,000 digits"),
    ("B" * 101, "a name has at most 100 characters"),
    ("__import__('os')", "'__import__' is no name"),
    ("lambda: 0", "':' has no meaning in a formula"),
    ("B.__class__", "'.' has no meaning in a formula"),
    ("😀", "'😀' has no meaning in a formula"),
    ("B\x00", "a formula holds no control character (U+0000)"),
    ("\ud800", "a formula holds no control character (U+D800)"),
    ("B\u200bD", "a formula holds no control character (U+200B)"),
    (r"\foo{B}", r"unknown command '\\foo'"),
    (r"\frac{B}", r"'\\frac' lacks an argument"),
    (r"\frac{B", "'{' is never closed"),
    (r"\frac{}{B}", "a number, a name or '(' is expected, not '}'"),
    (r"\sqrt", r"'\\sqrt' lacks an argument"),
    (r"10^12 \cdot B", "^ takes one digit only in LaTeX"),
    (r"$x_{i+1}$", "a subscript is one word"),
    (r"$x_", "the subscript is missing"),
    (r"\text B", "a word in braces is expected"),
    (r"\infty", r"\infty is no number here"),
    (r"\max B", "max is a function"),
    (r"\lceil B \rfloor", "'⌈' is closed by '⌋'"),
    (r"\left(B", "'(' is never closed"),
    ("$;$", "';' has no meaning in a LaTeX formula"),
]


@pytest.mark.parametrize(("text", "problem"), MALFORMED, ids=[repr(t) for t, _ in MALFORMED])
def test_what_is_malformed_gets_one_error_with_its_place(text: str, problem: str) -> None:
    with pytest.raises((NotationError, InvalidValueError)) as caught:
        read_formula(text)
    assert caught.value.problem == problem
    if text.strip():
        assert caught.value.place is not None
        assert caught.value.place.text == text
        assert "^" in str(caught.value)


def test_whole_messages():
    with pytest.raises(NotationError) as caught:
        read_formula("2*B*inf")
    assert str(caught.value) == (
        'inf is no number here\n  2*B*inf\n      ^^^\nto take a limit write --assume "N -> oo"'
    )
    with pytest.raises(InvalidValueError) as invalid:
        read_formula("B + 1/(D - D)")
    assert str(invalid.value) == (
        "division by zero\n  B + 1/(D - D)\n       ^\nthe divisor must not be 0"
    )
    with pytest.raises(NotationError) as unknown:
        read_formula(r"2 \foo{B}")
    assert str(unknown.value) == (
        "unknown command '\\\\foo'\n  2 \\foo{B}\n    ^^^^\n"
        r"known are \frac, \cdot, \times, \text, \max, \min, \lceil, \log, \exp, \sqrt"
        " and Greek letters"
    )


HOSTILE = {
    "1 MB": "B" * 10**6,
    "10,000 brackets": "(" * 10**4 + "B" + ")" * 10**4,
    "101 brackets": "(" * 101 + "B" + ")" * 101,
    "tower": "B^" * 9000 + "B",
    "numeric tower": "2^" * 9000 + "1",
    "powers of powers": "(" * 9 + "(2B)^64" + ")^64" * 9,
    "coprime denominators": "+".join(f"a/{2 * i + 1}^9" for i in range(1, 1800)),
    "coprime fractions": "+".join(f"1/{2 * i + 1}^9" for i in range(1, 1800)),
    "continued fraction": "B/(D-" * 60 + "B" + ")" * 60,
    "functions in functions": "max(B,1/" * 60 + "D" + ")" * 60,
    "ceiling of a long sum": "ceil(" + "+".join(f"a{i}" for i in range(3000)) + ")",
    "many ceilings": "+".join(f"ceil(B/{i})" for i in range(1, 1200)),
    "fractions in fractions": r"\frac" * 4000,
    "a blank that never ends": r"\text{a" + " " * 19_000,
    "a word, then blanks": "a" + " " * 19_000 + "b",
    "greek": "α" * 20_000,
    "superscripts": "B²" * 10_000,
    "logs": "log " * 4999 + "B",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_answered_at_once(text: str) -> None:
    begin = time.process_time()
    message = ""
    try:
        read_formula(text)
    except SymcostError as error:
        message = str(error)
    assert len(message) < 500
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "text",
    ["-" * 5000 + "B", "+".join(f"a{i}" for i in range(3000)), "(" * 100 + "B" + ")" * 100],
)
def test_long_formulas_are_read(text: str) -> None:
    assert read_formula(text).names


def test_something_that_is_no_text():
    with pytest.raises(NotationError, match="a formula is expected as text, not as int"):
        read_formula(3)  # type: ignore[arg-type]
    assert relocated(NotationError("odd"), "abc", 1).place is not None
    assert check_text("B") == "B"


# -- relations ----------------------------------------------------------------------------


@pytest.mark.parametrize("op", [">", ">=", "<", "<=", "=", "≈"])
def test_relations_keep_their_sides(op: str) -> None:
    relation = read_relation(f"B {op} 0")
    assert (relation.lhs, relation.op, relation.rhs) == (B, op, 0)


@pytest.mark.parametrize(
    ("text", "op"),
    [(r"B \ge D", ">="), (r"B \leq D", "<="), (r"B \approx D", "≈"), ("B ≥ D", ">="),
     ("B ≤ D", "<="), ("B == D", "="), (r"$B > D$", ">"), ("B ~ D", "≈")],
)  # fmt: skip
def test_relation_signs(text: str, op: str) -> None:
    assert read_relation(text).op == op


def test_a_chain_keeps_all_sides_and_notes():
    chain = read_chain("T = 2BDF/C ≈ 3")
    assert chain.ops == ("=", "≈")
    assert chain.sides == (dim("T"), 2 * B * D * F / dim("C"), 3)
    assert chain.notes == ("BDF was read as B*D*F",)
    assert read_chain("B").ops == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("B", "a relation is expected"),
        ("a = b = c", "one relation is expected"),
        ("B >", "a formula is expected"),
        ("> B", "a formula is expected"),
        ("B => D", "a formula is expected"),
        ("B << D", "<< states an assumption, not a relation of formulas"),
        ("N -> oo", "-> states an assumption, not a relation of formulas"),
        ("max(B > D, F)", "a formula is expected, not a relation with '>'"),
    ],
)
def test_what_is_no_relation(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_relation(text)
    assert caught.value.problem == problem
    assert caught.value.place is not None


# -- numbers ------------------------------------------------------------------------------

NUMBERS: list[tuple[str, dict[str, object]]] = [
    ("C=1.97e14, W=8.2e11", {"C": 197 * 10**12, "W": 82 * 10**10}),
    ("D=F=16384", {"D": 16384, "F": 16384}),
    ("D=8192,F=8192", {"D": 8192, "F": 8192}),
    ("D=8,192, F=3", {"D": 8192, "F": 3}),
    ("B=2^14; D = 4*1024\nF=1/3", {"B": 16384, "D": 4096, "F": Fraction(1, 3)}),
    ("MB=3", {"MB": 3}),
    (r"W_\text{hbm}=3", {"W_hbm": 3}),
    ("α=2", {"alpha": 2}),
]


@pytest.mark.parametrize(("text", "expected"), NUMBERS)
def test_lists_of_numbers(text: str, expected: dict[str, object]) -> None:
    found = read_numbers(text)
    assert found == expected
    assert all(isinstance(value, int | Fraction) for value in found.values())


def test_values_may_be_formulas_when_asked():
    found = read_numbers("F=4*D, D=3, H=2MB, MB=1", formulas=True)
    assert found == {"F": 12, "D": 3, "H": 2, "MB": 1}


@pytest.mark.parametrize(
    ("text", "kind", "problem"),
    [
        (" ", NotationError, "a list of numbers is expected, but the text is empty"),
        ("B", NotationError, "this relates nothing"),
        ("=3", NotationError, "a name or formula is missing here"),
        ("B=", NotationError, "a name or formula is missing here"),
        ("2B=3", NotationError, "a name is expected before ="),
        ("B>3", NotationError, "= is expected, not '>'"),
        ("B=D", NotationError, "a number is expected, but D is a name"),
        ("B=nan", NotationError, "nan is no number here"),
        ("B=inf", NotationError, "inf is no number here"),
        ("B=0", InvalidValueError, "zero is no size or rate"),
        ("B=-1", InvalidValueError, "a negative number is no size or rate"),
        ("B=1/0", InvalidValueError, "division by zero"),
        ("B=sqrt(2)", InvalidValueError, "sqrt(2) is no exact number"),
        ("B=1, B=2", DuplicateNameError, "B is given twice"),
        ("; ;", NotationError, "no name with a value is found"),
    ],
)
def test_numbers_that_are_refused(text: str, kind: type[SymcostError], problem: str) -> None:
    with pytest.raises(kind) as caught:
        read_numbers(text)
    assert caught.value.problem == problem


def test_a_dimension_is_whole():
    with pytest.raises(InvalidValueError, match="B = 3/2 is no size of a dimension"):
        numbers_for("B=1.5", [B])


def test_the_place_of_a_wrong_number():
    with pytest.raises(InvalidValueError) as caught:
        read_numbers("C=1e12; W=-3")
    assert str(caught.value) == (
        "a negative number is no size or rate\n  C=1e12; W=-3\n            ^^\n"
        "give a positive number"
    )


def test_a_definition_by_itself_is_refused():
    with pytest.raises(NotationError, match="F is set to a formula of itself"):
        read_numbers("F=4*F", formulas=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B=1:4096", Sweep("B", 1, 4096)),
        (" B = 8 : 2^10 : 8 ", Sweep("B", 8, 1024, 8)),
        ("MB=1:3", Sweep("MB", 1, 3)),
    ],
)
def test_sweeps(text: str, expected: Sweep) -> None:
    assert read_sweep(text) == expected


def test_a_sweep_of_a_rate():
    assert read_sweep("W=0.5:1e12") == Sweep("W", Fraction(1, 2), 10**12)
    assert read_sweep("B=4:4") == Sweep("B", 4, 4)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("B", "a range of values is expected"),
        ("B=1", "a range of values is expected"),
        ("B=1:2:3:4", "a range of values is expected"),
        ("B=C=1:2", "a range of values is expected"),
        ("B=1:", "a number is missing here"),
        ("=1:2", "a name is expected before ="),
        ("2=1:2", "a name is expected before ="),
        ("x y=1:2", "a name is expected before ="),
        ("B=5:3", "the range is empty"),
        ("B=0:5", "zero is no size or rate"),
        ("B=1:1.5", "B is a dimension, so a whole number is expected"),
        ("B=1:D", "a number is expected, but D is a name"),
    ],
)
def test_sweeps_that_are_refused(text: str, problem: str) -> None:
    with pytest.raises(SymcostError) as caught:
        read_sweep(text).check([dim("B")])
    assert caught.value.problem == problem


# -- round trip and noise -----------------------------------------------------------------


def trees() -> st.SearchStrategy[object]:
    """Nested tuples of an operator and its operands; "j" is a product without a sign."""
    leaves = st.sampled_from(["B", "D", "d_model", "W1"]) | st.integers(1, 99).map(str)
    return st.recursive(
        leaves,
        lambda inner: (
            st.tuples(st.sampled_from("+-*/j"), inner, inner)
            | st.tuples(st.just("^"), inner, st.integers(1, 3).map(str))
            | st.tuples(st.sampled_from(["max", "min"]), inner, inner)
            | st.tuples(st.sampled_from(["ceil", "floor", "neg"]), inner)
        ),
        max_leaves=8,
    )


def plain(tree: object) -> str:
    if isinstance(tree, str):
        return tree
    assert isinstance(tree, tuple)
    head, *parts = tree
    inner = [plain(part) for part in parts]
    if head in ("max", "min", "ceil", "floor"):
        return f"{head}({', '.join(inner)})"
    if head == "neg":
        return f"-({inner[0]})"
    return f"({inner[0]}){'' if head == 'j' else head}({inner[1]})"


def latex(tree: object) -> str:
    if isinstance(tree, str):
        return {"d_model": r"d_\text{model}", "W1": r"\text{W1}"}.get(tree, tree)
    assert isinstance(tree, tuple)
    head, *parts = tree
    inner = [latex(part) for part in parts]
    if head in ("ceil", "floor"):
        return rf"\left\l{head} {inner[0]} \right\r{head}"
    if head in ("max", "min"):
        return rf"\{head}\left({', '.join(inner)}\right)"
    if head == "neg":
        return rf"-\left({inner[0]}\right)"
    if head == "/":
        return rf"\frac{{{inner[0]}}}{{{inner[1]}}}"
    sign = {"*": r"\cdot ", "j": r"\,"}.get(str(head), head)
    return rf"\left({inner[0]}\right){sign}{{({inner[1]})}}"


POINT = {"B": Fraction(7), "D": Fraction(3), "d_model": Fraction(5), "W1": Fraction(11)}


def value(tree: object) -> Fraction:
    """The value of a tree at POINT, by Python's own fractions."""
    if isinstance(tree, str):
        return POINT[tree] if tree in POINT else Fraction(tree)
    assert isinstance(tree, tuple)
    head, *parts = tree
    first, *rest = (value(part) for part in parts)
    if head in ("max", "min"):
        return max(first, *rest) if head == "max" else min(first, *rest)
    if head in ("ceil", "floor", "neg"):
        up, down = -(-first // 1), first // 1
        return {"ceil": Fraction(up), "floor": Fraction(down), "neg": -first}[str(head)]
    (second,) = rest
    if head == "/":
        return first / second
    if head == "^":
        return Fraction(first ** int(second))
    return {"+": first + second, "-": first - second}.get(str(head), first * second)


@often(3)
@given(trees())
@example(("j", ("/", "B", "2"), ("^", "D", "2")))
def test_a_printed_tree_reads_back_to_the_same_value(tree: object) -> None:
    try:
        expected = value(tree)
    except ZeroDivisionError:
        return
    for text in (plain(tree), "$" + latex(tree) + "$"):
        try:
            formula = read_formula(text)
        except InvalidValueError:  # an inner divisor that vanishes for all values
            continue
        point = {dim(name): Rational(x.numerator, x.denominator) for name, x in POINT.items()}
        assert formula.expr.xreplace(point) == Rational(expected.numerator, expected.denominator)


def is_read_or_refused(text: str) -> bool:
    """Whether every reader says something, a result or one clear error; any other is raised."""
    said = []
    for reader in (read_formula, read_chain, read_numbers, read_sweep):
        try:
            message = repr(reader(text))  # type: ignore[operator]
        except SymcostError as error:
            message = str(error)
        said.append(message)
    return all(said)


@often(3)
@given(
    st.text(max_size=30) | st.text("BDab123.,;:=<>()[]{}^*/+-_ \\$αinfmaxceilog²⌈√", max_size=30)
)
def test_random_text_is_read_or_refused(text: str) -> None:
    assert is_read_or_refused(text)


SEEDS = [text for text, _ in PLAIN] + [pair[0] for pair in PAIRS] + [text for text, _ in NUMBERS]


@often(3)
@given(st.sampled_from(SEEDS), st.integers(0, 40), st.integers(0, 4), st.text(max_size=3))
def test_spoilt_text_is_read_or_refused(text: str, at: int, cut: int, extra: str) -> None:
    assert is_read_or_refused(text[:at] + extra + text[at + cut :])
