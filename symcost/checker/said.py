"""Sentences that remember their formulas: text for a program, mathematics on a page."""

from __future__ import annotations

from itertools import zip_longest

from sympy import Expr

from symcost.algebra import Posynomial, Ratio
from symcost.algebra.relation import Relation
from symcost.documents.blocks import Inline, Math, inlines
from symcost.documents.wording import assumption_words
from symcost.errors import SymcostError
from symcost.notation.border import assumptions
from symcost.render.formats.text import words_text


class Said(str):
    """A text, and the words with mathematics of which it is the plain form."""

    words: tuple[Inline, ...] = ()


def said(template: str, *parts: object) -> Said:
    """A sentence with something in the place of each ``{}``.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> said("leaves out {}", 2 * B * D), said("leaves out {}", 2 * B * D).words[1]
    ('leaves out 2*B*D', Math(left=2*B*D, links=()))
    """
    made: list[Inline] = []
    for piece, part in zip_longest(template.split("{}"), parts, fillvalue=""):
        made += [*inlines(str(piece)), *_shown(part)]
    return of_words(tuple(made))


def of_words(words: tuple[Inline, ...]) -> Said:
    """The sentence that consists of words."""
    text = Said(words_text(words))
    text.words = words
    return text


def words_of(text: str) -> tuple[Inline, ...]:
    """The words of a sentence; of a plain text itself."""
    return text.words if isinstance(text, Said) else inlines(text)


def order_said(text: str) -> str:
    """``B << D, F`` as mathematics, if it is no more than that."""
    try:
        found = assumption_words(assumptions(text)) if text else ()
    except SymcostError:
        return text
    return of_words(found) if words_text(found) == text else text


def _shown(part: object) -> tuple[Inline, ...]:
    if isinstance(part, Posynomial | Ratio):
        part = part.to_sympy()
    if isinstance(part, Relation):
        return (Math(part.lhs, ((part.op, part.rhs),)),)
    if isinstance(part, Expr):
        return (Math(part),)
    return words_of(part if isinstance(part, str) else str(part))
