"""Reading a claim: a formula, a number with a unit, an inequality, a chain of equalities."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from numbers import Rational as Number
from numbers import Real

from sympy import Expr, Rational, Symbol
from sympy.core.relational import Relational

from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.checker.claim_signs import split_sides
from symcost.checker.claims import Branch, Claim, Side
from symcost.checker.rounding import agrees
from symcost.checker.values import evaluate
from symcost.errors import SymcostError
from symcost.notation.formulas import read
from symcost.notation.kinds import role
from symcost.notation.limits import check_text
from symcost.notation.unit_table import COUNTS, SUFFIXES
from symcost.notation.units import Measure, Printed, read_measure, read_printed
from symcost.symbols import dim, rate

_SETS: dict[str, tuple[tuple[Claim, ...], ...]] = {"always": ((),), "never": ()}  # see Branch
_COUNTED = re.compile(r"\s*[\d.,]+(?:[eE][+-]?\d+)?\s+[A-Za-z]{3,}\s*")
_COUNT = re.compile(  # 175B, 1.8e12 params
    rf"(?<=\d)(?:\s?(?P<letter>[kKMBGT])(?!\w))?(?:\s+(?:{'|'.join(sorted(COUNTS))})\b)?"
)
_TIMES = re.compile(
    r"\A(?P<many>\s*[\d.]+)\s?[x×](?:\s+(?:faster|slower|more|less|larger|smaller))?\s*\Z"
)
_CASES = re.compile(r"(?<!\\);|(?=\botherwise\b|\belse\b)")
_OTHERWISE = re.compile(r"\s*(?:otherwise|else)\b")
_IF, _OR, _AND = (
    re.compile(rf"\s(?:{words})\s|\\text\s*\{{\s*(?:{words})\s*\}}")
    for words in ("if|when", "or", "and")
)
_REMARK = re.compile(r",\s*(?:(?:smallest|largest) integer \d+|no integer fits)(?=\s|;|$)")
_BESIDE = re.compile(r"(?P<exact>.*\S)\s\((?P<rounded>[\d.]+(?:e[+-]?\d+)?)\)")
_UNIT_WORD = re.compile(rf"(?<=\S)\s+(FLOPs?|FLOPs?/byte|bytes?|params|{'|'.join(COUNTS)})\s*$")
_AMOUNT = re.compile(r"\s*[\d.,]+(?:\s*[A-Za-z])?\s+[A-Za-z]{2,}\s*")
_LETTER_AMOUNT = re.compile(r"\s*[\d.,]+(?:[eE][+-]?\d+)?\s+[A-Za-z]\s*")
_LETTER_UNIT = re.compile(r"[\d)]\s+[a-zA-Z]\s*$")  # (2 + 1) d
_STARTS = re.compile(r"[\s~≈$({+-]*(?:\\[,;:! ]\s*)*[\d.]")  # a number, perhaps with its unit
_TEXT = re.compile(r"\\(?:text|textrm|mathrm|rm)\s*\{[^{}]*\}")


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
    parts = [part for part in _CASES.split(_REMARK.sub("", text)) if part.strip()]
    branches = tuple(_branch(part, names) for part in parts or [text])
    first = next((each for branch in branches for each in chain(*branch.alternatives)), None)
    if first is None:
        return Claim(text, (), branches=branches)
    return replace(first, text=text, branches=branches)


def _branch(text: str, names: Collection[str]) -> Branch[Claim]:
    """One case of a claimed set."""
    stated, *conditions = _IF.split(_OTHERWISE.sub("", text))

    def every(joined: str) -> tuple[Claim, ...]:
        return tuple(_relation(part, names) for part in _AND.split(joined))

    said = _SETS.get(stated.strip(" .").lower())
    return Branch(
        tuple(map(every, _OR.split(stated))) if said is None else said,
        tuple(each for part in conditions for each in every(part)),
        _OTHERWISE.match(text) is not None,
    )


def _relation(text: str, names: Collection[str]) -> Claim:
    parts, signs = split_sides(text)
    sides = [read_side(part, names) for part in parts]
    return Claim(text.strip(), tuple(sides), tuple(signs))


def read_side(text: str, names: Collection[str] = ()) -> Side:
    """A number with or without a unit, otherwise a formula."""
    many = None if "x" in names else _TIMES.match(text)
    text = many["many"] if many else text  # 8x faster
    beside = _BESIDE.fullmatch(text)
    if beside and _says(beside["rounded"], beside["exact"], names):
        text = beside["exact"]  # 19780/67 (295.2)
    measure = _measure(text, names)
    if measure is not None:
        value = measure.value
        return Side(text, Rational(value.numerator, value.denominator), measure)
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


def check_unit(side: Side, known: Collection[Symbol]) -> None:
    """Refuse ``41 jiffies``: a word behind a number is a unit, or a symbol that something has.

    Raises:
        NotationError: it is neither.
    """
    unknown = side.expr.free_symbols - set(known)
    if side.measure is None and unknown and _COUNTED.fullmatch(side.text):
        read_measure(side.text)


def as_amount(side: Side, *, letters: bool = False) -> Side:
    """``2 TB`` as an amount although T and B are symbols: where all have values, it is one."""
    shape = _LETTER_AMOUNT if letters else _AMOUNT
    words = shape.fullmatch(side.text)
    return read_side(side.text) if words and side.measure is None else side


def _measure(text: str, names: Collection[str]) -> Measure | None:
    if not _STARTS.match(text):
        return None
    try:
        found = read_measure(text)
    except SymcostError:
        return None
    typed = _TEXT.sub(" ", text)  # a unit in \\text is no symbol
    words = [word for word in re.split(r"[^A-Za-z]+", found.unit) if word and word in typed]
    letter = words[:1] != [] and len(words[0]) == 1 and words[0] in names
    spelled = words and all(word in names or set(word) <= set(names) for word in words)
    joined = _is_letter(found.unit) and not re.search(rf"\s{found.unit}\s*$", text)
    return None if letter or spelled or joined or found.unit.startswith("/") else found


def _is_letter(unit: str) -> bool:
    """One capital right behind a number is a symbol: ``2B`` is 2*B, ``2 B`` is two bytes."""
    return len(unit) == 1 and unit.isupper()


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
