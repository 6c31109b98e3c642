"""The one walker: every place of a formula, with the whole that results from a change there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy import Add, Expr, Mul

from symcost.algebra import Maximum, Minimum
from symcost.algebra.roots import ROOTS

MAX_PLACES = 160  # of one formula that are changed one by one

Put = Callable[[Expr], Expr]


def places(whole: Expr) -> Iterator[tuple[Expr, Put, Expr | None]]:
    """Each node, how to put another one there, and the node around it.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> [str(put(D)) for node, put, _ in places(2 * B) if node == B]
    ['2*D']
    """
    count = 0
    stack: list[tuple[Expr, Put, Expr | None]] = [(whole, lambda new: new, None)]
    while stack and count < MAX_PLACES:
        node, put, around = stack.pop()
        count += 1
        yield node, put, around
        for index, arg in enumerate(() if isinstance(node, ROOTS) else node.args):
            stack.append((arg, _within(node, index, put), node))


def _within(node: Expr, index: int, put: Put) -> Put:
    def inner(new: Expr) -> Expr:
        args = list(node.args)
        args[index] = new
        return put(node.func(*args))

    return inner


def parts(whole: Expr) -> Iterator[tuple[Expr, Put, str]]:
    """The terms of sums and the arguments of choices, with where they stand.

    >>> from symcost.symbols import dims
    >>> B, D, F = dims("B D F")
    >>> [(str(part), where) for part, _, where in parts(B / (D + F))]
    [('F', ' in the denominator'), ('D', ' in the denominator')]
    """
    below = _nodes_below(whole)
    for node, put, around in places(whole):
        if isinstance(around, Add | Maximum | Minimum):
            where = " in the denominator" if around in below else ""
            if not isinstance(around, Add):
                where = f", in the argument {node}"
            yield node, put, where


def _nodes_below(whole: Expr) -> set[Expr]:
    """The sums that stand below a line."""
    found: set[Expr] = set()
    for factor in Mul.make_args(whole):
        base, exponent = factor.as_base_exp()
        if exponent.is_negative:
            found |= {base, *base.atoms(Add)}
    return found
