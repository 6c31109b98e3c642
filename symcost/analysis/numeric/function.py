"""Fast numbers: an expression becomes a short list of numpy operations, run chunk by chunk.

A chunk of every operand fits into the cache, results go into scratch that is allocated once,
common products are computed once, and constants are folded exactly before they are rounded to
a float. No code is generated and nothing is evaluated from text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sympy import Expr, Symbol

from symcost.analysis.numeric.evaluation import Outputs, evaluated
from symcost.analysis.numeric.lowering import compiled
from symcost.analysis.numeric.program import Program
from symcost.analysis.numeric.rules import bound_of, parts_of
from symcost.analysis.thresholds.threshold import Threshold
from symcost.documents.blocks import Block, Prose, words
from symcost.errors import InvalidValueError
from symcost.notation.border import AnExpr, ASymbol, inputs
from symcost.render.shown import Displayed

Compilable: TypeAlias = "AnExpr | Threshold"


@dataclass(frozen=True, slots=True, repr=False)
class NumericFunction(Displayed):
    """A compiled expression: call it with numbers or arrays, one for each symbol, in order.

    Arrays follow numpy's broadcasting. The arithmetic is in double precision, or in single
    when all arrays are; integers and fractions are converted first. What overflows on the way to
    a value is done again in a wider range.
    """

    exprs: tuple[Expr, ...]
    symbols: tuple[Symbol, ...]
    keys: tuple[object, ...] | None = None  # of a dictionary; None where there is one expression
    is_tuple: bool = False
    rule: Threshold | None = None

    def program(self, numbers: Iterable[str] = ()) -> Program:
        """The operations when the named arguments are numbers and the others are arrays."""
        return compiled(self.exprs, tuple(s.name for s in self.symbols), frozenset(numbers))

    def __call__(self, *values: object) -> Outputs:
        if len(values) != len(self.symbols):
            raise InvalidValueError(
                f"{len(values)} values for {len(self.symbols)} symbols",
                repair=f"give {', '.join(s.name for s in self.symbols)}, in this order",
            )
        if any(_is_foreign(value) for value in values):
            return self._arranged(self.program().run(values))
        quiet = self.rule is not None  # a bound may have no value where it does not apply
        return self._arranged(evaluated(self.program, self.symbols, values, quiet))

    def _arranged(self, outputs: Sequence[Outputs]) -> Outputs:
        """The results in the structure of what was compiled."""
        if self.rule is not None:
            return bound_of(self.rule, outputs)
        if self.keys is not None:
            return dict(zip(self.keys, outputs, strict=True))
        return tuple(outputs) if self.is_tuple else outputs[0]

    def blocks(self) -> tuple[Block, ...]:
        """What it computes."""
        if self.rule is not None:
            return self.rule.blocks()
        return tuple(Prose(words(expr)) for expr in self.exprs)

    def data(self) -> dict[str, object]:
        """What it computes, of which symbols in which order."""
        return {"symbols": [s.name for s in self.symbols], "exprs": self.exprs}

    def __repr__(self) -> str:
        names = ", ".join(s.name for s in self.symbols)
        return f"function of {names}, {len(self.program().steps)} array operations"


def function(
    expr: Compilable | Mapping[str, AnExpr] | Sequence[AnExpr], symbols: ASymbol | Iterable[ASymbol]
) -> NumericFunction:
    """Compile an expression into a fast vectorised function.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> intensity = function(B * D / (B + D), [B, D])
    >>> intensity(2, 2), intensity([1, 3], 3.0)
    (1.0, array([0.75, 1.5 ]))

    Args:
        expr: a cost expression or text, or a tuple, list or dictionary of them, which share
            their work; or a threshold, whose bound is computed: nan where there is none.
        symbols: the arguments or their names, in order.

    Returns:
        A function of numbers, numpy arrays, or objects that follow numpy's protocols; its
        result has the structure of ``expr``.

    Raises:
        InvalidValueError: a symbol of the expression is no argument, or one is named twice.
    """
    rule = expr if isinstance(expr, Threshold) else None
    keys = tuple(expr) if isinstance(expr, Mapping) else None
    is_tuple = isinstance(expr, tuple | list)
    if rule is not None:
        listed: list[AnExpr] = list(parts_of(rule))
    elif isinstance(expr, Mapping):
        listed = list(expr.values())
    else:
        listed = list(expr) if is_tuple else [expr]  # type: ignore[arg-type]
    asked = inputs(expressions=listed, symbols=symbols)
    _check(asked.expressions, asked.symbols)
    made = NumericFunction(asked.expressions, asked.symbols, keys, is_tuple, rule)
    made.program()  # what cannot be computed is refused here, not at the first call
    return made


def _check(exprs: Sequence[Expr], symbols: tuple[Symbol, ...]) -> None:
    names = [s.name for s in symbols]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidValueError(f"{', '.join(twice)} is named twice", repair="name it once")
    missing = sorted({s.name for e in exprs for s in e.free_symbols} - set(names))
    if missing:
        raise InvalidValueError(
            f"the expression contains {', '.join(missing)}, which is no argument",
            repair=f"add {missing[0]} to the symbols, or put a number in for it",
        )


def _is_foreign(value: object) -> bool:
    """An array of another library, which computes by itself."""
    import numpy as np

    if isinstance(value, np.ndarray | np.generic):
        return type(value).__module__ != "numpy"
    return any(hasattr(value, name) for name in ("__array_ufunc__", "__array_function__"))
