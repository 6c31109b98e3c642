"""From the syntax of a program to a graph: each statement is one step of the builder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, cast

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import NotationError, ShapeError, SymcostError
from symcost.model.builder import Graph
from symcost.model.mesh import Mesh
from symcost.model.mesh_text import mesh_from
from symcost.model.operations import operations
from symcost.model.ops.exchange import axes_of
from symcost.model.ops.indices import check_column
from symcost.model.sizes import known_dtype, read_type, size_of
from symcost.model.square import named_apart
from symcost.model.tensors import Tensor, TensorType
from symcost.notation.programs import (
    Block,
    Call,
    Declare,
    Evaluate,
    Operand,
    Parameter,
    Product,
    Program,
    Send,
    Several,
    Sign,
    Statement,
    Target,
    Typed,
)
from symcost.notation.programs import Mesh as MeshSyntax
from symcost.notation.syntax import Name, Number, Syntax
from symcost.symbols import dim

Value: TypeAlias = "str | int | Posynomial | tuple[str | int | Posynomial, ...]"
Values: TypeAlias = dict[str, Value]

TEXT_PARAMS = ("compute", "over", "to")
SAME_PARAMS = {"dim": "axis", "dims": "axes", "equation": "spec", "subscripts": "spec"}
_SHOWN = 60  # characters of a statement in an operation's origin


@contextmanager
def placed(text: str, start: int, end: int) -> Iterator[None]:
    """Give errors that are raised within a place in the text."""
    try:
        yield
    except SymcostError as error:
        raise error.at(text, start, max(1, end - start)) from None


class Reader:
    """Walks the statements of a program and builds the graph; knows the text for its messages."""

    def __init__(self, program: Program, mesh: Mesh, name: str) -> None:
        self.text = program.text
        self.graph = Graph(name, mesh)
        self.number = 0  # of the statement
        self.origin = ""
        self.types: dict[str, tuple[str, TensorType]] = {}
        for statement in program.statements:
            if isinstance(statement, MeshSyntax):
                said = mesh_from(statement.axes, self.text)
                kept = [old for old in self.graph.mesh.axes if old.name not in said]
                self.graph.mesh = Mesh(*kept, *said.axes)
        self.axes = self.graph.mesh.wholes
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
        with placed(self.text, block.start, block.end):
            scope = (
                self.graph.fused(block.name)
                if block.times is None
                else self.graph.repeat(self._size(block.times))
            )
            with scope:
                self.statements(block.body)

    def _send(self, send: Send) -> None:
        with placed(self.text, send.start, send.end):
            if send.target.type is not None:
                self._operand(send.target)
            name = send.target.name
            self.graph.send(name, send.to, send.over, source=send.source, origin=self.origin)

    def _declare(self, declare: Declare) -> None:
        role, place = declare.role, declare.place
        for target in declare.targets:
            with placed(self.text, target.start, target.end):
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
        with placed(self.text, place.start, end), self.graph.on(statement.place):
            try:
                self._assign(statement)
            except ShapeError as error:
                error.repair = named_apart(statement) or error.repair
                raise

    def _assign(self, statement: Evaluate) -> None:
        target = statement.target
        name, kind = self._target(target) if target else ("", None)
        value = self._with_types(statement.value, statement.types)
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
        with placed(self.text, target.start, target.end):
            self.graph.declare(name, kind, "input", place)

    # -- values -------------------------------------------------------------------------

    def _with_types(self, value: Operand, types: tuple[Typed, ...]) -> Operand:
        """The operands; names that were written first get the types that follow."""
        if not types:
            return value
        operands = value.operands if isinstance(value, Product) else (value,)
        every = [*(o.type for o in operands if isinstance(o, Target) and o.type), *types]
        named = [o for o in operands if isinstance(o, Target) and o.name and not o.ranges]
        *front, last = operands
        bare = all(isinstance(o, Target) and o.name and o.type is None for o in front)
        typed = isinstance(last, Target) and last.type is not None
        if len(every) != len(operands) or len(named) != len(operands) or not (bare and typed):
            first = types[-1]
            raise NotationError(
                f"{len(operands)} operands have {len(every)} types",
                repair="write X @ W: bf16[B, D], bf16[D, F] or X: bf16[B, D] @ W: bf16[D, F]",
            ).at(self.text, first.start, len(first.word))
        given = tuple(o._replace(type=t) for o, t in zip(named, every, strict=True))
        return value._replace(operands=given) if isinstance(value, Product) else given[0]

    def _value(self, value: Operand, name: str, kind: TensorType | None, values: Values) -> Tensor:
        """Add the operation of a product, call or arrow and return its result."""
        if isinstance(value, Call):
            return self._call(value, name, kind, values)
        if isinstance(value, Product):
            tensors = [self._factor(operand) for operand in value.operands]
            sums = self._sums(value.signs)
            if kind is None and not sums and any(map(_is_transposed, value.operands)):
                with placed(self.text, value.signs[0].start, value.signs[0].end):
                    sums = _summed_as_written(value.operands, tensors)
            extra: Values = {**values, "sums": sums} if sums else {**values}
            sign = value.signs[0]
            with placed(self.text, sign.start, sign.end):
                return self._add("contract", tensors, kind, name, extra)
        if value.ranges and kind is None:
            return self._slice(value, name)
        tensor = self._operand(value)
        if kind is None:
            raise NotationError(f"{tensor.label} is already a tensor; nothing is computed")
        with placed(self.text, value.start, value.end):
            return self._add(_meaning(tensor.type, kind), [tensor], kind, name, {})

    def _call(self, call: Call, name: str, kind: TensorType | None, values: Values) -> Tensor:
        word, over = _collective("transpose" if call.word == "T" else call.word, self.graph.mesh)
        product = word in operations and operations[word].name == "contract"
        read = self._factor if product else self._operand
        tensors = [read(operand) for operand in call.operands]
        with placed(self.text, call.start, call.end):
            if not tensors:
                raise NotationError(f"{word} needs an operand", repair=f"write {word}(X)")
            if word == "send":
                raise NotationError(
                    "send is a statement", repair="write send P0 to gpu2 over nvlink"
                )
            given = self._values(call.parameters, word)
            return self._add(word, tensors, kind, name, {**over, **values, **given})

    def _factor(self, operand: Operand) -> Tensor:
        """An operand of a product; ``W.T`` is W, since a product goes by the names of its axes."""
        if isinstance(operand, Call) and _is_transposed(operand):
            tensor = self._operand(operand.operands[0])
            if not any(size.is_constant for size in tensor.type.shape):
                return tensor
            return self._add("transpose", [tensor], None, "", {})
        return self._operand(operand)

    def _operand(self, operand: Operand) -> Tensor:
        """The tensor of an operand: named before, declared here, or computed here."""
        if not isinstance(operand, Target):
            return self._value(operand, "", None, {})
        with placed(self.text, operand.start, operand.end):
            if operand.ranges:
                return self._slice(operand, "")
            name, kind = self._target(operand)
            if kind is None:
                return self.graph.find(name)
            if name in self.graph.tensors:
                return self._again(self.graph.find(name), kind)
            return self.graph.declare(name, kind, "input", "")

    def _again(self, tensor: Tensor, kind: TensorType) -> Tensor:
        if tensor.type is not kind:
            raise ShapeError(
                f"{tensor.name} was {tensor.type} before and is {kind} here",
                repair="write the name alone, or another name",
            )
        return tensor

    def _slice(self, target: Target, name: str) -> Tensor:
        """``X[:, :D // 2]``: the part of a tensor, which costs nothing until it is read."""
        with placed(self.text, target.start, target.end):
            tensor = self.graph.find(target.name)
            if len(target.ranges) != tensor.type.rank:
                raise ShapeError(
                    f"{target.name} has {tensor.type.rank} axes, not {len(target.ranges)}",
                    repair="write a colon for each axis that is whole",
                )
            pairs = list(zip(target.ranges, tensor.type.shape, strict=True))
            starts = tuple(self._end(part.low, whole, as_posynomial(0)) for part, whole in pairs)
            stops = (self._end(part.high, whole, whole) for part, whole in pairs)
            shape = tuple(stop - start for start, stop in zip(starts, stops, strict=True))
            out = TensorType(tensor.type.dtype, shape)
            values: Values = {"starts": tuple(_plain(start) for start in starts)}
            return self._add("slice", [tensor], out, name, values)

    def _end(self, syntax: Syntax | None, whole: Posynomial, default: Posynomial) -> Posynomial:
        """One end of a range; a negative one counts from the end of the axis."""
        if syntax is None:
            return default
        size = self._size(syntax)
        return whole + size if _is_negative(size) else size

    def _add(
        self,
        word: str,
        tensors: Iterable[Tensor],
        out: TensorType | None,
        name: str,
        values: Values,
    ) -> Tensor:
        given = cast("dict[str, Any]", values)
        return self.graph.op(word, *tensors, out=out, name=name, origin=self.origin, **given)

    # -- words --------------------------------------------------------------------------

    def _target(self, target: Target) -> tuple[str, TensorType | None]:
        """The name and type of ``Z: bf16[B]``, ``Z``, ``bf16[B]`` or an untyped ``Z[B]``."""
        if target.type is None:
            return target.name, None
        typed = target.type
        shown = self.text[typed.start : typed.end]
        if shown not in self.types:
            self.types[shown] = read_type(typed, self.axes, self.text)
        untyped, kind = self.types[shown]
        if not target.name:
            return untyped, kind
        if untyped:
            known_dtype(typed, self.text)
            problem = f"{untyped} is no dtype"
            raise NotationError(problem).at(self.text, typed.start, len(untyped))
        return target.name, kind

    def _size(self, syntax: Syntax) -> Posynomial:
        return size_of(syntax, self.text)

    def _values(self, parameters: Iterable[Parameter], word: str = "") -> Values:
        """The parameters of an operation, under the names that it knows."""
        known = operations[word].params if word in operations else None
        found: Values = {}
        for name, value in parameters:
            same = SAME_PARAMS.get(name, "")
            key = same if known is not None and name not in known and same in known else name
            found[key] = self._parameter(key, value)
        return found

    def _parameter(self, name: str, value: str | Syntax | Several) -> Value:
        if isinstance(value, str):
            return value
        if isinstance(value, Name | Number) and name in TEXT_PARAMS:
            return self.text[value.start : value.end]
        if isinstance(value, Several):
            return tuple(_plain(self._size(part)) for part in value.parts)
        return _plain(self._size(value))

    def _sums(self, signs: Iterable[Sign]) -> tuple[Posynomial, ...]:
        """The dimensions that the product signs name, ``*_D`` or ``·_{D,H}``."""
        found = []
        for sign in signs:
            for word in sign.summed:
                if not (word.isidentifier() or (word.isdecimal() and len(word) < 30)):
                    error = NotationError(f"{word!r} is no dimension")
                    raise error.at(self.text, sign.start, sign.end - sign.start)
                found.append(as_posynomial(int(word) if word.isdecimal() else dim(word)))
        return tuple(found)


def _plain(size: Posynomial) -> int | Posynomial:
    """An int where the size is one."""
    if size.is_constant and size.as_fraction().denominator == 1:
        return int(size.as_fraction())
    return size


def _is_negative(size: Posynomial) -> bool:
    return bool(size) and all(coefficient < 0 for coefficient in size.terms.values())


def _collective(word: str, mesh: Mesh) -> tuple[str, Values]:
    """The book's spelling: ``AllGather_X``, ``ReduceScatter_{X,K}`` with the dimension K."""
    base, _, suffix = word.rpartition("_")
    found = operations.get(base) if base and word not in operations else None
    if found is None or found.layout is None:
        return word, {}
    names = [name.strip() for name in suffix.strip("{}").split(",")]
    over = [name for name in names if axes_of({"over": name}, mesh, strict=False)]
    dims = [name for name in names if name not in over]
    values: Values = {"over": over[0] if len(over) == 1 else tuple(over)} if over else {}
    return found.name, {**values, **({"axis": as_posynomial(dim(dims[0]))} if dims else {})}


def _meaning(operand: TensorType, result: TensorType) -> str:
    """What an arrow from one tensor to another does: cast, transpose or sum."""
    if operand.shape == result.shape:
        moved = operand.dtype == result.dtype and operand.layout != result.layout
        return "reshard" if moved else "cast"
    return "transpose" if set(operand.shape) == set(result.shape) else "sum"


def _is_transposed(operand: Operand) -> bool:
    return isinstance(operand, Call) and operand.word == "T"


def _summed_as_written(
    operands: Sequence[Operand], tensors: Sequence[Tensor]
) -> tuple[Posynomial, ...]:
    """What ``X.T @ Y`` sums: the last axis of its left side as transposed, if both have it."""
    shapes = [
        tensor.type.shape[::-1] if _is_transposed(operand) else tensor.type.shape
        for operand, tensor in zip(operands, tensors, strict=True)
    ]
    if len(shapes) != 2 or not shapes[0] or shapes[0][-1] not in shapes[1]:
        return ()
    inner = shapes[0][-1]
    check_column(shapes[0], shapes[1], {inner})
    return (inner,)
