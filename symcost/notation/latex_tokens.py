r"""The scanner of LaTeX formulas: ``\frac{2BDF}{W_\text{hbm}}``, ``\max\left(a, b\right)``.

It makes the same tokens as the scanner of plain text: ``\frac{a}{b}`` becomes ``((a)/(b))``.
"""

from __future__ import annotations

import re

from symcost.notation.limits import DEPTH_LIMIT
from symcost.notation.plain_tokens import NUMBER, SIGNS, any_of, bad_character, check_number
from symcost.notation.tokens import FUNCTIONS, GREEK, Token, check_name, failure, function_token

GREEK_NAMES = frozenset(GREEK.values()) | {"varepsilon", "vartheta", "varphi", "varrho"}
_TEXT = "text textrm textit textbf textsf texttt mathrm mathit mathbf mathsf mathtt operatorname"
WORDS = frozenset(_TEXT.split())
_LAYOUT = (
    "left right big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr Biggl Biggr"
    " displaystyle textstyle quad qquad limits nolimits thinspace boxed fbox"
)
SKIPPED = frozenset(_LAYOUT.split())
COMMANDS = {
    **dict.fromkeys(("cdot", "times", "ast", "bullet"), ("STAR", "*")),
    **{"div": ("SLASH", "/"), "infty": ("INF", "oo"), "%": ("PERCENT", "%")},
    **{"{": ("LPAR", "{"), "lbrace": ("LPAR", "{"), "}": ("RPAR", "}"), "rbrace": ("RPAR", "}")},
    **{"lbrack": ("LPAR", "["), "rbrack": ("RPAR", "]")},
    **{"rceil": ("RPAR", "⌉"), "rfloor": ("RPAR", "⌋")},
    **dict.fromkeys(("ll", "lll"), ("REL", "<<")),
    **dict.fromkeys(("gg", "ggg"), ("REL", ">>")),
    **dict.fromkeys(("to", "rightarrow", "longrightarrow"), ("REL", "->")),
    **dict.fromkeys(("approx", "sim", "simeq"), ("REL", "≈")),
    **dict.fromkeys(("le", "leq", "leqslant"), ("REL", "<=")),
    **dict.fromkeys(("ge", "geq", "geqslant"), ("REL", ">=")),
    **{"lt": ("REL", "<"), "gt": ("REL", ">"), "eq": ("REL", "="), "equiv": ("REL", "=")},
    **dict.fromkeys(("implies", "iff", "Rightarrow"), ("THEN", "=>")),
}
_KNOWN = r"\frac, \max, \sqrt, \log, \text{...}"
_SKIP = re.compile(r"(?:[\s~&$]|\\[,:;!> \\\[\]()])+")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)\*?|(.))", re.DOTALL)
_NUMBER = re.compile(
    rf"[0-9]{{1,3}}(?:(?:\{{,\}}|\\,|,)[0-9]{{3}})+(?![0-9])(?:\.[0-9]+)?|{NUMBER}"
)
_LETTERS = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_WORD = re.compile(r"\{\s*([^{}\\$]{1,200})\}")
_NAME = re.compile(r"[^\W_][\w ,\-]*\Z")
_INNER = r"\{\s*([^\W_][\w ,\-]*)\}"
_WORDS = rf"\\(?:{'|'.join(WORDS)})\s*{_INNER}"
_SUBSCRIPT = re.compile(
    rf"\{{\s*{_WORDS}\s*\}}|{_WORDS}|{_INNER}|([A-Za-z0-9])"
    r"|\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+)"
)
_LISTED = re.compile(r"\{((?:[^{},]|\{[^{}]*\})+(?:,(?:[^{},]|\{[^{}]*\})+)+)\}")
_SIGN = re.compile(any_of(SIGNS))
_MICRO = re.compile(r"\\mu\s*(?:\\(?:text|mathrm|textrm)\s*\{\s*s\s*\}|s(?![A-Za-z0-9_^]))")


def scan_latex(text: str) -> list[Token]:
    """The tokens of a LaTeX text.

    Raises:
        NotationError: a command or character that is not known.
    """
    scanner = _Scanner(text)
    tokens: list[Token] = []
    while scanner.skip():
        tokens += scanner.item(tokens[-1].kind if tokens else "")
    return tokens


class _Scanner:
    """A place in the text; each method takes what stands there and moves on."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def skip(self) -> bool:
        """Pass over blanks; whether anything is left."""
        blank = _SKIP.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.at < len(self.text)

    def item(self, before: str = "") -> list[Token]:
        """The tokens of one number, run of letters, command or sign."""
        if micro := _MICRO.match(self.text, self.at):
            self.at = micro.end()
            return [Token("WORD", "mus", micro.start(), self.at)]
        if command := _COMMAND.match(self.text, self.at):
            return self._command(command)
        if number := _NUMBER.match(self.text, self.at):
            return [self._number(number, before)]
        if letters := _LETTERS.match(self.text, self.at):
            self.at = letters.end()
            return [self._subscripted("RUN", letters.group(), letters.start())]
        if sign := _SIGN.match(self.text, self.at):
            self.at = sign.end()
            return [Token(*SIGNS[sign.group()], sign.start(), self.at)]
        return self._letter()

    def _letter(self) -> list[Token]:
        start, character = self.at, self.text[self.at]
        self.at += 1
        if character in GREEK:
            return [self._subscripted("NAME", GREEK[character], start)]
        raise bad_character(self.text, start, "LaTeX formula", _KNOWN)

    def _number(self, match: re.Match[str], before: str) -> Token:
        if before == "CARET" and len(match.group()) > 1:
            repair = f"write ^{{{match.group()}}}"
            problem = "^ takes one digit only in LaTeX"
            raise failure(problem, self.text, match.start(), match.end(), repair)
        self.at = match.end()
        check_number(match.group(), self.text, match.start(), self.at)
        return Token("NUMBER", match.group(), match.start(), self.at)

    def _subscripted(self, kind: str, word: str, start: int) -> Token:
        """A word with its subscript when one follows; that of a RUN belongs to its last letter."""
        check_name(word, self.text, start)
        end = self.at
        sub = ""
        if self.skip() and self.text[self.at] == "_":
            self.at += 1
            sub = f"_{self._subscript(start)}"
        else:
            self.at = end
        if kind == "RUN":
            return Token(kind, word, start, self.at, sub)
        return Token(kind, word + sub, start, self.at)

    def _subscript(self, start: int) -> str:
        repair = r"write for example T_{math} or W_\text{hbm}"
        if not self.skip():
            raise failure("the subscript is missing", self.text, start, self.at, repair)
        if listed := _LISTED.match(self.text, self.at):
            return self._several(listed)
        wrapped = _SUBSCRIPT.match(self.text, self.at)
        inner = next(filter(None, wrapped.groups()), "") if wrapped else ""
        greek = wrapped is not None and wrapped.lastindex in (5, 6)
        if wrapped is None or (greek and inner not in GREEK_NAMES):
            raise failure("a subscript is one word", self.text, self.at, self.at + 1, repair)
        self.at = wrapped.end()
        return _underscored(inner)

    def _several(self, listed: re.Match[str]) -> str:
        r"""``{\text{math},\text{hbm}}``: each of a list is a subscript by itself."""
        indices = []
        for piece in re.finditer(r"[^,]+", listed.group(1)):
            inner = _Scanner(f"{{{piece.group()}}}")
            indices.append(inner._subscript(0))
        self.at = listed.end()
        return "_".join(indices)

    def _command(self, match: re.Match[str]) -> list[Token]:
        name, start = match.group(1) or match.group(2), match.start()
        self.at = match.end()
        if name in SKIPPED:
            return []
        if name in COMMANDS:
            return [Token(*COMMANDS[name], start, self.at)]
        if name in ("lceil", "lfloor"):
            opener = Token("LPAR", "⌈" if name == "lceil" else "⌊", start, self.at)
            return [Token("FUNC", name[1:], start, start), opener]
        if name in ("frac", "dfrac", "tfrac"):
            return self._fraction(start)
        if name == "sqrt":
            return self._root(start)
        if name in GREEK_NAMES:
            return [self._subscripted("NAME", name.removeprefix("var"), start)]
        if name in WORDS:
            return [self._word(start)]
        return [self._function(name, start)]

    def _word(self, start: int) -> Token:
        r"""A name in ``\text``, or a unit such as ``\text{GB/s}`` that is told apart later."""
        self.skip()
        word = _WORD.match(self.text, self.at)
        if word is None or not (word.group(1)[0].isalpha() or word.group(1)[0] == "%"):
            repair = r"write for example \text{hbm}"
            raise failure("a word in braces is expected", self.text, start, self.at, repair)
        self.at = word.end()
        inner = word.group(1).strip()
        if _NAME.match(inner) is None:
            return Token("TEXT", inner, start, self.at)
        return self._subscripted("TEXT", inner if " " in inner else _underscored(inner), start)

    def _function(self, name: str, start: int) -> Token:
        base = re.compile(r"\s*_\s*(?:\{\s*(2|10)\s*\}|(2))").match(self.text, self.at)
        if name == "log" and base:
            self.at = base.end()
            name += base.group(1) or base.group(2)
        token = function_token(name, self.text, start, self.at) if name in FUNCTIONS else None
        if token is None:
            problem = f"unknown command {self.text[start : self.at]!r}"
            repair = r"known are \frac, \cdot, \times, \text, \max, \min, \lceil, \log, \exp, \sqrt"
            raise failure(problem, self.text, start, self.at, f"{repair} and Greek letters")
        return token

    def _fraction(self, start: int) -> list[Token]:
        top, bottom = self._argument(start), self._argument(start)
        slash = Token("SLASH", "frac", start, self.at)
        return self._grouped([*top, slash, *bottom], start)

    def _root(self, start: int) -> list[Token]:
        """``sqrt(x)``, or ``x ^ (1/n)`` when an index is given."""
        index = re.compile(r"\s*\[\s*([0-9]{1,2})\s*\]").match(self.text, self.at)
        if index is None:
            return [Token("FUNC", "sqrt", start, self.at), *self._argument(start)]
        self.at = index.end()
        kinds = (("NUMBER", "1"), ("SLASH", "frac"), ("NUMBER", index.group(1)))
        degree = [Token(kind, value, *index.span(1)) for kind, value in kinds]
        caret = Token("CARET", "^", start, index.end())
        base = self._argument(start)
        return self._grouped([*base, caret, *self._grouped(degree, start)], start)

    def _grouped(self, tokens: list[Token], start: int) -> list[Token]:
        opener = Token("LPAR", "(", start, start + 1)
        return [opener, *tokens, Token("RPAR", ")", self.at, self.at)]

    def _argument(self, start: int) -> list[Token]:
        """What a command applies to: a group in braces, one digit, one letter, one command."""
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise failure(
                f"commands are nested deeper than {DEPTH_LIMIT}", self.text, start, self.at
            )
        if not self.skip() or self.text[self.at] in "}_^":
            command = _COMMAND.match(self.text, start)
            shown = command.group() if command else ""
            raise failure(
                f"{shown!r} lacks an argument", self.text, start, self.at, "add it in braces"
            )
        tokens = self._group() if self.text[self.at] == "{" else self._single(start)
        self.depth -= 1
        return tokens

    def _single(self, start: int) -> list[Token]:
        if self.text[self.at] == "\\":
            return self._grouped(self.item(), start)
        self.at += 1
        character = self.text[self.at - 1]
        kind = "NUMBER" if character in "0123456789" else "NAME"
        if not character.isascii() or not character.isalnum():
            raise failure(
                f"{character!r} is no argument", self.text, self.at - 1, self.at, "use braces"
            )
        return self._grouped([Token(kind, character, self.at - 1, self.at)], start)

    def _group(self) -> list[Token]:
        start, level = self.at, 0
        tokens: list[Token] = []
        while self.skip():
            part = self.item(tokens[-1].kind if tokens else "")
            tokens += part
            if part and part[0].kind in ("LPAR", "RPAR") and self.text[part[0].start] in "{}":
                level += 1 if part[0].kind == "LPAR" else -1
                if level == 0:
                    return tokens
        raise failure("'{' is never closed", self.text, start, start + 1, "add '}'")


def _underscored(word: str) -> str:
    return re.sub(r"[ ,\-_]+", "_", word.strip())
