"""A budget of work for one question: loops spend it, and give up when nothing is left.

Work is counted, not timed, so that an answer depends on no clock and no machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from symcost.errors import UndecidedError


@dataclass(slots=True)
class _Budget:
    left: int
    around: _Budget | None


_BUDGET: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budget(work: int) -> Iterator[None]:
    """Give the work within at most so many steps; a smaller budget around it holds as well."""
    token = _BUDGET.set(_Budget(work, _BUDGET.get()))
    try:
        yield
    finally:
        _BUDGET.reset(token)


def is_spent() -> bool:
    """Whether nothing is left."""
    found = _BUDGET.get()
    while found is not None and found.left > 0:
        found = found.around
    return found is not None


def spend(work: int = 1) -> None:
    """Go on, if anything is left; long loops call it with the steps of a round.

    Raises:
        UndecidedError: the budget is spent.
    """
    found = _BUDGET.get()
    while found is not None:
        found.left -= work
        found = found.around
    if is_spent():
        raise UndecidedError(
            "it takes more work than one formula is given", repair="check it by itself"
        )
