"""Thresholds: the values of one symbol for which an inequality holds, with their conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sympy import Expr, Symbol

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.algebra.assumptions import Assumption, MuchLess
from symcost.algebra.budget import Kind, budget
from symcost.algebra.relation import Relation
from symcost.algebra.signs import NO_FACTS, Facts, decided
from symcost.analysis.assume import NOTHING_ASSUMED, Assumed, assumed
from symcost.analysis.proof.monotone import slope_signs
from symcost.analysis.thresholds.asking import question
from symcost.analysis.thresholds.inequality import (
    all_or_any,
    cancelled_poles,
    nonzero,
)
from symcost.analysis.thresholds.intervals import Interval
from symcost.analysis.thresholds.numeric import numeric_where
from symcost.analysis.thresholds.phrases import SMOOTH, statements
from symcost.analysis.thresholds.sets import Case, Solution
from symcost.analysis.thresholds.solution import settled, where
from symcost.analysis.thresholds.steps import at_worst, smooth, steps_with, without_step
from symcost.analysis.values import numbers_for, put_in_numbers
from symcost.documents.blocks import Block, Quantity, Rule
from symcost.errors import AssumptionError, InvalidValueError, UndecidedError
from symcost.notation.border import ARelation, Assumptions, ASymbol, Values
from symcost.render.formats.text import exact_text
from symcost.symbols import is_dim

if TYPE_CHECKING:
    from symcost.analysis.thresholds.leading_bound import LeadingBound

WORK = 60_000  # steps of one answer: about a second


@dataclass(frozen=True, slots=True, repr=False)
class Threshold(Solution):
    """The set of values of ``symbol`` for which ``lhs op rhs`` holds, case by case.

    ``form`` is ``"exact"``, ``"limit"`` when an order of growth was assumed, or ``"smooth"``
    when ``ceiling(x)`` and ``floor(x)`` were replaced by ``x`` (``integer_set`` keeps them);
    then ``surely()`` is what suffices whatever they do.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> rule = sc.threshold(B * D / (B + D) > 100, B)
    >>> rule.relation, rule.bound
    ('>', 100*D/(D - 100))
    >>> rule.at(D=150)
    Threshold: B > 300, smallest integer 301
    >>> rule.at(D=100).is_never
    True
    """

    symbol: Symbol
    lhs: Expr
    op: str
    rhs: Expr
    cases: tuple[Case, ...]
    form: str = "exact"
    assume: str = ""
    facts: Facts = NO_FACTS
    assumptions: tuple[Assumption, ...] = ()
    poles: tuple[Posynomial, ...] = ()  # zero where a side has no value, though it cancels
    worst: Relation | None = None  # what suffices whatever ceilings and floors do
    shown: Expr | None = None  # what the symbol was put for, as B/X
    unit: str = ""  # of the symbol, where the units of the question decide it

    _label = "Threshold"

    def blocks(self) -> tuple[Block, ...]:
        """The cases, and that they are of the smooth form where they are."""
        return (Rule(statements(self), SMOOTH if self.form == "smooth" else ""),)

    def data(self) -> dict[str, object]:
        """The main case spelled out, and all cases."""
        said, bound = statements(self), self.bound
        main = said[self.cases.index(self.main)]
        return {
            "symbol": str(self.shown or self.symbol),
            "relation": self.relation,
            "bound": bound,
            "bound_numeric": Quantity(bound) if bound is not None and bound.is_number else None,
            "unit": self.unit,
            "smallest_integer": self.smallest_integer,
            "largest_integer": self.largest_integer,
            "when": " and ".join(map(exact_text, main.conditions)),
            "form": self.form,
            "assume": self.assume,
            "cases": said,
        }

    @property
    def relation(self) -> str:
        """How symbol and bound compare: a sign, ``"always"``, ``"never"`` or ``"between"``."""
        if self.main.is_always or self.main.is_never:
            return "always" if self.main.is_always else "never"
        interval = self._only_interval()
        if interval is None or (interval.low is not None and interval.high is not None):
            return "between"
        if interval.low is not None:
            return ">=" if interval.low_closed else ">"
        return "<=" if interval.high_closed else "<"

    @property
    def bound(self) -> Expr | None:
        """The one finite end of the main case's set, exact; ``None`` when there is not one."""
        interval = self._only_interval()
        if interval is None:
            return None
        ends = [end for end in (interval.low, interval.high) if end is not None]
        return ends[0] if len(ends) == 1 else None

    def _only_interval(self) -> Interval | None:
        intervals = self.main.told(self.symbol)
        return intervals[0] if len(intervals) == 1 else None

    def at(self, values: Values | None = None, **named: object) -> Threshold:
        """The same question with numbers (or expressions) for other symbols, answered anew.

        >>> from sympy import Rational
        >>> from symcost.symbols import dims
        >>> B, D = dims("B D")
        >>> threshold(B * D / (B + D) > 100, B).at(D=200).bound
        200
        """
        swap = numbers_for(values, self.parameters, named)
        left, right = (put_in_numbers(side, swap) for side in (self.lhs, self.rhs))
        poles = tuple(as_ratio(put_in_numbers(p.to_sympy(), swap)).num for p in self.poles)
        cases = _solve(left, self.op, right, self.symbol, self.facts, poles)
        worst = self.worst and self.worst.map(lambda side: put_in_numbers(side, swap))
        return replace(self, lhs=left, rhs=right, cases=cases, poles=poles, worst=worst)

    def surely(self) -> Threshold | None:
        """Where it holds whatever ceilings and floors do; ``None`` where that is not known.

        >>> from sympy import Rational, ceiling
        >>> from symcost.symbols import dims
        >>> N = dims("N")
        >>> threshold(128 * ceiling(N / 128) < Rational(11, 10) * N, N).surely()
        Threshold: N > 1280, smallest integer 1281
        """
        if self.worst is None:
            return None
        left, op, right = self.worst.sides
        cases = _solve(left, op, right, self.symbol, self.facts)
        return replace(self, lhs=left, op=op, rhs=right, cases=cases, form="exact", worst=None)

    @property
    def is_related(self) -> bool:
        """Whether an assumption orders the growth of the symbol; otherwise a limit holds it."""
        orders = (each for each in self.assumptions if isinstance(each, MuchLess))
        return any(self.symbol in each.free_symbols for each in orders)

    @property
    def parameters(self) -> frozenset[Symbol]:
        """The other symbols of the inequality."""
        below = (pole.symbols for pole in self.poles)
        sides = self.lhs.free_symbols | self.rhs.free_symbols
        return frozenset(sides.union(*below) - {self.symbol})

    def supremum(self) -> Expr | None:
        """The least upper bound of ``lhs`` in the symbol, when it grows towards a limit.

        It is what "never" needs as a reason: the left side stays below it, whatever the symbol.
        """
        left = as_ratio(self.lhs)
        grows = slope_signs(left, self.symbol, self.facts) <= {0, 1}
        num, den = (part.coefficients(self.symbol) for part in (left.num, left.den))
        top, bottom = max(num, default=0), max(den)
        if self.symbol not in left.atoms or top != bottom or not grows:
            return None
        return Ratio.of(num[top], den[bottom]).to_sympy()

    def leading(self, assume: Any) -> LeadingBound:
        """The closed form that the bound tends to under an order of growth, with its error.

        >>> from symcost.symbols import dims
        >>> B, D, F = dims("B D F")
        >>> threshold(B**3 + D * B > F, B).leading("D**3 << F**2").value
        F**(1/3)
        """
        from symcost.analysis.thresholds.leading_bound import leading_bound

        return leading_bound(self, assume)


def threshold(
    relation: ARelation | bool, symbol: ASymbol | Expr, assume: Assumptions | None = None
) -> Threshold:
    """Solve an inequality for one symbol, exactly, with the conditions under which it holds.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> threshold(B * D / (B + D) > 100, B).bound
    100*D/(D - 100)
    >>> threshold("B*D/(X*D + B) > 100", "B/X")
    Threshold: B/X > 100*D/(D - 100) if D > 100; otherwise never

    Args:
        relation: a sympy inequality, text, or a read one, between cost expressions.
        symbol: the unknown or its name, a positive number; integers are taken only at the end.
            A product of powers such as ``"B/X"`` is solved for as one unknown.
        assume: assumptions, as text or read: ``F = 4*D`` is put in, ``B << D`` replaces both
            sides by their limits (with the unknown held, unless it is one of those related),
            ``D >= 4096`` decides signs.

    Returns:
        The set of values as cases, each with its conditions; ``repr`` is the rule.

    Raises:
        InvalidValueError: the symbol does not occur, or the relation is no inequality.
        UndecidedError: more sign changes than can be resolved with symbols.

    Source: Descartes' rule of signs decides the number of roots (R. Descartes, La Geometrie,
    1637, book 3); the matmul rule is J. Austin et al., How To Scale Your Model, part 1.
    """
    asked = question(relation, symbol, assume)
    given = assumed(asked.read.assumptions, asked.sides, extra=(asked.unknown,))
    if asked.unknown not in asked.relation.free_symbols:
        _check_decided(asked.relation, asked.unknown, given)
    unit = asked.read.unit(asked.unknown.name)
    return replace(solved(asked.relation, asked.unknown, given), shown=asked.shown, unit=unit)


def solved(relation: Relation, unknown: Symbol, given: Assumed = NOTHING_ASSUMED) -> Threshold:
    """The threshold of a read inequality; if the unknown drops out, the answer says when."""
    with budget(WORK, Kind.SIGNS):
        return _solved(relation, unknown, given)


def _solved(relation: Relation, unknown: Symbol, given: Assumed) -> Threshold:
    try:
        return _by_signs(relation, unknown, given)
    except UndecidedError:
        put = {each.symbol: each.expr for each in given.equal}
        whole = relation.substitute(put)
        known = given.facts
        if is_dim(unknown) and unknown not in known.lower:
            known = replace(known, lower={**known.lower, unknown: 1})
            if whole.free_symbols != {unknown}:
                return _by_signs(relation, unknown, replace(given, facts=known))
        if whole.free_symbols != {unknown} or given.form == "limit" or steps_with(whole, unknown):
            raise
        upward = whole.upward()
        gap = as_ratio(upward.lhs) - as_ratio(upward.rhs)
        inside = numeric_where(gap, unknown, upward.is_strict)
        told = (given.text, known, given.stated)
        return Threshold(unknown, whole.lhs, whole.op, whole.rhs, (Case(inside),), "exact", *told)


def _by_signs(relation: Relation, unknown: Symbol, given: Assumed) -> Threshold:
    if unknown not in {s for atom in given.growth.atoms for s in atom.free_symbols}:
        given = given.holding(unknown)
    left, right = (given.apply(side) for side in (relation.lhs, relation.rhs))
    whole, form, worst = Relation(left, relation.op, right), given.form, None
    poles = cancelled_poles(relation, unknown, given.equal) if form == "exact" else ()
    if steps_with(whole, unknown):
        whole = without_step(whole, unknown)
    if steps_with(whole, unknown):
        worst, form = at_worst(whole, unknown, given.facts), "smooth"
        whole = Relation(smooth(whole.lhs), whole.op, smooth(whole.rhs))
    left, op, right = whole.sides
    cases = _solve(left, op, right, unknown, given.facts, poles)
    told = (given.text, given.facts, given.stated)
    return Threshold(unknown, left, op, right, cases, form, *told, poles, worst)


def _check_decided(relation: Relation, unknown: Symbol, given: Assumed) -> None:
    """Refuse an inequality without the unknown, unless it holds always or never."""
    whole = relation.substitute({each.symbol: each.expr for each in given.equal})
    if decided(whole, given.facts) is None:
        names = ", ".join(sorted(s.name for s in relation.free_symbols))
        raise InvalidValueError(
            f"{unknown} does not occur in the inequality", repair=f"solve it for one of {names}"
        )


def _solve(
    left: Expr,
    op: str,
    right: Expr,
    unknown: Symbol,
    facts: Facts,
    poles: tuple[Posynomial, ...] = (),
) -> tuple[Case, ...]:
    """The cases; the unknown runs over all positive numbers unless a fact bounds it."""
    known = replace(facts, lower={unknown: 0, **facts.lower})
    cases = where(Relation(left, op, right), unknown, known)
    for pole in poles:
        cases = all_or_any([cases, nonzero(pole, unknown, known)], False, known)
    if not cases:  # no sign is possible
        problem = "the assumptions contradict each other"
        raise AssumptionError(problem, repair="leave one of them out")
    return settled(cases, known)
