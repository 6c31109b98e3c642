"""Reading the sizes and types of a parsed program: ``D/2``, ``4*D``, ``2D``, ``I_XY``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import NotationError, SymcostError
from symcost.model.dtypes import DType, dtype, dtypes
from symcost.model.layouts import PARTIAL_SIGNS, Partial
from symcost.model.tensors import TensorType
from symcost.registry import normal_form
from symcost.symbols import dim

if TYPE_CHECKING:
    from lark import Token, Tree

    Node = Token | Tree[Token]

_PARTIAL = re.compile(r"\{\s*([A-Za-z]+)_(\w+|\{[^{}]*\})\s*\}")
MAX_DIGITS = 30
MAX_POWER = 64
MAX_PARTS = 200  # names, numbers and signs of one size
MAX_TERMS = 64  # of one size
UNTYPED = "b"  # the symbolic dtype of a tensor that was written without one


def first_token(node: Node) -> Token:
    """The first token of a tree, for the place of a message."""
    while not isinstance(node, str):
        node = node.children[0]
    return node


def read_type(tree: Tree[Token], axes: Sequence[str], text: str) -> tuple[str, TensorType]:
    """The type of ``bf16[B, D]``, or the name and type of an untyped ``A[I, J]``."""
    word, *sizes = tree.children
    name, kind = _word(str(word), text, word)  # type: ignore[arg-type]
    partial = sizes.pop() if sizes and getattr(sizes[-1], "type", "") == "PARTIAL" else ""
    shape = [split_size(size, axes, text) for size in sizes]
    try:
        made = TensorType(
            kind,
            [size for size, _ in shape],
            tuple(over for _, over in shape),
            read_partial(str(partial), axes),
        )
    except SymcostError as error:
        start, end = _span(tree)
        raise error.at(text, start, end - start) from None
    return name, made


def known_dtype(token: Token, text: str) -> DType:
    """The dtype of this name; the error shows where it stands."""
    try:
        return dtype(str(token))
    except SymcostError as error:
        raise error.at(text, token.start_pos or 0, len(token)) from None


def _word(word: str, text: str, token: Token) -> tuple[str, DType]:
    """A dtype, or a capitalised word that is near no dtype: the name of an untyped tensor."""
    if word[:1].isupper() and word not in dtypes and not _is_near_a_dtype(word):
        return word, dtype(UNTYPED)
    return "", known_dtype(token, text)


def _is_near_a_dtype(word: str) -> bool:
    known = [normal_form(name) for name in dtypes]
    return bool(get_close_matches(normal_form(word), known, 1, cutoff=0.7))


def _span(tree: Node) -> tuple[int, int]:
    tokens = [tree] if isinstance(tree, str) else list(tree.scan_values(lambda _: True))
    return tokens[0].start_pos or 0, tokens[-1].end_pos or 0


def read_partial(text: str, axes: Sequence[str]) -> Partial:
    """``{U_XY}`` and ``{max_X}``: what is partial over which axes."""
    found = []
    for sign, names in _PARTIAL.findall(text):
        kind = next((kind for kind, each in PARTIAL_SIGNS.items() if each == sign), None)
        if kind is None:
            raise NotationError(
                f"{{{sign}_{names}}} is no partial value",
                repair="write {U_X} for partial sums over X, {max_X} for maxima",
            )
        found += [(axis, kind) for axis in _named_axes(names, axes)]
    return tuple(sorted(found))


def _named_axes(names: str, axes: Sequence[str]) -> tuple[str, ...]:
    """The axes that stand after ``@`` or in a partial sign, with commas or without."""
    words = [word.strip() for word in names.strip("@{}() ").split(",")]
    found: list[str] = []
    for word in words:
        ways = _axes_of(word, axes)
        if not ways:
            raise NotationError(
                f"{word} is no axis of the mesh",
                repair=f"its axes are {', '.join(axes) or 'none'}; declare it, mesh {word}=4",
            )
        found += ways
    return tuple(found)


def split_size(node: Node, axes: Sequence[str], text: str) -> tuple[Posynomial, tuple[str, ...]]:
    """A size and the mesh axes over which it is split, ``I_XY`` with axes X and Y."""
    if getattr(node, "data", "") == "over":
        size, sign = node.children  # type: ignore[union-attr]
        return read_size(size, text), _named_axes(str(sign), axes)
    parts = list(node.children)  # type: ignore[union-attr]
    last = parts[-1]
    over: tuple[str, ...] = ()
    if axes and isinstance(last, str) and last.type == "NAME":  # type: ignore[attr-defined]
        stem, _, suffix = plain_name(str(last)).rpartition("_")
        over = _axes_of(suffix, axes)
        if over and stem:
            parts[-1] = last.update(value=stem)  # type: ignore[attr-defined]
        elif over and len(parts) > 1:
            parts.pop()
        else:
            over = ()
    return _sum(parts, text), over


def _axes_of(suffix: str, axes: Sequence[str]) -> tuple[str, ...]:
    """The mesh axes whose names make up the suffix; none if they do not.

    Raises:
        NotationError: the suffix can be cut into names in two ways.
    """
    ways = _cuts(suffix, axes)
    if len(ways) > 1:
        first, second = (", ".join(way) for way in ways[:2])
        raise NotationError(
            f"_{suffix} may mean the axes {first} or {second}",
            repair=f"write I@({first}) or I@({second})",
        )
    return ways[0] if ways else ()


def _cuts(suffix: str, axes: Sequence[str]) -> list[tuple[str, ...]]:
    """The first two ways to cut a suffix into names."""
    ends: list[list[tuple[str, ...]]] = [[()], *([] for _ in suffix)]
    for end in range(1, len(suffix) + 1):
        for axis in dict.fromkeys(axes):
            if suffix[:end].endswith(axis):
                ends[end] += [(*way, axis) for way in ends[end - len(axis)]]
        del ends[end][2:]
    return ends[-1] if suffix else []


def plain_name(word: str) -> str:
    """A name without braces and commas: ``d_{model}`` is ``d_model``."""
    return "".join(c for c in word if c not in "{}, \t")


def read_size(node: Node, text: str) -> Posynomial:
    """The value of a size."""
    return _sum(list(node.children), text)  # type: ignore[union-attr]


def _sum(parts: list[Node], text: str) -> Posynomial:
    """Terms between plus and minus signs; the first may have a sign as well."""
    if len(parts) > MAX_PARTS:
        raise _at(parts[0], text, "a size is too long", f"at most {MAX_PARTS} parts")
    total: list[Posynomial] = []
    sign = 1
    term: list[Node] = []
    for part in parts:
        if part in ("+", "-") and (term or not total):
            if term:
                total.append(_term(term, text) * sign)
            sign, term = (-1 if part == "-" else 1), []
        else:
            term.append(part)
    if not term:
        raise _at(parts[-1], text, "a size ends in an operator")
    total.append(_term(term, text) * sign)
    return Posynomial.sum(total)


def _term(parts: list[Node], text: str) -> Posynomial:
    """Factors between ``*`` and ``/``; a number before a name multiplies it."""
    value = as_posynomial(1)
    divide = wait = False
    position = 0
    while position < len(parts):
        part = parts[position]
        if part in ("*", "/"):
            if wait or position in (0, len(parts) - 1):
                raise _at(part, text, f"{part} needs a size on both sides")
            divide, wait = part == "/", True
        else:
            if not wait and position and not _is_number(parts[position - 1]):
                raise _at(part, text, "an operator is missing", "write for example 2*D or D/2")
            factor, position = _power(parts, position, text)
            value = _divided(value, factor, part, text) if divide else value * factor
            if len(value) > MAX_TERMS:
                raise _at(part, text, f"a size has more than {MAX_TERMS} terms")
            divide = wait = False
        position += 1
    return value


def _power(parts: list[Node], position: int, text: str) -> tuple[Posynomial, int]:
    """A factor with its power, and the position of its last part."""
    factor = _factor(parts[position], text)
    if position + 1 < len(parts) and parts[position + 1] in ("^", "**"):
        number = parts[position + 2] if position + 2 < len(parts) else parts[position + 1]
        if not _is_number(number):
            raise _at(number, text, "a power must be a number")
        exponent, most = _integer(number, text), MAX_POWER if len(factor) < 2 else 4
        if exponent > most:
            raise _at(number, text, f"the power {exponent} is too large", f"at most {most}")
        return factor**exponent, position + 2
    return factor, position


def _factor(part: Node, text: str) -> Posynomial:
    if not isinstance(part, str):
        return read_size(part.children[0], text)
    if part.type == "NUMBER":
        return as_posynomial(_integer(part, text))
    if part.type == "NAME":
        return as_posynomial(dim(plain_name(part)))
    raise _at(part, text, f"{part} is out of place in a size")


def _divided(value: Posynomial, factor: Posynomial, part: Node, text: str) -> Posynomial:
    if len(factor) != 1:
        raise _at(part, text, "a size cannot be divided by a sum or by zero")
    return value / factor


def _is_number(part: Node) -> bool:
    return isinstance(part, str) and part.type == "NUMBER"


def _integer(token: Node, text: str) -> int:
    if len(token) > MAX_DIGITS:  # type: ignore[arg-type]
        raise _at(token, text, f"a number of {len(token)} digits is too long")  # type: ignore[arg-type]
    return int(token)  # type: ignore[arg-type]


def _at(node: Node, text: str, problem: str, repair: str = "") -> NotationError:
    token = first_token(node)
    return NotationError(problem, repair=repair).at(text, token.start_pos or 0, len(token))
