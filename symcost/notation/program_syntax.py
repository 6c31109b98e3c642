"""The syntax of programs: statements as plain, immutable nodes with their places."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from symcost.notation.syntax import Name, Node, Syntax


class Range(NamedTuple):
    """``low:high`` of a slice; an end that is left out is None.

    ``sign`` is ``":"``; or ``""`` for a position alone, which is ``low``; or ``"..."``.
    """

    low: Syntax | None
    high: Syntax | None
    sign: str = ":"


class Split(NamedTuple):
    """A size, and the mesh axes that are said to split it, ``I@X``; None if none are."""

    size: Syntax
    over: tuple[str, ...] | None


class Typed(NamedTuple):
    """``bf16[B, D]``; ``word`` is the dtype, or the name of a tensor without one.

    ``partial`` has the words of ``{U_X}``: what is partial, and over which axes.
    """

    word: str
    sizes: tuple[Split, ...]
    partial: tuple[tuple[str, str], ...]
    start: int
    end: int


class Target(NamedTuple):
    """A tensor: its name, its type, or both; or a slice of a tensor."""

    name: str
    type: Typed | None
    ranges: tuple[Range, ...]
    start: int
    end: int


class Sign(NamedTuple):
    """The sign of a product and the dimensions that it names, ``*_D``."""

    summed: tuple[str, ...]
    start: int
    end: int


class Product(NamedTuple):
    """Operands with signs between them."""

    operands: tuple[Operand, ...]
    signs: tuple[Sign, ...]
    start: int
    end: int


class Several(NamedTuple):
    """``[D, B]`` or ``(0, 1)``."""

    parts: tuple[Syntax, ...]


class Parameter(NamedTuple):
    """``axis=D``: text, a size, or several sizes; positions without a name have none."""

    name: str
    value: str | Syntax | Several


class Call(NamedTuple):
    """An operation with its operands and parameters."""

    word: str
    operands: tuple[Operand, ...]
    parameters: tuple[Parameter, ...]
    start: int
    end: int


Operand: TypeAlias = Target | Product | Call


class Evaluate(NamedTuple):
    """``target = value``, or a value alone; ``types`` are those written behind the names."""

    value: Operand
    types: tuple[Typed, ...]
    target: Target | None
    place: str
    parameters: tuple[Parameter, ...]
    start: int
    end: int


class Declare(NamedTuple):
    """``weight W: int8[D, F]``, ``output Z``."""

    role: str
    targets: tuple[Target, ...]
    place: str
    start: int
    end: int


class Send(NamedTuple):
    """``send P0 from gpu0 to gpu2 over nvlink``."""

    target: Target
    source: str
    to: str
    over: str
    start: int
    end: int


class Axis(NamedTuple):
    """One axis of ``mesh X=4 over ici, Y``; a size that is left out is a symbol."""

    name: str
    size: Syntax | None
    parts: tuple[tuple[str, Syntax | None], ...]
    link: str
    network: str
    span: Syntax | None
    start: int
    end: int


class Mesh(NamedTuple):
    """The axes of a mesh."""

    axes: tuple[Axis, ...]
    start: int
    end: int


class Block(NamedTuple):
    """``fused name { … }`` (``times`` is None) or ``repeat times { … }``."""

    name: str
    times: Syntax | None
    body: tuple[Statement, ...]
    start: int
    end: int


Statement: TypeAlias = Evaluate | Declare | Send | Mesh | Block


class Program(NamedTuple):
    """The statements of a text."""

    text: str
    statements: tuple[Statement, ...]


def last_name(syntax: Syntax) -> Name | None:
    """The name at the very end of a size, ``I_X`` in ``2*I_X``."""
    while isinstance(syntax, Node) and syntax.op in ("sum", "product", "minus", "inverse"):
        syntax = syntax.parts[-1]
    return syntax if isinstance(syntax, Name) else None


def with_last(syntax: Syntax, name: str) -> Syntax | None:
    """The size with another name at its end; without it, for an empty name."""
    if isinstance(syntax, Name):
        return syntax._replace(name=name) if name else None
    assert isinstance(syntax, Node)
    *front, last = syntax.parts
    inner = with_last(last, name)
    if inner is not None:
        return syntax._replace(parts=(*front, inner))
    if syntax.op == "product" and front:
        return front[0] if len(front) == 1 else syntax._replace(parts=tuple(front))
    return None
