"""The signs of a claim, as they are typed, in LaTeX and in words: "at least", "about"."""

from __future__ import annotations

import re

from symcost.checker.claims import INEQUALITIES
from symcost.errors import NotationError
from symcost.notation.latex_tokens import COMMANDS
from symcost.notation.plain_tokens import SIGNS

MAX_SIDES = 40  # of one chain

_SIGNS = {
    **{typed: sign for typed, (kind, sign) in SIGNS.items() if kind == "REL" and typed != "~"},
    **{"\\" + name: sign for name, (kind, sign) in COMMANDS.items() if kind == "REL"},
    **dict.fromkeys((r"\equiv", "≡"), "="),
    **dict.fromkeys(("~=", "≃"), "≈"),
    **dict.fromkeys(("=>", "⇒", r"\Rightarrow", r"\implies", r"\iff", "⇔"), "=>"),
}
_SIGN = re.compile(
    "|".join(
        re.escape(sign) + (r"(?![A-Za-z])" if sign[-1].isalpha() else "")
        for sign in sorted(_SIGNS, key=len, reverse=True)
    )
)
_ROUGHLY = re.compile(  # "T = about 42 ms" is "T ≈ 42 ms"; behind < or > it says nothing more
    r"(?:(?P<sign>[<>≤≥]=?)|(?<![<>])=|≈|^)\s*(?:\\(?:text|mathrm)\s*\{\s*)?(?:a (?:little|bit) "
    r"(?:over|under)|about|approx(?:imately|\b\.?)|roughly|around|circa|ca\.|nearly|almost|some"
    r"|~(?!=))(?![A-Za-z_])\s*\}?\s*(?=[^\s=<>≈])",
    re.IGNORECASE,
)
_IN_WORDS = {
    ">=": r"at least|(?:no|not) (?:less|fewer|smaller) than",
    "<=": r"at most|(?:no|not) (?:more|larger|greater) than|up to",
    ">": r"(?:more|greater|larger|bigger|higher) than|above|over|exceeds|beyond",
    "<": r"(?:less|fewer|smaller|lower) than|below|under",
}
_SAID = re.compile(
    r"(?<!\\)(?:\b(?:is|are|must be|should be|has to be|needs to be)\s+)?\b(?:"
    + "|".join(f"(?P<s{n}>{words})" for n, words in enumerate(_IN_WORDS.values()))
    + r")\s+(?=[\d~≈.\\]|about|approx|roughly|around)"
)
_TILDE = re.compile(r"(?<=[\w)]) ~ (?=[\d.])")
_MACS = re.compile(r"\b(?:fused )?multiply[- ](?:add|accumulate)s?\b")
_DEVICE_TIME = re.compile(  # 2.1M H100-hours are hours, of whatever device
    r"(?<=[\d\skMBn}])(?:[CGT]PU[ -]?(?:v\d\w*)?|[A-Z]{1,3}\d{2,}\w*|chip|device|node|core)[- ]"
    r"(?=(?:second|minute|hour|day|week|month|year)s?\b)"
)
_LAYOUT = re.compile(r"\\(?:left|right|displaystyle|,|;|!|quad|qquad)(?![A-Za-z])|&|\\\\")


def _sign_of(said: re.Match[str]) -> str:
    return f" {[*_IN_WORDS][(said.lastindex or 1) - 1]} "


def split_sides(text: str) -> tuple[list[str], list[str]]:
    """The texts between relation signs, and the signs.

    >>> split_sides("a = b ≈ c")
    (['a', 'b', 'c'], ['=', '≈'])

    Raises:
        NotationError: a side is empty, or a sign states an assumption.
    """
    plain = _LAYOUT.sub(" ", text)
    plain = plain.replace("$", " ") if plain.count("$") % 2 == 0 else plain
    plain = _SAID.sub(_sign_of, plain)
    plain = _MACS.sub("MACs", _TILDE.sub(" ≈ ", _DEVICE_TIME.sub("", plain)))
    plain = _ROUGHLY.sub(lambda match: f" {match['sign'] or '≈'} ", plain)
    parts, signs, start = [], [], 0
    for match in _SIGN.finditer(plain):
        sign = _SIGNS[match[0]]
        if sign in ("<<", ">>"):
            raise NotationError(
                f"{match[0]} states an assumption, not a claim", repair="pass it as assume"
            )
        parts.append(plain[start : match.start()].strip())
        signs.append("≈" if sign == "->" else sign)
        start = match.end()
    parts.append(plain[start:].strip().rstrip(".,;"))
    if signs[:1] == ["≈"] and not parts[0]:  # \approx 295
        parts, signs = parts[1:], signs[1:]
    if not all(parts):
        raise NotationError("a side of the claim is empty", repair="write two sides").at(text, 0)
    if len(parts) > MAX_SIDES:
        raise NotationError(f"a chain of {len(parts)} sides is too long")
    return parts, signs


def bounding(claim: object, symbol: object) -> object:
    """``at least 296`` or ``≥ 296``, of a symbol: ``B >= 296``."""
    if symbol is None or not isinstance(claim, str):
        return claim
    said = _SAID.sub(_sign_of, claim).strip()
    first = _SIGN.match(said)
    return f"{symbol} {said}" if first and _SIGNS[first[0]] in INEQUALITIES else claim
