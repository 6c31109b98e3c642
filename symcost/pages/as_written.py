"""A formula of a page as mathematics, in the form in which it stands there."""

from __future__ import annotations

import re
from collections.abc import Collection

from symcost.checker.claim_grammar import split_sides
from symcost.documents.blocks import Math
from symcost.errors import SymcostError
from symcost.notation.formulas import read
from symcost.notation.syntax import Name as Typed
from symcost.notation.syntax import Node as Branch
from symcost.notation.syntax import Number, Syntax, Unit
from symcost.pages.latex_forms import known_forms
from symcost.printing.nodes import Call, Name, Node, Power, Product, Quotient, Sum, Whole

MAX_LENGTH = 1_000  # characters of a formula that is set
_FUNCTIONS = {"max": "Max", "min": "Min", "ceil": "ceiling"}


def as_written(text: str, names: Collection[str]) -> Math | None:
    r"""A formula with its signs; ``None`` where it cannot be read.

    >>> as_written(r"I = \frac{2BD}{C}", "BCDI").links[0][1].bottom
    Name(name='C')

    Args:
        text: the formula, LaTeX or plain.
        names: the names of the page that are no units.
    """
    if len(text) > MAX_LENGTH:
        return None
    try:
        sides, signs = split_sides(known_forms(text))
        first, *rest = (_node(read(side, names).syntax) for side in sides)
    except (SymcostError, RecursionError, ValueError):
        return None
    return Math(first, tuple(zip(signs, rest, strict=True)))


def _node(syntax: Syntax) -> Node:
    match syntax:
        case Number(text=text):
            return _number(text.replace(",", ""))
        case Typed(name=name):
            return Name(name)
        case Unit(text=text):
            return Name(text)
    op, parts = syntax.op, syntax.parts
    if op in ("sum", "minus"):
        terms = [_under(part, "minus") for part in parts]
        return Sum(tuple((-1 if op == "minus" or minus else 1, node) for minus, node in terms))
    if op in ("product", "inverse"):
        factors = [_under(part, "inverse") for part in parts]
        top = _product([node for under, node in factors if under == (op == "inverse")])
        bottom = _product([node for under, node in factors if under != (op == "inverse")])
        return Quotient(top or Whole(1), bottom) if bottom else top or Whole(1)
    inner = tuple(map(_node, parts))
    return Power(*inner) if op == "power" else Call(_FUNCTIONS.get(op, op), inner)


def _under(part: Syntax, op: str) -> tuple[bool, Node]:
    """Whether a part stands under a sign, and what stands there."""
    if isinstance(part, Branch) and part.op == op:
        return True, _node(part.parts[0])
    return False, _node(part)


def _product(factors: list[Node]) -> Node | None:
    return Product(tuple(factors)) if len(factors) > 1 else next(iter(factors), None)


def _number(text: str) -> Node:
    """``16384``, ``3.35``, and ``1.97e14`` as a product with a power of ten."""
    found = re.fullmatch(r"([\d.]+)[eE]\+?(-?\d+)", text)
    if found is None:
        return Whole(int(text)) if text.isdecimal() else Name(text)
    power: Node = Whole(abs(int(found[2])))
    exponent = Sum(((-1, power),)) if found[2].startswith("-") else power
    return Product((_number(found[1]), Power(Whole(10), exponent)))
