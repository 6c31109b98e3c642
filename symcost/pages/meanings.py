"""One letter that stands for two things: ``N`` heads here, ``N`` parameters there."""

from __future__ import annotations

import re
from collections.abc import Iterator

# What a noun may mean; two nouns clash when they share none of their meanings.
_NOUNS: dict[str, str] = {
    r"sequence length|context(?: length| window)?|sequence|prompt length": "length",
    r"(?:head|heads'?) (?:size|dim(?:ension)?|width)|dimension of (?:a|each) head": "head size",
    r"step time|time|latency|duration": "time",
    r"batch(?:es)?(?: size)?": "batch",
    r"sequences|requests": "batch",
    r"tokens": "batch, length, data",
    r"heads": "heads",
    r"parameters|params|weights": "parameters",
    r"layers": "layers",
    r"stages": "stages",
    r"chips|devices|gpus|tpus|accelerators|nodes|hosts|ranks": "devices",
    r"experts": "experts",
    r"bandwidth": "bandwidth",
    r"vocabulary(?: size)?|vocab(?: size)?": "vocabulary",
    r"(?:model|hidden|embedding)(?: (?:size|dim(?:ension)?|width))|width": "width",
}
_NAME = r"[$`](?P<name>[A-Za-z](?:_\{?\w{1,8}\}?)?)[$`]"
_NOUN = rf"(?P<noun>{'|'.join(_NOUNS)})\b(?!\s{{0,3}}(?:/|per\b)|\$)"
_SMALL = (
    r"(?!of\b|for\b|per\b|than\b|in\b|to\b|and\b|or\b|with\b|times\b|is\b|are\b|by\b|over\b|on\b)"
)
_MORE = rf"(?:{_SMALL}[\w/-]+ ){{0,2}}?"
_THE = r"(?:the |an? |our |its |each )?(?:total )?(?:(?:number|count|amount) of )?(?:the )?"
_PATTERNS = (
    rf"{_NAME},?\s{{1,3}}{_THE}{_MORE}{_NOUN}",
    rf"{_NAME},?\s{{0,3}}(?:is|are|be|denotes?|stands for|represents?|means|for|=|:|–|—|-)\s{{1,3}}"
    rf"{_THE}{_MORE}{_NOUN}",
    rf"\|\s{{0,3}}{_NAME}\s{{0,3}}\|\s{{0,3}}{_THE}{_MORE}{_NOUN}",
    rf"(?:(?:the|an?|number of|of|,)\s{{1,3}}|^){_MORE}{_NOUN},?\s{{1,3}}(?:is |are )?\(?{_NAME}",
)
_COMPILED = tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in _PATTERNS)
MAX_PROSE = 200_000  # characters of a page that are looked through


def meanings(text: str) -> Iterator[tuple[int, str, str, frozenset[str]]]:
    """What the text says that letters stand for: offset, name, noun, and what the noun means.

    >>> [(name, noun) for _, name, noun, _ in meanings("Let $N$ be the number of heads.")]
    [('N', 'heads')]
    """
    found: dict[int, re.Match[str]] = {}
    for pattern in _COMPILED:
        for match in pattern.finditer(text, 0, MAX_PROSE):
            found.setdefault(match.start("name"), match)
    for offset, match in sorted(found.items()):
        noun = match["noun"].lower()
        yield offset, match["name"].replace("{", "").replace("}", ""), noun, _meaning(noun)


def _meaning(noun: str) -> frozenset[str]:
    words = next(m for pattern, m in _NOUNS.items() if re.fullmatch(pattern, noun, re.IGNORECASE))
    return frozenset(words.split(", "))
