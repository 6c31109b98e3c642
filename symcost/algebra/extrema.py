"""``Maximum`` and ``Minimum``: like sympy's ``Max`` and ``Min``, but they stay as written.

sympy compares every pair of symbolic arguments when it builds a ``Max``, which takes
seconds for a few dozen sums. These evaluate only when all arguments are numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from sympy import Expr, Function, Max, Min
from sympy.printing.printer import Printer

from symcost.algebra.monomials import written_order
from symcost.errors import InvalidValueError, SymcostError

# What each of sympy's printers asks an expression for. `repr` stays ours, and is read back.
_LANGUAGES = (
    "sympystr", "latex", "pretty", "mathml_content", "mathml_presentation", "ccode", "cmathcode",
    "cxxcode", "fcode", "glsl", "javascript", "julia", "lambdacode", "maple", "mcode", "octave",
    "rcode", "rust_code", "pythoncode", "numpycode", "scipycode", "cupycode", "jaxcode",
    "mpmathcode", "numexprcode", "tensorflowcode", "torchcode",
)  # fmt: skip


class _Extremum(Function):
    """What the two share: flat, sorted, distinct arguments, and a delayed decision."""

    is_real = True
    sign = 0  # 1 or -1 as the larger or the smaller of two is chosen
    order: ClassVar[Callable[[Expr, Expr], int]]

    @classmethod
    def choose(cls, numbers: tuple[Expr, ...]) -> Expr:
        """The one to choose; exact numbers are told apart by the comparison of the house."""
        best, *others = numbers
        for each in others:
            if best.is_Number and each.is_Number:
                is_better = bool(each > best if cls.sign > 0 else each < best)
            else:
                is_better = cls.order(each, best) == cls.sign
            best = each if is_better else best
        return best

    @classmethod
    def eval(cls, *args: Expr) -> Expr | None:
        flat = {inner for arg in args for inner in (arg.args if isinstance(arg, cls) else (arg,))}
        if not flat:
            what = "largest" if cls.sign > 0 else "smallest"
            raise InvalidValueError(f"nothing is the {what} of no values", repair="give one")
        if len(flat) == 1:
            return flat.pop()
        if all(arg.is_number for arg in flat):
            with suppress(TypeError, SymcostError):  # two that cannot be told apart
                return cls.choose(tuple(flat))
        ordered = tuple(sorted(flat, key=written_order))
        return None if ordered == args else cls(*ordered)

    def _printed(self, printer: Printer, *rest: str) -> str:
        """As sympy's own function is written, in code too: ``lambdify``, ``ccode``."""
        shown: str = printer._print(self.plain(*self.args, evaluate=False), *rest)
        return shown

    def _eval_evalf(self, prec: int) -> Expr | None:
        numbers = tuple(arg._evalf(prec) for arg in self.args)
        return self.choose(numbers) if all(n.is_Number for n in numbers) else None  # a pole, say


class Maximum(_Extremum):
    """The largest of its arguments, undecided until all are numbers.

    >>> from symcost.symbols import dim
    >>> Maximum(dim("B"), dim("D"), dim("B"))
    Max(B, D)
    >>> Maximum(3, 5)
    5
    """

    plain = Max
    sign = 1

    def _eval_is_positive(self) -> bool | None:
        return True if any(arg.is_positive for arg in self.args) else None


class Minimum(_Extremum):
    """The smallest of its arguments, undecided until all are numbers.

    >>> from symcost.symbols import dim
    >>> Minimum(dim("B"), dim("D"))
    Min(B, D)
    """

    plain = Min
    sign = -1

    def _eval_is_positive(self) -> bool | None:
        return True if all(arg.is_positive for arg in self.args) else None


def decide_by(compare: Callable[[Expr, Expr], int]) -> None:
    """Say how exact numbers are compared, which takes what is built on this module."""
    _Extremum.order = staticmethod(compare)


for _language in _LANGUAGES:
    setattr(_Extremum, f"_{_language}", _Extremum._printed)
