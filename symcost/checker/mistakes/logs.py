"""Logarithms: left out, to another base, a count in place of its logarithm or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr, log

from symcost.checker.case import Case, Hypothesis
from symcost.symbols import is_dim


def logarithms(case: Case) -> Iterator[Hypothesis]:
    """What follows without the logarithm, with another base, or with its argument."""
    two = log(2)
    for atom in sorted(case.expected.atoms(log), key=str):
        if not atom.free_symbols:
            continue
        inner = atom.args[0]
        for text, kind, value in (
            (f"the logarithm of {inner} is left out", "missing-factor", two),
            (f"the logarithm of {inner} is left out", "missing-factor", 1),
            (f"{inner} stands where its logarithm belongs", "log-for-count", inner * two),
            (f"{inner} - 1 stands where the logarithm belongs", "log-for-count", (inner - 1) * two),
            (
                f"the natural logarithm of {inner} is taken for that to base 2",
                "log-base",
                atom * two,
            ),
            (
                f"the logarithm of {inner} to base 2 is taken for the natural one",
                "log-base",
                atom / two,
            ),
            (f"the logarithm of {inner} is to base 10", "log-base", atom * two / log(10)),
        ):
            yield Hypothesis(kind, text, case.expected.xreplace({atom: value}), str(atom))


def counts(case: Case) -> Iterator[Hypothesis]:
    """``log2(n)`` steps where ``n``, or ``n - 1``, are taken."""
    if case.expected.atoms(log) or not case.claimed.atoms(log):
        return
    for symbol in case.inputs:
        if is_dim(symbol):
            steps = log(symbol) / log(2)
            for count in (symbol - 1, symbol):
                text = f"the logarithm of {symbol} stands where {count} belongs"
                for value in _replaced(case.expected, count, steps):
                    yield Hypothesis("log-for-count", text, value, str(steps))


def _replaced(value: Expr, count: Expr, steps: Expr) -> Iterator[Expr]:
    """The count replaced everywhere, or in one of the terms of a sum."""
    yield value.xreplace({count: steps})
    for arg in value.args if value.is_Add else ():
        yield value - arg + arg.xreplace({count: steps})
