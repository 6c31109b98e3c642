"""What a minimization answers: a point and a value, case by case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from sympy import Expr, Symbol

from symcost.algebra.relation import Relation
from symcost.analysis.told import NO_UNITS, Units, named_roots
from symcost.documents.blocks import (
    Block,
    Math,
    Prose,
    Quantity,
    Rule,
    Statement,
    Told,
    Value,
    Words,
    inlines,
    joined,
    words,
)
from symcost.registry import ReadOnly
from symcost.render.formats.text import exact_text, words_text
from symcost.render.shown import Displayed

Kind = Literal["interior", "border", "none"]


@dataclass(frozen=True, slots=True)
class OptimumCase(ReadOnly):
    """An answer and the conditions, all of which must hold, under which it is the answer.

    ``kind`` is ``"interior"``, ``"border"`` (a constraint, or a dimension's least value 1,
    holds with equality), or ``"none"`` when no point attains the infimum.
    """

    point: Mapping[Symbol, Expr]
    value: Expr | None
    kind: Kind
    reason: str
    when: tuple[Relation, ...] = ()

    def under(self, *conditions: Relation) -> OptimumCase:
        """The same answer under more conditions."""
        return replace(self, when=tuple(dict.fromkeys((*self.when, *conditions))))

    def plus(self, constant: Expr) -> OptimumCase:
        """The same answer with a constant added to the objective."""
        return self if self.value is None else replace(self, value=self.value + constant)

    def said(self, units: Units = NO_UNITS) -> Words:
        """The answer in words."""
        told = self.told(units)
        beside = (" ", *inlines(told.note)) if told.note else ()
        said = words(told.word or told.alternatives[0][0], *beside)
        when = joined([(each,) for each in told.conditions], " and ")
        return words(*said, " if ", *when) if when else said

    def told(self, units: Units = NO_UNITS) -> Statement:
        """The value, when it is the answer, and beside it where it is attained."""
        when = tuple(Math(r.lhs, ((r.op, r.rhs),)) for r in self.when)
        if self.value is None:
            return Statement(f"no minimum: {self.reason}", conditions=when)
        names, where = named_roots([self.value, *self.point, *self.point.values()])
        at = [(_equation(s, v, names, units),) for s, v in self.point.items()]
        value = Math(_told(self.value, names, units.amount))
        reason = f" ({self.kind}: {self.reason})"
        return Statement("", ((value,),), when, note=words("at ", *joined(at), *where, reason))


def falls_for_ever(how: str) -> OptimumCase:
    """The answer where the objective falls in some way without end."""
    return OptimumCase({}, None, "none", f"the objective decreases for ever as {how}")


@dataclass(frozen=True, slots=True, repr=False)
class Optimum(Displayed):
    """The minimum of an objective; one case unless it depends on symbols without numbers.

    >>> import symcost as sc
    >>> a, b, x = sc.rates("a b x")
    >>> sc.minimize(a * x + b / x, x).value
    2*sqrt(a)*sqrt(b)
    """

    objective: Expr
    over: tuple[Symbol, ...]
    cases: tuple[OptimumCase, ...]
    units: Units = NO_UNITS

    @property
    def main(self) -> OptimumCase:
        """The case to quote: the first, which is the interior one if there is any."""
        return self.cases[0]

    @property
    def point(self) -> Mapping[Symbol, Expr]:
        """Where the minimum is attained, in the main case."""
        return self.main.point

    @property
    def value(self) -> Expr | None:
        """The minimum in the main case; ``None`` when it is not attained."""
        return self.main.value

    @property
    def kind(self) -> Kind:
        """``"interior"``, ``"border"`` or ``"none"``, in the main case."""
        return self.main.kind

    @property
    def reason(self) -> str:
        """How the main case was found."""
        return self.main.reason

    @property
    def conditions(self) -> tuple[Relation, ...]:
        """What the main case takes for granted."""
        return self.main.when

    def __repr__(self) -> str:
        return words_text(joined([case.said(self.units) for case in self.cases], "; "))

    def blocks(self) -> tuple[Block, ...]:
        """Value and point, why they are there, and when, case by case."""
        return tuple(Prose(case.said(self.units)) for case in self.cases)

    def rule(self) -> Rule:
        """The same for the opening of a page: each value, when, and where it is attained."""
        return Rule(tuple(case.told(self.units) for case in self.cases), "The minimum")

    def data(self) -> dict[str, object]:
        """The cases."""
        return {"cases": [_facts(case) for case in self.cases], "unit": self.units.whole or None}


def _equation(symbol: Symbol, exact: Expr, names: Mapping[Expr, Symbol], units: Units) -> Math:
    return Math(symbol, (("=", _told(exact, names, partial(units.of, symbol))),))


def _told(exact: Expr, names: Mapping[Expr, Symbol], measured: Callable[[Expr], Value]) -> Value:
    """A value with its unit, and with its decimals where it is a number; roots by their names."""
    shown, value = exact.xreplace(names), measured(exact)
    if shown == exact or not isinstance(value, Quantity):
        return value if shown == exact else shown
    if not exact.is_number:
        return replace(value, value=shown)
    return Told(words(shown, " (", replace(value, beside=False), ")"), exact)


def _facts(case: OptimumCase) -> dict[str, object]:
    when = [exact_text(Math(r.lhs, ((r.op, r.rhs),))) for r in case.when]
    return {
        "value": case.value,
        "point": {symbol.name: value for symbol, value in case.point.items()},
        "kind": case.kind,
        "reason": case.reason,
        "when": " and ".join(when),
    }
