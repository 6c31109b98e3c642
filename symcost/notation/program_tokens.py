"""The scanner of programs: the words and numbers of formulas, and the signs of statements."""

from __future__ import annotations

import re

from symcost.errors import NotationError
from symcost.notation.limits import check_text
from symcost.notation.plain_tokens import NUMBER, SUPERSCRIPTS, WORD, superscript
from symcost.notation.tokens import Token, plain_name

PROGRAM_LIMIT = 1_000_000  # characters of a program
MAX_DEPTH = 50  # brackets inside brackets
CLOSING = {"(": ")", "[": "]", "{": "}"}
PRODUCTS = frozenset({"STAR", "AT", "DOT"})

_SIGNS = {
    **dict.fromkeys(("->", "→", "⟶"), "ARROW"),
    **dict.fromkeys("*·•×∙⋅", "STAR"),
    **{"**": "CARET", "^": "CARET", "/": "SLASH", "//": "SLASH", "+": "PLUS", "-": "MINUS"},
    **{"@": "AT", ".": "DOT", ",": "COMMA", ":": "COLON", "=": "EQUAL", ";": "SEP", "\n": "SEP"},
    **{"(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", "{": "LBRACE", "}": "RBRACE"},
}
_RAISED = "".join(SUPERSCRIPTS)
_PATTERN = re.compile(
    "|".join(
        (
            r"(?P<skip>[ \t\r]+|\#[^\n]*)",
            rf"(?P<word>{WORD})",
            rf"(?P<number>{NUMBER})",
            r"(?P<arrow>->|→|⟶)",
            r"(?P<power>\*\*|//)",
            r"(?P<product>[@•·⋅∙×*](?:_(?:\{[^{}\n]*\}|\w+))?)",
            r"(?P<sign>[\n;,:=.()\[\]{}/^+-])",
            r"(?P<string>\"[^\"\n]*\"|'[^'\n]*')",
            rf"(?P<raised>[⁻⁺]?[{_RAISED}]+)",
            r"(?P<bad>.)",
        )
    ),
    re.DOTALL,
)
_LONG = re.compile(r"\w{101,}")
# a statement goes on in the next line after these, and where the next line begins with those
_GOES_ON = frozenset({"AT", "STAR", "EQUAL", "COMMA", "ARROW"})
_BEGINS = frozenset({"ARROW", "AT"})


def scan_program(text: object) -> tuple[str, list[Token]]:
    """The text, and its tokens without blanks, comments and line ends inside brackets.

    Raises:
        NotationError: the text is empty, too long, holds control characters, words that are too
            long, or brackets that are not closed.
    """
    checked = check_text(text, "a program", PROGRAM_LIMIT)
    long = _LONG.search(checked)
    if long:
        size = len(long.group())
        raise NotationError(f"a word of {size} characters is too long").at(
            checked, long.start(), size
        )
    return checked, _joined(_tokens(checked))


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    opened: list[Token] = []
    for match in _PATTERN.finditer(text):
        kind = match.lastgroup
        if kind == "skip":
            continue
        found, start, end = match.group(), match.start(), match.end()
        if kind == "word":
            tokens.append(Token("NAME", plain_name(found), start, end))
        elif kind == "number" or kind == "bad":
            tokens.append(Token(kind.upper(), found, start, end))
        elif kind == "string":
            tokens.append(Token("STRING", found[1:-1], start, end))
        elif kind == "product":
            tokens.append(Token(_SIGNS[found[0]], found, start, end))
        elif kind == "raised":
            tokens += superscript(found, start, end)
        else:
            token = Token(_SIGNS[found], found, start, end)
            if found in "()[]{}":
                _bracket(token, opened, text)
            if found != "\n" or not opened or opened[-1].value == "{":  # blocks hold lines
                tokens.append(token)
    if opened:
        shown = opened[-1].value
        raise NotationError(
            f"the bracket {shown!r} is not closed", repair=f"add {CLOSING[shown]!r}"
        ).at(text, opened[-1].start)
    return tokens


def _bracket(token: Token, opened: list[Token], text: str) -> None:
    if token.value in CLOSING:
        opened.append(token)
        if len(opened) > MAX_DEPTH:
            raise NotationError(
                "brackets are nested too deeply", repair=f"at most {MAX_DEPTH} levels are read"
            ).at(text, token.start)
    elif not opened or CLOSING[opened.pop().value] != token.value:
        raise NotationError(f"the bracket {token.value!r} closes nothing").at(text, token.start)


def _joined(tokens: list[Token]) -> list[Token]:
    """Without the line ends over which a statement goes on."""
    kept: list[Token] = []
    for index, token in enumerate(tokens):
        if token.value == "\n" and kept:
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if kept[-1].kind in _GOES_ON or (following is not None and _continues(following)):
                continue
        kept.append(token)
    return kept


def _continues(token: Token) -> bool:
    return token.kind in _BEGINS or (token.kind == "STAR" and token.value[0] in "•·⋅")
