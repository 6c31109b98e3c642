r"""Reading the formulas of a page: the sides, the signs between them, and what they define."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from sympy import Expr, Symbol

from symcost.checker.claim_grammar import split_sides
from symcost.checker.claim_reading import read_side
from symcost.checker.claims import Claim, Side
from symcost.errors import NotationError, SymcostError
from symcost.notation.units import Printed, is_measure, unit_size
from symcost.pages.latex_forms import known_forms, states_no_amount
from symcost.pages.passages import Passage
from symcost.pages.rows import RELATION, pieces
from symcost.pages.scan import MAX_BODY

MAX_READ = 4_000  # characters of a formula that is read
_WORD = re.compile(r"\s*[A-Za-z][a-z]*[A-Z]*[a-z]{2,}[A-Za-z]*\s*")
_COMMAND = re.compile(
    r"\\(?:text\w*|mathrm|mathbf|operatorname)\s*\{[^{}]*\}|\\[A-Za-z]+|_\{[^{}]*\}|_\w"
)
_LETTER = re.compile(r"[A-Za-z]")
_UNIT = re.compile(
    r"(?P<gap>(?:\s|~|\\[,;: ]|-|&nbsp;)*)(?P<unit>\\?%|[A-Za-zµμ]{1,12}(?:/[A-Za-z]{1,8}){0,2})"
    r"(?![\w/$*])\s?(?P<next>[a-z]{0,12})"
)
_RUN = re.compile(r"[A-Za-z]+")
_INDEXED = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?=\s*_)")
_MARKED = re.compile(r"[A-Z]{2,}")
_CAMEL = re.compile(r"[a-z]{2,}(?:[A-Z][a-z]{2,})+")
_CODE_WORD = re.compile(r"(?=\w*[A-Z])[A-Za-z]{2,}")
_TIMES = re.compile(r"[*×]")
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALES |= {"K": 3, "k": 3, "M": 6, "G": 9, "B": 9, "T": 12}
_OTHER = {"K": Fraction(1024), "k": Fraction(1024), "B": Fraction(1)}  # KiB, bytes
_COUNTED = ("parameters", "params", "tokens", "weights", "parameter", "token")
_BILLIONS = re.compile(
    r"\d(?:\s|~|\\[,;: ])*\\(?:text|mathrm|textrm)\s*\{\s*B(?:\s+[a-z]+)?\s*\}\s*$"
)
_LETTER_UNITS = ("s", "B", "h")


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name is said to be: a number, or a formula, perhaps with its number.

    ``rough`` marks one that is given with ≈; ``printed`` keeps the digits of a plain number;
    ``other`` is what the number may be as well: ``7 B`` is 7 bytes, or 7 billion.
    """

    name: Symbol
    value: Fraction | None
    formula: Expr | None = None
    printed: Printed | None = None
    rough: bool = False
    other: Fraction | None = None


def read_page_claim(text: str, names: Collection[str], letters: Collection[str] = ()) -> Claim:
    r"""Read a formula of a page: letters that the page uses are symbols, not units.

    >>> read_page_claim("T = 2 B", (), {"B"}).sides[1].expr
    2*B
    >>> read_page_claim(r"T = 2 \text{ B}", (), {"B"}).sides[1].expr
    2

    Raises:
        NotationError: the text is no formula.
    """
    used = frozenset(name for name in names if name in text)
    return _read(text, used, frozenset(letters) & frozenset(text))


@lru_cache(maxsize=20_000)
def _read(text: str, names: frozenset[str], letters: frozenset[str]) -> Claim:
    if len(text) > MAX_READ:
        raise NotationError(f"a formula of {len(text):,} characters is too long")
    parts, signs = split_sides(known_forms(text))
    if len(parts) > 1 and _WORD.fullmatch(parts[0]) and not set(parts[0].strip()) <= letters:
        parts[0] = rf"\mathrm{{{parts[0].strip()}}}"
    sides = tuple(_side(part, names | letters) for part in parts)
    return Claim(text, sides, tuple(signs))


_side = lru_cache(maxsize=20_000)(read_side)


def letters_of(written: Iterable[Passage]) -> frozenset[str]:
    """The single letters that are symbols in some formula of a page."""
    letters: set[str] = set()
    for each in written:
        if each.kind in ("display", "inline"):
            letters.update(_LETTER.findall(_COMMAND.sub(" ", each.text[:MAX_BODY])))
        if len(letters) == 52:
            break
    return frozenset(letters)


def words_of(written: Iterable[Passage], text: str) -> frozenset[str]:
    r"""The names of several letters that nothing marks: ``AI = F/M``, ``KY * KX`` in code quotes.

    A run of letters is one name where it is a side, a factor by itself or a word of the text,
    unless each of its letters is a symbol without the others.

    >>> quotes = [Passage(text, 1, "quote") for text in ("KY * KX = 2*B*D", "BD*8")]
    >>> sorted(words_of([*quotes, Passage("TP = 8", 1)], "8-way TP"))
    ['KX', 'KY', 'TP']

    Args:
        written: the formulas of the page.
        text: its words.
    """
    said = set(_RUN.findall(text))
    words, sides, runs, alone = set[str](), set[str](), set[str](), set[str]()
    for each in written:
        if each.kind == "quote" and len(each.text) <= MAX_READ:
            for side in re.split(r"[=≈+/()-]", each.text):
                factors = [factor.strip() for factor in _TIMES.split(side)]
                alone.update(factor for factor in factors if len(factor) == 1)
                words.update(factors if len(factors) > 1 else ())
        elif each.kind in ("display", "inline"):
            body = each.text[:MAX_BODY]
            plain = _COMMAND.sub(" ", body)
            runs.update(_RUN.findall(plain))
            sides.update(side.strip() for side in RELATION.split(plain))
            symbols = _RUN.findall(_COMMAND.sub(" ", _INDEXED.sub(" ", body)))
            alone.update(symbol for symbol in symbols if len(symbol) == 1)
    words |= {run for run in runs & said if run in sides or _MARKED.fullmatch(run)}
    words |= {run for run in runs if _CAMEL.fullmatch(run)}
    for run in sides & runs - words:  # its letters stand in no other run
        if _CODE_WORD.fullmatch(run) and not any(set(run) & set(other) for other in runs - {run}):
            words.add(run)
    return frozenset(
        word
        for word in words
        if len(word) > 1 and not is_measure(f"1 {word}") and not set(word) <= alone
    )


def definitions(
    passage: Passage, names: Collection[str] = (), letters: Collection[str] = ()
) -> tuple[Definition, ...]:
    r"""The definitions that a formula in the text states, with units that stand behind it.

    >>> [(d.name, d.value) for d in definitions(Passage("W = 3.35", 1, after=" TB/s"))]
    [(W, Fraction(3350000000000, 1))]

    Args:
        passage: the formula with the text that follows it.
        names: names that are one symbol.
        letters: letters that are symbols somewhere on the page.

    Returns:
        One definition for each name.
    """
    text = passage.text
    if not RELATION.search(text) or states_no_amount(text):
        return ()
    used = frozenset(name for name in names if name in text)
    return _definitions(text, passage.after, used, frozenset(letters) & frozenset(text))


@lru_cache(maxsize=20_000)
def _definitions(
    whole: str, after: str, names: frozenset[str], letters: frozenset[str]
) -> tuple[Definition, ...]:
    found: list[Definition] = []
    parts = [text for text, _ in pieces(whole)]
    for text in parts:
        try:
            claim = _read(text, names, letters)
        except (SymcostError, RecursionError):
            continue
        factors = unit_after(text, after) if text == parts[-1] else (Fraction(1),)
        if claim.is_chain:
            found += _of(claim, factors)
    return tuple(found)


def _of(claim: Claim, factors: tuple[Fraction, ...]) -> Iterator[Definition]:
    """``D = F = 8192`` defines two names, ``F = 4D = 16384`` one that has a number as well."""
    leading = next((i for i, side in enumerate(claim.sides) if not side.expr.is_Symbol), 0)
    if all(side.expr.is_Symbol for side in claim.sides):
        leading = len(claim.sides) - 1
    rough = "≈" in claim.signs[:leading]
    if not leading and len(claim.sides) == 2:
        yield from _of_several(claim)
    for side in claim.sides[:leading]:
        found = defined(side.expr, claim.sides[leading:], factors[0], rough)
        if len(factors) > 1 and found.value is not None:
            found = replace(found, other=found.value / factors[0] * factors[1])
        yield found


def _of_several(claim: Claim) -> Iterator[Definition]:
    """``YZ = sqrt(8N)`` is a formula for Z, ``a + b = 1`` one for b."""
    whole, value = (side.expr for side in claim.sides)
    if (whole.is_Mul or whole.is_Add) and all(part.is_Symbol for part in whole.args):
        name = max(whole.free_symbols - value.free_symbols, key=lambda s: s.name, default=None)
        if name is not None:
            rest = value * name / whole if whole.is_Mul else value + name - whole
            yield Definition(name, None, rest)


def defined(
    name: Symbol, sides: tuple[Side, ...], factor: Fraction = Fraction(1), rough: bool = False
) -> Definition:
    """The definition of a name by the sides that follow it."""
    side, last = sides[0], sides[-1]
    number = _number(last)
    printed = last.printed.scaled(factor) if last.printed else None
    if side.expr.is_Rational:
        value = number * factor if factor != 1 and number is not None else _number(side)
        other = value * 10**9 if value is not None and _BILLIONS.search(side.text) else None
        return Definition(name, value, None, printed, rough, other)
    return Definition(name, None if number is None else number * factor, side.expr, printed, rough)


def _number(side: Side) -> Fraction | None:
    value = side.expr
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else None


def unit_after(text: str, after: str) -> tuple[Fraction, ...]:
    """What a number is to be multiplied by for the unit behind it; two where it is unclear.

    >>> unit_after("W = 3", " TB/s, and"), unit_after("n = 3", " layers")
    ((Fraction(1000000000000, 1),), (Fraction(1, 1),))
    >>> unit_after("N = 3", " million"), unit_after("S = 3", "K tokens")
    ((Fraction(1000000, 1),), (Fraction(1000, 1), Fraction(1024, 1)))
    """
    match = _UNIT.match(after)
    if match is None or not re.search(r"[\d}]\s*$", text):
        return (Fraction(1),)
    unit, following = re.sub("[µμ]", "u", match["unit"]), match["next"]
    if unit in ("%", "\\%"):
        return (Fraction(1, 100),)
    counted = following in _COUNTED or not match["gap"]
    if unit in _SCALES and (len(unit) > 1 or counted):
        sizes = Fraction(10 ** _SCALES[unit]), _OTHER.get(unit, Fraction(0))
        return sizes if sizes[1] and following not in _COUNTED[:6] else sizes[: 1 + (unit in "kK")]
    if len(unit) == 1 and unit not in _LETTER_UNITS:
        return (Fraction(1),)
    try:
        size, dimension = unit_size(unit)
    except SymcostError:
        return (Fraction(1),)
    return (size if dimension else Fraction(1),)
