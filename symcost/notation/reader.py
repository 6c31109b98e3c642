"""The gate between typed text and trees: what a text may hold, and one message when it is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from symcost.errors import NotationError
from symcost.notation.limits import check_text

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

PROGRAM_LIMIT = 200_000  # characters of a program
MAX_DEPTH = 50  # brackets inside brackets
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"[\[\](){}\n#]")
_LONG = re.compile(r"\w{101,}")
# a statement goes on in the next line after an operator, and before an arrow or operator
_CONTINUED = re.compile(r"(?<=[@•·⋅∙×=,>→])[ \t]*\n|\n(?=[ \t]*(?:->|→|@|•|·|⋅))")

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "PROD": "an operator such as @",
    "_ARROW": "'->'",
    "_SEP": "a new statement",
    "COLON": "':'",
    "EQUAL": "'='",
    "LSQB": "'['",
    "RSQB": "']'",
    "LPAR": "'('",
    "RPAR": "')'",
    "COMMA": "','",
}


@cache
def grammar() -> Lark:
    """The parser of programs, built when it is first needed."""
    from lark import Lark

    text = Path(__file__).with_name("program.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", maybe_placeholders=False)


def parse_tree(text: object) -> Tree[Token]:
    """The syntax tree of a program.

    Raises:
        NotationError: the text is empty, too long, holds control characters or unclosed
            brackets, or the grammar does not understand it.
    """
    from lark.exceptions import UnexpectedInput

    checked = checked_text(text)
    try:
        return grammar().parse(prepared(checked))
    except UnexpectedInput as error:
        raise unexpected(error, checked) from None


def checked_text(text: object) -> str:
    """The text itself, if it can be a program."""
    checked = check_text(text, "a program", PROGRAM_LIMIT)
    long = _LONG.search(checked)
    if long:
        size = len(long.group())
        raise NotationError(f"a word of {size} characters is too long").at(
            checked, long.start(), size
        )
    return checked


def prepared(text: str) -> str:
    """The text with line ends inside brackets blanked; every character keeps its place."""
    characters = list(text)
    open_at: list[int] = []
    comment_end = -1
    for found in _BRACKET.finditer(text):
        at, mark = found.start(), found.group()
        if at < comment_end:
            continue
        if mark == "#":
            comment_end = text.find("\n", at) % (len(text) + 1)  # -1 becomes the end
        elif mark == "\n":
            if open_at and text[open_at[-1]] != "{":  # blocks hold lines
                characters[at] = " "
        elif mark in _CLOSING:
            open_at.append(at)
            if len(open_at) > MAX_DEPTH:
                raise NotationError(
                    "brackets are nested too deeply", repair=f"at most {MAX_DEPTH} levels are read"
                ).at(text, at)
        elif not open_at or _CLOSING[text[open_at.pop()]] != mark:
            raise NotationError(f"the bracket {mark!r} closes nothing").at(text, at)
    if open_at:
        mark = text[open_at[-1]]
        raise NotationError(
            f"the bracket {mark!r} is not closed", repair=f"add {_CLOSING[mark]!r}"
        ).at(text, open_at[-1])
    return _CONTINUED.sub(lambda match: " " * len(match.group()), "".join(characters))


def unexpected(error: UnexpectedInput, text: str) -> NotationError:
    """One message for whatever the grammar did not expect."""
    token = getattr(error, "token", None)
    at = error.pos_in_stream or 0
    if at < 0 or (token is not None and token.type == "$END"):
        at = len(text.rstrip())
    shown = str(token).strip() if token is not None and token.type != "$END" else text[at : at + 1]
    expected = getattr(error, "expected", None) or getattr(error, "allowed", None) or ()
    repair = _keyword_repair(text, at) or _expected(expected)
    if at >= len(text.rstrip()):
        return NotationError("the program ends too early", repair=repair).at(text, max(at - 1, 0))
    what = f"unexpected {shown!r}" if shown else "unexpected end of line"
    return NotationError(what, repair=repair).at(text, at, max(len(shown), 1))


def _keyword_repair(text: str, at: int) -> str:
    """How to write a statement that starts with a keyword and went wrong."""
    start = max(text.rfind("\n", 0, at), text.rfind(";", 0, at)) + 1
    word = text[start:at].split()[:1]
    forms = {
        "send": "write send P0 to gpu2 over nvlink",
        "fused": "write fused attn { ... }",
        "repeat": "write repeat L { ... }",
        "mesh": "write mesh X=4, Y=2",
    }
    return forms.get(word[0], "") if word else ""


def _expected(names: Iterable[str]) -> str:
    words = list(dict.fromkeys(_WORDS[name] for name in _WORDS if name in set(names)))
    if not words:
        return ""
    return "expected " + (
        " or ".join([", ".join(words[:-1]), words[-1]]) if words[1:] else words[0]
    )
