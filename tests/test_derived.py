"""Published results, derived by the engine from their setup; differences are explained."""

from __future__ import annotations

import pytest

from corpus_cases import cases
from derivations import WAYS, derived
from symcost.checker import check

CASES = cases("derived_*.toml")
ARGUMENTS = ("quantity", "chip", "channel", "assume", "symbol", "where", "count")


def report(case, published):
    if "ask" not in case:
        arguments = {name: case[name] for name in ARGUMENTS if name in case}
        return check(published, case["of"], **arguments)
    return check(published, against=derived(case), where=case.get("where"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_published_result_is_derived(case):
    found = report(case, case["published"])
    if "differs" in case:
        assert not found.holds, found
        assert report(case, case["value"]).holds
    else:
        assert found.holds, found


def test_ids_are_unique_and_every_way_is_used():
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["ask"] for case in CASES if "ask" in case} == set(WAYS)
