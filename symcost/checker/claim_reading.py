"""Reading a claim: a formula, a number with a unit, an inequality, a chain of equalities."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from numbers import Rational as Number
from numbers import Real

from sympy import Expr, Symbol
from sympy.core.relational import Relational

from symcost.algebra.exact import exact
from symcost.algebra.posynomial import to_rational
from symcost.algebra.relation import Relation
from symcost.checker.claim_grammar import Piece, beside, read_pieces, sides_of, times
from symcost.checker.claims import Branch, Claim, Side
from symcost.checker.rounding import agrees
from symcost.checker.values import evaluate
from symcost.errors import SymcostError
from symcost.notation.dimensions import dimension_of
from symcost.notation.exact import evaluate as evaluate_syntax
from symcost.notation.formulas import read
from symcost.notation.kinds import role
from symcost.notation.limits import check_text
from symcost.notation.syntax import Node, Syntax
from symcost.notation.unit_table import COUNTS, SUFFIXES
from symcost.notation.units import (
    Measure,
    Printed,
    is_measure,
    measure_of,
    read_measure,
    read_printed,
)
from symcost.symbols import dim, rate

_SETS: dict[str, tuple[tuple[Claim, ...], ...]] = {"always": ((),), "never": ()}  # see Branch
_COUNT = re.compile(  # 175B, 1.8e12 params
    rf"(?<=\d)(?:\s?(?P<letter>[kKMBGT])(?!\w))?(?:\s+(?:{'|'.join(sorted(COUNTS))})\b)?"
)
_UNIT_WORD = re.compile(rf"(?<=\S)\s+(FLOPs?|FLOPs?/byte|bytes?|params|{'|'.join(COUNTS)})\s*$")
_LETTER_UNIT = re.compile(r"[\d)]\s+[a-zA-Z]\s*$")  # (2 + 1) d
_STARTS = re.compile(r"[\s~≈$({+-]*(?:\\[,;:! ]\s*)*[\d.]")  # a number, perhaps with its unit
_TEXT = re.compile(r"\\(?:text|textrm|mathrm|rm)\s*\{[^{}]*\}")
_SPELLED = (
    (re.compile(r"\b(?:fused )?multiply[- ](?:add|accumulate)s?\b"), "MACs"),
    (  # 2.1M H100-hours are hours, of whatever device
        re.compile(
            r"(?<=[\d\skMBn}])(?:[CGT]PU[ -]?(?:v\d\w*)?|[A-Z]{1,3}\d{2,}\w*|chip|device|node|core)"
            r"[- ](?=(?:second|minute|hour|day|week|month|year)s?\b)"
        ),
        "",
    ),
)


def read_claim(claim: object, names: Collection[str] = ()) -> Claim:
    """Read a claim; nothing in it is ever evaluated as code.

    >>> read_claim("B > 240 tokens").signs
    ('>',)
    >>> read_claim("1.01 ms").sides[0].expr
    101/100000
    >>> read_claim("B > D/(D - 1) if D > 1; otherwise never").branches[0].conditions[0].text
    'D > 1'

    Args:
        claim: text (plain or LaTeX), a number, or a sympy expression or relation.
        names: names that are one symbol.

    Returns:
        The claim with its sides.

    Raises:
        NotationError: the text is no claim.
    """
    if not isinstance(claim, str):
        return _given(claim)
    text = check_text(claim, "a claim").strip()
    if (word := text.lower()) in _SETS:
        return Claim(text, (), word=word)
    branches = tuple(_branches(read_pieces(_in_units(text), names), names))
    first = next((each for branch in branches for each in chain(*branch.alternatives)), None)
    if first is None:
        return Claim(text, (), branches=branches)
    return replace(first, text=text, branches=branches)


def _branches(whole: Piece, names: Collection[str]) -> Iterator[Branch[Claim]]:
    """The cases of a claimed set; what stands before "otherwise" ends the one before."""
    pieces, words = whole.split("CASE")
    for piece, word in zip(pieces, ("", *(each.value for each in words)), strict=True):
        if piece.said or len(pieces) == 1:
            yield _branch(piece, word == "otherwise", names)


def _branch(piece: Piece, otherwise: bool, names: Collection[str]) -> Branch[Claim]:
    """One case of a claimed set."""
    (claimed, *conditions), _ = piece.split("IF")

    def every(joined: Piece) -> tuple[Claim, ...]:
        return tuple(_relation(part, names) for part in joined.split("AND")[0])

    said = _SETS.get(claimed.said.strip(" .").lower())
    return Branch(
        tuple(map(every, claimed.split("OR")[0])) if said is None else said,
        tuple(each for part in conditions for each in every(part)),
        otherwise,
    )


def _relation(piece: Piece, names: Collection[str]) -> Claim:
    (related, *_), _ = piece.split("REMARK")
    parts, signs = sides_of(related)
    sides = [read_side(part, names) for part in parts if part]
    return Claim(related.said, tuple(sides), tuple(signs))


def _in_units(text: str) -> str:
    """Names of units that are made of several words, as one."""
    for words, unit in _SPELLED:
        text = words.sub(unit, text)
    return text


def read_side(text: str, names: Collection[str] = ()) -> Side:
    """A number with or without a unit, otherwise a formula."""
    text = _in_units(text)
    if "x" not in names:
        text = times(text) or text  # 8x faster
    found = beside(text)
    if found and _says(found[1], found[0], names):
        text = found[0]  # 19780/67 (295.2)
    measure = _measure(text, names)
    if measure is not None:
        return Side(text, to_rational(measure.value), measure)
    words = [word for word in _UNIT_WORD.findall(text) if word not in names]
    unitless = _UNIT_WORD.sub("", text) if words else text
    bare = _LETTER_UNIT.search(unitless) is not None
    return Side(text, formula(unitless, names, bare=bare), word=words[0] if words else "")


def _says(rounded: str, exact: str, names: Collection[str]) -> bool:
    """Whether a number in brackets is the one before it, rounded."""
    try:
        value = evaluate(formula(exact, names), {})
    except (SymcostError, ZeroDivisionError):
        return False
    return agrees(read_printed(rounded), value)


def as_counts(claim: Claim, thousand: int = 1000) -> Claim:
    """``6 * 175B`` with its letters as counts, and without the words for what is counted.

    >>> as_counts(read_claim("6 * 175B * 300B = 3.15e23")).sides[0].expr
    315000000000000000000000
    >>> as_counts(read_claim("128K = 131072"), 1024).sides[0].expr
    131072

    Args:
        claim: the claim.
        thousand: what a k stands for, 1000 or 1024.
    """

    def spelled(found: re.Match[str]) -> str:
        letter = found["letter"]
        if letter in ("k", "K") and thousand != 1000:
            return f"*{thousand}"
        return f"e{len(str(SUFFIXES[letter][0])) - 1}" if letter else ""

    texts = (_COUNT.sub(spelled, side.text) for side in claim.sides)
    sides = (replace(read_side(t), text=s.text) for t, s in zip(texts, claim.sides, strict=True))
    return replace(claim, sides=tuple(sides))


def bracketings(text: str, names: Collection[str] = ()) -> Iterator[Side]:
    """A formula with brackets around the product behind each slash.

    >>> [(side.expr, side.dimension) for side in bracketings("1 / 42 ms")]
    [(500/21, (('second', -1),))]
    """
    for meant in _bracketed(read(text, names).syntax):
        value = with_kinds(evaluate_syntax(meant, dim, text))
        yield Side(text, value, meant_in=dimension_of(meant, {}) or ())


def _bracketed(part: Syntax) -> Iterator[Syntax]:
    if not isinstance(part, Node):
        return
    for at, each in enumerate(part.parts):
        front, behind = part.parts[:at], part.parts[at + 1 :]
        for other in _bracketed(each):
            yield part._replace(parts=(*front, other, *behind))
        if part.op == "product" and isinstance(each, Node) and each.op == "inverse" and behind:
            under = each._replace(op="product", parts=(*each.parts, *behind))
            yield part._replace(parts=(*front, each._replace(parts=(under,))))


def as_amount(side: Side) -> Side:
    """``2 TB`` as an amount although T and B are symbols; what is none stays as it is."""
    if side.measure is not None or not is_measure(side.text):
        return side
    found = read_measure(side.text)
    return replace(side, expr=to_rational(found.value), measure=found)


def _measure(text: str, names: Collection[str]) -> Measure | None:
    """The amount that is all a text says; one capital right behind a number is a symbol, ``2B``."""
    try:
        found = measure_of(read(text.strip().lstrip("~≈ ").rstrip(". "), names, bare=True))
    except SymcostError:
        return None
    unit = "" if found is None else found.unit
    is_letter = len(unit) == 1 and unit.isupper() and text.rstrip()[-2:-1].isdigit()
    return None if is_letter or unit.startswith("/") else found


def formula(text: str, names: Collection[str] = (), *, bare: bool = False) -> Expr:
    """Read a formula; names of peaks and bandwidths are rates, all others dimensions."""
    return with_kinds(read(text, names, bare=bare).value())


def with_kinds(expr: Expr, like: Collection[Symbol] = ()) -> Expr:
    """The expression with symbols of the right kind: those of ``like``, else by name."""
    known = {s.name: s for s in like}

    def kind(symbol: Symbol) -> Symbol:
        if symbol.name in known:
            return known[symbol.name]
        made = rate if role(symbol.name) in ("peak", "bandwidth") else dim
        return made(symbol.name)

    swap = {s: kind(s) for s in expr.free_symbols if kind(s) != s}
    return expr.xreplace(swap) if swap else expr


def _given(claim: object) -> Claim:
    if isinstance(claim, Relational | Relation):
        op = claim.op if isinstance(claim, Relation) else str(claim.rel_op)
        sides = tuple(Side(str(s), with_kinds(exact(s))) for s in (claim.lhs, claim.rhs))
        return Claim(str(claim), sides, ("=" if op == "==" else op,))
    expr = with_kinds(exact(claim))
    if isinstance(claim, Real | Decimal) and not isinstance(claim, Number | Expr):
        return Claim(str(claim), (Side(str(claim), expr, read_measure(str(claim))),))
    if expr.is_Rational:
        value = Fraction(int(expr.p), int(expr.q))
        step = Fraction(1, value.denominator)
        printed = Printed(value, step, len(str(value.numerator)), step)
        return Claim(str(claim), (Side(str(claim), expr, Measure(printed, "", Fraction(1), ())),))
    return Claim(str(claim), (Side(str(claim), expr),))
