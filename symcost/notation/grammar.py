"""The parser of one formula: tokens in, an exact expression or one error with its place out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sympy import Expr

from symcost import symbols
from symcost.errors import NotationError, SymcostError
from symcost.notation import exact
from symcost.notation.limits import relocated
from symcost.notation.tokens import Token, failure

if TYPE_CHECKING:
    from lark import Lark

TAKE_A_LIMIT = 'to take a limit write --assume "N -> oo"'


def parse(tokens: Sequence[Token], text: str, start: int, end: int) -> Expr:
    """The expression that the tokens between two offsets of the text make.

    Raises:
        NotationError: they make no formula.
        InvalidValueError: the formula has no finite real value, or too large a number.
    """
    _refuse_foreign(tokens, text)
    _refuse_many(tokens, text)
    if not tokens:
        raise failure("a formula is expected", text, start, end, "add it")
    try:
        expr = _single_name(tokens) or _run(tokens, text)
        exact.check_result(expr)
    except RecursionError:
        raise NotationError("the formula is nested too deeply", repair="simplify it").at(
            text, tokens[0].start
        ) from None
    except SymcostError as error:
        placed = error.place is not None and error.place.text
        if placed:
            raise
        if error.place is None:
            error.at("", tokens[0].start, tokens[-1].end - tokens[0].start)
        raise relocated(error, text) from None
    return expr


def _refuse_many(tokens: Sequence[Token], text: str) -> None:
    functions = [token for token in tokens if token.kind in ("FUNC", "BARE")]
    if len(functions) > exact.MAX_FUNCTIONS:
        problem = f"more than {exact.MAX_FUNCTIONS} functions in one formula"
        token = functions[exact.MAX_FUNCTIONS]
        raise failure(problem, text, token.start, token.end, "split it")


def _refuse_foreign(tokens: Sequence[Token], text: str) -> None:
    """Infinities and relations are tokens for the readers of assumptions, not of formulas."""
    for token in tokens:
        if token.kind == "INF":
            shown = text[token.start : token.end]
            raise failure(f"{shown} is no number here", text, token.start, token.end, TAKE_A_LIMIT)
        if token.kind == "REL":
            problem = f"a formula is expected, not a relation with {token.value!r}"
            raise failure(problem, text, token.start, token.end, "give one side only")


def _single_name(tokens: Sequence[Token]) -> Expr | None:
    """The symbol that stands alone, as in ``B << D, F``: no parser need be built for it."""
    makers = {"NAME": symbols.dim, "RATE": symbols.rate}
    make = makers.get(tokens[0].kind) if len(tokens) == 1 else None
    return make(tokens[0].value) if make else None


def _run(tokens: Sequence[Token], text: str) -> Expr:
    from lark import Token as LarkToken
    from lark import UnexpectedToken

    parser: Any = _parser().parse_interactive()
    read = 0
    try:
        for token in tokens:
            parser.feed_token(LarkToken(token.kind, token.value, token.start, end_pos=token.end))
            read += 1
        return parser.feed_eof()
    except UnexpectedToken:
        accepted = frozenset(parser.accepts())
    raise _misfit(tokens, read, accepted, text)


def _misfit(
    tokens: Sequence[Token], read: int, accepted: frozenset[str], text: str
) -> NotationError:
    """The error about the first token that does not fit, or about an early end."""
    if read == len(tokens):
        end = tokens[-1].end
        return failure(f"{_expected(accepted)} is expected at the end", text, end, end, "add it")
    token = tokens[read]
    if token.kind == "COMMA" and "NUMBER" not in accepted:
        problem = "a comma stands only between the arguments of max and min"
        return failure(problem, text, token.start, token.end, "remove it")
    shown = text[token.start : token.end] or token.value
    problem = f"{_expected(accepted)} is expected, not {shown!r}"
    return failure(problem, text, token.start, token.end, "complete or remove it")


def _expected(kinds: frozenset[str]) -> str:
    if kinds & {"NUMBER", "NAME"}:
        return "a number, a name or '('"
    if kinds == {"LPAR"}:
        return "'('"
    closing = [shown for kind, shown in (("COMMA", "','"), ("RPAR", "')'")) if kind in kinds]
    return " or ".join(["an operator", *closing])


@cache
def _parser() -> Lark:
    from lark import Lark

    grammar = Path(__file__).with_name("formula.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", transformer=_Builder())


def _placed(token: Any, build: Callable[[], Expr]) -> Expr:
    """Run a step; an error gets the place of the token (the text is added later)."""
    try:
        return build()
    except SymcostError as error:
        raise error.at("", token.start_pos, max(1, token.end_pos - token.start_pos)) from None


class _Builder:
    """What each rule of the grammar makes; lark calls these while it parses."""

    def start(self, parts: list[Any]) -> Expr:
        return parts[0]

    def sum(self, parts: list[Any]) -> Expr:
        if len(parts) == 1:
            return parts[0]
        rest = zip(parts[1::2], parts[2::2], strict=True)
        terms = [term if sign.type == "PLUS" else -term for sign, term in rest]
        return _placed(parts[1], lambda: exact.add([parts[0], *terms]))

    def term(self, parts: list[Any]) -> Expr:
        if len(parts) == 1:
            return parts[0]
        factors = [parts[0]]
        for sign, factor in zip(parts[1::2], parts[2::2], strict=True):
            factors.append(self._inverse(sign, factor) if sign.type == "SLASH" else factor)
        return _placed(parts[1], lambda: exact.multiply(factors))

    @staticmethod
    def _inverse(sign: Any, factor: Expr) -> Expr:
        return _placed(sign, lambda: exact.inverse(factor))

    def unary(self, parts: list[Any]) -> Expr:
        minuses = sum(sign.type == "MINUS" for sign in parts[:-1])
        return -parts[-1] if minuses % 2 else parts[-1]

    exponent = unary

    def tight(self, parts: list[Any]) -> Expr:
        if len(parts) == 1:
            return parts[0]
        return _placed(parts[1], lambda: exact.multiply(parts[::2]))

    def power(self, parts: list[Any]) -> Expr:
        if len(parts) == 1:
            return parts[0]
        base, caret, exponent = parts
        return _placed(caret, lambda: exact.power(base, exponent))

    def number(self, parts: list[Any]) -> Expr:
        return _placed(parts[0], lambda: exact.number(str(parts[0])))

    def dimension(self, parts: list[Any]) -> Expr:
        return symbols.dim(str(parts[0]))

    def rate(self, parts: list[Any]) -> Expr:
        return symbols.rate(str(parts[0]))

    def group(self, parts: list[Any]) -> Expr:
        return parts[1]

    def call(self, parts: list[Any]) -> Expr:
        return _placed(parts[0], lambda: exact.call(str(parts[0]), parts[2:-1:2]))

    def bare_call(self, parts: list[Any]) -> Expr:
        return _placed(parts[0], lambda: exact.call(str(parts[0]), parts[1:]))
