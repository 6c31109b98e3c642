"""Claims of sets: what a threshold prints is read back and found to be the same set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import test_threshold
from strategies import SYMBOLS
from symcost.algebra.relation import Relation
from symcost.analysis.thresholds.phrases import set_text, threshold_text
from symcost.analysis.thresholds.threshold import Threshold, threshold
from symcost.checker import check
from symcost.errors import NotationError
from symcost.notation import border

B = SYMBOLS[0]
ROOT = "the positive root of"  # a bound in words, which no formula says


def printed_rules() -> list[object]:
    """Every relation of the tests of thresholds for which a printed set is expected."""
    marks = (
        mark
        for test in vars(test_threshold).values()
        for mark in getattr(test, "pytestmark", ())
        if mark.name == "parametrize" and mark.args[0] == ("relation", "text")
    )
    found = (relation for mark in marks for relation, text in mark.args[1] if ROOT not in text)
    return list(found)


def is_read_back(rule: Threshold, relation: Relation) -> bool:
    """Whether both forms in which a set is printed are exact claims of it."""
    texts = (set_text(rule.symbol, rule.cases), threshold_text(rule))
    return all(check(t, against=relation, symbol=rule.symbol).verdict == "exact" for t in texts)


@pytest.mark.parametrize("relation", printed_rules(), ids=str)
def test_a_rule_of_the_suite_is_read_back(relation):
    assert is_read_back(threshold(relation, test_threshold.B), relation)


@given(
    st.sampled_from(["B*{a}/(B + {b})", "{a}*B^2 - {b}*B", "(B - {a})*({b} - B)", "{a}/B + B/{b}"]),
    *[st.sampled_from(["D", "2", "3*D", "D*F"])] * 3,
    st.sampled_from([">", ">=", "<", "<="]),
)
def test_a_printed_set_is_read_back(left, a, b, right, op):
    relation = border.relation(f"{left.format(a=f'({a})', b=f'({b})')} {op} {right}")
    assert is_read_back(threshold(relation, B), relation)


PARABOLA = "(x - 1)*(9 - x) > 0"
RULE = "B*D/(B + D) > 100"


@pytest.mark.parametrize(
    ("claim", "against", "verdict"),
    [
        ("x > 1 and x < 9", PARABOLA, "exact"),
        ("1 < x < 9", PARABOLA, "exact"),
        ("9 > x > 1", PARABOLA, "exact"),
        (r"x > 1 \text{ and } x < 9", PARABOLA, "exact"),
        ("x > 1 and x < 9, smallest integer 2", PARABOLA, "exact"),
        ("x >= 1 and x < 9", PARABOLA, "border"),
        ("x > 1 and x < 8", PARABOLA, "wrong"),
        ("x > 1 and x > 3", PARABOLA, "wrong"),
        ("x > 1 or x < 9", PARABOLA, "wrong"),
        ("x > 1", PARABOLA, "wrong"),
        ("x < 9", PARABOLA, "wrong"),
        ("always", PARABOLA, "wrong"),
        ("x > 4 or x < 1", "x^2 - 5x + 4 > 0", "exact"),
        ("x > 4 or x < 2", "x^2 - 5x + 4 > 0", "wrong"),
        ("B = D", "D/B + B/D <= 2", "exact"),
        ("B = 2*D", "D/B + B/D <= 2", "wrong"),
        ("0.33 < x < 0.67", "(x - 1/3)*(2/3 - x) > 0", "rounded"),
        ("0.33 < W < 0.68", "(W - 1/3)*(2/3 - W) > 0", "wrong"),
        ("B > 19780/67 (295.2), smallest integer 296", "B > 989e12/3.35e12", "exact"),
        ("B > 100*D/(D - 100) and D > 100", RULE, "exact"),
        ("B > 100*D/(D - 100) if D > 100 and D > 50", RULE, "exact"),
        ("B > 100*D/(D - 100) if D > 101", RULE, "wrong"),
        ("B > 100*D/(D - 100) if D > 1000", RULE, "wrong"),
        ("B > 100*D/(D - 100) if D > 100; otherwise always", RULE, "wrong"),
        ("always if alpha > 1; otherwise never", "alpha*x > x", "exact"),
        ("always if alpha > 2; otherwise never", "alpha*x > x", "wrong"),
    ],
)
def test_a_claimed_set(claim, against, verdict):
    report = check(
        claim, against=against, symbol=next(name for name in ("B", "W", "x") if name in against)
    )
    assert report.verdict == verdict
    if verdict == "wrong" and claim != "always":
        at = report.counterexample
        assert bool(at.claimed) != bool(at.expected)


QUINTIC, SELF_POWER = "x^5 - x - 1 > 0", "x^x > 10"  # roots 1.16730398 and 2.50618415


@pytest.mark.parametrize(
    ("claim", "against", "where", "verdict", "kind"),
    [
        ("x > 1.167", QUINTIC, None, "rounded", ""),
        ("x > 1.17", QUINTIC, None, "rounded", ""),
        ("x > 1.3", QUINTIC, None, "wrong", "arithmetic"),
        ("x < 1.167", QUINTIC, None, "wrong", "flipped-inequality"),
        ("x > 2.506", SELF_POWER, None, "rounded", ""),
        ("x > 2.6", SELF_POWER, None, "wrong", "arithmetic"),
        ("x < 2.506", SELF_POWER, None, "wrong", "flipped-inequality"),
        ("x > 22.3", "x*log2(x) > 100", None, "rounded", ""),
        ("x > 2", "x^3 + x > K", "K=10", "exact", ""),
        ("x >= 2", "x^3 + x > K", "K=10", "border", ""),
        ("x > 3", "x^3 + x > K", "K=10", "wrong", "off-by-one"),
        ("x > K", "x^3 + x > K", None, "wrong", ""),
    ],
)
def test_a_claimed_bound_against_a_root(claim, against, where, verdict, kind):
    report = check(claim, against=against, symbol="x", where=where)
    assert report.verdict == verdict
    assert kind in ("", *(each.kind for each in report.diagnosis))
    assert not any(name in report.to_text() for name in ("Lambda(", "CRootOf"))


def test_a_ratio_with_a_root_is_said_in_words():
    report = check("x > K", against="x^3 + x > K", symbol="x")
    said = "claimed/expected: K/r, where r is the positive root of x**3 + x - K in x"
    assert said in report.to_text()


def test_a_root_that_is_expected_is_said_in_words():
    report = check("x < 1.167", against=QUINTIC, symbol="x")
    assert report.expected_text == "x > the positive root of x**5 - x - 1 (1.167)"
    assert report.diagnosis[0].text == (
        "the inequality is flipped: x > the positive root of x**5 - x - 1 (1.167) is right"
    )
    assert "positive&#xA0;root&#xA0;of&#xA0;</mtext>" in report.to_html()  # MathML drops spaces


@pytest.mark.parametrize("claim", ["295", "295.2", "B >= 296", "B > 295.2"])
def test_a_bound_without_a_sign_is_a_bound(claim):
    assert check(claim, against="B > 295.2", symbol="B").holds


def test_a_condition_that_is_too_strict_is_refuted_where_it_begins():
    report = check("B > 100*D/(D - 100) if D > 101", against=RULE)
    assert report.counterexample.values["D"] == 101


@pytest.mark.parametrize("against", ["B > 2 and B < 9", "B > 2 if D > 3", "B < 2 or B > 9"])
def test_a_set_to_compare_with_is_refused_whole(against):
    with pytest.raises(NotationError) as raised:
        check("B > 2", against=against)
    assert str(raised.value) == (
        "one formula, or one relation, is expected to compare with; "
        "give the formula alone; check the chain by itself"
    )
