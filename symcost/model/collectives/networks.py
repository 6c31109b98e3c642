"""Networks: how the devices of one axis are joined, and the schedule of each collective on it.

A schedule is data: rounds of sends, each along directed links. The cost of a collective is a
formula in the values of one shard and the number of devices; the tests run every schedule on
virtual devices and compare what they count with the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from sympy import ceiling, floor, log

from symcost.algebra import Maximum, Minimum, Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE, ZERO
from symcost.algebra.signs import coefficient_sign
from symcost.errors import MissingRuleError
from symcost.registry import Registry

Wire: TypeAlias = tuple[int, int, int]  # from, to, and which cable; a switch is device -1
Path: TypeAlias = tuple[Wire, ...]
SWITCH = -1


class Send(NamedTuple):
    """One piece of the array on its way: values ``start`` to ``stop`` along directed wires."""

    source: int
    target: int
    start: int
    stop: int
    path: Path
    adds: bool = False

    @property
    def hops(self) -> int:
        """Links passed one after another; into a switch and out of it are one."""
        return sum(wire[1] != SWITCH for wire in self.path)

    def turned(self) -> Send:
        """The same way back, adding: what a gather sends, a reduction receives."""
        path = tuple((b, a, cable) for a, b, cable in reversed(self.path))
        return Send(self.target, self.source, self.start, self.stop, path, True)


Round: TypeAlias = list[Send]
Schedule: TypeAlias = Callable[[int, int], list[Round]]  # devices, values of one shard


@dataclass(frozen=True, slots=True)
class Moves:
    """What a collective does on one axis, in values.

    Args:
        sent: what a device sends, the worst one.
        busiest: what the busiest directed link carries, forwarded pieces included.
        hops: links passed one after another.
        adds: additions that a device makes, the worst one.
        serial: the busiest link of each round, summed; differs where rounds use other links.
        total: what all links carry; as often ``sent`` as there are devices if not given.
    """

    sent: Posynomial
    busiest: Posynomial
    hops: Posynomial
    adds: Posynomial = ZERO
    serial: Posynomial | None = None
    total: Posynomial | None = None

    @property
    def lasting(self) -> Posynomial:
        """What decides the time: the busiest link, round after round."""
        return self.busiest if self.serial is None else self.serial

    def all(self) -> tuple[Posynomial, ...]:
        """Every amount, in the order of the arguments."""
        return (self.sent, self.busiest, self.hops, self.adds, self.lasting)

    def __add__(self, other: Moves) -> Moves:
        return Moves(*(a + b for a, b in zip(self.all(), other.all(), strict=True)))

    def times(self, factor: Posynomial) -> Moves:
        """The same with so many bytes a value; hops stay."""
        sent, busiest, hops, adds, serial = self.all()
        total = self.total and self.total * factor
        return Moves(sent * factor, busiest * factor, hops, adds, serial * factor, total)

    def over_all(self, devices: Posynomial) -> Posynomial:
        """What all links carry, of so many devices."""
        return self.sent * devices if self.total is None else self.total


NO_MOVES = Moves(ZERO, ZERO, ZERO)
Cost: TypeAlias = Callable[[Posynomial, Posynomial], Moves]  # values of one shard, devices


class Algorithm(NamedTuple):
    """How a collective is done: its cost as a formula, and its rounds of sends."""

    cost: Cost
    schedule: Schedule


Algorithms: TypeAlias = Mapping[str, Algorithm]  # by the name of the collective
Places: TypeAlias = tuple[Posynomial, ...]  # of a permute how far, of a send from where to where
PathTo: TypeAlias = Callable[[int, int, int], Path]  # from, to, of how many devices


@dataclass(frozen=True, slots=True)
class Route:
    """How what is for one other device goes there.

    Args:
        path: the wires.
        reach: if each sends to the one so many places on, of so many devices: how many pieces
            the busiest wire carries, and over how many hops the furthest goes.
        apart: on a line the hops from one device to another; those of ``reach`` if not given.
    """

    path: PathTo
    reach: Callable[[Posynomial, Posynomial], tuple[Posynomial, Posynomial]]
    apart: Callable[[Posynomial, Posynomial], Posynomial] | None = None

    def shift(self, by: Posynomial = ONE) -> Algorithm:
        """Permute: every device hands its shard to the one so many places on."""

        def cost(shard: Posynomial, n: Posynomial) -> Moves:
            places = _onward(by, n)
            load, hops = self.reach(places, n)
            total = places * (n - places) * 2 if self.apart else load * n
            return Moves(shard, shard * load, hops, total=shard * total) if places else NO_MOVES

        def rounds(n: int, shard: int) -> list[Round]:
            k = int(by.as_fraction())
            pieces = [(i, (i + k) % n, i * shard) for i in range(n)] if k % n else []
            return [[Send(i, j, a, a + shard, self.path(i, j, n)) for i, j, a in pieces]]

        return Algorithm(cost, rounds)

    def send(self, source: Posynomial = ZERO, target: Posynomial = ONE) -> Algorithm:
        """Point to point: one device sends its shard to another."""

        def cost(shard: Posynomial, n: Posynomial) -> Moves:
            places = _onward(target - source, n)
            hops = self.apart(source, target) if self.apart else self.reach(places, n)[1]
            return Moves(shard, shard, hops, total=shard * hops) if places else NO_MOVES

        def rounds(n: int, shard: int) -> list[Round]:
            i, j = (int(each.as_fraction()) for each in (source, target))
            return [[Send(i, j, i * shard, (i + 1) * shard, self.path(i, j, n))] if i != j else []]

        return Algorithm(cost, rounds)


def _onward(places: Posynomial, n: Posynomial) -> Posynomial:
    """So many places on, on a ring: from 0 to N - 1."""
    if places.is_constant and n.is_constant:
        return as_posynomial(places.as_fraction() % n.as_fraction())
    return places + n if coefficient_sign(places) == -1 else places


def nearer(places: Posynomial, n: Posynomial) -> Posynomial:
    """The shorter way around."""
    return _chosen(Minimum, places, n)


def further(places: Posynomial, n: Posynomial) -> Posynomial:
    """The longer way around."""
    return _chosen(Maximum, places, n)


def _chosen(which: type[Minimum | Maximum], places: Posynomial, n: Posynomial) -> Posynomial:
    ways: tuple[Posynomial, ...] = (places, n - places)
    if ONE in ways and not n.is_constant:  # there are two devices at least
        ways = (ONE,) if which is Minimum else (n - 1,)
    return as_posynomial(which(*(way.to_sympy() for way in ways)))


@dataclass(frozen=True, slots=True)
class Network:
    """How devices are joined, with an algorithm for each collective.

    Args:
        name: what ``mesh X=4 over ici(name)`` calls it.
        title: in words; ``source``: where its costs are from.
        algorithms: by the name of the collective.
        ways: directed links of a device that W counts together: 2 for a ring used both ways.
        counts: what W counts, in words.
        power_of_two: whether the number of devices must be one.
        route: the wires from one device to another, where every two may send to each other.
        shared: whether all axes on it leave a device through one port.
        reduces: whether the network adds what passes, so that the devices need not.
    """

    name: str
    title: str
    source: str
    algorithms: Algorithms
    route: Route | None = None
    ways: int = 1
    counts: str = "all that a device sends into the switch"
    power_of_two: bool = False
    shared: bool = False
    reduces: bool = False

    def algorithm(self, collective: str, places: Places = ()) -> Algorithm:
        """How a collective is done.

        Args:
            collective: its name.
            places: of a ``permute`` how far; of ``point_to_point`` from where to where.

        Raises:
            MissingRuleError: there is no schedule for it.
        """
        if self.route and places:
            return (self.route.shift if collective == "permute" else self.route.send)(*places)
        if collective not in self.algorithms:
            raise MissingRuleError(
                f"no schedule for {collective} on a {self.title} is known",
                repair=f"it has {', '.join(self.algorithms)}",
            )
        return self.algorithms[collective]

    def cost(
        self, collective: str, shard: Posynomial, devices: Posynomial, places: Places = ()
    ) -> Moves:
        """The moves of a collective.

        Raises:
            MissingRuleError: this network has no schedule for it, or not for so many devices.
        """
        algorithm = self.algorithm(collective, places)
        if devices == 1:
            return NO_MOVES
        if self.power_of_two and devices.is_constant and not _is_power(devices):
            raise MissingRuleError(
                f"{self.title} needs a power of two, not {devices} devices",
                repair="choose another network, for example switch",
            )
        moves = algorithm.cost(shard, devices)
        return replace(moves, total=moves.over_all(devices))


networks: Registry[Network] = Registry("network")


def register_network(network: Network, *, replace: bool = False) -> Network:
    """Add a network with its collectives.

    Raises:
        DuplicateNameError: the name is taken.
    """
    networks.add(network.name, network, replace=replace)
    return network


def family(
    gather: Cost, schedule: Schedule, mirrored: Schedule | None = None
) -> dict[str, Algorithm]:
    """All-gather, and what follows from it: its dual, and the two one after the other.

    Reduce-scatter is the all-gather (or its mirror image, where the wires go one way) backwards
    in time, adding; all-reduce is both.
    Source: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective communication:
    theory, practice, and experience (2007), section 3.
    """

    def scatter(shard: Posynomial, n: Posynomial) -> Moves:
        there = gather(shard, n)
        return Moves(shard * (n - 1), there.busiest, there.hops, there.sent, there.serial)

    def both(shard: Posynomial, n: Posynomial) -> Moves:
        return scatter(shard, n) + gather(shard, n)

    back = turned(mirrored or schedule)
    return {
        "all_gather": Algorithm(gather, schedule),
        "reduce_scatter": Algorithm(scatter, back),
        "all_reduce": Algorithm(both, followed(back, schedule)),
    }


def turned(schedule: Schedule) -> Schedule:
    """A schedule backwards in time, every send the other way and adding."""
    return lambda n, shard: [
        [send.turned() for send in each] for each in reversed(schedule(n, shard))
    ]


def followed(first: Schedule, second: Schedule) -> Schedule:
    """One schedule after the other."""
    return lambda n, shard: first(n, shard) + second(n, shard)


def halved(size: Posynomial) -> Posynomial:
    """The larger half of so many values; of a symbol, half of it."""
    return rounded_up(size / 2)


def rounded_up(size: Posynomial) -> Posynomial:
    """The ceiling of a number; a symbol is taken to divide."""
    return as_posynomial(ceiling(size.to_sympy())) if size.is_constant else size


def floored(size: Posynomial) -> Posynomial:
    """The floor, kept as a function of a symbol."""
    return as_posynomial(floor(size.to_sympy()))


def rounds_of_doubling(n: Posynomial) -> Posynomial:
    """How often one doubles to reach n."""
    if n.is_constant:
        return as_posynomial((int(n.as_fraction()) - 1).bit_length())
    return as_posynomial(ceiling(log(n.to_sympy(), 2)))


def is_even(n: Posynomial) -> bool | None:
    """Whether a number is even; ``None`` for a symbol."""
    return n.as_fraction() % 2 == 0 if n.is_constant else None


def _is_power(n: Posynomial) -> bool:
    number = int(n.as_fraction())
    return number & (number - 1) == 0
