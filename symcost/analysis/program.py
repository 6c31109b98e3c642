"""Straight-line programs of numpy operations, compiled from expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sympy import Expr, ceiling, floor, log

from symcost.algebra import Maximum, Minimum, Posynomial, as_posynomial
from symcost.algebra.posynomial import Atom, Monomial, Number, to_rational
from symcost.algebra.ratio import content
from symcost.errors import UndecidedError

Operand: TypeAlias = tuple[str, Any]  # ("input", number), ("constant", float), ("step", number)

_FUNCTIONS = {ceiling: "ceil", floor: "floor", log: "log"}


@dataclass(frozen=True, slots=True)
class Step:
    """One numpy operation by name, its operands, and the scratch register it writes to."""

    operation: str
    operands: tuple[Operand, ...]
    register: int = -1


@dataclass(frozen=True, slots=True)
class Program:
    """Steps in order; ``results`` are the operands that are the values of the expressions."""

    steps: tuple[Step, ...]
    results: tuple[Operand, ...]
    registers: int

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The results for numbers or arrays of any library."""
        import numpy as np

        done: list[Any] = []

        def value(operand: Operand) -> Any:
            kind, which = operand
            return inputs[which] if kind == "input" else done[which] if kind == "step" else which

        for step in self.steps:
            done.append(getattr(np, step.operation)(*map(value, step.operands)))
        return [value(operand) for operand in self.results]

    def run_into(self, inputs: Sequence[Any], outputs: Sequence[Any], scratch: Any) -> None:
        """The results for arrays of at most a chunk, written into ``outputs``."""
        import numpy as np

        size = len(outputs[0])
        room = scratch[:, :size]
        direct = {
            self.results.index(r): r[1] for r in dict.fromkeys(self.results) if r[0] == "step"
        }
        places = {step: outputs[index] for index, step in direct.items()}
        done: list[Any] = []

        def value(operand: Operand) -> Any:
            kind, which = operand
            return inputs[which] if kind == "input" else done[which] if kind == "step" else which

        for number, step in enumerate(self.steps):
            target = places.get(number, room[step.register])
            done.append(getattr(np, step.operation)(*map(value, step.operands), out=target))
        for index, operand in enumerate(self.results):
            if direct.get(index) != operand[1] or operand[0] != "step":
                outputs[index][...] = value(operand)


def compiled(exprs: Sequence[Expr], names: Sequence[str]) -> Program:
    """The program that computes the expressions from inputs in the order of ``names``."""
    builder = _Builder({name: index for index, name in enumerate(names)})
    results = tuple(builder.value(expr) for expr in exprs)
    steps, registers = _with_registers(builder.steps, results)
    return Program(tuple(steps), results, registers)


def _with_registers(steps: list[Step], results: tuple[Operand, ...]) -> tuple[list[Step], int]:
    """Give each step a scratch register that no later step still needs."""
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
        placed.append(Step(step.operation, step.operands, free.pop()))
    return placed, used


@dataclass(slots=True)
class _Builder:
    """Collects steps; equal ones are taken once."""

    inputs: dict[str, int]
    steps: list[Step] = field(default_factory=list)
    known: dict[Step, int] = field(default_factory=dict)

    def step(self, operation: str, *operands: Operand) -> Operand:
        made = Step(operation, operands)
        if made not in self.known:
            self.known[made] = len(self.steps)
            self.steps.append(made)
        return ("step", self.known[made])

    def value(self, expr: Expr) -> Operand:
        if expr.is_Symbol:
            return ("input", self.inputs[expr.name])
        if expr.is_number:
            return ("constant", float(expr))
        if isinstance(expr, Maximum | Minimum):
            name = "maximum" if isinstance(expr, Maximum) else "minimum"
            first, *rest = map(self.value, expr.args)
            for operand in rest:
                first = self.step(name, first, operand)
            return first
        if type(expr) in _FUNCTIONS:
            return self.step(_FUNCTIONS[type(expr)], self.value(expr.args[0]))
        return self.arithmetic(expr)

    def arithmetic(self, expr: Expr) -> Operand:
        try:
            return self.posynomial(as_posynomial(expr))
        except UndecidedError:
            pass
        if expr.is_Add:
            first, *rest = map(self.value, expr.args)
            for operand in rest:
                first = self.step("add", first, operand)
            return first
        if expr.is_Mul:
            top, bottom = expr.as_numer_denom()
            if bottom == 1:
                return self.product([self.value(arg) for arg in expr.args])
            return self.step("divide", self.value(top), self.value(bottom))
        return self.power(self.value(expr.base), expr.exp)

    def product(self, operands: Sequence[Operand]) -> Operand:
        first, *rest = operands
        for operand in rest:
            first = self.step("multiply", first, operand)
        return first

    def power(self, base: Operand, exponent: Expr) -> Operand:
        if not exponent.is_Rational:
            return self.step("power", base, self.value(exponent))
        if exponent < 0:
            return self.step("divide", ("constant", 1.0), self.power(base, -exponent))
        if exponent.is_Integer and exponent <= 4:
            return self.product([base] * int(exponent))
        if exponent == to_rational(1) / 2:
            return self.step("sqrt", base)
        return self.step("power", base, ("constant", float(exponent)))

    def posynomial(self, value: Posynomial) -> Operand:
        """A sum as ``number * above * (terms) / below``: one scaling and one division in all."""
        shared = content(value)
        ((monomial, number),) = shared.terms.items()
        terms = (value / shared).terms
        above = tuple((atom, power) for atom, power in monomial if power > 0)
        below = tuple((atom, -power) for atom, power in monomial if power < 0)
        if not below and len(terms) > 1 and not above:
            return self.scaled(self.total(terms), number)
        parts = [self.monomial(above)] if above else []
        parts += [self.total(terms)] if len(terms) > 1 else []
        top = self.product(parts) if parts else None
        if not below:
            return self.scaled(top, number) if top else ("constant", float(number))
        bottom = self.monomial(below)
        if top is None:
            return self.step("divide", ("constant", float(number)), bottom)
        return self.scaled(self.step("divide", top, bottom), number)

    def scaled(self, operand: Operand, number: Number) -> Operand:
        if number == 1:
            return operand
        return self.step("multiply", operand, ("constant", float(number)))

    def total(self, terms: dict[Monomial, Number] | Any) -> Operand:
        result: Operand | None = None
        for monomial, number in sorted(terms.items(), key=lambda item: item[1] < 0):
            operand = self.monomial(monomial) if monomial else ("constant", 1.0)
            if not monomial:
                operand = ("constant", float(abs(number)))
            else:
                operand = self.scaled(operand, abs(number))
            if result is None:
                result = operand if number > 0 else self.step("negative", operand)
            else:
                result = self.step("add" if number > 0 else "subtract", result, operand)
        assert result is not None  # a posynomial that is no number has terms
        return result

    def monomial(self, monomial: Monomial) -> Operand:
        """A product of powers, its beginning shared with other products."""
        *before, (atom, power) = monomial
        factor = self.factor(atom, power)
        return self.step("multiply", self.monomial(tuple(before)), factor) if before else factor

    def factor(self, atom: Atom, power: Number) -> Operand:
        return self.power(self.value(atom), to_rational(power))
