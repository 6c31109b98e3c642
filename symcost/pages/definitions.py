r"""What a formula in the text of a page defines: ``$W = 3.35$ TB/s``, ``$F = 4D$``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sympy import Expr, Symbol

from symcost.checker.claims import Claim, Side, read_side, split_sides
from symcost.errors import SymcostError
from symcost.notation.units import Printed, is_measure, unit_size
from symcost.pages.displays import Equation
from symcost.pages.rows import RELATION, pieces
from symcost.pages.unit_words import readable_units

_REWRITTEN = (
    (
        re.compile(
            r"^\s*(?:\\(?:iff|implies|(?:Long)?(?:left)?(?:Left)?[Rr]ightarrow)(?![A-Za-z])|[⇒⇔])"
        ),
        "",
    ),
    (re.compile(r"_\s*\{?\\(max|min|star|ast)(?![A-Za-z])\}?"), r"_\\mathrm{\1}"),
    (
        re.compile(r"\\?(?<![A-Za-z_])([A-Za-z]+)\s*\^\s*\{?(?:\*|\\star|\\ast)\}?(?![A-Za-z])"),
        r"\\mathrm{\1_star}",
    ),
    (re.compile(r"([A-Za-z])_\{?1/2\}"), r"\\mathrm{\1_half}"),
    (re.compile(r"\\Delta\s*([A-Za-z])(?![A-Za-z])"), r"\\mathrm{Delta_\1}"),
    (re.compile(r"\\(hat|bar|tilde|overline)\s*\{?([A-Za-z])\}?"), r"\\mathrm{\2_\1}"),
    (re.compile(r"(?<![A-Za-z\\])([A-Za-z])'(?!')"), r"\\mathrm{\1_prime}"),
    (re.compile(r"\\(?:Leftrightarrow|Longrightarrow|Longleftrightarrow)(?![A-Za-z])"), r"\\iff"),
    (re.compile(r"\\(?:long)?rightarrow(?![A-Za-z])"), r"\\to"),
    (re.compile(r"(\d)\\,(?=\d{3}(?!\d))"), r"\1{,}"),
)
_PHRASE = re.compile(  # several words as one name, unless they are the unit of a number
    r"\\(?:text|mathrm|textrm)\{\s*(?=[^{}]*[ /.()-])([A-Za-z]{3}[\w /.()-]*?)\s*\}"
)
_BEHIND = re.compile(r"[\d.}](?:\s|~|\\[,;:! ])*$")
_TEXT_UNIT = re.compile(r"(?<![_{])\\(?:text|mathrm|textrm|rm)\s*\{([^{}]*)\}")
_RUN = re.compile(r"(?<![A-Za-z_\\])[A-Za-z]{2,}(?![A-Za-z_])")
_UNIT = re.compile(
    r"(?P<gap>(?:\s|~|\\[,;: ]|-|&nbsp;)*)(?P<unit>\\?%|[A-Za-zµμ]{1,12}(?:/[A-Za-z]{1,8}){0,2})"
    r"(?![\w/$*])\s?(?P<next>[a-z]{0,12})"
)
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "M": 6, "B": 9, "T": 12}
_COUNTED = ("parameters", "params", "tokens", "weights", "parameter", "token")
_UNCLEAR = ("K", "k", "M", "B", "G", "T", "bit", "bits")  # 128K, 70B: a value that nobody can know
_BILLIONS = re.compile(
    r"\d(?:\s|~|\\[,;: ])*\\(?:text|mathrm|textrm)\s*\{\s*B(?:\s+[a-z]+)?\s*\}\s*$"
)
_OWN_UNIT = re.compile(r"[\d.,{}]+(?:\s|~|\\[,;: ])*\\(?:text|mathrm)\s*\{[^{}]{2,}\}\s*")
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
    units = {word for each in _TEXT_UNIT.findall(text) for word in re.findall("[A-Za-z]+", each)}
    known = {*names, *(set(letters) - units)}
    plain = text
    for pattern, replacement in _REWRITTEN:
        plain = pattern.sub(replacement, plain)
    parts, signs = split_sides(plain)
    parts = [_PHRASE.sub(_one_name, readable_units(part)) for part in parts]
    return Claim(text, tuple(_side(part, known, letters) for part in parts), tuple(signs))


def _one_name(match: re.Match[str]) -> str:
    """Several words as one name; behind a number they are its unit and stay."""
    if _BEHIND.search(match.string[max(0, match.start() - 20) : match.start()]):
        return match[0]
    return rf"\mathrm{{{re.sub('[^A-Za-z0-9]+', '_', match[1]).strip('_')}}}"


def _side(part: str, names: Collection[str], letters: Collection[str]) -> Side:
    """A run such as ``BshV`` is a product when the page uses each letter by itself."""
    if _OWN_UNIT.fullmatch(part) and is_measure(part):
        return read_side(part)
    product = "\\" not in part and any(set(run) <= set(letters) for run in _RUN.findall(part))
    return replace(read_side(part + r"\,", names), text=part) if product else read_side(part, names)


def letters_of(equations: Collection[Equation]) -> frozenset[str]:
    """The single letters that are symbols somewhere on the page."""
    found: set[str] = set()
    for whole in {equation.text for equation in equations}:
        for text, _ in pieces(whole):
            try:
                sides = read_page_claim(text, ()).sides
            except (SymcostError, RecursionError):
                continue
            found |= {s.name for side in sides for s in side.expr.free_symbols if len(s.name) == 1}
    return frozenset(found)


def definitions(
    equation: Equation, names: Collection[str] = (), letters: Collection[str] = ()
) -> Iterator[Definition]:
    r"""The definitions that a formula in the text states, with units that stand behind it.

    >>> [(d.name, d.value) for d in definitions(Equation("W = 3.35", 1, after=" TB/s"))]
    [(W, Fraction(3350000000000, 1))]

    Args:
        equation: the formula with the text that follows it.
        names: names that are one symbol.
        letters: letters that are symbols somewhere on the page.

    Yields:
        One definition for each name.
    """
    parts = [text for text, _ in pieces(equation.text)] if RELATION.search(equation.text) else []
    for text in parts:
        try:
            claim = read_page_claim(text, names, letters)
        except (SymcostError, RecursionError):
            continue
        factor = unit_after(text, equation.after) if text == parts[-1] else Fraction(1)
        if claim.is_chain and factor is not None:
            yield from _of(claim, factor)


def _of(claim: Claim, factor: Fraction) -> Iterator[Definition]:
    """``D = F = 8192`` defines two names, ``F = 4D = 16384`` one that has a number as well."""
    leading = next((i for i, side in enumerate(claim.sides) if not side.expr.is_Symbol), 0)
    if all(side.expr.is_Symbol for side in claim.sides):
        leading = len(claim.sides) - 1
    rough = "≈" in claim.signs[:leading]
    for side in claim.sides[:leading]:
        yield defined(side.expr, claim.sides[leading:], factor, rough)


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


def unit_after(text: str, after: str) -> Fraction | None:
    """What a number is to be multiplied by for the unit behind it; ``None`` when it is unclear.

    >>> [unit_after("W = 3", t) for t in (" TB/s, and", " layers", " million", "K tokens")]
    [Fraction(1000000000000, 1), Fraction(1, 1), Fraction(1000000, 1), None]
    """
    match = _UNIT.match(after)
    if match is None or not re.search(r"[\d}]\s*$", text):
        return Fraction(1)
    unit, following = match["unit"], match["next"]
    if unit in ("%", "\\%"):
        return Fraction(1, 100)
    if unit in _SCALES and (len(unit) > 1 or following in _COUNTED):
        return Fraction(10 ** _SCALES[unit])
    attached = not match["gap"]
    if unit in _UNCLEAR and (attached or len(unit) > 1 or following in _COUNTED):
        return None
    if len(unit) == 1 and unit not in _LETTER_UNITS:
        return Fraction(1)
    try:
        size, dimension = unit_size(unit)
    except SymcostError:
        return Fraction(1)
    return size if dimension else Fraction(1)
