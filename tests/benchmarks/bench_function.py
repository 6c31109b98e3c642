"""``sc.function`` of the matmul roofline, against the plain numpy function that people write."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from harness import Row, peak_bytes, ratio

import symcost as sc

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
POINTS = 10_000_000
PEAK, BANDWIDTH = 989e12, 3.35e12


def plain(B, D, F):
    """FLOP/s that a matmul reaches on an H100, as it is written by hand."""
    flops = 2 * B * D * F
    traffic = 2 * B * D + 2 * D * F + 2 * B * F
    return flops / np.maximum(flops / PEAK, traffic / BANDWIDTH)


def rows() -> Iterator[Row]:
    """Every measurement with its bound."""
    symbols = sc.dims("B D F")
    roof = sc.roofline(sc.parse(MATMUL), sc.chip("h100-sxm"))
    fast = sc.function(roof.throughput, symbols)
    draw = np.random.default_rng(0)
    values = [draw.uniform(1, 16_384, POINTS) for _ in symbols]
    np.testing.assert_allclose(fast(*values)[:1000], plain(*(v[:1000] for v in values)), rtol=1e-12)

    took = ratio(lambda: fast(*values), lambda: plain(*values), rounds=7)
    yield Row("function of the matmul roofline at 1e7 points / plain numpy", took, 0.5)
    sweep = (values[0], 8192, 4096)
    took = ratio(lambda: fast(*sweep), lambda: plain(*sweep), rounds=7)
    yield Row("function: the same with an array for B alone / plain numpy", took, 0.5)
    took = ratio(lambda: fast(*values), lambda: values[0].copy(), rounds=7)
    yield Row("function: three arrays / a copy of its output", took, 3.0)
    took = ratio(lambda: fast(*sweep), lambda: values[0].copy(), rounds=7)
    yield Row("function: an array for B alone / a copy of its output", took, 2.0)
    output = POINTS * 8
    extra = (peak_bytes(lambda: fast(*values)) - output) / 1e6
    yield Row("function: peak memory above its output, MB", extra, 16)
    extra = (peak_bytes(lambda: plain(*values)) - output) / 1e6
    yield Row("plain numpy: the same, for comparison", extra)
