"""Plausible slips in Python: understood where the meaning is plain, else one SymcostError."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
import sympy

import symcost as sc

B, D = sc.dims("B D")
FORM = "B*D/(B + D)"
RULE = f"{FORM} > 100"

UNDERSTOOD: list[tuple[Callable[[], object], str]] = [
    (lambda: sc.regimes("2BDF + 4*B^2*D", assume="F = 4*D").rules[0], "B = 2*D"),
    (lambda: sc.breakpoints("max(3*x, 48/x)", "x", "1", 1e2).points, "(4,)"),
    (lambda: sc.regime_map("max(3*x, a*y)", "x", "y", at="a=1"), "y = 3*x"),
    (lambda: sc.sweep({"i": "B*D"}, {"B": [1, 2]}, at="D=3")["i"], "[3. 6.]"),
    (lambda: sc.monotone(FORM, "B").answer, "increasing"),
    (lambda: sc.prove("B + D > B").status, "proved"),
    (lambda: sc.prove(sc.Relation(B, ">", B + D)).status, "refuted"),
    (lambda: sc.threshold(RULE, "B", D >= 200), "B > 100*D/(D - 100)"),
    (lambda: sc.guarantee(RULE, "B", [sympy.Symbol("D") >= 200]).guaranteed, "B > 200,"),
    (lambda: sc.limit(FORM, sympy.Eq(B, D)).value, "D/2"),
    (lambda: sc.feasible(sympy.And(B > 3, B < 10), B), "B > 3 and B < 10"),
    (lambda: sc.integer_set("B > 3", "B", np.int64(10)).ranges, "((4, 10),)"),
    (lambda: sc.TensorType("bf16", np.array([3, 4])), "bf16[3, 4]"),
    (lambda: GRAPH.op("softmax", "x", axis="D").type, "bf16[B, D]"),
    (lambda: GRAPH.op("sum", "x", dim=-1).type, "bf16[B]"),
    (lambda: GRAPH.op("sum", "x", axis=["B", "D"]).type, "bf16[]"),
    (lambda: GRAPH.op("transpose", "x", axes=np.array([1, 0])).type, "bf16[D, B]"),
    (
        lambda: sc.integer_set("B > 3", "B", "10", among=[4.0, np.int32(5)]).ranges,
        "((4, 4), (5, 5))",
    ),
]


@pytest.mark.parametrize(("call", "shown"), UNDERSTOOD)
def test_what_is_plainly_meant_is_understood(call: Callable[[], object], shown: str) -> None:
    assert shown in str(call())


GRAPH = sc.Graph()
GRAPH.input("x", "bf16[B, D]")

ROLE = "array([1., 1.]) is no role; roles are input, weight, intermediate, output"
SLIPS: list[tuple[Callable[[], object], str]] = [
    (lambda: sc.Maximum(), "nothing is the largest of no values; give one"),
    (lambda: sc.Tensor("X", GRAPH.tensors["x"].type, np.ones(2)), ROLE),  # type: ignore[arg-type]
    (lambda: sc.dtype(3), "dtype takes a text or DType as name, not int"),  # type: ignore[arg-type]
    (lambda: sc.dim(["B"]), "dim takes a text as name, not list"),  # type: ignore[arg-type]
    (lambda: sc.load_chip(None), "load_chip takes a text or a path as path, not None"),  # type: ignore[arg-type]
    (lambda: sc.symbolic_chip([3]), "symbolic_chip takes a list as channels, not list"),  # type: ignore[list-item]
    (
        lambda: sc.sweep(B * D, {"B": [1]}),
        "sweep takes a dict as quantities, not Mul",
    ),
    (
        lambda: sc.prove_necessary(RULE, RULE),  # type: ignore[arg-type]
        "prove_necessary takes Threshold as limit_rule, not str",
    ),
    (
        lambda: sc.regimes(sc.parse("A = relu(X: bf16[B]); C = relu(A)")),
        "ComputationGraph is no number or expression",
    ),  # type: ignore[arg-type]
    (
        lambda: sc.TensorType("bf16", 3),  # type: ignore[arg-type]
        "TensorType takes a list as shape, not int",
    ),
    (
        lambda: sc.TensorType(None),  # type: ignore[arg-type]
        "TensorType takes DType or a text as dtype, not None",
    ),
    (
        lambda: sc.TensorType("bf16", (3,), ((),), (3,)),  # type: ignore[arg-type]
        "a layout names the mesh axes of each dimension, and pairs for partial values; "
        'write (("X",), ()), and (("Y", "sum"),)',
    ),
    (
        lambda: sc.MeshAxis("X", 3, 3),  # type: ignore[arg-type]
        "3 is no link of a mesh axis; give a text",
    ),
    (
        lambda: sc.ComputationGraph(3, []),  # type: ignore[arg-type]
        "ComputationGraph takes a list as tensors, not int",
    ),
    (
        lambda: sc.chip("h100").peak(None),  # type: ignore[arg-type]
        "peak takes a text or DType as dtype, not None",
    ),
    (
        lambda: sc.chip("h100").bandwidth(3),  # type: ignore[arg-type]
        "bandwidth takes a text as channel, not int",
    ),
    (
        lambda: GRAPH.matmul("x", 3),  # type: ignore[arg-type]
        "3 is no tensor of a graph; give what input, weight or op returned, or its name",
    ),
    (lambda: GRAPH.op(None, "x"), "op takes a text as kind, not None"),  # type: ignore[arg-type]
    (
        lambda: GRAPH.output(None),  # type: ignore[arg-type]
        "None is no tensor of a graph; give what input, weight or op returned, or its name",
    ),
    (
        lambda: GRAPH.op("send", "x", over="nvlink"),
        'send needs a device, to; give over="nvlink" and to="gpu1"',
    ),
    (
        lambda: GRAPH.op("softmax", "x", axis="Q"),
        "bf16[B, D] has no axis Q; name one of its dimensions, or a position from 0 or -1",
    ),
    (
        lambda: sc.run_on_devices(sc.parse("mesh X=2; relu(A: fp32[4_X])"), {}),
        "no array for A; give one for each of A",
    ),
    (
        lambda: sc.run_on_devices(sc.parse("mesh X=2; relu(A: fp32[4_X])"), {"A": np.ones(5)}),
        "an array of shape (5,) does not fit A: fp32[4_X]",
    ),
    (
        lambda: sc.run_on_devices(sc.parse("mesh X=2; relu(A: fp32[4_X])"), {"A": "x"}),
        "'x' is no array of numbers for A; give one of the shape of fp32[4_X]",
    ),
    (
        lambda: sc.operation("odd", params=3),  # type: ignore[arg-type]
        "operation takes a list as params, not int",
    ),
    (lambda: sc.draw(nx.DiGraph()), "the graph is empty; declare a tensor"),
    (
        lambda: sc.draw(3),  # type: ignore[arg-type]
        "3 is no program; give its text, sc.parse(...) or an sc.Graph",
    ),
    (
        lambda: sc.prove(B + D > B),
        'True is no relation; write for example "B*D > 300", or x > y of sympy',
    ),
]


@pytest.mark.parametrize(("call", "message"), SLIPS)
def test_what_is_not_understood_is_said_of_the_argument(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(sc.SymcostError) as error:
        call()
    assert str(error.value) == message


# -- every public function with every argument of another kind --------------------------------

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
STRANGE: dict[str, object] = {
    "None": None,
    "int": 3,
    "float": 1.5,
    "nan": float("nan"),
    "text": "B >",
    "bytes": b"B",
    "list": ["B"],
    "empty": [],
    "dict": {3: "x"},
    "array": np.arange(3),
    "fraction": Fraction(1, 3),
    "expression": B * D,
    "relation": B > D,
    "true": sympy.true,
    "object": object(),
    "class": sc.Chip,
    "graph": sc.parse(MATMUL),
    "imaginary": sympy.I,
    "matrix": sympy.Matrix([[B]]),
}
THRESHOLD = sc.threshold(RULE, "B")
CALLS: dict[str, tuple[object, ...]] = {
    "parse": (MATMUL,),
    "formula": (FORM,),
    "dim": ("B",),
    "dims": ("B D",),
    "rate": ("W",),
    "rates": ("C W",),
    "dtype": ("bf16",),
    "chip": ("h100",),
    "symbolic_chip": (("ici",),),
    "load_chip": ("none.toml",),
    "limit": (FORM, "B << D"),
    "threshold": (RULE, "B", "D >= 8"),
    "feasible": ([RULE, "B < 5000"], "B", "D >= 8"),
    "guarantee": (RULE, "B", "D >= 200", "B << D"),
    "integer_set": ("B > 3", "B", 10, "even"),
    "minimize": ("x + 9/x", "x", "x <= 8", None),
    "monotone": (FORM, "B", None),
    "prove_necessary": (THRESHOLD, THRESHOLD),
    "error_direction": (sc.limit(FORM, "B << D"),),
    "regimes": ("x + x^2",),
    "regime_map": ("x + y", "x", "y"),
    "breakpoints": ("x + 9/x", "x", 1, 10),
    "sweep": ({"i": "B*D"}, {"B": [1]}, {"D": 3}),
    "function": (FORM, "B D"),
    "roofline": (MATMUL, "h100"),
    "as_posynomial": (B * D,),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_argument_of_another_kind_gives_a_bare_error(name: str) -> None:
    function, plain = getattr(sc, name), CALLS[name]
    bare = []
    for place in range(len(plain)):
        for kind, value in STRANGE.items():
            given = (*plain[:place], value, *plain[place + 1 :])
            try:
                function(*given)
            except sc.SymcostError:
                continue
            except Exception as error:
                bare.append((place, kind, repr(error)))
    assert bare == []


def test_a_guarded_function_is_found_by_pickle() -> None:
    assert pickle.loads(pickle.dumps(sc.parse)) is sc.parse
