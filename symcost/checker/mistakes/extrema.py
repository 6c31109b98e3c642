"""Maxima, minima and sums: one for another, another argument, a mistake inside one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sympy import Expr, Mul, Rational

from symcost.algebra import Maximum, Minimum
from symcost.checker.case import Case, Hypothesis

KIND = "max-for-other"


def extrema(case: Case) -> Iterator[Hypothesis]:
    """Another argument of a maximum, the sum or the minimum in its place."""
    for atom in case.expected.atoms(Maximum, Minimum):
        others: list[tuple[str, Expr]] = [(f"only {arg} of {atom}", arg) for arg in atom.args]
        swap = Minimum if isinstance(atom, Maximum) else Maximum
        others.append((f"{swap(*atom.args)} in place of {atom}", swap(*atom.args)))
        others.append((f"the sum in place of {atom}", sum(atom.args)))
        for text, value in others:
            replaced = case.expected.xreplace({atom: value})
            yield Hypothesis(KIND, f"takes {text}", replaced, str(atom))


def overlapped(case: Case) -> Iterator[Hypothesis]:
    """The maximum, or the minimum, of what must be added."""
    args = case.expected.args
    if not case.expected.is_Add or len(args) > 4:
        return
    if case.printed is None and not case.claimed.atoms(Maximum, Minimum):
        return
    for swap in (Maximum, Minimum):
        value = swap(*args)
        text = f"takes {value} where the sum of both is meant"
        yield Hypothesis(KIND, text, value, str(case.expected))
    for arg in args if case.printed is not None else ():
        yield Hypothesis(KIND, f"takes only {arg} of the sum", arg, str(case.expected), doubt=9)


def inner_cases(case: Case) -> Iterator[tuple[Case, str]]:
    """The case of one argument, where a maximum differs from the expected one in that alone."""
    if case.printed is not None:
        return
    if isinstance(case.expected, Maximum | Minimum) and case.claimed.func is case.expected.func:
        theirs, ours = set(case.claimed.args), set(case.expected.args)
        if len(theirs - ours) == len(ours - theirs) == 1:
            (claimed,), (expected,) = theirs - ours, ours - theirs
            yield (
                _inner(case, claimed, expected),
                f"in the argument {claimed}, which should be {expected}",
            )
    elif _has_root(case.expected) and _has_root(case.claimed):
        yield _inner(case, case.claimed**2, case.expected**2), "under the root"


def _inner(case: Case, claimed: Expr, expected: Expr) -> Case:
    return replace(case, claimed=claimed, expected=expected, ledger=None, whole=None)


def _has_root(value: Expr) -> bool:
    """Whether a product has a square root with symbols as a factor."""
    half = Rational(1, 2)
    powers = (f.as_base_exp() for f in Mul.make_args(value))
    return any(base.free_symbols and abs(exponent) == half for base, exponent in powers)
