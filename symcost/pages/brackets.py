"""Brackets of a formula: what stands outside of all of them, and which of them hold lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BRACKET = re.compile(r"[{}()\[\]]")
_SIGN = re.compile(r"\\?[{(\[]|[})\]]|(?<!\\)[,;](?!\d{3}(?!\d)|\\!)")
_BETWEEN = r"(?:\s|\\[,;:!]|\\limits|_\{[^{}]*\}|\\left|\\[Bb]igg?l?)*\Z"
_COMPARED = re.compile(rf"(?:max|min|gcd|log|ceil|floor|round){_BETWEEN}")
_CALLED = re.compile(rf"(?:[\d}}]|(?<![\\A-Za-z])[A-Za-z]\w*){_BETWEEN}")
_BEFORE = 60  # characters before a bracket, where its function stands


def outside(text: str, pattern: re.Pattern[str], at: int = 0) -> Iterator[re.Match[str]]:
    """The matches from an offset on that no bracket holds, up to the end of the bracket around.

    >>> [match.start() for match in outside("a, f(b, c), d), e", re.compile(","))]
    [1, 10]
    """
    brackets = _BRACKET.finditer(text, at)
    bracket, depth = next(brackets, None), 0
    for match in pattern.finditer(text, at):
        while bracket is not None and bracket.start() < match.start():
            depth += 1 if bracket[0] in "{([" else -1
            if depth < 0:
                return
            bracket = next(brackets, None)
        if not depth:
            yield match


def holds_list(text: str) -> bool:
    r"""Whether a formula holds a list, ``[a, b]``, ``\{a, b\}``, ``(a, b)``, or an element of one.

    >>> [holds_list(t) for t in ("y = [a, b] W", "S = M[i, j]", "T = f(a, b)", "(1, 2)")]
    [True, True, False, True]
    """
    of_list: list[bool] = []  # of each bracket that is open
    for sign in _SIGN.finditer(text):
        if sign[0][-1] in "{([":
            before = text[max(0, sign.start() - _BEFORE) : sign.start()]
            called = _COMPARED.search(before) or (sign[0] == "(" and _CALLED.search(before))
            of_list.append(sign[0] != "{" and not called)
        elif sign[0] in "})]":
            del of_list[-1:]
        elif of_list and of_list[-1]:
            return True
    return False
