"""Numbers with units inside an expression: ``140 GB / (3.35 TB/s)``."""

from __future__ import annotations

import re
from collections.abc import Collection

from symcost.errors import SymcostError
from symcost.notation.units import read_measure

_NUMBER = r"(?<![\w.])\d[\d,]*+(?:\.\d*+)?(?:[eE][+-]?\d+)?"
_BLANK = r"(?:\s|~|\\[,;: ])*"
_PLAIN = r"[A-Za-zµ]+(?:\s*/\s*[A-Za-z]+)?"
_QUANTITY = re.compile(
    rf"({_NUMBER}){_BLANK}(?:\\(?:text|mathrm|textrm)\s*\{{\s*({_PLAIN})\s*\}}|({_PLAIN}))"
)
_WORDS = re.compile(r"\\(?:d|t)?frac|\\times|\\cdot|\\left|\\right|\\[,;!: ]|\d[eE][+-]?\d")


def plain_numbers(text: str, names: Collection[str] = ()) -> str:
    """The text with each number and its unit as one number in base units.

    A text that holds symbols as well is returned as it is: there ``2 kB`` may be ``2*k*B``.

    >>> plain_numbers("140 GB / (3.35 TB/s)")
    '(140000000000) / ((3350000000000))'
    >>> plain_numbers("2 kB/W")
    '2 kB/W'
    """

    def number(match: re.Match[str]) -> str:
        unit = match[2] or match[3]
        if all(word in names or set(word) <= set(names) for word in re.findall("[A-Za-z]+", unit)):
            return match[0]
        try:
            return f"({read_measure(f'{match[1]} {unit}').value})"
        except SymcostError:
            return match[0]

    found = _QUANTITY.sub(number, text)
    return text if re.search("[A-Za-z]", _WORDS.sub(" ", found)) else found
