"""Proofs: true statements are proved, false ones refuted at points that were verified."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from sympy import Integer, Rational, ceiling, exp, sqrt

import proving
from strategies import SYMBOLS, evaluate, points, signomials, solves
from symcost.algebra import Maximum, Minimum, as_posynomial
from symcost.algebra.relation import Relation
from symcost.algebra.signs import Condition, Facts, decided, possible_signs
from symcost.analysis.limit import limit
from symcost.analysis.proof import smt
from symcost.analysis.proof.claim import Claim, Goal, domain
from symcost.analysis.proof.logic import All, Formula, Some, differ, holds, negation
from symcost.analysis.proof.monotone import error_direction, monotone
from symcost.analysis.proof.proof import decide
from symcost.analysis.proof.signs import decided_by_signs
from symcost.analysis.proving import prove
from symcost.analysis.thresholds.intervals import Interval
from symcost.analysis.thresholds.proof import (
    prove_necessary,
    prove_sufficient,
    threshold_claim,
)
from symcost.analysis.thresholds.sets import Case, merged
from symcost.analysis.thresholds.threshold import threshold
from symcost.errors import MissingRuleError, UndecidedError
from symcost.symbols import dims, rates

pytest.importorskip("z3")

B, D, F, S = SYMBOLS
C, W = rates("C W")
H100 = Rational(19780, 67)
INTENSITY = B * D * F / (B * D + D * F + B * F)


def plainly(what: Formula) -> tuple[Goal, ...]:
    """One goal without a condition."""
    return (Goal(All(()), what),)


RULES = [
    (INTENSITY > H100, B),
    (INTENSITY > C / W, B),
    (INTENSITY > C / W, W),
    (INTENSITY > C / W, D),
    (B**2 > 2, B),
    (B**2 > D, B),
    (B**5 + B > 7, B),
    (B**3 + D * B > F, B),
    ((D + F) * B**3 + B > S, B),
    (B**2 - D * B + F < 0, B),
    (B**2 - D * B + F >= 0, B),
    (B**2 - D * B + F <= 0, B),
    (B + sqrt(B) * D > F, B),
    (sqrt(B) * D >= F + S, B),
    (Maximum(D, F) < B, B),
    (Relation(Maximum(2 * B, B * D), ">", F), B),
    (Relation(Minimum(2 * B, B * D), ">=", F), B),
    (Relation(Maximum(B, D) ** 2, ">", Maximum(B, F) * S), B),
    (Relation(Maximum(B, D) ** 2, ">=", Minimum(B, F) * S), B),
    (Relation((B - D) * (B - F) * (B - S), ">", Integer(0)), B),
    (Relation((B - D) * (B - F) * (B - S), "<=", Integer(0)), B),
    (Relation((B - D) * B / (B - F), ">", Integer(0)), B),
]


@pytest.mark.parametrize(("relation", "unknown"), RULES, ids=str)
def test_thresholds_are_proved_by_z3_whatever_signs_say(relation, unknown):
    rule = threshold(relation, unknown)
    proof = decide(threshold_claim(rule))
    assert proof.status == "proved"
    assert proof.method == "z3"
    assert prove(rule).is_proved


def test_what_signs_decide_needs_no_solver(monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    proof = prove(threshold(INTENSITY > H100, B))
    assert (proof.status, proof.method) == ("proved", "signs")
    assert prove(threshold(B**2 - D * B + F < 0, B)).method == "signs"
    with pytest.raises(MissingRuleError) as caught:
        prove(threshold(Relation(Maximum(2 * B, B * D), ">", F), B))
    assert str(caught.value) == ("proofs need z3; install it with: pip install 'symcost[prove]'")


def test_the_statement_is_a_closed_formula():
    proof = prove(threshold(INTENSITY > H100, B))
    assert repr(proof) == (
        "proved: for all D, F >= 1, B > 0: B*D*F/(B*D + B*F + D*F) > 19780/67 if and only if "
        "B > 19780*D*F/(67*D*F - 19780*(D + F)) if 67*D*F > 19780*(D + F); otherwise never"
    )


def wrong_versions(rule):
    """The rule with each kind of mistake that a solver of inequalities makes."""
    case, *rest = rule.cases
    (interval,) = case.intervals
    flipped = Interval(high=interval.low, high_closed=interval.low_closed)
    closed = replace(interval, low_closed=not interval.low_closed)
    moved = replace(interval, low=interval.low * 2)
    for wrong in (flipped, closed, moved):
        yield replace(rule, cases=(replace(case, intervals=(wrong,)), *rest))
    if rest:
        yield replace(rule, cases=(Case(case.intervals),))


@pytest.mark.parametrize("relation", [r for r, _ in RULES[:3:2]] + [B**2 > D, B**3 + D * B > F])
def test_wrong_thresholds_are_refuted_at_a_verified_point(relation):
    with proving.not_proved():
        rule = threshold(relation, B if B in relation.free_symbols else W)
        if rule.symbol != B or rule.main.intervals[0].low is None:
            return
        for wrong in wrong_versions(rule):
            assert not decided_by_signs(wrong)
            proof = prove(wrong)
            assert proof.status == "refuted"
            point = proof.counterexample
            assert all(value.is_Rational and value > 0 for value in point.values())
            truth = holds(Relation(rule.lhs, rule.op, rule.rhs), point)
            claimed = solves(rule, point[B], {s: v for s, v in point.items() if s != B})
            assert truth == claimed  # the right rule agrees with the inequality there


# What signs decide, and points at which the corrupted versions of the rules are judged.
SIGNED = [
    INTENSITY > H100,
    B**2 - D * B + F < 0,
    B**2 - D * B + F <= 0,
    B**2 - D * B + F > 0,
    B**2 - D * B + F >= 0,
    Relation(D * B, "<", B**2 * F + S),
    Relation(D * B, ">=", B**2 * F + S),
    B**2 > D * B + F,
    B**2 <= D * B + F,
    B**4 * F > S * B**2 + D,
    Relation(B**6 + F, "<", D * B**3),
    D * B**5 + B**4 + B**3 + F * B**2 + B > S,
    B**3 + D * B <= F,
    (D - F) * B > S,
    (D - F) * B >= S - 2,
    sqrt(B) * D >= F + S,
]
NUMBERS = [
    dict(zip((D, F, S), map(Integer, each), strict=True))
    for each in [(3, 2, 1), (2, 1, 1), (1, 1, 2), (2, 2, 9), (1, 3, 4), (900, 300, 12)]
]


def corrupted(rule):
    """The rule with one end, interval, condition or case other than it was."""
    for number, case in enumerate(rule.cases):
        sets = [(), (Interval(),), case.intervals[:1]]
        others = [replace(case, intervals=each) for each in sets] + [Case(case.intervals)]
        others += [Case(case.intervals, (each.negated(),)) for each in case.when]
        for at, each in enumerate(case.intervals):
            versions = [
                Interval(each.high, each.low, each.high_closed, each.low_closed),
                Interval(each.low, None, each.low_closed),
                Interval(None, each.high, False, each.high_closed),
                replace(each, low_closed=not each.low_closed),
                replace(each, high_closed=not each.high_closed),
                replace(each, low=each.low and each.low * 2),
                replace(each, high=each.high and each.high + 1),
            ]
            for version in versions:
                intervals = (*case.intervals[:at], version, *case.intervals[at + 1 :])
                others.append(replace(case, intervals=intervals))
        for more in (*([other] for other in others), []):
            yield replace(rule, cases=(*rule.cases[:number], *more, *rule.cases[number + 1 :]))


def answers_at(rule, point):
    """The sets of the cases that apply at a point."""
    named = [case for case in rule.cases if not case.otherwise]
    when = {case: (each.relation().substitute(point) for each in case.when) for case in named}
    applies = [case for case in named if all(map(decided, when[case]))]
    for case in applies or [case for case in rule.cases if case.otherwise]:
        yield [
            replace(each, low=put(each.low, point), high=put(each.high, point))
            for each in case.intervals
        ]


def put(end, point):
    return end if end is None else end.xreplace(point)


def is_true(rule, point):
    return Relation(put(rule.lhs, point), rule.op, put(rule.rhs, point)).holds()


@pytest.mark.parametrize("relation", SIGNED, ids=str)
def test_signs_prove_what_is_right_and_nothing_else(relation):
    with proving.not_proved():
        rule = threshold(relation, B)
    assert decided_by_signs(rule)
    truths = []
    for point in NUMBERS:
        ends = {e for s in answers_at(rule, point) for each in s for e in (each.low, each.high)}
        values = [Integer(1000), Rational(1, 1000)]
        values += [v for e in ends - {None} for v in (e, e + Rational(1, 9), e - Rational(1, 9))]
        truths.append({v: is_true(rule, {**point, B: v}) for v in values if v > 0})
    with proving.not_proved():
        proved = [wrong for wrong in corrupted(rule) if decided_by_signs(wrong)]
    for wrong in proved:
        for point, truth in zip(NUMBERS, truths, strict=True):
            said = [*answers_at(wrong, point)]
            assert said
            for intervals in said:
                told = {v: any(each.contains(v) for each in intervals) for v in truth}
                assert told == truth, (wrong, point)


def test_overlapping_cases_are_refuted():
    rule = threshold(INTENSITY > H100, B)
    with proving.not_proved():
        never = Case((), ())
        wrong = replace(rule, cases=(rule.cases[0], never))
        assert prove(wrong).status == "refuted"


def test_the_limit_is_necessary_and_not_sufficient():
    simple, full = threshold(INTENSITY > C / W, B, "B << D, F"), threshold(INTENSITY > C / W, B)
    assert prove_necessary(simple, full).is_proved
    proof = prove_sufficient(simple, full)
    assert proof.status == "refuted"
    point = proof.counterexample
    assert solves(simple, point[B], {s: v for s, v in point.items() if s in (C, W)})
    assert not holds(Relation(full.lhs, full.op, full.rhs), point)


def test_sufficient_under_an_assumption():
    full = threshold(INTENSITY > 100, B, "D >= 4096; F >= 4096")
    simple = threshold(B > 110, B)
    assert prove_sufficient(simple, full).is_proved
    assert prove_sufficient(threshold(B > 105, B), full).status == "refuted"


def test_undecided_after_the_time_limit():
    hard = Relation((B**3 + D * F**2 + S) ** 5, ">", (B * D * F * S + F) ** 4 + B)
    symbols = tuple(sorted(hard.free_symbols, key=str))
    proof = decide(Claim("hard", symbols, domain(symbols), plainly(hard)), timeout=0.001)
    assert proof.status == "undecided"
    assert proof.counterexample is None


@pytest.mark.parametrize(
    ("value", "assume", "expected"),
    [
        (INTENSITY, "B << D, F", "over"),
        (D + B, "B << D", "under"),
        (B * D, "B << D", "exact"),
        (B + D - 2 * B**2 / D, "B << D", "both"),
        (D**2 + B**2 - B * D / 2, "B << D", "both"),
    ],
)
def test_the_direction_of_the_error(value, assume, expected):
    found = error_direction(limit(value, assume))
    assert found.answer == expected
    assert found.proof.is_proved == (expected != "both")
    assert prove(limit(value, assume)) == replace(found.proof, seconds=limit_seconds(found))


def limit_seconds(found):
    return pytest.approx(found.proof.seconds, abs=20)


@pytest.mark.parametrize(
    ("value", "given", "expected", "method"),
    [
        (INTENSITY, None, "increasing", "signs"),
        (1 / INTENSITY, None, "decreasing", "signs"),
        (D + F, None, "constant", "signs"),
        (B**2 - B * D, None, "neither", "z3"),
        (B**2 - B * D, "D <= 2", "increasing", "signs"),
        (Maximum(B, D) / S, None, "increasing", "signs"),
        (ceiling(B / 8) * D, None, "increasing", "signs"),
        (D * exp(-B / 8), None, "decreasing", "signs"),
        (B**3 - 3 * B**2 * D + 3 * B * D**2, None, "increasing", "z3"),
    ],
)
def test_monotonicity(value, given, expected, method):
    found = monotone(value, B, given)
    assert found.answer == expected
    assert found.proof.method == method
    assert found.proof.is_proved == (expected != "neither")


def test_steps_are_covered_by_a_relaxation():
    claim = plainly(Relation(8 * ceiling(B / 8), ">=", B))
    assert decide(Claim("padded", (B,), domain([B]), claim)).is_proved
    false = plainly(Relation(8 * ceiling(B / 8), ">", B))
    assert not decide(Claim("padded", (B,), domain([B]), false)).is_proved


def test_facts_are_hypotheses():
    rule = threshold(INTENSITY > C / W, B, "D*F*W > C*(D + F)")
    assert len(rule.cases) == 1
    assert "with D*F*W > C*D + C*F: " in prove(rule).statement
    assert decide(threshold_claim(rule)).is_proved


def test_irrational_models_give_rational_counterexamples():
    proof = decide(Claim("B*B != 2 nearby", (B,), (), plainly(Relation(B**3 - 5, ">", B))))
    assert proof.status == "refuted"
    assert proof.counterexample[B].is_Rational
    exact = decide(Claim("never root", (C,), (), plainly(Relation(C**2, "!=", Integer(2)))))
    assert exact.status == "undecided"  # its only counterexample is irrational


@given(signomials(3), signomials(2, 1), points)
def test_formulas_are_evaluated_and_negated(left, right, point):
    first = Relation(left.to_sympy(), ">", right.to_sympy())
    second = Relation(right.to_sympy(), "<=", Integer(3))
    at = {s: Integer(v) for s, v in point.items()}
    for formula in (first, All((first, second)), Some((first, second)), differ(first, second)):
        assert holds(negation(formula), at) != holds(formula, at)


def test_denominators_of_either_sign():
    below = Relation(D / (-B - 1), ">", F / (-B - 1))
    split = Relation(D / (B - S), ">=", F / (B - S))
    symbols = (B, D, F, S)
    above = All((Relation(B, ">", S), Relation(D, ">=", F)))
    under = All((Relation(B, "<", S), Relation(D, "<=", F)))
    for relation, same in (
        (below, Relation(D, "<", F)),
        (split, Some((above, under))),
        (Relation(1 / (-B), "<", 1 / (-2 * B)), All(())),
        (Relation(1 / (-B), "<", 1 / (2 * B)), All(())),
    ):
        for wanted, what in (
            ("proved", negation(differ(relation, same))),
            ("refuted", differ(relation, same)),
        ):
            claim = Claim("", symbols, domain(symbols), plainly(what), (split.lhs,))
            assert decide(claim).status == wanted


def test_no_value_is_no_truth():
    with pytest.raises(UndecidedError, match="is no real number"):
        holds(Relation(sqrt(B - 2), ">", Integer(0)), {B: Integer(1)})


@given(signomials(3), points)
def test_a_refutation_is_true(value, point):
    symbols = tuple(sorted(value.symbols, key=str))
    claim = Claim(
        "positive", symbols, domain(symbols), plainly(Relation(value.to_sympy(), ">", Integer(0)))
    )
    proof = decide(claim, 2)
    at = {s: Integer(point[s]) for s in symbols}
    if proof.status == "refuted":
        assert not value.to_sympy().xreplace(dict(proof.counterexample)) > 0
    if proof.is_proved:
        assert value.to_sympy().xreplace(at) > 0


def test_upper_bounds_decide_signs():
    facts = Facts(lower={D: 2}, upper={D: 8})
    assert monotone(B * (9 - D), B, facts).answer == "increasing"
    assert monotone(B * (7 - D), B, facts).answer == "neither"


@given(signomials(4), points, points)
def test_signs_in_a_box_hold_in_the_box(value, one, other):
    low = {s: min(one[s], other[s]) for s in SYMBOLS}
    high = {s: max(one[s], other[s]) for s in (D, F)}
    signs = possible_signs(value, Facts(lower=low, upper=high))
    for at in (low, {**low, **high}, {s: (one[s] + other[s] + 1) // 2 for s in SYMBOLS}):
        found = evaluate(value, at)
        assert (found > 0) - (found < 0) in signs


def test_prove_takes_claims_and_results():
    assert prove(limit(INTENSITY, "B << D, F")).is_proved
    assert prove(threshold(B > D, B)).is_proved
    assert prove(Claim("yes", (B,), domain([B]), plainly(Relation(B, ">=", Integer(1))))).is_proved


SIGNS = [frozenset(each) for each in ((-1,), (0,), (1,), (-1, 0), (0, 1), (-1, 1))]


@pytest.mark.parametrize("seed", range(50))
def test_merged_cases_hold_where_the_cases_held(seed):
    """Cases with one answer, under signs of B - D and D - 2: compared at every pair of signs."""
    draw = Random(seed)
    values = as_posynomial(B - D), as_posynomial(D - 2)
    cases = [
        Case((), tuple(Condition(v, draw.choice(SIGNS)) for v in values if draw.random() < 0.8))
        for _ in range(3)
    ]

    def held(chosen):
        at = [dict(zip(values, signs, strict=True)) for signs in product((-1, 0, 1), repeat=2)]
        return [any(all(p[c.value] in c.signs for c in each.when) for each in chosen) for p in at]

    assert held(merged(cases)) == held(cases)


def test_a_missing_solver_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(MissingRuleError):
        smt.z3_module()


WRONG = """
from dataclasses import replace
from symcost.analysis.thresholds.intervals import Interval
from symcost.analysis.thresholds.sets import Case
from symcost.analysis.thresholds.threshold import threshold
from symcost.symbols import dims
B, D = dims("B D")

def test_right():
    assert threshold(B * D / (B + D) > 100, B).bound is not None

def test_wrong():
    rule = threshold(B * D / (B + D) > 100, B)
    replace(rule, cases=(Case((Interval(low=100 + 0 * D),)),))
"""


def test_a_wrong_threshold_fails_the_test_that_made_it(tmp_path):
    (tmp_path / "test_made.py").write_text(WRONG)
    (tmp_path / "conftest.py").write_text(
        "from proving import pytest_runtest_call, pytest_terminal_summary\n"
    )
    here = Path(__file__).parent
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{here.parent}"},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 1 passed" in run.stdout, run.stdout + run.stderr
    assert "refuted: for all D >= 1, B > 0: B*D/(B + D) > 100 if and only if B > 100" in run.stdout
    assert "test_made.py::test_wrong - Failed: refuted" in run.stdout


def test_a_set_that_holds_a_pole_is_refuted():
    rule = threshold(Relation(1 / (B - 3), ">=", Integer(0)), B)
    assert prove(rule).status == "proved"
    with proving.not_proved():
        closed = replace(rule.main, intervals=(replace(rule.main.intervals[0], low_closed=True),))
        wrong = prove(replace(rule, cases=(closed,)))
    assert (wrong.status, wrong.counterexample) == ("refuted", {B: 3})


@pytest.mark.parametrize("left", [Maximum(B, D), Minimum(B, D)])
@pytest.mark.parametrize("right", [Maximum(B, F), Minimum(B, F)])
def test_extrema_on_both_sides_are_proved(left, right):
    assert prove(threshold(Relation(left, ">", right), B)).status == "proved"


def test_a_root_with_a_sum_for_each_end_is_proved():
    rule = threshold("(D + F)*B**3 + B > S + D", "B")
    assert prove(rule).status == "proved"


def test_nothing_is_monotone_across_a_pole():
    """1/(D - B) rises on either side of B = D, from 1 at B = D - 1 to -1 at B = D + 1."""
    B, D = dims("B D")
    assert monotone(1 / (D - B), B).answer == "neither"
    assert monotone(1 / (D - B), B, "D <= 8; B >= 9").answer == "increasing"
