"""Programs run on numbers and arrays: chunk by chunk, and again in a wider range on overflow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import Any, TypeAlias

from sympy import Expr, Symbol

from symcost.analysis.numeric.program import Program
from symcost.errors import InvalidValueError

CHUNK = 16_384  # values of each operand that are worked on at a time; 128 kB in double precision

Outputs: TypeAlias = Any
Programs: TypeAlias = Callable[[Iterable[str]], Program]


def evaluated(
    programs: Programs, symbols: Sequence[Symbol], values: Sequence[object], quiet: bool = False
) -> list[Any]:
    """The results for numbers, nested lists or numpy arrays; ``quiet``: also where there is none.

    Raises:
        InvalidValueError: something is no number, or a number has no value there.
    """
    import numpy as np

    arrays = [_array(symbol, value) for symbol, value in zip(symbols, values, strict=True)]
    _check_shapes(symbols, arrays)
    if all(array.ndim == 0 for array in arrays):
        return _of_numbers(programs(()), symbols, arrays, quiet)
    pairs = zip(symbols, arrays, strict=True)
    program = programs([s.name for s, array in pairs if array.ndim == 0])
    kind = _precision(arrays)
    try:
        rest: Any = {"divide": "ignore", "invalid": "ignore"} if quiet else {}
        with np.errstate(over="raise", under="raise", **rest):
            return _chunked(program, arrays, kind)
    except FloatingPointError:
        with np.errstate(all="ignore"):
            outputs = _chunked(program, arrays, np.longdouble)
            return [each.astype(kind) for each in outputs]


def _check_shapes(symbols: Sequence[Symbol], arrays: Sequence[Any]) -> None:
    import numpy as np

    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        pairs = zip(symbols, arrays, strict=True)
        said = [f"{symbol} has shape {array.shape}" for symbol, array in pairs if array.ndim]
        raise InvalidValueError(
            f"{' and '.join(said)}: they do not fit each other",
            repair="give arrays that numpy can broadcast together",
        ) from None


def _of_numbers(
    program: Program, symbols: Sequence[Symbol], arrays: Sequence[Any], quiet: bool
) -> list[float]:
    import numpy as np

    with np.errstate(all="ignore"):
        values = [float(each) for each in program.run([np.longdouble(array) for array in arrays])]
    for each in values:
        if not np.isfinite(each) and not quiet:
            at = ", ".join(f"{s} = {float(a):g}" for s, a in zip(symbols, arrays, strict=True))
            raise InvalidValueError(f"there is no finite value at {at}", repair="give other values")
    return values


def _array(symbol: Symbol, value: object) -> Any:
    """A value as an array of numbers: Python's integers and fractions of any size too."""
    import numpy as np

    array = np.asarray(value)
    if array.dtype.kind in "iuf":
        return array
    if array.dtype.kind == "O":
        try:
            return np.array([_number(each) for each in array.ravel()], float).reshape(array.shape)
        except (TypeError, OverflowError):
            pass
    raise InvalidValueError(
        f"{symbol} cannot be {value!r:.60}", repair="give a number, or an array of numbers"
    )


def _number(value: object) -> float:
    if isinstance(value, Real | Expr) and not isinstance(value, bool):
        return float(value)
    raise TypeError(value)


def _chunked(program: Program, arrays: Sequence[Any], kind: Any) -> list[Any]:
    import numpy as np

    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    flat = [np.broadcast_to(array, shape).reshape(-1) if array.ndim else None for array in arrays]
    scalars = [None if array.ndim else np.float64(array) for array in arrays]
    numbers = [kind(number) for number in program.prepare(scalars)]
    scalars = [None if scalar is None else kind(scalar) for scalar in scalars]
    size = math.prod(shape)
    results = [np.empty(size, kind) for _ in program.results]
    scratch = np.empty((program.registers, min(size, CHUNK)), kind)
    for start in range(0, size, CHUNK):
        part = slice(start, start + CHUNK)
        pieces = [
            scalar if each is None else each[part].astype(kind, copy=False)
            for each, scalar in zip(flat, scalars, strict=True)
        ]
        program.run_into(pieces, numbers, [each[part] for each in results], scratch)
    return [each.reshape(shape) for each in results]


def _precision(arrays: Sequence[Any]) -> Any:
    import numpy as np

    shaped = [array for array in arrays if array.ndim]
    single = shaped and all(array.dtype == np.float32 for array in shaped)
    return np.float32 if single else np.float64
