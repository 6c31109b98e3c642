"""Repairs for a statement whose shapes do not fit, where a usual slip is the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from string import ascii_uppercase

from symcost.model.builder import Graph
from symcost.model.mesh import declare_it
from symcost.model.sizes import spelled_as_split
from symcost.notation.program_syntax import Evaluate, Operand, Product, Target, Typed
from symcost.notation.syntax import Name, names_of


def named_apart(statement: Evaluate) -> str:
    """How to write ``A[N, N] @ B[N, N]`` with three names; empty for any other statement."""
    value = statement.value
    operands = value.operands if isinstance(value, Product) else ()
    typed = [e for e in (*operands, statement.target) if isinstance(e, Target) and e.type]
    names = {_square(each.type) for each in typed}
    if len(operands) < 2 or len(typed) <= len(operands) or len(names) != 1 or "" in names:
        return ""
    name = names.pop()
    taken = {name, *(each.name for each in typed)}
    free = [letter for letter in ascii_uppercase if letter not in taken]
    axes = [name, *[letter for letter in free if letter > name], *free][: len(typed)]
    shapes = [*pairwise(axes), (axes[0], axes[-1])]
    shown = [_shown(each, *shape) for each, shape in zip(typed, shapes, strict=True)]
    equal = "; ".join(f"{axis} = {name}" for axis in axes[1:])
    return f"name the axes apart, {' @ '.join(shown[:-1])} -> {shown[-1]}, and assume {equal}"


def _square(typed: Typed | None) -> str:
    """The name of both axes of ``[N, N]``."""
    names = [size.size.name for size in typed.sizes if isinstance(size.size, Name)] if typed else []
    return names[0] if typed and len(typed.sizes) == len(names) == 2 and len({*names}) == 1 else ""


def _shown(target: Target, first: str, second: str) -> str:
    name = f"{target.name}: " if target.name else ""
    return f"{name}{target.type.word if target.type else ''}[{first}, {second}]"


def undeclared_axis(statement: Evaluate, graph: Graph) -> str:
    """What makes ``I_Z`` beside ``I`` a dimension of its own; empty if there is no such pair."""
    named = {name for typed in _types(statement, graph) for name in typed}
    for name, stem, missing, reason in spelled_as_split(sorted(named), graph.mesh):
        if stem in named:
            return f"{reason}, so {name} is no part of {stem}; {declare_it(missing, graph.mesh)}"
    return ""


def _types(statement: Evaluate, graph: Graph) -> Iterator[Iterable[str]]:
    """The dimensions of each tensor that a statement names."""
    waiting: list[Operand] = [statement.value, *([statement.target] if statement.target else [])]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, Target):
            waiting += part.operands
        elif part.type is not None:
            yield [name for split in part.type.sizes for name in names_of(split.size)]
        elif part.name in graph.tensors:
            sizes = graph.tensors[part.name].type.shape
            yield [symbol.name for size in sizes for symbol in size.symbols]
