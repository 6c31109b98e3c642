"""Claims over all sizes: hypotheses, and goals that must hold wherever the hypotheses do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Integer, Symbol

from symcost.algebra.posynomial import Number, to_rational
from symcost.algebra.relation import Relation
from symcost.algebra.signs import NO_FACTS, Facts
from symcost.analysis.proof.logic import All, Formula
from symcost.documents.blocks import Inline, Link, Math, Words, joined, words
from symcost.documents.wording import relation_words
from symcost.render.formats.text import words_text
from symcost.symbols import is_dim


@dataclass(frozen=True, slots=True)
class Goal:
    """``what`` must hold, and have a value, wherever ``when`` holds.

    ``unless`` must not hold where the claim's ``defined`` expressions have no value: a set that
    solves an inequality holds no pole of it.
    """

    when: Formula
    what: Formula
    unless: Formula | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Goals for all positive symbols that satisfy the hypotheses.

    ``defined`` lists expressions that have a value by assumption: the sides of an inequality
    are not asked about where they divide by zero.
    """

    said: Words
    symbols: tuple[Symbol, ...]
    hypotheses: tuple[Relation, ...]
    goals: tuple[Goal, ...]
    defined: tuple[Expr, ...] = ()

    @property
    def statement(self) -> str:
        """What is claimed, as plain text."""
        return words_text(self.said)


def domain(
    symbols: Iterable[Symbol], facts: Facts = NO_FACTS, free: Symbol | None = None
) -> tuple[Relation, ...]:
    """What is known of the symbols: dimensions are at least 1 (but not ``free``), and the facts."""
    known = list(symbols)
    relations = [Relation(s, ">=", Integer(1)) for s in known if is_dim(s) and s != free]
    for bounds, op in ((facts.lower, ">="), (facts.upper, "<=")):
        relations += [
            Relation(s, op, to_rational(b)) for s, b in bounds.items() if b and s in known
        ]
    relations += [each.relation() for each in facts.known if each.value.symbols <= {*known}]
    return tuple(dict.fromkeys(relations))


def quantified(
    symbols: Iterable[Symbol], facts: Facts = NO_FACTS, free: Symbol | None = None
) -> tuple[Inline, ...]:
    """``for all D, F >= 1, B > 0: `` in words of the domain, facts included.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> words_text(quantified((B, D, F), free=B))
    'for all D, F >= 1, B > 0: '
    """
    groups: dict[tuple[Link, Link | None], list[Symbol]] = {}
    for symbol in sorted(symbols, key=lambda s: (not is_dim(s) or s == free, s.name)):
        groups.setdefault(_range(symbol, facts, free), []).append(symbol)
    parts = [(_bounded(listed, *bounds),) for bounds, listed in groups.items()]
    extra = [each for each in domain(symbols, facts, free) if len(each.free_symbols) > 1]
    beside = words(" with ", *joined(map(relation_words, extra), " and ")) if extra else ()
    return words("for all ", *joined(parts), *beside, ": ")


def _range(symbol: Symbol, facts: Facts, free: Symbol | None) -> tuple[Link, Link | None]:
    """The lower bound of a symbol, and the upper one if there is any."""
    default: Number = 1 if is_dim(symbol) and symbol != free else 0
    low = max(Fraction(facts.lower.get(symbol, 0)), default)
    above = (">=" if low else ">", to_rational(low))
    high = facts.upper.get(symbol)
    return above, None if high is None else ("<=", to_rational(high))


def _bounded(symbols: list[Symbol], above: Link, below: Link | None) -> Math:
    """``D, F >= 1``, or ``1 <= D, F <= 64``."""
    first, *others = symbols
    more: list[Link] = [(",", each) for each in others]
    if below is None:
        return Math(first, (*more, above))
    return Math(above[1], (("<=" if above[0] == ">=" else "<", first), *more, below))


def plain_claim(relation: Relation) -> Claim:
    """That a relation holds for all sizes for which its sides have a value."""
    symbols = tuple(sorted(relation.free_symbols, key=lambda s: s.name))
    said = (*quantified(symbols), *relation_words(relation))
    sides = (relation.lhs, relation.rhs)
    return Claim(said, symbols, domain(symbols), (Goal(All(()), relation),), sides)
