"""Straight-line programs of numpy operations: once for the numbers, then chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The results for numbers or arrays of any library."""
        done: list[Any] = []
        value = _reader(inputs, self.prepare(inputs), done)
        for step in self.steps:
            done.append(_operation(step)(*map(value, step.operands)))
        return [value(operand) for operand in self.results]

    def prepare(self, inputs: Sequence[Any]) -> list[Any]:
        """The results of the operations on numbers."""
        done: list[Any] = []
        value = _reader(inputs, done, [])
        for step in self.numbers:
            done.append(_operation(step)(*map(value, step.operands)))
        return done

    def run_into(
        self, inputs: Sequence[Any], numbers: Sequence[Any], outputs: Sequence[Any], scratch: Any
    ) -> None:
        """The results for arrays of at most a chunk, written into ``outputs``."""
        room = scratch[:, : len(outputs[0])]
        direct = {
            self.results.index(r): r[1] for r in dict.fromkeys(self.results) if r[0] == "step"
        }
        places = {step: outputs[index] for index, step in direct.items()}
        done: list[Any] = []
        value = _reader(inputs, numbers, done)
        for number, step in enumerate(self.steps):
            target = places.get(number, room[step.register])
            done.append(_operation(step)(*map(value, step.operands), out=target))
        for index, operand in enumerate(self.results):
            if index not in direct:
                outputs[index][...] = value(operand)


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
    return Program(tuple(numbers), tuple(placed), results, used)


def _operation(step: Step) -> Any:
    import numpy as np

    return getattr(np, step.operation)


def _reader(
    inputs: Sequence[Any], numbers: Sequence[Any], done: Sequence[Any]
) -> Callable[[Operand], Any]:
    """How an operand gets its value."""

    def value(operand: Operand) -> Any:
        kind, which = operand
        if kind == "constant":
            return which
        return (inputs if kind == "input" else done if kind == "step" else numbers)[which]

    return value
