"""The parser of formulas: tokens to plain syntax, once, by recursive descent.

A formula is parsed once, by the grammar below; what its names stand for is decided afterwards.

    sum     = [sign] product {sign product}
    product = operand {("*" | "/" | "//") operand | BLANK tight}
    operand = {sign} tight
    tight   = power {power}                     # a product that is written without a blank
    power   = atom ["^" {sign} power] {UNIT} | BARE power
    atom    = NUMBER | NAME | UNIT | "(" sum ")" | FUNCTION "(" sum {"," sum} ")"

``a // b`` is the floor of ``a/b``; in the sizes of a program, which divide, it is ``a/b``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from symcost.errors import NotationError
from symcost.notation.limits import DEPTH_LIMIT
from symcost.notation.syntax import Name, Node, Number, Syntax, Unit, blank_of, leaves
from symcost.notation.tokens import BEGINS, Token, failure, typed

MAX_FUNCTIONS = 300  # sympy takes milliseconds for each
TAKE_A_LIMIT = 'to take a limit write --assume "N -> oo"'
ANY = "a number, a name or '('"
T = TypeVar("T")


def parse(tokens: Sequence[Token], text: str, start: int, end: int) -> Syntax:
    """What the tokens between two offsets of the text say.

    Raises:
        NotationError: they make no formula.
    """
    if not tokens:
        raise failure("a formula is expected", text, start, end, "add it")
    functions = 0
    for token in tokens:
        if token.kind == "INF":
            shown = text[token.start : token.end]
            raise failure(f"{shown} is no number here", text, token.start, token.end, TAKE_A_LIMIT)
        if token.kind == "REL":
            problem = f"a formula is expected, not a relation with {typed(token, text)!r}"
            raise failure(problem, text, token.start, token.end, "give one side only")
        functions += token.kind in ("FUNC", "BARE")
        if functions > MAX_FUNCTIONS:
            problem = f"more than {MAX_FUNCTIONS} functions in one formula"
            raise failure(problem, text, token.start, token.end, "split it")
    parser = Parser(tokens, text)
    result = parser.sum()
    if (left := parser.peek()) is not None:
        raise parser.misfit(left)
    return result


class Parser:
    """A place in a list of tokens; each method takes what stands there and moves on."""

    floors = True  # whether // rounds down

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        self.tokens = tokens
        self.text = text
        self.at = 0
        self.depth = 0
        self.blank = blank_of(text)

    def peek(self) -> Token | None:
        """The next token; None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def kind(self) -> str:
        """The kind of the next token; empty at the end."""
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def kinds(self, count: int, skipped: int = 0) -> list[str]:
        """The kinds of so many tokens from here; fewer at the end."""
        start = self.at + skipped
        return [token.kind for token in self.tokens[start : start + count]]

    def take(self) -> Token:
        """The next token, passed over."""
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, kind: str) -> bool:
        """Pass over the next token if it is of this kind."""
        is_next = self.kind() == kind
        self.at += is_next
        return is_next

    def listed(self, read: Callable[[], T]) -> tuple[T, ...]:
        """One thing, or several with commas between them."""
        items = [read()]
        while self.accept("COMMA"):
            items.append(read())
        return tuple(items)

    def end(self) -> int:
        """Where what was read ends."""
        return self.tokens[self.at - 1].end

    def misfit(self, token: Token | None) -> NotationError:
        """The error about a token that does not fit, or about an early end."""
        if token is None:
            end = self.tokens[-1].end
            return failure(f"{ANY} is expected at the end", self.text, end, end, "add it")
        if token.kind == "COMMA":
            problem = "a comma stands only between the arguments of max and min"
            repair = "remove it, or write max(a, b)"
            return failure(problem, self.text, token.start, token.end, repair)
        shown = typed(token, self.text)
        before = self.tokens[self.at - 1].kind if self.at else ""
        what = "an operator" if before in ("NAME", "NUMBER", "RPAR", "UNIT") else ANY
        problem = f"{what} is expected, not {shown!r}"
        return failure(problem, self.text, token.start, token.end, "complete or remove it")

    def sum(self) -> Syntax:
        """Terms with signs between them."""
        terms = [self._product()]
        sign = None
        while self.kind() in ("PLUS", "MINUS"):
            token = self.take()
            sign = sign or token
            term = self._product()
            terms.append(_minus(term, token) if token.kind == "MINUS" else term)
        return Node("sum", tuple(terms), sign.start, sign.end) if sign else terms[0]

    def _product(self) -> Syntax:
        """Factors with ``*`` and ``/`` between them, or blanks."""
        first = self.peek()
        factors = [self._operand()]
        while True:
            kind = self.kind()
            if self.accept("STAR"):
                factors.append(self._operand())
            elif kind == "SLASH":
                slash = self.take()
                over = self._operand(units=not _is_number(factors))
                factors.append(Node("inverse", (over,), slash.start, slash.end))
                if slash.value == "//" and self.floors:
                    whole = Node("product", tuple(factors), slash.start, slash.end)
                    factors = [Node("floor", (whole,), slash.start, slash.end)]
            elif kind == "UNIT":
                factors.append(self._unit())
            elif self._is_factor():
                factors.append(self._tight())
            else:
                break
        if len(factors) == 1:
            return factors[0]
        assert first is not None
        return Node("product", tuple(factors), first.start, self.end())

    def _operand(self, units: bool = True) -> Syntax:
        minus = None
        odd = False
        while self.kind() in ("PLUS", "MINUS"):
            token = self.take()
            if token.kind == "MINUS":
                minus, odd = token, not odd
        inner = self._tight(units)
        return _minus(inner, minus) if minus and odd else inner

    def _tight(self, units: bool = True) -> Syntax:
        """A product without blanks; it ends where a blank stands."""
        first = self.peek()
        factors = [self._power(units)]
        while self._is_factor() and not self._is_spaced():
            factors.append(self._power(units))
        if len(factors) == 1:
            return factors[0]
        assert first is not None
        return Node("product", tuple(factors), first.start, self.end())

    def _is_factor(self) -> bool:
        """Whether a factor follows without a sign; refuses what is unclear there."""
        token = self.peek()
        if token is None or token.kind not in BEGINS:
            return False
        if token.kind == "NUMBER":
            problem = f"an operator is missing before {token.value}"
            raise failure(problem, self.text, token.start, token.end, "write * between the two")
        return True

    def _is_spaced(self) -> bool:
        before, after = self.tokens[self.at - 1], self.tokens[self.at]
        return self.blank.search(self.text, before.end, after.start) is not None

    def _power(self, units: bool = True) -> Syntax:
        self._deeper()
        if self.kind() == "BARE":
            base = self._bare()
        else:
            base = self._atom()
            if self.kind() == "CARET":
                base = self._raised(base)
        while units and self.kind() == "UNIT":
            unit = self._unit()
            base = Node("product", (base, unit), unit.start, unit.end)
        self.depth -= 1
        return base

    def _raised(self, base: Syntax) -> Syntax:
        caret = self.take()
        minus = False
        while self.kind() in ("PLUS", "MINUS"):
            minus ^= self.take().kind == "MINUS"
        exponent = self._power(units=False)
        parts = (base, _minus(exponent, caret) if minus else exponent)
        return Node("power", parts, caret.start, max(caret.end, caret.start + 1))

    def _bare(self) -> Syntax:
        """``log N``: the argument is one power, and nothing may follow that could belong to it."""
        token = self.take()
        inner = self._power()
        following = self.peek()
        if following is not None and following.kind in BEGINS:
            problem = f"it is unclear where the argument of {token.value} ends"
            end = following.end
            raise failure(problem, self.text, token.start, end, "put the argument in brackets")
        return Node(token.value, (inner,), token.start, token.end)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > 2 * DEPTH_LIMIT:
            place = self.tokens[min(self.at, len(self.tokens) - 1)].start
            raise failure(
                "the formula is nested too deeply", self.text, place, place, "simplify it"
            )

    def _unit(self) -> Unit:
        token = self.take()
        assert token.unit is not None
        return Unit(token.value, *token.unit, token.start, token.end)

    def _atom(self) -> Syntax:
        token = self.peek()
        kind = self.kind()
        if kind == "NUMBER":
            return Number(*self.take()[1:4])
        if kind == "NAME":
            return Name(*self.take()[1:4])
        if kind == "UNIT":
            return self._unit()
        if kind == "LPAR":
            return self.enclosed(self.sum)
        if kind == "FUNC" and token is not None:
            return self._function(token)
        raise self.misfit(token)

    def _function(self, token: Token) -> Node:
        self.at += 1  # the bracket is there
        parts = self.enclosed(lambda: self.listed(self.sum))
        return Node(token.value, parts, token.start, max(token.end, token.start + 1))

    def enclosed(self, read: Callable[[], T]) -> T:
        """What stands in the brackets that open here."""
        self.at += 1
        inside = read()
        if not self.accept("RPAR"):
            raise self.misfit(self.peek())
        return inside


def _is_number(factors: Iterable[Syntax]) -> bool:
    """Whether it is a plain number: ``1/2 GB`` is half a GB, ``V/2 GB`` divides by an amount."""
    return all(isinstance(leaf, Number) for each in factors for leaf in leaves(each))


def _minus(inner: Syntax, sign: Token) -> Node:
    return Node("minus", (inner,), sign.start, sign.end)
