"""What a minimization answers: a point and a value, case by case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from sympy import Expr, Symbol

from symcost.algebra import Maximum
from symcost.algebra.relation import Relation

Kind = Literal["interior", "border", "none"]


@dataclass(frozen=True, slots=True)
class OptimumCase:
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

    @property
    def text(self) -> str:
        """The answer in words."""
        if self.value is None:
            answer = f"no minimum: {self.reason}"
        else:
            where = ", ".join(f"{symbol} = {value}" for symbol, value in self.point.items())
            answer = f"{self.value} at {where} ({self.kind}: {self.reason})"
        when = " and ".join(map(str, self.when))
        return f"{answer} if {when}" if when else answer


@dataclass(frozen=True, slots=True)
class Optimum:
    """The minimum of an objective; one case unless it depends on symbols without numbers.

    >>> import symcost as sc
    >>> a, b, x = sc.rates("a b x")
    >>> sc.minimize(a * x + b / x, x).value
    2*sqrt(a)*sqrt(b)
    """

    objective: Expr
    over: tuple[Symbol, ...]
    cases: tuple[OptimumCase, ...]

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
        return "; ".join(case.text for case in self.cases)


def largest(values: Iterable[Expr]) -> Expr:
    """The maximum of some values; of those that are numbers only the largest is kept.

    >>> from sympy import Integer, sqrt
    >>> largest([sqrt(2), Integer(1)])
    sqrt(2)
    """
    listed = list(dict.fromkeys(values))
    numbers = [value for value in listed if value.is_number]
    best = numbers[:1]
    for value in numbers[1:]:
        if bool(value > best[0]):
            best = [value]
    return Maximum(*best, *(value for value in listed if not value.is_number))
