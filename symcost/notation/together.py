"""All texts of one question, read together: a name of one text is a name in the others.

First the words of every text are told apart, so that the names of each are known to all; then
each text is parsed, once; then what a name stands for is decided, and values are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from sympy import Expr, Symbol
from sympy.core.relational import Relational

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.exact import exact, shown
from symcost.algebra.relation import Relation
from symcost.errors import DuplicateNameError, InvalidValueError
from symcost.notation.assumptions import Stated, parse_assumptions
from symcost.notation.dimensions import Dimensions, dimension_of, has_units
from symcost.notation.formulas import (
    RELATION_EXAMPLE,
    Parsed,
    ParsedChain,
    names_told,
    read,
    read_sides,
    symbols_of,
)
from symcost.notation.given import (
    known_symbols,
    listed,
    number_of,
    put_into_each_other,
    relation_of,
    symbol_names,
    with_ours,
)
from symcost.notation.kinds import rates_among
from symcost.notation.limits import check_text, part_of
from symcost.notation.numbers import Given, Value, parse_values
from symcost.notation.relations import pieces
from symcost.notation.syntax import Name, Number, leaves
from symcost.notation.tokens import failure
from symcost.notation.unit_table import Dimension, unit_text
from symcost.symbols import dim, is_dim

if TYPE_CHECKING:
    from symcost.notation.border import Assumptions, ASymbol, Values


@dataclass(frozen=True, slots=True)
class Inputs:
    """What was given, read: the same number of expressions, relations and symbols, in order.

    ``relations`` has one record for each sign, so two for ``1 < x < 5``. ``units`` has the
    dimension of each symbol for which the units of the texts decide it, ``dimensions`` that of
    each expression; ``within`` are the symbols of the formulas that are given as values.
    """

    expressions: tuple[Expr, ...] = ()
    relations: tuple[Relation, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    given: tuple[Assumption, ...] = ()
    notes: tuple[str, ...] = ()
    units: Mapping[str, Dimension] = field(default_factory=dict)
    dimensions: tuple[Dimension | None, ...] = ()
    within: frozenset[Symbol] = frozenset()
    has_units: bool = False  # whether a text has any

    def unit(self, name: str) -> str:
        """The unit of a symbol, ``""`` where it is not known or a plain number."""
        return unit_text(self.units.get(name, ()))

    @property
    def names(self) -> dict[str, Symbol]:
        """Every symbol that occurs, by its name."""
        symbols = {s for e in self.expressions for s in e.free_symbols}
        symbols |= {s for r in self.relations for s in r.free_symbols}
        return {symbol.name: symbol for symbol in symbols | {*self.symbols}}


class Together:
    """What one question was given, text or not."""

    def __init__(
        self,
        expressions: tuple[object, ...],
        relations: tuple[object, ...],
        symbols: ASymbol | Iterable[ASymbol],
        values: Values | None,
        assume: Assumptions | None,
        given: Assumptions | None,
    ) -> None:
        assume, given = (None if isinstance(s, str) and not s else s for s in (assume, given))
        stated = [() if side is None else listed(side) for side in (assume, given)]
        self.notes: list[str] = []
        self.wanted = symbol_names(symbols)
        expressions = tuple(e if isinstance(e, str) else exact(e) for e in expressions)
        every = [each for side in stated for each in side]
        sympys = (each for each in every if isinstance(each, Relational))
        self.known = known_symbols((*expressions, *relations, *sympys), self.wanted)
        declared = {*self.known, *(str(getattr(each, "name", each)) for each in self.wanted)}
        texts = [
            *(_Text(each, 0, each) for each in expressions if isinstance(each, str)),
            *(text for each in relations if isinstance(each, str) for text in _pieces(each)),
            *_given_texts(values),
            *(_Text(e, 0, e, bare=False, lists=True) for e in every if isinstance(e, str)),
        ]
        if len(texts) > 1:
            declared |= {name for text in texts for name in text.names(declared)}
        self.expressions = tuple(self._expression(each, declared) for each in expressions)
        self.relations = tuple(p for each in relations for p in self._chains(each, declared))
        self.values = self._values(values, declared)
        self.stated = tuple(
            tuple(p for each in side for p in self._stated(each, declared)) for side in stated
        )
        self.names = {*declared, *self._names()}

    def _expression(self, given: str | Expr, declared: Collection[str]) -> Parsed | Expr:
        if not isinstance(given, str):
            return given
        parsed = read(given, declared)
        self.notes += parsed.notes
        return parsed

    def _chains(self, given: object, declared: Collection[str]) -> list[ParsedChain | Relation]:
        if not isinstance(given, str):
            return [relation_of(given)]
        chains: list[ParsedChain | Relation] = []
        for piece, offset in pieces(check_text(given, "a relation")):
            with part_of(given, offset):
                chain = read_sides(piece, declared)
                if not chain.ops:
                    raise failure("a relation is expected", piece, 0, len(piece), RELATION_EXAMPLE)
            self.notes += chain.notes
            chains.append(chain)
        return chains

    def _values(self, given: Values | None, declared: Collection[str]) -> dict[str, Given | Value]:
        if given is None or (isinstance(given, str | Mapping) and not given):
            return {}
        if isinstance(given, str):
            parsed = parse_values(given, declared)
            self.notes += (note for each in parsed for note in each.parsed.notes)
            return {each.name: each for each in parsed}
        if not isinstance(given, Mapping):
            raise InvalidValueError(
                f"{shown(given)} gives no values", repair='write for example "D=8192"'
            )
        values: dict[str, Given | Value] = {}
        for key, value in given.items():
            name = str(getattr(key, "name", key))
            if name in values:
                raise DuplicateNameError(f"{name} is given twice", repair="leave one out")
            if isinstance(value, str):
                values[name] = Given(name, read(value, declared, bare=True), value, 0)
            else:
                values[name] = number_of(name, value)
        return values

    def _stated(self, given: object, declared: Collection[str]) -> list[Stated | Assumption]:
        if isinstance(given, str):
            parsed = parse_assumptions(given, declared)
            self.notes += (note for each in parsed for note in each.notes)
            return list(parsed)
        if isinstance(given, Relational):
            given = relation_of(given)
            if given.op == "=" and isinstance(given.lhs, Symbol):
                return [Equal(given.lhs, given.rhs, str(given))]
            return [replace(given, text=str(given))]
        if isinstance(given, MuchLess | Equal | Relation):
            return [given]
        raise InvalidValueError(
            f"{shown(given)} is no assumption", repair='write for example "B << D, F"'
        )

    def _names(self) -> Iterator[str]:
        """Every name that occurs in a text."""
        yield from (name for parsed in self._parsed() for name in parsed.names)
        yield from (name for stated in self._stateds() for name in stated.names)
        yield from self.values

    def _parsed(self) -> Iterator[Parsed]:
        yield from (each for each in self.expressions if isinstance(each, Parsed))
        for chain in self.relations:
            if isinstance(chain, ParsedChain):
                yield from chain.sides
        yield from (each.parsed for each in self.values.values() if isinstance(each, Given))

    # -- what names stand for, and the values --------------------------------------------

    def inputs(self, formulas: bool, amounts: Mapping[str, Dimension | None]) -> Inputs:
        units = self._units(amounts)
        self._check_counts()
        numbers = {
            name: each.value(dim, formulas=True) if isinstance(each, Given) else each
            for name, each in self.values.items()
        }
        said = [each for side in self.stated for each in side]
        guessed = rates_among(self.names, numbers, said)
        guessed |= {name for name, dimension in units.items() if dimension}
        rates = guessed - set(self.known)
        rates |= {name for name, each in self.known.items() if not is_dim(each)}
        symbol = symbols_of(rates)
        expressions = tuple(_expr(each, symbol) for each in self.expressions)
        values = {
            name: each.value(symbol, formulas=formulas) if isinstance(each, Given) else each
            for name, each in self.values.items()
        }
        plain = {name: () for name, each in self.values.items() if _is_plain(each)}
        within = {s for v in values.values() for s in getattr(v, "free_symbols", ())}
        values = put_into_each_other(values, symbol) if within else values
        return Inputs(
            expressions,
            tuple(r for each in self.relations for r in _relations(each, symbol)),
            tuple(symbol(each if isinstance(each, str) else each.name) for each in self.wanted),
            values,
            tuple(a for each in self.stated[0] for a in _assumed(each, symbol)),
            tuple(a for each in self.stated[1] for a in _assumed(each, symbol)),
            tuple(dict.fromkeys(self.notes)),
            units,
            tuple(self._dimension(each, units, plain) for each in self.expressions),
            frozenset(within),
            self._has_units(),
        )

    def _units(self, amounts: Mapping[str, Dimension | None]) -> dict[str, Dimension]:
        """The dimension of each symbol that the units decide."""
        known = {n: each for n, each in amounts.items() if each is not None and n in self.names}
        if not known and not self._has_units():
            return {}
        dimensions = Dimensions(known)
        for chain in self.relations:
            if isinstance(chain, ParsedChain):
                dimensions.chain([[side] for side in chain.sides])
        for each in self.values.values():
            if isinstance(each, Given):
                start = each.parsed.syntax.start
                name = Name(each.name, start, start)
                dimensions.alike(Parsed(name, each.parsed.text), each.parsed)
        for parsed in self.expressions:
            if isinstance(parsed, Parsed):
                dimensions.formula(parsed.syntax, parsed.text)
        for stated in self._stateds():
            dimensions.chain(stated.sides)
        dimension = dimensions.symbols()
        return {name: each for name, each in dimension.items() if amounts.get(name, ()) is not None}

    def _has_units(self) -> bool:
        sides = [side.sides for side in self._stateds()]
        inner = [item.syntax for side in sides for items in side for item in items]
        return has_units([*(each.syntax for each in self._parsed()), *inner])

    def _check_counts(self) -> None:
        """Refuse ``B=64 GB`` for a symbol that is known to be a dimension."""
        for name, each in self.values.items():
            if isinstance(each, Given) and name in self.known and is_dim(self.known[name]):
                unit = unit_text(dimension_of(each.parsed.syntax, {}) or ())
                if unit:
                    each.refuse(f"{name} is a dimension, which is a count, no amount of {unit}")

    def _stateds(self) -> list[Stated]:
        return [each for side in self.stated for each in side if isinstance(each, Stated)]

    def _dimension(
        self,
        given: Parsed | Expr,
        units: Mapping[str, Dimension],
        plain: Mapping[str, Dimension],
    ) -> Dimension | None:
        if not isinstance(given, Parsed) or not (units or has_units([given.syntax])):
            return None
        return dimension_of(given.syntax, {**plain, **units})


def _is_plain(given: Given | Value) -> bool:
    """Whether a value is a number without a unit."""
    if isinstance(given, Given):
        return all(isinstance(leaf, Number) for leaf in leaves(given.parsed.syntax))
    return not getattr(given, "free_symbols", ())


def _expr(given: Parsed | Expr, symbol: Callable[[str], Symbol]) -> Expr:
    return given.value(symbol) if isinstance(given, Parsed) else with_ours(given, symbol)


def _relations(
    given: ParsedChain | Relation, symbol: Callable[[str], Symbol]
) -> tuple[Relation, ...]:
    if isinstance(given, Relation):
        return (given.map(lambda side: with_ours(side, symbol)),)
    sides = [side.value(symbol) for side in given.sides]
    below = [side.divisors(symbol) for side in given.sides]
    pairs = zip(sides, given.ops, sides[1:], below, below[1:], strict=False)
    return tuple(Relation(a, op, b, divisors=(*c, *d)) for a, op, b, c, d in pairs)


def _assumed(given: Stated | Assumption, symbol: Callable[[str], Symbol]) -> list[Assumption]:
    return given.assumptions(symbol) if isinstance(given, Stated) else [given]


class _Text(NamedTuple):
    """A text that is not parsed yet, and where it stands; ``lists`` where it lists statements."""

    text: str
    offset: int
    whole: str
    bare: bool = False
    lists: bool = False

    def names(self, declared: Collection[str]) -> list[str]:
        """The names that occur."""
        with part_of(self.whole, self.offset):
            return names_told(self.text, declared, bare=self.bare, lists=self.lists)


def _pieces(given: str) -> Iterator[_Text]:
    """The relations of a text."""
    checked = check_text(given, "a relation")
    yield from (_Text(piece, offset, given, bare=True) for piece, offset in pieces(checked))


def _given_texts(given: object) -> Iterator[_Text]:
    """The texts of given values."""
    if isinstance(given, str) and given:
        yield _Text(given, 0, given, bare=True, lists=True)
    elif isinstance(given, Mapping):
        texts = (each for each in given.values() if isinstance(each, str))
        yield from (_Text(each, 0, each, bare=True) for each in texts)
