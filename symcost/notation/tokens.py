"""Tokens of a formula, and what the two scanners (plain text, LaTeX) do alike with them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from symcost.errors import NotationError
from symcost.notation.limits import DEPTH_LIMIT

MAX_NAME = 100
CLOSERS = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋"}
BARE = frozenset({"log", "ln", "log2", "log10"})  # may stand before one factor: N log N
FUNCTIONS = {
    **{"max": "max", "maximum": "max", "min": "min", "minimum": "min"},
    **{"ceil": "ceil", "ceiling": "ceil", "floor": "floor", "sqrt": "sqrt"},
    **{"log": "log", "ln": "log", "log2": "log2", "log_2": "log2", "lb": "log2"},
    **{"log10": "log10", "log_10": "log10"},
    "exp": "exp",
}
_FOREIGN = "sin cos tan tanh abs round sum mod gcd pow int float eval exec"
UNKNOWN_FUNCTIONS = frozenset(_FOREIGN.split())
ENDS = frozenset({"NUMBER", "NAME", "RATE", "RPAR", "INF"})
BEGINS = frozenset({"NUMBER", "NAME", "RATE", "LPAR", "INF", "FUNC", "BARE"})
OPERATORS = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "COMMA", "REL"})


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: its kind (a terminal of the grammar), value, and where it stands."""

    kind: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scope:
    """What a scanner knows of names, and the notes it takes of how it read words."""

    declared: frozenset[str]
    rates: frozenset[str]
    notes: list[str] = field(default_factory=list)

    @staticmethod
    def of(declared: Collection[str] = (), rates: Collection[str] = ()) -> Scope:
        return Scope(frozenset(declared) | frozenset(rates), frozenset(rates))

    def name(self, name: str, start: int, end: int) -> Token:
        return Token("RATE" if name in self.rates else "NAME", name, start, end)

    def spells(self, word: str) -> bool:
        """Whether the letters of an undeclared word are declared, so that it is their product."""
        return len(word) > 1 and all(letter in self.declared for letter in word)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def failure(problem: str, text: str, start: int, end: int, repair: str = "") -> NotationError:
    """The error about the text between two offsets."""
    return NotationError(problem, repair=repair).at(text, start, max(1, end - start))


def check_length(word: str, text: str, start: int, end: int) -> None:
    """Refuse a word that is too long to be a name."""
    if len(word) > MAX_NAME:
        problem = f"a name has at most {MAX_NAME} characters"
        raise failure(problem, text, start, end, "shorten it")


def splits(word: str) -> bool:
    """Whether an undeclared word is a product of its letters: a run of capitals."""
    return len(word) > 1 and word.isascii() and word.isalpha() and word.isupper()


def is_call(text: str, end: int) -> bool:
    """Whether an opening bracket follows."""
    rest = re.compile(r"\s*(?:\\(?:left|[bB]igg?l?)\s*)?\\?[(\[{]").match(text, end)
    return rest is not None


def function_token(word: str, text: str, start: int, end: int) -> Token | None:
    """The token of a word that names a function; it must have its arguments with it."""
    name = None if word == "LB" else FUNCTIONS.get(word.lower())  # LB is a product: 2LB(D + F)
    called = is_call(text, end)
    if name is None:
        if called and word.lower() in UNKNOWN_FUNCTIONS:
            known = ", ".join(dict.fromkeys(FUNCTIONS.values()))
            raise failure(f"unknown function {word!r}", text, start, end, f"known: {known}")
        return None
    if called:
        return Token("FUNC", name, start, end)
    if name in BARE:
        return Token("BARE", name, start, end)
    raise failure(
        f"{name} is a function", text, start, end, f"write its arguments in brackets: {name}(...)"
    )


def joined(tokens: Iterable[Token], text: str, blank: re.Pattern[str]) -> list[Token]:
    """Check the brackets and put a token for each product that is written without a sign."""
    result: list[Token] = []
    levels = [_Level(None, call=False)]
    for token in tokens:
        last = result[-1] if result else None
        if last and last.kind in ENDS and token.kind in BEGINS:
            result.append(_juxtaposition(last, token, levels[-1], text, blank))
        _follow(levels, last, token, text)
        result.append(token)
    opener = levels[-1].opener
    if opener is not None:
        problem = f"{opener.value!r} is never closed"
        raise failure(problem, text, opener.start, opener.end, f"add {CLOSERS[opener.value]!r}")
    return result


@dataclass(slots=True)
class _Level:
    """The inside of one bracket: its opener, whether it holds arguments, a bare ``log``."""

    opener: Token | None
    call: bool
    bare: Token | None = None


def _follow(levels: list[_Level], last: Token | None, token: Token, text: str) -> None:
    level = levels[-1]
    if token.kind == "LPAR":
        if len(levels) > DEPTH_LIMIT:
            problem = f"brackets are nested deeper than {DEPTH_LIMIT}"
            raise failure(problem, text, token.start, token.end, "simplify it")
        levels.append(_Level(token, call=last is not None and last.kind == "FUNC"))
    elif token.kind == "RPAR":
        _close(levels, token, text)
    elif token.kind == "BARE":
        level.bare = token
    elif token.kind in OPERATORS:
        level.bare = None
        if token.kind == "COMMA" and level.opener and not level.call:
            problem = "a comma stands only between the arguments of max and min"
            raise failure(problem, text, token.start, token.end, "remove it")


def _close(levels: list[_Level], token: Token, text: str) -> None:
    opener = levels[-1].opener
    if opener is None:
        raise failure(f"{token.value!r} closes nothing", text, token.start, token.end, "remove it")
    if CLOSERS[opener.value] != token.value:
        problem = f"{opener.value!r} is closed by {token.value!r}"
        raise failure(problem, text, token.start, token.end, f"write {CLOSERS[opener.value]!r}")
    levels.pop()


def _juxtaposition(
    last: Token, token: Token, level: _Level, text: str, blank: re.Pattern[str]
) -> Token:
    if token.kind == "NUMBER":
        problem = f"an operator is missing before {token.value}"
        raise failure(problem, text, token.start, token.end, "write * between the two")
    if level.bare is not None:
        problem = f"it is unclear where the argument of {level.bare.value} ends"
        raise failure(problem, text, level.bare.start, token.end, "put the argument in brackets")
    spaced = blank.search(text, last.end, token.start) is not None
    return Token("LOOSE" if spaced else "TIGHT", "", token.start, token.end)


def division_notes(tokens: list[Token], text: str) -> Iterator[str]:
    """How each ``/`` was read that stands before a product without a sign."""
    for index, token in enumerate(tokens):
        if token.kind != "SLASH" or token.value != "/":
            continue
        end = _operand_end(tokens, index + 1)
        inner = text[token.end : tokens[end - 1].end].strip()
        inner = inner if len(inner) <= 60 else f"{inner[:57]}..."
        if end < len(tokens) and tokens[end].kind == "LOOSE":
            yield f"only {inner} is under the / in '/ {inner} {tokens[end + 1].value}...'"
        elif _is_product(tokens[index + 1 : end]):
            yield f"/{inner} was read as /({inner})"


def _operand_end(tokens: list[Token], index: int) -> int:
    depth = 0
    while index < len(tokens):
        kind = tokens[index].kind
        depth += (kind == "LPAR") - (kind == "RPAR")
        if depth < 0 or (depth == 0 and (kind in OPERATORS or kind == "LOOSE")):
            break
        index += 1
    return index


def _is_product(tokens: list[Token]) -> bool:
    depth = 0
    for token in tokens:
        depth += (token.kind == "LPAR") - (token.kind == "RPAR")
        if depth == 0 and token.kind == "TIGHT":
            return True
    return False
