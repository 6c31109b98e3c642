"""What the words around a formula say about it: that it follows, that it is another case."""

from __future__ import annotations

import re

from symcost.pages.passages import Passage

_FOLLOWS = re.compile(
    r"\b(?:so|thus|hence|therefore|then|i\.e|that is|gives?|giving|get|becomes?|simplif\w+|equals?"
    r"|yields?|yielding|reduces?|implies|means|obtain|rewrit\w+|rearrang\w+|equivalent\w*|follows"
    r"|in total|or simply|again|as before|substitut\w+|(?:this|which) is|approaches|tends to"
    r"|amounts to|comes to)\b|所以|因此|于是|从而|化简|得到|即|∴",
    re.IGNORECASE,
)
_OTHER_CASE = re.compile(
    r"\b(?:instead|otherwise|contrast|contrary|however|alternatively|conversely|whereas|unless"
    r"|(?:u?int|fp|bf|float|bfloat|e[45]m)\d+|(?:un)?quanti[sz]ed|sparse|sparsity|\d+-bit"
    r"|compared|versus|vs|example|suppose|consider|on the other hand|similarly|rather|but|or)\b"
    r"|而|如果|假设|例如|相比|对于",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\b(?:with|for|if|when|under|using|without|assuming|in)\b(?![^.$]*\$)", re.IGNORECASE
)
_ASKS = re.compile(
    r"\b(?:when(?:ever)?|if|where|until|unless|setting|set|solve|solving|requires?|need|condition"
    r"|equating|equate|satisf(?:y|ies)|such that|want|suppose|assum\w+|let)\b[^.!?\n]{0,60}\Z"
    r"|(?:当|如果|令|设|要求|需要|满足|条件)[^。\n]{0,20}\Z",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?。]\s+(?=[A-Z#*\[]|$)|\n\s*\n(?=\s*\S)|。")
_CODE_OR_MATH = re.compile(r"\$[^$\n]*\$|`[^`\n]*`")


def last_sentence(text: str) -> str:
    """The sentence that leads to a formula."""
    parts = [part for part in _SENTENCE.split(text) if part and part.strip()]
    return parts[-1] if parts else ""


def leads(passage: Passage) -> bool:
    """Whether the page leads from the formula before to this one: with "so", or with no word."""
    plain = _CODE_OR_MATH.sub(" ", passage.before)
    if not re.search(r"\w", plain):
        return True
    sentence = last_sentence(plain)
    return bool(_FOLLOWS.search(sentence)) and not _OTHER_CASE.search(plain)


def is_other_case(before: str, new_symbols: bool) -> bool:
    """Whether the text before a rule turns to other assumptions than those of the last rule."""
    return bool(_OTHER_CASE.search(before) or (new_symbols and _CASE.search(before)))


def asks(passage: Passage) -> bool:
    """Whether a formula states a condition: "the two are equal when", "set", "if"."""
    return bool(_ASKS.search(_CODE_OR_MATH.sub(" ", passage.before).rstrip(" \n:,")))


def within_sentence(passage: Passage) -> bool:
    """Whether a display stands in the middle of a sentence, as ``we have $$B < 1024$$ anyway``."""
    line = passage.before.rsplit("\n", 1)[-1].rstrip()
    return bool(
        re.search(r"[A-Za-z,]$", line)
        and re.match(r"[ \t]*[a-z]{2,}", passage.after.split("\n")[0])
    )
