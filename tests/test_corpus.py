"""Published mistakes are found wrong and named; the published repairs are found right."""

from __future__ import annotations

import pytest

from corpus_cases import PAGE, cases, claims, counts, outcome, table
from fresh_mistakes import counts as fresh_counts
from symcost.checker import check
from symcost.checker.mistakes import MISTAKES

CLAIMS = claims()
WRONG = [claim for claim in CLAIMS if not claim.is_right]
RIGHT = [claim for claim in CLAIMS if claim.is_right]


@pytest.mark.parametrize("claimed", WRONG, ids=lambda c: c.id)
def test_the_wrong_version_is_found_wrong(claimed):
    assert outcome(claimed) != "missed"


@pytest.mark.parametrize("claimed", RIGHT, ids=lambda c: c.id)
def test_the_right_version_is_found_right(claimed):
    assert check(claimed.claim, **claimed.arguments).holds


def test_nine_kinds_of_ten_are_named():
    found = counts(WRONG)
    assert found["named"] + found["first"] >= 0.9 * len(WRONG)


def test_every_kind_that_the_corpus_names_is_known():
    assert {case["kind"] for case in cases()} <= set(MISTAKES)


def test_corrections_that_would_break_a_right_formula_are_refused():
    corrections = {case["id"] for case in cases() if case.get("correction")}
    assert len(corrections) >= 4
    for claimed in WRONG:
        if claimed.case in corrections:
            assert not check(claimed.claim, **claimed.arguments).holds


def test_the_page_shows_the_present_counts():
    assert table() in PAGE.read_text(), "run python tests/corpus_cases.py"


def test_fresh_wrong_versions_are_found_and_named():
    found = fresh_counts(RIGHT, 30)
    assert found["missed"] <= 1
    assert found["first"] >= 24
