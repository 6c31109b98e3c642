"""Plain syntax: what a formula says, as immutable nodes with their places, before any algebra."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from symcost.notation.unit_table import Dimension

BLANK = re.compile(r"\s|\\[,:;> ]|\\q?quad|~")  # in LaTeX only what is seen when it is typeset
LATEX_BLANK = re.compile(r"\\[,:;> ]|\\q?quad|~")


class Number(NamedTuple):
    """A number as typed."""

    text: str
    start: int
    end: int


class Name(NamedTuple):
    """A name; what it stands for is not known yet."""

    name: str
    start: int
    end: int


class Unit(NamedTuple):
    """A unit behind a number or a product: its size in base units and its dimension."""

    text: str
    size: Fraction
    dimension: Dimension
    start: int
    end: int


class Node(NamedTuple):
    """``sum``, ``minus``, ``product``, ``inverse``, ``power`` or a function of its parts.

    The place is that of the sign or word that makes it.
    """

    op: str
    parts: tuple[Syntax, ...]
    start: int
    end: int


Syntax: TypeAlias = Number | Name | Unit | Node


def is_latex(text: str) -> bool:
    r"""Whether a formula is LaTeX: it holds a backslash or a dollar sign.

    >>> is_latex(r"\frac{B}{D}"), is_latex("$B$"), is_latex("B/D")
    (True, True, False)
    """
    return "\\" in text or "$" in text


def blank_of(text: str) -> re.Pattern[str]:
    """What counts as a blank in a text."""
    return LATEX_BLANK if is_latex(text) else BLANK


def leaves(syntax: Syntax) -> Iterator[Number | Name | Unit]:
    """Every number, name and unit, in order."""
    waiting = [syntax]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Node):
            waiting += reversed(part.parts)
        else:
            yield part


def names_of(syntax: Syntax) -> dict[str, None]:
    """The names that occur, in order."""
    return {leaf.name: None for leaf in leaves(syntax) if isinstance(leaf, Name)}


def divisors(syntax: Syntax) -> Iterator[Syntax]:
    """What a formula divides by, as it is written."""
    if isinstance(syntax, Node):
        if syntax.op == "inverse" or (syntax.op == "power" and _is_minus(syntax.parts[1])):
            yield syntax.parts[0]
        for part in syntax.parts:
            yield from divisors(part)


def _is_minus(syntax: Syntax) -> bool:
    return isinstance(syntax, Node) and syntax.op == "minus"
