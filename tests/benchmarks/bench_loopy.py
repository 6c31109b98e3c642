"""Deriving the costs of a matmul from its text, against loopy's counts of the same loops.

loopy (``pip install loopy "islpy<2026"``) is needed only here; without it the row is left out.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count
from typing import Any

from harness import Row, cold, ratio

import symcost as sc

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
WHAT = "matmul: parse, cost, intensity / loopy op map, access map"


FRESH = count()  # a new name each time, so that no parsed program is found again


def rows() -> Iterator[Row]:
    """Every measurement with its bound."""
    if find_spec("loopy") is None:
        yield Row(f"{WHAT}: loopy is not installed", math.nan)
    else:
        yield Row(WHAT, ratio(cold(derive), counts()), 0.5)


def derive() -> object:
    """FLOPs, bytes and intensity of the matmul."""
    cost = sc.parse(MATMUL, name=f"matmul{next(FRESH)}").cost()
    return cost.flops(), cost.bytes(), cost.intensity()


def counts() -> Callable[[], Any]:
    """What counts operations and accesses of the loops, which are made before."""
    os.environ["LOOPY_NO_CACHE"] = "1"  # before it is imported
    import loopy
    import numpy

    warnings.simplefilter("ignore", loopy.diagnostic.LoopyWarning)
    domain = "{[i, j, k]: 0 <= i < B and 0 <= j < F and 0 <= k < D}"
    kernel = loopy.make_kernel(
        domain, "Z[i, j] = sum(k, X[i, k] * W[k, j])", lang_version=(2018, 2)
    )
    kernel = loopy.add_and_infer_dtypes(kernel, {"X,W": numpy.float16})

    def run() -> Any:
        operations = loopy.get_op_map(kernel, subgroup_size=32)
        return operations, loopy.get_mem_access_map(kernel, subgroup_size=32)

    return run
