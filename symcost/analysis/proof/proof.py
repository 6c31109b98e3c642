"""Proofs: whether a claim about all sizes is true, decided by signs or by an SMT solver.

What the signs of coefficients decide is decided exactly and at once. The rest is put to z3
(the extra ``prove``) as "is there a counterexample?". A counterexample is reported only after
it was verified with exact numbers here.

Source: L. de Moura, N. Bjorner, Z3: an efficient SMT solver, TACAS 2008; D. Jovanovic,
L. de Moura, Solving non-linear arithmetic, IJCAR 2012.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter

from sympy import Rational, Symbol

from symcost.algebra.posynomial import to_rational
from symcost.algebra.relation import Relation
from symcost.analysis.proof.claim import Claim, Goal
from symcost.analysis.proof.logic import All, Formula, Some, holds, negation
from symcost.analysis.proof.polynomials import Flattening
from symcost.analysis.proof.smt import satisfiable, z3_module
from symcost.documents.blocks import Block, Math, Prose, Words, inlines, joined, words
from symcost.errors import InvalidValueError, UndecidedError
from symcost.render.formats.text import words_text
from symcost.render.shown import Displayed

TIMEOUT = 10.0  # seconds for the whole of a claim


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Displayed):
    """What is known of a statement: ``status`` is "proved", "refuted" or "undecided".

    ``counterexample`` gives exact numbers for which a refuted statement fails; ``method`` is
    "signs" (of coefficients) or "z3"; ``seconds`` were spent, ``timeout`` were allowed.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> sc.prove(sc.threshold(B * D / (B + D) > 100, B)).is_proved
    True
    """

    status: str
    said: Words
    method: str
    counterexample: Mapping[Symbol, Rational] | None = None
    seconds: float = 0.0
    timeout: float = TIMEOUT

    @property
    def statement(self) -> str:
        """What was asked, as plain text."""
        return words_text(self.said)

    @property
    def is_proved(self) -> bool:
        """Whether the statement is true."""
        return self.status == "proved"

    def blocks(self) -> tuple[Block, ...]:
        """The status, the statement, and where it fails."""
        said = words(f"{self.status}: ", *inlines(self.said))
        if self.counterexample:
            point = [(Math(s, (("=", v),)),) for s, v in self.counterexample.items()]
            said += words("; it fails at ", *joined(point))
        return (Prose(said),)

    def data(self) -> dict[str, object]:
        """Its statement, its status, and exact numbers that refute it if any do."""
        point = self.counterexample
        return {
            "status": self.status,
            "statement": self.statement,
            "method": self.method,
            "counterexample": {s.name: str(v) for s, v in point.items()} if point else None,
        }


def by_signs(claim: Claim) -> Proof:
    """The proof of a claim that the signs of coefficients have decided."""
    return Proof("proved", claim.said, "signs")


def decide(claim: Claim, timeout: float = TIMEOUT) -> Proof:
    """Put a claim to z3, goal by goal."""
    if not _is_duration(timeout):
        raise InvalidValueError(
            f"{timeout!r} is no time to wait", repair="give a number of seconds above 0"
        )
    z3_module()
    started = perf_counter()
    status, point = "proved", None
    for goal in claim.goals:
        left = timeout - (perf_counter() - started)
        answer, point = _search(claim, goal, left) if left > 0 else ("unknown", None)
        if answer == "yes":
            status = "refuted"
            break
        if answer == "unknown":
            status = "undecided"
    spent = perf_counter() - started
    return Proof(status, claim.said, "z3", point, spent, timeout)


def _is_duration(timeout: object) -> bool:
    return isinstance(timeout, int | float | Fraction) and timeout > 0


def _search(
    claim: Claim, goal: Goal, timeout: float
) -> tuple[str, Mapping[Symbol, Rational] | None]:
    """Look for a point that satisfies the hypotheses and not the goal."""
    result = "no"
    for query in _queries(claim, goal):
        model = satisfiable(query, claim.symbols, claim.symbols, timeout)
        for point in _candidates(model.points):
            if fails_at(claim, goal, point):
                return "yes", point
        if model.answer != "no":
            result = "unknown"
    return result, None


def _queries(claim: Claim, goal: Goal) -> list[list[Formula]]:
    """What would refute the goal: a bound that has no value there, or that has a wrong one."""
    flat = Flattening()
    for expr in claim.defined:
        flat.formula(Relation(expr, ">", to_rational(0)))
    poles = tuple(flat.undefined)
    given = [*(flat.formula(each) for each in claim.hypotheses), flat.formula(goal.when)]
    base = [*(negation(formula) for formula in poles), *given]
    known, before = len(flat.undefined), [*base, *flat.definitions]
    wrong = [*base, flat.formula(negation(goal.what)), *flat.definitions]
    without_value = tuple(flat.undefined[known:])
    queries = [[*before, Some(without_value)], wrong] if without_value else [wrong]
    if poles and goal.unless is not None:
        at_pole = [*given, Some(poles), flat.formula(goal.unless)]
        queries.append([*at_pole, *flat.definitions])
    return queries


def _candidates(
    points: Iterable[Mapping[Symbol, Fraction]],
) -> Iterable[dict[Symbol, Rational]]:
    """Each point, first with its numbers rounded to integers where that gives positive ones."""
    for point in points:
        for rounded in (_integers(point, 0), _integers(point, 1), point):
            if all(value > 0 for value in rounded.values()):
                yield {s: to_rational(Fraction(v)) for s, v in sorted(rounded.items(), key=_name)}


def _integers(point: Mapping[Symbol, Fraction], extra: int) -> Mapping[Symbol, Fraction]:
    return {s: Fraction(int(v) + extra) for s, v in point.items()}


def _name(item: tuple[Symbol, Fraction]) -> str:
    return str(item[0])


def fails_at(claim: Claim, goal: Goal, point: Mapping[Symbol, Rational]) -> bool:
    """Whether exact evaluation confirms that the goal fails where the hypotheses hold."""
    try:
        if not holds(All((*claim.hypotheses, goal.when)), point):
            return False
        if not all(expr.xreplace(dict(point)).is_finite for expr in claim.defined):
            return goal.unless is not None and holds(goal.unless, point)
    except UndecidedError:
        return False
    try:
        return not holds(goal.what, point)
    except UndecidedError:
        return True  # a bound has no real value there
