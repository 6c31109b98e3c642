"""Whether two expressions are the same function, for a reason: normal forms, branch by branch.

Points only refute, they prove nothing. Roots, logarithms and roundings are brought to one form; a
maximum or a minimum is resolved by cases, one for each order of two of its arguments.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from math import gcd, lcm

from sympy import Expr, Mul, Pow, Symbol, ceiling, expand_log, floor, log

from symcost.algebra import Maximum, Minimum, Posynomial, Ratio, as_posynomial, as_ratio
from symcost.algebra.monomials import of_powers
from symcost.algebra.ratio import content
from symcost.algebra.relation import SIGNS, Condition
from symcost.algebra.signs import NO_FACTS, Facts, possible_signs
from symcost.checker.samples import any_points
from symcost.checker.values import sum_at
from symcost.errors import SymcostError

MAX_PRODUCT = 4_000  # terms of two formulas up to which they are multiplied crosswise
MAX_SPLITS = 6  # orders of arguments that are told apart, one within the other
TRIED = 40  # points that may refute a sign
MAX_SIZE = 400  # nodes of expressions with choices that are compared


def ratio_of(value: Expr) -> Ratio | None:
    """The normal form, or ``None`` where there is none (a root of a sum, too many terms)."""
    try:
        return as_ratio(value)
    except SymcostError:
        return None


def equal(left: Expr, right: Expr) -> bool:
    """Whether two expressions are proved to be the same function.

    ``False`` means that they differ, or that no reason was found; points tell them apart.

    >>> from symcost.symbols import dims
    >>> B, D = dims("B D")
    >>> equal(2 * Maximum(B, D), Maximum(2 * B, 2 * D)), equal(B / (B + D), B / D)
    (True, False)
    >>> equal(Maximum(B, D) + Minimum(B, D), B + D), equal(Maximum(1, B), B)
    (True, True)
    """
    a, b = ratio_of(left), ratio_of(right)
    if a is not None and b is not None:
        if _same(a, b):
            return True
        if all(atom.is_Symbol for atom in a.atoms | b.atoms):
            return False
    try:
        forms = [_plain(side) for side in (left, right)]
        return _same_in_each_case(forms[0], forms[1], NO_FACTS, MAX_SPLITS)
    except (SymcostError, RecursionError):
        return False


def _same(a: Ratio, b: Ratio) -> bool:
    if a == b:
        return True
    if len(a.num) * len(b.den) > MAX_PRODUCT or len(b.num) * len(a.den) > MAX_PRODUCT:
        return False
    return a.num * b.den == b.num * a.den


def _same_in_each_case(left: Expr, right: Expr, facts: Facts, splits: int) -> bool:
    left, right = _resolved(left, facts), _resolved(right, facts)
    gap = _open_choice(left, right)
    if gap is None:
        return _same(as_ratio(left), as_ratio(right))
    if not splits or _is_long(left) or _is_long(right):
        return False
    return all(
        _same_in_each_case(left, right, facts.adding((Condition(part, SIGNS[">="]),)), splits - 1)
        for part in (gap, -gap)
    )


def _is_long(value: Expr) -> bool:
    return sum(1 for _ in zip(range(MAX_SIZE), _nodes(value), strict=False)) == MAX_SIZE


def _nodes(value: Expr):  # type: ignore[no-untyped-def]
    yield value
    for arg in value.args:
        yield from _nodes(arg)


def _open_choice(left: Expr, right: Expr) -> Posynomial | None:
    """The difference of two arguments of a choice that has none inside it."""
    choices = left.atoms(Maximum, Minimum) | right.atoms(Maximum, Minimum)
    for each in sorted(choices, key=str):
        if not any(arg.has(Maximum, Minimum) for arg in each.args):
            for one, other in combinations(each.args, 2):
                gap = as_ratio(one) - as_ratio(other)
                return gap.num * gap.den
    return None


def _resolved(value: Expr, facts: Facts) -> Expr:
    """The expression without the arguments of its choices that another one always beats."""
    if not value.has(Maximum, Minimum):
        return value
    value = value.func(*(_resolved(arg, facts) for arg in value.args)) if value.args else value
    if not isinstance(value, Maximum | Minimum):
        return value
    sign = 1 if isinstance(value, Maximum) else -1
    kept: list[Expr] = []
    for arg in value.args:
        if any(_never_below(sign * (other - arg), facts) for other in kept):
            continue
        kept = [other for other in kept if not _never_below(sign * (arg - other), facts)]
        kept.append(arg)
    return value.func(*kept)


def _never_below(gap: Expr, facts: Facts) -> bool:
    """Whether a gap is proved to be at least zero: by its signs, then with the facts together."""
    ratio = ratio_of(gap)
    if ratio is None:
        return False
    whole = ratio.num * ratio.den
    found = possible_signs(whole, facts)
    if found <= {0, 1} or 1 not in found or _is_below_somewhere(whole, facts):
        return found <= {0, 1}
    return possible_signs(whole, replace(facts, joint=True)) <= {0, 1}


def _is_below_somewhere(value: Posynomial, facts: Facts) -> bool:
    """Whether a point that keeps the facts refutes that a value is at least zero."""
    symbols = value.symbols.union(*(fact.value.symbols for fact in facts.known))
    points = islice(any_points(sorted(symbols, key=str)), TRIED)
    try:
        return any(
            sum_at(value, point) < 0
            and all(fact.holds(sum_at(fact.value, point)) for fact in facts.known)
            for point in points
        )
    except (SymcostError, ZeroDivisionError):
        return False


def _plain(value: Expr) -> Expr:
    """One form of logarithms, powers, roundings and choices, from the inside out."""
    if not value.args:
        return value
    value = value.func(*(_plain(arg) for arg in value.args))
    if isinstance(value, Maximum | Minimum | ceiling | floor):
        args = [_normal(arg) for arg in value.args]
        return _as_floor(value.func(*args))
    if isinstance(value, log):
        return expand_log(log(_factored(value.args[0])))
    if value.is_Pow and not value.exp.is_number:
        return value.expand(power_exp=True, power_base=True, mul=False, multinomial=False)
    return value


def _as_floor(value: Expr) -> Expr:
    """One form of roundings of p/q, whole numbers: ``ceil(p/q)`` is ``floor((p + q - 1)/q)``.

    ``floor((6*n + 5)/4)`` is ``floor((3*n + 2)/2)``, and ``floor(n/2 + 1)`` is ``floor(n/2) + 1``.
    """
    parts = _whole_parts(value.args[0]) if isinstance(value, ceiling | floor) else None
    if parts is None:
        return value
    p, q = parts if isinstance(value, floor) else (parts[0] + parts[1] - 1, parts[1])
    number = p.terms.get((), 0)
    steps = [c for m, c in p.terms.items() if m] + [*q.terms.values()]
    p -= number % gcd(*map(int, steps))
    inside = Ratio.of(p, q)
    whole = int(Fraction(inside.num.terms.get((), 0)) // 1) if inside.is_posynomial else 0
    return floor((inside - Ratio.of(as_posynomial(whole))).to_sympy()) + whole


def _whole_parts(value: Expr) -> tuple[Posynomial, Posynomial] | None:
    """Numerator and denominator with whole values, the lower one positive, if it has such."""
    ratio = ratio_of(value)
    if ratio is None:
        return None
    monomials = {**ratio.num.terms, **ratio.den.terms}
    lowest: dict[Symbol, int] = {}
    for atom, power in (item for monomial in monomials for item in monomial):
        if not (atom.is_Symbol and atom.is_integer and Fraction(power).denominator == 1):
            return None
        lowest[atom] = min(int(power), lowest.get(atom, 0))
    coefficients = (*ratio.num.terms.values(), *ratio.den.terms.values())
    times = lcm(*(Fraction(each).denominator for each in coefficients))
    below = Posynomial({of_powers({atom: -power for atom, power in lowest.items()}): times})
    p, q = ratio.num * below, ratio.den * below
    return (p, q) if possible_signs(q) == {1} else None


def _normal(value: Expr) -> Expr:
    ratio = ratio_of(value)
    return value if ratio is None else ratio.to_sympy()


def _factored(value: Expr) -> Expr:
    """A ratio as a product of monomials and sums without a common factor."""
    ratio = ratio_of(value)
    if ratio is None:
        return value
    parts = [(part / content(part), content(part)) for part in (ratio.num, ratio.den)]
    (top, above), (bottom, below) = parts
    whole = Mul((above / below).to_sympy(), top.to_sympy())
    return Mul(whole, Pow(bottom.to_sympy(), -1))
