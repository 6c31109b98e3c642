"""The scanner of plain text: ``2BDF/(B + D)``, ``1.97e14``, ``W_{hbm}``, ``B² · α``, ``8 us``.

It knows no names: words are told apart in :mod:`symcost.notation.words`. Programs are scanned
by it as well, with other signs (:mod:`symcost.notation.program_tokens`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from symcost.errors import NotationError
from symcost.notation.tokens import Token, check_name, failure, plain_name

Signs: TypeAlias = Mapping[str, tuple[str, str]]  # as typed -> kind and value of the token

NUMBER = r"(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+−-]?[0-9]+)?"
THOUSANDS = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?(?:[eE][+−-]?[0-9]+)?"
SUPERSCRIPTS = {c: str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_RAISED = "".join(SUPERSCRIPTS)
_FRACTIONS = "¼-¾⅐-⅞"  # neither letters nor digits: 2½ would be 2*½, x^½ be x^1/2
WORD = rf"[^\W\d{_RAISED}{_FRACTIONS}][^\W{_RAISED}{_FRACTIONS}]*(?:(?<=_)\{{[A-Za-z0-9_ ,]+\}})?"
_DECIMAL = re.compile(r"0[xXoObB][0-9a-fA-F]")
_BROKEN = re.compile(r"_(?![^\W\d_])|\.[0-9]")  # 4_X is a size that is split over X


def signs(**kinds: str) -> dict[str, tuple[str, str]]:
    """A table of signs that mean themselves: for each kind of token what is typed.

    >>> signs(REL="<< <", COMMA=",")
    {'<<': ('REL', '<<'), '<': ('REL', '<'), ',': ('COMMA', ',')}
    """
    return {each: (kind, each) for kind, typed in kinds.items() for each in typed.split()}


SIGNS: Signs = {
    **signs(CARET="** ^", STAR="* · • × ∙ ⋅ ∗", SLASH="/ //", MINUS="- − –", PLUS="+", COMMA=","),
    **signs(PERCENT="%", LPAR="( [ {", RPAR=") ] } ⌉ ⌋", REL="<< >> <= >= < > = ≈ ->", INF="∞"),
    **dict.fromkeys("÷∕⁄", ("SLASH", "/")),
    **{"≪": ("REL", "<<"), "≫": ("REL", ">>"), "==": ("REL", "=")},
    **dict.fromkeys("≤⩽", ("REL", "<=")),
    **dict.fromkeys("≥⩾", ("REL", ">=")),
    **dict.fromkeys("~∼", ("REL", "≈")),
    **dict.fromkeys("→⟶", ("REL", "->")),
}


def any_of(known: Signs) -> str:
    """A pattern for each of the signs, the longest first."""
    return "|".join(map(re.escape, sorted(known, key=len, reverse=True)))


def pattern(known: Signs, *parts: str) -> re.Pattern[str]:
    """What is scanned: the parts, words, raised digits, numbers, signs; else one character."""
    every = (
        *parts,
        rf"(?P<word>{WORD})",
        rf"(?P<number>{NUMBER})",
        rf"(?P<power>[⁻⁺]?[{_RAISED}]+)",
        rf"(?P<sign>{any_of(known)})",
        r"(?P<bad>.)",
    )
    return re.compile("|".join(every), re.DOTALL)


_PLAIN = pattern(SIGNS, r"(?P<skip>\s+)", rf"(?P<thousands>{THOUSANDS})", r"(?P<root>[√⌈⌊])")


def scan_plain(text: str) -> list[Token]:
    """The tokens of a plain text; a character that stands in no formula is BAD.

    Raises:
        NotationError: a number that is not well formed.
    """
    return list(scanned(text, _PLAIN, SIGNS))


def scanned(
    text: str, pattern: re.Pattern[str], known: Signs, word: str = "WORD"
) -> Iterator[Token]:
    """The tokens of a text: words (of this kind), numbers, the signs of a table.

    Raises:
        NotationError: a number that is not well formed, or a word that is too long.
    """
    for match in pattern.finditer(text):
        kind, typed, start, end = match.lastgroup, match.group(), match.start(), match.end()
        if kind == "word":
            check_name(typed, text, start)
            yield Token(word, plain_name(typed), start, end)
        elif kind == "number" or kind == "thousands":
            check_number(typed, text, start, end)
            yield Token("NUMBER", typed.replace("−", "-"), start, end)
        elif kind == "power":
            yield from superscript(typed, start, end)
        elif kind == "sign":
            yield Token(*known[typed], start, end)
        elif kind == "summing":  # the sign of a product that names what is summed, *_D
            yield Token(known[typed[0]][0], typed, start, end)
        elif kind == "string":
            yield Token("STRING", typed[1:-1], start, end)
        elif kind == "root":
            yield from _root(typed, text, start, end)
        elif kind == "bad":
            yield Token("BAD", typed, start, end)


def check_number(typed: str, text: str, start: int, end: int) -> None:
    """Refuse ``0x10`` and ``1.2.3``."""
    if _DECIMAL.match(text, start):
        raise failure("a number is written in decimal", text, start, end + 1, "convert it")
    if _BROKEN.match(text, end):
        repair = "write for example 1.97e14"
        raise failure("the number is not well formed", text, start, end + 1, repair)


def superscript(typed: str, start: int, end: int) -> Iterator[Token]:
    """``^ - 1`` for ``⁻¹``."""
    yield Token("CARET", typed, start, start)
    if typed[0] in "⁻⁺":
        yield Token("MINUS" if typed[0] == "⁻" else "PLUS", typed[0], start, start)
    digits = "".join(SUPERSCRIPTS[c] for c in typed if c in SUPERSCRIPTS)
    yield Token("NUMBER", digits, start, end)


def _root(sign: str, text: str, start: int, end: int) -> Iterator[Token]:
    if sign == "√":
        called = text[end:].lstrip().startswith(("(", "[", "{"))
        yield Token("FUNC" if called else "BARE", "sqrt", start, end)
        return
    yield Token("FUNC", "ceil" if sign == "⌈" else "floor", start, start)
    yield Token("LPAR", sign, start, end)


def bad_character(text: str, start: int, kind: str, known: str) -> NotationError:
    """The error about a character that stands nowhere in a formula of this kind."""
    character = text[start]
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    repair = f"use numbers, names, + - * / ^, {known}"
    return failure(f"{shown!r} has no meaning in a {kind}", text, start, start + 1, repair)
