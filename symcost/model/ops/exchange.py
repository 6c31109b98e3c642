"""Operations that move data between the devices of a mesh, each priced by its schedule."""

from __future__ import annotations

from dataclasses import replace

from symcost.algebra import Minimum, Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.algebra.signs import possible_signs
from symcost.model.axes import axis_positions
from symcost.model.collectives.networks import networks, rounded_up
from symcost.model.collectives.several import moves_on
from symcost.model.entries import Entry, OpView, arithmetic, channel, free, read, write
from symcost.model.operations import Attrs, CostRule, Types, operation
from symcost.model.ops.exchange_layouts import (
    CHANGES,
    MORE,
    axes_of,
    changing,
    keeping,
    places_of,
    placing,
)
from symcost.model.ops.splits import ANY, letters
from symcost.model.tensors import Tensor, TensorType, bytes_per_value
from symcost.model.ways import Split

KEEPS = {  # collectives that keep it
    "permute": "every device hands its shard to the next, or to the one ``by`` places on",
    "point_to_point": "the device ``source`` sends its shard to the device ``target``, which had "
    "another",
    "halo_exchange": "every device gets the borders of its two neighbours",
    "broadcast": "the first device's values go to all others",
    "reduce": "partial values are combined on the first device",
}
FREE = {
    "reshard": "the same values in another layout, by the cheapest way",
    "local_slice": "every device keeps its part of what it has",
    "local_addend": "one device keeps the values as its addend, the others hold zeros",
}


def price(kind: str) -> CostRule:
    """The entries: what its schedule moves on each axis, its additions, and main memory."""

    def rule(op: OpView) -> tuple[Entry, ...]:
        sent = moved(op, kind, shard_of(kind, op))
        return (*sent, read(op, op.inputs[0]), write(op, op.outputs[0]))

    return rule


def moved(op: OpView, kind: str, shard: Posynomial) -> tuple[Entry, ...]:
    """The entries of a collective of such shards: the links, and the additions on the way."""
    axes = [op.mesh.axis(name) for name in axes_of(op.attrs, op.mesh)]
    width = bytes_per_value(op.inputs[0].dtype) * _filled(op)
    entries: tuple[Entry, ...] = ()
    for axis, moves in moves_on(kind, shard, axes, places_of(kind, op.attrs, axes)):
        amount = moves.lasting * networks[axis.counted].ways * width
        groups = op.mesh.devices / axis.size  # that do the same at once
        moves = replace(moves, total=moves.over_all(axis.size) * groups)
        resource, subjects = channel(axis.channel, op.place), (op.inputs[0].name,)
        entry = Entry(resource, amount, op.kind, subjects, op.origin, moves=moves.times(width))
        entries += (entry,) if amount else ()
        if moves.adds and not networks[axis.joined].reduces:
            entries += arithmetic(op, moves.adds, action=op.kind)
    return entries


def _filled(op: OpView) -> Posynomial:
    """Which part of the chunks holds anything, wherever each of them may be bound for."""
    if "filled" not in op.attrs:
        return ONE
    chunks = op.mesh.count(axes_of(op.attrs, op.mesh))
    share = as_posynomial(op.attrs["filled"]) / chunks
    return as_posynomial(Minimum(share.to_sympy(), 1))


def shard_of(kind: str, op: OpView) -> Posynomial:
    """The values of one shard: of the part of a whole that a device has or gets."""
    source, result = op.inputs[0], op.outputs[0]
    if kind == "reduce_scatter":
        return result.size
    if kind == "all_to_all":
        return _chunk(source, result) * op.mesh.count(axes_of(op.attrs, op.mesh))
    if kind in ("all_reduce", "broadcast", "reduce"):
        return rounded_up(source.size / op.mesh.count(axes_of(op.attrs, op.mesh)))
    if kind == "halo_exchange":
        (place,) = axis_positions(source.type, op.attrs["axis"])
        return source.size / source.shape[place] * op.attrs.get("width", 1)
    return source.size


def _chunk(source: Tensor, result: Tensor) -> Posynomial:
    """What one device has for one other: split as before and as after."""
    pairs = zip(source.shape, result.shape, strict=True)
    return Posynomial.product(_smaller(a, b) for a, b in pairs)


def _smaller(a: Posynomial, b: Posynomial) -> Posynomial:
    return b if possible_signs(a - b) <= {0, 1} else a


def same(types: Types, attrs: Attrs, given: TensorType | None) -> tuple[TensorType, Attrs]:
    """The shape stays."""
    if "axis" in attrs:
        attrs = {**attrs, "axis": axis_positions(types[0], attrs["axis"])}
    return types[0], attrs


def unchanged(types: Types, attrs: Attrs, result: TensorType) -> Split:
    """The same letters, also of partial values."""
    word = letters(result)
    return Split((word,), word, carries=((0,),), through=ANY)


_EXAMPLES = {
    "reshard": "T: bf16[I, J_X] = reshard(A: bf16[I_X, J])",
    "local_slice": "S: bf16[I_X, J] = local_slice(A: bf16[I, J])",
    "local_addend": "S: bf16[I, J]{U_X} = local_addend(A: bf16[I, J])",
    "all_gather": "G: bf16[I, J] = all_gather(A: bf16[I_X, J])",
    "reduce_scatter": "R: bf16[I, J_X] = reduce_scatter(C: bf16[I, J]{U_X})",
    "all_reduce": "R: bf16[I, J] = all_reduce(C: bf16[I, J]{U_X})",
    "all_to_all": "T: bf16[I, J_X] = all_to_all(A: bf16[I_X, J])",
    "permute": "T: bf16[I_X, J] = permute(A: bf16[I_X, J], over=X)",
    "halo_exchange": "T: bf16[I_X, J] = halo_exchange(A: bf16[I_X, J], over=X, axis=I, width=2)",
    "point_to_point": "T = point_to_point(A: bf16[I_X, J], over=X, source=0, target=3)",
    "broadcast": "T: bf16[I, J] = broadcast(A: bf16[I, J], over=X)",
    "reduce": "T: bf16[I, J] = reduce(C: bf16[I, J]{U_X}, over=X)",
}

for _kind, _says in {**CHANGES, **KEEPS}.items():
    operation(
        _kind,
        operands=1,
        params=("over", "axis", *MORE.get(_kind, ())),
        shape=same,
        layout=(changing if _kind in CHANGES else keeping)(_kind),
        example=f"mesh X=4; {_EXAMPLES[_kind]}",
        convention=f"{_says}; the bytes of the busiest link, an addition for every value that is "
        "combined, the operand read and the result written once",
        source="the source of the network's schedule",
    )(price(_kind))
for _kind, _says in FREE.items():
    operation(
        _kind,
        operands=1,
        params=("over",),
        shape=same,
        run=lambda op, array: array,
        layout=None if _kind == "reshard" else placing(_kind),
        split=unchanged if _kind == "reshard" else None,
        example=f"mesh X=4; {_EXAMPLES[_kind]}",
        convention=f"{_says}; free",
        source="nothing moves",
    )(free)
