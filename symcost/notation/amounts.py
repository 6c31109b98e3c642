r"""Which words are units, and which letters behind a number count thousands.

A unit stands behind a number or a product that has one (``8 us``, ``2*p GB``, ``\text{GB}``). A
word that is used as a symbol elsewhere, or whose letters all are, is that symbol, unless it
stands in ``\text``. A letter alone is a unit only where nothing but an amount is said: ``70B`` is
70 billion, ``16 B`` 16 bytes, ``8 s`` 8 seconds, and ``2B`` in a formula is ``2*B``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from symcost.errors import NotationError
from symcost.notation.syntax import blank_of
from symcost.notation.tokens import (
    ENDS,
    Token,
    failure,
    is_call,
)
from symcost.notation.unit_table import (
    COUNTS,
    NUMBER_WORDS,
    SUFFIXES,
    Dimension,
    product_of,
    unit_size,
)

_Size = tuple[Fraction, Dimension]
SECONDS: Dimension = (("second", 1),)
_ONE_LETTER = {"B", "b", "s", "h", "d"}  # units
WORDS = frozenset({"WORD", "RUN", "TEXT"})
_TERM_ENDS = frozenset({"", "PLUS", "MINUS", "RPAR", "COMMA", "REL", "SLASH"})


@dataclass(slots=True)
class Level:
    """The inside of one bracket: whether it holds arguments, whether numbers."""

    called: bool = False
    number: bool = False  # anywhere inside
    product: bool = False  # in the product that is being read


class Amounts:
    """The numbers and units of one text; the words that are none are left to :class:`Words`.

    Args:
        text: the text that was scanned.
        declared: names that are one symbol.
        bare: whether an amount alone is expected, as on a side of a claim or for a value.
        own: the names that the text gives values to: no ``T`` is 15 of itself in ``T=15T``.
    """

    def __init__(
        self,
        text: str,
        declared: Collection[str] = (),
        *,
        bare: bool = False,
        own: Collection[str] = (),
    ) -> None:
        self.text = text
        self.own = own
        self.declared = frozenset(declared)
        self.bare = bare
        self.blank = blank_of(text)
        self.notes: dict[str, None] = {}
        self.tokens: Sequence[Token] = ()
        self.made: list[Token] = []
        self.used: frozenset[str] | None = None
        self.units = False

    def _note(self, text: str) -> None:
        self.notes[text] = None

    def _refuse(self, problem: str, token: Token, repair: str) -> NoReturn:
        raise failure(problem, self.text, token.start, token.end, repair)

    def _number(self, token: Token, at: int, level: Level) -> int:
        typed = token.value
        if "," in typed and level.called and "{" not in typed:
            problem = f"{typed!r} may be one number or several arguments"
            self._refuse(problem, token, "write a blank after the comma, or no comma")
        if "E" in typed:
            self._note(f"{typed} was read as the number {typed.replace('E', '*10^')}")
        starts = self.bare and self._starts_side()
        level.number = level.product = True
        self.made.append(token)
        return self._suffix(token, self.tokens[at], at, starts) if at < len(self.tokens) else at

    def _starts_side(self) -> bool:
        """Whether nothing but a sign stands between here and the last relation or comma."""
        made = self.made
        last = len(made) - 1
        while last >= 0 and made[last].kind in ("PLUS", "MINUS"):
            last -= 1
        return last < 0 or made[last].kind in ("REL", "COMMA")

    def _suffix(self, number: Token, token: Token, at: int, starts: bool) -> int:
        """``37k``, ``70B``: thousands, billions, in an amount and where no such symbol occurs."""
        letter = token.value
        if letter not in SUFFIXES or token.sub:
            return at
        alone = starts and self._ends_side(at + 1)
        is_apart = token.start != number.end and (letter == "B" or not alone)  # 16 B are bytes
        plain = token.kind != "TEXT" or letter == "B"
        if is_apart and plain and not self._is_counted(at + 1):
            return at
        if self._is_symbol(token) and letter not in self.own:
            if self.own and alone:  # where numbers are given, this may have been meant for one
                self._note(f"{number.value}{letter} was read as {number.value}*{letter}")
            return at
        if not alone and not self._in_amount(token, at + 1):
            return at
        size, word = SUFFIXES[letter]
        self._note(f"{number.value}{letter} was read as {number.value} {word}")
        self.made.append(token._replace(kind="UNIT", unit=(size, ())))
        return at + 1

    def _is_counted(self, at: int) -> bool:
        """``70 B parameters``, ``8.6 B FLOPs``: whether the name of what is counted stands here."""
        if self._kind(at) not in WORDS:
            return False
        size = self._size(self.tokens[at])
        named = len(self.tokens[at].value) > 2 and not self._is_symbol(self.tokens[at])
        return named and size is not None and size[1] in ((), (("FLOP", 1),))

    def _ends_side(self, at: int) -> bool:
        """Whether nothing but the name of what is counted follows, before a relation or comma."""
        counted = at < len(self.tokens) and self.tokens[at].value.lower() in COUNTS
        return counted or self._kind(at) in ("", "REL", "COMMA")

    def _in_amount(self, token: Token, at: int) -> bool:
        """``70B * 2``, ``1.4T FLOPs``: whether a number or a unit goes on, and no symbol."""
        kind = self._kind(at)
        if token.kind != "WORD" or kind in ("STAR", "SLASH"):
            behind = ("NUMBER", "LPAR") if kind == "SLASH" else ("NUMBER",)
            return token.kind == "WORD" and self._kind(at + 1) in behind
        if kind not in WORDS:
            return False
        word = self.tokens[at]
        return len(word.value) > 1 and not self._is_symbol(word) and self._size(word) is not None

    def _percent(self, token: Token) -> None:
        if not self.made or self.made[-1].kind not in ("NUMBER", "RPAR", "NAME"):
            self._refuse("% stands behind a number", token, "move it")
        self.made.append(token._replace(kind="UNIT", unit=(Fraction(1, 100), ())))

    def _spells(self, word: str) -> bool:
        """Whether the letters of an undeclared word are declared, so that it is their product."""
        return len(word) > 1 and all(letter in self.declared for letter in word)

    def _unit(self, token: Token, at: int, level: Level) -> _Size | None:
        """The size and dimension of a word that stands where a unit may."""
        before = self.made[-1].kind if self.made else ""
        if before not in ENDS or not self._may_be_unit(token, before, at, level):
            return None
        return self._size(token)

    def _size(self, token: Token) -> _Size | None:
        if token.sub:
            return None
        word = "us" if token.value == "mus" else token.value
        for shown in (word, *(word.split(" ")[:1] if token.kind == "TEXT" else ())):
            try:
                return unit_size(shown)
            except NotationError:
                continue
        return None

    def _may_be_unit(self, token: Token, before: str, at: int, level: Level) -> bool:
        word = token.value
        following = self.tokens[at].kind if at < len(self.tokens) else ""
        if word.lower() in COUNTS:
            ends = following in _TERM_ENDS or self.tokens[at].value == "per"
            ends |= following == "STAR" and self._kind(at + 1) == "NUMBER"  # 8 chips * 2 GB/chip
            return before in ("NUMBER", "UNIT") and ends and not self._is_symbol(token)
        if word in NUMBER_WORDS:
            return before == "NUMBER" and word not in self.declared
        if token.kind == "TEXT":
            return level.product or before in ("NUMBER", "UNIT") or following in _TERM_ENDS
        if self._is_symbol(token) or is_call(self.text, token.end):
            return False
        if following == "CARET":
            return False
        spaced = self._is_spaced(token)
        if len(word) == 1:
            return self._is_letter_unit(token, following, at, spaced)
        if before in ("NUMBER", "UNIT"):
            return True
        long = len(word) > 3 and following in _TERM_ENDS
        return spaced and (level.product or long)

    def _is_letter_unit(self, token: Token, following: str, at: int, spaced: bool) -> bool:
        """``16 B``, ``8 s``: where an amount is all there is, or a sum has other units."""
        is_per = at < len(self.tokens) and self.tokens[at].value == "per"
        ends = is_per or following in _TERM_ENDS
        if token.value not in _ONE_LETTER or not ends or not self._is_amount():
            return False
        if token.value == "s" and self.units and self.made[-1].kind != "RPAR":
            return True
        if following == "SLASH" and self._kind(at + 1) in WORDS:
            second = self.tokens[at + 1]
            ends = self._kind(at + 2) in _TERM_ENDS
            is_known = second.value == "s" or second.value.lower() in COUNTS
            return is_known and ends and not self._is_symbol(second) and spaced
        if spaced and not self.used and (token.value == "s" or self._is_duration()):
            return True  # all that is said is an amount
        return self.bare and (is_per or following in ("", "REL", "COMMA"))

    def _is_duration(self) -> bool:
        """``1 h + 3 min``: whether a longer word of the text is a unit of time."""
        long = (token for token in self.tokens if token.kind in WORDS and len(token.value) > 1)
        return any((size := self._size(token)) and size[1] == SECONDS for token in long)

    def _is_spaced(self, token: Token) -> bool:
        return self.blank.search(self.text, self.made[-1].end, token.start) is not None

    def _is_amount(self) -> bool:
        """Whether a number stands before, or a bracket with nothing but numbers and units."""
        depth = 0
        for token in reversed(self.made):
            depth += (token.kind == "RPAR") - (token.kind == "LPAR")
            if token.kind == "NAME":
                return False
            if depth <= 0:
                return token.kind in ("NUMBER", "UNIT", "LPAR")
        return False

    def _is_symbol(self, token: Token) -> bool:
        """Whether the word, or each of its letters, is a symbol here or in another text."""
        word = token.value
        if word in self.declared or self._spells(word):
            return True
        if self.used is None:
            self.used = frozenset(_used(self.tokens))
        known = self.used | self.declared
        return word in known or all(letter in known for letter in word)

    def _with_divisors(self, token: Token, unit: _Size, at: int) -> int:
        """The unit with what it is divided by, ``GB/s``, ``FLOP/s/chip``, ``TB per s``."""
        size, dimension = unit
        text, end = token.value, token.end
        while at + 1 < len(self.tokens):
            sign, word = self.tokens[at], self.tokens[at + 1]
            per = (sign.kind == "SLASH" and sign.value == "/") or sign.value == "per"
            if not per or word.kind not in WORDS:
                break
            if (word.kind != "TEXT" and self._is_symbol(word)) or is_call(self.text, word.end):
                break
            under = self._size(word)
            if under is None or self._kind(at + 2) == "CARET":
                break
            size, dimension = size / under[0], product_of([dimension], under[1])
            text, end = f"{text}/{word.value}", word.end
            at += 2
        if splits(token.value) and len(token.value) == 2 and self.made[-1].end == token.start:
            shown = self.text[self.made[-1].start : token.end]
            self._note(f"{shown} was read with the unit {token.value}")
        self.units = True
        self.made.append(Token("UNIT", text, token.start, end, "", (size, dimension)))
        return at

    def _kind(self, at: int) -> str:
        return self.tokens[at].kind if at < len(self.tokens) else ""


def _used(tokens: Sequence[Token]) -> Iterator[str]:
    """The letters and words that stand where no unit can, so are symbols."""
    before, candidate = "", False  # whether the word before may be a unit, as the GB of GB/s
    for token in tokens:
        kind = token.kind
        if kind in ("WORD", "RUN"):
            may_be_unit = before in ENDS | WORDS or (before == "SLASH" and candidate)
            if not may_be_unit:
                yield token.value
                if splits(token.value) or kind == "RUN":
                    yield from token.value
            candidate = may_be_unit
        elif kind == "NAME":
            yield token.value
        if kind != "SLASH" and kind not in WORDS:
            candidate = False
        elif kind == "TEXT":
            candidate = True
        before = kind


def splits(word: str) -> bool:
    """Whether an undeclared word is a product of its letters: a run of capitals."""
    return len(word) > 1 and word.isascii() and word.isalpha() and word.isupper()
