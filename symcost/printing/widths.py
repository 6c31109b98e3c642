"""How wide LaTeX sets an expression: an estimate, in em, that errs on the wide side.

The widths are those of Computer Modern (D. E. Knuth, Computer Modern Typefaces, 1986), by
class of letter: what decides whether a line is broken need not be exact.
"""

from __future__ import annotations

from symcost.printing.latex import is_tall, node_latex
from symcost.printing.names import parts
from symcost.printing.nodes import (
    Call,
    Comparison,
    Name,
    Node,
    Power,
    Product,
    Quotient,
    Sum,
    Whole,
)
from symcost.printing.numbers import Shown

PLUS = 1.25  # a plus or minus sign with its spaces
RELATION = 1.4  # the same for a relation
_SCALES = (1.0, 1.0, 0.7, 0.55)  # display, text, script, scriptscript
_FUNCTIONS = {"sqrt": 0.0, "ceiling": 0.0, "floor": 0.0, "Maximum": 2.2, "Minimum": 2.2}
_NARROW = set("ijlftrIJ.,:;'()[]| ")
_WIDE = set("mwMW")


def node_width(node: Node, style: int = 0) -> float:
    """The width of a node in em; ``style`` 0 is display, 1 text, 2 script."""
    match node:
        case Name(name):
            return _name_width(name) * _SCALES[style]
        case Sum(terms):
            signs = len(terms) - (1 if terms[0][0] > 0 else 0)
            inside = sum(node_width(term, style) + _brackets(term, style) for _, term in terms)
            return inside + PLUS * signs * _SCALES[style]
        case Product(factors):
            return sum(_gap(f) * _SCALES[style] for f in factors[1:]) + sum(
                node_width(f, style) + _brackets(f, style) for f in factors
            )
        case Quotient(top, bottom):
            inner = min(style + 1, 3)
            return max(node_width(top, inner), node_width(bottom, inner)) + 0.3
        case Power(base, exponent):
            return node_width(base, style) + _bracket_width(base, style) + _raised(exponent, style)
        case Call(name, args):
            inside = sum(node_width(arg, style) + 0.35 for arg in args)
            return _FUNCTIONS.get(name, text_width(name)) * _SCALES[style] + 1.2 + inside
        case Comparison(lhs, _, rhs):
            return node_width(lhs, style) + RELATION + node_width(rhs, style)
    return _latex_width(node_latex(node)) * _SCALES[style]


def text_width(text: str) -> float:
    """The width of upright text in em."""
    return sum(_letter_width(letter) for letter in text)


def shown_width(shown: Shown) -> float:
    """The width of a rounded number with its unit."""
    return text_width(shown.text()) + (2.0 if shown.power is not None else 0.3)


def _name_width(name: str) -> float:
    found = parts(name)
    base = _italic_width(found.base) if found.is_letter else text_width(found.base)
    subscript = sum(text_width(each) + 0.3 for each in found.subscripts)
    return base + 0.7 * subscript + (0.1 if found.subscripts else 0.0)


def _italic_width(letter: str) -> float:
    if letter in _WIDE:
        return 1.1
    return 0.5 if letter in "ijlt" else 0.85 if letter.isupper() else 0.65


def _raised(exponent: Node, style: int) -> float:
    script = min(max(style, 1) + 1, 3)
    if isinstance(exponent, Quotient):  # set on one line
        return node_width(exponent.top, script) + node_width(exponent.bottom, script) + 1.2
    return node_width(exponent, script)


def _letter_width(letter: str) -> float:
    if letter.isdigit():
        return 0.51
    if letter in _NARROW:
        return 0.42
    if letter in _WIDE:
        return 1.05
    if letter.isupper() or letter in "_%&":
        return 0.8
    return 0.56 if letter.isascii() else 1.0


def _latex_width(latex: str) -> float:
    times = latex.count(r"\times") + latex.count(r"\ldots")
    letters = latex.replace(r"\times", "").replace(r"\ldots", "")
    return text_width(letters) + 1.3 * times


def _gap(right: Node) -> float:
    return 0.05 if isinstance(right, Name) and parts(right.name).is_letter else 0.8


def _brackets(node: Node, style: int) -> float:
    return _bracket_width(node, style) if isinstance(node, Sum | Comparison) else 0.0


def _bracket_width(node: Node, style: int) -> float:
    if isinstance(node, Name | Whole):
        return 0.1
    return (1.9 if is_tall(node) else 0.85) * _SCALES[style]
