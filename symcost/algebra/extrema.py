"""``Maximum`` and ``Minimum``: like sympy's ``Max`` and ``Min``, but they stay as written.

sympy compares every pair of symbolic arguments when it builds a ``Max``, which takes
seconds for a few dozen sums. These evaluate only when all arguments are numbers.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sympy import Expr, Function, Number
from sympy.core.function import ArgumentIndexError

from symcost.algebra.monomials import written_order


class _Extremum(Function):
    """What the two share: flat, sorted, distinct arguments, and a delayed decision."""

    sympy_name = ""
    is_real = True

    @classmethod
    def choose(cls, numbers: tuple[Number, ...]) -> Number:
        raise ArgumentIndexError(cls, numbers)

    @classmethod
    def eval(cls, *args: Expr) -> Expr | None:
        flat = {inner for arg in args for inner in (arg.args if isinstance(arg, cls) else (arg,))}
        if len(flat) == 1:
            return flat.pop()
        if all(arg.is_number for arg in flat):
            with suppress(TypeError):  # two irrational numbers that cannot be told apart
                return cls.choose(tuple(flat))
        ordered = tuple(sorted(flat, key=written_order))
        return None if ordered == args else cls(*ordered)

    def _sympystr(self, printer: Any) -> str:
        return f"{self.sympy_name}({', '.join(printer._print(arg) for arg in self.args)})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inner = ", ".join(printer._print(arg) for arg in self.args)
        shown = rf"\{self.sympy_name.lower()}\left({inner}\right)"
        return shown if exp is None else rf"{{{shown}}}^{{{exp}}}"

    def _eval_evalf(self, prec: int) -> Expr:
        numbers = tuple(arg._evalf(prec) for arg in self.args)
        return self.choose(numbers) if all(n.is_Number for n in numbers) else self


class Maximum(_Extremum):
    """The largest of its arguments, undecided until all are numbers.

    >>> from symcost.symbols import dim
    >>> Maximum(dim("B"), dim("D"), dim("B"))
    Max(B, D)
    >>> Maximum(3, 5)
    5
    """

    sympy_name = "Max"

    def _eval_is_positive(self) -> bool | None:
        return True if any(arg.is_positive for arg in self.args) else None

    @classmethod
    def choose(cls, numbers: tuple[Number, ...]) -> Number:
        return max(numbers)


class Minimum(_Extremum):
    """The smallest of its arguments, undecided until all are numbers.

    >>> from symcost.symbols import dim
    >>> Minimum(dim("B"), dim("D"))
    Min(B, D)
    """

    sympy_name = "Min"

    def _eval_is_positive(self) -> bool | None:
        return True if all(arg.is_positive for arg in self.args) else None

    @classmethod
    def choose(cls, numbers: tuple[Number, ...]) -> Number:
        return min(numbers)
