"""Slips of several devices: other devices, another collective, a factor (N - 1)/N that is off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from symcost.algebra import Posynomial, Ratio, as_ratio
from symcost.checker.case import Case
from symcost.checker.mistakes.base import Example, Proposal, mistake
from symcost.errors import SymcostError
from symcost.model.collectives.networks import networks
from symcost.model.collectives.several import moves_on
from symcost.model.mesh import Mesh, MeshAxis
from symcost.model.operations import view
from symcost.model.ops.exchange import CHANGES, axes_of, shard_of
from symcost.model.tensors import bytes_per_value

PASSES = ("all_gather", "reduce_scatter", "all_reduce")
MESH = "mesh X, Y; A: bf16[I_X, J_Y]"
GATHER = f"{MESH} -> G: bf16[I, J_Y]"


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


def _instead(case: Case, sent: Sent, other: Sent, text: str, kind: str = "") -> Iterator[Proposal]:
    """The expectation with one collective counted as another, where there is such a one."""
    with suppress(SymcostError):
        total, before, counted = case.costs().total(), sent.bytes(), other.bytes()
        if before and counted and before != counted:
            value = as_ratio(case.expected) * Ratio.of(total - before + counted, total)
            yield Proposal(value, text, likely=1 if kind else 0, kind=kind)


def _example(claim: str, of: str) -> Example:
    return Example(claim, of=of, quantity="bytes", channel="ici[X]")


@mistake(
    "wrong-group-size",
    "a collective counted for the devices of another group",
    specific=8,
    needs=_sends,
    example=_example("2*I*J*(Y - 1)/Y**2", GATHER),
)
def wrong_group(case: Case) -> Iterator[Proposal]:
    """The devices of another axis, of several axes, or one too many or few."""
    for sent in _collectives(case):
        own = sent.axis
        sizes = {other.name: other.size for other in sent.mesh.axes if other != own}
        groups = {
            **sizes,
            **{f"{own.name}*{name}": own.size * size for name, size in sizes.items()},
            f"{own.name} + 1": own.size + 1,
        }
        for name, size in groups.items():
            other = replace(sent, axis=replace(own, size=size))
            text = f"a group of {name} devices for the {sent.kind} over {own.name}"
            yield from _instead(case, sent, other, text)


@mistake(
    "wrong-mesh-axis",
    "a collective off another mesh axis than the one that splits",
    specific=8.2,
    needs=_sends,
    example=_example("2*I*J*(Y - 1)/(X*Y)", GATHER),
)
def wrong_axis(case: Case) -> Iterator[Proposal]:
    """The split over another axis goes, and that over this one stays."""
    for sent in _collectives(case):
        for other in sent.mesh.axes:
            if other != sent.axis:
                array = sent.array * other.size / sent.axis.size
                moved = replace(sent, array=array, axis=replace(sent.axis, size=other.size))
                text = f"the {sent.kind} goes over {sent.axis.name}, not over {other.name}"
                yield from _instead(case, sent, moved, text)


@mistake(
    "other-collective",
    "a collective counted as another one",
    specific=7.8,
    needs=_sends,
    example=_example("2*I*J*(X - 1)/(X*Y)", f"{MESH} -> T: bf16[I, J_YX]"),
)
def other_collective(case: Case) -> Iterator[Proposal]:
    """An all-to-all counted as a gather, or an all-reduce as one of its halves."""
    for sent in _collectives(case):
        for kind in CHANGES:
            if kind != sent.kind:
                named = "all-reduce-passes" if "all_reduce" in (kind, sent.kind) else ""
                named = named if {kind, sent.kind} <= {*PASSES} else ""
                text = f"counts the {sent.kind} over {sent.axis.name} as {kind}"
                yield from _instead(case, sent, replace(sent, kind=kind), text, named)


@mistake(
    "other-network",
    "a collective counted as on another network",
    specific=7.7,
    needs=_sends,
    example=_example("2*I*J*(X - 1)/(X**2*Y)", f"{MESH} -> T: bf16[I, J_YX]"),
)
def other_network(case: Case) -> Iterator[Proposal]:
    """A ring used one way, a line or a switch for a ring used both ways, and the reverse."""
    for sent in _collectives(case):
        for name in networks:
            if networks[name].name == name != sent.axis.joined:
                other = replace(sent, axis=replace(sent.axis, network=name))
                text = f"is that of a {networks[name].title}, not of a "
                text += networks[sent.axis.joined].title
                yield from _instead(case, sent, other, text)


@mistake(
    "ring-factor",
    "the factor (N - 1)/N is turned round, or stands where it does not belong",
    specific=8,
    needs=_sends,
    example=_example("2*I*J*X/((X - 1)*Y)", GATHER),
)
def ring_factor(case: Case) -> Iterator[Proposal]:
    """N/(N - 1), or the factor twice."""
    for sent in _collectives(case):
        n = sent.axis.size
        total = as_ratio(case.expected)
        factor = Ratio.of(n - 1, n)
        yield Proposal(total / factor / factor, f"has {n}/({n} - 1) for ({n} - 1)/{n}", f"{n}")
        yield Proposal(total * factor, f"has ({n} - 1)/{n} once more", f"{n}")
