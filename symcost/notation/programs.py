"""The syntax of programs: statements as plain, immutable nodes with their places.

    program   = [statement] {(";" | NEWLINE) [statement]}
    statement = [PLACE ":"] [target "="] value {"," type} ["->" target] {tail}
              | ("input" | "weight" | "output") target {"," target} {tail}
              | [PLACE ":"] "send" target ["from" PLACE] "to" PLACE "over" CHANNEL
              | "mesh" axis {"," axis}
              | ("fused" [NAME] | "repeat" size) "{" program "}"
    value     = operand {SIGN operand}
    operand   = target | call | "(" value ")"
    target    = NAME [":" type] | type | NAME "[" range {"," range} "]" | operand (".T" | ".mT")
    type      = {LIBRARY "."} NAME "[" [split {"," split}] "]" {"{" PARTIAL "}"}
    range     = [size] ":" [size] | size | "..."
    split     = size ["@" (AXIS | "(" AXIS {"," AXIS} ")")]
    axis      = NAME ["(" NAME "=" size {"," NAME "=" size} ")"] ["=" size]
                ["over" LINK ["(" NETWORK ")"] ["*" size]]
    call      = {LIBRARY "."} NAME "(" argument {"," argument} ")" | operand "." NAME "(" … ")"
    argument  = value | list | STRING | position | NAME "=" (STRING | size | list)
    tail      = "on" PLACE | "with" NAME "=" …

A size is a formula (:mod:`symcost.notation.parser`) in which every word is one name.
"""

from __future__ import annotations

from collections.abc import Callable

from symcost.notation.parser import T
from symcost.notation.program_syntax import (
    Axis,
    Block,
    Declare,
    Evaluate,
    Mesh,
    Parameter,
    Program,
    Send,
    Statement,
    Target,
    Typed,
)
from symcost.notation.program_tokens import scan_program
from symcost.notation.program_values import Values
from symcost.notation.syntax import Name, Node, Number, Syntax, Unit
from symcost.notation.unit_table import SUFFIXES

ANOTHER = "expected a new statement"
ROLES = frozenset({"input", "weight", "output"})
_FORMS = {
    "send": "write send P0 to gpu2 over nvlink",
    "fused": "write fused attn { ... }",
    "repeat": "write repeat L { ... }",
    "mesh": "write mesh X=4, Y=2",
}


def parse_program(text: object) -> Program:
    """The syntax of a program.

    Raises:
        NotationError: the grammar does not understand the text; the message shows where.
    """
    parser = _Programs(text)
    return Program(parser.text, parser.whole(parser.statements, "a new statement"))


def parse_mesh(text: object) -> tuple[str, tuple[Axis, ...]]:
    """The text and the axes of a mesh, ``X=16 over ici, Y over ici*2``.

    Raises:
        NotationError: the text is no list of axes.
    """
    parser = _Programs(text)
    return parser.text, parser.whole(parser.axes, "','")


def parse_type_syntax(text: object) -> tuple[str, Typed | None]:
    """The text, and the type that it is; None if it is none."""
    parser = _Programs(text)
    if parser.kinds(2) != ["NAME", "LSQB"]:
        return parser.text, None
    typed = parser.type()
    return parser.text, None if parser.kind() else typed


class _Programs(Values):
    """Statements."""

    def __init__(self, text: object) -> None:
        checked, tokens = scan_program(text)
        super().__init__(tokens, checked)

    def whole(self, read: Callable[[], T], expected: str) -> T:
        """What is read, which must be all of the text."""
        made = read()
        if self.kind():
            self.refuse(expected)
        return made

    # -- statements -------------------------------------------------------------------------

    def statements(self) -> tuple[Statement, ...]:
        """Statements up to the end, or to the brace that closes a block."""
        statements: list[Statement] = []
        while True:
            while self.accept("SEP"):
                pass
            if self.kind() in ("", "RBRACE"):
                return tuple(statements)
            statements.append(self.statement())
            if self.kind() not in ("SEP", "RBRACE", ""):
                raise self.error(repair=self._parted())

    def _parted(self) -> str:
        """What is missing before the next token, where no statement can go on."""
        before, token = self.tokens[self.at - 1 : self.at + 1]
        if self.kinds(2) == ["NAME", "LSQB"] and before.kind == "NAME":
            return f"write {before.value}: {token.value}[...] for a tensor and its type"
        begins = token.kind == "NAME" and self.kind_after() in ("COLON", "EQUAL", "LPAR")
        return "write ; before a new statement" if begins else ANOTHER

    def statement(self) -> Statement:
        """One statement; a keyword is one only where a name follows it."""
        token = self.tokens[self.at]
        if token.kind != "NAME":
            return self._evaluate("")
        following = self.kind_after()
        if token.value in ROLES and following == "NAME":
            return self._declare()
        if self._sends():
            return self._send("")
        if token.value == "mesh" and following == "NAME":
            return self._mesh()
        if token.value == "fused" and following in ("NAME", "LBRACE"):
            return self._fused()
        if token.value == "repeat" and self._repeats(following):
            return self._repeat()
        place = self._label()
        return self._send(place) if self._sends() else self._evaluate(place)

    def _repeats(self, following: str) -> bool:
        spaced = self.tokens[self.at + 1].start > self.tokens[self.at].end if following else False
        return following in ("NAME", "NUMBER") or (following == "LPAR" and spaced)

    def _label(self) -> str:
        """The device of ``GPU0: A = …`` and of ``GPU0: send A to …``."""
        kinds = self.kinds(4)
        if kinds[:3] != ["NAME", "COLON", "NAME"]:
            return ""
        if kinds[3:] in (["EQUAL"], ["COLON"]) or self._sends(2):
            self.at += 2
            return self.tokens[self.at - 2].value
        return ""

    def _sends(self, ahead: int = 0) -> bool:
        is_send = self.tokens[self.at + ahead].value == "send"
        return is_send and self.kinds(ahead + 2)[ahead + 1 :] == ["NAME"]

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

    def _send(self, place: str) -> Send:
        start = self.take().start
        target = self.target()
        source = self._word("from") or place
        to = self._word("to", _FORMS["send"])
        over = self._word("over", _FORMS["send"])
        return Send(target, source, to, over, start, self.end())

    def _word(self, keyword: str, repair: str = "") -> str:
        """The name behind a keyword, which must stand there if a repair is given."""
        if self.kind() == "NAME" and self.tokens[self.at].value == keyword:
            self.at += 1
            return self.name().value
        if repair:
            raise self.error(repair=repair)
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
        starred = link and self.accept("STAR")
        if starred and self.kinds(2)[1:] == ["LPAR"]:
            raise self.error(repair=f"write the network first, over {link}(line)*2")
        span = self.size() if starred else None
        return Axis(name.value, size, parts, link, network, span, name.start, self.end())

    def _part(self) -> tuple[str, Syntax | None]:
        return self.name(repair="write Y(Y1=8, Y2=2)").value, self._equals()

    def _equals(self) -> Syntax | None:
        """The size behind an equal sign, if there is one."""
        if not self.accept("EQUAL"):
            return None
        return self._counted(self.size())

    def _counted(self, size: Syntax) -> Syntax:
        """``4k`` is 4000 where no ``k`` occurs elsewhere, as in every list of numbers."""
        if not isinstance(size, Node) or size.op != "product":
            return size
        number, suffix = size.parts[0], size.parts[-1]
        if not isinstance(number, Number) or not isinstance(suffix, Name):
            return size
        used = sum(t.value.partition("_")[0] == suffix.name for t in self.tokens)  # k, k_X
        if number.end != suffix.start or suffix.name not in SUFFIXES or used > 1:
            return size
        counted = Unit(suffix.name, SUFFIXES[suffix.name][0], (), suffix.start, suffix.end)
        return size._replace(parts=(number, counted))

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
