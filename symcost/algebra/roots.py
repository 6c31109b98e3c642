"""The positive root of a polynomial that has exactly one, kept as such until numbers are given."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sympy import (
    ComplexRootOf,
    Expr,
    Float,
    Function,
    Lambda,
    Poly,
    Rational,
    Symbol,
    diff,
    nan,
)
from sympy.printing.printer import Printer

from symcost.errors import UndecidedError

GUARD = 40  # bits beyond those that are asked for
FIRST_BITS = 60  # of a root that are found by halving


class PositiveRoot(Function):
    """The only positive root of a polynomial: ``PositiveRoot(Lambda(x, P))``.

    >>> from symcost.symbols import dims
    >>> x, D = dims("x D")
    >>> root = PositiveRoot.of(x**3 + x - D, x)
    >>> root.subs(D, 2)
    1
    """

    is_positive = True
    is_real = True

    @classmethod
    def of(cls, polynomial: Expr, unknown: Symbol) -> Expr:
        """The positive root of ``polynomial`` in ``unknown``."""
        return cls(Lambda(unknown, polynomial))

    @classmethod
    def eval(cls, function: Lambda) -> Expr | None:
        if function.expr.free_symbols - set(function.variables):
            return None
        try:
            positive = [root for root, _ in real_roots(function.expr, function.variables[0])]
        except UndecidedError:
            return None
        return positive[0] if len(positive) == 1 else None

    def _eval_evalf(self, prec: int) -> Expr | None:
        """A number, where irrational coefficients leave no exact form."""
        polynomial, unknown = self.equation
        if polynomial.free_symbols - {unknown}:
            return None
        digits = (prec + GUARD) * 302 // 1000
        return _bisected(Poly(polynomial.evalf(digits), unknown), prec)

    @property
    def is_number(self) -> bool:
        """Whether its polynomial has numbers only."""
        return not self.free_symbols

    @property
    def equation(self) -> tuple[Expr, Symbol]:
        """The polynomial and its unknown."""
        return self.args[0].expr, self.args[0].variables[0]

    def _xreplace(self, rule: Mapping[Expr, Expr]) -> tuple[Expr, bool]:
        """Replace symbols of the polynomial, but not its unknown, which is bound."""
        if self in rule:
            return rule[self], True
        polynomial, unknown = self.equation
        free = {old: new for old, new in rule.items() if old != unknown}
        replaced, changed = polynomial._xreplace(free)
        return (type(self).of(replaced, unknown), True) if changed else (self, False)

    def _eval_Abs(self) -> Expr:  # noqa: N802  (sympy calls it so)
        """Itself; otherwise sympy would turn the signs of the polynomial round."""
        return self

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        polynomial, unknown = self.equation
        name = printer._print(unknown)
        shown = rf"\operatorname{{root}}_{{{name}}}\left({printer._print(polynomial)}\right)"
        return shown if exp is None else rf"{{{shown}}}^{{{exp}}}"


class IsolatedRoot(PositiveRoot):
    """The only root of an expression between two fractions: ``IsolatedRoot(Lambda(x, f), a, b)``.

    >>> from sympy import log
    >>> from symcost.symbols import dims
    >>> n = dims("n")
    >>> IsolatedRoot.between(n * log(n) - 1, n, Fraction(1), Fraction(2)).evalf(5)
    1.7632
    """

    @classmethod
    def between(cls, value: Expr, unknown: Symbol, low: Fraction, high: Fraction) -> Expr:
        """The root of ``value`` in ``unknown`` between two numbers of different sign."""
        ends = (Rational(each.numerator, each.denominator) for each in (low, high))
        return cls(Lambda(unknown, value), *ends)

    @classmethod
    def eval(cls, function: Lambda, low: Expr, high: Expr) -> Expr | None:  # type: ignore[override]
        return None

    def _xreplace(self, rule: Mapping[Expr, Expr]) -> tuple[Expr, bool]:
        return (rule[self], True) if self in rule else (self, False)

    def _eval_evalf(self, prec: int) -> Expr:
        """A number: halving finds the first bits, Newton's method doubles them."""
        value, unknown = self.equation
        digits = (prec + GUARD) * 302 // 1000
        low, high = (end.evalf(digits) for end in self.args[1:])

        def at(function: Expr, x: Expr) -> Expr:
            return function.xreplace({unknown: x}).evalf(digits)

        above = bool(at(value, high) > 0)
        for _ in range(FIRST_BITS):
            middle = (low + high) / 2
            low, high = (low, middle) if bool(at(value, middle) > 0) == above else (middle, high)
        slope, x, bits = diff(value, unknown), (low + high) / 2, FIRST_BITS // 2
        while bits < prec + GUARD:
            x, bits = x - at(value, x) / at(slope, x), 2 * bits
        return Float(x, precision=prec)


ROOTS = (PositiveRoot, ComplexRootOf)  # numbers whose arguments say how they are looked for


def real_roots(polynomial: Expr, unknown: Symbol) -> list[tuple[Expr, int]]:
    """The positive real roots of a polynomial with rational coefficients, exact, ascending.

    Returns:
        Pairs of root (a rational, a surd or a ``CRootOf``) and multiplicity.

    Raises:
        UndecidedError: a coefficient is irrational, and the degree is three or more.
    """
    try:
        roots: list[tuple[Expr, int]] = Poly(polynomial, unknown).real_roots(multiple=False)
    except NotImplementedError as error:
        raise UndecidedError(
            f"cannot find the exact roots of {polynomial}, whose coefficients are irrational",
            repair="round them to fractions",
        ) from error
    return [(root, int(count)) for root, count in roots if root.is_positive]


def _bisected(polynomial: Poly, prec: int) -> Expr:
    """The only positive root, halving a stretch between two signs until it is narrow."""
    low, high = Float(0, precision=prec + GUARD), Float(1, precision=prec + GUARD)
    below = _tail(polynomial)
    most = 2 + sum(abs(c) for c in polynomial.coeffs()) / abs(polynomial.LC())  # Cauchy's bound
    while polynomial.eval(high) * below > 0:
        if high > most:
            return nan
        low, high = high, 2 * high
    while high - low > high / 2**prec:
        middle = (low + high) / 2
        if polynomial.eval(middle) * below > 0:
            low = middle
        else:
            high = middle
    return Float(high, precision=prec)


def _tail(polynomial: Poly) -> Expr:
    """The coefficient of the lowest power, which rules near zero."""
    return polynomial.coeffs()[-1]
