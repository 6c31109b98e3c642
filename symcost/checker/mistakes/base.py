"""Mistakes as data: what a kind says, what somebody who makes it would have derived, its rank.

A candidate that gives the claim is ranked by ``specific + likely - log2(tried)/4 - loose``: how
specific the kind is, what the case says for it or against it (``TOLD``, ``SURE``, nothing,
``OPEN``, ``AGAINST``; there are no other numbers), and how many values its maker tried, since what
fits one number of many fits it by chance. For a formula, which nothing fits by chance, that part
is left out. ``loose`` is 1.5 where the number fits to within 1 % to 3 % only, by a cut digit or by
zeros that are places. The numbers (``specific``, those of ``likely``, these two) were fitted by
hand to the 131 claims of the corpus, none of which was held out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2
from typing import TypeAlias

from sympy import Expr

from symcost.algebra import Ratio
from symcost.checker.case import Case
from symcost.errors import SymcostError
from symcost.registry import Registry

LOOSE = 1.5  # steps lost by a number that fits by a cut digit or by zeros that are places
CHANCE = 0.25  # of a step of being specific that each doubling of the values tried takes away

TOLD = 2.0  # the program, or the way the number was made, tells it
SURE = 0.5  # what the case says for a kind
OPEN = -0.5  # nothing tells whether it may be meant
AGAINST = -1  # something speaks against it

Likely: TypeAlias = float | None  # SURE, 0, OPEN, AGAINST; None where it cannot be meant
Value: TypeAlias = Expr | Ratio | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody would have derived who makes one mistake.

    Args:
        value: the formula that results; ``None`` when the evidence is direct.
        text: what was done, one clause about the claim.
        evidence: the factor, the term or the input that shows it.
        likely: what the case says for it: ``TOLD``, ``SURE``, 0, ``OPEN`` or ``AGAINST``.
        slack: by how much a figure may differ from what is derived from it.
        convention: whether the result is right under another convention.
        kind: a more telling kind than that of the maker.
        among: the values that were tried to find it.
    """

    value: Value
    text: str
    evidence: str = ""
    likely: float = 0
    slack: Fraction = Fraction(0)
    convention: bool = False
    kind: str = ""
    among: int = 1


@dataclass(frozen=True, slots=True)
class Example:
    """A claim that has the mistake, and what it should be; ``where`` gives numbers."""

    claim: str
    against: str = ""
    where: str = ""
    of: str = ""
    quantity: str | None = None
    chip: str | None = None
    symbol: str | None = None
    channel: str | None = None


Maker: TypeAlias = Callable[[Case], Iterable[Proposal | tuple[Value, str]]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A kind of mistake: its sentence, how specific it is (1 to 9), its makers, an example."""

    kind: str
    says: str
    specific: float
    example: Example | None = None
    makers: tuple[tuple[Callable[[Case], bool], Maker], ...] = ()


MISTAKES: Registry[Mistake] = Registry("mistake", normal=lambda name: name)


def _always(case: Case) -> bool:
    return True


def mistake(
    kind: str,
    says: str = "",
    *,
    specific: float = 5,
    needs: Callable[[Case], bool] = _always,
    example: Example | tuple[str, ...] | None = None,
) -> Callable[[Maker], Maker]:
    """Register what somebody would have derived who makes a mistake.

    >>> from symcost.checker import check
    >>> @mistake("dozens", "dozens counted", specific=8, example=("8", "B", "B=96"))
    ... def dozens(case):
    ...     yield case.expected / 12, "counts dozens"
    >>> check("8", against="B", where="B=96").diagnosis[0].text
    'counts dozens'
    >>> unregister("dozens")

    Args:
        kind: its name; a name that is there gets one more maker.
        says: one clause about what goes wrong.
        specific: from 1 (says no more than that a number is off) to 9 (only this mistake
            looks like that).
        needs: whether it can be meant in a case.
        example: a claim that has the mistake, what is right, and numbers, which the tests run.

    Returns:
        A decorator for a function from a case to proposals, each a formula and a text.
    """

    def register(make: Maker) -> Maker:
        shown = Example(*example) if isinstance(example, tuple) else example
        known = MISTAKES.get(kind) or Mistake(kind, says, specific, shown)
        if says:
            known = replace(known, says=says, specific=specific, example=shown)
        found = replace(known, makers=(*known.makers, (needs, make)))
        MISTAKES.add(kind, found, replace=True)
        return make

    return register


def declare(kind: str, says: str, specific: float, *example: str) -> None:
    """Register a kind that other makers, or the comparison itself, find."""
    MISTAKES.add(kind, Mistake(kind, says, specific, Example(*example)))


def unregister(kind: str) -> None:
    """Forget a kind of mistake."""
    MISTAKES.remove(kind)


@dataclass(frozen=True, slots=True)
class Found:
    """A proposal that gives the claim, with its kind and rank."""

    kind: str
    proposal: Proposal
    weight: float


def explanations(case: Case) -> dict[str, Found]:
    """The best proposal of each kind that gives the claim."""
    found: dict[str, Found] = {}
    if case.expected.is_zero:  # no slip turns nothing into something
        return {each.kind: each for each in _of_one(MISTAKES["embedding-as-matmul"], case)}
    for name in tuple(MISTAKES):
        for each in _of_one(MISTAKES[name], case):
            if each.kind not in found or found[each.kind].weight < each.weight:
                found[each.kind] = each
    return found


def _of_one(entry: Mistake, case: Case) -> list[Found]:
    fitting: list[Proposal] = []
    tried = 0
    for needs, make in entry.makers:
        try:
            for each in make(case) if needs(case) else ():
                proposal = each if isinstance(each, Proposal) else Proposal(*each)
                tried += proposal.among
                if proposal.value is None or case.explains(proposal.value, proposal.slack):
                    fitting.append(proposal)
        except (SymcostError, ZeroDivisionError, OverflowError):
            continue  # a change that makes no sense for this case
    return [
        _ranked(entry, each, tried if case.printed is not None else 1, case) for each in fitting
    ]


def _ranked(entry: Mistake, proposal: Proposal, tried: int, case: Case) -> Found:
    kind = proposal.kind or entry.kind
    named = MISTAKES.get(kind)
    specific = entry.specific if named is None else named.specific
    loose = proposal.value is not None and case.only_nearly(proposal.value)
    weight = specific + proposal.likely - CHANCE * log2(tried) - LOOSE * loose
    return Found(kind, proposal, weight)


def kinds() -> Iterator[tuple[str, str]]:
    """The kinds of mistake and what each says."""
    for name in MISTAKES:
        yield name, MISTAKES[name].says
