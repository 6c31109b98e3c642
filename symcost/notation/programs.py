"""The syntax of programs: statements as plain, immutable nodes with their places.

    program   = [statement] {(";" | NEWLINE) [statement]}
    statement = [PLACE ":"] [target "="] value {"," type} ["->" target] {tail}
              | ("input" | "weight" | "output") target {"," target} {tail}
              | "send" target ["from" PLACE] "to" PLACE "over" CHANNEL
              | "mesh" axis {"," axis}
              | ("fused" [NAME] | "repeat" size) "{" program "}"
    value     = operand {SIGN operand}
    operand   = target | call | "(" value ")"
    target    = NAME [":" type] | type | NAME "[" range {"," range} "]" | operand ".T"
    type      = NAME "[" [split {"," split}] "]" {"{" PARTIAL "}"}
    split     = size ["@" (AXIS | "(" AXIS {"," AXIS} ")")]
    axis      = NAME ["(" NAME "=" size {"," NAME "=" size} ")"] ["=" size]
                ["over" LINK ["(" NETWORK ")"] ["*" size]]
    call      = {LIBRARY "."} NAME "(" argument {"," argument} ")" | operand "." NAME "(" … ")"
    argument  = value | STRING | NAME "=" (STRING | size | list)
    tail      = "on" PLACE | "with" NAME "=" …

A size is a formula (:mod:`symcost.notation.syntax`) in which every word is one name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn, TypeAlias

from symcost.errors import NotationError
from symcost.notation.program_tokens import PRODUCTS, scan_program
from symcost.notation.syntax import Name, Node, Parser, Syntax, T
from symcost.notation.tokens import FUNCTIONS, INFINITIES, Token

LIBRARIES = frozenset({"np", "numpy", "torch", "jnp", "jax", "lax", "tf", "nn", "functional", "F"})
ROLES = frozenset({"input", "weight", "output"})
_NOT_FACTORS = frozenset({"over", "on", "with"})
MAX_SIZE_TOKENS = 200
_FORMS = {
    "send": "write send P0 to gpu2 over nvlink",
    "fused": "write fused attn { ... }",
    "repeat": "write repeat L { ... }",
    "mesh": "write mesh X=4, Y=2",
}


class Range(NamedTuple):
    """``low:high`` of a slice; an end that is left out is None."""

    low: Syntax | None
    high: Syntax | None


class Split(NamedTuple):
    """A size, and the mesh axes that are said to split it, ``I@X``; None if none are."""

    size: Syntax
    over: tuple[str, ...] | None


class Typed(NamedTuple):
    """``bf16[B, D]``; ``word`` is the dtype, or the name of a tensor without one.

    ``partial`` has the words of ``{U_X}``: what is partial, and over which axes.
    """

    word: str
    sizes: tuple[Split, ...]
    partial: tuple[tuple[str, str], ...]
    start: int
    end: int


class Target(NamedTuple):
    """A tensor: its name, its type, or both; or a slice of a tensor."""

    name: str
    type: Typed | None
    ranges: tuple[Range, ...]
    start: int
    end: int


class Sign(NamedTuple):
    """The sign of a product and the dimensions that it names, ``*_D``."""

    summed: tuple[str, ...]
    start: int
    end: int


class Product(NamedTuple):
    """Operands with signs between them."""

    operands: tuple[Operand, ...]
    signs: tuple[Sign, ...]
    start: int
    end: int


class Several(NamedTuple):
    """``[D, B]`` or ``(0, 1)``."""

    parts: tuple[Syntax, ...]


class Parameter(NamedTuple):
    """``axis=D``: text, a size, or several sizes."""

    name: str
    value: str | Syntax | Several


class Call(NamedTuple):
    """An operation with its operands and parameters."""

    word: str
    operands: tuple[Operand, ...]
    parameters: tuple[Parameter, ...]
    start: int
    end: int


Operand: TypeAlias = Target | Product | Call


class Evaluate(NamedTuple):
    """``target = value``, or a value alone; ``types`` are those written behind the names."""

    value: Operand
    types: tuple[Typed, ...]
    target: Target | None
    place: str
    parameters: tuple[Parameter, ...]
    start: int
    end: int


class Declare(NamedTuple):
    """``weight W: int8[D, F]``, ``output Z``."""

    role: str
    targets: tuple[Target, ...]
    place: str
    start: int
    end: int


class Send(NamedTuple):
    """``send P0 from gpu0 to gpu2 over nvlink``."""

    target: Target
    source: str
    to: str
    over: str
    start: int
    end: int


class Axis(NamedTuple):
    """One axis of ``mesh X=4 over ici, Y``; a size that is left out is a symbol."""

    name: str
    size: Syntax | None
    parts: tuple[tuple[str, Syntax | None], ...]
    link: str
    network: str
    span: Syntax | None
    start: int
    end: int


class Mesh(NamedTuple):
    """The axes of a mesh."""

    axes: tuple[Axis, ...]
    start: int
    end: int


class Block(NamedTuple):
    """``fused name { … }`` (``times`` is None) or ``repeat times { … }``."""

    name: str
    times: Syntax | None
    body: tuple[Statement, ...]
    start: int
    end: int


Statement: TypeAlias = Evaluate | Declare | Send | Mesh | Block


class Program(NamedTuple):
    """The statements of a text."""

    text: str
    statements: tuple[Statement, ...]


def parse_program(text: object) -> Program:
    """The syntax of a program.

    Raises:
        NotationError: the grammar does not understand the text; the message shows where.
    """
    checked, tokens = scan_program(text)
    parser = _Programs(tokens, checked)
    statements = parser.statements()
    if parser.at < len(tokens):
        parser.refuse("a new statement")
    return Program(checked, statements)


def parse_mesh(text: object) -> tuple[str, tuple[Axis, ...]]:
    """The text and the axes of a mesh, ``X=16 over ici, Y over ici*2``.

    Raises:
        NotationError: the text is no list of axes.
    """
    checked, tokens = scan_program(text)
    parser = _Programs(tokens, checked)
    axes = parser.axes()
    if parser.at < len(tokens):
        parser.refuse("','")
    return checked, axes


def parse_type_syntax(text: object) -> tuple[str, Typed | None]:
    """The text, and the type that it is; None if it is none."""
    checked, tokens = scan_program(text)
    parser = _Programs(tokens, checked)
    if [token.kind for token in tokens[:2]] != ["NAME", "LSQB"]:
        return checked, None
    found = parser.type()
    return checked, found if parser.at == len(tokens) else None


class _Programs(Parser):
    """Statements; the sizes in them are read by the parser of formulas."""

    floors = False

    # -- sizes: every word is one name, and a product has its sign --------------------------

    def size(self) -> Syntax:
        """A formula of sizes."""
        if self.kind_after() in ("COMMA", "RSQB"):  # nearly every size is one name
            return self._atom()
        start = self.at
        found = self.sum()
        length = self.at - start
        if length > MAX_SIZE_TOKENS:
            raise self._bad_size("a size is too long", f"at most {MAX_SIZE_TOKENS} parts", start)
        if length > 1 and any(
            len(t.value) > 2 for t in self.tokens[start : self.at] if t.kind == "STAR"
        ):
            raise self._bad_size("a product of sizes names no dimension", "write *", start)
        if self.kind() in ("NAME", "NUMBER", "LPAR") and self._is_open():
            raise self._bad_size("an operator is missing", "write for example 2*D or D/2", self.at)
        return found

    def _bad_size(self, problem: str, repair: str, at: int) -> NotationError:
        token = self.tokens[at]
        return NotationError(problem, repair=repair).at(
            self.text, token.start, token.end - token.start
        )

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
                error = NotationError(problem, repair="give a name or a number")
                raise error.at(self.text, token.start, token.end - token.start)
            if self.kind_after() == "LPAR" and token.value.lower() in FUNCTIONS:
                return self._function(token._replace(value=FUNCTIONS[token.value.lower()]))
        return super()._atom()

    # -- statements -------------------------------------------------------------------------

    def statements(self) -> tuple[Statement, ...]:
        """Statements up to the end, or to the brace that closes a block."""
        found: list[Statement] = []
        while True:
            while self.accept("SEP"):
                pass
            if self.kind() in ("", "RBRACE"):
                return tuple(found)
            found.append(self.statement())
            if self.kind() not in ("SEP", "RBRACE", ""):
                self.refuse("a new statement")

    def statement(self) -> Statement:
        """One statement; a keyword is one only where a name follows it."""
        token = self.tokens[self.at]
        if token.kind != "NAME":
            return self._evaluate("")
        following = self.kind_after()
        if token.value in ROLES and following == "NAME":
            return self._declare()
        if token.value == "send" and following == "NAME":
            return self._send()
        if token.value == "mesh" and following == "NAME":
            return self._mesh()
        if token.value == "fused" and following in ("NAME", "LBRACE"):
            return self._fused()
        if token.value == "repeat" and self._repeats(following):
            return self._repeat()
        return self._evaluate(self._label())

    def _repeats(self, following: str) -> bool:
        spaced = self.tokens[self.at + 1].start > self.tokens[self.at].end if following else False
        return following in ("NAME", "NUMBER") or (following == "LPAR" and spaced)

    def _label(self) -> str:
        """The device of ``GPU0: A = …``."""
        kinds = [token.kind for token in self.tokens[self.at : self.at + 4]]
        if kinds[:3] == ["NAME", "COLON", "NAME"] and kinds[3:] in (["EQUAL"], ["COLON"]):
            place = self.tokens[self.at].value
            self.at += 2
            return place
        return ""

    def _evaluate(self, place: str) -> Evaluate:
        start = self.tokens[self.at].start
        value = self.value()
        target: Target | None = None
        if isinstance(value, Target) and not value.ranges and self.accept("EQUAL"):
            target, value = value, self.value()
        types = self.listed(self.type) if self.accept("COMMA") else ()
        if target is None and self.accept("ARROW"):
            target = self.target()
        where, parameters = self._tails(place)
        return Evaluate(value, types, target, where, parameters, start, self.end())

    def _declare(self) -> Declare:
        role = self.take()
        targets = self.listed(self.target)
        place, _ = self._tails("")
        return Declare(role.value, targets, place, role.start, self.end())

    def _send(self) -> Send:
        start = self.take().start
        target = self.target()
        source = self._word("from")
        to = self._word("to", needed="send")
        over = self._word("over", needed="send")
        return Send(target, source, to, over, start, self.end())

    def _word(self, keyword: str, needed: str = "") -> str:
        """The name behind a keyword."""
        if self.kind() == "NAME" and self.tokens[self.at].value == keyword:
            self.at += 1
            return self.name().value
        if needed:
            raise self.error(repair=_FORMS[needed])
        return ""

    def _mesh(self) -> Mesh:
        start = self.take().start
        return Mesh(self.axes(), start, self.end())

    def axes(self) -> tuple[Axis, ...]:
        """The axes of a mesh."""
        return self.listed(self._axis)

    def _axis(self) -> Axis:
        name = self.name(repair=_FORMS["mesh"])
        parts = self._in_brackets(self._part) if self.kind() == "LPAR" else ()
        size = self._equals()
        link = self._word("over")
        inside = link and self.kind() == "LPAR"
        network = self.enclosed(self.name).value if inside else ""
        span = self.size() if link and self.accept("STAR") else None
        return Axis(name.value, size, parts, link, network, span, name.start, self.end())

    def _part(self) -> tuple[str, Syntax | None]:
        return self.name(repair="write Y(Y1=8, Y2=2)").value, self._equals()

    def _equals(self) -> Syntax | None:
        """The size behind an equal sign, if there is one."""
        return self.size() if self.accept("EQUAL") else None

    def _fused(self) -> Block:
        start = self.take().start
        name = self.take().value if self.kind() == "NAME" else "fused"
        return self._block(name, None, start, "fused")

    def _repeat(self) -> Block:
        start = self.take().start
        return self._block("", self.size(), start, "repeat")

    def _block(self, name: str, times: Syntax | None, start: int, keyword: str) -> Block:
        if self.kind() != "LBRACE":
            raise self.error(repair=_FORMS[keyword])
        end = self.take().end
        body = self.statements()
        self.at += 1  # the scanner saw the closing brace
        return Block(name, times, body, start, end)

    def _tails(self, place: str) -> tuple[str, tuple[Parameter, ...]]:
        parameters: list[Parameter] = []
        while self.kind() == "NAME" and self.tokens[self.at].value in ("on", "with"):
            if self.take().value == "on":
                place = self.name().value
            else:
                parameters.append(self._parameter())
        return place, tuple(parameters)

    # -- values -----------------------------------------------------------------------------

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
        found: Operand
        if self.kind() == "LPAR":
            found = self.enclosed(self.value)
        elif self.kind() == "NAME":
            found = self._call(()) if self._is_call() else self.target()
        else:
            self.refuse("a name or '('")
        while self._is_method():
            self.at += 1
            found = self._applied(found)
        self.depth -= 1
        return found

    def _is_call(self) -> bool:
        """Whether a name with its brackets follows, ``np.einsum(`` or ``relu(``."""
        at = self.at
        while self._is_dotted(at) and self.tokens[at].value in LIBRARIES:
            at += 2
        called = at + 1 < len(self.tokens) and self.tokens[at + 1].kind == "LPAR"
        if called:
            self.at = at
        return called

    def _is_dotted(self, at: int) -> bool:
        """Whether ``name.name`` stands here, without blanks."""
        parts = self.tokens[at : at + 3]
        if [token.kind for token in parts] != ["NAME", "DOT", "NAME"]:
            return False
        return parts[0].end == parts[1].start and parts[1].end == parts[2].start

    def _is_method(self) -> bool:
        """Whether ``.T`` or ``.sum(`` stands right behind an operand."""
        dot, *behind = self.tokens[self.at : self.at + 3] or (None,)
        if dot is None or dot.kind != "DOT" or not behind or behind[0].kind != "NAME":
            return False
        if dot.start != self.tokens[self.at - 1].end or behind[0].start != dot.end:
            return False
        after = behind[1].kind if len(behind) > 1 else ""
        return after == "LPAR" or (behind[0].value == "T" and after not in ("COLON", "LSQB"))

    def _applied(self, operand: Operand) -> Operand:
        if self.kind_after() == "LPAR":
            return self._call((operand,))
        token = self.take()
        return Call("T", (operand,), (), token.start, token.end)

    def _call(self, operands: tuple[Operand, ...]) -> Call:
        word = self.take()
        self.at += 1
        found = [*operands]
        parameters: list[Parameter] = []
        while self.kind() != "RPAR":
            if self.kind() == "NAME" and self.kind_after() == "EQUAL":
                parameters.append(self._parameter())
            elif self.kind() == "STRING":
                parameters.append(Parameter("spec", self.take().value))
            else:
                found.append(self.value())
            if not self.accept("COMMA"):
                break
            if self.kind() == "RPAR":
                self.refuse("a name or '('")
        if not found and not parameters:
            self.refuse("a name or '('")
        self.expect("RPAR", "an operator such as @, ')', ','")
        shown = self.text[word.start : word.end]  # with the comma of ReduceScatter_{X,K}
        return Call(shown, tuple(found), tuple(parameters), word.start, word.end)

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

    def target(self) -> Target:
        """A name, a type, or both; or a slice."""
        first = self.name()
        if self.accept("COLON"):
            found = self.type()
            return Target(first.value, found, (), first.start, found.end)
        if self.kind() != "LSQB":
            return Target(first.value, None, (), first.start, first.end)
        if self._is_slice():
            self.at += 1
            ranges = self.listed(self._range)
            self.expect("RSQB", "',' or ']'")
            return Target(first.value, None, ranges, first.start, self.end())
        self.at -= 1
        found = self.type()
        return Target("", found, (), first.start, found.end)

    def type(self) -> Typed:
        """A dtype with its sizes."""
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
        found: list[T] = []
        while not self.accept(closing):
            if found:
                self.expect("COMMA", "an operator, ',' or the closing bracket")
            found.append(read())
        return tuple(found)

    def _is_slice(self) -> bool:
        """Whether a colon stands inside the brackets."""
        at = self.at + 1
        while at < len(self.tokens) and self.tokens[at].kind not in ("RSQB", "LSQB"):
            if self.tokens[at].kind == "COLON":
                return True
            at += 1
        return False

    def _range(self) -> Range:
        low = None if self.kind() == "COLON" else self.size()
        self.expect("COLON", "':'")
        return Range(low, None if self.kind() in ("COMMA", "RSQB") else self.size())

    # -- tokens and errors ------------------------------------------------------------------

    def kind_after(self) -> str:
        """The kind of the token after the next."""
        return self.tokens[self.at + 1].kind if self.at + 1 < len(self.tokens) else ""

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
        repair = repair or f"expected {expected}"
        token = self.peek()
        if token is None:
            end = max(len(self.text.rstrip()) - 1, 0)
            return NotationError("the program ends too early", repair=repair).at(self.text, end)
        shown = "end of line" if token.value == "\n" else repr(token.value)
        error = NotationError(f"unexpected {shown}", repair=repair)
        return error.at(self.text, token.start, max(1, token.end - token.start))


def _summed(token: Token) -> tuple[str, ...]:
    """The dimensions behind a product sign, ``*_D`` or ``·_{D,H}``."""
    words = token.value[2:].strip("{}").split(",")
    return tuple(word.strip() for word in words if word.strip())


def last_name(syntax: Syntax) -> Name | None:
    """The name at the very end of a size, ``I_X`` in ``2*I_X``."""
    while isinstance(syntax, Node) and syntax.op in ("sum", "product", "minus", "inverse"):
        syntax = syntax.parts[-1]
    return syntax if isinstance(syntax, Name) else None


def with_last(syntax: Syntax, name: str) -> Syntax | None:
    """The size with another name at its end; without it, for an empty name."""
    if isinstance(syntax, Name):
        return syntax._replace(name=name) if name else None
    assert isinstance(syntax, Node)
    *front, last = syntax.parts
    inner = with_last(last, name)
    if inner is not None:
        return syntax._replace(parts=(*front, inner))
    if syntax.op == "product" and front:
        return front[0] if len(front) == 1 else syntax._replace(parts=tuple(front))
    return None
