r"""The abbreviations of a page: ``\newcommand{\AI}{\mathrm{AI}}`` and those with arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from symcost.pages.scan import MAX_BODY

MAX_DEPTH = 8  # of macros that use each other
MAX_MACROS = 500
_DEFINED = re.compile(
    r"\\(?:(?:re)?newcommand\*?|providecommand\*?|DeclareMathOperator\*?|g?def)\s*\{?\s*"
    r"\\(?P<name>[A-Za-z]+)\s*\}?\s*(?:\[(?P<count>[1-9])\]|(?P<parameters>(?:#[1-9])*))\s*(?=\{)"
)
_USED = re.compile(r"\\([A-Za-z]+)")


class Macro(NamedTuple):
    """What a command stands for, and how many arguments it takes."""

    body: str
    arguments: int


def macros(text: str) -> dict[str, Macro]:
    r"""The commands that a page defines.

    >>> macros(r"\newcommand{\AI}{\mathrm{AI}} \def\pair#1#2{#1 + #2}")["pair"]
    Macro(body='#1 + #2', arguments=2)
    """
    found: dict[str, Macro] = {}
    for match in _DEFINED.finditer(text):
        body = group(text, match.end())
        if body is not None and len(found) < MAX_MACROS:
            shown = rf"\mathrm{{{body}}}" if "Operator" in match[0] else body
            count = int(match["count"] or 0) or (match["parameters"] or "").count("#")
            found[match["name"]] = Macro(shown, count)
    return found


def group(text: str, at: int, limit: int = 2_000) -> str | None:
    """What stands in the braces that open at an offset; ``None`` where none close in time."""
    if text[at : at + 1] != "{":
        return None
    depth = 0
    for match in re.compile(r"\\.|[{}]").finditer(text, at, at + limit):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return text[at + 1 : match.start()]
    return None


def expanded(text: str, known: Mapping[str, Macro], depth: int = MAX_DEPTH) -> str:
    r"""A formula with the page's commands replaced; one that grows too long stays as it is.

    >>> expanded(r"\AI = 2\half{B}", {"AI": Macro("A", 0), "half": Macro(r"\frac{#1}{2}", 1)})
    'A = 2\\frac{B}{2}'
    """
    if not known or not depth or not any(match[1] in known for match in _USED.finditer(text)):
        return text
    parts, at = [], 0
    for match in _USED.finditer(text):
        if match[1] not in known or match.start() < at:
            continue
        macro, end = known[match[1]], match.end()
        body = macro.body
        for number in range(1, macro.arguments + 1):
            start = end + len(text[end:]) - len(text[end:].lstrip())
            argument = group(text, start)
            taken = text[start : start + 1] if argument is None else argument
            end = start + (1 if argument is None else len(argument) + 2)
            body = body.replace(f"#{number}", taken)
        parts += [text[at : match.start()], body]
        at = end
    grown = "".join([*parts, text[at:]])
    return expanded(grown, known, depth - 1) if len(grown) <= MAX_BODY else text
