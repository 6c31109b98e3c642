"""The nodes of an arranged expression: what the text, LaTeX and MathML printers walk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol, or a word that stands for an expression."""

    name: str


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer, not negative."""

    value: int


@dataclass(frozen=True, slots=True)
class Constant:
    """``oo``, ``pi`` and the like, by sympy's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms, each with its sign; a single negative term is a negation."""

    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Two or more factors."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Quotient:
    """A fraction."""

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Power:
    """``base ** exponent``."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function and its arguments; the name is sympy's (``Max``, ``ceiling``, ``sqrt``)."""

    name: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``lhs op rhs``."""

    lhs: Node
    op: str
    rhs: Node


Node: TypeAlias = Name | Whole | Constant | Sum | Product | Quotient | Power | Call | Comparison


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside one."""
    match node:
        case Sum(terms):
            return tuple(term for _, term in terms)
        case Product(factors):
            return factors
        case Quotient(top, bottom):
            return top, bottom
        case Power(base, exponent):
            return base, exponent
        case Call(_, args):
            return args
        case Comparison(lhs, _, rhs):
            return lhs, rhs
    return ()


def names(node: Node) -> Iterator[str]:
    """The names that occur, with repeats."""
    if isinstance(node, Name):
        yield node.name
    for child in children(node):
        yield from names(child)
