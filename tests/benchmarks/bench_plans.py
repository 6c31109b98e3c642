"""Conversions between layouts, sharded layers, and virtual devices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from harness import Row, growth, seconds

import symcost as sc
from symcost.algebra import as_posynomial
from symcost.model import conversions
from symcost.model.layouts import Layout
from symcost.model.mesh import Mesh

# torch DTensor 2.14.1 takes 1.79 s for one conversion over 5 axes
FIVE = Mesh(A="A", B="B", C="C", D="D", E="E")
PAIRS = [
    (Layout((("A", "B"), ("C", "D", "E"))), Layout((("E", "D"), ("A",)))),
    (Layout((("A", "B", "C", "D", "E"), ())), Layout((("E", "D", "C", "B", "A"), ()))),
    (Layout((("A", "B", "C", "D", "E"), ())), Layout(((), ()))),
]
LAYER = """H{n} = X{n} @ W{n}: bf16[D_X, F_Y]
G{n} = gelu(H{n})
X{m}: bf16[B_X, D_Y] = G{n} @ V{n}: bf16[F_Y, D_X]"""


def rows() -> Iterator[Row]:
    """Every measurement with its bound."""
    for source, target in PAIRS:
        yield Row(f"conversion over 5 axes, {source} to {target}", conversion(source, target), 0.1)
    by_layers = [layers(count) for count in (63, 126, 252)]
    yield Row("costs of 126 sharded layers on a symbolic mesh", by_layers[1], 2.0)
    yield Row("growth with the layers", growth((63, 126, 252), by_layers), 1.1)
    yield Row("64 virtual devices", seconds(devices), 2.0)


def conversion(source: Layout, target: Layout) -> float:
    """One conversion, nothing remembered."""
    shape = tuple(as_posynomial(each) for each in sc.dims("I J"))

    def once() -> None:
        conversions.conversion.cache_clear()
        conversions.conversion(shape, source, target, FIVE)

    return seconds(once)


def layers(count: int) -> float:
    """The costs of so many layers under data and tensor parallelism."""
    lines = [LAYER.format(n=n, m=n + 1) for n in range(count)]
    text = "\n".join(["mesh X, Y", "X0: bf16[B_X, D_Y]", *lines])
    graph = sc.parse(text)
    return seconds(lambda: graph.cost().by_resource())


def devices() -> None:
    """A matmul that is split three ways."""
    text = "mesh X=4, Y=4, Z=4; A: fp32[64_X, 64_YZ] @ B: fp32[64_YZ, 64] -> C: fp32[64_X, 64_Y]"
    arrays = {"A": np.ones((64, 64)), "B": np.ones((64, 64))}
    sc.run_on_devices(sc.parse(text), arrays)
