"""Which values of a symbol suffice for all sizes in a box, beside the limit and the exact rule.

Where the inequality gets easier or harder with each parameter everywhere, the worst case is a
corner of the box, and the threshold at that corner is exactly what is guaranteed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sympy import Expr, Integer, Symbol

from symcost.algebra import Ratio, as_ratio
from symcost.algebra.assumptions import Assumption
from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.algebra.signs import Facts, decided
from symcost.analysis.assume import assumed
from symcost.analysis.proof.claim import Claim, Goal, domain, quantified
from symcost.analysis.proof.logic import All, member
from symcost.analysis.proof.monotone import unsettled_factor
from symcost.analysis.thresholds.asking import question
from symcost.analysis.thresholds.inequality import all_or_any, positive_ratio
from symcost.analysis.thresholds.phrases import set_words, threshold_words
from symcost.analysis.thresholds.region import WorstCase, worst_cases
from symcost.analysis.thresholds.sets import with_otherwise
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.documents.blocks import Block, Prose, Words, joined, words
from symcost.documents.wording import assumption_words, relation_words
from symcost.errors import InvalidValueError, UndecidedError
from symcost.notation.border import ARelation, Assumptions, ASymbol
from symcost.render.shown import Displayed
from symcost.symbols import is_dim


@dataclass(frozen=True, slots=True)
class LimitCost:
    """What the limit's rule costs at given numbers: the inequality's sides at its first value.

    ``value`` is the first integer (or the bound) that the limit's rule allows, ``lhs`` and
    ``rhs`` the exact sides there, ``relative`` their ``lhs/rhs - 1``, ``holds`` whether the
    inequality does; ``needed`` is the exact rule's first value, or None where there is none.
    """

    value: Expr
    lhs: Expr
    rhs: Expr
    relative: Expr
    holds: bool
    needed: Expr | None


@dataclass(frozen=True, slots=True, repr=False)
class Guarantee(Displayed):
    """The values of ``symbol`` that suffice for all parameters in the box ``given``.

    ``guaranteed`` is the rule, ``corners`` the places it is taken at (``oo`` for a parameter
    without an upper bound), of which each may be the worst. ``exact`` is the rule for each
    single point, ``limit`` the one under an order of growth.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> sc.guarantee(B * D / (B + D) > 100, B, "D >= 200").guaranteed.bound
    200
    """

    symbol: Symbol
    given: str
    relation: Relation
    guaranteed: Threshold
    exact: Threshold
    limit: Threshold | None
    corners: tuple[WorstCase, ...]
    facts: Facts
    box: tuple[Assumption, ...] = ()

    def blocks(self) -> tuple[Block, ...]:
        """What suffices in the box, the rule for each single point, and the limit's."""
        blocks = [Prose(self.said), Prose(words("exact: ", *threshold_words(self.exact)))]
        if self.limit is not None:
            head = words("limit (", *assumption_words(self.limit.assumptions), "): ")
            blocks.append(Prose(words(*head, *threshold_words(self.limit))))
        return tuple(blocks)

    def data(self) -> dict[str, object]:
        """The rule that suffices, and in which box."""
        return self.guaranteed.data() | {"given": self.given}

    @property
    def said(self) -> Words:
        """What suffices, in one line."""
        box = assumption_words(self.box) or ("all values",)
        if self.guaranteed.is_never:
            every = "all of " * bool(self.box)
            return words("no ", self.symbol, f" suffices for {every}", *box)
        return words("guaranteed for ", *box, ": ", *threshold_words(self.guaranteed))

    def cost_of_limit(
        self, values: Mapping[str, object] | Mapping[Symbol, object] | None = None, **named: object
    ) -> LimitCost:
        """What using the limit's rule instead of the exact one costs at given numbers.

        Raises:
            InvalidValueError: no limit was asked for, or it gives no number.
        """
        given = {**{getattr(k, "name", k): v for k, v in (values or {}).items()}, **named}
        start = None if self.limit is None else first_value(self.limit, given)
        if start is None:
            raise InvalidValueError(
                "there is no limit rule with a number to compare with",
                repair='pass assume="B << D, F" and numbers for its other symbols',
            )
        rule = _at(self.exact, given)
        left, right = (as_ratio(s.xreplace({self.symbol: start})) for s in (rule.lhs, rule.rhs))
        relative = (left / right - as_ratio(1)).to_sympy()
        lhs, rhs = left.to_sympy(), right.to_sympy()
        return LimitCost(start, lhs, rhs, relative, rule.contains(start), first_value(rule, {}))


def guarantee(
    relation: ARelation,
    symbol: ASymbol,
    given: Assumptions,
    assume: Assumptions | None = None,
) -> Guarantee:
    """The values of a symbol for which an inequality holds whatever the sizes in a box.

    >>> from sympy import Rational
    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> intensity = B * D * F / (B * D + D * F + B * F)
    >>> found = guarantee(intensity > Rational(19780, 67), B, "D, F >= 8192", "B << D, F")
    >>> found.guaranteed
    Threshold: B > 20254720/63663 (318.2), smallest integer 319
    >>> found.cost_of_limit(D=8192, F=8192).holds
    False

    Args:
        relation: an inequality between cost expressions.
        symbol: the unknown.
        given: the region of the parameters, ``"D, F >= 8192; F <= 4*D"``. A dimension without
            a lower bound is at least 1.
        assume: an order of growth, for the limit's rule to compare with.

    Returns:
        What suffices in the whole box, beside the exact and the limit's rule.

    Raises:
        UndecidedError: no corner is seen to be the worst, or a rate has no bound.
    """
    asked = question(relation, symbol, assume, given)
    unknown = asked.unknown
    _check_region(asked.read.given, unknown)
    box = assumed(asked.read.given, asked.sides, extra=(unknown,))
    whole = asked.relation.map(box.substituted)
    if unknown in asked.relation.free_symbols - whole.free_symbols:
        raise InvalidValueError(
            f"{box.text} replaces {unknown}, which is solved for",
            repair=f"give the other symbols by {unknown}, as in F = 4*{unknown}",
        )
    upward = whole.upward()
    margin = as_ratio(upward.lhs) - as_ratio(upward.rhs)
    _check_poles(margin, unknown, box.facts)
    corners = worst_cases(margin, unknown, box.facts.known, not upward.is_strict)
    if not corners:
        raise InvalidValueError(f"nothing satisfies {box.text}", repair="widen the box")
    simple = None
    if assume is not None:
        growth = assumed(asked.read.assumptions, asked.sides, (unknown,))
        simple = solved(whole, unknown, growth)
    return Guarantee(
        unknown,
        box.text,
        whole,
        _at_corners(corners, unknown),
        solved(whole, unknown),
        simple,
        tuple(corners),
        box.facts,
        box.stated,
    )


def guarantee_claim(promise: Guarantee) -> Claim:
    """That the guaranteed values suffice in the whole box."""
    unknown, relation = promise.symbol, promise.relation
    symbols = tuple(sorted(relation.free_symbols | {unknown}, key=lambda s: s.name))
    inside = member(unknown, promise.guaranteed.main.intervals)
    sides = [set_words(unknown, promise.guaranteed.cases), relation_words(relation)]
    implied = joined(sides, " implies ")
    return Claim(
        (*quantified(symbols, promise.facts, unknown), *implied),
        symbols,
        domain(symbols, promise.facts, unknown),
        (Goal(All((inside,)), relation),),
        (relation.lhs, relation.rhs),
    )


def _at_corners(corners: Sequence[WorstCase], unknown: Symbol) -> Threshold:
    """The values that satisfy the inequality at every corner; steps are not smoothed here."""
    facts = Facts({unknown: 0})
    answers = [positive_ratio(each.margin, unknown, facts, not each.weak) for each in corners]
    cases = all_or_any(list(dict.fromkeys(answers)), False, facts)
    first = corners[0]
    op = ">=" if first.weak else ">"
    return Threshold(unknown, first.margin.to_sympy(), op, Integer(0), with_otherwise(cases))


def _check_region(given: Iterable[Assumption], unknown: Symbol) -> None:
    """Refuse a region of the unknown itself: what suffices is asked for, not given."""
    for each in given:
        says_nothing = isinstance(each, Relation) and decided(each)
        if each.free_symbols == {unknown} and not says_nothing:
            raise InvalidValueError(
                f"the region {each.text} is one of {unknown}, which is solved for",
                repair=f"bound the other symbols; to restrict {unknown}, ask with feasible",
            )


def _check_poles(margin: Ratio, unknown: Symbol, facts: Facts) -> None:
    """Refuse a box in which a denominator may vanish: nothing is monotone across a pole."""
    pole = unsettled_factor(margin, lambda factor: bool(factor.symbols - {unknown}), facts, unknown)
    if pole is not None:
        raise UndecidedError(
            f"{pole} may be zero in the box, and the inequality divides by it",
            repair="narrow the box, or bound the unknown as well",
        )


def _at(rule: Threshold, given: Mapping[str, object]) -> Threshold:
    known = {s: exact(given[s.name]) for s in rule.parameters if s.name in given}
    return rule.at(known) if known else rule


def first_value(rule: Threshold, given: Mapping[str, object]) -> Expr | None:
    """The first value that a rule allows: an integer for a dimension, otherwise its bound."""
    told = _at(rule, given)
    if is_dim(told.symbol):
        smallest = told.smallest_integer
        return None if smallest is None else Integer(smallest)
    bound = told.bound
    return bound if bound is not None and bound.is_number else None
