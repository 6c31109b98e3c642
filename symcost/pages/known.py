"""What a page has said so far: what each name stands for, and what the next formula may rest on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice

from sympy import Expr, Rational, Symbol, preorder_traversal

from symcost.algebra.relation import Relation
from symcost.checker.claims import Side
from symcost.errors import UndecidedError
from symcost.notation.units import Printed
from symcost.pages.orders import Order
from symcost.pages.passages import Passage
from symcost.pages.reading import Definition, definitions

MAX_ROUNDS = 40  # of putting formulas into each other
MAX_NODES = 2_000  # of a formula with everything put in
MAX_READINGS = 8  # other ways in which a page may be meant that are tried


_NOWHERE = Passage("", 0)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one name stands for.

    Args:
        value: its number in base units, when it is no formula.
        formula: what it is set to.
        printed: the number that the page prints for its formula, or the rounded one.
        given: the number that the text gives for a name with a formula, with its digits.
        given_text: how that is written.
        rough: whether it was given with ≈.
        spoken: whether the text says it, not a display.
        others: what else it may be: the rest of its own chain when that is wrong.
        case: the section or item that it was said in.
    """

    value: Fraction | None = None
    formula: Expr | None = None
    printed: Fraction | None = None
    given: Printed | None = None
    given_text: str = ""
    rough: bool = False
    spoken: bool = False
    others: tuple[Expr, ...] = ()
    case: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """The state of a page; every step gives a new one.

    Args:
        meanings: by name.
        names: those of several letters, which the reader takes as one symbol.
        used: those that occur in formulas of others.
        letters: the letters that are symbols somewhere on the page.
        assume: the order of growth that is given for the page.
        orders: the orders of growth that it states.
        functions: names with arguments, ``T(n)``.
        several: the names that are set to more than one number on the page.
        rule: the last inequality; ``condition``: the last equation that is to be solved.
        before: what the page says since the last rule.
        last: the last side of the display before, which the next may go on from.
        at: the passage at hand.
        explained: whether what is wrong is to be explained, which takes time.
    """

    meanings: Mapping[Symbol, Meaning] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    used: frozenset[Symbol] = frozenset()
    letters: frozenset[str] = frozenset()
    assume: str | None = None
    orders: tuple[Order, ...] = ()
    functions: frozenset[str] = frozenset()
    several: frozenset[Symbol] = frozenset()
    rule: Relation | None = None
    condition: Relation | None = None
    before: str = ""
    last: Side | None = None
    at: Passage = _NOWHERE
    explained: bool = False

    @property
    def values(self) -> dict[Symbol, Fraction]:
        """The numbers."""
        return {s: m.value for s, m in self.meanings.items() if m.value is not None}

    def values_of(self, symbols: Collection[Symbol]) -> dict[Symbol, Fraction]:
        """The numbers of some names."""
        return {s: v for s in symbols if (v := self.of(s).value) is not None}

    def rests_on(self, symbols: Collection[Symbol]) -> set[Symbol]:
        """Some names, and those within the formulas that they are set to."""
        found: set[Symbol] = set()
        fresh = set(symbols)
        while fresh:
            name = fresh.pop()
            found.add(name)
            formula = self.of(name).formula
            if formula is not None:
                fresh |= formula.free_symbols - found
        return found

    def of(self, name: Symbol) -> Meaning:
        """What a name stands for; nothing, when nothing was said."""
        return self.meanings.get(name, _NOTHING)

    def put(self, expr: Expr) -> Expr:
        """The expression with the formulas that were defined put in.

        Raises:
            UndecidedError: it grows too long.
        """
        for _ in range(MAX_ROUNDS):
            used = {s: f for s in expr.free_symbols if (f := self.of(s).formula) is not None}
            if not used:
                return expr
            expr = expr.xreplace(used)
            if sum(1 for _ in islice(preorder_traversal(expr), MAX_NODES)) == MAX_NODES:
                break
        raise UndecidedError("the formula grows too long when all that is defined is put in")

    def with_meaning(self, name: Symbol, meaning: Meaning | None) -> Known:
        """The same with another meaning of one name, or without it."""
        changed = dict(self.meanings)
        changed.pop(name, None)
        if meaning is not None:
            changed[name] = meaning
        names, used = self.names, self.used
        if len(name.name) > 1 and "_" not in name.name:
            names |= {name.name}
        if meaning is not None and meaning.formula is not None:
            used |= meaning.formula.free_symbols
        return replace(self, meanings=changed, names=names, used=used)


_NOTHING = Meaning()


def define(known: Known, found: Definition, spoken: bool = False, text: str = "") -> Known:
    """Remember a definition; the text does not overwrite the formula of a display."""
    name, before = found.name, known.of(found.name)
    kept = spoken and before.formula is not None and not before.spoken
    if found.formula is None and found.value is not None:
        if kept:
            plain = found.printed is not None and not found.rough and found.other is None
            given = found.printed if plain else before.given
            told = text if plain else before.given_text
            changed = replace(before, printed=found.value, given=given, given_text=told)
            return known.with_meaning(name, changed)
        printed = found.printed.value if found.printed is not None else found.value
        meaning = _meaning(known, found, spoken)
        return known.with_meaning(
            name,
            replace(
                meaning, value=found.value, printed=None if printed == found.value else printed
            ),
        )
    if kept or found.formula is None:
        return known
    known = _without_circle(known, found)
    if name in found.formula.free_symbols or (
        name in known.used and name in known.rests_on(found.formula.free_symbols)
    ):
        return known
    meaning = replace(_meaning(known, found, spoken), formula=found.formula, printed=found.value)
    return known.with_meaning(name, meaning)


def _meaning(known: Known, found: Definition, spoken: bool) -> Meaning:
    other = found.other
    others = () if other is None else (Rational(other.numerator, other.denominator),)
    return Meaning(rough=found.rough, spoken=spoken, others=others, case=known.at.case)


def _without_circle(known: Known, found: Definition) -> Known:
    """``N = XYZ`` and then ``X = sqrt(N/8)``: the product is solved for another of its factors."""
    assert found.formula is not None
    for name in sorted(found.formula.free_symbols, key=lambda s: s.name):
        product = known.of(name).formula
        if product is None or found.name not in product.free_symbols or not product.is_Mul:
            continue
        free = [s for s in product.free_symbols - {found.name} if s not in known.meanings]
        if not free:
            continue
        other = max(free, key=lambda s: s.name)
        if (product / other).has(other):
            continue
        meaning = replace(known.of(name), formula=name / (product / other))
        known = known.with_meaning(name, None).with_meaning(other, meaning)
    return known


def hear(passage: Passage, known: Known) -> Known:
    """Remember what a formula in the text defines."""
    for found in definitions(passage, known.names, known.letters):
        known = define(known, found, spoken=True, text=passage.text)
    return known


def enter(known: Known, passage: Passage) -> Known:
    """Go on to a passage; in a new section rules and given numbers start anew."""
    if passage.section == known.at.section:
        return replace(known, at=passage)
    meanings = {s: replace(m, given=None) if m.given else m for s, m in known.meanings.items()}
    return replace(
        known, meanings=meanings, rule=None, condition=None, before="", last=None, at=passage
    )


def readings(known: Known, symbols: Collection[Symbol]) -> Iterator[Known]:
    """How else the page may be meant, as far as some names rest on it: rounded numbers go on,
    the text was hypothetical."""
    yield from islice(_readings(known, known.rests_on(symbols)), MAX_READINGS)


def _readings(known: Known, names: set[Symbol]) -> Iterator[Known]:
    ordered = sorted(names & known.meanings.keys(), key=lambda s: s.name)
    meanings = {name: known.meanings[name] for name in ordered}
    for name, meaning in meanings.items():
        for expr in meaning.others[:3]:
            yield known.with_meaning(name, replace(meaning, formula=expr, value=None))
    first = {
        s: replace(m, formula=m.others[0], value=None) for s, m in meanings.items() if m.others
    }
    if len(first) > 1:  # all of an earlier case
        yield replace(known, meanings={**known.meanings, **first})
    if known.at.hints:
        other = known
        for passage in known.at.hints:
            other = hear(passage, other)
        yield other
    rounded = {
        s: replace(m, value=m.printed, formula=None)
        for s, m in meanings.items()
        if m.printed is not None
    }
    if rounded:
        yield replace(known, meanings={**known.meanings, **rounded})
    spoken = [s for s, m in meanings.items() if m.spoken and m.formula is not None]
    if spoken:
        kept = {s: m for s, m in known.meanings.items() if s not in spoken}
        yield replace(known, meanings=kept)
