"""The positive root of a polynomial that has exactly one, kept as such until numbers are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Function, Lambda, Poly, Symbol


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
        positive = [root for root, _ in real_roots(function.expr, function.variables[0])]
        return positive[0] if len(positive) == 1 else None

    @property
    def equation(self) -> tuple[Expr, Symbol]:
        """The polynomial and its unknown."""
        return self.args[0].expr, self.args[0].variables[0]

    def _xreplace(self, rule: Mapping[Expr, Expr]) -> tuple[Expr, bool]:
        """Replace symbols of the polynomial, but not its unknown, which is bound."""
        polynomial, unknown = self.equation
        free = {old: new for old, new in rule.items() if old != unknown}
        replaced, changed = polynomial._xreplace(free)
        return (type(self).of(replaced, unknown), True) if changed else (self, False)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        polynomial, unknown = self.equation
        name = printer._print(unknown)
        shown = rf"\operatorname{{root}}_{{{name}}}\left({printer._print(polynomial)}\right)"
        return shown if exp is None else rf"{{{shown}}}^{{{exp}}}"


def real_roots(polynomial: Expr, unknown: Symbol) -> list[tuple[Expr, int]]:
    """The positive real roots of a polynomial with rational coefficients, exact, ascending.

    Returns:
        Pairs of root (a rational, a surd or a ``CRootOf``) and multiplicity.
    """
    roots: list[tuple[Expr, int]] = Poly(polynomial, unknown).real_roots(multiple=False)
    return [(root, int(count)) for root, count in roots if root.is_positive]
