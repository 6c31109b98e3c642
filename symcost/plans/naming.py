"""Operations and tensors of a sharded program in words."""

from __future__ import annotations

from symcost.model.data import GraphData, Op
from symcost.model.layouts import Layout
from symcost.model.tensors import Tensor


def operation_text(graph: GraphData, op: Op) -> str:
    """An operation in words, ``A @ B -> C{U_X}`` or ``all_reduce C over X``."""
    names = [tensor_text(graph.tensors[name]) for name in op.inputs]
    result = graph.tensors[op.outputs[0]]
    over = dict(op.attrs).get("over")
    if over:
        return f"{op.kind} {names[0]} over {', '.join(over) if isinstance(over, tuple) else over}"
    partial = repr(Layout((), result.type.partial))[2:]
    shown = "" if result.is_anonymous else f" -> {tensor_text(result)}{partial}"
    words = " @ ".join(names) if op.kind == "contract" else f"{op.kind}({', '.join(names)})"
    return f"{words}{shown}"


def tensor_text(tensor: Tensor) -> str:
    """The name of a tensor; of one without a name its type."""
    return tensor.label if not tensor.is_anonymous else str(tensor.type.laid(None))
