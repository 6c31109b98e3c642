"""Fast numbers: an expression becomes a short list of numpy operations, run chunk by chunk.

A chunk of every operand fits into the cache, results go into scratch that is allocated once,
common products are computed once, and constants are folded exactly before they are rounded to
a float. No code is generated and nothing is evaluated from text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sympy import Expr, Symbol

from symcost.algebra.exact import exact
from symcost.analysis.numeric.lowering import compiled
from symcost.analysis.numeric.program import Program
from symcost.errors import InvalidValueError

CHUNK = 16_384  # values of each operand that are worked on at a time; 128 kB in double precision

Outputs: TypeAlias = Any


@dataclass(frozen=True, slots=True, repr=False)
class NumericFunction:
    """A compiled expression: call it with numbers or arrays, one for each symbol, in order.

    Arrays follow numpy's broadcasting. The arithmetic is in double precision, or in single
    when all arrays are; integers are converted first, so nothing overflows.
    """

    exprs: tuple[Expr, ...]
    symbols: tuple[Symbol, ...]
    arrange: Callable[[Sequence[Any]], Outputs]

    def program(self, numbers: Iterable[str] = ()) -> Program:
        """The operations when the named arguments are numbers and the others are arrays."""
        return compiled(self.exprs, tuple(s.name for s in self.symbols), frozenset(numbers))

    def __call__(self, *values: Any) -> Outputs:
        if len(values) != len(self.symbols):
            raise InvalidValueError(
                f"{len(values)} values for {len(self.symbols)} symbols",
                repair=f"give {', '.join(s.name for s in self.symbols)}, in this order",
            )
        if any(_is_foreign(value) for value in values):
            return self.arrange(self.program().run(values))
        return self.arrange(_evaluated(self, values))

    def __repr__(self) -> str:
        names = ", ".join(s.name for s in self.symbols)
        return f"function of {names}, {len(self.program().steps)} array operations"


def function(expr: Any, symbols: Iterable[Symbol]) -> NumericFunction:
    """Compile an expression into a fast vectorised function.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> intensity = function(B * D / (B + D), [B, D])
    >>> intensity(2, 2), intensity([1, 3], 3.0)
    (1.0, array([0.75, 1.5 ]))

    Args:
        expr: a cost expression, or a tuple, list or dictionary of them, which share their work.
        symbols: the arguments, in order.

    Returns:
        A function of numbers, numpy arrays, or objects that follow numpy's protocols; its
        result has the structure of ``expr``.

    Raises:
        InvalidValueError: a symbol of the expression is no argument, or one is named twice.
    """
    names = tuple(symbols)
    listed, arrange = _structure(expr)
    exprs = tuple(exact(each) for each in listed)
    _check(exprs, names)
    made = NumericFunction(exprs, names, arrange)
    made.program()  # what cannot be computed is refused here, not at the first call
    return made


def _structure(expr: Any) -> tuple[list[Any], Callable[[Sequence[Any]], Outputs]]:
    if isinstance(expr, Mapping):
        keys = list(expr)
        return list(expr.values()), lambda found: dict(zip(keys, found, strict=True))
    if isinstance(expr, tuple | list):
        return list(expr), tuple
    return [expr], lambda found: found[0]


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


def _is_foreign(value: Any) -> bool:
    """An array of another library, which computes by itself."""
    import numpy as np

    if isinstance(value, np.ndarray | np.generic):
        return type(value).__module__ != "numpy"
    return any(hasattr(value, name) for name in ("__array_ufunc__", "__array_function__"))


def _evaluated(function: NumericFunction, values: Sequence[Any]) -> list[Any]:
    import numpy as np

    arrays = [np.asarray(value) for value in values]
    if all(array.ndim == 0 for array in arrays):
        found = function.program().run([np.float64(array) for array in arrays])
        return [float(value) for value in found]
    pairs = zip(function.symbols, arrays, strict=True)
    program = function.program(s.name for s, array in pairs if array.ndim == 0)
    return _chunked(program, arrays, _precision(arrays))


def _chunked(program: Program, arrays: Sequence[Any], kind: Any) -> list[Any]:
    import numpy as np

    scalars = [np.float64(array) if array.ndim == 0 else None for array in arrays]
    numbers = [kind(number) for number in program.prepare(scalars)]
    vectors = [array for array in arrays if array.ndim]
    count = len(program.results)
    nditer: Any = np.nditer  # its stub knows no mixed lists of operands
    iterator = nditer(
        [*vectors, *([None] * count)],
        flags=["external_loop", "buffered", "delay_bufalloc", "zerosize_ok"],
        op_flags=[["readonly"]] * len(vectors) + [["writeonly", "allocate"]] * count,
        op_dtypes=[kind] * (len(vectors) + count),
        casting="same_kind",
        buffersize=CHUNK,
    )
    scalars = [None if scalar is None else kind(scalar) for scalar in scalars]
    scratch = np.empty((program.registers, CHUNK), kind)
    with iterator:
        iterator.reset()
        for chunk in iterator:
            pieces = iter(chunk[: len(vectors)])
            inputs = [next(pieces) if scalar is None else scalar for scalar in scalars]
            program.run_into(inputs, numbers, chunk[len(vectors) :], scratch)
        return list(iterator.operands[len(vectors) :])


def _precision(arrays: Sequence[Any]) -> Any:
    import numpy as np

    shaped = [array for array in arrays if array.ndim]
    single = shaped and all(array.dtype == np.float32 for array in shaped)
    return np.float32 if single else np.float64
