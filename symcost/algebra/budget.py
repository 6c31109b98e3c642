"""A budget of work for one question: loops ask it, and give up when it is spent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import thread_time

from symcost.errors import UndecidedError

_UNTIL: ContextVar[float] = ContextVar("until", default=inf)


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Give the work within at most so much time of the processor, whatever else the machine does;
    a smaller budget around it holds as well."""
    token = _UNTIL.set(min(_UNTIL.get(), thread_time() + seconds))
    try:
        yield
    finally:
        _UNTIL.reset(token)


def is_spent() -> bool:
    """Whether nothing is left."""
    return thread_time() > _UNTIL.get()


def spend() -> None:
    """Go on, if anything is left; long loops call it once a round.

    Raises:
        UndecidedError: the budget is spent.
    """
    if is_spent():
        raise UndecidedError(
            "it takes more work than one formula is given", repair="check it by itself"
        )
