"""Which values of a symbol suffice for all sizes in a box, beside the limit and the exact rule.

Where the inequality gets easier or harder with each parameter everywhere, the worst case is a
corner of the box, and the threshold at that corner is exactly what is guaranteed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer, Symbol, oo

from symcost.algebra import Ratio, as_ratio
from symcost.algebra.exact import exact
from symcost.algebra.posynomial import ZERO, to_rational
from symcost.algebra.relation import Relation
from symcost.algebra.signs import Facts, sign
from symcost.analysis.assume import Assumed, assumed
from symcost.analysis.proof.claim import Claim, Goal, domain, quantified, shown
from symcost.analysis.proof.logic import All, member
from symcost.analysis.proof.monotone import Direction, monotone, unsettled_factor
from symcost.analysis.proof.proof import TIMEOUT, Proof, by_signs, decide
from symcost.analysis.thresholds.asking import Question, question
from symcost.analysis.thresholds.intervals import EVERYTHING, NOTHING
from symcost.analysis.thresholds.phrases import set_text, threshold_words
from symcost.analysis.thresholds.sets import Case
from symcost.analysis.thresholds.threshold import Threshold, solved
from symcost.documents.blocks import Block, Prose, Words, words
from symcost.errors import InvalidValueError, UndecidedError
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

    ``guaranteed`` is the rule, ``worst`` the corner it is taken at (``oo`` for a parameter
    without an upper bound), ``directions`` say why: how the margin moves with each parameter.
    ``exact`` is the rule for each single point, ``limit`` the one under an order of growth.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> sc.guarantee(B * D / (B + D) > 100, B, "D >= 200").guaranteed.bound
    200
    """

    symbol: Symbol
    given: str
    guaranteed: Threshold
    exact: Threshold
    limit: Threshold | None
    worst: Mapping[Symbol, Expr]
    directions: Mapping[Symbol, Direction]
    facts: Facts

    def blocks(self) -> tuple[Block, ...]:
        """What suffices in the box, the rule for each single point, and the limit's."""
        found = [Prose(self.said), Prose(words("exact: ", *threshold_words(self.exact)))]
        if self.limit is not None:
            head = f"limit ({self.limit.assume}): "
            found.append(Prose(words(head, *threshold_words(self.limit))))
        return tuple(found)

    def data(self) -> dict[str, object]:
        """The rule that suffices, and in which box."""
        return self.guaranteed.data() | {"given": self.given}

    @property
    def said(self) -> Words:
        """What suffices, in one line."""
        if self.guaranteed.is_never:
            return words("no ", self.symbol, f" suffices for all of {self.given}")
        return words(f"guaranteed for {self.given}: ", *threshold_words(self.guaranteed))

    def prove(self, timeout: float = TIMEOUT) -> Proof:
        """Whether the guaranteed values suffice in the whole box; signs prove it where they can."""
        claim = self._claim()
        certain = all(each.proof.method == "signs" for each in self.directions.values())
        return by_signs(claim) if certain else decide(claim, timeout)

    def decide(self, timeout: float = TIMEOUT) -> Proof:
        """The same asked of z3, whatever signs say."""
        return decide(self._claim(), timeout)

    def _claim(self) -> Claim:
        relation = Relation(self.exact.lhs, self.exact.op, self.exact.rhs)
        symbols = tuple(sorted(relation.free_symbols | {self.symbol}, key=lambda s: s.name))
        inside = member(self.symbol, self.guaranteed.main.intervals)
        said = set_text(self.symbol, self.guaranteed.cases)
        text = f"{quantified(symbols, self.facts, self.symbol)}: {said}"
        return Claim(
            f"{text} implies {shown(relation)}",
            symbols,
            domain(symbols, self.facts, self.symbol),
            (Goal(All((inside,)), relation),),
            (relation.lhs, relation.rhs),
        )

    def cost_of_limit(self, values: Mapping[Any, Any] | None = None, **named: Any) -> LimitCost:
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


def guarantee(relation: Any, symbol: Symbol, given: Any, assume: Any = None) -> Guarantee:
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
        given: bounds of the parameters, ``"D, F >= 8192; F <= 65536"``. A dimension without a
            lower bound is at least 1.
        assume: an order of growth, for the limit's rule to compare with.

    Returns:
        What suffices in the whole box, beside the exact and the limit's rule.

    Raises:
        UndecidedError: the margin is not monotone in a parameter, or a rate has no bound.
    """
    asked = question(relation, symbol, assume, given)
    unknown, (lhs, op, rhs) = asked.unknown, (asked.sides[0], asked.relation.op, asked.sides[1])
    box = assumed(asked.read.given, (lhs, rhs), extra=(unknown,))
    left, right = box.substituted(lhs), box.substituted(rhs)
    larger, smaller = (left, right) if op[0] == ">" else (right, left)
    margin = as_ratio(larger) - as_ratio(smaller)
    _check_poles(margin, unknown, box.facts)
    directions = _directions(margin, unknown, box.facts)
    worst = {s: _corner(s, each, box.facts) for s, each in directions.items()}
    whole = Relation(left, op, right)
    return Guarantee(
        unknown,
        box.text,
        _at_corner(margin, unknown, directions, worst, op),
        solved(whole, unknown),
        None if assume is None else solved(whole, unknown, _limit_of(asked)),
        worst,
        directions,
        box.facts,
    )


def _limit_of(asked: Question) -> Assumed:
    return assumed(asked.read.assumptions, asked.sides, (asked.unknown,))


def _check_poles(margin: Ratio, unknown: Symbol, facts: Facts) -> None:
    """Refuse a box in which a denominator may vanish: nothing is monotone across a pole."""
    pole = unsettled_factor(margin, lambda factor: bool(factor.symbols - {unknown}), facts, unknown)
    if pole is not None:
        raise UndecidedError(
            f"{pole} may be zero in the box, and the inequality divides by it",
            repair="narrow the box, or bound the unknown as well",
        )


def _directions(margin: Ratio, unknown: Symbol, facts: Facts) -> dict[Symbol, Direction]:
    """How the margin moves with each parameter, for all values of the unknown."""
    found = {}
    parameters = {s for atom in margin.atoms for s in atom.free_symbols} - {unknown}
    for symbol in sorted(parameters, key=lambda s: s.name):
        direction = monotone(margin, symbol, facts, free=unknown)
        if direction.answer not in {"increasing", "decreasing", "constant"}:
            raise UndecidedError(
                f"the inequality gets neither easier nor harder everywhere with {symbol}",
                repair=f"narrow the box, or give {symbol} a number",
            )
        found[symbol] = direction
    return found


def _corner(symbol: Symbol, direction: Direction, facts: Facts) -> Expr:
    """The end of a parameter's range where the margin is smallest."""
    if direction.answer == "decreasing":
        return to_rational(facts.upper[symbol]) if symbol in facts.upper else oo
    least = to_rational(facts.least(symbol))
    if not least:
        raise UndecidedError(
            f"{symbol} has no lower bound", repair=f"give one, such as {symbol} >= 1"
        )
    return least


def _at_corner(
    margin: Ratio,
    unknown: Symbol,
    directions: Mapping[Symbol, Direction],
    worst: Mapping[Symbol, Expr],
    op: str,
) -> Threshold:
    """The threshold at the corner; where an end is never reached, reaching the bound suffices."""
    reached = {s: v for s, v in worst.items() if v is not oo}
    value = as_ratio(margin.to_sympy().xreplace(reached))
    beyond = [s for s, v in worst.items() if v is oo]
    for symbol in beyond:
        limit = _limit(value, symbol)
        if limit is None:
            return Threshold(unknown, Integer(0), ">", Integer(0), (Case(NOTHING),))
        value = limit
    weak = len(op) == 2 or any(directions[s].strict for s in beyond)
    at_corner = Relation(value.to_sympy(), ">=" if weak else ">", Integer(0))
    if unknown in value.to_sympy().free_symbols:
        return solved(at_corner, unknown)
    holds = (sign(value.num * value.den) or 0) > (-1 if weak else 0)
    cases = (Case(EVERYTHING if holds else NOTHING),)
    return Threshold(unknown, at_corner.lhs, at_corner.op, at_corner.rhs, cases)


def _limit(value: Ratio, symbol: Symbol) -> Ratio | None:
    """The limit as the symbol grows; None where the value falls without end."""
    inside = sorted(str(a) for a in value.atoms if a != symbol and symbol in a.free_symbols)
    if inside:
        raise UndecidedError(
            f"{symbol} grows without end inside {inside[0]}",
            repair=f"give {symbol} an upper bound",
        )
    num, den = value.num.coefficients(symbol), value.den.coefficients(symbol)
    top, bottom = max(num), max(den)
    if top > bottom:
        return None
    return Ratio.of(num[top], den[bottom]) if top == bottom else Ratio(ZERO)


def _at(rule: Threshold, given: Mapping[str, Any]) -> Threshold:
    known = {s: exact(given[s.name]) for s in rule.parameters if s.name in given}
    return rule.at(known) if known else rule


def first_value(rule: Threshold, given: Mapping[str, Any]) -> Expr | None:
    """The first value that a rule allows: an integer for a dimension, otherwise its bound."""
    told = _at(rule, given)
    if is_dim(told.symbol):
        smallest = told.smallest_integer
        return None if smallest is None else Integer(smallest)
    bound = told.bound
    return bound if bound is not None and bound.is_number else None
