"""Derivations, limits, thresholds and regimes, against sympy where it can do the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from harness import Row, cold, growth, ratio, seconds
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
    """Limit, threshold and regimes of a ratio with many symbols and terms, and their growth."""
    for name, bound in (("limit", 1.0), ("regimes", 1.0), ("threshold", 1.0)):
        by_terms = [answer_seconds(name, SYMBOLS, count) for count in (10, 20, TERMS)]
        by_symbols = [answer_seconds(name, count, 20) for count in (6, SYMBOLS)]
        what = f"{name}, {SYMBOLS} symbols:"
        yield Row(f"{what} {TERMS} terms, s", by_terms[-1], bound)
        yield Row(
            f"{what} growth exponent over 10, 20, {TERMS} terms", growth((10, 20, TERMS), by_terms)
        )
        yield Row(f"{name}, 20 terms: growth exponent over 6, {SYMBOLS} symbols",
                  growth((6, SYMBOLS), by_symbols))  # fmt: skip


def answer_seconds(name: str, symbols: int, count: int) -> float:
    """How long one analysis of a ratio of so many symbols and terms takes."""
    names = [sc.dim(f"x{n}") for n in range(symbols)]
    top, bottom = terms(names, 3, count), terms(names, 2, min(count, symbols * (symbols - 1) // 2))
    relation = sc.Relation(top / bottom, ">", sc.rate("I"))
    run = {
        "limit": lambda: sc.limit(top / bottom, "x0 << x1, x2, x3"),
        "regimes": lambda: sc.regimes(top),
        "threshold": lambda: sc.threshold(relation, names[0]),
    }[name]
    return seconds(cold(run))


def terms(names: list[Symbol], degree: int, count: int) -> Expr:
    """A sum of so many products of different symbols, with coefficients 1, 2, 3, ..."""
    every = list(combinations(names, degree))
    chosen = every[:: len(every) // count][:count]
    return Add(*(Mul(number, *factors) for number, factors in enumerate(chosen, 1)))
