"""A threshold as numbers: its bound where a case has one, and nan where it has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Integer

from symcost.analysis.thresholds.sets import Case
from symcost.analysis.thresholds.threshold import Threshold


def parts_of(rule: Threshold) -> list[Expr]:
    """The bounds of the cases and the values of their conditions, in order."""
    parts: list[Expr] = []
    for case in rule.cases:
        end = _end(case)
        parts.append(Integer(1) if end is None else end)
        parts += [condition.value.to_sympy() for condition in case.when]
    return parts


def bound_of(rule: Threshold, values: Sequence[Any]) -> Any:
    """The bound of the case that applies, from the values of its parts."""
    import numpy as np

    rest = iter(values)
    shape = np.broadcast_shapes(*(np.shape(value) for value in values))
    result = np.full(shape, np.nan)
    left = np.full(shape, True)
    for case in rule.cases:
        bound = next(rest)
        holds = left.copy()
        for condition in case.when:
            holds &= np.isin(np.sign(next(rest)), [*condition.signs])
        if _end(case) is not None:
            result = np.where(holds, bound, result)
        left &= ~holds
    return result if shape else float(result)


def _end(case: Case) -> Expr | None:
    """The one finite end of a case's set."""
    ends = [end for each in case.intervals for end in (each.low, each.high) if end is not None]
    return ends[0] if len(ends) == 1 else None
