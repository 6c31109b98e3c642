"""Memory: the bytes that the tensors of a program take, all together and at the worst moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sympy import Expr, Integer

from symcost.algebra import Maximum, Posynomial
from symcost.algebra.signs import possible_signs
from symcost.errors import UndecidedError, UnknownNameError
from symcost.model.lifetimes import Buffer, Program, Timeline, alive, loops, moments, timeline
from symcost.model.tensors import ROLES

MAX_COMPARED = 40_000  # points of a peak times their terms
MAX_WORK = 4_000_000  # terms that are added up for a peak


def held(programs: Iterable[Program], role: str | None, place: str | None) -> Posynomial:
    """The bytes of all tensors, of one role or all, on one device or all."""
    wanted = None if role is None else _role(role)
    buffers = [b for graph, times in programs for b in timeline(graph, times).buffers]
    _check_place(place, buffers)
    return Posynomial.sum(
        b.bytes * b.count
        for b in buffers
        if wanted in (None, b.tensor.role) and place in (None, b.place)
    )


def parameters(programs: Iterable[Program]) -> Posynomial:
    """The number of values of the weights; one that several devices hold counts once."""
    counts = {
        (number, b.tensor.name): b.tensor.size * b.count
        for number, (graph, times) in enumerate(programs)
        for b in timeline(graph, times).buffers
        if b.tensor.role == "weight"
    }
    return Posynomial.sum(counts.values())


def _role(role: str) -> str:
    singular = role.removesuffix("s")
    if singular not in ROLES:
        known = ", ".join(f"{each}s" for each in ROLES)
        raise UnknownNameError(f"unknown role {role!r}", repair=f"roles are {known}")
    return singular


def _check_place(place: str | None, buffers: Iterable[Buffer]) -> None:
    known = dict.fromkeys(b.place for b in buffers)
    if place is not None and place not in known:
        names = ", ".join(each or "the unnamed device" for each in known) or "none"
        raise UnknownNameError(f"unknown place {place!r}", repair=f"this program uses {names}")


def peak(programs: Iterable[Program], place: str | None) -> Expr:
    """The most bytes at one time on a device."""
    kept = undominated(peaks(programs, place))
    return Maximum(*(p.to_sympy() for p in kept)) if kept else Integer(0)


def peaks(programs: Iterable[Program], place: str | None) -> dict[Posynomial, int]:
    """The bytes that are there at one time, each with the run of the program when they first are.

    The number of a run is -1 for the time before the first.
    """
    lines = [timeline(graph, times) for graph, times in programs]
    buffers = [b for line in lines for b in line.buffers]
    _check_place(place, buffers)
    places = tuple(dict.fromkeys(b.place for b in buffers))
    if place is None and len(places) > 1:
        raise UndecidedError(
            f"this program uses {len(places)} devices, {', '.join(places)}",
            repair=f"ask peak_memory(place={places[-1]!r})",
        )
    where = place if place is not None else "".join(places)
    first: dict[Posynomial, int] = {}
    for line in lines:
        for run, point in _points(line, where):
            first.setdefault(point, run)
    return first


def _points(line: Timeline, place: str) -> Iterator[tuple[int, Posynomial]]:
    """The bytes that are alive at each moment, with its run; what no loop touches is added once."""
    buffers = [b for b in line.buffers if b.place == place]
    ends: dict[int, list[Buffer]] = {}
    for b in buffers:
        for step in {b.made, b.last}:
            ends.setdefault(step, []).append(b)
    across = Posynomial.sum(b.bytes * b.count for b in buffers if b.made < 0)
    yield -1, across
    work = 0
    for loop in loops(line.repeats):
        near = {id(b): b for step in range(loop.first, loop.last + 1) for b in ends.get(step, ())}
        local = list(near.values())
        across -= Posynomial.sum(b.bytes * b.needed for b in local if b.made < loop.first)
        for at in moments(loop, line.repeats):
            work += len(across) + len(local)
            if work > MAX_WORK:
                raise UndecidedError(
                    "this program is too long for an exact peak",
                    repair="write its repeated part once, in a repeat, or ask memory()",
                )
            parts = [b.bytes * alive(b, loop, line.repeats, at) for b in local]
            yield at.step, Posynomial.sum([across, *parts])
        across += Posynomial.sum(b.bytes * b.needed for b in local if b.last > loop.last)


def undominated(values: Iterable[Posynomial]) -> list[Posynomial]:
    """The values without those that another one exceeds wherever sizes are at least 1.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> B, D = map(as_posynomial, dims("B D"))
    >>> undominated([2 * B + D, 2 * B, 4 * D, 2 * B + D])
    [2*B + D, 4*D]
    >>> undominated([3 * D - 1, 2 * D])
    [3*D - 1]
    """
    kept: list[Posynomial] = []
    for value in dict.fromkeys(values):
        if len(kept) * len(value) > MAX_COMPARED:
            raise UndecidedError(
                "too many moments of this program may be the worst",
                repair="give the same name to sizes that are equal, or ask memory()",
            )
        if any(_at_most(value, other) for other in kept):
            continue
        kept = [other for other in kept if not _at_most(other, value)]
        kept.append(value)
    return kept


def _at_most(small: Posynomial, large: Posynomial) -> bool:
    if any(c < 0 for terms in (small.terms, large.terms) for c in terms.values()):
        return possible_signs(large - small) <= {0, 1}
    return all(large.terms.get(m, 0) >= c for m, c in small.terms.items())
