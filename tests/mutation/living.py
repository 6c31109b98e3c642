"""Puts a fault into code that is loaded: the functions of its file get the code that has it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from importlib import import_module
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType

from mutants import Mutant
from sympy.core.cache import clear_cache


def put(root: Path, mutant: Mutant) -> bool:
    """Whether the fault is in a function, which then has it; what was remembered is forgotten."""
    file = str(root / mutant.file)
    import_module(mutant.module)
    changed = _changed((root / mutant.file).read_text(), mutant.source(root), file)
    found = False
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == file:
            other = changed.get(each.__code__)
            if other and len(other.co_freevars) != len(each.__code__.co_freevars):
                return False
            if other:
                each.__code__, found = other, True
    forget()
    return found


def forget() -> None:
    """Empty what functions remembered, so that the next test runs every line that it needs."""
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper):
            each.cache_clear()
    clear_cache()


def _changed(before: str, after: str, file: str) -> dict[CodeType, CodeType]:
    """The code of the functions that differ; nothing where something else does, too."""
    modules = (compile(before, file, "exec"), compile(after, file, "exec"))
    found = {}
    for one, other in _pairs(*modules):
        if not _alike(one, other):
            found[one] = other
    return found if all(code.co_flags & CO_OPTIMIZED for code in found) else {}


def _pairs(one: CodeType, other: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Both, and what is inside of them, as far as it corresponds."""
    yield one, other
    inside, within = _inside(one), _inside(other)
    if len(inside) == len(within):
        for pair in zip(inside, within, strict=True):
            yield from _pairs(*pair)


def _inside(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _alike(one: CodeType, other: CodeType) -> bool:
    """Whether both do the same; functions with all that is inside, modules and classes without."""
    plain = [
        [repr(c) for c in each.co_consts if not isinstance(c, CodeType)] for each in (one, other)
    ]
    if (one.co_code, one.co_names, plain[0]) != (other.co_code, other.co_names, plain[1]):
        return False
    inside, within = _inside(one), _inside(other)
    if len(inside) != len(within) or not one.co_flags & CO_OPTIMIZED:
        return len(inside) == len(within)
    return all(map(_alike, inside, within))
