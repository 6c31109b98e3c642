"""What answers are made of: plain data, and words with mathematics inside.

A result says what it has to say in these few blocks; each renderer knows the blocks and no
analysis. Values stay exact here: only a renderer rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sympy import Expr

    from symcost.printing.nodes import Node


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number and its unit (``"s"``, ``"FLOP/s"``, ``"FLOP/byte"``, ``"%"``, or none).

    It is shown rounded; ``beside`` says whether its exact form stands beside the rounded one,
    which it does by default where there is no prefix to read it by (no unit, ``FLOP/byte``).
    """

    value: Expr | Fraction | int
    unit: str = ""
    beside: bool | None = None


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that the eye shall find first."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text that is typed as it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A value that is told in words, "the positive root of …", and its expression if any."""

    words: Words
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Math:
    """A value, or a chain of comparisons: ``B > 19780/67``, ``T = 2*B*D*F/C``.

    A text in the place of a value is a name: that of a symbol (``T_math``), or words.
    """

    left: Value
    links: tuple[Link, ...] = ()


Value: TypeAlias = "Expr | Node | Quantity | Told | str"
Link: TypeAlias = tuple[str, Value]  # an operator (=, ≈, →, >, <<) and what follows it
Inline: TypeAlias = "str | Math | Strong | Code"
Words: TypeAlias = "str | tuple[Inline, ...]"


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a sum and what it is for: ``2*D*F``, "read W"."""

    value: Expr
    what: Words


@dataclass(frozen=True, slots=True)
class Prose:
    """A sentence or a paragraph."""

    words: Words


@dataclass(frozen=True, slots=True)
class Listing:
    """Program text, set as code."""

    text: str


@dataclass(frozen=True, slots=True)
class Sum:
    """``name`` = the terms, each with its reason, = ``total``."""

    name: str
    terms: tuple[Term, ...]
    total: Expr


@dataclass(frozen=True, slots=True)
class Equation:
    """``name`` followed by links: an operator and a value each; ``reason`` stands beside it."""

    name: Value
    links: tuple[Link, ...]
    reason: Words = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One case of a rule: ``word`` ("always", "never") or alternatives, and when it holds.

    ``alternatives`` are joined by "or", the comparisons of one by "and"; ``remark`` says which
    integer is the first or last, ``note`` what else belongs to the case.
    """

    word: str = ""
    alternatives: tuple[tuple[Math, ...], ...] = ()
    conditions: tuple[Math, ...] = ()
    otherwise: bool = False
    remark: str = ""
    note: Words = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, case by case; ``what`` it is, and ``reason`` why it is so."""

    cases: tuple[Statement, ...]
    what: Words = ""
    reason: Words = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a head, which may be empty, and over a foot of totals."""

    head: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]
    foot: tuple[tuple[Words, ...], ...] = ()

    @property
    def lines(self) -> tuple[tuple[Words, ...], ...]:
        """All rows but the head."""
        return (*self.rows, *self.foot)


class Drawing:
    """What is drawn: a picture where a format has pictures, elsewhere its title and labels."""

    __slots__ = ()
    title: str

    def is_formula(self, label: str) -> bool:
        """Whether a label is LaTeX between dollar signs."""
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        """What the picture names."""
        return ()

    def data(self) -> Facts:
        """What is drawn, under the keys of the JSON interface."""
        return {"title": self.title, "labels": list(self.labels)}

    def document(self) -> Document:
        """The picture as a document."""
        return Document("", (Section("", (self,)),), data=self.data())


Facts: TypeAlias = Mapping[str, object]
Block: TypeAlias = Prose | Listing | Sum | Equation | Rule | Table | Drawing


@dataclass(frozen=True, slots=True)
class Section:
    """A step of an answer: its title, which may be empty, and its blocks."""

    title: Words
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """An answer: a page opens with its ``opening``, set large, and tells the ``sections``.

    A terminal shows the short lines of ``brief`` instead, where there are any. ``data`` holds
    the facts under the keys of the JSON interface: expressions, quantities, texts, whole
    numbers, and lists and mappings of these; or what finds them, since few formats need them.
    """

    title: str
    sections: tuple[Section, ...]
    opening: tuple[Block, ...] = ()
    brief: tuple[Section, ...] = ()
    data: Facts | Callable[[], Facts] = field(default_factory=dict)

    def facts(self) -> Facts:
        """The facts under the keys of the JSON interface."""
        return self.data() if callable(self.data) else self.data

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All that stands on its page."""
        return (*self.opening, *(block for section in self.sections for block in section.blocks))

    @property
    def lines(self) -> tuple[Section, ...]:
        """What a terminal shows."""
        if self.brief or not self.opening:
            return self.brief or self.sections
        first = self.sections[:1]
        joins = bool(first) and not first[0].title
        below = first[0].blocks if joins else ()
        return (Section("", self.opening + below), *self.sections[joins:])


def words(*parts: Inline | Expr | Quantity | Told) -> tuple[Inline, ...]:
    """Words with mathematics inside.

    >>> words("for all ", Math("D", ((">=", "1"),)))
    ('for all ', Math(left='D', links=(('>=', '1'),)))
    """
    return tuple(
        p if isinstance(p, str | Math | Strong | Code) else Math(p) for p in parts if p != ""
    )


def joined(parts: Iterable[Words], separator: str = ", ") -> tuple[Inline, ...]:
    """Several texts, with a separator between them."""
    whole: list[Inline] = []
    for index, part in enumerate(parts):
        whole += [separator] if index else []
        whole += inlines(part)
    return tuple(whole)


def listed(parts: Sequence[Words]) -> tuple[Inline, ...]:
    """Several texts, the last after an "and".

    >>> listed(["C", "W", "X"])
    ('C', ', ', 'W', ' and ', 'X')
    """
    *first, last = parts
    return (*joined(first), *((" and ",) if first else ()), *inlines(last))


def inlines(text: Words) -> tuple[Inline, ...]:
    """The pieces of a text, a plain string being one."""
    return ((text,) if text else ()) if isinstance(text, str) else text
