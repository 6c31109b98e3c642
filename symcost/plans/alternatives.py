"""Other ways of the operations of a sharded program: what moves instead, and when it is less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.posynomial import ZERO
from symcost.algebra.ratio import normalized
from symcost.algebra.relation import Condition
from symcost.algebra.signs import possible_signs
from symcost.model.conversions import conversion
from symcost.model.data import GraphData, Op
from symcost.model.mesh import Mesh
from symcost.model.operations import found_operation, placed, price
from symcost.model.tensors import Tensor, TensorType
from symcost.model.ways import Placed, Way, ways
from symcost.plans.naming import operation_text, tensor_text

MOST_ALTERNATIVES = 2  # that are shown of one operation
MOST_STEPS = 2  # of an alternative that is shown


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


def alternatives(graph: GraphData) -> Iterator[Alternative]:
    """The other ways of the operations of a program that move less somewhere."""
    seen: set[object] = set()
    for op in graph.ops:
        kind = found_operation(op)
        types = tuple(graph.tensors[name].type for name in op.inputs)
        result = graph.tensors[op.outputs[0]].type
        key = (op.kind, types, result, op.attrs)
        sharded = any(each.is_sharded for each in (*types, result))
        local = kind.split is not None and kind.layout is None and op.kind != "reshard"
        if not sharded or not local or key in seen:  # a reshard goes the cheapest way of all
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
            yield Alternative(operation_text(graph, op), steps, moved, chosen, times)


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
                words.append(f"{step.kind} {tensor_text(tensor)} over {', '.join(step.axes)}")
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
