"""Reading of assumptions: every form, how commas bind, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Integer, Rational

from readers import read_assumptions
from strategies import often
from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.relation import Relation
from symcost.analysis.assume import assumed
from symcost.analysis.thresholds.threshold import threshold
from symcost.errors import AssumptionError, NotationError, SymcostError
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
    ("D >= 4096", [Relation(D, ">=", Integer(4096))]),
    (r"D \ge 4096", [Relation(D, ">=", Integer(4096))]),
    ("D*F > I*(D+F)", [Relation(D * F, ">", I * (D + F))]),
    ("1 <= B < D", [Relation(ONE, "<=", B), Relation(B, "<", D)]),
    # several in one text
    ("B << D; F = 4*D", [MuchLess(B, D), Equal(F, 4 * D)]),
    ("B << D and F = 4*D", [MuchLess(B, D), Equal(F, 4 * D)]),
    ("B << D,\nF = 4*D;", [MuchLess(B, D), Equal(F, 4 * D)]),
    (r"$B \ll D$ and $N \to \infty$", [MuchLess(B, D), MuchLess(ONE, N)]),
    (r"B \ll D \text{ and } F = 4D", [MuchLess(B, D), Equal(F, 4 * D)]),
    (r"B \ll D;\; F = 4D", [MuchLess(B, D), Equal(F, 4 * D)]),
    (r"N -> oo; D \ge 4", [MuchLess(ONE, N), Relation(D, ">=", Integer(4))]),
    # how a comma binds
    ("B << D, F = 4*D", [MuchLess(B, D), Equal(F, 4 * D)]),
    ("B << D, F, N -> oo", [MuchLess(B, D), MuchLess(B, F), MuchLess(ONE, N)]),
    ("N -> oo, B << D", [MuchLess(ONE, N), MuchLess(B, D)]),
    ("N >> 1, D >> 1", [MuchLess(ONE, N), MuchLess(ONE, D)]),
    ("D = 4, F = 8", [Equal(D, Integer(4)), Equal(F, Integer(8))]),
    ("D = 4, F, N = 8", [Equal(D, Integer(4)), Equal(F, Integer(8)), Equal(N, Integer(8))]),
    ("D >= 4, B << D, F", [Relation(D, ">=", Integer(4)), MuchLess(B, D), MuchLess(B, F)]),
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


@often(4)
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


intensity = B * D * F / (B * D + D * F + B * F)
a, b, c, x = (dim(name) for name in "abcx")


@pytest.mark.parametrize("assume", ["D = 4096; F = D", "F = D; D = 4096", "D = F; F = 4096"])
def test_equalities_are_put_into_each_other_in_any_order(assume):
    assert threshold(intensity > 295, B, assume).bound == Rational(604160, 1753)


def test_an_equality_may_fix_what_stands_on_its_right():
    equal = assumed("D = 8; D = 4*F", (intensity,)).equal
    assert {each.symbol: each.expr for each in equal} == {D: 8, F: 2}


CONTRADICTIONS = [
    ("D = F; F = 4*D", "D = F and F = 4*D"),
    ("D = F; F = 100; D = 50", "D = F and F = 100 and D = 50"),
    ("a > 5; a < 5", "a > 5 and a < 5"),
    ("a > 5; a < 6", "a > 5 and a < 6"),
    ("a > b; b >= a", "a > b and b >= a"),
    ("a > b; b > c; c > a", "a > b and b > c and c > a"),
    ("D >= 4096; D = F; F < 100", "D >= 4096 and D = F and F < 100"),
]


@pytest.mark.parametrize(("assume", "named"), CONTRADICTIONS)
def test_what_cannot_hold_together_is_named(assume, named):
    with pytest.raises(AssumptionError) as caught:
        assumed(assume, (intensity * (a + b + c),))
    problem = f"{named} contradict each other"
    assert (caught.value.problem, caught.value.repair) == (problem, "leave one of them out")


def test_a_bound_below_the_range_is_refused():
    with pytest.raises(AssumptionError) as caught:
        assumed("a < 1", (a,))
    assert caught.value.problem == "a < 1 contradicts that every dimension is at least 1"
    with pytest.raises(AssumptionError, match="D = 5/2 is no whole number, by F = 4"):
        assumed("F = 4*D; F = 10", (intensity,))


def test_facts_that_contradict_only_as_products_are_no_crash():
    with pytest.raises(AssumptionError, match="the assumptions contradict each other"):
        threshold((a * b - 10) * x > c, x, "a*b > 10; a < 2; b < 2")


@pytest.mark.parametrize(
    ("critical", "assume"),
    [
        (295, "F >= 4096; D = F"),
        (295, "D >= 4096; D = F"),
        (295, "F >= 4096; F = 4*D"),
        (295, "D, F > 590"),
        (I, "D >= 4*I; F >= 4*I"),
        (I, "D >= 2*I; F > 2*I"),
    ],
)
def test_what_follows_from_facts_together_prunes(critical, assume):
    (case,) = threshold(intensity > critical, B, assume).cases
    assert not case.is_never


def test_a_size_too_small_is_never_enough():
    assert threshold(intensity > I, B, "D <= I").is_never


def test_a_rate_may_be_set_to_a_fraction():
    assert assumed("r = 1/2", (rate("r") * B,)).substituted(rate("r") * B) == B / 2
