"""Slips of several devices: other devices, another collective, a factor (N - 1)/N that is off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.checker.case import Case
from symcost.checker.mistakes.base import SURE, Example, Proposal, mistake
from symcost.checker.mistakes.ledger import without
from symcost.checker.said import said
from symcost.errors import SymcostError
from symcost.model.collectives.networks import networks
from symcost.model.collectives.several import moves_on
from symcost.model.mesh import Mesh, MeshAxis
from symcost.model.operations import view
from symcost.model.ops.exchange import shard_of
from symcost.model.ops.exchange_layouts import CHANGES, axes_of
from symcost.model.tensors import bytes_per_value

PASSES = ("all_gather", "reduce_scatter", "all_reduce")
MESH = "mesh X, Y; A: bf16[I_X, J_Y]"
GATHER = f"{MESH} -> G: bf16[I, J_Y]"
SWAP = f"{MESH} -> T: bf16[I, J_YX]"


@dataclass(frozen=True, slots=True)
class Sent:
    """A collective of the program over one axis: its array, in bytes, and who takes part."""

    kind: str
    array: Posynomial
    axis: MeshAxis
    mesh: Mesh

    def bytes(self) -> Posynomial:
        """What its rate counts."""
        ((axis, moves),) = moves_on(self.kind, self.array / self.axis.size, [self.axis])
        return moves.lasting * networks[axis.counted].ways


Others: TypeAlias = Callable[[Sent], Iterator[tuple[Sent, str]]]


def _collectives(case: Case) -> Iterator[Sent]:
    """Those over the channel in question, which have no repeat."""
    for graph, times in case.whole.programs if case.whole is not None else ():
        for op in graph.ops:
            axes = axes_of(dict(op.attrs), graph.mesh) if op.kind in CHANGES else ()
            once = times == op.repeat == op.inner == 1
            if len(axes) == 1 and once:
                seen, axis = view(graph, op), graph.mesh.axis(axes[0])
                array = shard_of(op.kind, seen) * axis.size
                width = bytes_per_value(seen.inputs[0].dtype)
                yield Sent(op.kind, array * width, axis, graph.mesh)


def _sends(case: Case) -> bool:
    return case.quantity in ("bytes", "t_comms") and any(True for _ in _collectives(case))


def _slip(kind: str, says: str, specific: float, claim: str, of: str) -> Callable[[Others], None]:
    """Register what one collective is taken for: each such one, and a clause about it."""

    def register(others: Others) -> None:
        example = Example(claim, of=of, quantity="bytes", channel="ici[X]")

        @mistake(kind, says, specific=specific, needs=_sends, example=example)
        def make(case: Case) -> Iterator[Proposal]:
            for sent in _collectives(case):
                for other, text in others(sent):
                    with suppress(SymcostError):  # no such network, or no such collective on it
                        less, passes = sent.bytes() - other.bytes(), {sent.kind, other.kind}
                        halved = len(passes) > 1 and "all_reduce" in passes <= {*PASSES}
                        named = (SURE, "all-reduce-passes") if halved else (0.0, "")
                        if other.bytes() and less:
                            yield without(case, less, text, *named)

    return register


@_slip(
    "wrong-group-size",
    "a collective counted for the devices of another group",
    8,
    "2*I*J*(Y - 1)/Y**2",
    GATHER,
)
def wrong_group(sent: Sent) -> Iterator[tuple[Sent, str]]:
    """The devices of another axis, of two axes, or one too many."""
    own = sent.axis
    groups = {f"{own.name} + 1": own.size + 1}
    for other in sent.mesh.axes:
        if other != own:
            groups |= {other.name: other.size, f"{own.name}*{other.name}": own.size * other.size}
    for name, size in groups.items():
        text = f"a group of {name} devices for the {sent.kind} over {own.name}"
        yield replace(sent, axis=replace(own, size=size)), text


@_slip(
    "wrong-mesh-axis",
    "a collective off another mesh axis than the one that splits",
    8.2,
    "2*I*J*(Y - 1)/(X*Y)",
    GATHER,
)
def wrong_axis(sent: Sent) -> Iterator[tuple[Sent, str]]:
    """The split over another axis goes, and that over this one stays or goes as well."""
    for other in sent.mesh.axes:
        if other != sent.axis:
            array = sent.array * other.size / sent.axis.size
            moved = replace(sent, array=array, axis=replace(sent.axis, size=other.size))
            yield moved, f"the {sent.kind} goes over {sent.axis.name}, not over {other.name}"
            both = replace(sent.axis, size=sent.axis.size * other.size)
            text = f"the {sent.kind} goes over {sent.axis.name} alone, not over {other.name} too"
            yield replace(sent, array=sent.array * other.size, axis=both), text


@_slip("other-collective", "a collective counted as another one", 7.8, "2*I*J*(X - 1)/(X*Y)", SWAP)
def other_collective(sent: Sent) -> Iterator[tuple[Sent, str]]:
    """An all-to-all counted as a gather, or an all-reduce as one of its halves."""
    for kind in CHANGES:
        text = f"counts the {sent.kind} over {sent.axis.name} as {kind}"
        yield replace(sent, kind=kind), text


@_slip(
    "other-network",
    "a collective counted as on another network",
    7.7,
    "2*I*J*(X - 1)/(X**2*Y)",
    SWAP,
)
def other_network(sent: Sent) -> Iterator[tuple[Sent, str]]:
    """A ring used one way, a line or a switch for a ring used both ways, and the reverse."""
    for name in networks:
        text = f"is that of a {networks[name].title}, not of a {networks[sent.axis.joined].title}"
        yield replace(sent, axis=replace(sent.axis, network=name)), text


@mistake(
    "ring-factor",
    "the factor (N - 1)/N is turned round, or stands where it does not belong",
    specific=8,
    needs=_sends,
    example=Example("2*I*J*X/((X - 1)*Y)", of=GATHER, quantity="bytes", channel="ici[X]"),
)
def ring_factor(case: Case) -> Iterator[Proposal]:
    """N/(N - 1), or the factor twice."""
    for n in (sent.axis.size for sent in _collectives(case)):
        total, factor, shown = as_ratio(case.expected), Ratio.of(n - 1, n), said("{}", n)
        turned = said("has {} for {}", Ratio.of(n, n - 1), factor)
        yield Proposal(total / factor / factor, turned, shown)
        yield Proposal(total * factor, said("has {} once more", factor), shown)
