"""Parameter sweeps: quantities on a grid of values, as one structured array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Symbol

from symcost.algebra import as_ratio
from symcost.analysis.numeric.function import function
from symcost.analysis.values import check_only
from symcost.errors import InvalidValueError
from symcost.notation.border import AnExpr, Values, inputs
from symcost.symbols import is_dim


def sweep(
    quantities: Mapping[str, AnExpr],
    over: Mapping[Any, Iterable[Any]],
    at: Values | None = None,
) -> Any:
    """Evaluate quantities at every combination of values.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> table = sweep({"intensity": B * D / (B + D)}, over={B: [1, 3], D: [3]})
    >>> table["B"].tolist(), table["intensity"].tolist()
    ([1, 3], [0.75, 1.5])

    Args:
        quantities: expressions, or texts, by the name of their field.
        over: for each swept symbol (or its name) its values; the last one varies fastest.
        at: exact numbers for other symbols.

    Returns:
        A one-dimensional numpy structured array: a field for each swept symbol (whole numbers
        for dimensions), then a field for each quantity.

    Raises:
        InvalidValueError: a symbol without values, or a name that is used twice.
    """
    import numpy as np

    asked = inputs(expressions=[*quantities.values()], symbols=[*over], values=at)
    exprs = dict(zip(quantities, asked.expressions, strict=True))
    symbols = {s.name: s for expr in exprs.values() for s in expr.free_symbols}
    values = {
        s.name: _listed(s, each) for s, each in zip(asked.symbols, over.values(), strict=True)
    }
    fixed = dict(asked.values)
    _check(symbols, values, fixed, exprs)
    swap = {symbols[name]: as_ratio(v).to_sympy() for name, v in fixed.items() if name in symbols}
    used = [symbols[name] for name in values if name in symbols]
    evaluate = function({name: expr.xreplace(swap) for name, expr in exprs.items()}, used)
    grid = np.meshgrid(*(np.asarray(each) for each in values.values()), indexing="ij")
    columns = {name: part.ravel() for name, part in zip(values, grid, strict=True)}
    results = evaluate(*(columns[s.name] for s in used))
    fields = [(name, _kind(name, symbols, columns[name])) for name in values]
    table = np.empty(len(grid[0].ravel()), [*fields, *((name, float) for name in exprs)])
    for name, column in {**columns, **results}.items():
        table[name] = column
    return table


def _listed(symbol: Symbol, values: object) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidValueError(f"{symbol} has no list of values", repair="give a list or an array")
    return list(values)


def _kind(name: str, symbols: Mapping[str, Any], column: Any) -> type:
    whole = name in symbols and is_dim(symbols[name]) and bool((column == column.round()).all())
    return int if whole else float


def _check(
    symbols: Mapping[str, Any],
    values: Mapping[str, list[Any]],
    fixed: Mapping[str, Any],
    exprs: Mapping[str, Any],
) -> None:
    twice = sorted((set(values) & set(fixed)) | ((set(values) | set(fixed)) & set(exprs)))
    if twice:
        raise InvalidValueError(f"the name {twice[0]} is used twice", repair="use another name")
    empty = sorted(name for name, each in values.items() if not each)
    if empty or not values:
        raise InvalidValueError(
            f"there are no values for {empty[0] if empty else 'any symbol'}",
            repair="sweep at least one value",
        )
    given = values.keys() | fixed.keys()
    check_only(exprs.values(), (s for name, s in symbols.items() if name in given))
