"""What a threshold claims: its cases, each with its set, and how limit and exact rules relate."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sympy import Integer, Symbol

from symcost.algebra.relation import Relation
from symcost.algebra.signs import Facts
from symcost.analysis.proof.claim import Claim, Goal, domain, quantified
from symcost.analysis.proof.logic import All, Formula, Some, differ, member, negation, when
from symcost.analysis.proof.proof import TIMEOUT, Proof, by_signs, decide
from symcost.analysis.proof.signs import decided_by_signs
from symcost.analysis.thresholds.phrases import set_words
from symcost.analysis.thresholds.sets import Case
from symcost.analysis.thresholds.threshold import Threshold
from symcost.documents.blocks import joined, words
from symcost.documents.wording import relation_words


def threshold_claim(rule: Threshold) -> Claim:
    """That the inequality holds exactly on the set of the case that applies.

    >>> from symcost.analysis.thresholds.threshold import threshold
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> print(threshold_claim(threshold(B > D, B)).statement)
    for all D >= 1, B > 0: B > D if and only if B > D
    """
    return set_claim((rule,), rule.cases, rule.facts)


def set_claim(rules: Sequence[Threshold], cases: tuple[Case, ...], facts: Facts) -> Claim:
    """That the inequalities of all the rules hold together exactly on the set of the cases."""
    unknown = rules[0].symbol
    relations = tuple(Relation(rule.lhs, rule.op, rule.rhs) for rule in rules)
    poles = (Relation(p.to_sympy(), "!=", Integer(0)) for rule in rules for p in rule.poles)
    parts = (*relations, *poles)
    together: Formula = parts[0] if len(parts) == 1 else All(parts)
    symbols = _symbols(*rules)
    goals = [
        Goal(when(case, cases), _same(together, unknown, case), member(unknown, case.intervals))
        for case in cases
    ]
    said = joined(map(relation_words, relations), " and ")
    solution = set_words(unknown, cases)
    return Claim(
        words(*quantified(symbols, facts, unknown), *said, " if and only if ", *solution),
        symbols,
        domain(symbols, facts, unknown),
        (*goals, *_exclusive(cases)),
        tuple(side for rule in rules for side in (rule.lhs, rule.rhs)),
    )


def prove_threshold(rule: Threshold, timeout: float = TIMEOUT) -> Proof:
    """Whether the threshold's cases are right: by signs where they decide it, otherwise by z3.

    >>> from symcost.analysis.thresholds.threshold import threshold
    >>> from symcost.symbols import dims
    >>> prove_threshold(threshold(dims("B") ** 2 > 2, dims("B"))).status
    'proved'

    Args:
        rule: the threshold.
        timeout: seconds for the whole proof.

    Returns:
        The proof of "for all symbols: the inequality holds if and only if …".
    """
    claim = threshold_claim(rule)
    return by_signs(claim) if decided_by_signs(rule) else decide(claim, timeout)


def prove_necessary(
    limit_rule: Threshold, exact_rule: Threshold, timeout: float = TIMEOUT
) -> Proof:
    """Whether the exact inequality implies the limit's rule.

    >>> from symcost.analysis.thresholds.threshold import threshold
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> simple, full = threshold(B > 100, B), threshold(B * D / (B + D) > 100, B)
    >>> prove_necessary(simple, full).status, prove_sufficient(simple, full).status
    ('proved', 'refuted')
    """
    return _implied(limit_rule, exact_rule, necessary=True, timeout=timeout)


def prove_sufficient(
    limit_rule: Threshold, exact_rule: Threshold, timeout: float = TIMEOUT
) -> Proof:
    """Whether the limit's rule implies the exact inequality; if not, where it fails.

    >>> from symcost.analysis.thresholds.threshold import threshold
    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> simple, full = threshold(B > 100, B), threshold(B * D / (B + D) > 100, B)
    >>> proof = prove_sufficient(simple, full)
    >>> b, d = proof.counterexample[B], proof.counterexample[D]
    >>> b > 100, b * d / (b + d) > 100
    (True, False)
    """
    return _implied(limit_rule, exact_rule, necessary=False, timeout=timeout)


def _implied(simple: Threshold, full: Threshold, *, necessary: bool, timeout: float) -> Proof:
    """The implication in one direction, for sizes of at least 1."""
    relation = Relation(full.lhs, full.op, full.rhs)
    facts = full.facts
    symbols = _symbols(simple, full)
    goals = []
    for case in simple.cases:
        inside = member(simple.symbol, case.intervals)
        applies = when(case, simple.cases)
        premise, conclusion = (relation, inside) if necessary else (inside, relation)
        goals.append(Goal(All((applies, premise)), conclusion))
    sides = [relation_words(relation), set_words(simple.symbol, simple.cases)]
    implied = joined(sides if necessary else sides[::-1], " implies ")
    said = (*quantified(symbols, facts), *implied)
    claim = Claim(said, symbols, domain(symbols, facts), tuple(goals), (full.lhs, full.rhs))
    return decide(claim, timeout)


def _symbols(*rules: Threshold) -> tuple[Symbol, ...]:
    sides = (side for rule in rules for side in (rule.lhs, rule.rhs, rule.symbol))
    return tuple(sorted({s for side in sides for s in side.free_symbols}, key=lambda s: s.name))


def _same(relation: Formula, unknown: Symbol, case: Case) -> Formula:
    """Not (exactly one of relation and membership)."""
    if case.is_always:
        return relation
    if case.is_never:
        return negation(relation)
    return negation(differ(relation, member(unknown, case.intervals)))


def _exclusive(cases: tuple[Case, ...]) -> list[Goal]:
    """Two cases with different answers never apply together, and some case always does."""
    named = [case for case in cases if not case.otherwise]
    goals = [
        Goal(when(a, cases), negation(when(b, cases)))
        for a, b in combinations(named, 2)
        if a.intervals != b.intervals
    ]
    if len(named) == len(cases) and any(case.when for case in cases):
        goals.append(Goal(All(()), Some(tuple(when(case, cases) for case in cases))))
    return goals
