"""What goes wrong, said once: each kind of error carries its facts and builds one message.

Inner code states the local fact. The border (a reader of text, a public function)
adds the text that was typed with :meth:`SymcostError.at`, which draws the caret.
"""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple, Self

WIDTH = 76  # columns of the typed text that a message shows
LONGEST = 200  # characters of a word or value that a message quotes
MOST = 1400  # characters of a fact or a repair
_LONG = re.compile(rf"[^\s]{{{LONGEST + 1},}}")


class Place(NamedTuple):
    """Where in a typed text something is wrong: offset and length in characters."""

    text: str
    start: int
    length: int = 1

    def excerpt(self) -> str:
        """The line at fault with a caret below it, cut to a readable width."""
        begin = self.text.rfind("\n", 0, self.start) + 1
        end = self.text.find("\n", self.start)
        line = self.text[begin : end if end >= 0 else len(self.text)]
        column = self.start - begin
        left = max(0, column - WIDTH // 2)
        shown = line[left : left + WIDTH]
        before = "..." if left else ""
        after = "..." if left + WIDTH < len(line) else ""
        carets = "^" * max(1, min(self.length, len(shown) - (column - left)))
        number = self.text.count("\n", 0, self.start) + 1
        head = f"line {number}:\n" if "\n" in self.text.strip() else ""
        visible = _printable(before + shown + after)
        return f"{head}  {visible}\n  {' ' * (len(before) + column - left)}{carets}"


def _cut(said: str) -> str:
    """What is said without the middle of long words, such as a name of 100,000 letters."""
    short = _LONG.sub(lambda word: f"{word.group()[:80]}...{word.group()[-20:]}", said)
    return short if len(short) <= MOST else f"{short[: MOST - 3]}..."


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "·" for c in text)


class SymcostError(Exception):
    """Anything symcost refuses: ``problem`` (the fact), ``repair`` (what to do), ``place``.

    >>> print(SymcostError("unknown dtype 'bf17'", repair="did you mean bf16?"))
    unknown dtype 'bf17'; did you mean bf16?
    """

    def __init__(self, problem: str, *, repair: str = "", place: Place | None = None) -> None:
        problem, repair = _cut(problem), _cut(repair)
        super().__init__(problem, repair, place)
        self.problem = problem
        self.repair = repair
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        made = partial(type(self), repair=self.repair, place=self.place)
        return made, (self.problem,)

    def at(self, text: str, start: int, length: int = 1) -> Self:
        """The same error with the place in the typed text; an existing place is kept."""
        if self.place is None:
            self.place = Place(text, start, length)
        return self

    def __str__(self) -> str:
        if self.place is None:
            return f"{self.problem}; {self.repair}" if self.repair else self.problem
        lines = [self.problem, self.place.excerpt()]
        return "\n".join([*lines, self.repair] if self.repair else lines)


class NotationError(SymcostError, ValueError):
    """A text that the grammar does not understand."""


class UnknownNameError(SymcostError, KeyError):
    """A name that a registry or mapping does not know (dtype, op, chip, unit, mesh axis)."""


class DuplicateNameError(SymcostError, ValueError):
    """A name that is taken already, under the registry's normal form."""


class ShapeError(SymcostError, ValueError):
    """Shapes that do not fit each other, or a dimension that is no positive size."""


class MissingRuleError(SymcostError, LookupError):
    """An operation or a figure for which no rule or number is known."""


class AssumptionError(SymcostError, ValueError):
    """An assumption that contradicts another, or relates what it cannot."""


class UndecidedError(SymcostError, ArithmeticError):
    """A sign, order or value that the given facts do not decide; the repair says what would."""


class InvalidValueError(SymcostError, ValueError):
    """A number that has no meaning here: zero or negative size, NaN, infinity."""


class OutputError(SymcostError, OSError):
    """A file that cannot be read or written."""
