r"""Units in the formulas of a page: ``16N \text{ bytes}``, ``2\,\text{GB} \times n``."""

from __future__ import annotations

import re
from fractions import Fraction

from symcost.errors import SymcostError
from symcost.notation.units import is_measure, read_measure, unit_size

_STARTS = re.compile(r"\s*[~≈+-]?\s*[\d.]")
_GAP = r"(?:\s|~|\\[,;:! ])*"
_WORD = r"\\(?:text|mathrm|textrm)\s*\{\s*(?P<unit>[A-Za-zµ][\w /µ%-]*?)\s*\}"
_INVERSE = re.compile(
    rf"(?:\\(?:text|mathrm|textrm)\s*\{{\s*(?P<over>[A-Za-zµ]+)\s*\}}{_GAP})?"
    r"\\(?:text|mathrm|textrm)\s*\{\s*(?:(?P<first>[A-Za-zµ]+)\s+)?(?P<under>[A-Za-zµ]+)\s*\}"
    r"\s*\^\s*\{\s*-\s*1\s*\}"
)
_MICRO = re.compile(r"\\mu\s*(?:\\(?:text|mathrm|textrm)\s*\{\s*s\s*\}|s(?![A-Za-z_^]))")
_NUMBER = r"(?<![\w.^])(?P<number>\d[\d,]{0,30}(?:\{,\}\d{3}){0,6}(?:\.\d{0,30})?(?:[eE][+-]?\d+)?)"
_OPERATOR = r"(?=\s*(?:$|[-+*/)}\],·×]|\\(?:times|cdot|right|,|;|:| |bigr|Bigr)))"
_AMOUNT = re.compile(rf"{_NUMBER}{_GAP}{_WORD}(?![_^]){_GAP}{_OPERATOR}")
_LAST = re.compile(rf"(?<=[A-Za-z0-9)}}\]]){_GAP}{_WORD}{_GAP}$")
_BEHIND = re.compile(r"[\w.)}\]!]\s*$")
_COMMAND = re.compile(r"\\(?:times|cdot|left|div|text|mathrm|textrm)(?:\s*\{[^{}]*\})?\s*$")
_ANY = re.compile(_WORD)
_PERCENT = re.compile(r"(?<![\w.])(\d{1,9}(?:\.\d{0,9})?)\s?\\%")
_UNCLEAR = ("B", "K", "k", "M", "G", "T")  # 70 B may be 70 billion


def readable_units(part: str) -> str:
    r"""One side of a formula with units that the readers know: base units count as 1.

    A number with its unit is left as it is, so that its digits are kept.

    >>> readable_units(r"16 N \text{ bytes}"), readable_units(r"2~\text{GB} \times n")
    ('16 N', '(2000000000) \\times n')
    >>> readable_units(r"2 \text{ s}^{-1}"), readable_units(r"6 \text{params} \text{tokens}")
    ('2 \\text{value/s}', '6 \\text{params} \\text{tokens}')
    """
    part = _MICRO.sub(r"\\text{us}", part)
    part = _INVERSE.sub(_divided, part)
    if "\\" not in part or _has_names(part) or (_STARTS.match(part) and is_measure(part)):
        return part
    plain = _PERCENT.sub(r"(\1/100) ", _AMOUNT.sub(_amount, part))
    last = _LAST.search(plain)
    if last is None or _COMMAND.search(plain[: last.start()]) or not is_base(last["unit"]):
        return plain
    return plain[: last.start()]


def is_base(unit: str) -> bool:
    """Whether a unit word counts as 1: ``bytes``, ``FLOPs/token``, ``s``, ``bytes moved``."""
    words = unit.split(" ")
    for shown in (unit, words[0]):
        try:
            size, dimension = unit_size(shown)
        except SymcostError:
            continue
        return size == 1 and (len(shown) > 2 or shown == "s") and bool(dimension or shown)
    return False


def _divided(match: re.Match[str]) -> str:
    over = match["over"] or match["first"] or "value"
    return rf"\text{{{over}/{match['under']}}}"


def _has_names(part: str) -> bool:
    r"""Whether a unit word stands where a factor does: ``2 \text{params} \times \text{tokens}``."""
    for match in _ANY.finditer(part):
        before = re.sub(rf"{_GAP}$", "", part[max(0, match.start() - 40) : match.start()])
        if re.search(r"[_^]\s*\{?$", before):
            continue  # a subscript
        if _COMMAND.search(before) or not _BEHIND.search(before):
            return True
    return False


def _amount(match: re.Match[str]) -> str:
    if match["unit"] in _UNCLEAR:
        return match[0]
    for unit in (match["unit"], _counted(match["unit"])):
        try:
            value: Fraction = read_measure(f"{match['number']} {unit}").value
        except SymcostError:
            continue
        return f"({value}) "
    return match[0]


def _counted(unit: str) -> str:
    """A unit with what is counted as plain values: ``failures/day``, ``GB per rank``."""
    parts = [part.split() for part in re.split(r"/|\bper\b", unit)]
    known = [[word if _is_unit(word) else "values" for word in words[:1]] for words in parts]
    return "/".join(words[0] for words in known if words)


def _is_unit(word: str) -> bool:
    try:
        unit_size(word)
    except SymcostError:
        return not word.islower()
    return True
