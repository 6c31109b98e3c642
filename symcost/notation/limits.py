"""What every reader checks before it reads: size, depth, and characters nobody can see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from symcost.errors import NotationError, Place, SymcostError

FORMULA_LIMIT = 20_000  # characters of a formula, an assumption or a list of numbers
DEPTH_LIMIT = 100  # brackets inside each other

E = TypeVar("E", bound=SymcostError)

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ud800-\udfff]"
)
_BRACKET = re.compile(r"[(\[{⌈⌊)\]}⌉⌋]")


def check_text(
    text: object, what: str = "a formula", limit: int = FORMULA_LIMIT, depth: int = DEPTH_LIMIT
) -> str:
    """The text, when it is worth reading: not empty, not too long or deep, nothing hidden.

    >>> check_text("B*D")
    'B*D'

    Args:
        text: what was typed.
        what: what it should be, for the message.
        limit: the largest number of characters.
        depth: the largest number of brackets inside each other.

    Returns:
        The text itself.

    Raises:
        NotationError: it is no text, blank, too long, too deep, or holds a control character.
    """
    if not isinstance(text, str):
        raise NotationError(
            f"{what} is expected as text, not as {type(text).__name__}",
            repair="give it in quotes",
        )
    if not text.strip():
        raise NotationError(f"{what} is expected, but the text is empty", repair="type one")
    if len(text) > limit:
        problem = f"{what} of {len(text):,} characters is too long"
        repair = f"at most {limit:,} characters are read; split it"
        raise NotationError(problem, repair=repair).at(text, limit)
    hidden = _HIDDEN.search(text)
    if hidden:
        code = f"U+{ord(hidden.group()):04X}"
        raise NotationError(f"{what} holds no control character ({code})", repair="remove it").at(
            text, hidden.start()
        )
    open_ = 0
    for match in _BRACKET.finditer(text):
        open_ = open_ + 1 if match.group() in "([{⌈⌊" else max(0, open_ - 1)
        if open_ > depth:
            problem = f"brackets are nested deeper than {depth}"
            raise NotationError(problem, repair="simplify it").at(text, match.start())
    return text


def relocated(error: E, text: str, offset: int = 0) -> E:
    """The same error with its place moved into a larger text, of which it saw a part.

    >>> print(relocated(NotationError("odd").at("?", 0), "a + ?", 4))
    odd
      a + ?
          ^
    """
    place = error.place
    if place is None:
        error.place = Place(text, offset)
    else:
        error.place = Place(text, min(place.start + offset, len(text)), place.length)
    return error


@contextmanager
def part_of(text: str, offset: int) -> Iterator[None]:
    """Move the place of an error that is raised within into the text of which a part is read."""
    try:
        yield
    except SymcostError as error:
        raise relocated(error, text, offset) from None


@contextmanager
def located(text: str, start: int, end: int) -> Iterator[None]:
    """Give errors that are raised within a place in the text, unless they have one."""
    try:
        yield
    except SymcostError as error:
        raise error.at(text, start, max(1, end - start)) from None
