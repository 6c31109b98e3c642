"""The values of a program: operands with product signs between them, and calls."""

from __future__ import annotations

import re

from symcost.notation.program_parts import MAX_SIZE_TOKENS, Parts
from symcost.notation.program_syntax import (
    Call,
    Operand,
    Parameter,
    Product,
    Several,
    Sign,
)
from symcost.notation.program_tokens import PRODUCTS
from symcost.notation.syntax import Syntax
from symcost.notation.tokens import Token

_COLLECTIVE = re.compile(r"[A-Z][A-Za-z]*_(?:\{[^{}]*\}|[A-Z]\w*)")  # the book's AllGather_X
TRANSPOSES = frozenset({"T", "mT"})


class Values(Parts):
    """Values, the parameters of their calls, and positions of axes."""

    def value(self) -> Operand:
        """Operands with product signs between them."""
        first = self.at
        operands = [self.operand()]
        signs: list[Sign] = []
        while self.kind() in PRODUCTS:
            token = self.take()
            signs.append(Sign(_summed(token), token.start, token.end))
            operands.append(self.operand())
        if not signs:
            return operands[0]
        place = (self.tokens[first].start, self.end())
        return Product(tuple(operands), tuple(signs), *place)

    def operand(self) -> Operand:
        """A tensor, a call, or a value in brackets, and what is applied to it behind a dot."""
        self._deeper()
        value: Operand
        if self.kind() == "LPAR":
            value = self.enclosed(self.value)
        elif self.kind() == "NAME":
            value = self._named()
        else:
            self.refuse("a name or '('")
        while self._is_method():
            self.at += 1
            value = self._applied(value)
        self.depth -= 1
        return value

    def _named(self) -> Operand:
        """A call, with its brackets or none, or a tensor."""
        if self._is_call():
            return self._call(())
        if not self._is_applied():
            return self.target()
        word = self.take()
        return Call(self._shown(word), (self.target(),), (), word.start, word.end)

    def _is_call(self) -> bool:
        """Whether a name with its brackets follows, ``np.einsum(`` or ``relu(``."""
        passed = self.library()
        called = self.kinds(2, passed) == ["NAME", "LPAR"]
        self.at += passed if called else 0
        return called

    def _is_applied(self) -> bool:
        """Whether a collective stands before its tensor, ``AllGather_X A[I_X, J]``."""
        begins = self.kinds(3) == ["NAME", "NAME", "LSQB"]
        return begins and _COLLECTIVE.fullmatch(self._shown(self.tokens[self.at])) is not None

    def _shown(self, token: Token) -> str:
        return self.text[token.start : token.end]

    def _is_method(self) -> bool:
        """Whether ``.T`` or ``.sum(`` stands right behind an operand."""
        if self.kinds(2) != ["DOT", "NAME"]:
            return False
        before, dot, word = self.tokens[self.at - 1 : self.at + 2]
        if before.end != dot.start or dot.end != word.start:
            return False
        after = self.kinds(1, 2)
        return after == ["LPAR"] or (
            word.value in TRANSPOSES and after not in (["COLON"], ["LSQB"])
        )

    def _applied(self, operand: Operand) -> Operand:
        if self.kind_after() == "LPAR":
            return self._call((operand,))
        token = self.take()
        return Call(token.value, (operand,), (), token.start, token.end)

    def _call(self, operands: tuple[Operand, ...]) -> Call:
        word = self.take()
        self.at += 1
        given = [*operands]
        parameters: list[Parameter] = []
        positions: list[Syntax] = []
        while self.kind() != "RPAR":
            if self.kind() == "NAME" and self.kind_after() == "EQUAL":
                parameters.append(self._parameter())
            elif self.kind() == "STRING":
                parameters.append(Parameter("spec", self.take().value))
            elif given and self._is_position():
                positions.append(self.size())
            elif self.kind() == "LSQB" or self._is_tuple():
                closing = "RSQB" if self.take().kind == "LSQB" else "RPAR"
                if given:
                    positions += self._until(closing, self.size)
                else:
                    given += self._until(closing, self.value)
            else:
                given.append(self.value())
            if not self.accept("COMMA"):
                break
            if self.kind() == "RPAR":
                self.refuse("a name or '('")
        if not given and not parameters:
            self.refuse("a name or '('")
        self.expect("RPAR", "an operator such as @, ')', ','")
        if positions:
            parameters.append(Parameter("", Several(tuple(positions))))
        shown = self._shown(word)  # with the comma of ReduceScatter_{X,K}
        return Call(shown, tuple(given), tuple(parameters), word.start, word.end)

    def _is_position(self) -> bool:
        """Whether a whole number is all that the argument is, as in ``X.transpose(-1, -2)``."""
        sign = self.kind() == "MINUS"
        return self.kinds(2, sign) in (["NUMBER", "COMMA"], ["NUMBER", "RPAR"])

    def _parameter(self) -> Parameter:
        name = self.name()
        self.expect("EQUAL", "'='")
        if self.kind() == "STRING":
            return Parameter(name.value, self.take().value)
        if self.kind() == "LSQB" or self._is_tuple():
            closing = "RSQB" if self.take().kind == "LSQB" else "RPAR"
            return Parameter(name.value, Several(self._until(closing, self.size)))
        return Parameter(name.value, self.size())

    def _is_tuple(self) -> bool:
        """Whether ``(0, 2, 1)`` stands here."""
        if self.kind() != "LPAR":
            return False
        depth = 0
        for token in self.tokens[self.at : self.at + MAX_SIZE_TOKENS]:
            depth += (token.kind == "LPAR") - (token.kind == "RPAR")
            if depth == 0:
                return False
            if depth == 1 and token.kind == "COMMA":
                return True
        return False


def _summed(token: Token) -> tuple[str, ...]:
    """The dimensions behind a product sign, ``*_D`` or ``·_{D,H}``."""
    words = token.value[2:].strip("{}").split(",")
    return tuple(word.strip() for word in words if word.strip())
