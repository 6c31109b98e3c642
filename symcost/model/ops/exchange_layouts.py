"""How the result of a collective lies on the mesh, and over which axes it goes."""

from __future__ import annotations

from collections.abc import Sequence

from symcost.algebra import as_posynomial
from symcost.algebra.posynomial import ONE
from symcost.algebra.signs import possible_signs
from symcost.errors import ShapeError
from symcost.model.axes import axis_positions
from symcost.model.collectives.networks import Places
from symcost.model.layouts import Layout, Sharding, alike
from symcost.model.mesh import Mesh, MeshAxis, axes_named
from symcost.model.operations import Attrs, LayoutRule, Types
from symcost.model.tensors import TensorType

Laid = tuple[Layout, Attrs]

CHANGES = {  # collectives that change the layout, in words
    "all_gather": "every device gets the shards of all others",
    "reduce_scatter": "partial values are combined, and every device keeps a shard",
    "all_reduce": "partial values are combined on every device",
    "all_to_all": "the split moves from one dimension to another; if ``filled`` of a device's "
    "chunks hold anything, as many as fall to it on average",
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
