"""Every registered collective is run on virtual devices: its result, and what it moves."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from symcost.algebra import as_posynomial
from symcost.model.collectives import networks
from symcost.model.collectives.networks import SWITCH, Network
from symcost.model.programs import parse
from symcost.plans.wires import Traffic, carry_out
from symcost.symbols import dims

CASES = [
    (name, collective, n)
    for name in networks
    for collective in networks[name].algorithms
    for n in range(2, 17)
    if not (networks[name].power_of_two and n & (n - 1))
]
SIZES = (1, 2, 3, 4, 7)
STREAMED = {"reducing"}  # its rounds overlap: a shard comes back while the next is on its way


def start(collective: str, n: int, shard: int) -> list[np.ndarray]:
    """The buffers before: what a device does not hold yet is not a number."""
    rng = np.random.default_rng(n * 100 + shard)
    chunk = -(-shard // n)
    size = {"all_to_all": n * n * chunk, "halo_exchange": 2 * n * shard}.get(collective)
    size = size or n * 2 * ((shard + 1) // 2)
    buffers = [np.full(size, np.nan) for _ in range(n)]
    for i, buffer in enumerate(buffers):
        values = rng.integers(1, 100, size).astype(float)
        a, b = {
            "all_to_all": (i * n * chunk, (i + 1) * n * chunk),
            "halo_exchange": (2 * i * shard, 2 * (i + 1) * shard),
            "all_gather": (i * shard, (i + 1) * shard),
            "permute": (i * shard, (i + 1) * shard),
            "point_to_point": (i * shard, (i + 1) * shard),
            "broadcast": (0, size if i == 0 else 0),
        }.get(collective, (0, size))
        buffer[a:b] = values[a:b]
    return buffers


def assert_result(collective: str, n: int, shard: int, before: list, after: list, ring: bool):
    whole, chunk = n * shard, -(-shard // n)
    total = sum(before)
    for i, buffer in enumerate(after):
        a, b = i * shard, (i + 1) * shard
        if collective == "all_gather":
            own = np.concatenate([before[j][j * shard : (j + 1) * shard] for j in range(n)])
            assert (buffer[:whole] == own).all()
        elif collective == "reduce_scatter":
            assert (buffer[a:b] == total[a:b]).all()
        elif collective == "all_reduce":
            assert (buffer[:whole] == total[:whole]).all()
        elif collective == "all_to_all":
            for j in range(n):
                c = (j * n + i) * chunk
                assert (buffer[c : c + chunk] == before[j][c : c + chunk]).all()
        elif collective == "broadcast":
            assert (buffer[:whole] == before[0][:whole]).all()
        elif collective == "reduce":
            assert i or (buffer[:whole] == total[:whole]).all()
        elif collective == "permute":
            j = (i - 1) % n
            assert (buffer[j * shard : a or whole] == before[j][j * shard : a or whole]).all()
        elif collective == "point_to_point":
            assert i != 1 or (buffer[:shard] == before[0][:shard]).all()
        else:
            assert collective == "halo_exchange"
            for j, face in ((i - 1, 0), (i + 1, 1)):
                if ring or 0 <= j < n:
                    j %= n
                    c = (2 * j + face) * shard
                    assert (buffer[c : c + shard] == before[j][c : c + shard]).all()


def counted(network: Network, collective: str, n: int, shard: int) -> Traffic:
    buffers = start(collective, n, shard)
    before = [buffer.copy() for buffer in buffers]
    traffic = carry_out(network, collective, shard, buffers)
    assert_result(collective, n, shard, before, buffers, network.name != "line")
    return traffic


@pytest.mark.parametrize(("name", "collective", "n"), CASES)
def test_a_schedule_gives_the_result_and_moves_what_the_formula_says(name, collective, n):
    network = networks[name]
    for shard in SIZES:
        traffic = counted(network, collective, n, shard)
        moves = network.cost(collective, as_posynomial(shard), as_posynomial(n))
        assert moves.busiest == traffic.busiest, (shard, "busiest link")
        assert moves.hops == traffic.hops, (shard, "hops")
        assert moves.sent == max(traffic.sent.values()), (shard, "sent")
        passed = [(wire, size) for wire, size in traffic.wires.items() if wire[1] != SWITCH]
        if name == "reducing":  # whose sums come out of the switch; what goes into it is counted
            passed = [(wire, size) for wire, size in traffic.wires.items() if wire[1] == SWITCH]
        assert moves.over_all(as_posynomial(n)) == sum(size for _, size in passed), "all links"
        assert moves.adds == max(traffic.adds.values(), default=0), (shard, "adds")
        if name not in STREAMED:
            assert moves.lasting == traffic.serial, (shard, "round by round")


@pytest.mark.parametrize(("name", "collective"), sorted({case[:2] for case in CASES}))
def test_the_symbolic_formula_is_the_one_of_the_numbers(name, collective):
    """With symbols a shard is taken to divide; at sizes that do, both agree."""
    network = networks[name]
    s, n = dims("s N")
    moves = network.cost(collective, as_posynomial(s), as_posynomial(n))
    for devices in (4, 8, 16) + (() if network.power_of_two else (3, 5, 15)):
        shard = 4 * devices
        exact = network.cost(collective, as_posynomial(shard), as_posynomial(devices))
        pairs = zip(
            (*moves.all(), moves.over_all(as_posynomial(n))),
            (*exact.all(), exact.over_all(as_posynomial(devices))),
            strict=True,
        )
        for symbolic, number in pairs:
            assert symbolic.to_sympy().subs({s: shard, n: devices}) == number.to_sympy()


@pytest.mark.parametrize("name", ["ring", "oneway", "switch", "pairs"])
@pytest.mark.parametrize(("n", "filled"), [(4, 1), (4, 2), (5, 3), (6, 6)])
def test_a_ragged_all_to_all_is_the_mean_over_all_choices_of_chunks(name, n, filled):
    """The chunks of every device that hold anything are those for the places so much further."""
    shard = 2 * n
    sends = networks[name].algorithms["all_to_all"].schedule(n, shard)[0]
    choices = list(combinations(range(n), filled))
    load: Counter[tuple[int, int, int]] = Counter()
    for shifts in choices:
        for send in sends:
            if (send.target - send.source) % n in shifts:
                load.update(dict.fromkeys(send.path, send.stop - send.start))
    program = f"mesh X={n} over ici({name}); A: int8[{n}_X, {shard}]"
    cost = parse(f"{program}; T: int8[{n}, {shard}_X] = all_to_all(A, filled={filled})").cost()
    (moves,) = [entry.moves for entry in cost.entries if entry.moves]
    assert moves.busiest == Fraction(max(load.values()), len(choices))
