"""Formulas over polynomials only: roots, extrema and quotients become variables of their own.

A proof needs polynomials. A root ``sqrt(p)`` becomes a variable ``r`` with ``r >= 0`` and
``r*r = p``; a maximum one that equals an argument and is at least each; a quotient is
compared by the sign of its denominator. Where a root or quotient has no value is noted, so
that a proof can demand that it has one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any

from sympy import Expr, Pow, Rational, Symbol, ceiling, floor, log
from sympy.polys.rootoftools import ComplexRootOf

from symcost.algebra import Maximum, Minimum, Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE, ZERO, from_number
from symcost.algebra.relation import Relation
from symcost.algebra.roots import PositiveRoot
from symcost.algebra.signs import coefficient_sign
from symcost.analysis.proof.logic import All, Formula, Some
from symcost.symbols import rate

FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "=": "=", "!=": "!="}

Quotient = tuple[Posynomial, Posynomial]


@dataclass(slots=True)
class Flattening:
    """Rewrites formulas; collects what its own variables mean and where they have no value."""

    definitions: list[Formula] = field(default_factory=list)
    undefined: list[Formula] = field(default_factory=list)
    own: dict[Expr, Symbol] = field(default_factory=dict)

    def formula(self, formula: Formula) -> Formula:
        """The formula with relations of polynomials with zero only."""
        if isinstance(formula, Relation):
            return self._relation(formula.lhs, formula.op, formula.rhs)
        parts = tuple(self.formula(part) for part in formula.parts)
        return All(parts) if isinstance(formula, All) else Some(parts)

    def _relation(self, left: Expr, op: str, right: Expr) -> Formula:
        for side, other, sign in ((right, left, op), (left, right, FLIPPED[op])):
            if isinstance(side, Maximum | Minimum) and op[0] in "<>":
                parts = tuple(self._relation(other, sign, arg) for arg in side.args)
                every = (sign[0] == ">") == isinstance(side, Maximum)
                return All(parts) if every else Some(parts)
        return self._compared(self._quotient(left), op, self._quotient(right))

    def _compared(self, left: Quotient, op: str, right: Quotient) -> Formula:
        """``a/b op c/d`` by the sign of the denominators that have no sign of their own."""
        (a, b), (c, d) = left, right
        difference = a - c if b == d else a * d - c * b
        below = {b, d}
        if len([part for part in below if coefficient_sign(part) == -1]) % 2:
            op = FLIPPED[op]
        unsigned = [part for part in below if not coefficient_sign(part)]
        if not unsigned:
            return _with_zero(difference, op)
        return self._by_sign_of(reduce(mul, unsigned), difference, op)

    def _by_sign_of(self, unsigned: Posynomial, difference: Posynomial, op: str) -> Formula:
        self._note_undefined(_with_zero(unsigned, "="))
        above = All((_with_zero(unsigned, ">"), _with_zero(difference, op)))
        below = All((_with_zero(unsigned, "<"), _with_zero(difference, FLIPPED[op])))
        return Some((above, below))

    def _note_undefined(self, formula: Formula) -> None:
        if formula not in self.undefined:
            self.undefined.append(formula)

    def _quotient(self, expr: Expr) -> Quotient:
        if expr.is_Rational or expr.is_Symbol:
            return as_posynomial(expr), ONE
        if expr.is_Add:
            return self._sum([self._quotient(arg) for arg in expr.args])
        if expr.is_Mul:
            num, den = ONE, ONE
            for arg in expr.args:
                top, bottom = self._quotient(arg)
                num, den = num * top, den * bottom
            return num, den
        if expr.is_Pow and expr.exp.is_Rational:
            return self._power(expr.base, Fraction(int(expr.exp.p), int(expr.exp.q)))
        return _itself(self._variable(expr)), ONE

    @staticmethod
    def _sum(parts: list[Quotient]) -> Quotient:
        num, den = parts[0]
        for top, bottom in parts[1:]:
            if bottom == den:
                num = num + top
            else:
                num, den = num * bottom + top * den, den * bottom
        return num, den

    def _power(self, base: Expr, exponent: Fraction) -> Quotient:
        if exponent < 0:
            num, den = self._power(base, -exponent)
            return den, num
        if exponent.denominator == 1:
            num, den = self._quotient(base)
        elif base.is_Symbol:
            return as_posynomial(base) ** exponent, ONE
        else:
            root = self._variable(Pow(base, Rational(1, exponent.denominator)))
            num, den = _itself(root), ONE
        return num**exponent.numerator, den**exponent.numerator

    def _variable(self, expr: Expr) -> Symbol:
        if expr not in self.own:
            root = expr.is_Pow and expr.exp.is_Rational
            name = f"_v{len(self.own) + 1}"
            symbol = rate(name) if root or expr.is_positive else Symbol(name, real=True)
            self.own[expr] = symbol
            self._define(symbol, expr)
        return self.own[expr]

    def _define(self, r: Symbol, expr: Expr) -> None:
        if expr.is_Pow and expr.exp.is_Rational:
            self._define_root(r, expr.base, int(expr.exp.q))
        elif isinstance(expr, Maximum | Minimum):
            self._define_extremum(r, expr)
        elif isinstance(expr, PositiveRoot):
            self._define_positive_root(r, expr)
        elif isinstance(expr, ComplexRootOf):
            self._define_numeric_root(r, expr)
        else:
            self._relax(r, expr)

    def _relax(self, r: Symbol, expr: Expr) -> None:
        """Allow more values than a function has: a proof then still holds for it."""
        itself = _itself(r)
        if expr.is_positive:
            self.definitions.append(_with_zero(itself, ">"))
        if isinstance(expr, log):
            inner = self._quotient(expr.args[0])
            ways = (
                All((_with_zero(itself, op), self._compared(inner, op, (ONE, ONE)))) for op in ">=<"
            )
            self.definitions.append(Some(tuple(ways)))
        if isinstance(expr, ceiling | floor):
            num, den = self._quotient(expr.args[0])
            turn = -1 if isinstance(expr, ceiling) else 1
            self._relax_step(itself * turn, (num * turn, den))

    def _relax_step(self, floored: Posynomial, inner: Quotient) -> None:
        """A floor: at most its argument, less than 1 below it, and zero or whole."""
        num, den = inner
        excess = (num - floored * den, den)
        self.definitions += [
            self._compared(excess, ">=", (ZERO, ONE)),
            self._compared(excess, "<", (ONE, ONE)),
            Some(
                (
                    _with_zero(floored - 1, ">="),
                    _with_zero(floored, "="),
                    _with_zero(floored + 1, "<="),
                )
            ),
        ]

    def _define_root(self, r: Symbol, base: Expr, degree: int) -> None:
        inner = self._quotient(base)
        power = _itself(r) ** degree
        self.definitions += [
            _with_zero(_itself(r), ">="),
            self._compared((power, ONE), "=", inner),
        ]
        self._note_undefined(self._compared(inner, "<", (ZERO, ONE)))

    def _define_extremum(self, r: Symbol, expr: Expr) -> None:
        parts = [self._quotient(arg) for arg in expr.args]
        itself = (_itself(r), ONE)
        op = ">=" if isinstance(expr, Maximum) else "<="
        self.definitions += [self._compared(itself, op, part) for part in parts]
        self.definitions.append(Some(tuple(self._compared(itself, "=", p) for p in parts)))

    def _define_positive_root(self, r: Symbol, expr: PositiveRoot) -> None:
        """Between a lowest and a highest coefficient of opposite signs there is a root."""
        polynomial, unknown = expr.equation
        num, den = self._quotient(polynomial.xreplace({unknown: r}))
        self.definitions += [
            _with_zero(_itself(r), ">"),
            self._compared((num, den), "=", (ZERO, ONE)),
        ]
        parts = num.coefficients(r)
        self._note_undefined(_with_zero(parts[min(parts)] * parts[max(parts)], ">="))

    def _define_numeric_root(self, r: Symbol, expr: Expr) -> None:
        interval = expr._get_interval()
        value = sum(
            (_itself(r) ** p * from_number(c) for (p,), c in expr.poly.terms()),
            ZERO,
        )
        self.definitions += [
            _with_zero(value, "="),
            _with_zero(_itself(r) - _fraction(interval.a), ">="),
            _with_zero(_itself(r) - _fraction(interval.b), "<="),
        ]


def _itself(r: Symbol) -> Posynomial:
    return Posynomial({((r, 1),): 1})


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))


def _with_zero(value: Posynomial, op: str) -> Relation:
    return Relation(value, op, ZERO)
