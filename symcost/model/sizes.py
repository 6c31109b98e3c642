"""Sizes and types of a program's syntax: ``D/2``, ``4*D``, ``I_XY``, ``bf16[B, D]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import NotationError, SymcostError
from symcost.model.dtypes import UNTYPED, DType, dtype, dtypes
from symcost.model.layouts import PARTIAL_SIGNS, Partial
from symcost.model.mesh import Mesh, axes_in, axes_named
from symcost.model.tensors import TensorType
from symcost.notation.exact import evaluate
from symcost.notation.limits import located
from symcost.notation.program_syntax import Split, Typed, last_name, with_last
from symcost.notation.programs import parse_type_syntax
from symcost.notation.syntax import Name, Number, Syntax
from symcost.registry import normal_form
from symcost.symbols import dim

MAX_DIGITS = 30
MAX_TERMS = 64  # of one size


def size_of(syntax: Syntax, text: str) -> Posynomial:
    """The value of a size.

    Raises:
        NotationError: it is no sum of products of names and numbers.
    """
    if isinstance(syntax, Name):
        return _named(syntax.name)
    with located(text, syntax.start, syntax.end):
        if isinstance(syntax, Number) and len(syntax.text) > MAX_DIGITS:
            raise NotationError(f"a number of {len(syntax.text)} digits is too long")
        value = evaluate(syntax, dim, text)
        try:
            size = as_posynomial(value)
        except SymcostError:
            problem, repair = "a size cannot be divided by a sum", "name it, and assume it"
            raise NotationError(problem, repair=repair) from None
        if len(size) > MAX_TERMS:
            raise NotationError(f"a size has more than {MAX_TERMS} terms", repair="name a part")
        return size


@lru_cache(maxsize=4096)
def _named(name: str) -> Posynomial:
    return Posynomial({((dim(name), 1),): 1})


def parse_type(text: str, mesh: Mesh | None = None) -> TensorType:
    """Read the type of one tensor.

    >>> parse_type("bf16[B, D/2]").bytes
    B*D
    """
    checked, typed = parse_type_syntax(text)
    if typed is None:
        raise NotationError("this is no type", repair="write for example bf16[B, D]").at(checked, 0)
    untyped, kind = read_type(typed, mesh or Mesh(), checked)
    if untyped:
        raise NotationError(f"unknown dtype {untyped!r}").at(checked, 0, len(untyped))
    return kind


def read_type(typed: Typed, mesh: Mesh, text: str) -> tuple[str, TensorType]:
    """The type of ``bf16[B, D]``, or the name and type of an untyped ``A[I, J]``."""
    name, kind = _word(typed, text)
    with located(text, typed.start, typed.end):
        split = [split_size(each, mesh, text) for each in typed.sizes]
        shape, over = [size for size, _ in split], tuple(names for _, names in split)
        return name, TensorType(kind, shape, over, _partial(typed.partial, mesh))


def known_dtype(typed: Typed, text: str) -> DType:
    """The dtype that a type names; the error shows where it stands."""
    with located(text, typed.start, typed.start + len(typed.word)):
        return dtype(typed.word)


def _word(typed: Typed, text: str) -> tuple[str, DType]:
    """A dtype, or a capitalised word that is near no dtype: the name of an untyped tensor."""
    word = typed.word
    if word[:1].isupper() and word not in dtypes and not _is_near_a_dtype(word, dtypes.version):
        return word, dtype(UNTYPED)
    return "", known_dtype(typed, text)


@lru_cache(maxsize=4096)
def _is_near_a_dtype(word: str, version: int) -> bool:
    known = [normal_form(name) for name in dtypes]
    plain = normal_form(word)
    near = [name for name in known if name[0] == plain[:1]]
    return bool(near) and bool(get_close_matches(plain, known, 1, cutoff=0.7))


def _partial(words: Sequence[tuple[str, str]], mesh: Mesh) -> Partial:
    """``{U_XY}`` and ``{max_X}``: what is partial over which axes."""
    partial = []
    for sign, names in words:
        kind = next((kind for kind, each in PARTIAL_SIGNS.items() if each == sign), None)
        if kind is None:
            raise NotationError(
                f"{{{sign}_{names}}} is no partial value",
                repair="write {U_X} for partial sums over X, {max_X} for maxima",
            )
        cut = names.strip("{}").split(",")
        partial += [(axis, kind) for axis in axes_named([name.strip() for name in cut], mesh)]
    return tuple(sorted(partial))


def split_size(split: Split, mesh: Mesh, text: str) -> tuple[Posynomial, tuple[str, ...]]:
    """A size and the mesh axes over which it is split, ``I_XY`` with axes X and Y."""
    if split.over is not None:
        return size_of(split.size, text), axes_named(split.over, mesh)
    last = last_name(split.size) if mesh else None
    if last is not None:
        stem, _, suffix = last.name.rpartition("_")
        over = axes_in(suffix, mesh)
        while over and (more := axes_in(stem.rpartition("_")[2], mesh)) and "_" in stem:
            stem, over = stem.rpartition("_")[0], more + over  # I_{X,Y} is I_X_Y
        whole = with_last(split.size, stem) if over else None
        if whole is not None:
            return size_of(whole, text), over
    return size_of(split.size, text), ()


class Unsplit(NamedTuple):
    """A dimension that is spelled as split, ``I_XZ``, over axes of which the mesh lacks some."""

    name: str
    stem: str
    missing: tuple[str, ...]
    reason: str


def spelled_as_split(names: Iterable[str], mesh: Mesh) -> Iterator[Unsplit]:
    """The dimensions that only look split.

    >>> [each[1:] for each in spelled_as_split(["I_XZ", "J", "d_model"], Mesh(X=4))]
    [('I', ('Z',), 'the mesh has no axis Z')]
    """
    known = mesh.wholes
    words = any(len(axis.rstrip("0123456789")) > 1 for axis in known)  # axes are no letters here
    for name in dict.fromkeys(names):
        stem, _, suffix = name.rpartition("_")
        if stem and suffix.isupper() and not axes_in(suffix, mesh):
            axes = [suffix] if words else re.findall("[A-Z][0-9]*", suffix)
            missing = tuple(axis for axis in axes if axis not in known)
            if axes and not missing:
                continue
            missing = missing or (suffix,)
            no_axis = f"the mesh has no axis {' and no axis '.join(missing)}"
            yield Unsplit(name, stem, missing, no_axis if mesh else "no mesh is declared")
