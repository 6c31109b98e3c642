"""Which axes of a contraction belong together: by name, or by position for plain numbers.

The answer is a specification in einsum's letters, ``ab,bc->ac``, with ``1`` for an axis of
size one. What is missing from the output is summed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from string import ascii_letters
from typing import TypeAlias

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import ShapeError
from symcost.model.tensors import ONE, TensorType

Types: TypeAlias = Sequence[TensorType]
Labels: TypeAlias = list[list[Hashable]]  # per operand, per axis: what the axis is called

UNIT = "1"  # the label and the letter of an axis of size one


def contraction_spec(
    inputs: Types, output: TensorType | None = None, summed: Sequence[object] | None = None
) -> str:
    """Find the specification of a product of tensors.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> X, W = TensorType("bf16", (B, D)), TensorType("bf16", (D, F))
    >>> contraction_spec([X, W], TensorType("bf16", (B, F)))
    'ab,bc->ac'

    Args:
        inputs: types of the operands.
        output: type of the result; without it the last axis of the left operand is summed.
        summed: the dimensions that are said to be summed, if they are.

    Returns:
        The specification.

    Raises:
        ShapeError: the axes do not fit.
    """
    said = None if summed is None else {_label(as_posynomial(each)) for each in summed}
    problem: ShapeError | None = None
    for labels in _labellings(inputs):
        try:
            out = _output(labels, inputs, output, said)
            return _in_letters([*labels, out])
        except ShapeError as error:
            problem = problem or error
    raise problem or ShapeError("a product needs operands")


def _label(size: Posynomial) -> Hashable:
    return UNIT if size == ONE else size


def _labellings(inputs: Types) -> Iterator[Labels]:
    """Ways to read the axes: names are clear, equal numbers may or may not belong together."""
    if all(not size.is_constant or size == ONE for kind in inputs for size in kind.shape):
        yield [[_label(size) for size in kind.shape] for kind in inputs]
        return
    if len(inputs) == 2:
        yield from _positional(*inputs)
    if all(_all_distinct(kind) for kind in inputs):
        yield [[_label(size) for size in kind.shape] for kind in inputs]
    yield _fresh(inputs)


def _all_distinct(kind: TensorType) -> bool:
    sizes = [size for size in kind.shape if size != ONE]
    return len(set(sizes)) == len(sizes)


def _fresh(inputs: Types) -> Labels:
    """Every number stands for an axis of its own."""
    return [
        [
            (number, axis, size) if size.is_constant and size != ONE else _label(size)
            for axis, size in enumerate(kind.shape)
        ]
        for number, kind in enumerate(inputs)
    ]


def _positional(left: TensorType, right: TensorType) -> Iterator[Labels]:
    """A matrix product of numbers: last axis of the left, last but one of the right."""
    labels = _fresh((left, right))
    inner = max(right.rank - 2, 0)
    if not left.rank or not right.rank or left.shape[-1] != right.shape[inner]:
        return
    labels[1][inner] = labels[0][-1]
    batch = min(left.rank, right.rank) - 2
    if batch > 0 and left.shape[:batch] == right.shape[:batch]:
        yield [labels[0], labels[0][:batch] + labels[1][batch:]]
    yield labels


def _output(
    labels: Labels, inputs: Types, output: TensorType | None, said: set[Hashable] | None
) -> list[Hashable]:
    present = list(dict.fromkeys(name for names in labels for name in names if name != UNIT))
    if output is None:
        gone = said if said is not None else _default_sum(labels)
        _check_said(gone, set(present) & gone)
        if said is None and len(labels) == 2:
            check_column(labels[0], labels[1], gone)
        return [name for name in present if name not in gone]
    out = _match(output, present, _joined(labels))
    missing = [name for name in present if name not in out]
    _check_alone(missing, labels)
    if said is not None:
        _check_said(said, set(missing))
    return out


def check_column(left: Sequence[Hashable], right: Sequence[Hashable], gone: set[Hashable]) -> None:
    """A column of the right operand that names an axis of the left is no batch: ``X.T @ X``."""
    column = right[-1] if len(right) > 1 else UNIT
    if column != UNIT and column in left and column not in gone:
        raise ShapeError(
            f"the result would have the dimension {_size(column)} twice",
            repair="name the two apart and state that they are equal, or write the result",
        )


def _joined(labels: Labels) -> set[Hashable]:
    """The positional pair that a matrix product sums: a number shared by both operands."""
    if len(labels) != 2 or not labels[0] or not isinstance(labels[0][-1], tuple):
        return set()
    pair: set[Hashable] = {labels[0][-1]}
    return pair.intersection(labels[1])


def _match(output: TensorType, present: list[Hashable], summed: set[Hashable]) -> list[Hashable]:
    """Find for each axis of the output the axis of an operand that it is."""
    free = [name for name in present if name not in summed]
    out: list[Hashable] = []
    for size in output.shape:
        letter = next((n for n in free if _size(n) == size and n not in out), None)
        if size == ONE:
            letter = UNIT
        if letter is None:
            raise ShapeError(
                f"the dimension {size} of the result occurs in no operand",
                repair="a product keeps or sums the dimensions of its operands",
            )
        out.append(letter)
    for name in free:
        if isinstance(name, tuple) and name not in out:
            raise ShapeError(f"it is not clear which axis of size {name[-1]} is summed")
    return out


def _size(name: Hashable) -> Hashable:
    return name[-1] if isinstance(name, tuple) else name


def _check_alone(missing: list[Hashable], labels: Labels) -> None:
    """A summed axis that only one operand has is fine, but not one in each of two operands."""
    alone: dict[int, Hashable] = {}
    for name in missing:
        owners = [number for number, names in enumerate(labels) if name in names]
        if len(owners) == 1:
            alone.setdefault(owners[0], name)
    if len(alone) > 1:
        (first, left), (second, right) = sorted(alone.items(), key=lambda item: item[0])[:2]
        raise _differ(left, right, (first, second) if len(labels) > 2 else None)


def _differ(left: Hashable, right: Hashable, numbers: tuple[int, int] | None) -> ShapeError:
    sides = ("left", "right") if numbers is None else tuple(f"operand {n + 1}" for n in numbers)
    return ShapeError(
        f"contracted dims differ: {_size(left)} ({sides[0]}) and {_size(right)} ({sides[1]})",
        repair="give both the same name, or keep them in the result",
    )


def _check_said(said: set[Hashable], missing: set[Hashable]) -> None:
    if said != missing:
        told = ", ".join(sorted(str(_size(name)) for name in said))
        sizes = ", ".join(sorted(str(_size(name)) for name in missing)) or "none"
        raise ShapeError(
            f"the product says that it sums {told}, but the tensors say {sizes}",
            repair="what is missing from the result is summed",
        )


def _default_sum(labels: Labels) -> set[Hashable]:
    """Without a written result each product sums the last axis of what stands left of it."""
    gone: set[Hashable] = set()
    left = [name for name in labels[0] if name != UNIT]
    for number, names in enumerate(labels[1:], start=1):
        right = [name for name in names if name != UNIT]
        if not left or left[-1] not in right:
            other = next((name for name in right if name not in left), None)
            if not left or other is None:
                raise ShapeError(
                    "it is not clear what the product sums",
                    repair="write the result, -> bf16[B, F]",
                )
            raise _differ(left[-1], other, (number - 1, number) if len(labels) > 2 else None)
        gone.add(left[-1])
        left = [name for name in dict.fromkeys((*left, *right)) if name not in gone]
    return gone


def _in_letters(labels: Labels) -> str:
    letters: dict[Hashable, str] = {UNIT: UNIT}
    for name in (name for names in labels for name in names):
        if name not in letters:
            if len(letters) > len(ascii_letters):
                raise ShapeError(f"a product has at most {len(ascii_letters)} dimensions")
            letters[name] = ascii_letters[len(letters) - 1]
    words = ["".join(letters[name] for name in names) for names in labels]
    return f"{','.join(words[:-1])}->{words[-1]}"


def checked_spec(spec: object, inputs: Types, output: TensorType | None) -> str:
    """A specification that was written out, if it fits the operands and the result."""
    words = str(spec).replace(" ", "").replace("->", ",").split(",")
    if str(spec).count("->") != 1 or len(words) != len(inputs) + 1:
        raise ShapeError(
            f"{spec!r} is no specification for {len(inputs)} operands",
            repair='write for example "ab,bc->ac"',
        )
    letter_sizes(words, [*inputs, *([output] if output else [])])
    for letter in words[-1]:
        if letter != UNIT and not any(letter in word for word in words[:-1]):
            raise ShapeError(f"the output letter {letter!r} of {spec!r} occurs in no operand")
    return f"{','.join(words[:-1])}->{words[-1]}"


def letter_sizes(words: Sequence[str], kinds: Types) -> dict[str, Posynomial]:
    """The size of each letter; the same letter must have the same size everywhere."""
    sizes: dict[str, Posynomial] = {}
    for word, kind in zip(words, kinds, strict=False):
        if len(word) != kind.rank or len(set(word) - {UNIT}) < len(word.replace(UNIT, "")):
            raise ShapeError(f"{word!r} does not name the {kind.rank} axes of {kind} one by one")
        for letter, size in zip(word, kind.shape, strict=True):
            if not (letter == UNIT or (letter.isascii() and letter.isalpha())):
                raise ShapeError(f"{letter!r} is no letter for an axis")
            known = sizes.setdefault(letter, ONE if letter == UNIT else size)
            if known != size:
                raise ShapeError(
                    f"the axis {letter!r} is {known} in one tensor and {size} in another"
                )
    return sizes
