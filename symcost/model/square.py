"""The repair for a product of square matrices, ``A[N, N] @ B[N, N]``: three names, not two."""

from __future__ import annotations

from itertools import pairwise
from string import ascii_uppercase

from symcost.notation.program_syntax import Evaluate, Product, Target, Typed
from symcost.notation.syntax import Name


def named_apart(statement: Evaluate) -> str:
    """How to write the product with a name for each axis; empty for any other statement."""
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
