"""How the built-in operations may be split over devices: a letter for each dimension.

A sum or a maximum along a split dimension leaves the result partial, linear operations carry
partial sums, and what needs a whole row (softmax, norms) is taken apart, so that only a scalar
of each row has to be made whole.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters

from symcost.model.axes import axis_positions
from symcost.model.operations import Attrs, SplitRule, Types
from symcost.model.ops.indices import UNIT
from symcost.model.tensors import ONE, TensorType
from symcost.model.ways import Params, Split, Word

ANY = frozenset(["sum", "max", "min"])
Steps = tuple[tuple[str, str, tuple[str, ...], Params], ...]

# operands that may be partial sums together
LINEAR = {
    "add": ((0, 1),),
    "sub": ((0, 1),),
    "mul": ((0,), (1,)),
    "div": ((0,),),
    "neg": ((0,),),
    "cast": ((0,),),
    "where": ((1, 2),),
    "maximum": ((0, 1),),
    "minimum": ((0, 1),),
}
THROUGH = {"maximum": "max", "minimum": "min", "max": "max", "min": "min"}


def letters(kind: TensorType) -> Word:
    """A letter for each dimension; none for one of size one, which is not split."""
    return tuple(
        "" if size == ONE else ascii_letters[number] for number, size in enumerate(kind.shape)
    )


def contraction(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """Einsum's letters; summed ones leave partial sums, and each operand may be partial."""
    words = [
        tuple(letter if letter != UNIT else "" for letter in word)
        for word in str(attrs["spec"]).replace("->", ",").split(",")
    ]
    *operands, kept = words
    summed = dict.fromkeys(letter for word in operands for letter in word if letter not in kept)
    summed.pop("", None)
    carries = tuple((number,) for number in range(len(operands)))
    return Split(tuple(operands), kept, tuple((each, "sum") for each in summed), carries=carries)


def elementwise(name: str) -> SplitRule:
    """The letters of the result; an operand that lacks a dimension is repeated along it."""

    def split(types: Types, attrs: Attrs, result: TensorType) -> Split:
        word = letters(result)
        through = frozenset([THROUGH.get(name, "sum")])
        operands = tuple(_repeated(kind, result, word) for kind in types)
        return Split(operands, word, carries=LINEAR.get(name, ()), through=through)

    return split


def _repeated(kind: TensorType, base: TensorType, word: Word) -> Word:
    right = list(zip(reversed(kind.shape), reversed(base.shape), strict=False))
    if all(size in (ONE, other) for size, other in right):
        tail = word[base.rank - kind.rank :]
        pairs = zip(kind.shape, tail, strict=True)
        return tuple("" if size == ONE else letter for size, letter in pairs)
    return tuple("" if size == ONE else word[base.shape.index(size)] for size in kind.shape)


def reduction(name: str) -> SplitRule:
    """What goes is summed, or its largest found, on every device first."""

    def split(types: Types, attrs: Attrs, result: TensorType) -> Split:
        word = letters(types[0])
        gone = axis_positions(types[0], attrs["axis"])
        how = THROUGH.get(name, "sum")
        kept = [letter for n, letter in enumerate(word) if n not in gone]
        if result.rank == len(word):
            kept = ["" if n in gone else letter for n, letter in enumerate(word)]
        sums = tuple((word[n], how) for n in gone if word[n])
        return Split((word,), tuple(kept), sums, carries=((0,),), through=frozenset([how]))

    return split


def row_wise(name: str) -> SplitRule:
    """Softmax and norms need whole rows, or are taken apart into steps."""

    def split(types: Types, attrs: Attrs, result: TensorType) -> Split:
        word = letters(types[0])
        positions = axis_positions(types[0], attrs["axis"])
        scales = tuple(_repeated(kind, types[0], word) for kind in types[1:])
        whole = frozenset(word[n] for n in positions) - {""}
        steps = _STEPS[name](positions, len(types))
        return Split((word, *scales), word, whole=whole, steps=steps)

    return split


def _softmax(axis: tuple[int, ...], operands: int) -> Steps:
    along = (("axis", axis),)
    return (
        ("largest", "max", ("x0",), along),
        ("below", "sub", ("x0", "largest"), ()),
        ("powers", "exp", ("below",), ()),
        ("total", "sum", ("powers",), along),
        ("result", "div", ("powers", "total"), ()),
    )


def _norm(axis: tuple[int, ...], operands: int, values: str) -> Steps:
    along = (("axis", axis),)
    steps: Steps = (
        ("squares", "square", (values,), ()),
        ("spread", "mean", ("squares",), along),
        ("factor", "rsqrt", ("spread",), ()),
        ("normed", "mul", (values, "factor"), ()),
    )
    more: Steps = (
        ("scaled", "mul", ("normed", "x1"), ()),
        ("shifted", "add", ("scaled", "x2"), ()),
    )
    return (*steps, *more[: operands - 1])


def _layernorm(axis: tuple[int, ...], operands: int) -> Steps:
    centre: Steps = (
        ("centre", "mean", ("x0",), (("axis", axis),)),
        ("off", "sub", ("x0", "centre"), ()),
    )
    return (*centre, *_norm(axis, operands, "off"))


_STEPS: dict[str, Callable[[tuple[int, ...], int], Steps]] = {
    "softmax": _softmax,
    "layernorm": _layernorm,
    "rmsnorm": lambda axis, operands: _norm(axis, operands, "x0"),
}


def transpose(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """The same letters in another order."""
    word = letters(types[0])
    order = axis_positions(types[0], attrs["axes"])
    return Split((word,), tuple(word[n] for n in order), carries=((0,),), through=ANY)


def reshape(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """Dimensions that stay keep their letter; of those that are joined or cut, the major ones."""
    first, second = types[0].shape, result.shape
    word, kept = [""] * len(first), [""] * len(second)
    i = j = 0
    while i < len(first) and j < len(second):
        a, b, left, right = i, j, first[i], second[j]
        while left != right and (i + 1 < len(first) or j + 1 < len(second)):
            if j + 1 < len(second) and (len(second) - j > len(first) - i or i + 1 == len(first)):
                j += 1
                right = right * second[j]
            else:
                i += 1
                left = left * first[i]
        if left == right:
            word[a] = kept[b] = ascii_letters[a] if first[a] != ONE else ""
        i, j = i + 1, j + 1
    return Split((tuple(word),), tuple(kept), carries=((0,),), through=ANY)


def padded(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """The letters of dimensions that stay as they are; along the others all is needed."""
    sizes = zip(letters(result), types[0].shape, result.shape, strict=True)
    word = tuple(letter if before == after else "" for letter, before, after in sizes)
    return Split((word,), word)


def along_shards(step: str) -> SplitRule:
    """All of a row is needed, or, where it is split, a step that sends a little of each shard."""

    def split(types: Types, attrs: Attrs, result: TensorType) -> Split:
        (place,), word = axis_positions(types[0], attrs["axis"]), letters(types[0])
        changes = result.shape[place] != types[0].shape[place]
        along: Params = (("axis", (place,)), *((("k", result.shape[place]),) if changes else ()))
        keeps = result.shape[place] if changes else ONE
        steps: Steps = (("result", step, ("x0",), along),)
        return Split((word,), word, whole=frozenset([word[place]]) - {""}, steps=steps, keeps=keeps)

    return split


def whole_along(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """The letters of all dimensions but that of ``axis``, along which all is needed."""
    gone = axis_positions(types[0], attrs["axis"])
    word = tuple("" if n in gone else letter for n, letter in enumerate(letters(types[0])))
    return Split((word,) * len(types), word)


def gather(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """A device looks up the rows that it has and leaves zeros for the rest."""
    table, indices = letters(types[0]), letters(types[1])
    (axis,) = axis_positions(types[0], attrs["axis"])
    looked_up = tuple(letter.upper() for letter in indices)
    kept = (*table[:axis], *looked_up, *table[axis + 1 :])
    sums = ((table[axis], "sum"),) if table[axis] else ()
    return Split((table, looked_up), kept, sums, carries=((0,),), sampled=(0,))


def scatter(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """A device stores into the rows that it has; it needs all indices."""
    table, indices = letters(types[0]), letters(types[1])
    (axis,) = axis_positions(types[0], attrs["axis"])
    stored = tuple(letter.upper() for letter in indices)
    updates = (*table[:axis], *stored, *table[axis + 1 :])
    return Split((table, stored, updates), table, whole=frozenset(stored), sampled=(0,))
