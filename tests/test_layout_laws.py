"""Laws of collectives and conversions, by signs for all sizes, and against brute force."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from sympy import Integer

import symcost
from symcost.algebra import Posynomial, as_posynomial
from symcost.algebra.signs import possible_signs
from symcost.errors import SymcostError
from symcost.model.collectives import networks
from symcost.model.collectives.several import moves_on
from symcost.model.conversions import conversion, distance
from symcost.model.layouts import Layout, conditions, local_shape, replicas
from symcost.model.mesh import Mesh, MeshAxis
from symcost.model.programs import parse
from symcost.symbols import dim, dims

S, N, X, Y, Z = (as_posynomial(symbol) for symbol in dims("s N X Y Z"))
SIZE = as_posynomial(64)
THREE = [MeshAxis(name, size, "ici") for name, size in (("X", X), ("Y", Y), ("Z", Z))]
FULL = [name for name in networks if {"all_gather", "all_reduce"} <= {*networks[name].algorithms}]


def at_least(left: Posynomial, right: Posynomial) -> bool:
    return possible_signs(left - right) <= {0, 1}


@pytest.mark.parametrize("name", [n for n in FULL if n not in ("swapping", "reducing")])
def test_an_all_reduce_lies_between_its_halves_and_their_sum(name):
    gather, scatter, both = (
        networks[name].cost(kind, S, N).lasting
        for kind in ("all_gather", "reduce_scatter", "all_reduce")
    )
    assert at_least(both, gather)
    assert at_least(both, scatter)
    assert at_least(gather + scatter, both)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_same_over_several_axes_of_a_torus(count):
    per_axis = [
        [moves.lasting for _, moves in moves_on(kind, S, THREE[:count])]
        for kind in ("all_gather", "reduce_scatter", "all_reduce")
    ]
    for gather, scatter, both in zip(*per_axis, strict=True):
        assert at_least(both, gather)
        assert at_least(both, scatter)
        assert at_least(gather + scatter, both)


def test_a_torus_moves_in_all_what_one_axis_after_the_other_moves():
    """One after the other: s(X - 1) and s X (Y - 1), in all V (XY - 1)/(XY)."""
    total = Posynomial.sum(m.lasting * 2 for _, m in moves_on("all_gather", S, THREE[:2]))
    assert total == S * (X * Y - 1)


@pytest.mark.parametrize(
    ("size", "span", "hops"), [(16, 2, 4), (64, 3, 6), (N + 7, 2, 4), (16, 1, 8)]
)
def test_hardware_axes_are_crossed_side_by_side(size, span, hops):
    """Half a ring of each side, for N = 9: sides of 4, 4, 4 and 16."""
    [(_, moves)] = moves_on("all_gather", S, [MeshAxis("X", size, "ici", span=span)])
    assert moves.hops.to_sympy().xreplace({dim("N"): Integer(9)}) == hops


def test_a_ring_and_a_direct_exchange_load_a_switch_alike():
    """On a switch the egress of a device decides, whatever the order in which it sends."""
    ring = networks["oneway"].cost("all_gather", S, N).sent
    assert ring == networks["switch"].cost("all_gather", S, N).busiest
    assert networks["doubling"].cost("all_gather", S, N).busiest == ring


def test_the_published_forms():
    """Exact: V = N s; the two-way ring counts both directions together."""
    ring, line, oneway = (networks[name] for name in ("ring", "line", "oneway"))
    assert ring.cost("all_gather", S, N).busiest * 2 == S * (N - 1)
    assert line.cost("all_gather", S, N).busiest == S * (N - 1)
    assert oneway.cost("all_to_all", S, N).busiest == S * (N - 1) / 2
    assert networks["reducing"].cost("all_reduce", S, N).busiest == S * (N + 1)
    for n in (4, 6, 16):
        eighth = ring.cost("all_to_all", as_posynomial(2 * n), as_posynomial(n)).busiest
        assert eighth == n * n * 2 // 8  # V/8 on a directed link, V/4 over both


def layouts(mesh: Mesh) -> list[Layout]:
    """Every layout of a matrix on a mesh, partial sums included."""
    found = []
    names = list(mesh)
    for places in product(("I", "J", "", "U"), repeat=len(names)):
        split = {d: [n for n, p in zip(names, places, strict=True) if p == d] for d in "IJ"}
        partial = tuple((n, "sum") for n, p in zip(names, places, strict=True) if p == "U")
        for rows in permutations(split["I"]):
            for columns in permutations(split["J"]):
                found.append(Layout((rows, columns), partial))
    return found


@pytest.mark.parametrize(
    "mesh",
    [
        Mesh(X=4, Y=4),
        Mesh(*(MeshAxis(n, as_posynomial(4), "nvlink") for n in "XY")),
        Mesh(MeshAxis("X", as_posynomial(4), "ici"), MeshAxis("Y", as_posynomial(2), "dcn")),
    ],
    ids=["torus", "switch", "two levels"],
)
def test_going_by_way_of_a_third_layout_is_never_cheaper(mesh):
    every = layouts(mesh)
    cost: dict[tuple[Layout, Layout], int] = {}
    for a, b in product(every, repeat=2):
        try:
            cost[a, b] = distance((SIZE, SIZE), a, b, mesh)
        except SymcostError:
            continue
    assert len(cost) > 100
    for (a, b), direct in cost.items():
        for c in every:
            named = {*a.axes, *b.axes}
            if named.issuperset(c.axes) and (a, c) in cost and (c, b) in cost:
                assert direct <= cost[a, c] + cost[c, b], (a, b, c)


def test_partial_sums_over_two_axes():
    """{U, U} -> whole on 8 x 8: 63/32 V in all, where DTensor's two all-reduces take 7/2 V."""
    mesh = Mesh(X=8, Y=8)
    source = Layout(((), ()), (("X", "sum"), ("Y", "sum")))
    steps = conversion((SIZE, SIZE), source, Layout(((), ())), mesh)
    total = as_posynomial(0)
    values, layout = SIZE * SIZE, source
    for step in steps:
        axes = [mesh.axis(name) for name in step.axes]
        held = [local_shape((SIZE, SIZE), each, mesh) for each in (layout, step.layout)]
        sizes = [a * b for a, b in held]
        shard = min(sizes, key=Posynomial.as_fraction)
        if step.kind == "all_reduce":
            shard = sizes[0] / mesh.count(step.axes)
        total = total + Posynomial.sum(m.lasting * 2 for _, m in moves_on(step.kind, shard, axes))
        layout = step.layout
    assert total == values * 63 / 32


def test_replicas_and_shares():
    mesh = Mesh(X=4, Y=2, Z="n")
    layout = Layout((("X", "Y"), ()))
    assert str(replicas(layout, mesh)) == "n"
    assert local_shape((as_posynomial(10), SIZE), layout, mesh) == (2, 64)


B = as_posynomial(dim("B"))


@pytest.mark.parametrize(
    ("size", "is_plain"),
    [(4 * N * B, True), (2 * N + 6 * N * B, True), (3 * N * B, False), (B, False)],
)
def test_what_must_divide_is_told_unless_it_plainly_does(size, is_plain):
    """Over 2*N devices; with N = B = 1 the sizes 3 and 1 are uneven."""
    layout, mesh = Layout((("X",),)), Mesh(MeshAxis("X", 2 * N, "ici"))
    assert conditions((size,), layout, mesh) == (() if is_plain else ((2 * N, size),))


@pytest.mark.parametrize(("over", "left"), [("X", "B, D_Y"), ("Y", "B_X, D"), ("YX", "B, D")])
def test_an_all_gather_takes_the_axes_that_it_names(over, left):
    gathered = parse(f"mesh X=4, Y=2; G = all_gather(A: bf16[B_X, D_Y], over={over})")
    assert str(gathered.tensors["G"].type) == f"bf16[{left}]"


@pytest.mark.parametrize(
    "statement",
    [
        "Y: bf16[B_X, F] = add(X: bf16[B_X, F], b: bf16[B_X])",
        "Y: bf16[B, F_X] = add(X: bf16[B, F_X], b: bf16[F_X])",
        "Y: bf16[B, F_X] = add(X: bf16[B, F_X], b: bf16[1, F_X])",
        "Y: bf16[B, H, K, Z_X] = reshape(X: bf16[B, H*K, Z_X])",
        "Y: bf16[B, H*K, Z_X] = reshape(X: bf16[B, H, K, Z_X])",
        "Y: bf16[B, H_X, K, Z] = reshape(X: bf16[B, H*K@X, Z])",
        "Y: bf16[B*S@X, D] = reshape(X: bf16[B_X, S, D])",
    ],
)
def test_what_lies_alike_on_both_sides_moves_nothing(statement):
    assert not parse(f"mesh X=4 over ici; {statement}").cost().bytes("ici")


@pytest.mark.parametrize(
    ("given", "said", "axes"),
    [
        ("X=4, Y=2", "mesh X=8", {"Y": 2, "X": 8}),  # what the program says is later
        ("Y=2", "mesh X=8", {"Y": 2, "X": 8}),
        (None, "mesh X=8; mesh Y=3", {"X": 8, "Y": 3}),
        (None, "mesh X=8, Y=3; mesh X=2 over nvlink", {"Y": 3, "X": 2}),
    ],
)
def test_meshes_that_are_declared_one_after_the_other_are_one(given, said, axes):
    mesh = parse(f"{said}; R = relu(A: bf16[B_X])", mesh=given).mesh
    assert {name: int(mesh[name].as_fraction()) for name in mesh} == axes
    assert "Z" not in mesh
    assert mesh.get("Z") is None


@pytest.mark.parametrize(
    ("axis", "joined"),
    [
        ("X=8 over ici", ["ring"]),
        ("X(P=2, Q=4) over ici", ["ring", "line"]),  # neighbours are a line
        ("X(P=2, Q=4) over nvlink", ["switch", "switch"]),
        ("X(P=1, Q=8) over ici", ["ring", "ring"]),  # the second is the whole ring
    ],
)
def test_a_part_of_a_ring_is_a_line(axis, joined):
    assert [each.joined for each in parse(f"mesh {axis}; relu(A: bf16[N])").mesh.axes] == joined


@pytest.mark.parametrize("parts", ["PQ", "QP"])
def test_all_the_parts_of_a_ring_are_the_ring(parts):
    """V(1 - 1/8) values in two ways, half a ring of hops: no torus of 2 by 4."""
    graph = parse(f"mesh X(P=2, Q=4) over ici; int8[I_{parts}, J] -> int8[I, J]")
    (moves,) = [entry.moves for entry in graph.cost().entries if entry.moves]
    assert (str(moves.busiest), str(moves.hops)) == ("7*I*J/16", "4")


def test_a_mesh_is_written_as_it_was_declared():
    """Each cut axis with its own parts; 4k is 4000 where there is no k."""
    text = "mesh X(P=2, Q=4), Y(R=3, S=5)"
    assert repr(parse(f"{text}; relu(A: bf16[I_P])").mesh) == text
    assert repr(parse("mesh X=4k; relu(A: bf16[I_X])").mesh) == "mesh X=4000"
    assert repr(parse("mesh X=4k; relu(A: bf16[k])").mesh) == "mesh X=4*k"
    assert repr(parse("mesh X=4k; relu(A: bf16[k_X])").mesh) == "mesh X=4*k"


def test_what_is_taken_for_granted_of_parts_is_said():
    told = symcost.plan("mesh X(P=2, Q=4), Y; A: bf16[I_Q, J] -> B: bf16[I, J]").to_text()
    said = "No link is named, so X, Y are two-way rings and Q, whose places are neighbours, a line."
    assert said in told.splitlines()


ON_THREE = [  # rings, lines, levels, one switch, links of pairs, a switch that adds
    "X, Y, Z",
    "X over ici(line), Y over ici(line), Z over ici(line)",
    "X, Y over nvlink, Z over dcn",
    "X over nvlink, Y over nvlink, Z over nvlink",
    "X over xgmi, Y, Z",
    "X over nvlink(reducing), Y over nvlink(reducing), Z over nvlink(reducing)",
]


@pytest.mark.parametrize(
    ("mesh", "order"),
    [(mesh, "XYZ") for mesh in ON_THREE]  # over unlike links another order may load others of them
    + [(mesh, order) for mesh in (*ON_THREE[:2], ON_THREE[3]) for order in ("ZXY", "YXZ")],
)
def test_partial_sums_over_three_axes_lie_between_their_halves(mesh, order):
    """Of programs, whose conversions are found: on every channel, for all sizes."""

    def moved(program: str) -> dict[str, Posynomial]:
        cost = parse(f"mesh {mesh}; {program}").cost()
        return {name: as_posynomial(cost.bytes(name)) for name in cost.links}

    both = moved(f"A: bf16[I, J]{{U_{order}}} -> G: bf16[I, J]")
    scatter = moved(f"A: bf16[I, J]{{U_{order}}} -> R: bf16[I_{order}, J]")
    gather = moved(f"A: bf16[I_{order}, J] -> G: bf16[I, J]")
    assert both.keys() == scatter.keys() == gather.keys()
    for channel in both:
        assert at_least(both[channel], gather[channel])
        assert at_least(both[channel], scatter[channel])
        assert at_least(gather[channel] + scatter[channel], both[channel])


@pytest.mark.parametrize(
    ("call", "left"),
    [
        ("all_reduce(A, over=X)", "bf16[B]{U_Y}"),
        ("all_reduce(A, over=Y)", "bf16[B]{U_X}"),
        ("all_reduce(A)", "bf16[B]"),
        ("reduce_scatter(A, over=Y, axis=B)", "bf16[B_Y]{U_X}"),
        ("reduce_scatter(A, axis=B)", "bf16[B_XY]"),
    ],
)
def test_a_reduction_takes_the_axes_that_it_names(call, left):
    reduced = parse(f"mesh X=4, Y=2; A: bf16[B] {{U_XY}}; R = {call}")
    assert str(reduced.tensors["R"].type).replace(" ", "") == left


def test_a_symbolic_number_of_hardware_axes_shares_the_load():
    [(_, alone)] = moves_on("all_reduce", S, [MeshAxis("X", 64, "ici")])
    [(_, moves)] = moves_on("all_reduce", S, [MeshAxis("X", 64, "ici", span=N)])
    assert (moves.busiest * N, moves.lasting * N) == (alone.busiest, alone.lasting)


def test_a_mesh_of_too_many_axes_is_refused():
    assert len(Mesh(**{f"X{n}": 2 for n in range(16)})) == 16
    with pytest.raises(SymcostError, match="a mesh of 17 axes; at most 16"):
        Mesh(**{f"X{n}": 2 for n in range(17)})
