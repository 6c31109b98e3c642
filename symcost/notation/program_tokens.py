"""The tokens of programs: the words and numbers of formulas, and the signs of statements."""

from __future__ import annotations

import re

from symcost.notation.limits import check_text
from symcost.notation.plain_tokens import Signs, pattern, scanned, signs
from symcost.notation.tokens import Token, nested

PROGRAM_LIMIT = 1_000_000  # characters of a program
MAX_DEPTH = 50  # brackets inside brackets
PRODUCTS = frozenset({"STAR", "AT", "DOT"})

_SIGNS: Signs = {
    **signs(ARROW="-> → ⟶", STAR="* · • × ∙ ⋅", CARET="** ^", SLASH="/ //", PLUS="+", MINUS="-"),
    **signs(AT="@", DOT=".", COMMA=",", COLON=":", EQUAL="=", SEP=";"),
    **signs(LPAR="(", RPAR=")", LSQB="[", RSQB="]", LBRACE="{", RBRACE="}"),
    "\n": ("SEP", "\n"),
}
_PATTERN = pattern(
    _SIGNS,
    r"(?P<skip>[ \t\r]+|\#[^\n]*)",
    r"(?P<summing>[@•·⋅∙×*]_(?:\{[^{}\n]*\}|\w+))",
    r"(?P<string>\"[^\"\n]*\"|'[^'\n]*')",
)
# a statement goes on in the next line after these, and where the next line begins with those
_GOES_ON = frozenset({"AT", "STAR", "EQUAL", "COMMA", "ARROW"})
_BEGINS = frozenset({"ARROW", "AT"})

_LATEX_SIGNS = {
    **dict.fromkeys(("to", "rightarrow", "longrightarrow", "mapsto"), "->"),
    **dict.fromkeys(("cdot", "bullet", "times", "ast"), "·"),
    **{"{": "{", "}": "}", "_": "_", "\\": "\n"},
}
_LATEX_SPACES = frozenset({*"[](),;:! ", "left", "right", "quad", "qquad", "big", "Big"})
_LATEX = re.compile(
    r"\\(?:text|textbf|textit|texttt|mathbf|mathrm|mathit|mathsf|operatorname)\s*\{([^{}]*)\}"
    r"|\\([A-Za-z]+|.)|\$|&",
    re.DOTALL,
)


def scan_program(text: object) -> tuple[str, list[Token]]:
    """The text, and its tokens without blanks, comments and line ends inside brackets.

    Raises:
        NotationError: the text is empty, too long, holds control characters, words that are too
            long, or brackets that are not closed.
    """
    checked = _LATEX.sub(_typed, check_text(text, "a program", PROGRAM_LIMIT, depth=MAX_DEPTH))
    tokens = nested(scanned(checked, _PATTERN, _SIGNS, word="NAME"), checked)
    lines = [token for token, inside in tokens if token.value != "\n" or inside in ("", "{")]
    return checked, _joined(lines)


def _typed(match: re.Match[str]) -> str:
    """What LaTeX spells in another way, as long as it was, so that places stay the same."""
    inside, command = match.groups()
    if inside is not None:
        typed = inside.strip()
    elif command is None or command in _LATEX_SPACES:
        typed = ""
    else:
        typed = _LATEX_SIGNS.get(command, match.group())
    return typed.rjust(len(match.group()))


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
