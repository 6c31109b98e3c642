"""Values of a program: operands, products, calls and slices become operations of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import NotationError, ShapeError
from symcost.model.builder import Graph
from symcost.model.dtypes import UNTYPED
from symcost.model.mesh import Mesh, axes_in
from symcost.model.operations import operations
from symcost.model.sizes import known_dtype, read_type, size_of
from symcost.model.tensors import ONE, Tensor, TensorType
from symcost.model.views import (
    as_product,
    is_position,
    is_view,
    range_of_each_axis,
    stored_spec,
    view_order,
)
from symcost.notation.limits import located
from symcost.notation.program_syntax import (
    Call,
    Operand,
    Parameter,
    Product,
    Range,
    Several,
    Sign,
    Target,
    Typed,
)
from symcost.notation.syntax import Name, Number, Syntax
from symcost.notation.tokens import failure
from symcost.symbols import dim

Value: TypeAlias = "str | int | Posynomial | tuple[str | int | Posynomial, ...]"
Values: TypeAlias = dict[str, Value]

_POSITIONAL = {"transpose": "axes", "top_k": "k"}  # what a bare number is; axis for any other
LOCAL = "LOCAL"  # behind a product sign: what is summed stays partial
TEXT_PARAMS = ("compute", "over", "to")
SAME_PARAMS = {"dim": "axis", "dims": "axes", "equation": "spec", "subscripts": "spec"}


class Operands:
    """Reads values into a graph; knows the text for its messages."""

    def __init__(self, text: str, graph: Graph) -> None:
        self.text = text
        self.graph = graph
        self.origin = ""  # the statement that is read
        self.types: dict[str, tuple[str, TensorType]] = {}

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
        each = len(every) == len(operands) == len(named)
        if not (isinstance(value, Product) and each and bare and typed):
            first = types[-1]
            problem = f"{len(operands)} operands have {len(every)} types"
            repair = "write X @ W: bf16[B, D], bf16[D, F] or X: bf16[B, D] @ W: bf16[D, F]"
            raise failure(problem, self.text, first.start, first.start + len(first.word), repair)
        given = tuple(o._replace(type=t) for o, t in zip(named, every, strict=True))
        return value._replace(operands=given)

    def _value(self, value: Operand, name: str, kind: TensorType | None, values: Values) -> Tensor:
        """Add the operation of a product, call or arrow and return its result."""
        if isinstance(value, Call):
            return self._call(value, name, kind, values)
        if isinstance(value, Product):
            sums = self._sums(value.signs)
            values = {**values, "sums": sums} if sums else values
            return self._contract("contract", value.operands, value.signs[0], kind, name, values)
        if value.ranges and kind is None:
            return self._slice(value, name)
        tensor = self._operand(value)
        if kind is None:
            raise NotationError(f"{tensor.label} is already a tensor; nothing is computed")
        with located(self.text, value.start, value.end):
            return self._add(_meaning(tensor.type, kind), [tensor], kind, name, {})

    def _call(self, call: Call, name: str, kind: TensorType | None, values: Values) -> Tensor:
        call = as_product(call)
        word = "transpose" if is_view(call) else call.word
        word, over = _collective(word, self.graph.mesh)
        with located(self.text, call.start, call.end):
            values = {**over, **values, **self._values(call.parameters, word)}
        if word in operations and operations[word].name == "contract" and call.operands:
            return self._contract(word, call.operands, call, kind, name, values)
        tensors = [self._operand(operand) for operand in call.operands]
        with located(self.text, call.start, call.end):
            if not tensors:
                raise NotationError(f"{word} needs an operand", repair=f"write {word}(X)")
            if word == "send":
                raise NotationError(
                    "send is a statement", repair="write send P0 to gpu2 over nvlink"
                )
            if is_view(call):
                values["axes"] = self._order(call, tensors[0].type)
            return self._add(word, tensors, kind, name, values)

    def _contract(
        self,
        word: str,
        operands: Sequence[Operand],
        place: Sign | Call,
        kind: TensorType | None,
        name: str,
        values: Values,
    ) -> Tensor:
        """A product; ``W.T`` in it is W, of which the letters of the axes change places."""
        views = [operand if is_view(operand) else None for operand in operands]
        inner = [
            view.operands[0] if view else each for view, each in zip(views, operands, strict=True)
        ]
        tensors = [self._operand(each) for each in inner]
        with located(self.text, place.start, place.end):
            if any(views):
                orders = [
                    self._order(view, tensor.type) if view else range(tensor.type.rank)
                    for view, tensor in zip(views, tensors, strict=True)
                ]
                sums = cast("tuple[Posynomial, ...] | None", values.pop("sums", None))
                said = str(values.get("spec", ""))
                values["spec"] = stored_spec(tensors, orders, kind, said, sums)
            return self._add(word, tensors, kind, name, values)

    def _order(self, call: Call, kind: TensorType) -> tuple[int, ...]:
        said = next((value for name, value in call.parameters if not name), None)
        return view_order(call.word, said and self._parameter("axes", said), kind)

    def _operand(self, operand: Operand) -> Tensor:
        """The tensor of an operand: named before, declared here, or computed here."""
        if not isinstance(operand, Target):
            return self._value(operand, "", None, {})
        with located(self.text, operand.start, operand.end):
            operand = self._position(operand)
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
        with located(self.text, target.start, target.end):
            tensor = self.graph.find(target.name)
            ranges = range_of_each_axis(target, tensor.type.rank)
            pairs = list(zip(ranges, tensor.type.shape, strict=True))
            starts = tuple(self._end(part.low, whole, as_posynomial(0)) for part, whole in pairs)
            stops = (self._end(part.high, whole, whole) for part, whole in pairs)
            shape = tuple(
                stop - start if part.sign else ONE
                for part, start, stop in zip(ranges, starts, stops, strict=True)
            )
            out = TensorType(tensor.type.dtype, shape)
            values: Values = {"starts": tuple(_plain(start) for start in starts)}
            kept = tuple(size for part, size in zip(ranges, shape, strict=True) if part.sign)
            if len(kept) == len(shape):
                return self._add("slice", [tensor], out, name, values)
            row = self._add("slice", [tensor], out, "", values)
            return self._add("reshape", [row], TensorType(out.dtype, kept), name, {})

    def _position(self, target: Target) -> Target:
        """``X[0]`` of a tensor that has a type already: a part of it, and no other type."""
        typed = target.type
        known = self.graph.tensors.get(typed.word) if typed and not target.name else None
        if typed is None or known is None or known.type.dtype.name == UNTYPED:
            return target
        if not typed.sizes or any(not is_position(each) for each in typed.sizes):
            return target
        ranges = tuple(Range(each.size, None, "") for each in typed.sizes)
        return Target(typed.word, None, ranges, target.start, target.end)

    def _end(self, syntax: Syntax | None, whole: Posynomial, default: Posynomial) -> Posynomial:
        """One end of a range; a negative one counts from the end of the axis."""
        if syntax is None:
            return default
        size = self._size(syntax)
        return whole + size if _is_negative(size) else size

    def _add(
        self,
        word: str,
        tensors: Sequence[Tensor],
        out: TensorType | None,
        name: str,
        values: Values,
    ) -> Tensor:
        given = cast("dict[str, Any]", values)
        moves = word == "reshard" or (word in operations and operations[word].layout is not None)
        if moves and name in [tensor.name for tensor in tensors]:
            tensors = [self.graph.superseded(name)]
        return self.graph.op(word, *tensors, out=out, name=name, origin=self.origin, **given)

    # -- words --------------------------------------------------------------------------

    def _target(self, target: Target) -> tuple[str, TensorType | None]:
        """The name and type of ``Z: bf16[B]``, ``Z``, ``bf16[B]`` or an untyped ``Z[B]``."""
        if target.type is None:
            return target.name, None
        typed = target.type
        shown = self.text[typed.start : typed.end]
        if shown not in self.types:
            self.types[shown] = read_type(typed, self.graph.mesh, self.text)
        untyped, kind = self.types[shown]
        if not target.name:
            known = self.graph.tensors.get(untyped)
            return untyped, kind.of_dtype(known.type.dtype) if known else kind
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
        values: Values = {}
        for name, value in parameters:
            usual = _POSITIONAL.get(operations[word].name if word in operations else "", "axis")
            same = SAME_PARAMS.get(name, "") if name else usual
            key = same if known is not None and name not in known and same in known else name
            if not key:
                problem = f"{word} takes no number"
                raise NotationError(problem, repair="name it, as with axis=-1")
            if key == "k" and isinstance(value, Several) and len(value.parts) == 1:
                value = value.parts[0]
            values[key] = self._parameter(key, value)
        return values

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
        sums = []
        for sign in signs:
            for word in sign.summed:
                if word.upper() == LOCAL and self.graph.mesh:
                    continue  # the partial sums stay where they are, as the result says
                if not (word.isidentifier() or (word.isdecimal() and len(word) < 30)):
                    problem = f"{word!r} is no dimension"
                    raise failure(problem, self.text, sign.start, sign.end)
                sums.append(as_posynomial(int(word) if word.isdecimal() else dim(word)))
        return tuple(sums)


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
    operation = operations.get(base) if base and word not in operations else None
    if operation is None or operation.layout is None:
        return word, {}
    names = [name.strip() for name in suffix.strip("{}").split(",")]
    over = [name for name in names if axes_in(name, mesh)]
    dims = [name for name in names if name not in over]
    values: Values = {"over": over[0] if len(over) == 1 else tuple(over)} if over else {}
    return operation.name, {**values, **({"axis": as_posynomial(dim(dims[0]))} if dims else {})}


def _meaning(operand: TensorType, result: TensorType) -> str:
    """What an arrow from one tensor to another does: cast, transpose or sum."""
    if operand.shape == result.shape:
        moved = operand.dtype == result.dtype and operand.layout != result.layout
        return "reshard" if moved else "cast"
    return "transpose" if set(operand.shape) == set(result.shape) else "sum"
