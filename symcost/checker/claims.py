"""Reading a claim: a formula, a number with a unit, an inequality, a chain of equalities."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from numbers import Rational as Number
from numbers import Real
from typing import Generic, TypeVar

from sympy import Expr, Rational, Symbol
from sympy.core.relational import Relational

from symcost.algebra.exact import exact
from symcost.algebra.relation import Relation
from symcost.checker.rounding import agrees
from symcost.checker.values import evaluate
from symcost.errors import InvalidValueError, NotationError, SymcostError
from symcost.notation.formulas import read
from symcost.notation.kinds import role
from symcost.notation.latex_tokens import COMMANDS
from symcost.notation.limits import check_text
from symcost.notation.plain_tokens import SIGNS
from symcost.notation.unit_table import COUNTS, SUFFIXES
from symcost.notation.units import Dimension, Measure, Printed, read_measure, read_printed
from symcost.symbols import dim, rate

T = TypeVar("T")
U = TypeVar("U")
WORDS = {"never": "never", "always": "always"}
EQUALITIES = ("=", "≈")
INEQUALITIES = (">", ">=", "<", "<=")
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
_ONE_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_AMOUNT = re.compile(r"\s*[\d.,]+(?:\s*[A-Za-z])?\s+[A-Za-z]{2,}\s*")
_LETTER_AMOUNT = re.compile(r"\s*[\d.,]+(?:[eE][+-]?\d+)?\s+[A-Za-z]\s*")
_LETTER_UNIT = re.compile(r"[\d)]\s+[a-zA-Z]\s*$")  # (2 + 1) d
_STARTS = re.compile(r"[\s~≈$({+-]*(?:\\[,;:! ]\s*)*[\d.]")  # a number, perhaps with its unit
_TEXT = re.compile(r"\\(?:text|textrm|mathrm|rm)\s*\{[^{}]*\}")
_LAYOUT = re.compile(r"\\(?:left|right|displaystyle|,|;|!|quad|qquad)(?![A-Za-z])|&|\\\\")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a claim: an expression, and the digits and unit when it is a number.

    ``word`` is the unit behind a formula, as in ``2*B*D bytes``.
    """

    text: str
    expr: Expr
    measure: Measure | None = None
    word: str = ""

    @property
    def unit(self) -> str:
        """The unit as it stands there."""
        return self.measure.unit if self.measure else self.word

    @property
    def dimension(self) -> Dimension:
        """What the unit measures; nothing where there is none, or only things are counted."""
        if self.measure:
            return self.measure.dimension
        counted = not self.word.startswith(("FLOP", "byte"))
        return () if counted else read_measure(f"1 {self.word}").dimension

    @property
    def printed(self) -> Printed | None:
        """The number in base units with its digits."""
        return self.measure.printed if self.measure else None


@dataclass(frozen=True, slots=True)
class Branch(Generic[T]):
    """One case of a set: relations, and the conditions under which they are claimed.

    The alternatives are joined by "or", the relations of one by "and": none says never, one
    without relations always. ``otherwise`` marks what holds where no other branch applies.
    """

    alternatives: tuple[tuple[T, ...], ...]
    conditions: tuple[T, ...] = ()
    otherwise: bool = False

    @property
    def relations(self) -> tuple[T, ...]:
        """All of them."""
        return (*chain(*self.alternatives), *self.conditions)

    def map(self, change: Callable[[T], U]) -> Branch[U]:
        """The same case with every relation changed."""
        every = tuple(tuple(map(change, together)) for together in self.alternatives)
        return Branch(every, tuple(map(change, self.conditions)), self.otherwise)


@dataclass(frozen=True, slots=True)
class Claim:
    """The sides of a claim and the signs between them; ``word`` is "never" or "always".

    ``branches`` are the cases of a claimed set, ``B > 3*D if D > 4; otherwise never``, of which
    the sides are the first relation.
    """

    text: str
    sides: tuple[Side, ...]
    signs: tuple[str, ...] = ()
    word: str = ""
    branches: tuple[Branch[Claim], ...] = ()

    @property
    def is_chain(self) -> bool:
        """Whether it says that things are equal."""
        return bool(self.signs) and all(sign in EQUALITIES for sign in self.signs)

    @property
    def is_rule(self) -> bool:
        """Whether a set of values is claimed: an inequality, always, never."""
        return not self.sides or any(sign in INEQUALITIES for sign in self.signs)

    @property
    def is_inequality(self) -> bool:
        """Whether it is one inequality."""
        return len(self.signs) == 1 and self.signs[0] in INEQUALITIES

    def with_sides(self, change: Callable[[Side], Side]) -> Claim:
        """The claim with every side changed."""
        branches = (branch.map(lambda claim: claim.with_sides(change)) for branch in self.branches)
        return replace(self, sides=tuple(map(change, self.sides)), branches=tuple(branches))

    def introduces(self, known: Collection[Symbol]) -> bool:
        """Whether the first side is a name that nothing else has, ``MFU = ...``, and no product."""
        if len(self.sides) < 2:
            return False
        first = self.sides[0]
        letters = first.expr.free_symbols
        is_word = first.expr.is_Symbol or _ONE_WORD.fullmatch(first.text) is not None
        return is_word and bool(letters - set(known))

    @property
    def pairs(self) -> tuple[Claim, ...]:
        """Each inequality of a chain such as ``1 < x < 9`` by itself."""
        return tuple(self._slice(at, at + 1) for at in range(len(self.signs)))

    def parts(self) -> tuple[Claim, Claim, Claim]:
        """The chain before an inequality, the inequality, and the chain after it.

        ``B > C/W = 240`` says that ``B > C/W`` and that ``C/W = 240``.

        Raises:
            InvalidValueError: more than one inequality.
        """
        found = [i for i, sign in enumerate(self.signs) if sign in INEQUALITIES]
        if len(found) != 1 or not set(self.signs) <= {*EQUALITIES, *INEQUALITIES}:
            raise InvalidValueError(
                "a claim has at most one inequality", repair="check them one by one"
            )
        (at,) = found
        return self._slice(0, at), self._slice(at, at + 1), self._slice(at + 1, len(self.signs))

    def _slice(self, first: int, last: int) -> Claim:
        """The part from one side to another, with the signs between."""
        sides, signs = self.sides[first : last + 1], self.signs[first:last]
        texts = [sides[0].text]
        for sign, side in zip(signs, sides[1:], strict=True):
            texts += [sign, side.text]
        return Claim(" ".join(texts), sides, signs)


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
    if text.lower() in WORDS:
        return Claim(text, (), (), WORDS[text.lower()])
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

    word = WORDS.get(stated.strip(" .").lower())
    said = {"always": ((),), "never": (), None: ()}[word]
    return Branch(
        said if word else tuple(every(each) for each in _OR.split(stated)),
        tuple(each for part in conditions for each in every(part)),
        _OTHERWISE.match(text) is not None,
    )


def _relation(text: str, names: Collection[str]) -> Claim:
    parts, signs = split_sides(text)
    sides = [read_side(part, names) for part in parts]
    return Claim(text.strip(), tuple(sides), tuple(signs))


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


def bounding(claim: object, symbol: object) -> object:
    """``at least 296`` or ``≥ 296``, of a symbol: ``B >= 296``."""
    if symbol is None or not isinstance(claim, str):
        return claim
    said = _SAID.sub(_sign_of, claim).strip()
    first = _SIGN.match(said)
    return f"{symbol} {said}" if first and _SIGNS[first[0]] in INEQUALITIES else claim


def as_counts(claim: Claim) -> Claim:
    """``6 * 175B`` with its letters as counts, and without the words for what is counted.

    >>> as_counts(read_claim("6 * 175B * 300B = 3.15e23")).sides[0].expr
    315000000000000000000000
    """

    def spelled(found: re.Match[str]) -> str:
        letter = found["letter"]
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
