"""Lifetimes: the steps of a program, its buffers, and which of them are alive at a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import ZERO
from symcost.model.data import GraphData, Op
from symcost.model.fusion import Run, all_runs
from symcost.model.operations import operations
from symcost.model.tensors import ONE, Tensor, per_device

Program: TypeAlias = tuple[GraphData, Posynomial]  # a graph and how often it runs


@dataclass(frozen=True, slots=True)
class Buffer:
    """A piece of memory on one device, there once for each run of what it belongs to.

    ``made`` is the step that makes it (-1 for what is there from the start), ``last`` the step
    after which it is free (the number of steps for an output or what nothing uses: it stays).
    """

    tensor: Tensor
    place: str
    bytes: Posynomial  # of one
    count: Posynomial
    made: int
    last: int
    needed: Posynomial  # instances that wait for their last use; of some, only the latest


@dataclass(frozen=True, slots=True)
class Timeline:
    """How often each step of a program runs, and its buffers."""

    repeats: tuple[Posynomial, ...]
    buffers: tuple[Buffer, ...]


def timeline(graph: GraphData, times: Posynomial = ONE) -> Timeline:
    """The steps and the buffers of a graph that runs so many times.

    >>> from symcost.model.programs import parse
    >>> line = timeline(parse("H = relu(X: bf16[N]); Z = exp(H)"))
    >>> [(b.tensor.name, b.made, b.last) for b in line.buffers]
    [('X', -1, 0), ('H', 0, 1), ('Z', 1, 2)]
    """
    runs = tuple(all_runs(graph))
    repeats = tuple([graph.ops[run.start].repeat * times for run in runs])
    step_of = {n: step for step, run in enumerate(runs) for n in range(run.start, run.stop)}
    root = _roots(graph.ops)
    hidden = {*root, *_kept_on_chip(graph, runs)}
    made = {name: step_of[n] for n, op in enumerate(graph.ops) for name in op.outputs}
    stays = {root.get(name, name) for name, t in graph.tensors.items() if t.role == "output"}
    users: dict[str, list[int]] = {name: [] for name in graph.tensors}
    for number, op in enumerate(graph.ops):
        for name in op.inputs:
            users[root.get(name, name)].append(number)
    buffers: list[Buffer] = []
    for name, tensor in graph.tensors.items():
        if name not in hidden:
            steps = [step_of[n] for n in users[name]]
            start = made.get(name, -1)
            count = repeats[start] if start >= 0 else tensor.repeat * times
            last = len(runs) if name in stays or not steps else max(steps)
            size = per_device(tensor.type, graph.mesh).bytes
            follows = start < 0 or last == len(runs) or divides(repeats[start], repeats[last])
            needed = count if follows else ONE
            buffers += (
                Buffer(tensor, place, size, count, start, last, needed)
                for place in _places(tensor, [graph.ops[n] for n in users[name]])
            )
    return Timeline(repeats, tuple(buffers))


def _roots(ops: Iterable[Op]) -> dict[str, str]:
    """For each result that lives in the memory of another tensor, that tensor."""
    root: dict[str, str] = {}
    for op in ops:
        kind = operations.get(op.kind)
        if kind is not None and kind.in_place:
            root.update(dict.fromkeys(op.outputs, root.get(op.inputs[0], op.inputs[0])))
    return root


def _kept_on_chip(graph: GraphData, runs: Iterable[Run]) -> set[str]:
    """What is made and used up within a fused group."""
    return {
        name
        for run in runs
        for op in run.ops(graph)
        for name in op.outputs
        if op.group and name not in run.escaping
    }


def _places(tensor: Tensor, users: list[Op]) -> tuple[str, ...]:
    """Where a tensor is: at its place, or wherever it is used if it has none."""
    if tensor.place or tensor.role not in ("input", "weight"):
        return (tensor.place,)
    return tuple(dict.fromkeys(op.place for op in users)) or ("",)


def common(left: Posynomial, right: Posynomial) -> Posynomial:
    """How often the block runs that is around two steps, by how often they run.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> L, M = map(as_posynomial, dims("L M"))
    >>> common(L, 3 * L * M), common(L, M), common(as_posynomial(4), as_posynomial(6))
    (L, 1, 1)
    >>> common(L + M, L + M), common(L + M, 2 * (L + M))
    (L + M, 1)
    """
    if divides(left, right):
        return left
    return right if divides(right, left) else ONE


def divides(small: Posynomial, large: Posynomial) -> bool:
    """Whether a step that runs so often may stand in a block that runs ``small`` times."""
    if len(small) != 1:
        return small == large
    return all(
        coefficient == int(coefficient) and all(power > 0 for _, power in monomial)
        for monomial, coefficient in (large / small).terms.items()
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """A step in the first or the last run of its block, and of the loop within the block."""

    step: int
    last_run: bool
    last_inner: bool


@dataclass(frozen=True, slots=True)
class Loop:
    """Steps ``first`` to ``last`` that run together, ``times`` times."""

    first: int
    last: int
    times: Posynomial

    def __contains__(self, step: int) -> bool:
        return self.first <= step <= self.last


def loops(repeats: tuple[Posynomial, ...]) -> list[Loop]:
    """The repeated blocks of the steps, each step that runs once by itself."""
    blocks: list[Loop] = []
    for step, times in enumerate(repeats):
        around = common(blocks[-1].times, times) if blocks else ONE
        if around == ONE:
            blocks.append(Loop(step, step, times))
        else:
            blocks[-1] = Loop(blocks[-1].first, step, around)
    return blocks


def moments(loop: Loop, repeats: tuple[Posynomial, ...]) -> Iterator[Moment]:
    """What is alive grows or shrinks evenly from run to run, so the ends are the extremes."""
    for step in range(loop.first, loop.last + 1):
        for last_run in (False, True) if loop.times != ONE else (True,):
            for last_inner in (False, True) if repeats[step] != loop.times else (True,):
                yield Moment(step, last_run, last_inner)


def alive(buffer: Buffer, loop: Loop, repeats: tuple[Posynomial, ...], at: Moment) -> Posynomial:
    """How many of a buffer's instances there are while a step of a loop runs."""
    count, made, last = buffer.needed, buffer.made, buffer.last
    there = count
    if made >= 0 and count == repeats[made]:
        there = _passed(count, made, loop, repeats, at, at.step >= made)
    elif made >= 0:  # of several the latest; it may be made anew for each use
        if divides(repeats[last], repeats[made]):
            return ONE if made <= at.step <= last else ZERO
        there = ONE if at.step >= made else ZERO
    if last == len(repeats):
        return there
    return there - _passed(count, last, loop, repeats, at, at.step > last)


def _passed(
    count: Posynomial,
    event: int,
    loop: Loop,
    repeats: tuple[Posynomial, ...],
    at: Moment,
    over: bool,
) -> Posynomial:
    """For how many of so many instances a step is over at a moment."""
    if event not in loop:
        return count if over else ZERO
    together = repeats[event] == repeats[at.step]
    if not divides(loop.times, count):
        return ZERO  # all runs of the loop share it, until the loop is over
    each = count / loop.times  # instances a run of the loop
    before = count - each if at.last_run else ZERO
    if together and divides(repeats[event], count):
        some = count / repeats[event]  # instances a run of the step
        return before + (each - some if at.last_inner else ZERO) + (some if over else ZERO)
    return before + each if over and not together else before
