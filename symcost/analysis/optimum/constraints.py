"""Constraints of a minimization: read, put in where they are equations, solved for a symbol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from sympy import Expr, Integer, Symbol
from sympy.logic.boolalg import BooleanAtom

from symcost.algebra import Posynomial, Ratio, as_posynomial, as_ratio
from symcost.algebra.dominance import unbeaten
from symcost.algebra.posynomial import power_of
from symcost.algebra.powers import where_one
from symcost.algebra.relation import Relation
from symcost.algebra.signs import decided, is_at_least
from symcost.analysis.thresholds.threshold import solved
from symcost.errors import InvalidValueError, UndecidedError
from symcost.notation.border import ARelation
from symcost.symbols import is_dim

ALWAYS = Relation(Integer(1), ">", Integer(0))


@dataclass(frozen=True, slots=True)
class Bounds:
    """The smallest and largest values that the constraints leave to one symbol."""

    low: tuple[Expr, ...] = ()
    high: tuple[Expr, ...] = ()
    when: tuple[Relation, ...] = ()


def plain(relation: ARelation | bool) -> ARelation:
    """A constraint that sympy has decided, as one between numbers."""
    if isinstance(relation, BooleanAtom | bool):
        return ALWAYS if relation else Relation(Integer(0), ">", Integer(1))
    return relation


def closed(relation: Relation) -> Relation:
    """A constraint ``lhs >= rhs``, ``lhs > rhs`` or ``lhs = rhs``.

    A strict sign counts for integers only: of the reals, the end is what is approached.
    """
    if relation.op not in {">", ">=", "<", "<=", "="}:
        raise InvalidValueError(
            f"{relation} is no constraint", repair="write one with =, >, >=, < or <="
        )
    return relation if relation.op == "=" else relation.upward()


def loosened(constraints: Iterable[Relation]) -> list[Relation]:
    """The constraints with their ends."""
    return [replace(each, op=">=") if each.op == ">" else each for each in constraints]


def eliminations(
    constraints: Iterable[Relation], over: list[Symbol]
) -> tuple[dict[Symbol, Posynomial], list[Relation]]:
    """Solve the equations for some of the symbols, and put them into the other constraints.

    Raises:
        UndecidedError: an equation between sums.
    """
    waiting, kept = list(constraints), []
    solved: dict[Symbol, Posynomial] = {}
    while waiting:
        each = waiting.pop(0)
        if each.op != "=":
            kept.append(each)
            continue
        if _holds_already(each):
            continue
        symbol, expr = _solved(each, over)
        swap = {symbol: expr}
        over.remove(symbol)
        solved = {s: e.substitute(swap) for s, e in solved.items()} | swap
        waiting, kept = ([replaced(c, swap) for c in listed] for listed in (waiting, kept))
    return solved, kept


def replaced(relation: Relation, values: Mapping[Symbol, Posynomial]) -> Relation:
    """The relation with symbols replaced by monomials."""
    ratios = {symbol: Ratio.of(value) for symbol, value in values.items()}
    left, right = (as_ratio(side).substitute(dict(ratios)) for side in (relation.lhs, relation.rhs))
    return Relation(left.to_sympy(), relation.op, right.to_sympy())


def bounds_of(constraints: Iterable[Relation], symbol: Symbol) -> Bounds:
    """What constraints ``lhs >= rhs`` leave to one symbol, a dimension being at least 1.

    Raises:
        InvalidValueError: they leave nothing.
        UndecidedError: they leave more than one interval.
    """
    low: dict[Expr, None] = {Integer(1): None} if is_dim(symbol) else {}
    high: dict[Expr, None] = {}
    when: dict[Relation, None] = {}
    for each in constraints:
        if symbol not in each.free_symbols:
            when |= dict.fromkeys(_open(replace(each, op=">=")))
            continue
        main = solved(Relation(each.lhs, ">=", each.rhs), symbol).main
        if not main.intervals:
            raise InvalidValueError(f"no {symbol} satisfies {each}")
        if len(main.intervals) > 1:
            raise UndecidedError(
                f"{each} leaves several intervals to {symbol}",
                repair="give the constraint of one of them",
            )
        (interval,) = main.intervals
        low |= {} if interval.low is None else {interval.low: None}
        high |= {} if interval.high is None else {interval.high: None}
        when |= {condition.relation(): None for condition in main.when}
    lows = unbeaten(low, is_at_least)
    highs = unbeaten(high, lambda a, b: is_at_least(b, a))
    for a, b in product(lows, highs):
        if decided(Relation(b, ">=", a)) is False:
            raise InvalidValueError(f"no {symbol} lies between {a} and {b}")
    return Bounds(tuple(lows), tuple(highs), tuple(when))


def _open(relation: Relation) -> tuple[Relation, ...]:
    """A constraint on other symbols as a condition, unless it is known to hold."""
    known = decided(relation)
    if known is False:
        raise InvalidValueError(f"{relation} cannot hold", repair="leave it out or change it")
    return () if known else (relation,)


def at_least(large: Expr, small: Expr) -> Relation:
    """``large >= small``, without roots and fractions where both are single terms.

    >>> from sympy import sqrt
    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> at_least(sqrt(B / D), F)
    B >= D*F**2
    """
    if large.is_number and small.is_number:
        return Relation(large, ">=", small)
    try:
        ratio = as_posynomial(large) / as_posynomial(small)
    except (UndecidedError, InvalidValueError):
        return Relation(large, ">=", small)
    if len(ratio) != 1:
        return Relation(large, ">=", small)
    value = as_ratio(without_roots(ratio).to_sympy())  # sqrt(2)**2 becomes 2
    if len(value.num) != 1 or not value.is_posynomial:  # of a root of a sum the sum is left
        inverse = Ratio.of(value.den, value.num)
        if inverse.is_posynomial:
            return Relation(Integer(1), ">=", inverse.to_sympy())
        return Relation(value.to_sympy(), ">=", Integer(1))
    ((monomial, number),) = value.num.terms.items()
    top = {tuple(i for i in monomial if i[1] > 0): Fraction(number).numerator}
    bottom = {tuple((a, -p) for a, p in monomial if p < 0): Fraction(number).denominator}
    return Relation(Posynomial(top).to_sympy(), ">=", Posynomial(bottom).to_sympy())


def without_roots(term: Posynomial) -> Posynomial:
    """A power of a positive term that has whole exponents and a rational coefficient."""
    ((monomial, _),) = term.terms.items()
    result = term
    for atom, power in monomial:
        root = Fraction(power) if atom.is_Symbol else Fraction(1)
        if atom.is_Pow and atom.exp.is_Rational:
            root = Fraction(int(atom.exp.p), int(atom.exp.q)) * Fraction(power)
        if root.denominator > 1:
            return without_roots(result**root.denominator)
    return result


def _holds_already(equation: Relation) -> bool:
    """Whether an equation between numbers holds; one that does not is refused."""
    if equation.free_symbols:
        return False
    if equation.lhs != equation.rhs:
        raise InvalidValueError(
            f"{equation.lhs} = {equation.rhs} cannot hold", repair="leave it out or change it"
        )
    return True


def _solved(equation: Relation, over: list[Symbol]) -> tuple[Symbol, Posynomial]:
    left, right = as_ratio(equation.lhs), as_ratio(equation.rhs)
    ratio = left / right
    if not ratio.is_posynomial or len(ratio.num) != 1:
        raise UndecidedError(
            f"{equation.lhs} = {equation.rhs} is no equation between single terms",
            repair="solve it by hand and put the result into the objective",
        )
    ((monomial, _),) = ratio.num.terms.items()
    symbols = [symbol for symbol in over if power_of(symbol, monomial)]
    if not symbols:
        names = f"none of {', '.join(map(str, over))}" if over else "no symbol that is left"
        raise InvalidValueError(
            f"{equation.lhs} = {equation.rhs} fixes {names}",
            repair="put it into the objective instead",
        )
    return symbols[-1], where_one(ratio.num, symbols[-1])
