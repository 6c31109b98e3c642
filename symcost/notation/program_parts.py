"""The parts of a program that its statements share: sizes, types, tensors and their slices."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

from symcost.errors import NotationError
from symcost.notation.parser import Parser, T
from symcost.notation.program_syntax import Range, Split, Target, Typed
from symcost.notation.syntax import Syntax
from symcost.notation.tokens import FUNCTIONS, INFINITIES, Token, failure

LIBRARIES = frozenset({"np", "numpy", "torch", "jnp", "jax", "lax", "tf", "nn", "functional", "F"})
MAX_SIZE_TOKENS = 200
_ARROW = re.compile(r"[-−–—=]*\s*-?[>⇒⟹↦⟼➔➜]")  # that is meant for ->
_NOT_FACTORS = frozenset({"over", "on", "with"})


class Parts(Parser):
    """Sizes are read by the parser of formulas; every word is one name, a product has its sign."""

    floors = False

    # -- sizes ------------------------------------------------------------------------------

    def size(self) -> Syntax:
        """A formula of sizes."""
        if self.kind_after() in ("COMMA", "RSQB"):  # nearly every size is one name
            return self._atom()
        start = self.at
        size = self.sum()
        length = self.at - start
        if length > MAX_SIZE_TOKENS:
            raise self._failure("a size is too long", f"at most {MAX_SIZE_TOKENS} parts", start)
        if length > 1 and any(
            len(t.value) > 2 for t in self.tokens[start : self.at] if t.kind == "STAR"
        ):
            raise self._failure("a product of sizes names no dimension", "write *", start)
        if self.kind() in ("NAME", "NUMBER", "LPAR") and self._is_open():
            before, behind = (self.tokens[at].value for at in (self.at - 1, self.at))
            repair = f"write {before}, {behind} for two sizes, {before}*{behind} for a product"
            repair = "write for example 2*D or D/2" if self.kind() == "LPAR" else repair
            raise self._failure("a comma or an operator is missing", repair, self.at)
        return size

    def _failure(self, problem: str, repair: str, at: int) -> NotationError:
        token = self.tokens[at]
        return failure(problem, self.text, token.start, token.end, repair)

    def _is_open(self) -> bool:
        return self.tokens[self.at].value not in _NOT_FACTORS

    def misfit(self, token: Token | None) -> NotationError:
        """The error about a token that fits no size."""
        return self.error("a number, a name or '('")

    def _is_factor(self) -> bool:
        if self.kind() not in ("NAME", "LPAR") or self.tokens[self.at - 1].kind != "NUMBER":
            return False
        return self._is_open() and not self._is_spaced()

    def _atom(self) -> Syntax:
        token = self.peek()
        if token is not None and token.kind == "NAME":
            if token.value.lower() in INFINITIES or token.value == "oo":
                problem = f"{token.value} is no number here"
                raise self._failure(problem, "give a name or a number", self.at)
            if self.kind_after() == "LPAR" and token.value.lower() in FUNCTIONS:
                return self._function(token._replace(value=FUNCTIONS[token.value.lower()]))
        return super()._atom()

    # -- types and tensors ------------------------------------------------------------------

    def target(self) -> Target:
        """A name, a type, or both; or a slice."""
        self._skip_library()
        first = self.name()
        if self.accept("COLON"):
            kind = self.type()
            return Target(first.value, kind, (), first.start, kind.end)
        if self.kind() != "LSQB":
            return Target(first.value, None, (), first.start, first.end)
        if self._is_slice():
            self.at += 1
            ranges = self.listed(self._range)
            self.expect("RSQB", "',' or ']'")
            return Target(first.value, None, ranges, first.start, self.end())
        self.at -= 1
        kind = self.type()
        return Target("", kind, (), first.start, kind.end)

    def type(self) -> Typed:
        """A dtype with its sizes."""
        self._skip_library()
        word = self.name()
        self.expect("LSQB", "'['")
        sizes = self._until("RSQB", lambda: Split(self.size(), self._over()))
        partial = []
        while self.accept("LBRACE"):
            partial.append(self._partial())
        return Typed(word.value, sizes, tuple(partial), word.start, self.end())

    def _over(self) -> tuple[str, ...] | None:
        """The mesh axes of ``I@X`` and ``I@(X, Y)``."""
        if not self.accept("AT"):
            return None
        names = self._in_brackets(self.name) if self.kind() == "LPAR" else (self.name(),)
        return tuple(name.value for name in names)

    def _in_brackets(self, read: Callable[[], T]) -> tuple[T, ...]:
        return self.enclosed(lambda: self.listed(read))

    def _partial(self) -> tuple[str, str]:
        """``{U_X}``: the word before the underscore, and the axes behind it."""
        word = self.name(repair="write {U_X} for partial sums over X")
        sign, _, axes = self.text[word.start : word.end].partition("_")
        self.expect("RBRACE", "'}'")
        return sign, axes

    def _until(self, closing: str, read: Callable[[], T]) -> tuple[T, ...]:
        """Things with commas between them up to a closing bracket, which is passed over."""
        parts: list[T] = []
        while not self.accept(closing):
            if parts:
                self.expect("COMMA", "an operator, ',' or the closing bracket")
            parts.append(read())
        return tuple(parts)

    def _is_slice(self) -> bool:
        """Whether a colon or dots stand inside the brackets."""
        at = self.at + 1
        while at < len(self.tokens) and self.tokens[at].kind not in ("RSQB", "LSQB"):
            if self.tokens[at].kind in ("COLON", "DOT"):
                return True
            at += 1
        return False

    def _range(self) -> Range:
        if self.kind() == "DOT":
            for _ in "...":
                self.expect("DOT", "'...'")
            return Range(None, None, "...")
        low = None if self.kind() == "COLON" else self.size()
        if low is not None and self.kind() in ("COMMA", "RSQB"):
            return Range(low, None, "")
        self.expect("COLON", "':'")
        return Range(low, None if self.kind() in ("COMMA", "RSQB") else self.size())

    def _skip_library(self) -> None:
        """Pass over the ``torch.`` of ``torch.bfloat16[B, D]``."""
        passed = self.library()
        dtype = self.kinds(2, passed) == ["NAME", "LSQB"]
        if dtype and self.tokens[self.at + passed].value[0].islower():  # as all dtypes are
            self.at += passed

    def library(self) -> int:
        """How many tokens ``torch.nn.`` are that stand here, without blanks."""
        passed = 0
        while self.kinds(3, passed) == ["NAME", "DOT", "NAME"]:
            name, dot, behind = self.tokens[self.at + passed : self.at + passed + 3]
            if name.value not in LIBRARIES or name.end != dot.start or dot.end != behind.start:
                break
            passed += 2
        return passed

    # -- tokens and errors ------------------------------------------------------------------

    def kind_after(self) -> str:
        """The kind of the token after the next."""
        return "".join(self.kinds(1, 1))

    def name(self, repair: str = "expected a name") -> Token:
        """The next token, which must be a name."""
        if self.kind() != "NAME":
            raise self.error(repair=repair)
        return self.take()

    def expect(self, kind: str, shown: str) -> None:
        """Pass over the next token, which must be of this kind."""
        if not self.accept(kind):
            self.refuse(shown)

    def refuse(self, expected: str) -> NoReturn:
        """Raise what :meth:`error` says."""
        raise self.error(expected)

    def error(self, expected: str = "", repair: str = "") -> NotationError:
        """The error about the next token, or about an early end."""
        token = self.peek()
        if token is not None and token.kind != "ARROW" and _ARROW.match(self.text, token.start):
            repair = "write -> for the arrow"
        repair = repair or f"expected {expected}"
        if token is None:
            end = max(len(self.text.rstrip()) - 1, 0)
            return NotationError("the program ends too early", repair=repair).at(self.text, end)
        shown = "end of line" if token.value == "\n" else repr(token.value)
        error = NotationError(f"unexpected {shown}", repair=repair)
        return error.at(self.text, token.start, max(1, token.end - token.start))
