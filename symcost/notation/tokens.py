"""Tokens, and the words that both scanners (plain text, LaTeX) know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from symcost.errors import NotationError
from symcost.notation.unit_table import Dimension

MAX_NAME = 100
CLOSERS = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋"}
OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
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
BEGINS = frozenset({"NUMBER", "NAME", "LPAR", "INF", "FUNC", "BARE"})  # of a factor
ENDS = frozenset({"NUMBER", "NAME", "RPAR", "INF", "UNIT"})
INFINITIES = frozenset({"inf", "infinity", "infty", "nan"})
_CALL = re.compile(r"\s*(?:\\(?:left|[bB]igg?l?)\s*)?\\?[(\[{]")

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
    " sigma tau upsilon phi chi psi omega"
)
GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES.split(), strict=True))
GREEK |= {letter.upper(): name.capitalize() for letter, name in GREEK.items()}
GREEK |= {"µ": "mu", "ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "ς": "sigma"}
_SPELLED = str.maketrans({**GREEK, **{c: f"_{i}" for i, c in enumerate("₀₁₂₃₄₅₆₇₈₉")}})


class Token(NamedTuple):
    """A piece of the text: its kind, its value and where it stands.

    The scanners make NUMBER, signs and three kinds of words: WORD (plain), RUN (adjacent letters
    of LaTeX) and TEXT (what stands in ``\\text``); ``sub`` is the subscript of a RUN.
    :mod:`symcost.notation.words` makes NAME, UNIT, FUNC and BARE of them.
    """

    kind: str
    value: str
    start: int
    end: int
    sub: str = ""
    unit: tuple[Fraction, Dimension] | None = None


def failure(problem: str, text: str, start: int, end: int, repair: str = "") -> NotationError:
    """The error about the text between two offsets."""
    return NotationError(problem, repair=repair).at(text, start, max(1, end - start))


def typed(token: Token, text: str) -> str:
    """The token as it stands in the text."""
    return text[token.start : token.end] or token.value


def nested(tokens: Iterable[Token], text: str) -> Iterator[tuple[Token, str]]:
    """Each token with the innermost bracket it stands in, ``""`` outside of all.

    Raises:
        NotationError: a bracket that closes nothing, another one, or is never closed.
    """
    opened: list[Token] = []
    for token in tokens:
        if token.kind in OPENING:
            opened.append(token)
        elif token.kind in CLOSING:
            opener = opened.pop().value if opened else ""
            if not opener:
                problem = f"{token.value!r} closes nothing"
                raise failure(problem, text, token.start, token.end, "remove it")
            if (closer := CLOSERS[opener]) != token.value:
                problem = f"{opener!r} is closed by {token.value!r}"
                raise failure(problem, text, token.start, token.end, f"write {closer!r}")
        yield token, opened[-1].value if opened else ""
    if opened:
        shown, last = opened[-1].value, opened[-1]
        problem, repair = f"{shown!r} is never closed", f"add {CLOSERS[shown]!r}"
        raise failure(problem, text, last.start, last.end, repair)


def plain_name(word: str) -> str:
    """The name a word stands for: Greek letters by name, braces of a subscript taken off.

    >>> plain_name("W_{hbm}"), plain_name("α_2"), plain_name("d_{in,out}")
    ('W_hbm', 'alpha_2', 'd_in_out')
    """
    if "{" in word:
        word = re.sub(r"[ ,]+", "_", re.sub(r"[{}]", "", word.strip()))
    return word if word.isascii() else word.translate(_SPELLED)


def check_name(word: str, text: str, start: int) -> None:
    """Refuse a word that nobody would read."""
    if len(word) > MAX_NAME:
        problem = f"a name has at most {MAX_NAME} characters"
        raise failure(problem, text, start, start + len(word), "shorten it")


def is_call(text: str, end: int) -> bool:
    """Whether an opening bracket follows."""
    return _CALL.match(text, end) is not None


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
