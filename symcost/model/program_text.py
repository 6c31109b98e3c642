"""Printing a graph as a program that reads back to the same graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from symcost.algebra import Posynomial
from symcost.errors import SymcostError
from symcost.model.data import GraphData, Op
from symcost.model.mesh import Mesh, mesh_text
from symcost.model.ops import operations, resolved
from symcost.model.ops.indices import contraction_spec
from symcost.model.tensors import ONE, Tensor, TensorType
from symcost.notation.tokens import plain_name


def program_text(graph: GraphData) -> str:
    """The program of a graph: reading it gives an equal graph.

    >>> from symcost.model.programs import parse
    >>> print(program_text(parse("x • y: bf16[N], bf16[N] → bf16[1]")))
    x: bf16[N] @ y: bf16[N] -> bf16[1]

    Args:
        graph: a graph of operations with one result each.

    Returns:
        One statement a line.
    """
    return "\n".join(_Printer(graph).lines())


class _Printer:
    """Remembers which tensors were declared, and counts hidden names as the reader does."""

    def __init__(self, graph: GraphData) -> None:
        self.graph = graph
        self.users = graph.consumers()
        self.known: set[str] = set()
        self.word = _words(graph)
        self.anonymous = 0

    def lines(self) -> Iterator[str]:
        if self.graph.mesh:
            yield f"mesh {mesh_text(self.graph.mesh)}"
        blocks = [(times, list(ops)) for times, ops in groupby(self.graph.ops, lambda o: o.repeat)]
        users = [{name for op in ops for name in op.inputs} for _, ops in blocks]
        declared: dict[tuple[int, Posynomial], list[str]] = {}  # by number of block: -1 is before
        for tensor in self._apart():
            number = next((n for n, names in enumerate(users) if tensor.name in names), -1)
            inside = tensor.repeat != ONE and number >= 0 and blocks[number][0] == tensor.repeat
            key = (number if inside else -1, tensor.repeat)
            declared.setdefault(key, []).append(self._declaration(tensor))
        for (number, times), lines in declared.items():
            if number < 0:
                yield from _repeated(times, lines)
        for number, (times, ops) in enumerate(blocks):
            yield from _repeated(times, [*declared.get((number, times), ()), *self._groups(ops)])
        for tensor in self.graph.tensors.values():
            if tensor.role == "output" and self.users[tensor.name]:
                place = _on(tensor.place) if "@" in tensor.name else ""
                yield f"output {self.word[tensor.name]}{place}"

    def _groups(self, ops: list[Op]) -> Iterator[str]:
        for group, members in groupby(ops, key=lambda op: op.group):
            lines: list[str] = []
            for inner, steps in groupby(members, key=lambda op: op.inner):
                block = [self._statement(op) for op in steps]
                lines += _repeated(inner, block)
            yield from _block(f"fused {_word(group)}", lines) if group else lines

    def _apart(self) -> Iterator[Tensor]:
        """Tensors that cannot be declared where they are first used."""
        for tensor in self.graph.tensors.values():
            if tensor.role not in ("input", "weight"):
                continue
            users = self.users[tensor.name]
            first = self.graph.ops[users[0]] if users else None
            where = (tensor.place, tensor.repeat)
            inline = first and first.kind != "send" and (first.place, first.repeat) == where
            if tensor.role == "weight" or not inline:
                yield tensor

    def _declaration(self, tensor: Tensor) -> str:
        self.known.add(tensor.name)
        keyword = "weight " if tensor.role == "weight" else ""
        return f"{keyword}{self.word[tensor.name]}: {tensor.type}{_on(tensor.place)}"

    def _statement(self, op: Op) -> str:
        if op.kind == "send":
            return self._send(op)
        inputs = [self.graph.tensors[name] for name in op.inputs]
        result = self.graph.tensors[op.outputs[0]]
        operands = [self._operand(tensor) for tensor in inputs]
        types = [tensor.type for tensor in inputs]
        text, shown, tail = _expression(op, operands, types, result.type, self.graph.mesh)
        return f"{self._assigned(text, result, shown)}{tail}{_on(op.place)}"

    def _assigned(self, text: str, result: Tensor, shown: bool) -> str:
        """The expression with its result, whose type is shown if reading needs it."""
        if result.is_anonymous and not self.users[result.name] and self._is_next(result.name):
            return f"{text} -> {result.type}" if shown else text
        self.known.add(result.name)
        name = self.word[result.name]
        return f"{name}: {result.type} = {text}" if shown else f"{name} = {text}"

    def _operand(self, tensor: Tensor) -> str:
        if tensor.name in self.known:
            return self.word[tensor.name]
        once = len(self.users[tensor.name]) == 1
        if tensor.is_anonymous and once and self._is_next(tensor.name):
            return str(tensor.type)
        self.known.add(tensor.name)
        return f"{self.word[tensor.name]}: {tensor.type}"

    def _is_next(self, name: str) -> bool:
        """Whether the reader would give this hidden name by itself; if so it is used up."""
        following = self.anonymous + 1
        while f"_{following}" in self.known:
            following += 1
        if name != f"_{following}":
            return False
        self.anonymous = following
        self.known.add(name)
        return True

    def _send(self, op: Op) -> str:
        attrs = dict(op.attrs)
        name = op.inputs[0]
        self.known.add(op.outputs[0])
        held = self.graph.tensors[name].place
        source = f" from {_word(held)}" if "@" in name else ""
        to, over = _word(str(attrs["to"])), attrs["over"]
        return f"send {self.word[name]}{source} to {to} over {over}"


def _repeated(times: Posynomial, lines: list[str]) -> Iterable[str]:
    return lines if times == ONE else _block(f"repeat {times}", lines)


def _block(head: str, lines: list[str]) -> Iterator[str]:
    yield f"{head} {{"
    yield from (f"    {line}" for line in lines)
    yield "}"


def _on(place: str) -> str:
    return f" on {_word(place)}" if place else ""


def _words(graph: GraphData) -> dict[str, str]:
    """What a program calls each tensor; a copy on another device is called like the tensor."""
    words: dict[str, str] = {}
    copies = {op.outputs[0]: op.inputs[0] for op in graph.ops if op.kind == "send"}
    for name in sorted(graph.tensors, key=lambda name: name in copies):
        if name in copies and copies[name] in words:
            words[name] = words[copies[name]]
            continue
        base = word = _word(name)
        number = 1
        while word in words.values() or (word != name and word in graph.tensors):
            number += 1
            word = f"{base}_{number}"
        words[name] = word
    return words


def _word(name: str) -> str:
    """The name itself, or a word like it where it came from elsewhere: ``blk_0_relu``."""
    if (plain := plain_name(name)).isidentifier():
        return plain
    letters = [letter if f"_{letter}".isidentifier() else "_" for letter in plain]
    word = re.sub("_+", "_", "".join(letters)).strip("_") or "t"
    return word if word.isidentifier() else f"n{word}"


def _expression(
    op: Op, operands: list[str], types: list[TensorType], result: TensorType, mesh: Mesh
) -> tuple[str, bool, str]:
    """The right side, whether the type of the result must be written, and what follows it."""
    attrs = dict(op.attrs)
    if op.kind == "contract":
        spec = attrs.pop("spec")
        tail = "".join(f" with {name}={_value(name, v, types)}" for name, v in attrs.items())
        if _by_name(types, result) == spec:
            return " @ ".join(operands), True, tail
        return f'einsum({", ".join(operands)}, spec="{spec}")', True, tail
    needs_type = not _infers(op, types, attrs, result, mesh)
    if "axes" in attrs and needs_type and _infers(op, types, {}, result, mesh, given=True):
        attrs.pop("axes")
    words = [f"{name}={_value(name, value, types)}" for name, value in attrs.items()]
    return f"{op.kind}({', '.join([*operands, *words])})", needs_type, ""


def _by_name(types: list[TensorType], result: TensorType) -> str | None:
    try:
        return contraction_spec(types, result)
    except SymcostError:
        return None


def _infers(
    op: Op,
    types: list[TensorType],
    attrs: dict[str, Any],
    result: TensorType,
    mesh: Mesh,
    given: bool = False,
) -> bool:
    """Whether reading the call without the type (or these parameters) gives the same."""
    try:
        kind, inferred, full = resolved(
            op.kind, tuple(types), attrs, result if given else None, mesh
        )
    except SymcostError:
        return False
    same = tuple(sorted(full.items())) == op.attrs
    return kind == op.kind and inferred is result and same and op.kind in operations


def _value(name: str, value: object, types: list[TensorType]) -> str:
    if name in ("axis", "axes") and isinstance(value, tuple) and types:
        axes = [_axis(types[0], each) for each in value]
        return axes[0] if len(axes) == 1 else f"[{', '.join(axes)}]"
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, str) and name != "compute":
        return f'"{value}"'
    return str(value)


def _axis(kind: TensorType, axis: object) -> str:
    """An axis by its dimension if that names it, otherwise by its position."""
    size: Posynomial | None = kind.shape[axis] if isinstance(axis, int) else None
    return str(axis) if size is None or size.is_constant else str(size)
