"""Blocks of a ledger: operations of equal signature, priced once and counted by their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import Monomial, Number
from symcost.errors import InvalidValueError
from symcost.model.data import GraphData
from symcost.model.entries import Entry, Resource
from symcost.model.fusion import Run, by_signature, names_of, price_run
from symcost.model.tensors import ONE

COUNTS = ("leading", "exact")

Terms: TypeAlias = Mapping[Monomial, Number]


@dataclass(frozen=True, slots=True)
class Block:
    """Runs of equal signature: priced once, counted as often as they occur."""

    graph: GraphData
    members: tuple[Run, ...]
    factor: Posynomial  # how often each member runs
    priced: tuple[Entry, ...]  # of the first member, for one run of it
    count: str = "leading"  # how its FLOPs are counted

    @property
    def times(self) -> Posynomial:
        """How often the priced entries count."""
        return self.factor * len(self.members)

    def whole_times(self) -> int:
        """How often, if that is a positive whole number; 0 if it is an expression."""
        if self.factor is ONE:
            return len(self.members)
        times = self.times
        if len(times) == 1 and times.is_constant:
            number = times.as_fraction()
            return int(number) if number.denominator == 1 else 0
        return 0

    def expanded(self) -> Iterator[tuple[int, Entry]]:
        """The entries of every member with the names of its own tensors."""
        for member in self.members:
            for entry in self._of(member, shown=True):
                yield member.start, entry

    def selected(self, keep: Callable[[Entry], bool]) -> Iterator[Block]:
        """The block without what a predicate refuses, which may differ from member to member."""
        alike: dict[tuple[int, ...], list[Run]] = {}
        for member in self.members:
            entries = enumerate(self._of(member, shown=True))
            kept = tuple(number for number, entry in entries if keep(entry))
            alike.setdefault(kept, []).append(member)
        for kept, members in alike.items():
            if kept:
                own = self._of(members[0], shown=False)
                priced = tuple(own[number] for number in kept)
                yield replace(self, members=tuple(members), priced=priced)

    def _of(self, member: Run, shown: bool) -> list[Entry]:
        """The entries of a member: as they are shown, or as they are priced for one run."""
        first, ops = self.members[0].ops(self.graph), member.ops(self.graph)
        own = names_of(ops)
        if shown:
            own = tuple(self.graph.tensors[name].label for name in own)
        names = dict(zip(names_of(first), own, strict=True))
        factor = self.factor if shown else ONE
        return [
            replace(
                entry,
                quantity=entry.quantity if factor == ONE else entry.quantity * factor,
                subjects=tuple(names.get(name, name) for name in entry.subjects),
                origin=ops[entry.step].origin,
            )
            for entry in self.priced
        ]


def priced(graph: GraphData, count: str) -> tuple[Block, ...]:
    """The blocks of a graph; equal operations are priced once and multiplied.

    Raises:
        InvalidValueError: no such way of counting.
    """
    if count not in COUNTS:
        raise InvalidValueError(
            f"unknown way of counting {count!r}", repair="use count='leading' or count='exact'"
        )
    return tuple(_priced(graph, tuple(runs), count) for runs in by_signature(graph).values())


def _priced(graph: GraphData, runs: tuple[Run, ...], count: str) -> Block:
    """The block of runs that are alike."""
    entries = price_run(graph, runs[0], count)
    return Block(graph, runs, graph.ops[runs[0].start].repeat, entries, count)


def sums(
    blocks: Iterable[Block], keep: Callable[[Resource], bool] = lambda _: True
) -> dict[Resource, Posynomial]:
    """For each resource that is kept the sum over all entries on it.

    Entries mostly share their amounts (a tensor's size is one object), so amounts are counted
    by identity first, which is fast; then each is added once.
    """
    by_times: dict[int | Posynomial, list[Block]] = {}
    for block in blocks:
        times = block.whole_times() or block.times
        if times not in by_times:
            by_times[times] = []
        by_times[times].append(block)
    parts: dict[Resource, list[Posynomial]] = {}
    for times, group in by_times.items():
        for resource, amounts in _amounts(group, keep).items():
            part = _sum(amounts) if times == 1 else _sum(amounts) * times
            parts.setdefault(resource, []).append(part)
    return {r: many[0] if len(many) == 1 else Posynomial.sum(many) for r, many in parts.items()}


def _amounts(
    blocks: Iterable[Block], keep: Callable[[Resource], bool]
) -> dict[Resource, list[Posynomial]]:
    """The amounts on each resource; resources are told apart by identity first."""
    amounts: dict[Resource, list[Posynomial]] = {}
    by_id: dict[int, list[Posynomial]] = {}
    for block in blocks:
        for entry in block.priced:
            try:
                by_id[id(entry.resource)].append(entry.quantity)
            except KeyError:
                resource = entry.resource
                fresh = amounts.setdefault(resource, []) if keep(resource) else []
                by_id[id(resource)] = fresh
                fresh.append(entry.quantity)
    return amounts


def _sum(amounts: list[Posynomial]) -> Posynomial:
    """The sum of posynomials of which many are the same object."""
    keys = list(map(id, amounts))
    objects = dict(zip(keys, amounts, strict=True))
    counts = Counter(keys)
    by_count: dict[int, list[Posynomial]] = {count: [] for count in counts.values()}
    for key, count in counts.items():
        by_count[count].append(objects[key])
    total = _merged(
        [_scaled(_merged([a.terms for a in group]), n) for n, group in by_count.items()]
    )
    if 0 not in total.values() and set(map(type, total.values())) <= {int}:
        return Posynomial(total)
    return Posynomial.sum((Posynomial(total),))


def _scaled(terms: Terms, times: int) -> Terms:
    values = set(terms.values())
    if len(values) == 1:
        return dict.fromkeys(terms, values.pop() * times)  # quick: hashes no monomial again
    return {monomial: value * times for monomial, value in terms.items()}


def _merged(parts: list[Terms]) -> Terms:
    """The terms of a sum; where no two are alike they are only copied, without hashing them."""
    total: dict[Monomial, Number] = {}
    for part in parts:
        total.update(part)
    if len(total) == sum(map(len, parts)):
        return total
    total = {}
    for part in parts:
        for monomial, value in part.items():
            size = len(total)
            present = total.setdefault(monomial, value)  # one hash for most monomials
            if len(total) == size:
                total[monomial] = present + value
    return total
