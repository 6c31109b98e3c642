"""How wide LaTeX sets an expression: an estimate, in em, that errs on the wide side.

The widths are those of Computer Modern (D. E. Knuth, Computer Modern Typefaces, 1986), by
class of letter: what decides whether a line is broken need not be exact.
"""

from __future__ import annotations

from symcost.printing.fold import IN_AN_EXPONENT, SET, Gap, Style, fold
from symcost.printing.latex import LATEX
from symcost.printing.names import is_wide, parts
from symcost.printing.nodes import Node
from symcost.printing.numbers import Shown

PLUS = 1.25  # a plus or minus sign with its spaces
RELATION = 1.4  # the same for a relation
_SIGNS = {"-": PLUS, "+-": PLUS, "--": PLUS, ",": 0.35}
_GAPS = {Gap.CLOSE: 0.05, Gap.LOOSE: 0.8, Gap.DOT: 0.8}
_NARROW = set("ijlftrIJ.,:;'()[]| ")
_WIDE = set("mwMW")


def node_width(node: Node, style: int = 0) -> float:
    """The width of a node in em; ``style`` 0 is display, 1 text, 2 script."""
    return fold(node, _SIZES[style])


def text_width(text: str) -> float:
    """The width of upright text in em."""
    return sum(_letter_width(letter) for letter in text)


def shown_width(shown: Shown) -> float:
    """The width of a rounded number with its unit."""
    return text_width(shown.text()) + (2.0 if shown.power is not None else 0.3)


def _size(
    scale: float, part: Style[float] | None = None, exponent: Style[float] | None = None
) -> Style[float]:
    """The widths of one size of type; without an exponent's style it is that of an exponent."""
    return Style(
        name=lambda name: _name_width(name) * scale,
        whole=lambda value: _latex_width(LATEX.whole(value)) * scale,
        constant=lambda name: _latex_width(LATEX.constant(name)) * scale,
        function=lambda name: (2.2 if name[:3] in ("Max", "Min") else text_width(name)) * scale,
        operator=lambda op: _SIGNS.get(op, RELATION) * scale,
        gap=lambda gap: _GAPS[gap] * scale,
        join=sum,
        fraction=(lambda top, bottom: max(top, bottom) + 0.3) if exponent else _on_one_line,
        power=lambda base, raised: base + raised,
        fence=lambda inner, left, right, grows: inner + (1.9 if grows else 0.85) * scale,
        root=lambda inner: inner + 1.5,
        root_of=lambda which, equation: 2.3 * scale + which * 0.7 + equation,
        binds=SET if exponent else IN_AN_EXPONENT,
        part=part,
        exponent=exponent,
    )


def _on_one_line(top: float, bottom: float) -> float:
    return top + bottom + 0.5


def _name_width(name: str) -> float:
    split = parts(name)
    base = _italic_width(split.base) if split.is_letter else text_width(split.base)
    subscript = sum(text_width(each) + 0.45 for each in split.subscripts)
    return base + 0.7 * subscript + (0.1 if split.subscripts else 0.0)


def _italic_width(letter: str) -> float:
    if letter in _WIDE:
        return 1.1
    return 0.5 if letter in "ijlt" else 0.85 if letter.isupper() else 0.65


def _letter_width(letter: str) -> float:
    if letter.isdigit():
        return 0.51
    if letter in _NARROW:
        return 0.42
    if letter in _WIDE:
        return 1.05
    if letter.isupper() or letter in "_%&":
        return 0.8
    if is_wide(letter):
        return 4.0  # U+6279, where its font is not installed
    return 0.56 if letter.isascii() else 1.0


def _latex_width(latex: str) -> float:
    times = latex.count(r"\times") + latex.count(r"\ldots")
    letters = latex.replace(r"\times", "").replace(r"\ldots", "")
    return text_width(letters) + 1.3 * times


_RAISED_TWICE = _size(0.55)
_RAISED = _size(0.7, exponent=None)
_SMALLEST = _size(0.55, exponent=_RAISED_TWICE)
_SMALL = _size(0.7, _SMALLEST, _RAISED_TWICE)
_TEXT = _size(1.0, _SMALL, _RAISED)
_SIZES = (_size(1.0, _TEXT, _RAISED), _TEXT, _SMALL, _SMALLEST)
