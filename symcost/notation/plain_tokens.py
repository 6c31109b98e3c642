"""The scanner of plain text: ``2BDF/(B + D)``, ``1.97e14``, ``W_{hbm}``, ``B² · α``, ``8 us``.

It knows no names: words are told apart in :mod:`symcost.notation.words`. Programs are scanned
with the same patterns (:mod:`symcost.notation.programs`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from symcost.errors import NotationError
from symcost.notation.tokens import Token, failure, plain_name

NUMBER = r"(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+−-]?[0-9]+)?"
THOUSANDS = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?(?:[eE][+−-]?[0-9]+)?"
SUPERSCRIPTS = {c: str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_RAISED = "".join(SUPERSCRIPTS)
_FRACTIONS = "¼-¾⅐-⅞"  # neither letters nor digits: 2½ would be 2*½, x^½ be x^1/2
WORD = rf"[^\W\d{_RAISED}{_FRACTIONS}][^\W{_RAISED}{_FRACTIONS}]*(?:(?<=_)\{{[A-Za-z0-9_ ,]+\}})?"

SIGNS = {
    **dict.fromkeys(("**", "^"), "CARET"),
    **dict.fromkeys("*·•×∙⋅∗", "STAR"),
    **dict.fromkeys(("//", *"/÷∕⁄"), "SLASH"),
    **dict.fromkeys("-−–", "MINUS"),
    "+": "PLUS",
    ",": "COMMA",
    "%": "PERCENT",
    **dict.fromkeys("([{", "LPAR"),
    **dict.fromkeys(")]}⌉⌋", "RPAR"),
}
RELATIONS = {
    **{"<<": "<<", "≪": "<<", ">>": ">>", "≫": ">>"},
    **{"<=": "<=", "≤": "<=", "⩽": "<=", ">=": ">=", "≥": ">=", "⩾": ">="},
    **{"<": "<", ">": ">", "==": "=", "=": "=", "≈": "≈", "~": "≈", "∼": "≈"},
    **{"->": "->", "→": "->", "⟶": "->"},
}
_PATTERN = re.compile(
    "|".join(
        (
            r"(?P<space>\s+)",
            rf"(?P<word>{WORD})",
            rf"(?P<number>{THOUSANDS}|{NUMBER})",
            rf"(?P<power>[⁻⁺]?[{_RAISED}]+)",
            r"(?P<relation><<|>>|<=|>=|==|->|[<>=≪≫≤≥⩽⩾≈~∼→⟶])",
            r"(?P<sign>\*\*|//|[-−–+*·•×∙⋅∗/÷∕⁄^,%()\[\]{}⌉⌋])",
            r"(?P<root>[√⌈⌊])",
            r"(?P<infinity>∞)",
        )
    )
)
_DECIMAL = re.compile(r"0[xXoObB][0-9a-fA-F]")
_BROKEN = re.compile(r"_|\.[0-9]")


def scan_plain(text: str) -> list[Token]:
    """The tokens of a plain text; a character that stands in no formula is BAD.

    Raises:
        NotationError: a number that is not well formed.
    """
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _PATTERN.match(text, position)
        if match is None:
            tokens.append(Token("BAD", text[position], position, position + 1))
            position += 1
            continue
        tokens += _tokens(match, text)
        position = match.end()
    return tokens


def _tokens(match: re.Match[str], text: str) -> Iterator[Token]:
    kind, found, start, end = match.lastgroup, match.group(), match.start(), match.end()
    if kind == "word":
        yield Token("WORD", plain_name(found), start, end)
    elif kind == "number":
        check_number(found, text, start, end)
        yield Token("NUMBER", found.replace("−", "-"), start, end)
    elif kind == "power":
        yield from superscript(found, start, end)
    elif kind == "relation":
        yield Token("REL", RELATIONS[found], start, end)
    elif kind == "sign":
        slash = SIGNS[found] == "SLASH" and found != "//"
        yield Token(SIGNS[found], "/" if slash else found, start, end)
    elif kind == "root":
        yield from _root(found, text, start, end)
    elif kind == "infinity":
        yield Token("INF", found, start, end)


def check_number(found: str, text: str, start: int, end: int) -> None:
    """Refuse ``0x10`` and ``1.2.3``."""
    if _DECIMAL.match(text, start):
        raise failure("a number is written in decimal", text, start, end + 1, "convert it")
    if _BROKEN.match(text, end):
        raise failure(
            "the number is not well formed", text, start, end + 1, "write for example 1.97e14"
        )


def superscript(found: str, start: int, end: int) -> Iterator[Token]:
    """``^ - 1`` for ``⁻¹``."""
    yield Token("CARET", found, start, start)
    if found[0] in "⁻⁺":
        yield Token("MINUS" if found[0] == "⁻" else "PLUS", found[0], start, start)
    digits = "".join(SUPERSCRIPTS[c] for c in found if c in SUPERSCRIPTS)
    yield Token("NUMBER", digits, start, end)


def _root(found: str, text: str, start: int, end: int) -> Iterator[Token]:
    if found == "√":
        called = text[end:].lstrip().startswith(("(", "[", "{"))
        yield Token("FUNC" if called else "BARE", "sqrt", start, end)
        return
    yield Token("FUNC", "ceil" if found == "⌈" else "floor", start, start)
    yield Token("LPAR", found, start, end)


def bad_character(text: str, position: int) -> NotationError:
    """The error about a character that stands nowhere."""
    character = text[position]
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return failure(
        f"{shown!r} has no meaning in a formula",
        text,
        position,
        position + 1,
        "use numbers, names, + - * / ^, brackets, max, min, ceil, floor, log, exp, sqrt",
    )
