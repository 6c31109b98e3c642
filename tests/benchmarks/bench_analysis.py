"""Derivations, limits, thresholds and regimes, against sympy where it can do the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from harness import Row, cold, ratio, seconds
from sympy import Add, Expr, Mul, Symbol, solve

import symcost as sc

MATMUL = "X: bf16[B, D] @ W: bf16[D, F] -> Z: bf16[B, F]"
SYMBOLS, TERMS = 12, 40


def rows() -> Iterator[Row]:
    """Every measurement with its bound."""
    yield from threshold_rows()
    yield from large_rows()


def threshold_rows() -> Iterator[Row]:
    """The exact threshold of the matmul; ``solve`` finds a root but no direction or condition."""
    batch, critical = sc.dim("B"), sc.rate("I")
    relation = sc.Relation(sc.parse(MATMUL).cost().intensity(), ">", critical)
    b, d, f, i = (Symbol(name, positive=True) for name in "BDFI")
    difference = b * d * f / (b * d + d * f + b * f) - i

    took = ratio(
        cold(lambda: sc.threshold(relation, batch)),
        cold(lambda: solve(difference, b)),
    )
    yield Row("threshold of the matmul for B / sympy solve(intensity - I, B)", took, 0.2)


def large_rows() -> Iterator[Row]:
    """Limit, threshold and regimes of a ratio with many symbols and terms."""
    names = [sc.dim(f"x{n}") for n in range(SYMBOLS)]
    top = terms(names, 3, TERMS)
    bottom = terms(names, 2, TERMS)
    assume = "x0 << x1, x2, x3"
    what = f"{SYMBOLS} symbols, {TERMS} terms: "
    yield Row(f"{what}limit, s", seconds(cold(lambda: sc.limit(top / bottom, assume))), 1.0)
    yield Row(f"{what}regimes, s", seconds(cold(lambda: sc.regimes(top))), 1.0)
    relation = sc.Relation(top / bottom, ">", sc.rate("I"))
    yield Row(f"{what}threshold, s", seconds(cold(lambda: sc.threshold(relation, names[0]))), 1.0)


def terms(names: list[Symbol], degree: int, count: int) -> Expr:
    """A sum of so many products of different symbols, with coefficients 1, 2, 3, ..."""
    total = []
    for number, chosen in zip(range(count), combinations(names, degree), strict=False):
        total.append(Mul(number + 1, *chosen))
    return Add(*total)
