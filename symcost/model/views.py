"""Parts and views of a tensor as numpy and torch write them: ``X[0, :8]``, ``X.T``, ``X.mT``."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import TypeGuard

from symcost.algebra import Posynomial
from symcost.errors import NotationError, ShapeError
from symcost.model.axes import axis_positions
from symcost.model.operations import operations
from symcost.model.ops.indices import contraction_spec
from symcost.model.tensors import Tensor, TensorType
from symcost.notation.program_syntax import Call, Operand, Range, Split, Target
from symcost.notation.program_values import TRANSPOSES
from symcost.notation.syntax import Node, Number

_MOVES = frozenset({"transpose", "permute", "swapaxes"})  # with positions of axes behind them


def is_view(operand: Operand) -> TypeGuard[Call]:
    """Whether it is ``X.T`` or ``X.transpose(-1, -2)``, as they are spelled: it moves nothing."""
    if not isinstance(operand, Call) or len(operand.operands) != 1:
        return False
    if operand.word in TRANSPOSES or (operand.word == "t" and "t" not in operations):
        return True
    return operand.word in _MOVES and any(not name for name, _ in operand.parameters)


def as_product(call: Call) -> Call:
    """torch's ``linear(x, W)``, which is ``x @ W.T``, and with a bias ``add(x @ W.T, b)``."""
    if call.word != "linear" or "linear" in operations or len(call.operands) not in (2, 3):
        return call
    x, weight, *bias = call.operands
    turned = Call("T", (weight,), (), weight.start, weight.end)
    product = call._replace(word="matmul", operands=(x, turned))
    return call._replace(word="add", operands=(product, *bias), parameters=()) if bias else product


def view_order(word: str, said: object, kind: TensorType) -> tuple[int, ...]:
    """The order of the axes that ``X.T``, ``X.transpose(-1, -2)`` or ``X.permute(2, 0, 1)`` says.

    Raises:
        NotationError: numpy and torch differ.
        ShapeError: there is no such axis.
    """
    if word in ("T", "t"):
        return tuple(reversed(range(kind.rank)))
    axes = axis_positions(kind, (-2, -1) if word == "mT" else said)
    if len(axes) != 2 or word == "permute":
        return axes
    if axes == (0, 1) and word == "transpose" and kind.rank == 2:
        problem = "transpose(0, 1) exchanges two axes in torch and none in numpy"
        raise NotationError(problem, repair="write .T, or nothing")
    swap = {axes[0]: axes[1], axes[1]: axes[0]}
    return tuple(swap.get(n, n) for n in range(kind.rank))


def stored_spec(
    tensors: Sequence[Tensor],
    orders: Sequence[Sequence[int]],
    kind: TensorType | None,
    spec: str,
    sums: Sequence[Posynomial] | None,
) -> str:
    """The letters of a product whose operands are written with their axes in these orders.

    ``spec`` are those that were written, if any; ``sums`` the dimensions that are said to be
    summed.
    """
    written = [
        TensorType(tensor.type.dtype, tuple(tensor.type.shape[n] for n in order))
        for tensor, order in zip(tensors, orders, strict=True)
    ]
    said = spec or contraction_spec(written, kind, sums)
    left, arrow, right = said.partition("->")
    words = [word.strip() for word in left.split(",")]
    if [len(word) for word in words] != [len(order) for order in orders]:
        return said  # which is refused
    stored = [
        "".join(word[order.index(n)] for n in range(len(word)))
        for word, order in zip(words, orders, strict=True)
    ]
    spelled = f"{','.join(stored)}{arrow}{right}"
    if spec:
        return spelled
    named = dict.fromkeys(letter for letter in spelled if letter.isalpha())
    letters = dict(zip(named, ascii_letters, strict=False))  # in order, as everywhere
    return "".join(letters.get(letter, letter) for letter in spelled)


def range_of_each_axis(target: Target, rank: int) -> tuple[Range, ...]:
    """The ranges of a slice; axes in place of dots or behind the last range are whole."""
    ranges = target.ranges
    dots = [at for at, each in enumerate(ranges) if each.sign == "..."]
    whole = rank - len(ranges) + len(dots)
    if whole < 0 or len(dots) > 1:
        raise ShapeError(
            f"{target.name} has {rank} {'axis' if rank == 1 else 'axes'}, not {len(ranges)}",
            repair="write a colon for each axis that is whole",
        )
    at = dots[0] if dots else len(ranges)
    return (*ranges[:at], *[Range(None, None)] * whole, *ranges[at + 1 :])


def is_position(split: Split) -> bool:
    """Whether it is a whole number, which may be the position of a value, ``X[-1]``."""
    size = split.size
    inner = size.parts[0] if isinstance(size, Node) and size.op == "minus" else size
    return split.over is None and isinstance(inner, Number) and inner.text.isdecimal()
