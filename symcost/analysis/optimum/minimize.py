"""Minima of cost expressions over the symbols that one may choose, with constraints.

Closed forms where there are any: two terms that balance, a maximum whose arguments meet, and
geometric programs of degree of difficulty zero; with numbers, the exact root of the slope.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TypeAlias

from sympy import Add, Dummy, Expr, Integer, Pow, Symbol, Tuple, ceiling, exp, floor, log
from sympy.logic.boolalg import Boolean

from symcost.algebra import Maximum, Posynomial, Ratio, as_ratio
from symcost.algebra.relation import Relation
from symcost.algebra.signs import decided
from symcost.analysis.optimum.coefficients import Solver, shortened, solved_by_cases
from symcost.analysis.optimum.constraints import bounds_of, closed, eliminations, loosened, plain
from symcost.analysis.optimum.numeric import integer_minimum, numeric_minimum
from symcost.analysis.optimum.pairs import best_pair
from symcost.analysis.optimum.settled import Settled, settled
from symcost.analysis.optimum.several import minimum_over_several
from symcost.analysis.optimum.single import minimum_by_slope, minimum_over_one
from symcost.analysis.optimum.trial import check_divisors, check_minimum
from symcost.analysis.optimum.types import Optimum, OptimumCase
from symcost.analysis.optimum.whole import whole_candidates
from symcost.analysis.values import check_only, occurring, with_numbers
from symcost.errors import InvalidValueError, SymcostError, UndecidedError
from symcost.notation.border import AnExpr, ARelation, ASymbol, Values, inputs
from symcost.notation.together import Inputs
from symcost.symbols import is_dim

Constraint: TypeAlias = "ARelation | bool"

MAX_CHOICES = 64  # of one argument from each maximum in a sum


def minimize(
    expr: AnExpr,
    over: ASymbol | Iterable[ASymbol],
    subject_to: Constraint | Iterable[Constraint] = (),
    at: Values | None = None,
    *,
    integer: bool = False,
    among: Iterable[int] | None = None,
) -> Optimum:
    """Find where a cost is least.

    >>> from symcost.symbols import dims, rates
    >>> a, b, x = rates("a b x")
    >>> minimize(a * x + b / x, x).value
    2*sqrt(a)*sqrt(b)

    Args:
        expr: a posynomial, a ``Maximum`` of posynomials, or a sum of both.
        over: the symbol to choose, or several (symbols or names).
        subject_to: constraints, such as ``Eq(X*Y, N)`` or ``X <= N``; equations between single
            terms are put in. Dimensions are at least 1 without being told.
        at: numbers for other symbols, by symbol or name.
        integer: whether to compare the integers beside the minimum; needs one symbol and
            numbers for the rest. Dimensions that an equation fixes are whole as well.
        among: the integers allowed, for example divisors or powers of two.

    Returns:
        The minimum; where it depends on symbols without numbers, one case per condition.

    Raises:
        InvalidValueError: a symbol does not occur, or the constraints contradict each other.
        UndecidedError: there is no closed form; the message says which numbers would help.
    """
    given = [each for each in _several(subject_to) if each is not True]
    asked = inputs(expressions=(expr,), symbols=over, relations=map(plain, given), values=at)
    value, constraints, symbols = _with_numbers(asked)
    if among is None:
        _check_functions(value, symbols)
    left = list(symbols)
    solved, constraints = eliminations(constraints, left)
    value = value.xreplace({symbol: each.to_sympy() for symbol, each in solved.items()})
    constraints += [
        Relation(e.to_sympy(), ">=", Integer(1)) for s, e in solved.items() if is_dim(s)
    ]
    idle = [symbol for symbol in left if symbol not in value.free_symbols]
    if idle:
        raise InvalidValueError(
            f"the objective {value} does not depend on {idle[0]}", repair="leave it out of over"
        )
    if among is None:
        check_divisors(value, left, constraints)
    if integer or among is not None:
        cases = [_over_integers(value, left, constraints, among, solved)]
        check_minimum(value, constraints, cases, near=False)
    else:
        closed_ones = loosened(constraints)
        fewer = settled(value, left, closed_ones)
        found = _over_reals(fewer.value, fewer.symbols, fewer.constraints)
        cases = [_with_placed(case, fewer) for case in found]
        check_minimum(value, closed_ones, cases, near=True)
        cases = [_approached(case, constraints) for case in cases]
    return Optimum(value, symbols, tuple(_completed(case, symbols, solved) for case in cases))


def _with_placed(case: OptimumCase, fewer: Settled) -> OptimumCase:
    """The case with the symbols that were put at an end."""
    if case.value is None or not fewer.placed:
        return case
    point = dict(case.point)
    point |= {symbol: end.xreplace(point) for symbol, end in fewer.placed.items()}
    held = ", ".join(f"{symbol} = {point[symbol]}" for symbol in fewer.placed)
    reason = f"on the border of the constraints, {held}"
    if case.kind == "border":
        reason = f"{case.reason}; {reason}"
    return replace(case, point=point, kind="border", reason=reason)


def _approached(case: OptimumCase, constraints: Sequence[Relation]) -> OptimumCase:
    """The case; where a strict constraint leaves out its point, it says so."""
    for each in (each for each in constraints if each.op == ">" and case.point):
        if decided(each.substitute(case.point)) is False:
            said = f"{case.reason}, which {each} leaves out: the value is approached"
            return replace(case, reason=said)
    return case


def _check_functions(value: Expr, symbols: Sequence[Symbol]) -> None:
    """Refuse to choose what stands in a logarithm, a rounding, an exponent or a root of a sum."""
    powers = {p for p in value.atoms(Pow) if p.exp.free_symbols or (p.base.is_Add and p.exp.q > 1)}
    for part in sorted(powers | value.atoms(log, exp, ceiling, floor), key=str):
        inside = [s.name for s in symbols if s in part.free_symbols]
        if inside:
            raise UndecidedError(
                f"cannot minimize over {inside[0]} inside {part}",
                repair=f"replace {part} by a power of {inside[0]}, or list values of {inside[0]}",
            )


def _several(items: Constraint | Iterable[Constraint]) -> list[Constraint]:
    if isinstance(items, str | Relation | Boolean | bool) or not isinstance(items, Iterable):
        return [items]
    return list(items)


def _with_numbers(asked: Inputs) -> tuple[Expr, list[Relation], tuple[Symbol, ...]]:
    """Objective and constraints with numbers put in, and the symbols to choose."""
    (value,), constraints = asked.expressions, [closed(each) for each in asked.relations]
    symbols = tuple(dict.fromkeys(asked.symbols))
    sides = [side for each in constraints for side in (each.lhs, each.rhs)]
    everything = Tuple(value, *sides) if sides else value
    for symbol in symbols:
        occurring(symbol, everything)
    both = [symbol.name for symbol in symbols if symbol.name in asked.values]
    if both or not symbols:
        what = (
            f"{both[0]} is to be chosen and has a number"
            if both
            else "there is no symbol to choose"
        )
        raise InvalidValueError(what, repair="name in over what is to be chosen, in at the rest")
    value, *sides = with_numbers([value, *sides], asked.values)
    pairs = zip(constraints, sides[::2], sides[1::2], strict=True)
    return value, [Relation(left, each.op, right) for each, left, right in pairs], symbols


def _over_reals(
    value: Expr, symbols: Sequence[Symbol], constraints: Sequence[Relation]
) -> tuple[OptimumCase, ...]:
    if not symbols:
        when = bounds_of(constraints, Dummy()).when
        return (OptimumCase({}, value, "border", "the equations leave one point", when),)
    names = value.free_symbols.union(*(each.free_symbols for each in constraints))
    if names <= set(symbols) and len(symbols) == 1:
        parts = _positive_parts(value)
        # a closed form is shorter than the root of a polynomial
        closed = None if parts is None else _closed(parts, symbols[0], constraints)
        exprs = [part.to_sympy() for part in parts or ()] or _arguments(value) or [value]
        return (closed or numeric_minimum(exprs, symbols[0], constraints),)
    constant, rest = _apart(value, symbols)
    try:
        cases = solved_by_cases(shortened(rest, symbols), _solver(symbols, constraints))
    except SymcostError:
        if len(symbols) > 1 or value.has(Maximum):
            raise
        return minimum_by_slope(value, symbols[0], constraints)
    return tuple(case.plus(constant) for case in cases)


def _apart(value: Expr, symbols: Sequence[Symbol]) -> tuple[Expr, Expr]:
    """The terms without the symbols, which no choice changes, and the others."""
    ratio = as_ratio(value)
    if not ratio.is_posynomial:
        return Integer(0), value
    terms = [term.to_sympy() for term in ratio.num]
    fixed = [term for term in terms if term.free_symbols.isdisjoint(symbols)]
    return Add(*fixed), Add(*(term for term in terms if term not in fixed))


def _solver(symbols: Sequence[Symbol], constraints: Sequence[Relation]) -> Solver:
    def solve(value: Expr) -> tuple[OptimumCase, ...]:
        parts = _positive_parts(value)
        if parts is None:
            raise InvalidValueError(
                f"{value} is no sum of positive terms", repair="give numbers for all other symbols"
            )
        if len(symbols) > 1:
            return minimum_over_several(parts, symbols, constraints)
        return minimum_over_one(parts, symbols[0], constraints)

    return solve


def _closed(
    parts: Sequence[Posynomial], symbol: Symbol, constraints: Sequence[Relation]
) -> OptimumCase | None:
    try:
        cases = minimum_over_one(parts, symbol, constraints)
    except UndecidedError:
        return None
    return cases[0] if len(cases) == 1 and not cases[0].when else None


def _over_integers(
    value: Expr,
    symbols: Sequence[Symbol],
    constraints: Sequence[Relation],
    among: Iterable[int] | None,
    solved: Mapping[Symbol, Posynomial],
) -> OptimumCase:
    check_only([value, *(s for c in constraints for s in (c.lhs, c.rhs))], symbols)
    if len(symbols) != 1:
        return best_pair(value, symbols, constraints)
    parts = _positive_parts(value)
    exprs = [part.to_sympy() for part in parts] if parts else _arguments(value) or [value]
    if solved:
        among = whole_candidates(symbols[0], solved, among)
    closed = _closed(parts, symbols[0], loosened(constraints)) if parts and among is None else None
    return integer_minimum(exprs, symbols[0], constraints, among, closed)


def _completed(
    case: OptimumCase, symbols: Sequence[Symbol], solved: Mapping[Symbol, Posynomial]
) -> OptimumCase:
    """The case with the symbols that the equations fix."""
    if case.value is None:
        return case
    point = dict(case.point)
    point |= {s: each.to_sympy().xreplace(dict(case.point)) for s, each in solved.items()}
    return replace(case, point={symbol: point[symbol] for symbol in symbols})


def _positive_parts(value: Expr) -> list[Posynomial] | None:
    """Posynomials whose maximum is the value; ``None`` when it is none of such."""
    ratios = [as_ratio(part) for part in _arguments(value) or [value]]
    if not all(map(_is_positive, ratios)):
        return None
    return [part for part in dict.fromkeys(each.num for each in ratios) if part]  # 0 is below all


def _arguments(value: Expr) -> list[Expr] | None:
    """Functions without maxima whose maximum is the value; ``None`` when there are none.

    ``a + b*Max(c, d)`` is ``Max(a + b*c, a + b*d)`` since ``b`` is positive; products and powers
    of maxima are taken apart where their arguments are positive.
    """
    ratio = as_ratio(value)
    maxima = sorted((a for a in ratio.num.atoms if isinstance(a, Maximum)), key=str)
    if not maxima:
        return None if value.has(Maximum) else [value]
    if any(isinstance(atom, Maximum) for atom in ratio.den.atoms):
        return None
    for monomial, number in ratio.num.terms.items():
        held = [(atom, power) for atom, power in monomial if atom in maxima]
        plain = [power for _, power in held] in ([], [1])
        signed = any(not _is_positive(as_ratio(arg)) for atom, _ in held for arg in atom.args)
        if held and (number < 0 or any(p < 0 for _, p in held) or (signed and not plain)):
            return None
    if prod(len(each.args) for each in maxima) > MAX_CHOICES:
        raise UndecidedError(f"{value} holds too many maxima")
    found: list[Expr] = []
    for choice in product(*(each.args for each in maxima)):
        inner = _arguments(value.xreplace(dict(zip(maxima, choice, strict=True))))
        if inner is None:
            return None
        found += inner
    return list(dict.fromkeys(found))


def _is_positive(ratio: Ratio) -> bool:
    """Whether a quotient is a sum of positive terms without maxima in them."""
    has_maximum = any(isinstance(atom, Maximum) for atom in ratio.num.atoms)
    return ratio.is_posynomial and not has_maximum and min(ratio.num.terms.values(), default=1) > 0
