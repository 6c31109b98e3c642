"""The plan of a sharded program: what every device does, what moves, and the other ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sympy import Expr

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE, ZERO
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import Condition
from symcost.algebra.signs import possible_signs
from symcost.analysis.roofline import Roofline, roofline
from symcost.documents.blocks import Block, Code, Inline, Math, Prose, Table, Words
from symcost.errors import UndecidedError
from symcost.hardware import symbolic_chip
from symcost.model.conversions import conversion
from symcost.model.data import GraphData, Op
from symcost.model.entries import Entry
from symcost.model.fusion import all_runs
from symcost.model.layouts import Layout, conditions
from symcost.model.ledger import cost_of
from symcost.model.local import localized
from symcost.model.memory import held, peaks, undominated
from symcost.model.mesh import Mesh
from symcost.model.operations import found_operation, placed, price
from symcost.model.programs import as_graph, parse
from symcost.model.tensors import Tensor, TensorType, per_device
from symcost.model.ways import Placed, Way, ways
from symcost.render.shown import Displayed

MOST_ALTERNATIVES = 2  # that are shown of one operation
MOST_STEPS = 2  # of an alternative that is shown


@dataclass(frozen=True, slots=True)
class Step:
    """One step of every device.

    Args:
        what: in words, ``A @ B -> C{U_X}`` or ``all_reduce C over X``.
        kind: the operation.
        before, after: the types that a device holds before and after.
        entries: its costs on one device.
        time: seconds; ``None`` within a fused group, whose operations overlap.
        critical: whether it is on the longest path, whatever the sizes.
    """

    what: str
    kind: str
    before: tuple[TensorType, ...]
    after: TensorType
    entries: tuple[Entry, ...]
    time: Expr | None = None
    critical: bool = False

    @property
    def flops(self) -> Posynomial:
        """FLOPs of one device."""
        return Posynomial.sum(e.quantity for e in self.entries if e.resource.is_compute)

    @property
    def moves(self) -> tuple[Entry, ...]:
        """The entries on links between devices."""
        return tuple(entry for entry in self.entries if entry.moves is not None)


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way of one operation: what it moves instead, and when it moves less.

    ``times`` is how often as much arithmetic a device does in it.
    """

    of: str
    steps: tuple[str, ...]
    moved: Posynomial
    instead: Posynomial
    times: Posynomial

    @property
    def beats(self) -> Condition | None:
        """When it sends less, all links being alike; ``None`` if it always does."""
        gap = normalized(_without_roots(self.instead - self.moved))
        return None if possible_signs(gap) <= {1} else Condition(gap, frozenset({1}))


@dataclass(frozen=True, repr=False)
class Plan(Displayed):
    """What every device of a mesh does in a program, step by step.

    >>> import symcost as sc
    >>> sc.plan("mesh X; A: bf16[I, J_X] @ B: bf16[J_X, K] -> C: bf16[I, K]").steps[1].what
    'all_reduce C over X'
    """

    graph: GraphData
    local: GraphData
    steps: tuple[Step, ...]
    alternatives: tuple[Alternative, ...]

    @property
    def mesh(self) -> Mesh:
        """The mesh."""
        return self.graph.mesh

    def blocks(self) -> tuple[Block, ...]:
        """The steps as a table, what must divide, and the other ways."""
        return (*_mesh_words(self.mesh), _table(self.steps), *_told(self))

    def data(self) -> Mapping[str, object]:
        """The steps under the keys of the JSON interface."""
        ledger = cost_of(self.graph)
        return {
            "mesh": {axis.name: axis.size.to_sympy() for axis in self.mesh.axes},
            "steps": [_step_data(step) for step in self.steps],
            "totals": {str(r): amount.to_sympy() for r, amount in ledger.by_resource().items()},
            "memory": ledger.peak_memory(),
            "alternatives": [_alternative_data(each) for each in self.alternatives],
        }


def plan(program: object, *, mesh: str | Mapping[str, object] | None = None) -> Plan:
    """The steps of every device in a program whose tensors lie on a mesh.

    >>> plan("mesh X=4; A: bf16[I_X, J] -> bf16[I, J_X]").steps[0].after
    bf16[I, J/4]

    Args:
        program: a program with layouts, as text, graph or builder.
        mesh: the mesh, where the text does not declare it, ``"X=16 over ici, Y"``.

    Returns:
        The plan, with its steps, what must divide, and other ways with when they are better.

    Raises:
        SymcostError: the program is not understood, or a layout cannot be reached.
    """
    graph = parse(program, mesh=mesh) if isinstance(program, str) and mesh else as_graph(program)
    return plan_of(graph)


def plan_of(graph: GraphData, roof: Roofline | None = None) -> Plan:
    """The plan of a graph, with its times on a chip; at symbolic rates where there is none."""
    local = localized(graph)
    if roof is None:
        ledger = cost_of(graph)
        roof = roofline(ledger, symbolic_chip(ledger.channels))
    paths = [path.steps for path in roof.paths]
    critical = frozenset.intersection(*paths) if paths else frozenset()
    marks: dict[int, tuple[Expr | None, bool]] = {}
    for number, step in enumerate(roof.steps):
        time = step.time.to_sympy() if len(step.ops) == 1 else None
        marks |= dict.fromkeys(step.ops, (time, number in critical))
    steps = (_step(local, op, *marks.get(n, (None, False))) for n, op in enumerate(local.ops))
    return Plan(graph, local, tuple(steps), tuple(_alternatives(graph)))


def _step(graph: GraphData, op: Op, time: Expr | None, critical: bool) -> Step:
    tensors = graph.tensors
    held = [per_device(tensors[name].type, graph.mesh) for name in op.inputs]
    result = tensors[op.outputs[0]]
    after = per_device(result.type, graph.mesh)
    entries = price(graph, op, "leading")
    return Step(_what(graph, op), op.kind, tuple(held), after, entries, time, critical)


def _what(graph: GraphData, op: Op) -> str:
    names = [_named(graph.tensors[name]) for name in op.inputs]
    result = graph.tensors[op.outputs[0]]
    over = dict(op.attrs).get("over")
    if over:
        return f"{op.kind} {names[0]} over {', '.join(over) if isinstance(over, tuple) else over}"
    partial = repr(Layout((), result.type.partial))[2:]
    shown = "" if result.is_anonymous else f" -> {_named(result)}{partial}"
    words = " @ ".join(names) if op.kind == "contract" else f"{op.kind}({', '.join(names)})"
    return f"{words}{shown}"


def _named(tensor: Tensor) -> str:
    return tensor.label if not tensor.is_anonymous else str(tensor.type.laid(None))


# -- other ways ----------------------------------------------------------------------------


def _alternatives(graph: GraphData) -> Iterator[Alternative]:
    seen: set[object] = set()
    for op in graph.ops:
        kind = found_operation(op)
        types = tuple(graph.tensors[name].type for name in op.inputs)
        result = graph.tensors[op.outputs[0]].type
        key = (op.kind, types, result, op.attrs)
        sharded = any(each.is_sharded for each in (*types, result))
        if not sharded or kind.split is None or kind.layout is not None or key in seen:
            continue
        seen.add(key)
        laid = placed(kind, types, dict(op.attrs), result, graph.mesh)
        if not laid.is_taken_apart:
            yield from _better(graph, op, laid)


def _better(graph: GraphData, op: Op, laid: Placed) -> Iterator[Alternative]:
    """Ways that move less somewhere than the one that is chosen."""
    first, *others = ways(laid)
    chosen = _moved(graph, op, laid, first)[0]
    shown: list[Posynomial] = []
    for way in others if first.cost else ():
        moved, steps = _moved(graph, op, laid, way)
        covered = any(possible_signs(moved - other) <= {0, 1} for other in (chosen, *shown))
        if len(steps) <= MOST_STEPS and not covered and len(shown) < MOST_ALTERNATIVES:
            shown.append(moved)
            times = _times(first, way, graph.mesh)
            yield Alternative(_what(graph, op), steps, moved, chosen, times)


def _times(chosen: Way, way: Way, mesh: Mesh) -> Posynomial:
    """How much more arithmetic a device does: by the axes along which all do the same."""
    idle = [axis for axis, letter in way.given if not letter]
    before = [axis for axis, letter in chosen.given if not letter]
    return mesh.count(idle) / mesh.count(before)


def _moved(graph: GraphData, op: Op, laid: Placed, way: Way) -> tuple[Posynomial, tuple[str, ...]]:
    """The bytes of a way, over all links, and its collectives in words."""
    tensors = [graph.tensors[name] for name in (*op.inputs, op.outputs[0])]
    total, words = ZERO, []
    needed = laid.conversions(way, tensors[-1].type.layout)
    for tensor, (shape, old, new) in zip(tensors, needed, strict=True):
        for step in conversion(shape, old, new, graph.mesh):
            before, after = tensor.type.laid(old), tensor.type.laid(step.layout)
            total = total + _bytes(graph, step.kind, step.axes, before, after)
            if not step.is_free:
                words.append(f"{step.kind} {_named(tensor)} over {', '.join(step.axes)}")
            old = step.layout
    return total, tuple(words)


def _bytes(
    graph: GraphData, kind: str, axes: tuple[str, ...], before: TensorType, after: TensorType
) -> Posynomial:
    tensors = [Tensor("a", before), Tensor("b", after, "output")]
    op = Op(kind, ("a",), ("b",), (("over", axes),))
    alone = GraphData(tensors, [op], mesh=graph.mesh)
    return Posynomial.sum(e.quantity for e in price(alone, op, "leading") if e.moves is not None)


def _without_roots(gap: Posynomial) -> Posynomial:
    """The gap without the factors X - 1 that all its terms share, which are not negative."""
    for atom in gap.atoms:
        parts = gap.coefficients(atom)
        if len(parts) > 1 and atom.is_Symbol and not Posynomial.sum(parts.values()):
            low = int(min(parts))
            total, quotient = ZERO, ZERO
            for power in range(int(max(parts)), low, -1):
                total = total + parts.get(power, ZERO)
                quotient = quotient + total * as_posynomial(atom) ** (power - low - 1)
            gap = quotient
    return gap


# -- words ---------------------------------------------------------------------------------


def _mesh_words(mesh: Mesh) -> Iterator[Block]:
    rings = [axis.name for axis in mesh.axes if not axis.link]
    if rings:
        each = "is a two-way ring" if len(rings) == 1 else "are two-way rings"
        yield Prose(f"No link is named, so {', '.join(rings)} {each}.")


def _table(steps: Iterable[Step]) -> Table:
    head = ("", "step", "on each device", "moves or does")
    return Table(head, tuple(_row(step) for step in steps))


def _row(step: Step) -> tuple[Words, ...]:
    after = str(step.after)
    types = f"{step.before[0]} -> {after}" if step.moves else after
    return ("*" if step.critical else "", (Code(step.what),), (Code(types),), _effect(step))


def _effect(step: Step) -> Words:
    """What a step sends and over how many hops, or its FLOPs."""
    if not step.moves:
        return (Math(step.flops.to_sympy()), " FLOPs") if step.flops else "-"
    told: list[Inline] = []
    for entry in step.moves:
        assert entry.moves is not None
        hops = entry.moves.hops
        told += [*(["; "] if told else []), Math(entry.amount)]
        told += [f" bytes over {entry.resource.name}, ", Math(hops.to_sympy())]
        told.append(" hop" if hops == ONE else " hops")
    return tuple(told)


def _told(plan: Plan) -> Iterator[Block]:
    if any(step.critical for step in plan.steps):
        yield Prose("* on the longest path of steps, each after the one before.")
    pairs = {
        pair
        for tensor in plan.local.tensors.values()
        for pair in conditions(tensor.shape, tensor.type.layout, plan.mesh)
    }
    never = {pair for pair in pairs if all(size.is_constant for size in pair)}
    for count, size in sorted(never, key=str):
        yield Prose(f"{count} does not divide {size}: the largest shard counts.")
    if open_pairs := sorted(pairs - never, key=str):
        words: list[str | Math] = ["Even shards need that "]
        for number, (count, size) in enumerate(open_pairs):
            joint = ", " if number else ""
            words += [joint, Math(count.to_sympy()), " divides ", Math(size.to_sympy())]
        yield Prose((*words, "; otherwise the largest shard counts."))
    yield from _memory(plan)
    for each in plan.alternatives:
        yield Prose(_alternative_words(each))


def _memory(plan: Plan) -> Iterator[Block]:
    """The bytes of a device, and when they are most: a shard and the whole then live together."""
    programs = ((plan.local, ONE),)
    try:
        found = peaks(programs, None)
        kept = undominated(found)
    except UndecidedError:
        return
    runs = tuple(all_runs(plan.local))
    told: list[Inline] = ["A device holds ", Math(held(programs, None, None).to_sympy())]
    told.append(" bytes in all, at one time at most ")
    for number, value in enumerate(kept):
        told += [*([" or "] if number else []), Math(value.to_sympy())]
        if found[value] >= 0:
            first = runs[found[value]].start
            named = plan.local.ops[first].group or plan.steps[first].what
            told += [" (at ", Code(named), ")"]
    yield Prose((*told, "."))


def _alternative_words(each: Alternative) -> Words:
    steps = ", then ".join(each.steps) or "nothing sent"
    words: list[Inline] = ["Or for ", Code(each.of), f": {steps} ("]
    words += [Math(each.moved.to_sympy()), " bytes)"]
    condition = each.beats
    if condition is None:
        words.append(", which sends less")
    else:
        left, right = (side.to_sympy() for side in condition.sides())
        words += [", which sends less when ", Math(left, ((condition.op, right),))]
    if each.times != 1:
        words += ["; a device then does ", Math(each.times.to_sympy()), " times the arithmetic"]
    return (*words, ".")


def _step_data(step: Step) -> dict[str, object]:
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


def _alternative_data(each: Alternative) -> dict[str, object]:
    return {
        "of": each.of,
        "steps": list(each.steps),
        "bytes": each.moved.to_sympy(),
        "instead": each.instead.to_sympy(),
        "when": None if each.beats is None else str(each.beats.relation()),
        "arithmetic": each.times.to_sympy(),
    }
