"""From a program with layouts to what every device does: local operations and collectives.

Each operation is done in its cheapest way; a conversion that several readers want is made once.
"""

from __future__ import annotations

from dataclasses import replace

from symcost.model.conversions import Step, conversion
from symcost.model.data import GraphData, Op
from symcost.model.layouts import Layout
from symcost.model.operations import Operation, found_operation, placed, resolved
from symcost.model.ops.exchange_layouts import axes_between, axes_of
from symcost.model.tensors import ONE, Tensor, TensorType
from symcost.model.ways import Split, Way, ways


def localized(graph: GraphData) -> GraphData:
    """The program of every device: what is split stays split, collectives stand where needed.

    >>> from symcost.model.programs import parse
    >>> text = "mesh X=4; A: bf16[I, J_X] @ B: bf16[J_X, K] -> C: bf16[I, K]"
    >>> [op.kind for op in localized(parse(text)).ops]
    ['contract', 'all_reduce']

    Args:
        graph: a graph whose tensors lie on its mesh.

    Returns:
        A graph of local operations and collectives; the same graph where nothing is split.

    Raises:
        MissingRuleError: a layout that no collective gives.
    """
    if not graph.mesh or not any(tensor.type.is_sharded for tensor in graph.tensors.values()):
        return graph
    return _Lowering(graph).run()


class _Lowering:
    """The tensors and operations so far, and what was converted already."""

    def __init__(self, graph: GraphData) -> None:
        self.graph = graph
        self.tensors = dict(graph.tensors)
        self.ops: list[Op] = []
        self.held: dict[tuple[object, ...], str] = {}
        self.count = 0

    def run(self) -> GraphData:
        for op in self.graph.ops:
            self._lower(op)
        return GraphData(
            self.tensors.values(), self.ops, name=self.graph.name, mesh=self.graph.mesh
        )

    def _lower(self, op: Op) -> None:
        kind = found_operation(op)
        names = (*op.inputs, *op.outputs)
        if not any(self.tensors[name].type.is_sharded for name in names) or op.kind == "send":
            self.ops.append(op)
        elif kind.layout is not None:
            self._collective(op)
        elif op.kind == "reshard":
            source = self.tensors[op.inputs[0]]
            target = self.tensors[op.outputs[0]].type.layout
            self._convert(source, target, op, op.outputs[0])
        else:
            self._local(op, kind)

    def _types(self, names: tuple[str, ...]) -> tuple[TensorType, ...]:
        return tuple([self.tensors[name].type for name in names])

    def _collective(self, op: Op) -> None:
        (source,), (result,) = self._types(op.inputs), self._types(op.outputs)
        axes = axes_between(op.kind, source.layout, result.layout)
        axes = axes or axes_of(dict(op.attrs), self.graph.mesh)
        self.ops.append(replace(op, attrs=_with_axes(op, axes)))

    def _local(self, op: Op, kind: Operation) -> None:
        types, (result,) = self._types(op.inputs), self._types(op.outputs)
        laid = placed(kind, types, dict(op.attrs), result, self.graph.mesh)
        if laid.is_taken_apart:
            self._in_steps(op, laid.split)
        else:
            self._in_way(op, ways(laid)[0])

    def _in_way(self, op: Op, way: Way) -> None:
        wanted = zip(op.inputs, way.operands, strict=True)
        inputs = tuple([self._converted(name, layout, op) for name, layout in wanted])
        result = self.tensors[op.outputs[0]]
        if way.result == result.type.layout:
            self.ops.append(replace(op, inputs=inputs))
            return
        made = self._made(result, way.result)
        self.ops.append(replace(op, inputs=inputs, outputs=(made.name,)))
        self._convert(made, result.type.layout, op, result.name)

    def _in_steps(self, op: Op, split: Split) -> None:
        """Softmax and norms of split rows: smaller operations in one fused group."""
        group = op.group or f"{op.kind} of {op.outputs[0]}"
        names = {f"x{number}": name for number, name in enumerate(op.inputs)}
        for number, (label, kind, operands, params) in enumerate(split.steps):
            inputs = tuple([names[each] for each in operands])
            last = number == len(split.steps) - 1
            if last and split.keeps:  # a collective takes what is whole but for its split
                layout = Layout(self.tensors[inputs[0]].type.sharding)
                inputs = (self._converted(inputs[0], layout, op),)
            given = None if last else self._kept(kind, inputs, dict(params))
            types = self._types(inputs)
            mesh = self.graph.mesh
            real, type, full = resolved(kind, types, dict(params), given, mesh)
            target = self.tensors[op.outputs[0]]
            if last and (not split.keeps or type.layout == target.type.layout):
                name = op.outputs[0]
            else:
                result = Tensor(f"{op.outputs[0]}", type, "intermediate", op.place)
                name = self._made(result, type.layout, type).name
            names[label] = name
            attrs = tuple(sorted(full.items()))
            step = replace(op, kind=real, inputs=inputs, outputs=(name,), attrs=attrs, group=group)
            self._lower(step)
            if last and name != target.name:
                self._convert(self.tensors[name], target.type.layout, op, target.name)

    def _kept(
        self, kind: str, inputs: tuple[str, ...], params: dict[str, object]
    ) -> TensorType | None:
        """The type of a reduction whose row stays as a dimension of size one, natural layout."""
        if "axis" not in params:
            return None
        type = self.tensors[inputs[0]].type
        gone = params["axis"]
        assert isinstance(gone, tuple)
        shape = [ONE if n in gone else size for n, size in enumerate(type.shape)]
        dims = tuple(() if n in gone else axes for n, axes in enumerate(type.sharding))
        how = kind if kind in ("max", "min") else "sum"
        partial = tuple(sorted((axis, how) for n in gone for axis in type.sharding[n]))
        return TensorType(type.dtype, shape, dims, partial)

    def _converted(self, name: str, layout: Layout, op: Op) -> str:
        """The name of a tensor under another layout; made once for all readers."""
        tensor = self.tensors[name]
        if tensor.type.layout == layout:
            return name
        key = (name, layout, op.place, op.group, op.repeat, op.inner)
        if key not in self.held:
            self.held[key] = self._convert(tensor, layout, op)
        return self.held[key]

    def _convert(self, tensor: Tensor, layout: Layout, op: Op, name: str = "") -> str:
        type = tensor.type
        steps = conversion(type.shape, type.layout, layout, self.graph.mesh)
        for number, step in enumerate(steps):
            last = bool(name) and number == len(steps) - 1
            made = self.tensors[name] if last else self._made(tensor, step.layout)
            self.ops.append(_op_of(step, tensor, made, op))
            tensor = made
        return tensor.name

    def _made(self, tensor: Tensor, layout: Layout, type: TensorType | None = None) -> Tensor:
        """A further tensor of this name under another layout."""
        self.count += 1
        name = f"{tensor.name.partition('@')[0]}@{self.count}"
        kind = (type or tensor.type).laid(layout)
        made = Tensor(name, kind, "intermediate", tensor.place)
        self.tensors[name] = made
        return made


def _op_of(step: Step, source: Tensor, made: Tensor, op: Op) -> Op:
    return Op(
        step.kind,
        (source.name,),
        (made.name,),
        (("over", step.axes),),
        op.place,
        op.group,
        op.repeat,
        op.inner,
        op.origin,
    )


def _with_axes(op: Op, axes: tuple[str, ...]) -> tuple[tuple[str, object], ...]:
    return tuple(sorted({**dict(op.attrs), "over": axes}.items()))
