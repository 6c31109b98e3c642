"""What is not worked out, as names: sums over an index, norms, values of functions.

What is written alike has the same name, and so the same value.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from sympy import Symbol

from symcost.pages.brackets import outside

INDEX = r"(?:_(?:\w|\{[^{}]*\}|\{\\\w+\{[^{}]*\}\}|\\\w+\{[^{}]*\}))?"
_SUM = re.compile(
    r"\\sum(?:\\limits)?\s*_\s*\{\s*(?P<index>[A-Za-z])\s*=\s*(?P<first>[\w+-]+)\s*\}\s*\^\s*"
    r"(?:\{(?P<last>[^{}]*)\}|(?P<short>\w))"
)
_SUM_OVER = re.compile(
    r"\\(?:sum|prod|int)(?![A-Za-z])(?:\\limits)?"
    r"(?:\s*[_^]\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?\w))*"
)
_NORM = re.compile(r"(?:\\max\s*)?\|{1,2}((?:[^|()=<>]|\([^()|]*\)){1,80})\|{1,2}")
INNER = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
_CALL = re.compile(
    rf"((?:\\(?:text|mathrm)\{{\w+\}}|(?<![\\A-Za-z])(?!(?:max|min)\b)[A-Za-z]\w*){INDEX})"
    rf"(?:\s|\\!)*(?:\\left\s*)?\(({INNER}[,;|]{INNER}?)(?:\\right\s*)?\)"
)
NO_SUM = "a sum over an index is not worked out"
_TERM_END = re.compile(r"\\(?:approx|leq?|geq?|text\{and)(?![A-Za-z])|[})\]=≈<>+]|-")


def slug(words: str) -> str:
    """Words as one name: ``No. GPUs (all)`` is ``No_GPUs_all``."""
    return re.sub(r"[^\w]+", "_", words.replace("\\", "")).strip("_") or "x"


def plain_name(name: str) -> str:
    """A name without commands, braces and blanks."""
    return re.sub(r"\\(?:text\w*|math\w*|operatorname|rm)\b|[{}\\\s]", "", name)


def sums_put_in(text: str) -> str:
    r"""Sums of equal terms as products: ``\sum_{l=1}^{L} 12 D^2`` is ``(L) (12 D^2)``."""
    for _ in range(6):
        match = _SUM.search(text)
        if match is None:
            break
        last = match["last"] or match["short"]
        end = _term_end(text, match.end())
        term = text[match.end() : end]
        index = re.compile(
            rf"(?<![A-Za-z\\]){match['index']}(?![A-Za-z])|_\{{?{match['index']}\}}?"
        )
        if index.search(term):
            break
        count = f"({last})" if match["first"] == "1" else f"({last} - {match['first']} + 1)"
        text = f"{text[: match.start()]} {count} \\cdot ({term}) {text[end:]}"
    return text


def opaque(text: str) -> str:
    """Sums over an index, norms, functions of lists as names: what is alike has the same value."""
    while match := _SUM_OVER.search(text):
        end = _term_end(text, match.end())
        said = slug(text[match.start() : end])
        text = rf"{text[: match.start()]}\mathrm{{total_of_{said}}}{text[end:]}"
    text = _NORM.sub(lambda m: rf"\mathrm{{size_of_{slug(m[1])}}}", text)
    return _CALL.sub(_value, text)


def _value(match: re.Match[str]) -> str:
    return rf"\mathrm{{value_of_{plain_name(match[1])}_{slug(match[2])}}}"


def called(text: str, functions: Collection[str]) -> str:
    r"""The values of functions of the page as names.

    >>> print(called("2 T(B) + n", ["T"]))
    2 \mathrm{value_of_T_B} + n
    """
    for name in functions:
        call = rf"(?<![A-Za-z_\\])({re.escape(name)})\s*(?:\\left)?\(([^()]*?)(?:\\right)?\)"
        text = re.sub(call, _value, text)
    return text


def not_put_in(symbols: Collection[Symbol]) -> str:
    """Why sides with such a name cannot be compared; "" if there is none."""
    for name in sorted(symbol.name for symbol in symbols):
        kind, _, said = name.partition("_of_")
        if said and kind == "value":
            return f"{said.split('_')[0]}(...) is a function on this page; it is not put in"
        if said and kind == "total":
            return NO_SUM
    return ""


def _term_end(text: str, at: int) -> int:
    """Where the term of a sum ends: at a sign of its own level, or the bracket around it."""
    ends = outside(text, _TERM_END, at)
    found = (m.start() for m in ends if m[0] in "})]" or text[at : m.start()].strip())
    return next(found, len(text))
