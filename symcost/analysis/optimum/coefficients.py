"""Coefficients such as ``p - 1`` that are sums of both signs, and yet not negative.

While a minimum is looked for, such a coefficient is one positive symbol, so that the objective
is a sum of positive terms. Where it may be zero, its terms are left out as a case of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sympy import Expr, Integer, Symbol

from symcost.algebra import Maximum, Posynomial, as_ratio
from symcost.algebra.posynomial import Monomial, Number
from symcost.algebra.ratio import positive_content
from symcost.algebra.relation import SIGNS, Condition
from symcost.algebra.signs import decided, possible_signs
from symcost.analysis.optimum.single import pruned
from symcost.analysis.optimum.types import OptimumCase
from symcost.errors import InvalidValueError, UndecidedError
from symcost.symbols import rate

Solver = Callable[[Expr], tuple[OptimumCase, ...]]


@dataclass(frozen=True, slots=True)
class Shortened:
    """An objective with positive symbols in place of some coefficients."""

    objective: Expr
    over: frozenset[Symbol]
    meaning: Mapping[Symbol, Posynomial]

    def without(self, name: Symbol, objective: Expr | None = None) -> Shortened:
        """The same with one coefficient settled."""
        meaning = {each: value for each, value in self.meaning.items() if each != name}
        return Shortened(self.objective if objective is None else objective, self.over, meaning)


def shortened(value: Expr, symbols: Sequence[Symbol]) -> Shortened:
    """Put a symbol in place of each coefficient of both signs that cannot be negative.

    >>> from symcost.symbols import dims, rates
    >>> p, n = dims("p n")
    >>> a, V = rates("a V")
    >>> short = shortened(a * (p - 1) * n + V / n, [n])
    >>> short.objective, list(short.meaning.values())
    (V/n + a*coefficient_0*n, [p - 1])
    """
    names: dict[Posynomial, Symbol] = {}
    over = frozenset(symbols)
    objective = _short(value, over, names)
    return Shortened(objective, over, {name: each for each, name in names.items()})


def solved_by_cases(short: Shortened, solver: Solver) -> tuple[OptimumCase, ...]:
    """Solve with each coefficient above zero, and again without those that may be zero."""
    if not short.meaning:
        return solver(short.objective)
    name, coefficient = next(iter(short.meaning.items()))
    cases = solved_by_cases(short.without(name), solver)
    general = [_replaced(case, {name: coefficient.to_sympy()}) for case in cases]
    if 0 not in possible_signs(coefficient):
        return pruned(general)
    above = Condition(coefficient, SIGNS[">"]).relation()
    zero = _without(short, name, solver)
    at_zero = [_at_zero(case, name) for case in cases]
    if zero and all(case in at_zero for case in zero):
        return pruned(general)
    general = [case if _implies(case, coefficient) else case.under(above) for case in general]
    return pruned([*general, *(case.under(replace(above, op="=")) for case in zero)])


def _without(short: Shortened, name: Symbol, solver: Solver) -> tuple[OptimumCase, ...]:
    """The cases with zero for a coefficient; none if nothing is left to choose or to find."""
    objective = short.objective.xreplace({name: Integer(0)})
    if not short.over <= objective.free_symbols:
        return ()
    try:
        return solved_by_cases(short.without(name, objective), solver)
    except UndecidedError:
        return ()


def _short(value: Expr, symbols: frozenset[Symbol], names: dict[Posynomial, Symbol]) -> Expr:
    ratio = as_ratio(value)
    if not ratio.is_posynomial:
        raise InvalidValueError(
            f"{value} is no sum of positive terms", repair="give numbers for all other symbols"
        )
    groups: dict[Monomial, dict[Monomial, Number]] = {}
    for monomial, number in ratio.num.terms.items():
        varying = tuple(item for item in monomial if item[0].free_symbols & symbols)
        rest = tuple(item for item in monomial if item not in varying)
        groups.setdefault(varying, {})[rest] = number
    total = Integer(0)
    for varying, terms in groups.items():
        factor = _short_coefficient(Posynomial(terms), names)
        for atom, power in varying:
            inner = atom
            if isinstance(atom, Maximum):
                inner = Maximum(*(_short(arg, symbols, names) for arg in atom.args))
            factor = factor * inner**power
        total = total + factor
    return total


def _short_coefficient(coefficient: Posynomial, names: dict[Posynomial, Symbol]) -> Expr:
    if all(number > 0 for number in coefficient.terms.values()):
        return coefficient.to_sympy()
    shared = positive_content(coefficient)
    inner = coefficient / shared
    if -1 in possible_signs(inner):
        raise InvalidValueError(
            f"{coefficient} may be negative, so the objective is no sum of positive terms",
            repair="give numbers for all other symbols",
        )
    name = names.setdefault(inner, rate(f"coefficient_{len(names)}"))
    return shared.to_sympy() * name


def _replaced(case: OptimumCase, swap: Mapping[Symbol, Expr]) -> OptimumCase:
    return replace(
        case,
        point={symbol: at.xreplace(swap) for symbol, at in case.point.items()},
        value=None if case.value is None else case.value.xreplace(swap),
        when=tuple(each.substitute(swap) for each in case.when),
    )


def _at_zero(case: OptimumCase, name: Symbol) -> OptimumCase | None:
    """A case with zero for a coefficient, if it makes sense and its conditions hold."""
    reduced = _replaced(case, {name: Integer(0)})
    if reduced.value is None or not all(
        e.is_finite for e in (reduced.value, *reduced.point.values())
    ):
        return None
    kept = tuple(r for r in reduced.when if decided(r) is not True)
    return replace(reduced, when=kept)


def _implies(case: OptimumCase, coefficient: Posynomial) -> bool:
    """Whether some condition ``lhs >= rhs`` has the coefficient as a factor on the left."""
    for each in case.when:
        quotient = as_ratio(each.lhs) / as_ratio(coefficient.to_sympy())
        if quotient.is_posynomial and all(c > 0 for c in quotient.num.terms.values()):
            return True
    return False
