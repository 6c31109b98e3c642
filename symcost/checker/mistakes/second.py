"""A second mistake: a claim may leave something out and be wrong in another way besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sympy import Add, Expr

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio
from symcost.algebra.posynomial import Monomial, times
from symcost.checker.case import Case
from symcost.checker.mistakes.places import places
from symcost.checker.rounding import KIBI, binary_powers
from symcost.checker.said import said

MAX_TERMS = 6  # of a sum of which each is left out in turn


def without_small(value: Posynomial) -> tuple[Posynomial, Posynomial]:
    """The terms that no other one outgrows in every size, and the rest.

    >>> from symcost.algebra import as_posynomial
    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> without_small(as_posynomial(6 * B * D * F + B * F))
    (6*B*D*F, B*F)
    """
    small = [m for m in value.terms if any(_outgrows(other, m) for other in value.terms)]
    lost = Posynomial({m: value.terms[m] for m in small})
    return value - lost, lost


def _outgrows(large: Monomial, little: Monomial) -> bool:
    """Whether the quotient is a product of sizes without any below the line."""
    quotient = times(large, tuple((atom, -power) for atom, power in little))
    return bool(quotient) and all(power > 0 and atom.is_Symbol for atom, power in quotient)


def simpler_cases(case: Case) -> Iterator[tuple[Case, str]]:
    """The case without its small terms, without one term, or with one argument of a choice.

    A number of kB or GB may be one of KiB or GiB.
    """
    if case.printed is not None:
        for power in binary_powers(case.unit):
            printed = case.printed.scaled(KIBI**power)
            second = replace(case, printed=printed, is_second=True)
            yield second, f"{case.unit} stands for powers of 1024"
        return
    if case.ratio is not None:
        num, small = without_small(case.ratio.num)
        den, below = without_small(case.ratio.den)
        if small or below:
            lost = [said("{}{}", part, at) for part, at in ((small, ""), (below, " below")) if part]
            text = said(f"leaves out the small terms {' and '.join(['{}'] * len(lost))}", *lost)
            yield _against(case, Ratio.of(num, den)), text
    for place in places(case.expected):
        node, put = place.node, place.put
        if node.is_Add and len(node.args) <= MAX_TERMS:
            for term in node.args:
                rest = Add(*(arg for arg in node.args if arg != term))
                yield _against(case, put(rest)), said("leaves out the term {}", term)
        if isinstance(node, Maximum | Minimum):
            for arg in node.args:
                yield _against(case, put(arg)), said("takes only {} of {}", arg, node)


def _against(case: Case, value: Expr | Ratio) -> Case:
    expected = value.to_sympy() if isinstance(value, Ratio) else value
    return replace(case, expected=expected, ledger=None, is_second=True)
