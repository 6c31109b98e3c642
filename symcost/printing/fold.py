"""The one walk over an arranged expression, and where it needs brackets.

``fold`` goes through the tree; a ``Style`` says how the parts are made: as plain text, LaTeX,
MathML, or how wide they are. A style that sets a formula in two dimensions writes fractions
with a bar, except in an exponent, where they stand on one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import pairwise
from typing import Generic, TypeVar

from symcost.printing.names import parts
from symcost.printing.nodes import (
    Call,
    Comparison,
    Constant,
    Name,
    Node,
    Power,
    Product,
    Quotient,
    Sum,
    Whole,
    children,
)
from symcost.printing.numbers import scientific

T = TypeVar("T")

FENCES = {"ceiling": ("⌈", "⌉"), "floor": ("⌊", "⌋")}
_SUM, _PRODUCT, _POWER, _ATOM = range(4)  # how tightly a node binds


class Place(Enum):
    """Where a node stands in another one."""

    TERM = auto()
    FACTOR = auto()
    TOP = auto()
    BOTTOM = auto()
    BASE = auto()
    EXPONENT = auto()


class Gap(Enum):
    """What keeps two factors apart: nothing, a space beside a word, a dot before a number."""

    CLOSE = auto()
    LOOSE = auto()
    DOT = auto()


# How tightly a node must bind in each place to stand without brackets.
ON_A_LINE = dict(zip(Place, (_PRODUCT, _POWER, _PRODUCT, _POWER, _ATOM, _ATOM), strict=True))
IN_AN_EXPONENT = {**ON_A_LINE, Place.EXPONENT: _SUM}
SET = {**IN_AN_EXPONENT, Place.FACTOR: _PRODUCT, Place.TOP: _SUM, Place.BOTTOM: _SUM}


@dataclass(frozen=True, slots=True)
class Style(Generic[T]):
    """How the parts of an expression are made, and what may stand where without brackets.

    ``operator`` makes a sign of comparison, a comma, or the signs of terms: ``-`` before a sum,
    ``+-`` and ``--`` inside. ``fence`` puts two signs, which grow if asked to, around a part.
    """

    name: Callable[[str], T]
    whole: Callable[[int], T]
    constant: Callable[[str], T]
    function: Callable[[str], T]
    operator: Callable[[str], T]
    gap: Callable[[Gap], T]
    join: Callable[[Iterable[T]], T]
    fraction: Callable[[T, T], T]
    power: Callable[[T, T], T]
    fence: Callable[[T, str, str, bool], T]
    root: Callable[[T], T] | None = None
    root_of: Callable[[T, T], T] | None = None
    binds: Mapping[Place, int] = field(default_factory=ON_A_LINE.copy)
    part: Style[T] | None = None  # of a fraction, where it differs
    exponent: Style[T] | None = None

    def inside(self, place: Place) -> Style[T]:
        """The style of what stands there."""
        if place in (Place.TOP, Place.BOTTOM):
            return self.part or self
        return (self.exponent if place is Place.EXPONENT else None) or self

    def grows(self, *nodes: Node) -> bool:
        """Whether brackets around the nodes are taller than a line."""
        return self.binds == SET and any(map(is_tall, nodes))


def fold(node: Node, style: Style[T]) -> T:
    """The node in a style."""
    match node:
        case Name(name):
            return style.name(name)
        case Whole(value):
            return style.whole(value)
        case Constant(name):
            return style.constant(name)
        case Sum(terms):
            return style.join(_sum(terms, style))
        case Product(factors):
            return style.join(_product(factors, style))
        case Quotient(top, bottom):
            above = placed(top, Place.TOP, style)
            return style.fraction(above, placed(bottom, Place.BOTTOM, style))
        case Power(base, exponent):
            raised = placed(exponent, Place.EXPONENT, style)
            return style.power(placed(base, Place.BASE, style), raised)
        case Call(name, args):
            return _call(name, args, style)
        case Comparison(lhs, op, rhs):
            return style.join((fold(lhs, style), style.operator(op), fold(rhs, style)))


def placed(node: Node, place: Place, style: Style[T]) -> T:
    """The node as it stands there, in brackets where it would be misread without."""
    needed = _binding(node, style) < style.binds[place]
    return bracketed(node, style) if needed else fold(node, style.inside(place))


def bracketed(node: Node, style: Style[T]) -> T:
    """The node in round brackets, which grow only around something tall."""
    return style.fence(fold(node, style), "(", ")", style.grows(node))


def before_unit(node: Node, style: Style[T]) -> T:
    """The node before a unit, which goes with the whole of it: a sum stands in brackets."""
    return placed(node, Place.TERM, style)


def is_tall(node: Node) -> bool:
    """Whether the node is higher than a line: it holds a fraction or a root."""
    if isinstance(node, Quotient) or (isinstance(node, Call) and node.name == "sqrt"):
        return True
    return any(map(is_tall, (node.base,) if isinstance(node, Power) else children(node)))


def gap_between(left: Node, right: Node) -> Gap:
    """How two factors are kept apart, so that they are not read as one number or word."""
    if _starts_with_digit(right) or (isinstance(left, Whole) and isinstance(right, Quotient)):
        return Gap.DOT
    loose = _is_word(left) or _is_word(right) or isinstance(left, Call)
    return Gap.LOOSE if loose else Gap.CLOSE


def _binding(node: Node, style: Style[T]) -> int:
    match node:
        case Sum() | Comparison():
            return _SUM
        case Product() | Quotient():
            return _PRODUCT
        case Power():
            return _POWER
        case Whole(value) if style.root and scientific(value):  # set as a product, 9.89 * 10^14
            return _PRODUCT
        case Call() if style.root:
            return _POWER
    return _ATOM


def _sum(terms: Sequence[tuple[int, Node]], style: Style[T]) -> Iterator[T]:
    for index, (sign, term) in enumerate(terms):
        if index:
            yield style.operator("--" if sign < 0 else "+-")
        elif sign < 0:
            yield style.operator("-")
        yield placed(term, Place.TERM, style)


def _product(factors: Sequence[Node], style: Style[T]) -> Iterator[T]:
    yield placed(factors[0], Place.FACTOR, style)
    for left, right in pairwise(factors):
        yield style.gap(gap_between(left, right))
        yield placed(right, Place.FACTOR, style)


def _call(name: str, args: Sequence[Node], style: Style[T]) -> T:
    if style.root and name == "sqrt":
        return style.root(fold(args[0], style))
    if style.root and name in FENCES:
        return style.fence(fold(args[0], style), *FENCES[name], style.grows(*args))
    if style.root_of and name in ("PositiveRoot", "ComplexRootOf"):
        which, equation = _equation(args)
        return style.root_of(fold(which, style), bracketed(equation, style))
    first, *rest = (fold(arg, style) for arg in args)
    commas = (part for each in rest for part in (style.operator(","), each))
    listed = style.join((first, *commas)) if rest else first
    return style.join((style.function(name), style.fence(listed, "(", ")", style.grows(*args))))


def _equation(args: Sequence[Node]) -> tuple[Node, Node]:
    """Which root of which equation: the positive one, or a number, counted from 1."""
    body, which = args[0], args[-1]
    if isinstance(body, Call) and body.name == "Lambda":
        unknown, body = body.args
        return Comparison(unknown, ">", Whole(0)), Comparison(body, "==", Whole(0))
    if isinstance(which, Whole):  # sympy counts from 0
        which = Whole(which.value + 1)
    return which, Comparison(body, "==", Whole(0))


def _starts_with_digit(node: Node) -> bool:
    """Whether a number comes first, which another number before it would run into."""
    return isinstance(node, Whole) or (isinstance(node, Power) and _starts_with_digit(node.base))


def _is_word(node: Node) -> bool:
    """Whether the node needs a space beside it: a word, a power of ten, a function."""
    match node:
        case Name(name):
            return not parts(name).is_letter
        case Power(base, _):
            return _is_word(base)
        case Whole(value):
            return scientific(value) is not None
        case Call(name, _):
            return name not in FENCES
    return False
