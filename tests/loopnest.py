"""A machine that runs operations as plain loops and counts every step and every value touched.

It shares no code with the cost rules: formulas are written out again, values are counted one
by one, and memory is a dictionary from index to value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

BITS = {"bf16": 16, "fp32": 32, "int8": 8, "int4": 4, "int32": 32, "bool": 8}


@dataclass
class Machine:
    """Counts operations, and remembers which values were read and written."""

    flops: int = 0
    read: set = field(default_factory=set)
    written: set = field(default_factory=set)
    arrays: dict = field(default_factory=dict)


class Value:
    """A number that counts what is done with it."""

    def __init__(self, machine: Machine, number: float) -> None:
        self.machine, self.number = machine, number

    def _step(self, number: float) -> Value:
        self.machine.flops += 1
        return Value(self.machine, number)

    def __add__(self, other):
        return self._step(self.number + _number(other))

    def __radd__(self, other):
        return self._step(self.number + _number(other))

    def __sub__(self, other):
        return self._step(self.number - _number(other))

    def __mul__(self, other):
        return self._step(self.number * _number(other))

    def __truediv__(self, other):
        return self._step(self.number / _number(other))

    def __rtruediv__(self, other):
        return self._step(_number(other) / self.number)

    def __neg__(self):
        return self._step(-self.number)

    def call(self, function: Callable[[float], float]) -> Value:
        return self._step(function(self.number))

    def larger(self, other):
        return self._step(max(self.number, _number(other)))

    def smaller(self, other):
        return self._step(min(self.number, _number(other)))


def _number(value) -> float:
    return value.number if isinstance(value, Value) else value


@dataclass
class Array:
    """A tensor in memory: names of its axes, sizes, values by index."""

    machine: Machine
    name: str
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: str
    values: dict = field(default_factory=dict)

    def indices(self) -> Iterable[tuple[int, ...]]:
        return product(*(range(size) for size in self.shape))

    def __getitem__(self, index):
        index = tuple(index)
        self.machine.read.add((self.name, index))
        return self.values[index]

    def __setitem__(self, index, value):
        index = tuple(index)
        self.machine.written.add((self.name, index))
        self.values[index] = value

    def at(self, where: dict[str, int]):
        """The value at named positions, repeated along the axes that it lacks."""
        return self[[where[axis] for axis in self.axes]]


FORMULAS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "maximum": lambda x, y: x.larger(y),
    "minimum": lambda x, y: x.smaller(y),
    "pow": lambda x, y: x.call(lambda v: v**y.number),
    "where": lambda x, y, z: x.call(lambda v: y.number if v else z.number),
    "neg": lambda x: -x,
    "abs": lambda x: x.call(abs),
    "relu": lambda x: x.larger(0),
    "square": lambda x: x * x,
    "exp": lambda x: x.call(math.exp),
    "log": lambda x: x.call(math.log),
    "tanh": lambda x: x.call(math.tanh),
    "sqrt": lambda x: x.call(math.sqrt),
    "rsqrt": lambda x: x.call(lambda v: v**-0.5),
    "cast": lambda x: x.call(float),
    "sigmoid": lambda x: 1 / ((-x).call(math.exp) + 1),
    "silu": lambda x: x * (1 / ((-x).call(math.exp) + 1)),
    "gelu": lambda x: (x * 0.5) * ((x * math.sqrt(0.5)).call(math.erf) + 1),
    "gelu_tanh": lambda x: (
        (x * 0.5) * (((x * x * x * 0.044715 + x) * math.sqrt(2 / math.pi)).call(math.tanh) + 1)
    ),
}
COMBINE = {
    "sum": lambda x, y: x + y,
    "mean": lambda x, y: x + y,
    "max": lambda x, y: x.larger(y),
    "min": lambda x, y: x.smaller(y),
}


def fold(values: list, combine: Callable) -> Value:
    total = values[0]
    for value in values[1:]:
        total = combine(total, value)
    return total


def elementwise(kind, inputs, out, attrs):
    for index in out.indices():
        where = dict(zip(out.axes, index, strict=True))
        out[index] = FORMULAS[kind](*(array.at(where) for array in inputs))


def contract(kind, inputs, out, attrs):
    sizes = {a: n for array in inputs for a, n in zip(array.axes, array.shape, strict=True)}
    summed = [axis for axis in sizes if axis not in out.axes]
    for index in out.indices():
        where = dict(zip(out.axes, index, strict=True))
        terms = []
        for inner in product(*(range(sizes[axis]) for axis in summed)):
            here = where | dict(zip(summed, inner, strict=True))
            terms.append(fold([array.at(here) for array in inputs], lambda x, y: x * y))
        out[index] = fold(terms, lambda x, y: x + y)


def rows(array: Array, axis: int) -> Iterable[list[tuple[int, ...]]]:
    """The indices of each row along an axis."""
    outer = [range(n) for position, n in enumerate(array.shape) if position != axis]
    for rest in product(*outer):
        yield [(*rest[:axis], n, *rest[axis:]) for n in range(array.shape[axis])]


def reduction(kind, inputs, out, attrs):
    (array,), (axis,) = inputs, attrs["axis"]
    for row in rows(array, axis):
        total = fold([array[index] for index in row], COMBINE[kind])
        rest = [n for position, n in enumerate(row[0]) if position != axis]
        out[rest] = total * (1 / len(row)) if kind == "mean" else total


def softmax(kind, inputs, out, attrs):
    (array,), (axis,) = inputs, attrs["axis"]
    for row in rows(array, axis):
        x = [array[index] for index in row]
        top = fold(x, COMBINE["max"])
        powers = [(value - top).call(math.exp) for value in x]
        total = fold(powers, COMBINE["sum"])
        for index, value in zip(row, powers, strict=True):
            out[index] = value / total


def norm(kind, inputs, out, attrs):
    (array, *scales), (axis,) = inputs, attrs["axis"]
    for row in rows(array, axis):
        x = [array[index] for index in row]
        if kind == "layernorm":
            mean = fold(x, COMBINE["sum"]) * (1 / len(x))
            x = [value - mean for value in x]
        square = fold([value * value for value in x], COMBINE["sum"]) * (1 / len(x))
        scale = (square + 1e-6).call(lambda v: v**-0.5)
        for index, value in zip(row, x, strict=True):
            where = dict(zip(array.axes, index, strict=True))
            value = value * scale
            for position, other in enumerate(scales):
                value = value + other.at(where) if position else value * other.at(where)
            out[index] = value


def transpose(kind, inputs, out, attrs):
    (array,) = inputs
    for index in array.indices():
        out[[index[n] for n in attrs["axes"]]] = array[index]


def reshape(kind, inputs, out, attrs):
    (array,) = inputs
    for new, old in zip(out.indices(), array.indices(), strict=True):
        out.values[new] = array.values[old]  # the same memory: nothing is moved


def slice_(kind, inputs, out, attrs):
    (array,) = inputs
    for index in out.indices():
        moved = tuple(n + start for n, start in zip(index, attrs["starts"], strict=True))
        out.values[index] = array.values[moved]  # the same memory


def pad(kind, inputs, out, attrs):
    (array,) = inputs
    inner = set()
    for index in array.indices():
        moved = tuple(n + start for n, start in zip(index, attrs["starts"], strict=True))
        out[moved] = array[index]
        inner.add(moved)
    for index in out.indices():
        if index not in inner:
            out[index] = Value(out.machine, 0)


def concat(kind, inputs, out, attrs):
    (axis,), before = attrs["axis"], 0
    for array in inputs:
        for index in array.indices():
            out[(*index[:axis], index[axis] + before, *index[axis + 1 :])] = array[index]
        before += array.shape[axis]


def cumsum(kind, inputs, out, attrs):
    (array,), (axis,) = inputs, attrs["axis"]
    for row in rows(array, axis):
        total = array[row[0]]
        out[row[0]] = total
        for index in row[1:]:
            total = total + array[index]
            out[index] = total


def top_k(kind, inputs, out, attrs):
    """As many passes as values are kept, each over what is left."""
    (array,), (axis,) = inputs, attrs["axis"]
    for row in rows(array, axis):
        left = [array[index] for index in row]
        for place in range(out.shape[axis]):
            best = fold(left, COMBINE["max"])
            left.remove(next(value for value in left if value.number == best.number))
            out[(*row[0][:axis], place, *row[0][axis + 1 :])] = best


def gather(kind, inputs, out, attrs):
    table, indices = inputs
    for at in indices.indices():
        row = indices[at]
        for rest in product(*(range(n) for n in table.shape[1:])):
            out[(*at, *rest)] = table[(int(row.number), *rest)]


def scatter(kind, inputs, out, attrs):
    table, indices, updates = inputs
    for at in indices.indices():
        row = int(indices[at].number)
        for rest in product(*(range(n) for n in table.shape[1:])):
            new = updates[(*at, *rest)]
            out[(row, *rest)] = table[(row, *rest)] + new if kind == "scatter_add" else new


LOOPS: dict[str, Callable] = {
    **dict.fromkeys(FORMULAS, elementwise),
    **dict.fromkeys(COMBINE, reduction),
    "contract": contract,
    "softmax": softmax,
    "layernorm": norm,
    "rmsnorm": norm,
    "transpose": transpose,
    "reshape": reshape,
    "slice": slice_,
    "pad": pad,
    "concat": concat,
    "cumsum": cumsum,
    "top_k": top_k,
    "gather": gather,
    "scatter": scatter,
    "scatter_add": scatter,
}


def run(graph, sizes: dict) -> Machine:
    """Run every operation of a graph with loops, at the given sizes of its dimensions."""
    machine = Machine()
    arrays: dict[str, Array] = machine.arrays
    for name, tensor in graph.tensors.items():
        shape = tuple(int(size.to_sympy().subs(sizes)) for size in tensor.shape)
        array = Array(machine, name, tuple(map(str, tensor.shape)), shape, str(tensor.dtype))
        if tensor.role in ("input", "weight"):  # indices count up, so that rows are distinct
            for number, index in enumerate(array.indices()):
                array.values[index] = Value(machine, number + (0 if "int" in array.dtype else 1))
        arrays[name] = array
    for op in graph.ops:
        inputs = [arrays[name] for name in op.inputs]
        LOOPS[op.kind](op.kind, inputs, arrays[op.outputs[0]], dict(op.attrs))
    return machine


def traffic(graph, touched: Iterable[tuple[str, tuple[int, ...]]]) -> Fraction:
    """The bytes of the values in a set."""
    bits = sum(BITS[str(graph.tensors[name].dtype)] for name, _ in touched)
    return Fraction(bits, 8)
