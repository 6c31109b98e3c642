"""Of which dimension a formula is that names quantities of a program and rates of a chip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sympy import Add, Expr, Max, Min, Mul, Pow, Symbol

from symcost.algebra import Maximum, Minimum
from symcost.notation.unit_table import Dimension, product_of

TIME: Dimension = (("second", 1),)
_AMOUNTS: Mapping[str, Dimension] = {
    **dict.fromkeys(("memory", "capacity", "bytes"), (("byte", 1),)),
    **dict.fromkeys(("t", "T"), TIME),
    "flops": (("FLOP", 1),),
    "intensity": (("FLOP", 1), ("byte", -1)),
    "C": (("FLOP", 1), ("second", -1)),
    "W": (("byte", 1), ("second", -1)),
}


def dimension_named(name: str) -> Dimension:
    """The dimension of a quantity or rate; ``()`` for a count.

    >>> dimension_named("bytes_ici_X"), dimension_named("t_math"), dimension_named("hops")
    ((('byte', 1),), (('second', 1),), ())
    """
    return _AMOUNTS.get(name.partition("_")[0], ())


def dimension_in(expr: Expr, known: Mapping[Symbol, Dimension]) -> Dimension | None:
    """The dimension of a formula; ``None`` where its terms differ, or there is no telling.

    What has no dimension of its own is a number or a count: of FLOPs and bytes, too, where that
    leaves a time, as in ``2*B*D*F/C``.

    >>> from symcost.symbols import rates
    >>> C, W, t = rates("C W t_math")
    >>> known = {each: dimension_named(each.name) for each in (C, W, t)}
    >>> dimension_in(C / W, known), dimension_in(t + 2 / C, known), dimension_in(t + C, known)
    ((('FLOP', 1), ('byte', -1)), (('second', 1),), None)
    """
    dimension = _of(expr, known)
    return None if dimension is None else counted(dimension)


def counted(dimension: Dimension) -> Dimension:
    """Without FLOPs and bytes that a plain count stands for."""
    left = any(base != "second" and power < 0 for base, power in dimension)
    times = dict(dimension).get("second", 0)
    return (("second", times),) if times and left else dimension


def _of(expr: Expr, known: Mapping[Symbol, Dimension]) -> Dimension | None:
    if expr.is_Symbol or expr.is_number:
        return known.get(expr, ())
    parts = [_of(each, known) for each in expr.args]
    whole = [part for part in parts if part is not None]
    if isinstance(expr, Pow) and expr.exp.is_Integer and whole == parts:
        power = int(expr.exp)
        return tuple((base, each * power) for base, each in whole[0])
    if len(whole) < len(parts) or not isinstance(expr, Mul | Add | Max | Min | Maximum | Minimum):
        return None if any(expr.has(each) for each in known) else ()
    return product_of(whole) if isinstance(expr, Mul) else _same(whole)


def _same(parts: Iterable[Dimension]) -> Dimension | None:
    """What the terms of a sum have in common; a plain number may be in any base unit."""
    dimensions = {counted(part) for part in parts} - {()}
    return dimensions.pop() if len(dimensions) == 1 else None if dimensions else ()
