r"""Which word is a name, a function, a unit, or a product of letters: decided once, here.

A declared name is one symbol; a word with a lower-case letter, a digit or an underscore is one
symbol, too; a run of capitals that is not declared is a product of its letters (``2BDF`` is
``2*B*D*F``), as are the adjacent letters of LaTeX.

A unit stands behind a number or a product that has one (``8 us``, ``2*p GB``, ``\text{GB}``). A
word that is used as a symbol elsewhere, or whose letters all are, is that symbol, unless it
stands in ``\text``. A letter alone is a unit only where a bare amount is expected: ``70B`` is 70
billion, ``16 B`` 16 bytes, ``8 s`` 8 seconds, and ``2B`` in a formula is ``2*B``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symcost.errors import NotationError
from symcost.notation.plain_tokens import bad_character
from symcost.notation.syntax import blank_of
from symcost.notation.tokens import (
    BEGINS,
    ENDS,
    FUNCTIONS,
    GREEK,
    INFINITIES,
    Token,
    check_name,
    failure,
    function_token,
    is_call,
    nested,
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
_PART = re.compile(r"[A-Za-z][0-9]*")
_GREEK = "[" + "".join(GREEK) + "]"
_PIECE = re.compile(rf"(?P<greek>{_GREEK}(?:_?[0-9]+|_[A-Za-z0-9_]+)?)|[A-Za-z_][A-Za-z0-9_]*|.")
_ONE_LETTER = {"B", "b", "s", "h", "d"}  # units
_WORDS = frozenset({"WORD", "RUN", "TEXT"})
_KNOWN = "brackets, max, min, ceil, floor, log, exp, sqrt"
_CONDITIONS = frozenset({"if", "when", "unless", "where", "provided", "for", "or", "else"})
_TERM_ENDS = frozenset({"", "PLUS", "MINUS", "RPAR", "COMMA", "REL", "SLASH"})


class Words:
    """The words of one text, with the names that are declared for it.

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

    def read(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with every word told apart; brackets are checked."""
        self.tokens = [token for token, _ in nested(tokens, self.text)]
        self.made = []
        levels = [_Level()]
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if token.kind in _WORDS:
                at = self._word(token, at, levels[-1])
            elif token.kind == "PERCENT":
                self._percent(token)
            elif token.kind == "NUMBER":
                at = self._number(token, at, levels[-1])
            elif token.kind == "BAD":
                raise bad_character(self.text, token.start, "formula", _KNOWN)
            else:
                self._sign(token, levels)
                self.made.append(token)
        return self.made

    # -- brackets and what a product holds ------------------------------------------------

    def _sign(self, token: Token, levels: list[_Level]) -> None:
        kind = token.kind
        if kind == "LPAR":
            levels.append(_Level(called=bool(self.made) and self.made[-1].kind == "FUNC"))
        elif kind == "RPAR":
            inner = levels.pop()
            levels[-1].product |= inner.number
        elif kind == "COMMA" and len(levels) > 1 and not levels[-1].called:
            problem = "a comma stands only between the arguments of max and min"
            raise failure(problem, self.text, token.start, token.end, "remove it")
        elif kind in ("PLUS", "MINUS", "COMMA", "REL"):
            levels[-1].product = False

    # -- numbers --------------------------------------------------------------------------

    def _number(self, token: Token, at: int, level: _Level) -> int:
        found = token.value
        if "," in found and level.called and "{" not in found:
            problem = f"{found!r} may be one number or several arguments"
            repair = "write a blank after the comma, or no comma"
            raise failure(problem, self.text, token.start, token.end, repair)
        if "E" in found:
            self._note(f"{found} was read as the number {found.replace('E', '*10^')}")
        starts = self._starts_side()
        level.number = level.product = True
        self.made.append(token)
        if at < len(self.tokens):
            return self._suffix(token, self.tokens[at], at, starts and self.bare)
        return at

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
        tight = token.start == number.end
        if not tight or letter not in SUFFIXES or token.sub:
            return at
        if self._is_symbol(token) and letter not in self.own:
            return at
        if not (starts and self._ends_side(at + 1)) and not self._in_amount(token, at + 1):
            return at
        size, word = SUFFIXES[letter]
        self._note(f"{number.value}{letter} was read as {number.value} {word}")
        self.made.append(token._replace(kind="UNIT", unit=(size, ())))
        return at + 1

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
        if kind not in _WORDS:
            return False
        word = self.tokens[at]
        return len(word.value) > 1 and not self._is_symbol(word) and self._size(word) is not None

    def _percent(self, token: Token) -> None:
        if not self.made or self.made[-1].kind not in ("NUMBER", "RPAR", "NAME"):
            raise failure("% stands behind a number", self.text, token.start, token.end, "move it")
        self.made.append(token._replace(kind="UNIT", unit=(Fraction(1, 100), ())))

    # -- words ----------------------------------------------------------------------------

    def _word(self, token: Token, at: int, level: _Level) -> int:
        check_name(token.value, self.text, token.start)
        unit = self._unit(token, at, level)
        if unit is not None:
            return self._with_divisors(token, unit, at)
        if token.kind == "RUN":
            self._run(token)
        elif token.kind == "TEXT":
            self._named_text(token)
        else:
            self._plain(token)
        return at

    def _name(self, name: str, start: int, end: int) -> None:
        self.made.append(Token("NAME", name, start, end))

    def _note(self, text: str) -> None:
        self.notes[text] = None

    def _plain(self, token: Token) -> None:
        """One symbol, a function, or the letters of a run of capitals that is not declared."""
        word, start, end = token.value, token.start, token.end
        if "{" in self.text[start:end]:
            stem, _, sub = word.partition("_")
            word = self._joined(stem, f"_{sub}")
        raw = re.sub(r"[{}]", "", self.text[start:end])
        self._refuse_prose(token, raw)
        if word == "mus" and raw[0] == "\\":  # \\mu s behind no number
            self._name("mu", start, start + 3)
            self._name("s", end - 1, end)
        elif word in self.declared or raw in self.declared:
            self._name(word, start, end)
        elif word.lower() in INFINITIES or word == "oo":
            self.made.append(Token("INF", word, start, end))
        elif not raw.isascii() and set(raw) & set(GREEK):
            self._greek(raw, start)
        elif (function := function_token(word, self.text, start, end)) is not None:
            self.made.append(function)
        elif splits(word) or self._spells(word):
            self._letters(word, start, end)
        elif word.startswith("_") or word.endswith("_"):
            repair = "a name starts with a letter and ends with a letter or digit, as T_math"
            raise failure(f"{word!r} is no name", self.text, start, end, repair)
        elif word.islower() and len(word) > 1 and self.text[end : end + 1] == "(":
            repair = (
                f"known are max, min, ceil, floor, log, exp, sqrt; for a product write {word}*("
            )
            raise failure(f"{word!r} is no function here", self.text, start, end, repair)
        else:
            self._name(word, start, end)

    def _refuse_prose(self, token: Token, raw: str) -> None:
        """``x > 100 if D > 3`` and ``O(B*D)`` are no products."""
        word, start, end = token.value, token.start, token.end
        if word in self.declared:
            return
        if (
            word in _CONDITIONS
            and self.made
            and self.blank.search(self.text, self.made[-1].end, start)
        ):
            repair = 'give what is assumed apart, as --assume "D > 3"'
            raise failure(f"{word!r} is no symbol here", self.text, start, end, repair)
        if raw in ("O", "Θ", "Ω") and self.text[end : end + 1] == "(":
            problem, repair = f"{raw}(...) is an order of growth, no formula", f"write {word}*( for"
            raise failure(problem, self.text, start, end, f"{repair} a product")

    def _letters(self, word: str, start: int, end: int) -> None:
        if self.made and self.made[-1].kind == "CARET":
            problem = f"it is unclear whether all of {word!r} is the exponent"
            raise failure(problem, self.text, start, end, f"write ^({'*'.join(word)})")
        self._note(f"{word} was read as {'*'.join(word)}")
        for index, letter in enumerate(word, start):
            self._name(letter, index, index + 1)

    def _greek(self, raw: str, start: int) -> None:
        """``αB`` is alpha*B; a word with other letters (``größe``) is one name."""
        for piece in _PIECE.finditer(raw):
            begin, end = start + piece.start(), start + piece.end()
            if piece["greek"]:
                greek = piece.group()
                self._name(GREEK[greek[0]] + greek[1:], begin, end)
            else:
                self._plain(Token("WORD", piece.group(), begin, end))

    def _run(self, token: Token) -> None:
        """A declared name, or a product of letters, each with the digits behind it."""
        run, start = token.value, token.start
        if run in self.declared or run + token.sub in self.declared:
            self._name(run + token.sub, start, token.end)
            return
        if run == "oo":  # typed in the midst of LaTeX
            self.made.append(Token("INF", run, start, token.end))
            return
        parts = list(_PART.finditer(run))
        if len(parts) > 1 and not run.isupper():
            product = "*".join(part.group() for part in parts)
            self._note(rf"{run} was read as {product}; one name is \text{{{run}}}")
        for part in parts[:-1]:
            self._name(part.group(), start + part.start(), start + part.end())
        name = self._joined(parts[-1].group(), token.sub)
        self._name(name, start + parts[-1].start(), token.end)

    def _joined(self, stem: str, sub: str) -> str:
        """The name of ``W_{1}``, which is how W1 is printed, too."""
        is_other = stem + sub not in self.declared and stem + sub[1:] in self.declared
        return stem + (sub[1:] if is_other else sub)

    def _named_text(self, token: Token) -> None:
        word = re.sub(r"[ ,\-_]+", "_", token.value)
        start, end = token.start, token.end
        if word not in self.declared:
            if word.lower() in FUNCTIONS and (
                function := function_token(word, self.text, start, end)
            ):
                self.made.append(function)
                return
            if word.lower() in INFINITIES:
                self.made.append(Token("INF", word, start, end))
                return
        if re.fullmatch(r"\w+", word) is None:
            repair = r"write for example \text{hbm}, and units behind a number"
            raise failure("a word in braces is expected", self.text, start, end, repair)
        self._name(word, start, end)

    def _spells(self, word: str) -> bool:
        """Whether the letters of an undeclared word are declared, so that it is their product."""
        return len(word) > 1 and all(letter in self.declared for letter in word)

    # -- units ----------------------------------------------------------------------------

    def _unit(self, token: Token, at: int, level: _Level) -> _Size | None:
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

    def _may_be_unit(self, token: Token, before: str, at: int, level: _Level) -> bool:
        word = token.value
        following = self.tokens[at].kind if at < len(self.tokens) else ""
        if word.lower() in COUNTS:
            ends = following in _TERM_ENDS
            return before in ("NUMBER", "UNIT") and ends and not self._is_symbol(token)
        if word in NUMBER_WORDS:
            return before == "NUMBER" and word not in self.declared
        if token.kind == "TEXT":
            return level.product or before in ("NUMBER", "UNIT") or following in _TERM_ENDS
        if self._is_symbol(token) or is_call(self.text, token.end):
            return False
        if following == "CARET":
            return False
        spaced = self.blank.search(self.text, self.made[-1].end, token.start) is not None
        if len(word) == 1:
            return self._is_letter_unit(token, following, at, spaced)
        if before in ("NUMBER", "UNIT"):
            return True
        long = len(word) > 3 and following in _TERM_ENDS
        return spaced and (level.product or long)

    def _is_letter_unit(self, token: Token, following: str, at: int, spaced: bool) -> bool:
        """``16 B``, ``8 s``: where an amount is all there is, or a sum has other units."""
        if token.value not in _ONE_LETTER or following not in _TERM_ENDS or not self._is_amount():
            return False
        if token.value == "s" and self.units and self.made[-1].kind != "RPAR":
            return True
        if following == "SLASH" and self._kind(at + 1) in _WORDS:
            second = self.tokens[at + 1]
            ends = self._kind(at + 2) in _TERM_ENDS
            return second.value == "s" and ends and not self._is_symbol(second) and spaced
        if spaced and not self.used and token.value == "s":  # all that is said is an amount
            return True
        return self.bare and following in ("", "REL", "COMMA")

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
            if not per or word.kind not in _WORDS:
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


@dataclass(slots=True)
class _Level:
    """The inside of one bracket: whether it holds arguments, whether numbers."""

    called: bool = False
    number: bool = False  # anywhere inside
    product: bool = False  # in the product that is being read


def _used(tokens: Sequence[Token]) -> Iterator[str]:
    """The letters and words that stand where no unit can, so are symbols."""
    before, candidate = "", False  # whether the word before may be a unit, as the GB of GB/s
    for token in tokens:
        kind = token.kind
        if kind in ("WORD", "RUN"):
            may_be_unit = before in ENDS | _WORDS or (before == "SLASH" and candidate)
            if not may_be_unit:
                yield token.value
                if splits(token.value) or kind == "RUN":
                    yield from token.value
            candidate = may_be_unit
        elif kind == "NAME":
            yield token.value
        if kind != "SLASH" and kind not in _WORDS:
            candidate = False
        elif kind == "TEXT":
            candidate = True
        before = kind


def splits(word: str) -> bool:
    """Whether an undeclared word is a product of its letters: a run of capitals."""
    return len(word) > 1 and word.isascii() and word.isalpha() and word.isupper()


def division_notes(tokens: Sequence[Token], text: str, blank: re.Pattern[str]) -> Iterator[str]:
    """How each ``/`` was read that stands before a product without a sign."""
    for index, token in enumerate(tokens):
        if token.kind != "SLASH" or token.value != "/":
            continue
        end, tight = _operand(tokens, index + 1, text, blank)
        inner = text[token.end : tokens[end - 1].end].strip()
        inner = inner if len(inner) <= 60 else f"{inner[:57]}..."
        if end < len(tokens) and tokens[end].kind in BEGINS:
            yield f"only {inner} is under the / in '/ {inner} {tokens[end].value}...'"
        elif tight:
            yield f"/{inner} was read as /({inner})"


def _operand(
    tokens: Sequence[Token], index: int, text: str, blank: re.Pattern[str]
) -> tuple[int, bool]:
    """Where what stands under a ``/`` ends, and whether it is a product without a sign."""
    depth, tight, start = 0, False, index
    while index < len(tokens):
        kind = tokens[index].kind
        if depth == 0 and index > start and tokens[index - 1].kind in ENDS and kind in BEGINS:
            if blank.search(text, tokens[index - 1].end, tokens[index].start):
                break
            tight = True
        depth += (kind == "LPAR") - (kind == "RPAR")
        if depth < 0 or (depth == 0 and kind in ("PLUS", "MINUS", "STAR", "SLASH", "COMMA", "REL")):
            break
        index += 1
    return index, tight
