"""From the syntax of a program to a graph: each statement is one step of the builder."""

from __future__ import annotations

from collections.abc import Iterable

from symcost.errors import NotationError, ShapeError
from symcost.model.builder import Graph
from symcost.model.mesh import Mesh
from symcost.model.mesh_text import mesh_from
from symcost.model.operands import Operands
from symcost.model.repairs import named_apart, undeclared_axis
from symcost.notation.limits import located
from symcost.notation.program_syntax import (
    Block,
    Declare,
    Evaluate,
    Product,
    Program,
    Send,
    Statement,
    Target,
)
from symcost.notation.program_syntax import Mesh as MeshSyntax

_SHOWN = 60  # characters of a statement in an operation's origin


class Reader(Operands):
    """Walks the statements of a program and builds the graph; knows the text for its messages."""

    def __init__(self, program: Program, mesh: Mesh, name: str) -> None:
        super().__init__(program.text, Graph(name, mesh))
        self.number = 0  # of the statement
        for statement in program.statements:
            if isinstance(statement, MeshSyntax):
                said = mesh_from(statement.axes, self.text)
                kept = [old for old in self.graph.mesh.axes if old.name not in said]
                self.graph.mesh = Mesh(*kept, *said.axes)
        self.statements(program.statements)

    # -- statements ---------------------------------------------------------------------

    def statements(self, statements: Iterable[Statement]) -> None:
        """Read statements in order; a block's statements are read where it stands."""
        for statement in statements:
            if isinstance(statement, Block):
                self._block(statement)
            elif not isinstance(statement, MeshSyntax):  # declared before
                self._begin(statement)
                if isinstance(statement, Send):
                    self._send(statement)
                elif isinstance(statement, Declare):
                    self._declare(statement)
                else:
                    self._evaluate(statement)

    def _begin(self, statement: Statement) -> None:
        self.number += 1
        line = self.text[statement.start : min(statement.end, statement.start + 2 * _SHOWN)]
        line = line.partition("\n")[0].partition(";")[0].strip()
        short = line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."
        self.origin = f"statement {self.number}: {short}"

    def _block(self, block: Block) -> None:
        with located(self.text, block.start, block.end):
            scope = (
                self.graph.fused(block.name)
                if block.times is None
                else self.graph.repeat(self._size(block.times))
            )
            with scope:
                self.statements(block.body)

    def _send(self, send: Send) -> None:
        with located(self.text, send.start, send.end):
            if send.target.type is not None:
                self._operand(send.target)
            name = send.target.name
            self.graph.send(name, send.to, send.over, source=send.source, origin=self.origin)

    def _declare(self, declare: Declare) -> None:
        role, place = declare.role, declare.place
        for target in declare.targets:
            with located(self.text, target.start, target.end):
                name, kind = self._target(target)
                if role == "output" and kind is None:
                    self.graph.output(name, place=place)
                elif role == "output" or kind is None:
                    raise NotationError(
                        f"{role} {name} needs {'no' if kind else 'a'} type",
                        repair=f"write {role} {name}" + ("" if kind else ": bf16[B, D]"),
                    )
                else:
                    self.graph.declare(name, kind, role, place)

    def _evaluate(self, statement: Evaluate) -> None:
        place = statement.target or statement.value
        end = min(place.end, place.start + 1) if isinstance(place, Product) else place.end
        with located(self.text, place.start, end), self.graph.on(statement.place):
            try:
                self._assign(statement)
            except ShapeError as error:
                said = named_apart(statement) or undeclared_axis(statement, self.graph)
                error.repair = said or error.repair
                raise

    def _assign(self, statement: Evaluate) -> None:
        target = statement.target
        name, kind = self._target(target) if target else ("", None)
        value = self._with_types(statement.value, statement.types)
        value = self._position(value) if isinstance(value, Target) else value
        if target is None and isinstance(value, Target) and not value.ranges:
            self._declaration(value, statement.place)
        else:
            self._value(value, name, kind, self._values(statement.parameters))

    def _declaration(self, target: Target, place: str) -> None:
        name, kind = self._target(target)
        if kind is None:
            raise NotationError(
                f"the statement {name} does nothing", repair=f"declare it, {name}: bf16[B, D]"
            )
        with located(self.text, target.start, target.end):
            self.graph.declare(name, kind, "input", place)
