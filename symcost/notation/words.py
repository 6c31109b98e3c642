r"""Which word is a name, a function, a unit, or a product of letters: decided once, here.

A declared name is one symbol; a word with a lower-case letter, a digit or an underscore is one
symbol, too; a run of capitals that is not declared is a product of its letters (``2BDF`` is
``2*B*D*F``), as are the adjacent letters of LaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symcost.notation.amounts import WORDS, Amounts, Level, splits
from symcost.notation.plain_tokens import bad_character
from symcost.notation.tokens import (
    BEGINS,
    ENDS,
    FUNCTIONS,
    GREEK,
    INFINITIES,
    Token,
    function_token,
    nested,
)

_PART = re.compile(r"[A-Za-z][0-9]*")
_GREEK = "[" + "".join(GREEK) + "]"
_PIECE = re.compile(rf"(?P<greek>{_GREEK}(?:_?[0-9]+|_[A-Za-z0-9_]+)?)|[A-Za-z_][A-Za-z0-9_]*|.")
_FUNCTIONS = "max, min, ceil, floor, log, exp, sqrt"
_CONDITIONS = frozenset({"if", "when", "unless", "where", "provided", "for", "or", "else"})


class Words(Amounts):
    """The words of one text, with the names that are declared for it."""

    def read(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with every word told apart; brackets are checked."""
        self.tokens = [token for token, _ in nested(tokens, self.text)]
        self.made = []
        levels = [Level()]
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if token.kind in WORDS:
                at = self._word(token, at, levels[-1])
            elif token.kind == "PERCENT":
                self._percent(token)
            elif token.kind == "NUMBER":
                at = self._number(token, at, levels[-1])
            elif token.kind == "BAD":
                raise bad_character(self.text, token.start, "formula", f"brackets, {_FUNCTIONS}")
            else:
                self._sign(token, levels)
                self.made.append(token)
        return self.made

    # -- brackets and what a product holds ------------------------------------------------

    def _sign(self, token: Token, levels: list[Level]) -> None:
        kind = token.kind
        if kind == "LPAR":
            levels.append(Level(called=bool(self.made) and self.made[-1].kind == "FUNC"))
        elif kind == "RPAR":
            inner = levels.pop()
            levels[-1].product |= inner.number
        elif kind == "COMMA" and len(levels) > 1 and not levels[-1].called:
            problem = "a comma stands only between the arguments of max and min"
            self._refuse(problem, token, "remove it, or write max(a, b)")
        elif kind in ("PLUS", "MINUS", "COMMA", "REL"):
            levels[-1].product = False

    # -- words ----------------------------------------------------------------------------

    def _word(self, token: Token, at: int, level: Level) -> int:
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

    def _is_function_or_infinity(self, word: str, token: Token) -> bool:
        """Make the token of such a word, if it is one."""
        if word.lower() in INFINITIES or word == "oo":
            self.made.append(Token("INF", word, token.start, token.end))
            return True
        function = function_token(word, self.text, token.start, token.end)
        self.made += [function] if function else []
        return function is not None

    def _plain(self, token: Token) -> None:
        """One symbol, a function, or the letters of a run of capitals that is not declared."""
        word, start, end = token.value, token.start, token.end
        if "{" in self.text[start:end]:
            stem, _, sub = word.partition("_")
            word = self._joined(stem, f"_{sub}")
        raw = re.sub(r"[{}]", "", self.text[start:end])
        if word == "mus" and raw[0] == "\\":  # \\mu s behind no number
            self._name("mu", start, start + 3)
            self._name("s", end - 1, end)
        elif word in self.declared or raw in self.declared:
            self._name(word, start, end)
        elif self._is_prose(token, raw):
            repair = 'give what is assumed apart, as --assume "D > 3"'
            self._refuse(f"{word!r} is no symbol here", token, repair)
        elif raw in ("O", "Θ", "Ω") and self.text[end : end + 1] == "(":
            repair = f"write {word}*( for a product"
            self._refuse(f"{raw}(...) is an order of growth, no formula", token, repair)
        elif not raw.isascii() and set(raw) & set(GREEK):
            self._greek(raw, start)
        elif self._is_function_or_infinity(word, token):
            pass
        elif splits(word) or self._spells(word):
            self._letters(word, token)
        elif word.startswith("_") or word.endswith("_"):
            repair = "a name starts with a letter and ends with a letter or digit, as T_math"
            self._refuse(f"{word!r} is no name", token, repair)
        elif word.islower() and len(word) > 1 and self.text[end : end + 1] == "(":
            repair = f"{_FUNCTIONS}; for a product write {word}*("
            self._refuse(f"{word!r} is no function here", token, f"known are {repair}")
        else:
            self._name(word, start, end)

    def _is_prose(self, token: Token, raw: str) -> bool:
        """Whether it is the ``if`` of ``x > 100 if D > 3``."""
        return raw in _CONDITIONS and bool(self.made) and self._is_spaced(token)

    def _letters(self, word: str, token: Token) -> None:
        if self.made and self.made[-1].kind == "CARET":
            problem = f"it is unclear whether all of {word!r} is the exponent"
            self._refuse(problem, token, f"write ^({'*'.join(word)})")
        self._note(f"{word} was read as {'*'.join(word)}")
        for index, letter in enumerate(word, token.start):
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
        *front, last = _PART.finditer(run)
        if front and not run.isupper():
            product = "*".join(part.group() for part in (*front, last))
            self._note(rf"{run} was read as {product}; one name is \text{{{run}}}")
        for part in front:
            self._name(part.group(), start + part.start(), start + part.end())
        self._name(self._joined(last.group(), token.sub), start + last.start(), token.end)

    def _joined(self, stem: str, sub: str) -> str:
        """The name of ``W_{1}``, which is how W1 is printed, too."""
        is_other = stem + sub not in self.declared and stem + sub[1:] in self.declared
        return stem + (sub[1:] if is_other else sub)

    def _named_text(self, token: Token) -> None:
        word = re.sub(r"[ ,\-_]+", "_", token.value)
        if re.fullmatch(r"\w+", word) is None:
            repair = r"write for example \text{hbm}, and units behind a number"
            self._refuse("a word in braces is expected", token, repair)
        known = word.lower() in FUNCTIONS or word.lower() in INFINITIES
        if word in self.declared or not known or not self._is_function_or_infinity(word, token):
            self._name(word, token.start, token.end)


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
