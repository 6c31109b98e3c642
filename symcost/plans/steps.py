"""The plan of a sharded program: what every device does, what moves, and the other ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Expr

from symcost.algebra import Posynomial
from symcost.analysis.roofline import Roofline, roofline
from symcost.documents.blocks import Block
from symcost.hardware import symbolic_chip
from symcost.model.data import GraphData, Op
from symcost.model.entries import Entry
from symcost.model.ledger import cost_of
from symcost.model.local import localized
from symcost.model.mesh import Mesh
from symcost.model.operations import price
from symcost.model.programs import as_graph, parse
from symcost.model.tensors import TensorType, per_device
from symcost.plans import wording
from symcost.plans.alternatives import Alternative, alternatives
from symcost.plans.naming import operation_text
from symcost.render.shown import Displayed


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
        return (*wording.mesh_words(self.mesh), *wording.table(self.steps), *wording.told(self))

    def data(self) -> Mapping[str, object]:
        """The steps under the keys of the JSON interface."""
        ledger = cost_of(self.graph)
        return {
            "mesh": {axis.name: axis.size.to_sympy() for axis in self.mesh.axes},
            "steps": [wording.step_data(step) for step in self.steps],
            "totals": {str(r): amount.to_sympy() for r, amount in ledger.by_resource().items()},
            "memory": ledger.peak_memory(),
            "alternatives": [wording.alternative_data(each) for each in self.alternatives],
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
    return Plan(graph, local, tuple(steps), tuple(alternatives(graph)))


def _step(graph: GraphData, op: Op, time: Expr | None, critical: bool) -> Step:
    tensors = graph.tensors
    held = [per_device(tensors[name].type, graph.mesh) for name in op.inputs]
    result = tensors[op.outputs[0]]
    after = per_device(result.type, graph.mesh)
    entries = price(graph, op, "leading")
    return Step(operation_text(graph, op), op.kind, tuple(held), after, entries, time, critical)
