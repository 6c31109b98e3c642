"""The satisfiability of polynomial formulas over the reals, asked of z3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from sympy import Symbol

from symcost.algebra.posynomial import Atom, Posynomial, power_of
from symcost.analysis.proof.logic import All, Formula, relations
from symcost.errors import MissingRuleError

LONGEST = 2**32 - 1  # milliseconds, which z3 takes for no limit
DIGITS = (8, 20, 40)  # that an algebraic number of a model is tried with


@dataclass(frozen=True, slots=True)
class Satisfied:
    """``answer`` is ``"yes"``, ``"no"`` or ``"unknown"``; ``points`` are candidates for "yes"."""

    answer: str
    points: tuple[Mapping[Symbol, Fraction], ...] = ()


def z3_module() -> Any:
    """The module z3.

    Raises:
        MissingRuleError: it is not installed.
    """
    try:
        import z3
    except ImportError:
        raise MissingRuleError(
            "proofs need z3", repair="install it with: pip install 'symcost[prove]'"
        ) from None
    return z3


def satisfiable(
    formulas: Iterable[Formula],
    wanted: Iterable[Symbol],
    positive: Iterable[Symbol],
    timeout: float,
) -> Satisfied:
    """Whether polynomial formulas hold together somewhere.

    Args:
        formulas: relations of posynomials with zero, joined by and and or.
        wanted: the symbols whose values make a point.
        positive: the symbols that take positive values only.
        timeout: in seconds, after which the answer is ``"unknown"``.
    """
    z3 = z3_module()
    whole = All(tuple(formulas))
    writer = _Writer(z3, _steps(whole))
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", max(1, int(min(timeout * 1000, LONGEST))))
    solver.add(*(writer.variable(s) > 0 for s in positive))
    solver.add(writer.formula(whole))
    answer = solver.check()
    if answer == z3.unsat:
        return Satisfied("no")
    if answer != z3.sat:
        return Satisfied("unknown")
    return Satisfied("yes", tuple(writer.points(solver.model(), tuple(wanted))))


def _steps(formula: Formula) -> dict[Atom, int]:
    """For each symbol the common denominator of its powers: z3 gets a variable for that root."""
    steps: dict[Atom, int] = {}
    for relation in relations(formula):
        for monomial in relation.lhs.terms:
            for atom, power in monomial:
                steps[atom] = lcm(steps.get(atom, 1), Fraction(power).denominator)
    return steps


@dataclass(slots=True)
class _Writer:
    """Writes polynomials as z3 terms and reads the numbers of a model."""

    z3: Any
    steps: Mapping[Atom, int]

    def variable(self, symbol: Atom) -> Any:
        return self.z3.Real(str(symbol))

    def formula(self, formula: Formula) -> Any:
        if not hasattr(formula, "parts"):
            return self._relation(formula.lhs, formula.op)
        parts = [self.formula(part) for part in formula.parts]
        return self.z3.And(*parts) if isinstance(formula, All) else self.z3.Or(*parts)

    def _relation(self, value: Posynomial, op: str) -> Any:
        term = self._polynomial(value)
        return {
            ">": lambda: term > 0,
            ">=": lambda: term >= 0,
            "<": lambda: term < 0,
            "<=": lambda: term <= 0,
            "=": lambda: term == 0,
            "!=": lambda: term != 0,
        }[op]()

    def _polynomial(self, value: Posynomial) -> Any:
        """The terms with integer coefficients, times a power of each symbol that clears it."""
        factor = lcm(*(Fraction(c).denominator for c in value.terms.values()))
        lowest = {a: min(0, *(power_of(a, m) for m in value.terms)) for a in value.atoms}
        whole = value * Posynomial({tuple((a, -p) for a, p in lowest.items() if p): factor})
        return self.z3.Sum([self._term(m, c) for m, c in whole.terms.items()])

    def _term(self, monomial: Any, coefficient: Any) -> Any:
        factors = [self.z3.RealVal(int(coefficient))]
        for atom, power in monomial:
            factors += [self.variable(atom)] * int(power * self.steps[atom])
        return self.z3.Product(factors)

    def points(self, model: Any, wanted: tuple[Symbol, ...]) -> Iterable[dict[Symbol, Fraction]]:
        """The model's values, irrational ones as rational numbers near them."""
        for digits in DIGITS:
            yield {s: self._value(model, s, digits) for s in wanted}

    def _value(self, model: Any, symbol: Symbol, digits: int) -> Fraction:
        value = model.eval(self.variable(symbol), model_completion=True)
        if not self.z3.is_rational_value(value):
            value = value.approx(digits)
        root = Fraction(value.numerator_as_long(), value.denominator_as_long())
        return root ** self.steps.get(symbol, 1)
