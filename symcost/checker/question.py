"""A claimed side and what is expected of it: what the steps of the ladder share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.algebra import as_ratio
from symcost.algebra.posynomial import to_rational
from symcost.checker.claims import Claim, Side
from symcost.checker.discover import Regime, discover, discover_number
from symcost.checker.equality import ratio_of
from symcost.checker.expected import Expected
from symcost.checker.values import evaluate
from symcost.errors import SymcostError
from symcost.notation.border import Assumptions


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim, what is expected of it, and what both mean: what the steps of a check share.

    ``symbol`` is the unknown of a rule where it is given, ``names`` are those of one symbol each.
    """

    claim: Claim
    expected: Expected
    symbol: Symbol | None = None
    assume: Assumptions | None = None
    names: tuple[str, ...] = ()

    def question(self, side: Side, text: str = "") -> Question:
        """What is asked about one side."""
        return Question(side, self.expected, self.assume, text, self.names)


@dataclass(frozen=True, slots=True)
class Question:
    """A claimed side against an expected expression, under assumptions.

    ``tolerant`` marks a chain link written with ≈, where a limit needs no better reason.
    """

    side: Side
    expected: Expected
    assume: Assumptions | None = None
    text: str = ""
    names: tuple[str, ...] = ()
    ops: tuple[str, str] = ("", "")
    unknowns: tuple[str, str] = ("", "")
    tolerant: bool = False

    @property
    def value(self) -> Expr:
        """What is derived."""
        assert self.expected.value is not None
        return self.expected.value

    @property
    def claimed(self) -> Expr:
        """What is claimed."""
        return self.side.expr


def plugged(value: Expr, values: Mapping[Symbol, Fraction]) -> Expr:
    """The expression with the numbers that are known."""
    put = {s: to_rational(v) for s, v in values.items() if s in value.free_symbols}
    if not put:
        return value
    try:
        return as_ratio(value.xreplace(put)).to_sympy()
    except SymcostError:
        return value


def number_at(question: Question, value: Expr) -> Fraction | None:
    """The value of an expression at the numbers that are known, if they suffice."""
    try:
        return evaluate(value, question.expected.values)
    except ZeroDivisionError:
        return None
    except SymcostError:
        reduced = ratio_of(plugged(value, question.expected.values))
    if reduced is None or reduced.atoms:
        return None
    return reduced.num.as_fraction() / reduced.den.as_fraction()


def regime_of(question: Question) -> Regime | None:
    """The order of growth under which the expectation becomes the claim, if there is one."""
    values = question.expected.values
    for numbers in ({}, values):
        expected = ratio_of(plugged(question.value, numbers))
        if expected is None:
            continue
        if question.side.printed is not None:
            found = discover_number(question.side.printed, expected)
        else:
            claimed = ratio_of(plugged(question.claimed, numbers))
            found = discover(claimed, expected) if claimed is not None else None
        if found is not None:
            return found
    return None
