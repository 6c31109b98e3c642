"""What a minimization answers: a point and a value, case by case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from sympy import CRootOf, Expr, Symbol

from symcost.algebra import Maximum
from symcost.algebra.reals import compare
from symcost.algebra.relation import Relation
from symcost.algebra.roots import PositiveRoot
from symcost.documents.blocks import (
    Block,
    Inline,
    Math,
    Prose,
    Quantity,
    Told,
    Value,
    Words,
    inlines,
    joined,
    words,
)
from symcost.render.formats.text import exact_text, words_text
from symcost.render.shown import Displayed

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

    def plus(self, constant: Expr) -> OptimumCase:
        """The same answer with a constant added to the objective."""
        return self if self.value is None else replace(self, value=self.value + constant)

    def with_named_roots(self) -> tuple[OptimumCase, Words]:
        """The case with a short name for each root of a polynomial, and what the names mean."""
        exprs = [*self.point.values(), *([] if self.value is None else [self.value])]
        found = {root for expr in exprs for root in expr.atoms(PositiveRoot, CRootOf)}
        roots = sorted(found, key=str)
        if not roots:
            return self, ()
        taken = {s.name for expr in exprs for s in expr.free_symbols}
        taken |= {s.name for s in self.point}
        free = (name for k in count() if (name := f"r_{k}" if k else "r") not in taken)
        names = {root: Symbol(name) for root, name in zip(roots, free, strict=False)}
        meaning = joined(
            [words(name, " is ", *_root_words(root)) for root, name in names.items()], " and "
        )
        point = {symbol: at.xreplace(names) for symbol, at in self.point.items()}
        value = None if self.value is None else self.value.xreplace(names)
        return replace(self, point=point, value=value), words(", where ", *meaning)

    def said(self, unit: str = "") -> Words:
        """The answer in words; ``unit`` is that of the value."""
        named, where = self.with_named_roots()
        if named.value is None or self.value is None:
            said = words(f"no minimum: {self.reason}")
        else:
            at = [(Math(s, (("=", _told(v, self.point[s])),)),) for s, v in named.point.items()]
            value = Math(_told(named.value, self.value, unit))
            kind = f" ({self.kind}: {self.reason})"
            said = words(value, " at ", *joined([*at]), *inlines(where), kind)
        when = joined([(Math(r.lhs, ((r.op, r.rhs),)),) for r in self.when], " and ")
        return words(*said, " if ", *when) if when else said


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
    unit: str = ""

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
        return words_text(joined([case.said(self.unit) for case in self.cases], "; "))

    def blocks(self) -> tuple[Block, ...]:
        """Value and point, why they are there, and when, case by case."""
        return tuple(Prose(case.said(self.unit)) for case in self.cases)

    def data(self) -> dict[str, object]:
        """The cases."""
        return {"cases": [_facts(case) for case in self.cases], "unit": self.unit or None}


def _told(shown: Expr, exact: Expr, unit: str = "") -> Value:
    """A value, with its decimals where it is a number; ``shown`` has names for its roots."""
    if not exact.is_number:
        return shown
    if unit:
        return Quantity(exact, unit)
    if shown == exact:
        return Quantity(exact)
    return Told(words(shown, " (", Quantity(exact, beside=False), ")"), exact)


def _facts(case: OptimumCase) -> dict[str, object]:
    when = [exact_text(Math(r.lhs, ((r.op, r.rhs),))) for r in case.when]
    return {
        "value": case.value,
        "point": {symbol.name: value for symbol, value in case.point.items()},
        "kind": case.kind,
        "reason": case.reason,
        "when": " and ".join(when),
    }


def _root_words(root: Expr) -> tuple[Inline, ...]:
    if isinstance(root, PositiveRoot):
        polynomial, unknown = root.equation
        return words("the positive root of ", polynomial, " in ", unknown)
    unknown = Symbol("x")
    rounded, polynomial = Quantity(root, beside=False), root.poly.as_expr(unknown)
    return words("the root ", rounded, " of ", polynomial, " in ", unknown)


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
        if compare(value, best[0]) > 0:
            best = [value]
    return Maximum(*best, *(value for value in listed if not value.is_number))
