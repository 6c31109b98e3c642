"""What is asked of an inequality: relation, unknown and assumptions, read once at the border."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from sympy import Expr, Integer, Rational, Symbol
from sympy.logic.boolalg import And, BooleanAtom

from symcost.algebra import Posynomial, as_ratio
from symcost.algebra.exact import exact
from symcost.algebra.posynomial import power_of
from symcost.algebra.powers import where_one
from symcost.algebra.relation import Relation
from symcost.errors import InvalidValueError
from symcost.notation.border import ARelation, Assumptions, ASymbol, inputs
from symcost.notation.together import Inputs
from symcost.symbols import is_dim, rate

HALF = Rational(1, 2)


@dataclass(frozen=True, slots=True)
class Question:
    """Inequalities about one unknown; ``shown`` is the product that the unknown was put for."""

    relations: tuple[Relation, ...]
    unknown: Symbol
    read: Inputs
    shown: Expr | None = None

    @property
    def relation(self) -> Relation:
        """The only inequality.

        Raises:
            InvalidValueError: there are several.
        """
        if len(self.relations) != 1:
            raise InvalidValueError(
                f"{len(self.relations)} inequalities were given where one is expected",
                repair="ask for several at once with feasible",
            )
        return self.relations[0]

    @property
    def sides(self) -> list[Expr]:
        """The sides of all inequalities."""
        return [side for each in self.relations for side in (each.lhs, each.rhs)]


def question(
    relations: ARelation | bool | Iterable[ARelation | bool],
    symbol: ASymbol | Expr,
    assume: Assumptions | None = None,
    given: Assumptions | None = None,
) -> Question:
    """Read inequalities, the unknown (or a product of powers that is one) and assumptions.

    Raises:
        InvalidValueError: something is no inequality, or no unknown.
    """
    if isinstance(relations, And):
        relations = relations.args
    elif isinstance(relations, str | Relation) or not isinstance(relations, Iterable):
        relations = [relations]
    listed = [_unfolded(each) for each in relations]
    plain = isinstance(symbol, Symbol) or (isinstance(symbol, str) and symbol.isidentifier())
    read = inputs(
        relations=listed,
        symbols=symbol if plain else (),
        expressions=() if plain else (symbol,),
        assume=assume,
        given=given,
    )
    for each in read.relations:
        if each.op not in {">", ">=", "<", "<="}:
            raise InvalidValueError(
                f"{each} is no inequality", repair="write one with >, >=, < or <="
            )
    if plain:
        return Question(read.relations, read.symbols[0], read)
    (shown,) = read.expressions
    if shown.is_Symbol:
        return Question(read.relations, shown, read)
    unknown, swap = one_symbol(shown, {s for r in read.relations for s in r.free_symbols})
    return Question(tuple(r.substitute(swap) for r in read.relations), unknown, read, shown)


def _unfolded(relation: ARelation | bool) -> ARelation:
    """An inequality that sympy has decided, ``B + D > B``, as one between numbers."""
    if isinstance(relation, BooleanAtom | bool):
        return Relation(Integer(1 if relation else 0), ">", HALF)
    if isinstance(relation, Relation):
        return replace(relation, lhs=exact(relation.lhs), rhs=exact(relation.rhs))
    return relation


def one_symbol(shown: Expr, known: set[Symbol]) -> tuple[Symbol, dict[Symbol, Expr]]:
    """A symbol for a product of powers, and what one of its symbols is by that."""
    ratio = as_ratio(shown)
    if not ratio.is_posynomial or len(ratio.num) != 1 or not ratio.num.symbols:
        raise InvalidValueError(
            f"{shown} is no unknown", repair="solve for a name, or a product of powers such as B/X"
        )
    ((monomial, _),) = ratio.num.terms.items()
    inside = sorted(ratio.num.atoms & known, key=lambda s: (not is_dim(s), s.name))
    if not inside:
        raise InvalidValueError(f"{shown} does not occur in the inequality")
    chosen = max(inside, key=lambda s: Fraction(power_of(s, monomial)) == 1)
    unknown = rate("_per_".join(s.name for s in inside))
    value = where_one(ratio.num / Posynomial({((unknown, 1),): 1}), chosen)
    return unknown, {chosen: value.to_sympy()}
