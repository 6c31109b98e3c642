"""Operations that move data between the devices of a mesh, each priced by its schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symcost.algebra import Minimum, Posynomial, as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.algebra.signs import possible_signs
from symcost.errors import ShapeError
from symcost.model.axes import axis_positions
from symcost.model.collectives.networks import Places, networks, rounded_up
from symcost.model.collectives.several import moves_on
from symcost.model.entries import Entry, OpView, arithmetic, channel, free, read, write
from symcost.model.layouts import Layout, Sharding, alike
from symcost.model.mesh import Mesh, MeshAxis, axes_named
from symcost.model.operations import Attrs, CostRule, LayoutRule, Types, operation
from symcost.model.ops.splits import ANY, letters
from symcost.model.tensors import Tensor, TensorType, bytes_per_value
from symcost.model.ways import Split

Laid = tuple[Layout, Attrs]

# what a collective does, in words; those of the first four kinds change the layout
CHANGES = {
    "all_gather": "every device gets the shards of all others",
    "reduce_scatter": "partial values are combined, and every device keeps a shard",
    "all_reduce": "partial values are combined on every device",
    "all_to_all": "the split moves from one dimension to another; if ``filled`` of a device's "
    "chunks hold anything, as many as fall to it on average",
}
KEEPS = {
    "permute": "every device hands its shard to the next, or to the one ``by`` places on",
    "point_to_point": "the device ``source`` sends its shard to the device ``target``, which had "
    "another",
    "halo_exchange": "every device gets the borders of its two neighbours",
    "broadcast": "the first device's values go to all others",
    "reduce": "partial values are combined on the first device",
}
MORE = {  # further parameters
    "halo_exchange": ("width",),
    "all_to_all": ("filled",),
    "permute": ("by",),
    "point_to_point": ("source", "target"),
}
COUNTED = {
    "width": "rows",
    "filled": "chunks",
    **dict.fromkeys(("by", *MORE["point_to_point"]), "devices"),
}
ONTO = ("reduce_scatter", "all_to_all")  # that split a dimension further
NEIGHBOURLY = ("permute", "halo_exchange", "point_to_point")
FREE = {
    "reshard": "the same values in another layout, by the cheapest way",
    "local_slice": "every device keeps its part of what it has",
    "local_addend": "one device keeps the values as its addend, the others hold zeros",
}


def axes_between(kind: str, source: Layout, target: Layout) -> tuple[str, ...] | None:
    """The axes over which a collective leads from one layout to the other; ``None`` if it cannot.

    >>> axes_between("all_gather", Layout((("X",), ())), Layout(((), ())))
    ('X',)
    """
    if kind == "all_gather":
        return _removed(source, target)
    if kind == "local_slice":
        return _removed(target, source)
    gone = tuple(item for item in source.partial if item not in target.partial)
    axes = tuple(axis for axis, _ in gone)
    if kind in ("all_reduce", "reduce_scatter"):
        if not gone or any(item not in source.partial for item in target.partial):
            return None
        if kind == "all_reduce":
            return axes if source.dims == target.dims else None
        unsplit = Layout(source.dims, target.partial)
        added = _removed(target, unsplit)
        return added if added and sorted(added) == sorted(axes) else None
    if kind != "all_to_all" or source.partial != target.partial or source.dims == target.dims:
        return None
    return _exchanged(source.dims, target.dims)


def _removed(source: Layout, target: Layout) -> tuple[str, ...] | None:
    """The axes that the source has at the end of its dimensions and the target lacks."""
    gone: tuple[str, ...] = ()
    for before, after in zip(source.dims, target.dims, strict=True):
        if before[: len(after)] != after:
            return None
        gone = (*gone, *before[len(after) :][::-1])
    return gone if gone and source.partial == target.partial else None


def _exchanged(source: Sharding, target: Sharding) -> tuple[str, ...] | None:
    left: tuple[str, ...] = ()
    arrived: tuple[str, ...] = ()
    for before, after in zip(source, target, strict=True):
        common = alike(before, after)
        left, arrived = (*left, *before[common:][::-1]), (*arrived, *after[common:])
    return left if left and sorted(left) == sorted(arrived) else None


def axes_of(attrs: Attrs, mesh: Mesh) -> tuple[str, ...]:
    """The axes that ``over`` names: ``X``, ``XY`` or several; a cut axis by its parts."""
    over = attrs.get("over", ())
    names = over if isinstance(over, tuple) else (over,)
    return axes_named(map(str, names), mesh)


def changing(kind: str) -> LayoutRule:
    """How the result of a collective lies: as written, or as ``over`` and ``axis`` say."""

    def layout(types: Types, attrs: Attrs, given: TensorType | None, mesh: Mesh) -> Laid:
        source = types[0].layout
        target = given.layout if given else _inferred(kind, types[0], attrs, mesh)
        axes = axes_between(kind, source, target)
        if axes is None:
            after = types[0].laid(target)
            others = [other for other in CHANGES if axes_between(other, source, target)]
            raise ShapeError(
                f"{kind} does not lead from {types[0]} to {after}",
                repair=f"{others[0]} does"
                if others
                else "write a result that it gives, "
                "or leave the collective out and the cheapest way is found",
            )
        said = axes_of(attrs, mesh)
        if said and sorted(said) != sorted(axes):
            raise ShapeError(
                f"{kind} over {', '.join(said)} is written, but the types say "
                f"over {', '.join(axes)}",
                repair="correct the type of the result",
            )
        check_numbers(kind, attrs)
        if given and "axis" in attrs and kind in ONTO:
            (place,) = axis_positions(types[0], attrs["axis"])
            if target.dims[place] == source.dims[place][: len(target.dims[place])]:
                raise ShapeError(
                    f"{kind} onto {types[0].shape[place]} is written, but {types[0].laid(target)} "
                    "is split no further there",
                    repair="correct the type of the result",
                )
        return target, {name: attrs[name] for name in ("filled",) if name in attrs}

    return layout


def _inferred(kind: str, source: TensorType, attrs: Attrs, mesh: Mesh) -> Layout:
    over, layout = axes_of(attrs, mesh), source.layout
    if kind == "all_gather":
        gone = over or layout.axes
        dims = tuple(tuple(a for a in axes if a not in gone) for axes in layout.dims)
        return Layout(dims, layout.partial)
    gone = over or tuple(axis for axis, _ in layout.partial)
    rest = tuple(item for item in layout.partial if item[0] not in gone)
    if kind == "all_reduce":
        return Layout(layout.dims, rest)
    if "axis" not in attrs or not (over or kind == "reduce_scatter"):
        raise ShapeError(
            f"onto which dimension {kind} splits is not said",
            repair=f"write the result, for example R: {source.dtype}[I, K_Y] = {kind}(C)",
        )
    (place,) = axis_positions(source, attrs["axis"])
    kept = [tuple(a for a in axes if a not in gone) for axes in layout.dims]
    kept[place] = (*kept[place], *gone)
    return Layout(tuple(kept), rest if kind == "reduce_scatter" else layout.partial)


def keeping(kind: str) -> LayoutRule:
    """How the result lies of a collective that changes no split."""

    def layout(types: Types, attrs: Attrs, given: TensorType | None, mesh: Mesh) -> Laid:
        over = axes_of(attrs, mesh)
        if not over:
            raise ShapeError(
                f"over which axis {kind} goes is not said", repair=f"write {kind}(A, over=X)"
            )
        if kind in NEIGHBOURLY and len(over) > 1:
            raise ShapeError(
                f"{kind} goes along one mesh axis, not over {', '.join(over)}",
                repair=f"write one {kind} for each",
            )
        places_of(kind, attrs, [mesh.axis(name) for name in over])
        check_numbers(kind, attrs)
        source = types[0].layout
        if kind == "halo_exchange" and "axis" not in attrs:
            attrs = {**attrs, "axis": _split_by(over, types[0])}
        if kind != "reduce":
            return source, attrs
        return Layout(source.dims, tuple(p for p in source.partial if p[0] not in over)), attrs

    return layout


def _split_by(over: tuple[str, ...], type: TensorType) -> tuple[int, ...]:
    """The dimension whose shards have the borders."""
    found = tuple(d for d, axes in enumerate(type.layout.dims) if {*over} & {*axes})
    if not found:
        raise ShapeError(
            f"{type} is not split over {', '.join(over)}, so its shards have no borders there",
            repair=f"split a dimension, or write halo_exchange(A, over={over[0]}, axis=...)",
        )
    return found


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


def places_of(kind: str, attrs: Attrs, axes: Sequence[MeshAxis]) -> Places:
    """Of a permute how far it goes, of a send from where to where, where that is said."""
    names = MORE.get(kind, ()) if kind in ("permute", "point_to_point") else ()
    places = tuple(as_posynomial(attrs[name]) for name in names if name in attrs)
    if len(places) < len(names) and kind == "point_to_point":
        raise ShapeError(
            "between which devices point_to_point sends is not said",
            repair="write point_to_point(A, over=X, source=0, target=3)",
        )
    for each in places if kind == "point_to_point" else ():
        size = axes[0].size
        if possible_signs(each) <= {-1} or possible_signs(size - each) <= {-1, 0}:
            raise ShapeError(
                f"the mesh axis {axes[0].name} has no device {each}",
                repair=f"its devices are 0 to {size - 1}",
            )
    return places


def check_numbers(kind: str, attrs: Attrs) -> None:
    """Refuse a number that counts nothing: a width of -1, a share of 3/2 places."""
    for name in MORE.get(kind, ()):
        value = as_posynomial(attrs.get(name, 1))
        number = value.as_fraction() if value.is_constant else ONE.as_fraction()
        if (number.denominator > 1 and name != "filled") or (number < 0 and name != "by"):
            raise ShapeError(
                f"{name}={number} of {kind} is no number of {COUNTED[name]}",
                repair="give a whole number" + ("" if name == "by" else ", at least 0"),
            )


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


def placing(kind: str) -> LayoutRule:
    """What is written, if it is free to get there."""

    def layout(types: Types, attrs: Attrs, given: TensorType | None, mesh: Mesh) -> Laid:
        source, target = types[0].layout, given.layout if given else types[0].layout
        sliced = axes_between("local_slice", source, target)
        added = source.dims == target.dims and {*source.partial} < {*target.partial}
        if not (sliced if kind == "local_slice" else added):
            raise ShapeError(
                f"{kind} does not lead from {types[0]} to {types[0].laid(target)}",
                repair="write the result, for example S: bf16[I_X, J] = local_slice(A)",
            )
        return target, {}

    return layout


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
