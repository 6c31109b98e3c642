"""Regimes: which term of a sum, or of a maximum, is the largest where, and the borders between.

A border is where two terms are equal, ``S = 6*D``; it is listed only if some point with
positive rates and dimensions of at least 1 lies on it while no third term is larger there.
How that is decided exactly is told in ``cells``; that a sum is judged by its terms, and a
maximum of sums by all of theirs, in ``terms``; what is done with like terms beside a maximum,
in ``branches``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import Expr, Symbol

from symcost.algebra import Maximum, Posynomial, as_posynomial
from symcost.algebra.assumptions import Equal
from symcost.algebra.relation import SIGNS, Condition
from symcost.algebra.signs import Facts
from symcost.analysis.assume import Assumed, assumed
from symcost.analysis.regimes.border import Border, border_where
from symcost.analysis.regimes.branches import Branch, branches
from symcost.analysis.regimes.cells import Cell
from symcost.analysis.regimes.pieces import Piece, pieces
from symcost.analysis.regimes.terms import LogTerm, as_sum, log_term
from symcost.analysis.told import NO_UNITS, Units
from symcost.analysis.values import canonical_expr
from symcost.documents.blocks import Block, Prose, Words, inlines, joined, words
from symcost.errors import AssumptionError, UndecidedError
from symcost.notation.border import AnExpr
from symcost.render.formats.text import words_text
from symcost.render.shown import Displayed

MAX_TERMS = 200  # that compete with each other
MAX_SIZE = 10_000  # terms times symbols
TERMS_COMPETE = "the terms of all arguments compete one by one; sweeps and maps compare the sums"


@dataclass(frozen=True, slots=True)
class Regime:
    """A term and the conditions, all of which must hold, under which it is the largest.

    No condition follows from the others; without any, the term dominates everywhere. A term
    that is the largest on two sides of a gap has two regimes. ``changes`` are the borders to
    all neighbours, of which several may lie beyond one condition.
    """

    term: Expr
    region: tuple[Border, ...]
    cell: Cell = field(repr=False, compare=False)
    changes: tuple[Border, ...] = field(default=(), repr=False, compare=False)

    def point(self) -> dict[Symbol, Expr]:
        """A point inside the region, in exact numbers (not always whole)."""
        return self.cell.point()

    def said(self, verb: str = " dominates", units: Units = NO_UNITS) -> Words:
        """The regime in words."""
        term = inlines(units.named(self.term))
        if not self.region:
            return words(*term, f"{verb} everywhere")
        borders = joined([(border.math(units),) for border in self.region], " and ")
        return words(*term, f"{verb} while ", *borders)

    def __repr__(self) -> str:
        return words_text(self.said())


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of thumb: an equation, and the pairs of regimes that change hands there.

    Each border is seen from the regime below the equation.
    """

    equation: Equal
    borders: tuple[Border, ...]

    def said(self, units: Units = NO_UNITS) -> Words:
        """The rule in words."""
        ends = ((each.left_term, each.right_term) for each in self.borders)
        pairs = joined(joined(map(units.named, pair), " to ") for pair in ends)
        rule = units.equation(self.equation.symbol, self.equation.expr)
        return words(rule, ": from ", *pairs)

    def __repr__(self) -> str:
        return words_text(self.said())


@dataclass(frozen=True, slots=True, repr=False)
class Regimes(Displayed):
    """The regimes of an expression; ``never`` lists terms that are the largest nowhere.

    >>> import symcost as sc
    >>> B, D = sc.dims("B D")
    >>> sc.regimes(B**2 + B * D)
    B**2 dominates while B > D; B*D while B < D
    """

    expr: Expr
    regimes: tuple[Regime, ...]
    never: tuple[Expr, ...] = ()
    assume: str = ""
    form: str = "exact"
    units: Units = NO_UNITS

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of thumb, the one that matters most first.

        A rule matters more the more pairs of regimes change hands at its equation, then the
        fewer symbols it takes to state it, then the more the terms differ when it is missed
        by a factor of two (the power of its symbol).
        """
        return _rules(self.regimes)

    @property
    def note(self) -> str:
        """What to know about a maximum of sums, whose terms compete without their sums."""
        sums = any(len(as_sum(arg)) > 1 for m in self.expr.atoms(Maximum) for arg in m.args)
        return TERMS_COMPETE if sums else ""

    def __repr__(self) -> str:
        first, *rest = self.regimes
        said = [first.said(), *(each.said("") for each in rest)]
        return words_text(joined(said, "; "))

    def blocks(self) -> tuple[Block, ...]:
        """Which term is largest where, then the rules of thumb, the weightiest first."""
        lines = [each.said(units=self.units) for each in self.regimes]
        lines += [words(term, " is the largest nowhere") for term in self.never]
        lines += [words("rule: ", *inlines(rule.said(self.units))) for rule in self.rules]
        return tuple(map(Prose, lines))

    def data(self) -> dict[str, object]:
        """The regimes with their borders, and the rules of thumb."""
        return {
            "regimes": [
                {
                    "term": each.term,
                    "when": [border.math() for border in each.region],
                    "binds": self.units.name(each.term) or None,
                }
                for each in self.regimes
            ],
            "never": list(self.never),
            "rules": [words_text(rule.said()) for rule in self.rules],
            "assume": self.assume,
            "note": self.note,
        }


def regimes(expr: AnExpr, *, assume: object = None) -> Regimes:
    """Find which term of a sum or maximum is the largest where, with the borders.

    >>> from symcost.symbols import dims
    >>> B, D, S = dims("B D S")
    >>> found = regimes(24 * B * S * D**2 + 4 * B * S**2 * D)
    >>> found
    24*B*D**2*S dominates while S < 6*D; 4*B*D*S**2 while S > 6*D
    >>> found.rules
    (S = 6*D: from 24*B*D**2*S to 4*B*D*S**2,)

    Args:
        expr: a sum of positive terms, a maximum of such, or a sum with maxima in it; or text.
        assume: assumptions, as text or read: ``F = 4*D`` is put in, ``B << D`` drops the
            terms it makes negligible, ``D >= 4096`` and ``D >= F`` bound the regions.

    Returns:
        One regime per term that is the largest at some point.

    Raises:
        InvalidValueError: a quotient by a sum, or a negative term.
        UndecidedError: a minimum, or a function such as ``ceiling`` that is no power.
        AssumptionError: assumptions that contradict each other, or relate sums.
    """
    value = canonical_expr(expr, assume)
    given = assumed(assume, (value,))
    listed = _simplified(value, given)
    _check_size(listed)
    parts = pieces(listed, _bounds(given.facts))
    if not parts:
        raise AssumptionError(
            f"no point satisfies {given.text}", repair="leave one of the assumptions out"
        )
    terms = [[term.to_sympy() for term in each.terms] for each in listed]
    won = {terms[piece.branch][piece.term] for piece in parts}
    never = dict.fromkeys(term for each in terms for term in each if term not in won)
    return Regimes(value, _listed(parts, terms), tuple(never), given.text, given.form)


def _check_size(listed: Sequence[Branch]) -> None:
    count = sum(len(each.terms) for each in listed)
    symbols = len({s for each in listed for term in each.terms for s in term.symbols})
    if count > MAX_TERMS or count * symbols > MAX_SIZE:
        what = f"more than {MAX_TERMS}" if count > MAX_TERMS else f"with {symbols} symbols"
        raise UndecidedError(
            f"{count} terms compete, {what}",
            repair="give numbers for some symbols, or ask for parts of it",
        )


def _simplified(value: Expr, given: Assumed) -> list[Branch]:
    """The competing terms, with equalities put in and negligible terms left out."""
    for each in given.equal:
        value = value.xreplace({each.symbol: each.expr})
    listed = branches(as_sum(value))
    if not given.growth.strict:
        return listed
    return [replace(each, terms=_kept(each.terms, given)) for each in listed]


def _kept(terms: Sequence[Posynomial], given: Assumed) -> tuple[Posynomial, ...]:
    return tuple(as_posynomial(given.apply(Posynomial.sum(terms))))


def _bounds(facts: Facts) -> list[LogTerm]:
    """The facts as monomials that are at least 1."""
    lower = [as_posynomial(atom) / bound for atom, bound in facts.lower.items() if bound > 0]
    known = (_quotient(above.value) for each in facts.known for above in each.upward())
    return [log_term(each) for each in (*lower, *known)]


def _quotient(difference: Posynomial) -> Posynomial:
    """``larger / smaller`` of a fact ``larger - smaller >= 0`` between single terms."""
    positive, negative = Condition(difference, SIGNS[">="]).sides()
    if len(positive) == 1 and not negative:
        return as_posynomial(1)
    if len(positive) != 1 or len(negative) != 1:
        raise AssumptionError(
            f"regimes cannot use that {difference} is positive",
            repair="relate single terms, as in D >= 4*F",
        )
    return positive / negative


def _listed(parts: Sequence[Piece], terms: Sequence[Sequence[Expr]]) -> tuple[Regime, ...]:
    """The regimes, each pair's border made once and turned round for the other side."""
    shown = [terms[piece.branch][piece.term] for piece in parts]
    borders: dict[tuple[int, int], Border] = {}
    for here, piece in enumerate(parts):
        for side in piece.sides:
            for there in side.beyond:
                if (here, there) not in borders:
                    border = border_where(side.ratio, shown[here], shown[there])
                    borders[here, there] = border
                    borders[there, here] = border.flipped()
    return tuple(
        Regime(
            shown[here],
            tuple(borders[here, side.beyond[0]] for side in piece.sides),
            piece.cell,
            tuple(borders[here, there] for side in piece.sides for there in side.beyond),
        )
        for here, piece in enumerate(parts)
    )


def _rules(listed: Sequence[Regime]) -> tuple[Rule, ...]:
    by_equation: dict[Equal, dict[Border, None]] = {}
    for regime in listed:
        for each in regime.changes:
            if each.op == "<" and each.left_term != each.right_term:  # listed from both sides
                by_equation.setdefault(each.equation, {})[each] = None
    rules = [Rule(equation, tuple(borders)) for equation, borders in by_equation.items()]
    return tuple(sorted(rules, key=_importance))


def _importance(rule: Rule) -> tuple[Any, ...]:
    equation = rule.equation
    steepness = max(each.steepness for each in rule.borders)
    return (
        -len(rule.borders),
        len(equation.expr.free_symbols),
        -steepness,
        str(equation.symbol),
        str(equation.expr),
    )
