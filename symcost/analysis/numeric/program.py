"""Straight-line programs of numpy operations: once for the numbers, then chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

# ("input", n): an argument; ("constant", float); ("number", n): the result of the nth operation
# on numbers alone; ("step", n): the result of the nth operation on arrays
Operand: TypeAlias = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One numpy operation by name, its operands, and the scratch register it writes to."""

    operation: str
    operands: tuple[Operand, ...]
    register: int = -1


@dataclass(frozen=True, slots=True)
class Program:
    """Operations in order; ``results`` are the operands that are the values of the expressions.

    ``numbers`` are the operations among arguments that are numbers: they are done once.
    """

    numbers: tuple[Step, ...]
    steps: tuple[Step, ...]
    results: tuple[Operand, ...]
    registers: int
    operations: tuple[Any, ...]  # numpy's, one for each of the steps

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The results for numbers or arrays of any library."""
        done: list[Any] = []
        values = {"input": inputs, "number": self.prepare(inputs), "step": done}
        for operation, step in zip(self.operations, self.steps, strict=True):
            done.append(operation(*_taken(step.operands, values)))
        return _taken(self.results, values)

    def prepare(self, inputs: Sequence[Any]) -> list[Any]:
        """The results of the operations on numbers."""
        done: list[Any] = []
        values = {"input": inputs, "number": done}
        for step in self.numbers:
            done.append(_operation(step)(*_taken(step.operands, values)))
        return done

    def run_into(
        self, inputs: Sequence[Any], numbers: Sequence[Any], outputs: Sequence[Any], scratch: Any
    ) -> None:
        """The results for arrays of at most a chunk, written into ``outputs``."""
        room = scratch[:, : len(outputs[0])]
        targets = [room[step.register] for step in self.steps]
        direct = {}
        for index, (kind, which) in enumerate(self.results):
            if kind == "step" and which not in direct:
                direct[which], targets[which] = index, outputs[index]
        values = {"input": inputs, "number": numbers, "step": targets}
        for operation, step, target in zip(self.operations, self.steps, targets, strict=True):
            operation(*_taken(step.operands, values), out=target)
        for index, value in enumerate(_taken(self.results, values)):
            if index not in direct.values():
                outputs[index][...] = value


def assembled(
    numbers: Sequence[Step], steps: Sequence[Step], results: tuple[Operand, ...]
) -> Program:
    """A program in which each step has a scratch register that no later step still needs."""
    last = {number: number for number in range(len(steps))}
    for number, step in enumerate(steps):
        last.update({which: number for kind, which in step.operands if kind == "step"})
    last.update({which: len(steps) for kind, which in results if kind == "step"})
    free: list[int] = []
    used = 0
    placed: list[Step] = []
    for number, step in enumerate(steps):
        ended = {w for kind, w in step.operands if kind == "step" and last[w] == number}
        free += sorted(placed[which].register for which in ended)
        if not free:
            free.append(used)
            used += 1
        placed.append(replace(step, register=free.pop()))
    operations = tuple(map(_operation, placed))
    return Program(tuple(numbers), tuple(placed), results, used, operations)


def _operation(step: Step) -> Any:
    import numpy as np

    return getattr(np, step.operation)


def _taken(operands: Sequence[Operand], values: Mapping[str, Sequence[Any]]) -> list[Any]:
    """The values of some operands."""
    return [which if kind == "constant" else values[kind][which] for kind, which in operands]
