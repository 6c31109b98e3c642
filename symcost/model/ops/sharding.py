"""Which operations run on each device by itself, and which would need a collective."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from symcost.errors import MissingRuleError
from symcost.model.tensors import Sharding, TensorType

Axes: TypeAlias = tuple[str, ...]


def check_contraction(spec: str, inputs: Sequence[TensorType], output: TensorType) -> None:
    """Refuse a sharded contraction that cannot run without communication."""
    kinds = (*inputs, output)
    if not any(kind.is_sharded for kind in kinds):
        return
    words = spec.replace("->", ",").split(",")
    split: dict[str, Axes] = {}
    for word, kind in zip(words, kinds, strict=True):
        for letter, size, axes in zip(word, kind.shape, kind.sharding, strict=True):
            if letter in split and split[letter] != axes:
                raise _needs("all-gather", f"{size} is split differently in two tensors", axes)
            split[letter] = axes
    for letter in split:
        if split[letter] and letter not in words[-1]:
            raise _needs("all-reduce", "the contracted dimension is split", split[letter])
    _check_once({letter: axes for letter, axes in split.items() if letter in words[-1]})


def output_sharding(spec: str, inputs: Sequence[TensorType]) -> Sharding:
    """The sharding that a contraction's result has when nothing is communicated."""
    words = spec.replace("->", ",").split(",")
    split = {
        letter: axes
        for word, kind in zip(words, inputs, strict=False)
        for letter, axes in zip(word, kind.sharding, strict=True)
    }
    _check_once({letter: split.get(letter, ()) for letter in words[-1]})
    return tuple(split.get(letter, ()) for letter in words[-1])


def check_local(
    kind: str, inputs: Sequence[TensorType], output: TensorType, along: Sequence[int] = ()
) -> None:
    """Refuse a sharded operation whose axes are not split alike, or that runs along a split."""
    kinds = (*inputs, output)
    if not any(each.is_sharded for each in kinds):
        return
    for position in along:
        if inputs[0].sharding[position]:
            raise _needs(
                "all-reduce", f"{kind} runs along a split axis", inputs[0].sharding[position]
            )
    split: dict[object, Axes] = {}
    for each in kinds:
        for size, axes in zip(each.shape, each.sharding, strict=True):
            if not size.is_constant and split.setdefault(size, axes) != axes:
                raise _needs("all-gather", f"{size} is split differently in two tensors", axes)


def _check_once(split: Mapping[str, Axes]) -> None:
    axes = [axis for names in split.values() for axis in names]
    for axis in axes:
        if axes.count(axis) > 1:
            raise _needs(
                "all-gather", f"two dimensions of the result are split over {axis}", (axis,)
            )


def _needs(collective: str, why: str, axes: Axes) -> MissingRuleError:
    over = f" over {', '.join(axes)}" if axes else ""
    return MissingRuleError(
        f"{why}, so an {collective}{over} is needed, and there is no cost rule for it yet",
        repair="split the tensors so that each device computes its part alone",
    )
