"""Collectives over one axis or several: which wires carry what.

Rings of one link work at once: the array is cut into as many parts as there are axes, and each
part goes around them in another order. Axes behind one switch are one larger group. Over links
of different levels the slow one comes first in a gather and last in a reduction, so that it
carries shards.

Sources: P. Sack, W. Gropp, Faster topology-aware collective algorithms through non-minimal
communication (2012), section 3, for tori; J. Austin et al., How To Scale Your Model (2025), part
on GPUs, for levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.model.collectives.networks import (
    Moves,
    Places,
    floored,
    networks,
    rounded_up,
)
from symcost.model.mesh import MeshAxis

GROWING = ("all_gather", "reduce_scatter", "all_reduce")
WHOLE = ("broadcast", "reduce")
ALONG = ("permute", "halo_exchange", "point_to_point")  # a ring goes through all hardware axes


def moves_on(
    collective: str, shard: Posynomial, axes: Sequence[MeshAxis], places: Places = ()
) -> list[tuple[MeshAxis, Moves]]:
    """What a collective over some axes moves on each of them, in values.

    >>> from symcost.symbols import dims
    >>> V, X = map(as_posynomial, dims("V X"))
    >>> [(axis, moves)] = moves_on("all_gather", V / X, [MeshAxis("X", X, "ici")])
    >>> moves.lasting * 2, moves.hops
    (V - V/X, floor(X/2))

    Args:
        collective: a collective.
        shard: values of one shard, of which there are as many as devices.
        axes: the axes together.
        places: along one axis: of a ``permute`` how far, of ``point_to_point`` from where to where.

    Returns:
        For each axis (for axes behind one switch, the first) its moves.
    """
    by_axis: list[tuple[MeshAxis, Moves]] = []
    values = shard * Posynomial.product(axis.size for axis in axes)
    for level in linked(axes):
        by_axis += _level(collective, shard, values, level, places)
        if collective in GROWING:
            shard = shard * Posynomial.product(axis.size for axis in level)
    return by_axis


def linked(axes: Iterable[MeshAxis]) -> list[list[MeshAxis]]:
    """Axes on the same links together, in the order of a gather: slow links first.

    Those of a torus stand by name, in whatever order they split: an all-reduce over them loads
    each link as its halves do.
    """
    order = sorted(axes, key=lambda axis: (not axis.is_slow, axis.over, axis.counted, axis.name))
    return [list(group) for _, group in groupby(order, key=lambda axis: (axis.over, axis.counted))]


def levels(axes: Sequence[MeshAxis]) -> list[list[MeshAxis]]:
    """Of axes on the same links, those that act as one: behind a switch, or all parts of a ring."""
    if axes[0].is_shared:
        return [[*axes]]
    by_whole = [(axis.whole or axis.name, axis) for axis in axes]
    acting: list[list[MeshAxis]] = []
    for whole in dict.fromkeys(name for name, _ in by_whole):
        parts = [axis for name, axis in by_whole if name == whole]
        together = Posynomial.product(part.size for part in parts) == parts[0].extent
        acting += [parts] if together else [[part] for part in parts]
    return acting


def as_one(level: Sequence[MeshAxis]) -> MeshAxis:
    """The axis that those of a level make up."""
    first = level[0]
    if len(level) == 1:
        return first
    name = first.name if first.is_shared else first.whole
    size = Posynomial.product(axis.size for axis in level)
    return MeshAxis(name, size, first.link, first.network, first.span)


def _level(
    collective: str,
    shard: Posynomial,
    values: Posynomial,
    axes: list[MeshAxis],
    places: Places,
) -> list[tuple[MeshAxis, Moves]]:
    axes = [as_one(each) for each in levels(axes)]
    if len(axes) > 1 and collective in GROWING:
        count = range(len(axes))
        return [(axes[n], _of_torus(collective, shard, axes, n)) for n in count]
    if collective in WHOLE:  # the whole array goes over each axis in turn
        return [(a, _on_one(collective, rounded_up(values / a.size), a)) for a in axes]
    return [(axis, _on_one(collective, shard, axis, places)) for axis in axes]


def _of_torus(collective: str, shard: Posynomial, axes: list[MeshAxis], number: int) -> Moves:
    """One axis of a torus: part p of the array begins at axis p and goes on in order."""
    k = len(axes)
    parts = []
    for first in range(k):
        held = rounded_up(shard / k)
        for step in range((number - first) % k):
            held = held * axes[(first + step) % k].size
        parts.append(_on_one(collective, held, axes[number]))
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    everywhere = Posynomial.sum(part.over_all(axes[number].size) for part in parts)
    return replace(total, hops=parts[0].hops, total=everywhere)


def _on_one(collective: str, shard: Posynomial, axis: MeshAxis, places: Places = ()) -> Moves:
    network = networks[axis.joined]
    if axis.span != ONE and collective not in ALONG:
        return _spanning(collective, shard, axis)
    moves = network.cost(collective, shard, axis.size, places)
    if axis.stride == ONE or axis.is_shared:
        return moves
    return Moves(  # neighbours are so many places apart, and as many groups share each wire
        moves.sent,
        moves.busiest * axis.stride,
        moves.hops * axis.stride,
        moves.adds,
        moves.lasting * axis.stride,
        moves.over_all(axis.size) * axis.stride,
    )


def _spanning(collective: str, shard: Posynomial, axis: MeshAxis) -> Moves:
    """On several hardware axes, taken to be of equal size, of which each carries its part."""
    network, span = networks[axis.joined], axis.span
    if not span.is_constant:  # a symbol: each hardware axis takes an equal part
        moves = network.cost(collective, shard, axis.size)
        if collective in WHOLE:
            return moves
        return replace(moves, busiest=moves.busiest / span, serial=moves.lasting / span)
    m = int(span.as_fraction())
    side = axis.size ** Fraction(1, m)
    hops = floored(side / 2) * m if axis.joined == "ring" else (side - 1) * m
    moves = network.cost(collective, shard, axis.size)
    if collective in GROWING:
        share = moves.times(as_posynomial(Fraction(1, m)))
        twice = 2 if collective == "all_reduce" else 1
        return replace(moves, busiest=share.busiest, hops=hops * twice, serial=share.lasting)
    if collective in WHOLE:  # each part goes over every hardware axis, in another order
        along = network.cost(collective, rounded_up(shard * axis.size / side), side)
        total = along.over_all(side) * m * axis.size / side
        sent, adds = along.sent * m, along.adds * m
        return Moves(sent, along.busiest, along.hops * m, adds, along.lasting, total)
    along = network.cost(collective, shard, side)
    total = along.over_all(side) * m * axis.size / side
    return Moves(moves.sent, along.busiest, hops, moves.adds, along.lasting, total)
