"""A budget of work for one question: loops spend it, and give up when nothing is left.

Work is counted, not timed, so that an answer depends on no clock and no machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum

from symcost.errors import UndecidedError

SAY_MORE = "give numbers or assumptions for some symbols"


@dataclass(slots=True)
class _Budget:
    given: int
    kind: Kind
    around: _Budget | None
    left: int


class Kind(Enum):
    """Work that is counted apart: what is said when it is spent, and what to do then."""

    FORMULA = ("it takes more work than one formula is given", "check it by itself")
    SIGNS = (
        "its cases take more than {:,} steps to tell apart",
        SAY_MORE,
    )
    CELLS = (
        "so many terms of so many symbols are more than is compared at once",
        "give numbers for some symbols, or ask for parts of it",
    )
    ROOTS = ("its roots take more than {:,} steps to find", "ask for its integers, up to a bound")


_BUDGET: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budget(work: int, kind: Kind = Kind.FORMULA) -> Iterator[None]:
    """Give one kind of work at most so many steps; a smaller budget around it holds as well."""
    token = _BUDGET.set(_Budget(work, kind, _BUDGET.get(), work))
    try:
        yield
    finally:
        _BUDGET.reset(token)


def is_spent(kind: Kind = Kind.FORMULA) -> bool:
    """Whether nothing is left."""
    return any(each.left <= 0 for each in _budgets(kind))


def spend(work: int = 1, kind: Kind = Kind.FORMULA) -> None:
    """Go on, if anything is left; long loops call it with the steps of a round.

    Raises:
        UndecidedError: the budget is spent.
    """
    for each in _budgets(kind):
        each.left -= work
        if each.left <= 0:
            problem, repair = kind.value
            raise UndecidedError(problem.format(each.given), repair=repair)


def _budgets(kind: Kind) -> Iterator[_Budget]:
    current = _BUDGET.get()
    while current is not None:
        if current.kind is kind:
            yield current
        current = current.around
