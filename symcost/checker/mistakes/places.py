"""The one walker: every place of a formula, with the whole that results from a change there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from sympy import Add, Expr, Mul

from symcost.algebra import Maximum, Minimum, Ratio
from symcost.algebra.roots import ROOTS
from symcost.checker.case import Case
from symcost.checker.mistakes.base import Example, Proposal, mistake
from symcost.checker.said import said

MAX_PLACES = 160  # of one formula that are changed one by one
SHOWN = 60  # characters of what is shown as evidence

Put = Callable[[Expr], Expr | Ratio]


class Place(NamedTuple):
    """A node of a formula, how to put another one there, the node around it, and where it is.

    A symbol that occurs several times is one place, too: wherever it stands.
    """

    node: Expr
    put: Put
    around: Expr | None = None
    where: str = ""

    @property
    def is_part(self) -> bool:
        """Whether it is a term of a sum, or an argument of a choice."""
        return isinstance(self.around, Add | Maximum | Minimum)


def places(whole: Expr) -> Iterator[Place]:
    """Each node of a formula, the whole first.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> [str(each.put(D)) for each in places(2 * B) if each.node == B]
    ['2*D']
    >>> [(str(each.node), each.where) for each in places(B / (D + F)) if each.is_part]
    [('F', ' in the denominator'), ('D', ' in the denominator')]
    """
    below = _sums_below(whole)
    stack = [Place(whole, lambda new: new)]
    for _ in range(MAX_PLACES):
        if not stack:
            return
        place = stack.pop()
        yield place
        node = place.node
        for index, arg in enumerate(() if isinstance(node, ROOTS) else node.args):
            where = " in the denominator" if node.is_Add and node in below else ""
            where = f", in the argument {arg}" if isinstance(node, Maximum | Minimum) else where
            stack.append(Place(arg, _within(node, index, place.put), node, where))


def _within(node: Expr, index: int, put: Put) -> Put:
    def inner(new: Expr) -> Expr | Ratio:
        args = list(node.args)
        args[index] = new
        return put(node.func(*args))

    return inner


def _sums_below(whole: Expr) -> set[Expr]:
    """The sums that stand below a line."""
    found: set[Expr] = set()
    for factor in Mul.make_args(whole):
        base, exponent = factor.as_base_exp()
        if exponent.is_negative:
            found |= {base, *base.atoms(Add)}
    return found


def parts(whole: Expr) -> Iterator[Place]:
    """The terms of sums and the arguments of choices."""
    return (place for place in places(whole) if place.is_part)


def wherever(case: Case) -> Iterator[Place]:
    """Every place of the expectation, and every symbol that occurs several times."""
    found = list(places(case.expected))
    counts = Counter(place.node for place in found if place.node.is_Symbol)
    for each in (symbol for symbol, count in counts.items() if count > 1):

        def put(new: Expr, symbol: Expr = each) -> Expr | Ratio:
            return case.substituted({symbol: new})

        yield Place(each, put, each)
    yield from found


# what may stand there, what is said of it, how likely that is, a more telling kind
Change = tuple[Expr, str] | tuple[Expr, str, float] | tuple[Expr, str, float, str]
Slip = Callable[[Place, Case], Iterator[Change]]


def slip(
    kind: str,
    says: str = "",
    *,
    specific: float = 6,
    example: Example | None = None,
    of_claim: bool = False,
) -> Callable[[Slip], Slip]:
    """Register what may stand in the place of one node of the right formula.

    With ``of_claim`` it is the claim that is changed, in which something is too much.
    """

    def register(change: Slip) -> Slip:
        def make(case: Case) -> Iterator[Proposal]:
            for place in wherever(case):
                for new, text, *rest in change(place, case):
                    likely, named = (*rest, "")[:2] if rest else (0, "")
                    value = place.put(new)
                    if value not in (case.expected, case.ratio):
                        shown = said("{} for {}", new, place.node)
                        evidence = shown if len(shown) <= SHOWN else ""
                        yield Proposal(value, text, evidence, likely, kind=named)

        def make_of_claim(case: Case) -> Iterator[Proposal]:
            turned = case.turned()
            for each in make(turned):
                if each.value is not None and turned.explains(each.value):
                    yield replace(each, value=None)

        mistake(kind, says, specific=specific, example=example)(make_of_claim if of_claim else make)
        return change

    return register
