"""Ceilings and floors in inequalities: exactly, by what they stand for, and at their worst."""

from __future__ import annotations

from sympy import Expr, Integer, Symbol, ceiling, floor

from symcost.algebra import Maximum, Ratio, as_ratio
from symcost.algebra.posynomial import ZERO
from symcost.algebra.relation import Relation
from symcost.algebra.signs import Facts, possible_signs, ratio_signs
from symcost.analysis.proof.monotone import slope_signs
from symcost.symbols import rate


def steps_with(relation: Relation, unknown: Symbol) -> list[Expr]:
    """The ceilings and floors of the unknown, inner ones before those around them."""
    steps = relation.lhs.atoms(ceiling, floor) | relation.rhs.atoms(ceiling, floor)
    return sorted(
        (s for s in steps if unknown in s.free_symbols), key=lambda s: (s.count_ops(), str(s))
    )


def smooth(value: Expr) -> Expr:
    """The expression with each ``ceiling(x)`` and ``floor(x)`` replaced by ``x``.

    >>> from symcost.symbols import dims
    >>> from sympy import ceiling
    >>> smooth(ceiling(dims("B") / 8) * 128)
    16*B
    """
    if not value.args:
        return value
    args = tuple(smooth(arg) for arg in value.args)
    return args[0] if isinstance(value, ceiling | floor) else value.func(*args)


def without_step(relation: Relation, unknown: Symbol) -> Relation:
    """``floor(u) > c`` as ``u >= floor(c) + 1`` and the like, where ``c`` is a number; exact.

    Other relations stay as they are.
    """
    upward = relation.upward()
    gap = as_ratio(upward.lhs) - as_ratio(upward.rhs)
    steps = [a for a in gap.num.atoms if isinstance(a, ceiling | floor)]
    parts = gap.num.coefficients(steps[0]) if len(steps) == 1 and gap.is_posynomial else {}
    if set(parts) - {0, 1} or 1 not in parts:
        return relation
    (step,), slope, rest = steps, parts[1].to_sympy(), parts.get(0, ZERO).to_sympy()
    if not (slope.is_number and rest.is_number and step.has(unknown)):
        return relation
    inside, c, strict = step.args[0], -rest / slope, upward.is_strict
    if isinstance(step, floor):
        first = floor(c) + 1 if strict == (slope > 0) else ceiling(c)
        return Relation(inside, ">=" if slope > 0 else "<", first)
    last = floor(c) if strict == (slope > 0) else ceiling(c) - 1
    return Relation(inside, ">" if slope > 0 else "<=", last)


def at_worst(relation: Relation, unknown: Symbol, facts: Facts) -> Relation | None:
    """What suffices for the relation, with each step at the end of its range that hurts.

    ``x <= ceiling(x) < x + 1`` and ``x - 1 < floor(x) <= x``; ``None`` where the sides rise with
    a step in some places and fall in others, or where its argument may be negative.

    >>> from symcost.symbols import dims
    >>> N = dims("N")
    >>> at_worst(Relation(ceiling(N / 8), "<", N / 4), N, Facts())
    N/4 > N/8 + 1
    """
    whole = relation.upward()
    while steps := steps_with(whole, unknown):
        outer, step = steps[0], _unused({s.name for s in whole.free_symbols})
        left, right = (side.xreplace({outer: step}) for side in (whole.lhs, whole.rhs))
        gap = as_ratio(left) - as_ratio(right)
        inside = outer.args[0]
        if _has_pole(gap, step, outer, facts) or -1 in ratio_signs(as_ratio(inside), facts):
            return None
        moves = slope_signs(gap, step, facts)
        if {-1, 1} <= moves:
            return None
        low, high = _range(outer)
        whole = Relation(left, whole.op, right).substitute({step: low if 1 in moves else high})
    return whole


def _unused(names: set[str]) -> Symbol:
    name = "step"
    while name in names:
        name += "_"
    return rate(name)


def _has_pole(gap: Ratio, step: Symbol, outer: Expr, facts: Facts) -> bool:
    """Whether the gap may divide by zero at a value of the step; a floor may be zero itself."""
    powers = gap.num.coefficients(step).keys() | gap.den.coefficients(step).keys()
    below = step in gap.den.atoms
    if isinstance(outer, floor) and (below or min(powers) < 0):
        return True
    return below and 0 in possible_signs(gap.den, facts)


def _range(step: Expr) -> tuple[Expr, Expr]:
    (inside,) = step.args
    if isinstance(step, ceiling):
        return inside, inside + 1
    return Maximum(Integer(0), inside - 1), inside
