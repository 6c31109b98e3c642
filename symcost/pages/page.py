"""The statements of a page in their order, and what the page has said so far."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from sympy import Expr, Rational, Symbol

from symcost.algebra.relation import Relation
from symcost.notation.units import Printed
from symcost.pages.definitions import Definition, definitions, letters_of
from symcost.pages.displays import (
    Equation,
    displayed_equations,
    headings,
    inline_equations,
    prose,
    spans,
)
from symcost.pages.prose_values import prose_values

_ATTACHED = re.compile(r"[\s.,;]*(?:where|here|Where|Here|given|assuming|in which)\b")
_GOES_ON = re.compile(r"[\s.,;]*[a-z]")
_ENDED = re.compile(r"\.\s*(?:\n|$)|\.\s+[A-Z]")
MAX_SENTENCE = 2_000  # characters
_ASSUMPTION = ("\\ll", "\\gg", "<<", ">>", "≪", "≫", "\\infty")


@dataclass(frozen=True, slots=True)
class Page:
    """The formulas of a page in the order in which they count.

    What a text says right behind a display ("where B = 4") counts before the display.
    ``hints`` are what the end of its sentence says, by the offset of the display.
    """

    displayed: tuple[Equation, ...]
    inline: tuple[Equation, ...]
    statements: tuple[Equation, ...]
    letters: frozenset[str]
    sections: tuple[int, ...]
    hints: Mapping[int, list[Equation]]
    spans: tuple[tuple[int, int], ...]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The orders of growth that the page states."""
        every = (*self.displayed, *self.inline)
        return tuple(dict.fromkeys(e.text for e in every if is_assumption(e.text)))

    def section(self, equation: Equation) -> int:
        """The number of the section that the formula stands in."""
        return bisect_right(self.sections, equation.start)

    def before(self, equation: Equation, text: str) -> str:
        """The text between a display and the one before it; ``text`` is without code."""
        at = bisect_left(self.spans, (equation.start,))
        start = self.spans[at - 1][1] if at else 0
        return text[max(start, equation.start - MAX_SENTENCE) : equation.start]


def read_page(text: str) -> Page:
    """Find the formulas of a page.

    >>> page = read_page("$$ T = 2 B $$ where $B = 4$.")
    >>> [e.text for e in page.statements]
    ['B = 4', 'T = 2 B']

    Raises:
        NotationError: the page is too long.
    """
    displayed = displayed_equations(text)
    inline = (*inline_equations(text), *prose_values(text))
    sections = headings(text)
    place = _places(prose(text), sections)
    ordered = [(each.start, 1, n, each) for n, each in enumerate(displayed)]
    hints: dict[int, list[Equation]] = {}
    for n, each in enumerate(inline):
        at, perhaps = place(each.start)
        ordered.append((at, 0, n, each))
        if perhaps is not None:
            hints.setdefault(perhaps, []).append(each)
    statements = tuple(row[3] for row in sorted(ordered, key=lambda row: row[:3]))
    return Page(displayed, inline, statements, letters_of(statements), sections, hints, spans(text))


def _places(text: str, sections: tuple[int, ...]) -> Callable[[int], tuple[int, int | None]]:
    """Where a formula in the text counts, and the display that its sentence perhaps goes on from.

    Behind "where" it counts before the display. In any other end of the sentence that the
    display stands in it may, or may not, be meant for the display.
    """
    ranges = spans(text)
    starts, ends = [a for a, _ in ranges], [b for _, b in ranges]

    def place(start: int) -> tuple[int, int | None]:
        before = bisect_right(ends, start) - 1
        if before < 0 or bisect_right(sections, start) > bisect_right(sections, ends[before]):
            return start, None
        behind = text[ends[before] : start]
        if len(behind) > MAX_SENTENCE or _breaks(behind):
            return start, None
        if _ATTACHED.match(behind):
            return starts[before], None
        following = starts[before + 1] if before + 1 < len(starts) else len(text)
        rest = text[start : min(following, start + MAX_SENTENCE)].rstrip()
        return start, starts[before] if _GOES_ON.match(behind) and _ENDED.search(rest) else None

    return place


def _breaks(text: str) -> bool:
    """Whether another sentence, or another paragraph that is no list, has begun."""
    if re.search(r"[.!?]\s+[A-Z]", text):
        return True
    return any(not re.match(r"\s*(?:[-*+|]|\d+\.|\\item)", part) for part in text.split("\n\n")[2:])


def is_assumption(text: str) -> bool:
    r"""Whether a formula states an order of growth, ``B \ll D``."""
    return any(sign in text for sign in _ASSUMPTION)


@dataclass(frozen=True, slots=True)
class Given:
    """A number that the text gives for a name with a formula, and how it is written."""

    printed: Printed
    text: str


@dataclass(slots=True)
class State:
    """What the page has said so far.

    ``printed`` keeps the number that was printed for a name with a formula, ``rough`` the
    names that are given with ≈, ``spoken`` those that the text defines, not a display, and
    ``hints`` what is perhaps said about the formula at hand, ``doubted`` what else a name may
    be whose own chain is wrong, ``given`` the numbers that the text gives for names that have
    a formula: what is solved for in it must agree. ``prose`` is the text since the last rule,
    and ``settled`` says that the formula at hand was found not to agree with it.
    """

    assume: Any
    letters: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    values: dict[Symbol, Fraction] = field(default_factory=dict)
    formulas: dict[Symbol, Expr] = field(default_factory=dict)
    printed: dict[Symbol, Fraction] = field(default_factory=dict)
    doubted: dict[Symbol, tuple[Expr, ...]] = field(default_factory=dict)
    rough: frozenset[Symbol] = frozenset()
    spoken: frozenset[Symbol] = frozenset()
    functions: frozenset[str] = frozenset()
    hints: Sequence[Equation] = ()
    section: int = 0
    sections: dict[Symbol, int] = field(default_factory=dict)
    relation: Relation | None = None
    given: dict[Symbol, Given] = field(default_factory=dict)
    prose: str = ""
    settled: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names that are one symbol from here on."""
        return tuple(s.name for s in (*self.values, *self.formulas))

    def copy(self) -> State:
        """Another state, which may be changed."""
        return replace(
            self,
            values=dict(self.values),
            formulas=dict(self.formulas),
            printed=dict(self.printed),
            doubted=dict(self.doubted),
            sections=dict(self.sections),
            given=dict(self.given),
        )

    def put(self, expr: Expr) -> Expr:
        """The expression with the formulas that were defined put in."""
        for _ in range(len(self.formulas)):
            changed = expr.xreplace(self.formulas)
            if changed == expr:
                break
            expr = changed
        return expr

    def define(self, found: Definition, spoken: bool = False, text: str = "") -> None:
        """Remember a definition; the text does not overwrite the formula of a display."""
        name = found.name
        if spoken and found.formula is not None and name in self.formulas.keys() - self.spoken:
            return
        if found.formula is None and found.value is not None:
            if spoken and name in self.formulas.keys() - self.spoken:
                self.printed[name] = found.value
                if found.printed is not None and not found.rough and found.other is None:
                    self.given[name] = Given(found.printed, text)
                return
            self.formulas.pop(name, None)
            self.values[name] = found.value
            self.printed.pop(name, None)
            if found.printed is not None and found.printed.value != found.value:
                self.printed[name] = found.printed.value
        elif found.formula is not None and name not in self.put(found.formula).free_symbols:
            self.values.pop(name, None)
            self.formulas[name] = found.formula
            if found.value is not None:
                self.printed[name] = found.value
        self.given.pop(name, None)
        self.doubted.pop(name, None)
        if found.other is not None:
            self.doubted[name] = (Rational(found.other.numerator, found.other.denominator),)
        self.rough = self.rough | {name} if found.rough else self.rough - {name}
        self.spoken = self.spoken | {name} if spoken else self.spoken - {name}
        self.sections[name] = self.section

    def enter(self, section: int) -> None:
        """A new section: inequalities start anew."""
        if section != self.section:
            self.section, self.relation = section, None
            self.given, self.prose = {}, ""

    def others(self) -> Iterator[State]:
        """How else the page may be meant: rounded numbers go on, the text was hypothetical."""
        for name, expr in islice(((n, e) for n, each in self.doubted.items() for e in each), 6):
            other = self.copy()
            other.formulas[name] = expr
            yield other
        if self.hints:
            other = self.copy()
            for equation in self.hints:
                hear(equation, other)
            yield other
        if self.printed:
            other = self.copy()
            for name, value in self.printed.items():
                other.formulas.pop(name, None)
                other.values[name] = value
            yield other
        if self.spoken & set(self.formulas):
            other = self.copy()
            for name in self.spoken:
                other.formulas.pop(name, None)
            yield other


def hear(equation: Equation, state: State) -> None:
    """Remember what a formula in the text defines."""
    for found in definitions(equation, state.names, state.letters):
        state.define(found, spoken=True, text=equation.text)
