"""The longest path of a sharded program: every step waits for those whose results it uses.

A step is an operation, or a fused group up to its next collective; within it units and channels
work at once. The runs of a repeated block follow each other.

Source: J. Kelley, Critical-path planning and scheduling: mathematical basis, Operations Research
9(3), 1961.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from sympy import Expr, S

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.dominance import largest, unbeaten
from symcost.algebra.posynomial import ZERO
from symcost.algebra.signs import possible_signs
from symcost.errors import UndecidedError
from symcost.model.blocks import Block
from symcost.model.data import GraphData
from symcost.model.entries import Entry, Resource
from symcost.model.ledger import Ledger

Rates: TypeAlias = Callable[[Resource], Expr | None]
Latency: TypeAlias = Callable[[str], Expr]
MOST_PATHS = 16  # of which none is the longest for sure


@dataclass(frozen=True, slots=True)
class Step:
    """What is done at once.

    Args:
        ops: the numbers of its operations.
        times: seconds, of each unit and memory that it uses.
        links: the same of links between devices; none where it is no collective.
        delay: seconds of its hops, which all of its links wait for.
        before: the steps whose results it uses.
    """

    ops: range
    times: tuple[Expr, ...]
    links: tuple[Expr, ...] = ()
    delay: Expr = S.Zero
    before: tuple[int, ...] = ()

    def at(self, put: Callable[[Expr], Expr]) -> Step:
        """The same with numbers put in."""
        times, links = tuple(map(put, self.times)), tuple(map(put, self.links))
        return replace(self, times=times, links=links, delay=put(self.delay))

    @property
    def sending(self) -> Posynomial:
        """How long its busiest link sends, hops aside; seconds."""
        return as_posynomial(largest(self.links))

    @property
    def time(self) -> Posynomial:
        """Its longest time, seconds."""
        sent = [(self.sending + as_posynomial(self.delay)).to_sympy()] if self.links else []
        return as_posynomial(largest([*self.times, *sent]))


class Path(NamedTuple):
    """Steps that follow each other: how long they take in seconds, and the numbers of the steps."""

    time: Posynomial
    steps: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class _Trail:
    time: Posynomial
    step: int
    back: _Trail | None


def steps_of(ledger: Ledger, rates: Rates, latency: Latency) -> tuple[Step, ...]:
    """The steps of a program whose tensors lie on a mesh; none of any other ledger.

    Args:
        ledger: the costs of one program.
        rates: FLOP/s or bytes/s of a resource; ``None`` if that is not known.
        latency: seconds of a hop on a channel.
    """
    if len(ledger.programs) != 1:
        return ()
    ((graph, times),) = ledger.programs
    if times != 1 or not any(tensor.type.is_sharded for tensor in graph.tensors.values()):
        return ()
    made: dict[int, Step] = {}
    for block in ledger.blocks:
        parts = [
            (part, _timed(entries, block.factor, rates, latency)) for part, entries in _parts(block)
        ]
        for member in block.members:
            for part, step in parts:
                start = member.start + part.start
                made[start] = replace(step, ops=range(start, member.start + part.stop))
    return tuple(_waiting(graph, [made[start] for start in sorted(made)]))


def _parts(block: Block) -> Iterator[tuple[range, list[Entry]]]:
    """A run cut at its collectives, each part with its entries."""
    collectives = {entry.step for entry in block.priced if entry.moves is not None}
    count = block.members[0].stop - block.members[0].start
    borders = sorted({0, count, *collectives, *(step + 1 for step in collectives)})
    for start, stop in pairwise(borders):
        yield range(start, stop), [e for e in block.priced if start <= e.step < stop]


def _timed(entries: Iterable[Entry], times: Posynomial, rates: Rates, latency: Latency) -> Step:
    """How long each unit and channel works in a part of a run, in all its runs."""
    spent: dict[tuple[bool, str, str, str], Posynomial] = {}
    delay = ZERO
    for entry in entries:
        resource, speed = entry.resource, rates(entry.resource)
        if speed is not None:
            key = (entry.moves is not None, resource.name, resource.place, resource.to)
            spent[key] = spent.get(key, ZERO) + entry.quantity / as_posynomial(speed)
        if entry.moves is not None:
            delay = delay + entry.moves.hops * as_posynomial(latency(resource.name))
    seconds = {key: (each * times).to_sympy() for key, each in spent.items()}
    of_links, others = (
        tuple(each for (is_link, *_), each in seconds.items() if is_link == wanted)
        for wanted in (True, False)
    )
    return Step(range(0), others, of_links, (delay * times).to_sympy())


def _waiting(graph: GraphData, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, each with those for which it waits."""
    maker: dict[str, int] = {}
    for number, step in enumerate(steps):
        ops = [graph.ops[n] for n in step.ops]
        used = {maker[name] for op in ops for name in op.inputs if name in maker}
        yield replace(step, before=tuple(sorted(used)))
        maker.update((name, number) for op in ops for name in op.outputs)


def longest(steps: Sequence[Step]) -> tuple[Path, ...]:
    """The paths of which each takes longest somewhere; one where sizes are numbers.

    Raises:
        UndecidedError: there are too many of them.
    """
    trails: list[list[_Trail]] = []
    known: dict[Step, Posynomial] = {}
    for number, step in enumerate(steps):
        alike = replace(step, ops=range(0), before=())
        own = known[alike] if alike in known else known.setdefault(alike, step.time)
        before = _unbeaten(trail for n in step.before for trail in trails[n])
        first = [_Trail(own, number, None)]
        trails.append([_Trail(each.time + own, number, each) for each in before] or first)
    used = {n for step in steps for n in step.before}
    ends = _unbeaten(t for number, each in enumerate(trails) if number not in used for t in each)
    return tuple(Path(trail.time, frozenset(_back(trail))) for trail in ends)


def _unbeaten(trails: Iterable[_Trail]) -> list[_Trail]:
    kept = unbeaten(trails, lambda a, b: possible_signs(a.time - b.time) <= {0, 1})
    if len(kept) > MOST_PATHS:
        raise UndecidedError(
            f"each of more than {MOST_PATHS} paths may take longest",
            repair="give numbers for sizes",
        )
    return kept


def _back(trail: _Trail | None) -> Iterator[int]:
    while trail is not None:
        yield trail.step
        trail = trail.back
