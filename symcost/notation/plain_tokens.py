"""The scanner of plain text formulas: ``2BDF/(B + D)``, ``1.97e14``, ``W_{hbm}``, ``B² · α``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symcost.errors import NotationError
from symcost.notation.tokens import Scope, Token, check_length, failure, function_token, splits

BLANK = re.compile(r"\s")
NUMBER = r"(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
THOUSANDS = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])"
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
    " sigma tau upsilon phi chi psi omega"
)
GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES.split(), strict=True))
GREEK |= {letter.upper(): name.capitalize() for letter, name in GREEK.items()}
GREEK |= {"µ": "mu", "ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "ς": "sigma"}

SIGNS = {
    **dict.fromkeys(("**", "^"), "CARET"),
    **dict.fromkeys("*·•×∙⋅∗", "STAR"),
    **dict.fromkeys("/÷∕⁄", "SLASH"),
    **dict.fromkeys("-−–", "MINUS"),
    "+": "PLUS",
    ",": "COMMA",
    **dict.fromkeys("([{", "LPAR"),
    **dict.fromkeys(")]}⌉⌋", "RPAR"),
}
RELATIONS = {
    **{"<<": "<<", "≪": "<<", ">>": ">>", "≫": ">>"},
    **{"<=": "<=", "≤": "<=", "⩽": "<=", ">=": ">=", "≥": ">=", "⩾": ">="},
    **{"<": "<", ">": ">", "==": "=", "=": "=", "≈": "≈", "~": "≈", "∼": "≈"},
    **{"->": "->", "→": "->", "⟶": "->"},
}
SUPERSCRIPTS = {c: str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
INFINITIES = frozenset({"inf", "infinity", "infty", "nan"})

_SUBSCRIPT = r"_\{[A-Za-z0-9_ ]+\}"
_GREEK = "[" + "".join(GREEK) + "]"
_PATTERN = re.compile(
    "|".join(
        (
            r"(?P<space>\s+)",
            rf"(?P<word>[A-Za-z][A-Za-z0-9]*{_SUBSCRIPT}|[A-Za-z_][A-Za-z0-9_]*)",
            rf"(?P<greek>{_GREEK}(?:{_SUBSCRIPT}|_?[0-9]+|_[A-Za-z0-9_]+)?)",
            rf"(?P<thousands>{THOUSANDS})",
            rf"(?P<number>{NUMBER})",
            rf"(?P<power>[⁻⁺]?[{''.join(SUPERSCRIPTS)}]+)",
            r"(?P<relation><<|>>|<=|>=|==|->|[<>=≪≫≤≥⩽⩾≈~∼→⟶])",
            r"(?P<sign>\*\*|[-−–+*·•×∙⋅∗/÷∕⁄^,()\[\]{}⌉⌋])",
            r"(?P<root>[√⌈⌊])",
            r"(?P<infinity>∞)",
        )
    )
)
_RUN = re.compile(r"[^\W\d]\w{0,99}(?!\w)")


def scan_plain(text: str, scope: Scope) -> Iterator[Token]:
    """The tokens of a plain text, without those of juxtaposition.

    Raises:
        NotationError: a character that has no meaning in a formula.
    """
    position = 0
    calls = [False]  # for each open bracket: whether it holds the arguments of a function
    was_function = False
    while position < len(text):
        run = _RUN.match(text, position)
        if run and run.group() in scope.declared:
            yield scope.name(run.group(), run.start(), run.end())
            position, was_function = run.end(), False
            continue
        match = _PATTERN.match(text, position)
        if match is None:
            raise _bad_character(text, position)
        for token in _tokens(match, text, scope, calls[-1]):
            if token.kind == "LPAR":
                calls.append(was_function)
            elif token.kind == "RPAR" and len(calls) > 1:
                calls.pop()
            was_function = token.kind == "FUNC"
            yield token
        position = match.end()


def _tokens(match: re.Match[str], text: str, scope: Scope, in_call: bool) -> Iterator[Token]:
    kind, found, start, end = match.lastgroup, match.group(), match.start(), match.end()
    if kind == "word":
        yield from word_tokens(plain_name(found), text, start, end, scope)
    elif kind == "greek":
        name = plain_name(found)
        yield scope.name(name, start, end)
    elif kind in ("number", "thousands"):
        yield _number(found, text, start, end, in_call, scope)
    elif kind == "power":
        yield from _superscript(found, start, end)
    elif kind == "relation":
        yield Token("REL", RELATIONS[found], start, end)
    elif kind == "sign":
        yield Token(SIGNS[found], "/" if SIGNS[found] == "SLASH" else found, start, end)
    elif kind == "root":
        yield from _root(found, text, start, end)
    elif kind == "infinity":
        yield Token("INF", found, start, end)


def plain_name(word: str) -> str:
    """The name a word stands for: Greek letters by name, braces of a subscript taken off.

    >>> plain_name("W_{hbm}"), plain_name("α_2")
    ('W_hbm', 'alpha_2')
    """
    name = GREEK.get(word[0], word[0]) + word[1:]
    return re.sub(r"[{}]", "", name).replace(" ", "_") if "{" in name else name


def word_tokens(word: str, text: str, start: int, end: int, scope: Scope) -> Iterator[Token]:
    """One symbol, a function, or the letters of a run of capitals that is not declared."""
    check_length(word, text, start, end)
    if word in scope.declared:
        yield scope.name(word, start, end)
        return
    if word.lower() in INFINITIES or word == "oo":
        yield Token("INF", word, start, end)
        return
    function = function_token(word, text, start, end)
    if function is not None:
        yield function
    elif splits(word) or scope.spells(word):
        _check_exponent(word, text, start, end)
        scope.note(f"{word} was read as {'*'.join(word)}")
        for index, letter in enumerate(word, start):
            yield scope.name(letter, index, index + 1)
    elif word.startswith("_") or word.endswith("_"):
        repair = "a name starts with a letter and ends with a letter or digit, as T_math"
        raise failure(f"{word!r} is no name", text, start, end, repair)
    elif word.islower() and len(word) > 1 and text[end : end + 1] == "(":
        repair = f"known are max, min, ceil, floor, log, exp, sqrt; for a product write {word}*("
        raise failure(f"{word!r} is no function here", text, start, end, repair)
    else:
        yield scope.name(word, start, end)


def _check_exponent(word: str, text: str, start: int, end: int) -> None:
    if text[:start].rstrip().endswith(("^", "**")):
        problem = f"it is unclear whether all of {word!r} is the exponent"
        raise failure(problem, text, start, end, f"write ^({'*'.join(word)})")


def _number(found: str, text: str, start: int, end: int, in_call: bool, scope: Scope) -> Token:
    if "," in found and in_call:
        problem = f"{found!r} may be one number or several arguments"
        raise failure(problem, text, start, end, "write a blank after the comma, or no comma")
    if re.match(r"0[xob][0-9a-f]", text[start : start + 3].lower()):
        raise failure("a number is written in decimal", text, start, end + 1, "convert it")
    if text[end : end + 1] == "_" or re.match(r"\.[0-9]", text[end : end + 2]):
        raise failure(
            "the number is not well formed", text, start, end + 1, "write for example 1.97e14"
        )
    if "E" in found:
        scope.note(f"{found} was read as the number {found.replace('E', '*10^')}")
    return Token("NUMBER", found, start, end)


def _superscript(found: str, start: int, end: int) -> Iterator[Token]:
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


def _bad_character(text: str, position: int) -> NotationError:
    character = text[position]
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return failure(
        f"{shown!r} has no meaning in a formula",
        text,
        position,
        position + 1,
        "use numbers, names, + - * / ^, brackets, max, min, ceil, floor, log, exp, sqrt",
    )
