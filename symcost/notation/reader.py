"""The gate between typed text and trees: what a text may hold, and one message when it is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from symcost.errors import NotationError

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

MAX_TEXT = 200_000  # characters of a program
MAX_DEPTH = 50  # brackets inside brackets
_CLOSING = {"(": ")", "[": "]"}
_BRACKET = re.compile(r"[\[\]()\n#]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
# a statement goes on in the next line after an operator, and before an arrow or operator
_CONTINUED = re.compile(r"(?<=[@•·⋅∙×=,>→])[ \t]*\n|\n(?=\s*(?:->|→|@|•|·|⋅))")

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
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COMMA": "','",
}


@cache
def grammar() -> Lark:
    """The parser of programs, built when it is first needed."""
    from lark import Lark

    text = files("symcost.notation").joinpath("program.lark").read_text(encoding="utf-8")
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
    if not isinstance(text, str):
        raise NotationError(
            f"a program is a text, not {type(text).__name__}",
            repair='write for example parse("bf16[B, D] @ bf16[D, F] -> bf16[B, F]")',
        )
    if not text.strip():
        raise NotationError(
            "the program is empty", repair="write for example bf16[B, D] @ bf16[D, F] -> bf16[B, F]"
        )
    if len(text) > MAX_TEXT:
        raise NotationError(
            f"the program has {len(text)} characters",
            repair=f"at most {MAX_TEXT} are read; build large graphs with symcost.Graph",
        )
    control = _CONTROL.search(text.replace("\r\n", " \n"))
    if control:
        code = f"U+{ord(control.group()):04X}"
        raise NotationError(f"the program holds the control character {code}").at(
            text, control.start()
        )
    return text


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
            comment_end = text.find("\n", at) if "\n" in text[at:] else len(text)
        elif mark == "\n":
            if open_at:
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
    at = error.pos_in_stream
    if at is None or at < 0 or at >= len(text):
        at = len(text.rstrip())
    token = getattr(error, "token", None)
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
