r"""Equations as rows of ``align*`` that stay on the page.

A sum is broken before a plus or minus, a long product at a dot, the arguments of a function after
a comma. What cannot be broken (a numerator, a denominator, a base, a bracket) and is wider than a
line gets a name, ``\frac{19780 D F}{p_{1}}``, and rows of its own: "where p_1 = ...".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from symcost.printing.latex import OPERATORS, bracketed, function_latex, node_latex
from symcost.printing.layout import Shownable, arrange
from symcost.printing.names import label_latex, latex_escape
from symcost.printing.nodes import (
    Call,
    Comparison,
    Name,
    Node,
    Power,
    Product,
    Quotient,
    Sum,
    children,
    names,
)
from symcost.printing.numbers import Shown
from symcost.printing.widths import PLUS, RELATION, node_width, shown_width, text_width

_TYPE = (
    ("", 1.0),
    (r"\small ", 0.92),
    (r"\footnotesize ", 0.84),
    (r"\scriptsize ", 0.74),
    (r"\tiny ", 0.56),
)  # commands, and how large the letters are to those of 11pt
PAGE = 39.0  # em of a 12-point article with margins of one inch, less a little
_INDENT = 1.0  # the \quad before a continued row
_WHERE = 5.0  # "where p_12"
_LETTERS = ("p", "q", "r", "u", "v", "y", "z")  # for parts that get a name

Line: TypeAlias = tuple[str, float]  # LaTeX and its width in em
Link: TypeAlias = "tuple[str, Shownable | Shown]"  # operator, and an expression or a Shown number


@dataclass(slots=True)
class NamedParts:
    """The parts that were given a name because they are too wide; ``told`` have their rows."""

    letter: str
    nodes: list[Node] = field(default_factory=list)
    told: int = 0

    def name(self, node: Node) -> Name:
        """The name of a part, a new one for a new part."""
        if node not in self.nodes:
            self.nodes.append(node)
        return Name(f"{self.letter}_{self.nodes.index(node) + 1}")


def named_parts(nodes: Sequence[Node | Shown]) -> NamedParts:
    """No parts yet, with a letter for their names that none of the nodes uses."""
    taken = {name[0] for node in nodes if not isinstance(node, Shown) for name in names(node)}
    return NamedParts(next((letter for letter in _LETTERS if letter not in taken), "part"))


def equation_rows(
    label: str, links: Sequence[Link], *, width: float = PAGE, parts: NamedParts | None = None
) -> list[str]:
    r"""An equation as the rows of an ``align*``, each with one ``&``.

    >>> from symcost.symbols import dims
    >>> from symcost.printing.numbers import shown_quantity
    >>> B, D, F = dims("B D F")
    >>> for row in equation_rows("bytes", [("=", 2 * B * D + 2 * B * F)]): print(row)
    \text{bytes} &= 2 B D + 2 B F
    >>> for row in equation_rows("B", [(">", shown_quantity(296))], width=9): print(row)
    B &> 296

    Args:
        label: the left side: a symbol's name, or words.
        links: operators (``=``, ``>``, ``≈``), each with an expression or a ``Shown`` number.
        width: of the page, in em.
        parts: names that equations set together share; by default those of this one alone.

    Returns:
        The rows, to be joined by ``align``.
    """
    left = node_width(Name(label)) if len(label) == 1 or "_" in label else text_width(label)
    if left > 0.4 * width:
        size, _ = _type_for(left, width - _WHERE)
        head, left = [rf"&\text{{{size}{latex_escape(label)}}}"], 1.0
        lead = r"&\quad"
    else:
        head, lead = [], f"{label_latex(label)} &"
    nodes = [value if isinstance(value, Shown) else arrange(value) for _, value in links]
    parts = named_parts(nodes) if parts is None else parts
    room = width - max(left, _WHERE) - RELATION
    rows = _link_rows(lead, [op for op, _ in links], nodes, room, parts)
    return head + rows + _where_rows(parts, room)


def align(rows: Sequence[str]) -> str:
    r"""Rows as one ``align*`` environment, a little apart: stacked fractions would touch.

    >>> print(align(["B &= D"]))
    \begin{align*}
      B &= D
    \end{align*}
    """
    body = " \\\\[4pt]\n".join(f"  {row}" for row in rows)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


def _link_rows(
    lead: str, ops: list[str], nodes: Sequence[Node | Shown], room: float, parts: NamedParts
) -> list[str]:
    """A row for each link; a rounded number stays on the row of what it rounds."""
    rows: list[str] = []
    used = 0.0
    for op, node in zip(ops, nodes, strict=True):
        sign = OPERATORS.get(op, op)
        if isinstance(node, Shown):
            needed = shown_width(node) + RELATION
            if rows and used + needed <= room:
                rows[-1] += f" {sign} {node.latex()}"
                used += needed
                continue
            lines: list[Line] = [(node.latex(), needed)]
        else:
            lines = _lines(node, room, parts)
        first = lead if not rows else "&"
        rows.append(f"{first}{'' if first.endswith('&') else ' '}{sign} {lines[0][0]}")
        rows += [rf"&\quad {line}" for line, _ in lines[1:]]
        used = lines[-1][1]
    return rows


def _where_rows(parts: NamedParts, room: float) -> list[str]:
    rows: list[str] = []
    while parts.told < len(parts.nodes):  # a part may give names to parts of its own
        node = parts.nodes[parts.told]
        label = node_latex(parts.name(node))
        lines = _lines(node, room, parts)
        where = r"\text{where } " if not rows else ""
        rows.append(f"{where}{label} &= {lines[0][0]}")
        rows += [rf"&\quad {line}" for line, _ in lines[1:]]
        parts.told += 1
    return rows


def _lines(node: Node, room: float, parts: NamedParts) -> list[Line]:
    """The node on one line, or broken into several, each no wider than ``room``."""
    if node_width(node) <= room:
        return [(node_latex(node), node_width(node))]
    match node:
        case Sum(terms):
            return _packed([_term_piece(s, t, room, parts) for s, t in terms], room)
        case Product(factors):
            pieces = [(r"{}\cdot ", _factor_lines(f, room, parts)) for f in factors]
            return _packed([("", pieces[0][1]), *pieces[1:]], room)
        case Call(name, args) if len(args) > 1:
            return _call_lines(name, args, room, parts)
    small = _shrunk(node, room, parts)
    return [_sized(small, room)]


def _sized(node: Node, room: float) -> Line:
    """The node on one line, in small type where nothing but a long name makes it too wide."""
    line, width = node_latex(node), node_width(node)
    if width <= max(room, PAGE / 2):
        return line, width
    size, scale = _type_for(width, room)
    return rf"\text{{{size}$\displaystyle {line}$}}", width * scale


def _type_for(width: float, room: float) -> tuple[str, float]:
    """The largest size of type in which so much fits."""
    return next((each for each in _TYPE if width * each[1] <= room), _TYPE[-1])


def _term_piece(sign: int, term: Node, room: float, parts: NamedParts) -> tuple[str, list[Line]]:
    if isinstance(term, Sum | Comparison):
        return ("{}- " if sign < 0 else "{}+ "), _factor_lines(term, room, parts)
    return ("{}- " if sign < 0 else "{}+ "), _lines(term, room - PLUS - _INDENT, parts)


def _factor_lines(factor: Node, room: float, parts: NamedParts) -> list[Line]:
    room -= PLUS + _INDENT
    if isinstance(factor, Sum | Comparison) and node_width(factor) + 2 > room:
        factor = parts.name(factor)
    if isinstance(factor, Sum | Comparison):
        return [(bracketed(factor), node_width(factor) + 2)]
    return _lines(factor, room, parts)


def _call_lines(name: str, args: tuple[Node, ...], room: float, parts: NamedParts) -> list[Line]:
    """A function whose arguments fill several rows: brackets of one size around all."""
    small = [_fitting(arg, room - text_width(name) - _INDENT - 3, parts) for arg in args]
    shown = [(node_latex(arg), node_width(arg)) for arg in small]
    pieces = [("", [(line + (r"\Bigr)" if i == len(shown) - 1 else ", "), w + 1.5)])
              for i, (line, w) in enumerate(shown)]  # fmt: skip
    first, width = pieces[0][1][0]
    pieces[0] = ("", [(rf"{function_latex(name)}\Bigl({first}", width + text_width(name) + 1)])
    return _packed(pieces, room)


def _packed(pieces: list[tuple[str, list[Line]]], room: float) -> list[Line]:
    """Fill lines with pieces; a piece that has several lines of its own starts a new one."""
    lines: list[Line] = []
    for separator, piece in pieces:
        extra = PLUS if separator else 0.0
        joins = lines and len(piece) == 1 and lines[-1][1] + piece[0][1] + extra <= room - _INDENT
        if joins:
            lines[-1] = (
                f"{lines[-1][0]} {separator.removeprefix('{}')}{piece[0][0]}",
                lines[-1][1] + piece[0][1] + extra,
            )
            continue
        head = separator if lines else ("-" if "-" in separator else "")
        lines.append((head + piece[0][0], piece[0][1] + extra))
        lines += piece[1:]
    return lines


def _fitting(node: Node, room: float, parts: NamedParts) -> Node:
    """The node, or where it is too wide a form with named parts, or a name."""
    if node_width(node, 1) <= room:
        return node
    if isinstance(node, Sum | Product | Call) or not children(node):
        return parts.name(node) if children(node) else node
    return _shrunk(node, room, parts)


def _shrunk(node: Node, room: float, parts: NamedParts) -> Node:
    """The node with each child that is too wide replaced by a name."""
    match node:
        case Quotient(top, bottom):
            return Quotient(_named(top, room, parts), _named(bottom, room, parts))
        case Power(base, exponent):
            return Power(_named(base, room - 4, parts), _named(exponent, 3, parts))
        case Call(name, args):
            each = (room - text_width(name) - 3) / len(args)
            return Call(name, tuple(_named(arg, each, parts) for arg in args))
        case Comparison(lhs, op, rhs):
            half = (room - RELATION) / 2
            return Comparison(_named(lhs, half, parts), op, _named(rhs, half, parts))
    return node


def _named(node: Node, room: float, parts: NamedParts) -> Node:
    is_wide = node_width(node, 1) > room and bool(children(node))
    return parts.name(node) if is_wide else node
