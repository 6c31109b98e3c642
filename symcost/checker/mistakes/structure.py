"""Structure: upside down, brackets missing, a factor lost, an extremum or a rounding changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sympy import Expr, ceiling, floor

from symcost.algebra import Ratio, as_ratio
from symcost.checker.case import Case, Hypothesis
from symcost.checker.roles import role
from symcost.errors import SymcostError
from symcost.printing.numbers import decimal
from symcost.symbols import is_dim

LARGE = 10  # a number from here on is not put on the other side by a factor of 2 or 3


def inverted(case: Case) -> Iterator[Hypothesis]:
    """The whole upside down, or two symbols that have changed places."""
    if case.ratio is None or not case.ratio:
        return
    text = f"upside down: it is 1/({case.expected})"
    yield Hypothesis("inverted-ratio", text, case.ratio**-1, "1/expected")
    yield from _coefficient(case)
    for i, one in enumerate(case.inputs):
        for other in case.inputs[i + 1 :]:
            value = case.substituted({one: other, other: one})
            if value != case.ratio:
                text = f"{one} and {other} have changed places"
                kind = "inverted-ratio" if _is_ratio(case.ratio, one, other) else "wrong-dimension"
                yield Hypothesis(kind, text, value, f"{one}/{other}")


def _coefficient(case: Case) -> Iterator[Hypothesis]:
    """``4396 F`` where ``F/4396`` is right: the number is on the wrong side of the line."""
    assert case.ratio is not None
    plain = case.plugged(case.ratio)
    if case.printed is not None or len(plain.num) != 1 or len(plain.den) != 1:
        return
    ((_, above), *_), ((_, below), *_) = plain.num.terms.items(), plain.den.terms.items()
    number = Fraction(above) / Fraction(below)
    if max(abs(number), abs(1 / number)) >= LARGE:
        text = f"the number {_short(1 / number)} is on the wrong side of the line"
        value = plain * as_ratio(1 / number**2)
        yield Hypothesis("inverted-ratio", text, value, _short(1 / number))


def _short(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else str(decimal(number, 6))


def _is_ratio(ratio: Ratio, one: Any, other: Any) -> bool:
    """Whether one stands above the line and the other below it."""
    above, below = ratio.num.atoms, ratio.den.atoms
    if (one in above and other in above) or (one in below and other in below):
        (monomial,) = ratio.num.terms if len(ratio.num) == 1 else ((),)
        powers = dict(monomial)
        return bool(powers.get(one, 0) * powers.get(other, 0) < 0)
    return True


def precedence(case: Case) -> Iterator[Hypothesis]:
    """``a/b*c`` where ``a/(b*c)`` is meant: the claim read with brackets is right."""
    if case.read is None or "/" not in case.text:
        return
    for bracketed in bracketings(case.text):
        try:
            meant = case.read(bracketed)
        except SymcostError:
            continue
        other = Case(meant, case.expected, case.values, text=bracketed)
        if other.explains(case.expected) or _same_number(case, meant):
            text = f"read from left to right it is another thing; {bracketed.strip()} is meant"
            yield Hypothesis("operator-precedence", text, None, bracketed.strip())
            return


def _same_number(case: Case, meant: Expr) -> bool:
    ours, theirs = case.number(case.expected), case.number(meant)
    return ours is not None and theirs is not None and ours == theirs


def bracketings(text: str) -> Iterator[str]:
    """The text with brackets around the product behind each slash.

    >>> list(bracketings("n/2*2"))
    ['n/(2*2)']
    """
    factor = r"(?:[\w.^{}\\]+|\([^()]*\))(?:\*\*[\w.]+)?"
    for match in re.finditer(rf"/\s*({factor}(?:\s*(?:\*(?!\*)|·|×|\s)\s*{factor})+)", text):
        yield f"{text[: match.start()]}/({match[1].strip()}){text[match.end() :]}"


def off_by_one(case: Case) -> Iterator[Hypothesis]:
    """A count that is one too many or too few."""
    for symbol in case.inputs:
        value = case.values.get(symbol)
        if is_dim(symbol) and (value is None or (value.denominator == 1 and value < 1000)):
            for step in (1, -1):
                shifted = case.substituted({symbol: symbol + step})
                text = f"{symbol} {'+' if step > 0 else '-'} 1 in place of {symbol}"
                yield Hypothesis("off-by-one", text, shifted, f"{step:+d}")
    ours = case.number(case.expected)
    if case.printed is not None and ours is not None and ours.denominator == 1:
        gap = case.printed.value - ours
        if abs(gap) == 1:
            text = f"one too {'many' if gap > 0 else 'few'}"
            yield Hypothesis("off-by-one", text, None, f"{gap}")


def roundings(case: Case) -> Iterator[Hypothesis]:
    """Rounded up where down is right, the reverse, or not at all."""
    for atom in case.expected.atoms(ceiling, floor):
        swap = floor if isinstance(atom, ceiling) else ceiling
        word = "down" if isinstance(atom, ceiling) else "up"
        value = case.expected.xreplace({atom: swap(atom.args[0])})
        text = f"rounds {atom.args[0]} {word}"
        yield Hypothesis("rounding-direction", text, value, str(atom))
        bare = case.expected.xreplace({atom: atom.args[0]})
        yield Hypothesis("rounding-direction", f"does not round {atom.args[0]}", bare, str(atom))


def powers(case: Case) -> Iterator[Hypothesis]:
    """A symbol with one power too many or too few, in a number."""
    if case.ratio is None or case.printed is None:
        return
    for symbol in case.inputs:
        for power in (1, -1):
            if case.values.get(symbol, Fraction(1)) == 1 or len(case.ratio.num) > 1:
                continue
            if role(symbol.name) in ("devices", "bytes per value"):
                continue
            value = case.ratio * as_ratio(symbol) ** power
            text = f"{symbol} has a power one too {'high' if power > 0 else 'low'}"
            if _already(case.ratio, symbol, power):
                yield Hypothesis("wrong-power", text, value, f"{symbol}^{power}")


def _already(ratio: Ratio, symbol: Any, power: int) -> bool:
    """Whether the symbol has a power that this one would change, rather than appear or go."""
    (monomial,) = ratio.num.terms
    now = dict(monomial).get(symbol, 0)
    return bool(now and now + power)
