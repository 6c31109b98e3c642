"""Splitting text into statements, and tokens into the sides and signs of relations.

A comma list belongs to the relation sign on its left, except that its last item belongs to
the next sign: ``B << D, F = 4*D`` is ``B << D`` and ``F = 4*D``. Only ``<<`` and ``>>`` take
a list on their right; behind any other sign one item stands and the rest starts anew. A list
between two of ``<<`` and ``>>`` could be read two ways and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from symcost.notation.tokens import Token, failure, typed

Item = list[Token]

SEPARATE = "separate assumptions with ;"
FAMILIES = {
    **{"<<": "growth", ">>": "growth", "->": "growth", "=": "equality"},
    **{"<": "order", "<=": "order", ">": "order", ">=": "order", "≈": "equality"},
}
_WORDS = ("WORD", "RUN", "TEXT", "NAME")
_BETWEEN = re.compile(r"(?<!\\);|\n|\\\\|\\text\{\s*and\s*\}|\band\b")


class Statement(NamedTuple):
    """Relation signs and the lists of items around them."""

    sides: tuple[tuple[Item, ...], ...]
    signs: tuple[Token, ...]
    start: int
    end: int
    notes: tuple[str, ...] = ()  # how its words were read


def pieces(text: str) -> Iterator[tuple[str, int]]:
    """The parts between semicolons, line ends and the word "and", each with its offset.

    >>> list(pieces("B << D; F = 4"))
    [('B << D', 0), (' F = 4', 7)]
    """
    start = 0
    for match in [*_BETWEEN.finditer(text), None]:
        end = match.start() if match else len(text)
        part = text[start:end].rstrip().rstrip(",")
        if part.strip(" \t\r$"):
            yield part, start
        start = match.end() if match else end


def keys_of(tokens: Sequence[Token], bare: bool = True) -> list[str]:
    """The words before ``=``, each of which is one name, as in ``HBM = 16e9``.

    Without ``bare`` not one that is set to a single word: ``BD = F`` sets F.
    """
    keys = []
    for at, token in enumerate(tokens[:-1]):
        after = tokens[at + 1]
        if (after.kind, after.value) != ("REL", "=") or token.kind not in _WORDS:
            continue
        alone = at == 0 or tokens[at - 1].kind in ("REL", "COMMA")
        value = [each.kind for each in tokens[at + 2 : at + 4]]
        single = value[:1] and value[0] in _WORDS and (len(value) == 1 or value[1] == "COMMA")
        if bare or (alone and not single):
            keys.append(token.value + token.sub)
    return keys


def split_at(tokens: Sequence[Token], kinds: frozenset[str]) -> tuple[list[Item], list[Token]]:
    """The items between tokens of these kinds outside brackets, and those tokens."""
    items: list[Item] = [[]]
    signs: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.kind == "LPAR") - (token.kind == "RPAR")
        if depth == 0 and token.kind in kinds:
            signs.append(token)
            items.append([])
        else:
            items[-1].append(token)
    return items, signs


def statements(tokens: Sequence[Token], text: str, example: str) -> list[Statement]:
    """The relations that a text without semicolons states.

    Raises:
        NotationError: no relation, an empty item, or a list that could be read two ways.
    """
    groups, signs = _groups(tokens, text)
    if not signs:
        raise failure("this relates nothing", text, 0, len(text), example)
    made: list[Statement] = []
    sides, between = [groups[0]], []
    for index, (sign, group) in enumerate(zip(signs, groups[1:], strict=True)):
        between.append(sign)
        following = signs[index + 1] if index + 1 < len(signs) else None
        here, rest = _divided(sign, following, group, text)
        sides.append(here)
        if rest or following is None:
            made.append(_statement(sides, between, text))
            sides, between = [rest], []
    return made


def _groups(tokens: Sequence[Token], text: str) -> tuple[list[list[Item]], list[Token]]:
    """The comma lists between relation signs."""
    parts, signs = split_at(tokens, frozenset({"REL"}))
    groups = []
    for index, part in enumerate(parts):
        items, commas = split_at(part, frozenset({"COMMA"}))
        if [] in items:
            before = signs[index - 1].end if index else 0
            start = part[0].start if part else before
            end = commas[-1].end if commas else start
            raise failure("a name or formula is missing here", text, start, end, "add it")
        groups.append(items)
    return groups, signs


def _divided(
    sign: Token, following: Token | None, group: list[Item], text: str
) -> tuple[list[Item], list[Item]]:
    """What of a comma list belongs to the sign before it, and what to the sign after it."""
    takes_list = sign.value in ("<<", ">>")
    first, last = group[0][0], group[-1][-1]
    if following is None:
        if len(group) > 1 and not takes_list:
            item = group[1]
            problem = "this is related to nothing"
            raise failure(problem, text, item[0].start, item[-1].end, "relate it to something")
        return group, []
    if len(group) == 1:
        if FAMILIES[sign.value] != FAMILIES[following.value] or "->" in (
            sign.value,
            following.value,
        ):
            problem = f"{typed(sign, text)} and {typed(following, text)} do not make one chain"
            raise failure(problem, text, sign.start, following.end, SEPARATE)
        return group, []
    if not takes_list:
        return group[:1], group[1:]
    numbers = all(len(item) == 1 and item[0].kind == "NUMBER" for item in group[:-1])
    if following.value in ("<<", ">>") and not numbers:
        problem = "this list may belong to the relation before it or after it"
        raise failure(problem, text, first.start, last.end, SEPARATE)
    return group[:-1], group[-1:]


def _statement(sides: list[list[Item]], signs: list[Token], text: str) -> Statement:
    start, end = sides[0][0][0].start, sides[-1][-1][-1].end
    return Statement(tuple(tuple(side) for side in sides), tuple(signs), start, end)
