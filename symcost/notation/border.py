"""The border: what a public function was given (text, a number, sympy) becomes our objects.

Each analysis calls :func:`inputs` once, before it begins. All texts of one call are read
together: a name of one text is a name in the others, and one table decides what it stands for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from sympy import Expr, Symbol
from sympy.core.relational import Relational

from symcost.algebra.assumptions import Assumption, Equal, MuchLess
from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.errors import DuplicateNameError, InvalidValueError, NotationError, SymcostError
from symcost.notation.assumptions import read_assumptions
from symcost.notation.formulas import Formula, read_chain, read_formula
from symcost.notation.kinds import rates_among
from symcost.notation.limits import check_text, relocated
from symcost.notation.numbers import read_numbers
from symcost.notation.relations import pieces
from symcost.notation.units import Dimension
from symcost.symbols import canonical, dim, is_dim, rate

Number: TypeAlias = int | Fraction | float
AnExpr: TypeAlias = "str | Expr | Number"
ARelation: TypeAlias = "str | Relation | Relational"
ASymbol: TypeAlias = "str | Symbol"
Values: TypeAlias = "str | Mapping[str, object] | Mapping[Symbol, object]"
Assumptions: TypeAlias = "str | Assumption | Iterable[str | Assumption]"
Value: TypeAlias = int | Fraction | Expr

ORDERS = ("<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What was given, read: the same number of expressions, relations and symbols, in order.

    ``relations`` has one record for each sign, so two for ``1 < x < 5``. ``units`` says for
    symbols (and expressions) of known dimension what it is.
    """

    expressions: tuple[Expr, ...] = ()
    relations: tuple[Relation, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    given: tuple[Assumption, ...] = ()
    notes: tuple[str, ...] = ()
    units: Mapping[str, Dimension] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, Symbol]:
        """Every symbol that occurs, by its name."""
        found = {s for e in self.expressions for s in e.free_symbols}
        found |= {s for r in self.relations for s in r.free_symbols}
        return {symbol.name: symbol for symbol in found | {*self.symbols}}


def inputs(
    *,
    expressions: AnExpr | Iterable[AnExpr] = (),
    relations: ARelation | Iterable[ARelation] = (),
    symbols: ASymbol | Iterable[ASymbol] = (),
    values: Values | None = None,
    assume: Assumptions | None = None,
    given: Assumptions | None = None,
    formulas: bool = True,
) -> Inputs:
    """Read everything that one question was given, together.

    >>> asked = inputs(relations="B*D/(B+D) > 100", symbols="B", values="D=150")
    >>> asked.relations, asked.symbols, asked.values
    ((B*D/(B + D) > 100,), (B,), {'D': 150})

    Args:
        expressions: one or several, each text, a number or a sympy expression.
        relations: one or several; a text may hold several, separated by ``;``.
        symbols: names or symbols that the question is about, ``"B"``, ``"m, n"``.
        values: numbers by name or symbol, or text such as ``"D=8192, W=820 GB/s"``.
        assume: assumptions, as text or as records.
        given: a region, read like assumptions.
        formulas: whether a value may be a formula with names.

    Returns:
        All of it as our objects; a name is one symbol in all of them.

    Raises:
        NotationError: a text that is not understood.
        InvalidValueError: a number that is not exact, finite and positive where it must be.
    """
    return _Reading(_listed(expressions), _listed(relations), symbols, values, formulas).inputs(
        assume, given
    )


def expression(given: AnExpr, names: Collection[Symbol] = ()) -> Expr:
    """One expression; ``names`` are symbols that are known already.

    >>> expression("2*B*D"), expression(0.5)
    (2*B*D, 1/2)
    """
    return inputs(expressions=given, symbols=tuple(names)).expressions[0]


def relation(given: ARelation, names: Collection[Symbol] = ()) -> Relation:
    """One relation, as :func:`inputs` reads it.

    >>> relation("B > 2*D")
    B > 2*D
    """
    found = inputs(relations=given, symbols=tuple(names)).relations
    if len(found) != 1:
        raise NotationError("one relation is expected", repair='write for example "B*D > 300"')
    return found[0]


def relations(given: ARelation | Iterable[ARelation]) -> tuple[Relation, ...]:
    """All relations of a text or list.

    >>> relations("B > 2*D; D <= 8")
    (B > 2*D, D <= 8)
    """
    return inputs(relations=given).relations


def symbol(given: ASymbol, names: Iterable[Symbol] = ()) -> Symbol:
    """The symbol of a name: the one among ``names``, otherwise what the name stands for.

    >>> symbol("B"), symbol("C").is_integer
    (B, None)
    """
    return inputs(symbols=(*names, given)).symbols[-1]


def values(given: Values | None, names: Iterable[Symbol] = ()) -> dict[str, Value]:
    """Numbers by name, from a mapping or a text.

    >>> values("B=4, D=2^10"), values({"B": 4})
    ({'B': 4, 'D': 1024}, {'B': 4})
    """
    return dict(inputs(symbols=tuple(names), values=given).values)


def assumptions(given: Assumptions | None, names: Iterable[Symbol] = ()) -> tuple[Assumption, ...]:
    """Assumptions from text or records.

    >>> assumptions("F = 4*D")
    (Equal(symbol=F, expr=4*D, text='F = 4*D'),)
    """
    return inputs(symbols=tuple(names), assume=given).assumptions


def formula(text: AnExpr) -> Expr:
    r"""Read a formula: plain text or LaTeX, with units where a number stands.

    >>> import symcost as sc
    >>> sc.formula("2BDF/(B + D)"), sc.formula(r"\frac{C}{W_\text{hbm}}")
    (2*B*D*F/(B + D), C/W_hbm)

    Args:
        text: the formula; a number or a sympy expression is taken as it is.

    Returns:
        The exact expression; its names are dimensions, or rates where the name is by convention
        that of a peak, a bandwidth, a time or a fraction.

    Raises:
        NotationError: the text is no formula; the message shows where.
        InvalidValueError: it has no finite real value.
    """
    return expression(text)


def _listed(given: object) -> tuple[object, ...]:
    if isinstance(given, str | Relation) or not isinstance(given, Iterable):
        return (given,)
    return tuple(given)


class _Reading:
    """All texts of one question; what a name stands for is decided once, for all of them."""

    def __init__(
        self,
        expressions: tuple[object, ...],
        relations: tuple[object, ...],
        symbols: ASymbol | Iterable[ASymbol],
        values: Values | None,
        formulas: bool,
    ) -> None:
        self.expressions = expressions
        self.relations = relations
        self.wanted = _symbol_names(symbols)
        self.known = _known_symbols((*expressions, *relations), self.wanted)
        self.values = _numbers(values, formulas)
        self.notes: list[str] = []

    def inputs(self, assume: Assumptions | None, given: Assumptions | None) -> Inputs:
        names = {*self.known, *self.values, *(str(getattr(s, "name", s)) for s in self.wanted)}
        found = {*names, *self._names(names)}
        said = assume if isinstance(assume, str) else None
        guessed = rates_among(found - set(self.known), self.values, said)
        rates = guessed | {n for n, s in self.known.items() if not is_dim(s)}
        kinds = {name: rate(name) if name in rates else dim(name) for name in found}
        self.notes.clear()
        expressions = tuple(self._expression(e, kinds, rates) for e in self.expressions)
        relations = tuple(r for e in self.relations for r in self._relations(e, kinds, rates))
        symbols = tuple(_chosen(each, kinds) for each in self.wanted)
        return Inputs(
            expressions,
            relations,
            symbols,
            self.values,
            _assumptions(assume, kinds, rates),
            _assumptions(given, kinds, rates),
            tuple(dict.fromkeys(self.notes)),
        )

    def _names(self, declared: set[str]) -> set[str]:
        kinds = {name: dim(name) for name in declared}
        exprs = [self._expression(e, kinds, frozenset()) for e in self.expressions]
        sides = [r for e in self.relations for r in self._relations(e, kinds, frozenset())]
        return {s.name for each in (*exprs, *sides) for s in each.free_symbols}

    def _expression(
        self, given: object, kinds: Mapping[str, Symbol], rates: frozenset[str]
    ) -> Expr:
        if not isinstance(given, str):
            return _ours(exact(given), kinds)
        found: Formula = read_formula(given, kinds, rates)
        self.notes += found.notes
        return found.expr

    def _relations(
        self, given: object, kinds: Mapping[str, Symbol], rates: frozenset[str]
    ) -> list[Relation]:
        if not isinstance(given, str):
            return [_given_relation(given, kinds)]
        found: list[Relation] = []
        for piece, offset in pieces(check_text(given, "a relation")):
            try:
                chain = read_chain(piece, kinds, rates)
                if not chain.ops:
                    raise NotationError(
                        "a relation is expected", repair='write two sides, for example "B*D > 300"'
                    ).at(piece, 0, len(piece))
            except SymcostError as error:
                raise (relocated(error, given, offset) if error.place else error) from None
            self.notes += chain.notes
            found += map(Relation, chain.sides, chain.ops, chain.sides[1:])
        return found


def _symbol_names(symbols: ASymbol | Iterable[ASymbol]) -> tuple[ASymbol, ...]:
    if isinstance(symbols, str):
        symbols = symbols.replace(",", " ").split()
    elif isinstance(symbols, Symbol):
        symbols = (symbols,)
    elif not isinstance(symbols, Iterable):
        raise InvalidValueError(
            f"{symbols!r} is no symbol", repair='give its name, as "B", or a symbol'
        )
    listed = tuple(symbols)
    for each in listed:
        if not isinstance(each, str | Symbol):
            raise InvalidValueError(
                f"{each!r} is no symbol", repair='give its name, as "B", or a symbol'
            )
    return listed


def _known_symbols(given: Iterable[object], wanted: Iterable[ASymbol]) -> dict[str, Symbol]:
    """The symbols of what was given as sympy, as ours."""
    found = {each for each in wanted if isinstance(each, Symbol)}
    for each in given:
        if not isinstance(each, str):
            found |= getattr(each, "free_symbols", set())
    return {s.name: s for s in canonical(found).values()}


def _ours(expr: Expr, kinds: Mapping[str, Symbol]) -> Expr:
    swap = {s: kinds[s.name] for s in expr.free_symbols if kinds.get(s.name, s) != s}
    return expr.xreplace(swap) if swap else expr


def _chosen(given: ASymbol, kinds: Mapping[str, Symbol]) -> Symbol:
    return kinds[given if isinstance(given, str) else given.name]


def _given_relation(given: object, kinds: Mapping[str, Symbol]) -> Relation:
    op = getattr(given, "rel_op", None) or getattr(given, "op", None)
    if op is None or not hasattr(given, "lhs"):
        raise InvalidValueError(
            f"{given!r} is no relation", repair='write for example "B*D > 300", or x > y of sympy'
        )
    left, right = (_ours(exact(getattr(given, side)), kinds) for side in ("lhs", "rhs"))
    return Relation(left, "=" if op == "==" else str(op), right)


def _numbers(given: Values | None, formulas: bool) -> dict[str, Value]:
    if not given:
        return {}
    if isinstance(given, str):
        return read_numbers(given, formulas=formulas)
    if not isinstance(given, Mapping):
        raise InvalidValueError(f"{given!r} gives no values", repair='write for example "D=8192"')
    found: dict[str, Value] = {}
    for key, value in given.items():
        name = str(getattr(key, "name", key))
        if name in found:
            raise DuplicateNameError(f"{name} is given twice", repair="leave one out")
        found[name] = _number(name, value)
    return found


def _number(name: str, given: object) -> Value:
    value = read_formula(given).expr if isinstance(given, str) else exact(given)
    if value.is_nonpositive:
        raise InvalidValueError(f"{name} cannot be {value}", repair="give a positive number")
    if not value.is_Rational:
        return value
    return int(value.p) if value.q == 1 else Fraction(int(value.p), int(value.q))


def _assumptions(
    given: Assumptions | None, kinds: Mapping[str, Symbol], rates: frozenset[str]
) -> tuple[Assumption, ...]:
    found: list[Assumption] = []
    for each in _listed(given or ()):
        if isinstance(each, str):
            found += read_assumptions(each, kinds, rates)
        elif isinstance(each, MuchLess | Equal | Relation):
            found.append(each)
        else:
            raise InvalidValueError(
                f"{each!r} is no assumption", repair='write for example "B << D, F"'
            )
    return tuple(found)
