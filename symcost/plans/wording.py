"""How a plan is told: its steps as a table, what must divide, memory, and the other ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from symcost.algebra import Posynomial
from symcost.algebra.posynomial import ONE
from symcost.documents.blocks import Block, Code, Inline, Math, Prose, Table, Words, joined, words
from symcost.errors import UndecidedError
from symcost.model.at_sizes import must_divide, uneven
from symcost.model.collectives.networks import Moves
from symcost.model.entries import Entry
from symcost.model.fusion import all_runs
from symcost.model.memory import held, peaks, undominated
from symcost.model.mesh import Mesh
from symcost.plans.alternatives import Alternative

if TYPE_CHECKING:
    from symcost.plans.steps import Plan, Step


def mesh_words(mesh: Mesh) -> Iterator[Block]:
    """What is taken for granted of a mesh whose links are not named."""
    unsaid = [axis for axis in mesh.axes if not axis.link]
    rings = dict.fromkeys(axis.whole or axis.name for axis in unsaid)
    lines = [a.name for a in unsaid if a.joined == "line" and a.size != ONE]
    if rings:
        each = "is a two-way ring" if len(rings) == 1 else "are two-way rings"
        parts = f" and {', '.join(lines)}, whose places are neighbours, a line" if lines else ""
        yield Prose(f"No link is named, so {', '.join(rings)} {each}{parts}.")


def table(steps: Iterable[Step]) -> Iterator[Table]:
    """A line for each step, where there are any."""
    head = ("", "step", "on each device", "moves or does")
    if rows := tuple(_row(step) for step in steps):
        yield Table(head, rows)


def _row(step: Step) -> tuple[Words, ...]:
    shown = Code(_on_device(step))
    return ("*" if step.critical else "", (Code(step.what),), (shown,), _effect(step))


def _on_device(step: Step) -> str:
    """What a device multiplies, what it held and holds of what moves, else what it makes."""
    if step.kind == "contract":
        return " @ ".join(map(str, step.before))
    return f"{step.before[0]} -> {step.after}" if step.moves else str(step.after)


def _effect(step: Step) -> Words:
    """What a step sends and over how many hops, or its FLOPs."""
    if not step.moves:
        return (Math(step.flops.to_sympy()), " FLOPs") if step.flops else "-"
    return joined([_sent(entry, entry.moves) for entry in step.moves if entry.moves], "; ")


def _sent(entry: Entry, moves: Moves) -> Words:
    hops = " hop" if moves.hops == ONE else " hops"
    over = f" bytes over {entry.resource.name}, "
    return words(entry.amount, over, moves.hops.to_sympy(), hops)


def told(plan: Plan) -> Iterator[Block]:
    """What is below the table: the longest path, what must divide, memory, the other ways."""
    if any(step.critical for step in plan.steps):
        yield Prose("* on the longest path of steps, each after the one before.")
    never = uneven(plan.local)
    for count, size in sorted(never, key=str):
        yield Prose(f"{count} does not divide {size}: the largest shard counts.")
    pairs = [pair for pair in must_divide(plan.local) if pair not in never]
    if pairs:
        parts = [
            words(count.to_sympy(), " divides ", size.to_sympy())
            for count, size in sorted(pairs, key=str)
        ]
        rest = "; otherwise the largest shard counts."
        yield Prose(words("Even shards need that ", *joined(parts), rest))
    yield from _memory(plan)
    for each in plan.alternatives:
        yield Prose(_alternative_words(each))


def _memory(plan: Plan) -> Iterator[Block]:
    """The bytes of a device, and when they are most: a shard and the whole then live together."""
    programs = ((plan.local, ONE),)
    try:
        moments = peaks(programs, None)
        most = undominated(moments)
    except UndecidedError:
        return
    runs = tuple(all_runs(plan.local))

    def moment(value: Posynomial) -> Words:
        if moments[value] < 0:
            return words(value.to_sympy())
        first = runs[moments[value]].start
        what = plan.local.ops[first].group or plan.steps[first].what
        return words(value.to_sympy(), " (at ", Code(what), ")")

    whole = held(programs, None, None).to_sympy()
    at_most = joined(map(moment, most), " or ")
    yield Prose(
        words("A device holds ", whole, " bytes in all, at one time at most ", *at_most, ".")
    )


def _alternative_words(each: Alternative) -> Words:
    steps = ", then ".join(each.steps) or "nothing sent"
    said: list[Inline] = ["Or for ", Code(each.of), f": {steps} ("]
    said += [Math(each.moved.to_sympy()), " bytes)"]
    condition = each.beats
    if condition is None:
        said.append(", which sends less")
    else:
        left, right = (side.to_sympy() for side in condition.sides())
        said += [", which sends less when ", Math(left, ((condition.op, right),))]
    if each.times != 1:
        said += ["; a device then does ", Math(each.times.to_sympy()), " times the arithmetic"]
    return (*said, ".")


def step_data(step: Step) -> dict[str, object]:
    """A step under the keys of the JSON interface."""
    moves = [entry.moves for entry in step.moves if entry.moves]
    return {
        "op": step.what,
        "layouts": {"before": [str(kind) for kind in step.before], "after": str(step.after)},
        "collective": step.kind if moves else None,
        "axis": [entry.resource.name for entry in step.moves],
        "bytes": [entry.amount for entry in step.moves],
        "sent": [each.sent.to_sympy() for each in moves],
        "busiest_link": [each.busiest.to_sympy() for each in moves],
        "hops": [each.hops.to_sympy() for each in moves],
        "flops": step.flops.to_sympy(),
        "time": step.time,
        "critical": step.critical,
    }


def alternative_data(each: Alternative) -> dict[str, object]:
    """Another way under the keys of the JSON interface."""
    return {
        "of": each.of,
        "steps": list(each.steps),
        "bytes": each.moved.to_sympy(),
        "instead": each.instead.to_sympy(),
        "when": None if each.beats is None else str(each.beats.relation()),
        "arithmetic": each.times.to_sympy(),
    }
