"""The public computation graph: the data of a graph with its costs and its networkx digraph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from symcost.model.data import GraphData, Op
from symcost.model.digraph import digraph_of
from symcost.model.ledger import Ledger, cost_of
from symcost.model.program_text import program_text
from symcost.model.tensors import Tensor
from symcost.render.shown import Typed

if TYPE_CHECKING:
    import networkx

__all__ = ["ComputationGraph", "Op"]


class ComputationGraph(GraphData, Typed):
    """Tensors and operations in program order; immutable, compared by structure.

    >>> from symcost.model.tensors import TensorType
    >>> tensors = [Tensor("H", TensorType("bf16", (8,))),
    ...            Tensor("G", TensorType("bf16", (8,)), "output")]
    >>> graph = ComputationGraph(tensors, [Op("gelu", ("H",), ("G",))])
    >>> list(graph.digraph.successors("H"))
    ['gelu:0']

    Args:
        tensors: every tensor that an operation names.
        ops: the operations, each after those whose results it uses.
        name: what the graph is called.
        mesh: size of each mesh axis over which tensors are sharded.

    Raises:
        UnknownNameError: an operation or sharding names something that was not declared.
        DuplicateNameError: a tensor is declared or produced twice.
        NotationError: a tensor is used before it is produced, or a fused group is torn.
    """

    __slots__ = ("_digraph",)

    _digraph: networkx.DiGraph | None

    def __init__(
        self,
        tensors: Iterable[Tensor],
        ops: Iterable[Op],
        *,
        name: str = "",
        mesh: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(tensors, ops, name=name, mesh=mesh)
        self._set(_digraph=None)

    def __repr__(self) -> str:
        return program_text(self)

    @property
    def digraph(self) -> networkx.DiGraph:
        """The bipartite, frozen networkx digraph of tensors and operations.

        A tensor is the node of its name, with attributes ``tensor`` and ``bipartite=0``;
        operation number ``i`` is the node ``"kind:i"``, with ``op`` and ``bipartite=1``.
        """
        if self._digraph is None:
            self._set(_digraph=digraph_of(self))
        return self._digraph

    def cost(self, count: str = "leading", *, total: bool = False) -> Ledger:
        """The ledger of all costs, with FLOPs counted to leading order or exactly.

        >>> import symcost.model.programs as programs
        >>> graph = programs.parse("x • y: bf16[N], bf16[N] → bf16[1]")
        >>> graph.cost().flops(), graph.cost(count="exact").flops()
        (2*N, 2*N - 1)

        Args:
            count: ``"leading"`` (a multiply-add is 2) or ``"exact"`` (every addition counted).
            total: on a mesh, the costs of all devices together, whose shards are counted as even:
                of a collective what all links carry.

        Returns:
            The ledger; totals are its ``flops``, ``bytes``, ``intensity`` and ``memory``.

        Raises:
            MissingRuleError: an operation has no cost rule.
        """
        return cost_of(self, count, total=total)
