"""Reading of assumptions: every form, how commas bind, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer

from symcost.algebra.assumptions import Assumption, Equal, MuchLess, Order
from symcost.errors import AssumptionError, NotationError, SymcostError
from symcost.notation.assumptions import read_assumptions
from symcost.symbols import dim, rate

B, D, F, I, N, S, V = (dim(name) for name in "BDFINSV")  # noqa: E741
ONE = Integer(1)

FORMS: list[tuple[str, list[Assumption]]] = [
    ("B << D, F", [MuchLess(B, D), MuchLess(B, F)]),
    ("B ≪ D, F", [MuchLess(B, D), MuchLess(B, F)]),
    ("D, F >> B", [MuchLess(B, D), MuchLess(B, F)]),
    ("D ≫ B", [MuchLess(B, D)]),
    (r"B \ll D, F", [MuchLess(B, D), MuchLess(B, F)]),
    (r"$D \gg B$", [MuchLess(B, D)]),
    ("B, S << D, F", [MuchLess(B, D), MuchLess(B, F), MuchLess(S, D), MuchLess(S, F)]),
    ("B << D << F", [MuchLess(B, D), MuchLess(D, F)]),
    ("B << D >> F", [MuchLess(B, D), MuchLess(F, D)]),
    ("B*S << D*F", [MuchLess(B * S, D * F)]),
    ("BS << DF", [MuchLess(B * S, D * F)]),
    ("N -> oo", [MuchLess(ONE, N)]),
    ("N → ∞", [MuchLess(ONE, N)]),
    ("N -> inf", [MuchLess(ONE, N)]),
    (r"N \to \infty", [MuchLess(ONE, N)]),
    ("D, F -> oo", [MuchLess(ONE, D), MuchLess(ONE, F)]),
    ("N >> 1", [MuchLess(ONE, N)]),
    ("N -> 0", [MuchLess(N, ONE)]),
    ("F = 4*D", [Equal(F, 4 * D)]),
    ("F = 4D", [Equal(F, 4 * D)]),
    ("4*D = F", [Equal(F, 4 * D)]),
    ("D = F = 8192", [Equal(D, Integer(8192)), Equal(F, Integer(8192))]),
    ("D, F = 8192", [Equal(D, Integer(8192)), Equal(F, Integer(8192))]),
    ("D = 8,192", [Equal(D, Integer(8192))]),
    ("D >= 4096", [Order(D, ">=", Integer(4096))]),
    (r"D \ge 4096", [Order(D, ">=", Integer(4096))]),
    ("D*F > I*(D+F)", [Order(D * F, ">", I * (D + F))]),
    ("1 <= B < D", [Order(ONE, "<=", B), Order(B, "<", D)]),
    # several in one text
    ("B << D; F = 4*D", [MuchLess(B, D), Equal(F, 4 * D)]),
    ("B << D and F = 4*D", [MuchLess(B, D), Equal(F, 4 * D)]),
    ("B << D,\nF = 4*D;", [MuchLess(B, D), Equal(F, 4 * D)]),
    (r"$B \ll D$ and $N \to \infty$", [MuchLess(B, D), MuchLess(ONE, N)]),
    (r"B \ll D \text{ and } F = 4D", [MuchLess(B, D), Equal(F, 4 * D)]),
    (r"B \ll D;\; F = 4D", [MuchLess(B, D), Equal(F, 4 * D)]),
    # how a comma binds
    ("B << D, F = 4*D", [MuchLess(B, D), Equal(F, 4 * D)]),
    ("B << D, F, N -> oo", [MuchLess(B, D), MuchLess(B, F), MuchLess(ONE, N)]),
    ("N -> oo, B << D", [MuchLess(ONE, N), MuchLess(B, D)]),
    ("N >> 1, D >> 1", [MuchLess(ONE, N), MuchLess(ONE, D)]),
    ("D = 4, F = 8", [Equal(D, Integer(4)), Equal(F, Integer(8))]),
    ("D = 4, F, N = 8", [Equal(D, Integer(4)), Equal(F, Integer(8)), Equal(N, Integer(8))]),
    ("D >= 4, B << D, F", [Order(D, ">=", Integer(4)), MuchLess(B, D), MuchLess(B, F)]),
]


@pytest.mark.parametrize(("text", "expected"), FORMS, ids=[repr(text) for text, _ in FORMS])
def test_every_form_is_read(text: str, expected: list[Assumption]) -> None:
    assert list(read_assumptions(text)) == expected


def test_each_keeps_the_text_it_came_from():
    found = read_assumptions("B << D, F = 4*D; N -> oo")
    assert [each.text for each in found] == ["B << D", "F = 4*D", "N -> oo"]


def test_declared_names_and_rates():
    (found,) = read_assumptions("MB << W", declared={"MB"}, rates={"W"})
    assert found == MuchLess(dim("MB"), rate("W"))
    (half,) = read_assumptions("r = 1/2", rates={"r"})
    assert isinstance(half, Equal)


LONG = f"{','.join(f'x{i}' for i in range(40))} << {','.join(f'y{i}' for i in range(40))}"
REFUSED: list[tuple[str, type[SymcostError], str]] = [
    ("", NotationError, "an assumption is expected, but the text is empty"),
    (";", NotationError, "no assumption is found"),
    ("garbage", NotationError, "this relates nothing"),
    ("B <<", NotationError, "a name or formula is missing here"),
    ("<< D", NotationError, "a name or formula is missing here"),
    ("B << D,, F", NotationError, "a name or formula is missing here"),
    ("B << (D", NotationError, "'(' is never closed"),
    ("B << D +", NotationError, "a number, a name or '(' is expected at the end"),
    ("B << D, F << V", NotationError, "this list may belong to the relation before it or after it"),
    ("B << D, F >> V", NotationError, "this list may belong to the relation before it or after it"),
    ("N -> oo, B", NotationError, "this is related to nothing"),
    ("F = 4*D, B", NotationError, "this is related to nothing"),
    ("B << D = F", NotationError, "<< and = do not make one chain"),
    ("N -> oo -> B", NotationError, "-> and -> do not make one chain"),
    ("N -> 5", NotationError, "-> leads to oo or to 0"),
    ("N -> -oo", NotationError, "-> leads to oo or to 0"),
    ("N -> nan", NotationError, "-> leads to oo or to 0"),
    ("B << oo", NotationError, "oo is no number here"),
    ("B ≈ D", NotationError, "≈ is no assumption"),
    ("B = D ≈ F", NotationError, "≈ is no assumption"),
    ("__import__('os') << B", NotationError, "'__import__' is no name"),
    ("B << B", AssumptionError, "B and B grow alike, so neither is much less"),
    ("B << 2*B", AssumptionError, "B and 2*B grow alike, so neither is much less"),
    ("1 << 2", AssumptionError, "1 and 2 grow alike, so neither is much less"),
    ("0 << B", AssumptionError, "0 is not positive"),
    ("F = 4*F", AssumptionError, "F stands on both sides"),
    ("F = F", AssumptionError, "F stands on both sides"),
    ("B*D = F*S", AssumptionError, "B*D is no name, so it cannot be set to a value"),
    ("D = -4", AssumptionError, "D must be positive"),
    ("D = 0", AssumptionError, "D must be positive"),
    ("D = 1.5", AssumptionError, "D is a dimension"),
    ("B < B", AssumptionError, "B < B says nothing of a symbol"),
    (LONG, AssumptionError, "more than 1,000 assumptions"),
]


@pytest.mark.parametrize(
    ("text", "kind", "problem"), REFUSED, ids=[repr(text[:40]) for text, *_ in REFUSED]
)
def test_what_is_refused(text: str, kind: type[SymcostError], problem: str) -> None:
    with pytest.raises(kind) as caught:
        read_assumptions(text)
    assert caught.value.problem == problem
    assert caught.value.repair
    assert not text or caught.value.place is not None


def test_whole_messages():
    with pytest.raises(NotationError) as unclear:
        read_assumptions("N -> oo; B << D, F << V")
    assert str(unclear.value) == (
        "this list may belong to the relation before it or after it\n"
        "  N -> oo; B << D, F << V\n"
        "                ^^^^\n"
        "separate assumptions with ;"
    )
    with pytest.raises(AssumptionError) as same:
        read_assumptions("B << D; B << B")
    assert str(same.value) == (
        "B and B grow alike, so neither is much less\n"
        "  B << D; B << B\n"
        "          ^^^^^^\n"
        "relate two different quantities"
    )


@settings(max_examples=200, deadline=None)
@given(
    st.text("BDFN124 <>=-,;.oo→∞≪()*\\\n", max_size=25)
    | st.tuples(
        st.sampled_from([text for text, _ in FORMS]), st.integers(0, 20), st.text(max_size=2)
    ).map(lambda t: t[0][: t[1]] + t[2] + t[0][t[1] + 1 :])
)
def test_random_text_is_read_or_refused(text: str) -> None:
    try:
        message = str(read_assumptions(text))
    except SymcostError as error:
        message = str(error)
    assert message
